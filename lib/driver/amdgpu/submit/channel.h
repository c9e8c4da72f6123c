/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Channels, in which commands run, and the memory that they use.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_CHANNEL_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/amdgpu/submit/context_ioctl.h"
#include "driver/amdgpu/submit/queue.h"

struct channel;

/*
 * Make a context. Returns 0, -EACCES, -ENOMEM, -ENODEV ..., or -ECANCELED if
 * the GPU cannot be brought back after a reset.
 *
 * One context and one buffer of those that are destroyed stay with the queue
 * for the next caller, unless something went wrong in them or the context holds
 * the clocks, or was made while they were held: a caller that starts and stops
 * all the time need not ask the kernel for them, but only whether the GPU has
 * been reset in between.
 */
int channel_create(struct queue *queue, struct channel **out,
		   struct drmperf_error *error);

/*
 * Create a channel in a forked child that goes on in the GPU's file when its
 * parent has ended: contexts in which a process that was killed ran commands
 * take none any more (Linux sched_entity.c). Returns the errors of
 * channel_create().
 */
int
channel_create_fresh(struct queue *queue, struct channel **out,
		     struct drmperf_error *error);

/*
 * Create a channel whose commands run on all dies of the GPU, in the queue that
 * queue_open_dies() has opened. It has one engine, compute; its context is for
 * clocks and resets only. Returns the errors of channel_create().
 */
int
channel_create_on_dies(struct queue *queue, struct channel **out,
		       struct drmperf_error *error);
void channel_destroy(struct channel *channel);
void channel_abandon(struct channel *channel);

/* End what has stayed; before queue_close() and queue_abandon(). */
void channel_end_idle(struct queue *queue);
void channel_abandon_idle(struct queue *queue);

const struct queue_info *channel_info(const struct channel *channel);

/* The render node, "/dev/dri/renderD128". */
const char *channel_node(const struct channel *channel);

/* Go on in a fresh context after a reset. */
int channel_renew(struct channel *channel, struct drmperf_error *error);

/*
 * Hold a stable power state as long as the context lives or until another one
 * is set; if it is set already, by another program or in sysfs, nothing is
 * held, and nothing given back. Returns 0, -EBUSY if another one is set, or
 * -EINVAL if the kernel does not know how, or the GPU is too hot. See pstate.h
 * for a state that outlives the process.
 */
int channel_set_clock(struct channel *channel, enum channel_clock clock);

/*
 * Get the clock that is held, by any context. Returns 0, or -EINVAL if the
 * kernel does not report it.
 */
int channel_get_clock(struct channel *channel, enum channel_clock *out);

/* ------------------------------------------------------------------ */

struct buffer {
	uint64_t address; /* for the GPU */
	void *memory;	  /* for the CPU */
	size_t size;
	struct buffer_object *object;
};

/*
 * Memory of at least that size, in which anything may be. -ENOMEM or what the
 * kernel returns.
 */
int buffer_create(struct channel *channel, size_t size, struct buffer *out,
		  struct drmperf_error *error);
void buffer_destroy(struct buffer *buffer);
void buffer_abandon(struct buffer *buffer);

/* Return the alignment of a command buffer's begin and end, in bytes. */
size_t channel_alignment(const struct channel *channel);

/*
 * Run the commands that lie in a buffer, on a ring of the engine that they are
 * for, and wait until they have run: one submission and one wait, nothing else.
 *
 * After 5 seconds the log says so, once, and the wait goes on until the kernel
 * resets the GPU.
 *
 * Returns 0; -ECANCELED after a reset of the GPU; -ENODEV if it has gone;
 * -ENOMEM; -EHWPOISON; -ETIME after 5 seconds if the queue is observed; what
 * else the kernel returns.
 */
int channel_run(struct channel *channel, enum pm4_engine engine,
		const struct buffer *buffer, size_t offset, size_t dwords,
		struct drmperf_error *error);

/*
 * Prepare commands to be run any number of times, as by channel_run(). Channel
 * and buffer must outlive the job and not move. Returns 0, or -ENOMEM.
 */
struct job;
int job_create(struct channel *channel, enum pm4_engine engine,
	       const struct buffer *buffer, size_t offset, size_t dwords,
	       struct job **out, struct drmperf_error *error);
void job_destroy(struct job *job);

/*
 * Have waits for the job look in memory for its end first, for the queue's
 * spin time from its submission on, and ask the kernel afterwards. In memory
 * stands the number of a user fence, which the kernel has the GPU write behind
 * all that the commands wrote, once caches are flushed; commands that do not
 * end, or that a reset took away, leave it as it was. An observed queue asks at
 * once.
 */
void
job_spin(struct job *job);

/* Run the job. Returns what channel_run() does. */
int job_run(struct job *job, struct drmperf_error *error);

/*
 * The two halves of job_run(). After job_submit() has returned 0, job_wait() is
 * called before the job is submitted again or destroyed; or, in its place,
 * job_wait_briefly(), which waits so long from the submission on, until that
 * returns something else than JOB_RUNS.
 */
#define JOB_RUNS 1
int
job_submit(struct job *job, struct drmperf_error *error);
int
job_wait_briefly(struct job *job, uint64_t ns, struct drmperf_error *error);
int
job_wait(struct job *job, struct drmperf_error *error);

/*
 * Return a time between the submission of the last commands and their end, on
 * CLOCK_MONOTONIC.
 */
uint64_t channel_ran_ns(const struct channel *channel);

/* Write no log from now on, as in a handler of a signal. */
void channel_silence(struct channel *channel, bool on);

/* Return whether commands are written to standard error, which allocates. */
bool channel_is_shown(const struct channel *channel);

/* Return whether the GPU has been reset since the context was made. */
bool channel_was_reset(struct channel *channel);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_CHANNEL_H */
