/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/kfd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/kfd.h"
#include "selftest/amdgpu/counted.h"
#include "selftest/amdgpu/waves.h"

#define DIES "dies.all"
#define LOCK "kfd.lock"
#define DIES_VARIABLE "DRMPERF_DIES"

/* How long it is looked whether others launch waves. */
#define QUIET_NS UINT64_C(20000000)

/* Describe the GPU as KFD has it; all zero if it has not. */
static struct driver_kfd
describe_gpu(const struct harness *harness)
{
	struct driver_kfd kfd = { .id = 0 };
	struct kfd_topology topology = { .count = 0 };
	const struct kfd_node *node = NULL;
	unsigned minor;

	if (kfd_read_topology("", &topology))
		return kfd;
	if (sscanf(amd_device_node(harness->gpu->dev), "/dev/dri/renderD%u",
		   &minor) == 1)
		node = kfd_find_node(&topology, minor);
	if (node)
		kfd = kfd_describe(node);
	kfd_free_topology(&topology);
	return kfd;
}

/* Return the sum of the first request, or -errno. */
static int64_t
sample_waves(struct counted *counted)
{
	const int ret = counted_sample(counted);

	return ret ? ret : (int64_t)counted_sum(counted, 0);
}

/* Set *out to the waves that come in a while in which none is launched here. */
static int
count_others(struct counted *counted, int64_t *out)
{
	const int64_t before = sample_waves(counted);
	int64_t after;

	if (before < 0)
		return (int)before;
	harness_wait(QUIET_NS);
	after = sample_waves(counted);
	*out = after - before;
	return after < 0 ? (int)after : 0;
}

/* Return how many waves were seen of those of another process, or -errno. */
static int64_t
count_elsewhere(struct counted *counted, int64_t *others)
{
	struct harness *harness = counted->harness;
	const struct selftest_waves waves = { .enabled = true,
					      .die = harness->die };
	int64_t before, after;
	int ret = counted_start(counted);

	if (!ret)
		ret = count_others(counted, others);
	if (ret)
		return ret;
	before = sample_waves(counted);
	if (before < 0)
		return before;
	ret = harness->host->elsewhere(harness->host->data, &waves);
	if (ret)
		return error_set(&counted->error, ret,
				 "the other process has failed");
	after = sample_waves(counted);
	return after < 0 ? after : after - before;
}

static void
check_dies(struct counted *counted, const char *expected, int64_t seen,
	   int64_t others)
{
	const struct harness *harness = counted->harness;

	if (seen < 0)
		harness_check(harness,
			      seen == -ECANCELED ? SELFTEST_FAIL
						 : SELFTEST_UNKNOWN,
			      DIES, expected, "%s", counted->error.cause);
	else if (seen != WAVES_COUNT && others)
		harness_check(harness, SELFTEST_UNKNOWN, DIES, expected,
			      "%" PRId64 ", but other programs use the GPU",
			      seen);
	else
		harness_check(harness, harness_answer(seen == WAVES_COUNT),
			      DIES, expected, "%" PRId64, seen);
}

int
kfd_count_dies(struct harness *harness)
{
	struct gpu *gpu = harness->gpu;
	char expected[32];
	struct counted counted;
	int64_t seen, others = 0;
	int ret;

	if (gpu->core.xccs < 2)
		return 0;
	snprintf(expected, sizeof(expected), "%u of all dies", WAVES_COUNT);
	ret = harness_announce(harness, DIES, expected,
			       "waves counted on all dies");
	if (ret)
		return ret < 0 ? ret : 0;
	counted_init(&counted, harness);
	if (counted_add(&counted, "SQ", "WAVES"))
		return 0;
	gpu->kfd = describe_gpu(harness);
	gpu->uses_kfd = true;
	unsetenv(DIES_VARIABLE);
	seen = count_elsewhere(&counted, &others);
	counted_finish(&counted);
	setenv(DIES_VARIABLE, "one", 1);
	gpu->uses_kfd = false;
	check_dies(&counted, expected, seen, others);
	return seen == -ECANCELED ? error_set(harness->error, -ECANCELED, "%s",
					      counted.error.cause)
				  : 0;
}

struct profiler_lock *
kfd_take_lock(struct harness *harness)
{
	const struct kfd_target target = {
		.gpu_id = describe_gpu(harness).id,
		.node = amd_device_node(harness->gpu->dev),
	};
	struct drmperf_error error = { .cause = "" };
	struct profiler_lock *lock = NULL;
	const int ret = profiler_lock_take(&target, &lock, &error);

	harness_check(harness, ret ? SELFTEST_UNKNOWN : SELFTEST_PASS, LOCK,
		      "taken", "%s", ret ? error.cause : "taken");
	return ret ? NULL : lock;
}
