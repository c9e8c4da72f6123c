/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The amdgpu driver behind its seam, on the first simulated GPU. What must not
 * fail fails the test.
 */
#ifndef DRMPERF_TESTS_DRIVER_AMDGPU_GPU_H
#define DRMPERF_TESTS_DRIVER_AMDGPU_GPU_H

#include "driver/driver.h"

#define GPU_NODE "/dev/dri/renderD128"
#define GPU_VALUES 4096
#define ALL DRMPERF_ALL_INSTANCES

struct gpu {
	void *device;
	struct description description;
	const struct domain_ops *ops;
};

/* The one that was opened last. */
extern struct gpu gpu;

/* Where it is, and our tables. */
extern const struct driver_target gpu_target;

/* Open all there is to be counted, also what the driver leaves for later. */
int gpu_try_open(const struct driver_target *target,
		 struct drmperf_error *error);

/* Opens it; events count by the simulator's formula. */
void gpu_open(void);
void gpu_close(void);

/*
 * Closes it. The simulator has nothing to complain about, but for what it was
 * told to do.
 */
void gpu_close_clean(void);

/* The simulator's GPU counts nothing but what is listed: "SQ.4 1000". */
#define gpu_count_only(...)                                                    \
	gpu_set_rates(                                                         \
		(const char *const[]){ "GRBM.0 1000000", __VA_ARGS__, NULL })
void gpu_set_rates(const char *const *rates);

group_index gpu_group(const char *name);

/* Return NULL if there is none. */
const struct description_event *gpu_event(const char *group, const char *name);

/* Return a request of event number id of a block, in slots of a mask. */
struct counter_request gpu_request(const char *group, uint32_t id,
				   int32_t instance);
struct counter_request gpu_follower(const char *group, uint32_t id);
struct counter_request gpu_limited(const char *group, uint32_t id,
				   uint64_t slots);

int gpu_try_arm(const struct counter_request *requests, size_t count,
		void **run, struct drmperf_error *error);
void *gpu_arm(const struct counter_request *requests, size_t count);

/* Mark the values, which gain from now on. */
void gpu_mark(void *run);
/* Starts and marks. */
void gpu_start(void *run);
/* Arm, start and mark. */
void *gpu_begin(const struct counter_request *requests, size_t count);

void gpu_change(void *run, const struct counter_request *requests,
		size_t count);
int gpu_try_sample(void *run, struct drmperf_error *error);
void gpu_sample(void *run);

/* Expect that a call failed so, and cause and remedy have these words. */
void
gpu_failed(int ret, int expected, const struct drmperf_error *error,
	   const char *cause, const char *remedy);
/* Expect that a sample fails so. */
void
gpu_sample_fails(void *run, int expected, const char *cause,
		 const char *remedy);

void gpu_stop(void *run);
/* Stops and disarms. */
void gpu_end(void *run);

/* Values of gpu_mark, and of gpu_sample. */
extern uint64_t gpu_before[GPU_VALUES], gpu_now[GPU_VALUES];

/* Return what a value has gained since gpu_mark. */
uint64_t gpu_gained(size_t value);

/* Samples; the first values have gained so much. */
#define gpu_expect(run, ...)                                                   \
	gpu_expect_values(run, (const uint64_t[]){ __VA_ARGS__ },              \
			  sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8)
void gpu_expect_values(void *run, const uint64_t *gained, size_t count);

/* Return the stable pstate that is set, by whatever context. */
uint32_t
gpu_power_state(void);

/* Calls of any kind that the kernel has answered. */
uint64_t gpu_calls(void);

#endif /* DRMPERF_TESTS_DRIVER_AMDGPU_GPU_H */
