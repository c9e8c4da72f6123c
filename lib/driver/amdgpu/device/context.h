/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts in which commands run, and the memory that they use.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_CONTEXT_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/amdgpu/device/context_ioctl.h"
#include "driver/amdgpu/device/device.h"

struct amd_context;

/*
 * Make a context. Returns 0, -EACCES, -ENOMEM, -ENODEV ..., or -ECANCELED if
 * the GPU cannot be brought back after a reset.
 *
 * The device keeps one destroyed context and one buffer for the next caller, so
 * that frequent starts and stops cost only a check for a reset. A context is
 * not kept if commands in it failed, or if it holds the clocks or was created
 * while they were held.
 */
int
amd_context_create(struct amd_device *dev, struct amd_context **out,
		   struct drmperf_error *error);

/*
 * Create a context in a forked child that goes on in the GPU's file when its
 * parent has ended: contexts in which a process that was killed ran commands
 * take none any more (Linux sched_entity.c). Returns the errors of
 * amd_context_create().
 */
int
amd_context_create_fresh(struct amd_device *dev, struct amd_context **out,
			 struct drmperf_error *error);

/*
 * Create a context whose commands run on all XCCs of the GPU, in the queue that
 * amd_device_open_xccs() has opened. It has one engine, compute; its context is
 * for clocks and resets only. Returns the errors of amd_context_create().
 */
int
amd_context_create_on_xccs(struct amd_device *dev, struct amd_context **out,
			   struct drmperf_error *error);
void
amd_context_destroy(struct amd_context *ctx);
void
amd_context_abandon(struct amd_context *ctx);

/*
 * Free the idle context and buffer. Called before amd_device_close() and
 * amd_device_abandon().
 */
void
amd_context_end_idle(struct amd_device *dev);
void
amd_context_abandon_idle(struct amd_device *dev);

const struct amd_device_info *
amd_context_info(const struct amd_context *ctx);

/* Return the render node, "/dev/dri/renderD128". */
const char *
amd_context_node(const struct amd_context *ctx);

/* Go on in a fresh context after a reset. */
int
amd_context_renew(struct amd_context *ctx, struct drmperf_error *error);

/*
 * Hold a stable power state as long as the context lives or until another one
 * is set; if it is set already, by another program or in sysfs, nothing is
 * held, and nothing given back. Returns 0, -EBUSY if another one is set, or
 * -EINVAL if the kernel does not know how, or the GPU is too hot. See pstate.h
 * for a state that outlives the process.
 */
int
amd_context_set_pstate(struct amd_context *ctx, enum stable_pstate clock);

/*
 * Get the clock that is held, by any context. Returns 0, or -EINVAL if the
 * kernel does not report it.
 */
int
amd_context_get_pstate(struct amd_context *ctx, enum stable_pstate *out);

/* ------------------------------------------------------------------ */

struct buffer {
	uint64_t address; /* for the GPU */
	void *memory; /* for the CPU */
	size_t size;
	struct buffer_object *object;
};

/*
 * Allocate at least that much memory, uninitialized. Returns 0, -ENOMEM or the
 * kernel's error.
 */
int
buffer_create(struct amd_context *ctx, size_t size, struct buffer *out,
	      struct drmperf_error *error);
void
buffer_destroy(struct buffer *buffer);
void
buffer_abandon(struct buffer *buffer);

/* Return the alignment of a command buffer's begin and end, in bytes. */
size_t
amd_context_alignment(const struct amd_context *ctx);

/*
 * Run the commands that lie in a buffer, on a ring of the engine that they are
 * for, and wait until they have run: one submission and one wait, nothing else.
 *
 * After 5 seconds the log says so, once, and the wait goes on until the kernel
 * resets the GPU.
 *
 * Returns 0; -ECANCELED after a reset of the GPU; -ENODEV if it has gone;
 * -ENOMEM; -EHWPOISON; -ETIME after 5 seconds if the device has a hook; what
 * else the kernel returns.
 */
int
amd_context_run(struct amd_context *ctx, enum pm4_engine engine,
		const struct buffer *buffer, size_t offset, size_t dwords,
		struct drmperf_error *error);

/*
 * Prepare commands to be run any number of times, as by amd_context_run().
 * Context and buffer must outlive the submission and not move. Returns 0, or
 * -ENOMEM.
 */
struct amd_submission;
int
amd_submission_create(struct amd_context *ctx, enum pm4_engine engine,
		      const struct buffer *buffer, size_t offset, size_t dwords,
		      struct amd_submission **out, struct drmperf_error *error);
void
amd_submission_destroy(struct amd_submission *submission);

/*
 * Have waits for the submission look in memory for its end first, for the
 * device's spin time from its submission on, and ask the kernel afterwards. In
 * memory stands the number of a user fence, which the kernel has the GPU write
 * behind all that the commands wrote, once caches are flushed; commands that do
 * not end, or that a reset took away, leave it as it was. A device with a hook
 * asks at once.
 */
void
amd_submission_spin(struct amd_submission *submission);

/* Run the submission. Returns what amd_context_run() does. */
int
amd_submission_run(struct amd_submission *submission,
		   struct drmperf_error *error);

/*
 * The two halves of amd_submission_run(). After amd_submission_submit() has
 * returned 0, amd_submission_wait() is called before the submission is
 * submitted again or destroyed; or, in its place,
 * amd_submission_wait_briefly(), which waits so long from the submission on,
 * until that returns something else than SUBMISSION_RUNS.
 */
#define SUBMISSION_RUNS 1
int
amd_submission_submit(struct amd_submission *submission,
		      struct drmperf_error *error);
int
amd_submission_wait_briefly(const struct amd_submission *submission,
			    uint64_t ns, struct drmperf_error *error);
int
amd_submission_wait(const struct amd_submission *submission,
		    struct drmperf_error *error);

/*
 * Return a time between the submission of the last commands and their end, on
 * CLOCK_MONOTONIC.
 */
uint64_t
amd_context_ran_ns(const struct amd_context *ctx);

/* Write no log from now on, as in a handler of a signal. */
void
amd_context_silence(struct amd_context *ctx, bool on);

/* Return whether commands are written to standard error, which allocates. */
bool
amd_context_is_shown(const struct amd_context *ctx);

/* Return whether the GPU has been reset since the context was made. */
bool
amd_context_was_reset(struct amd_context *ctx);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_CONTEXT_H */
