/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of where programs wait, of one GPU or several: fetched by a thread as
 * soon as they are there, since the hardware has room for few, and added up
 * until they are written.
 */
#ifndef DRMPERF_TOOL_RECORD_STALL_SAMPLER_H
#define DRMPERF_TOOL_RECORD_STALL_SAMPLER_H

#include <pthread.h>

#include "record/recording.h"

struct sampled_device {
	struct drmperf_device *device;
	struct drmperf_sampling *sampling;
	struct stall_table table; /* what came since it was written */
	uint64_t losses;
	struct drmperf_error error; /* why there are no more; or code 0 */
	bool failed; /* no memory */
};

struct stall_sampler {
	struct sampled_device *devices;
	size_t count;
	pthread_mutex_t lock; /* what the thread adds */
	pthread_t thread;
	int stop; /* an eventfd: the thread is to end */
	bool is_running;
	uint64_t samples, losses; /* that were written */
};

/*
 * Begin to sample the GPUs that -d means, or all that can be. 0, or the exit
 * status after a complaint; stall_sampler_finish() either way.
 */
int
stall_sampler_open(const struct tool *tool, uint64_t period_cycles,
		   struct stall_sampler *sampler);
/* Write what is sampled, and start the thread. 0, or TOOL_FAILED. */
int
stall_sampler_start(const struct tool *tool, struct stall_sampler *sampler,
		    struct recorder *recorder);
/*
 * Write the samples that came since the last call. Returns 0, or a negative
 * errno value when the samples of a device have ended, with the cause; that is
 * reported once.
 */
int
stall_sampler_write(struct stall_sampler *sampler, struct recorder *recorder,
		    struct drmperf_error *error);
/* Take what the hardware still has, and end the thread. */
void
stall_sampler_stop(struct stall_sampler *sampler);
void
stall_sampler_finish(struct stall_sampler *sampler);

#endif /* DRMPERF_TOOL_RECORD_STALL_SAMPLER_H */
