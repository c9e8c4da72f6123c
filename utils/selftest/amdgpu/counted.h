/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting as users get it: by the library's own domain, with all that watches
 * over it, and not by command buffers of the self-test.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_COUNTED_H
#define DRMPERF_SELFTEST_AMDGPU_COUNTED_H

#include "selftest/amdgpu/harness.h"
#include "driver/request.h"

#define COUNTED_MAX 96u

struct counted {
	struct harness *harness;
	struct counter_request requests[COUNTED_MAX];
	size_t count;
	size_t first[COUNTED_MAX]; /* of each request's raw values */
	size_t values;
	uint64_t *raw;
	void *run; /* NULL: it does not count */
	struct drmperf_error error; /* why the last call failed */
};

void
counted_init(struct counted *counted, struct harness *harness);

/* Add one more counter in all instances. -ENOENT: no such event; -ENOSPC. */
int counted_add(struct counted *counted, const char *block, const char *event);
int counted_add_id(struct counted *counted, size_t block, uint32_t id);

/* Start or sample. Returns 0, or the domain's errors, with counted->error. */
int counted_start(struct counted *counted);
int counted_sample(struct counted *counted);

/* Return the sum over all instances, at the last sample. */
uint64_t counted_sum(const struct counted *counted, size_t request);

/* Releases everything. */
void counted_finish(struct counted *counted);

/* Return whether the GPU has been reset, whatever the error was. */
bool counted_was_reset(const struct counted *counted);

#endif /* DRMPERF_SELFTEST_AMDGPU_COUNTED_H */
