/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/requests.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/cold.h"
#include "base/monotonic.h"
#include "driver/intel/oa/gpu.h"
#include "driver/intel/oa/raw_counters.h"

static int
check_sets(struct oa_requests *requests, const struct metric_sets *sets,
	   const struct counter_request *from, size_t count,
	   struct drmperf_error *error)
{
	if (!requests->set)
		requests->set = metric_sets_find(sets, from[0].group);
	assert(requests->set);
	for (size_t i = 0; i < count; i++) {
		if (metric_sets_find(sets, from[i].group) == requests->set)
			continue;
		error_set(error, -EBUSY,
			  "metric set %s counts already: an OA unit counts one "
			  "at a time",
			  requests->set->name);
		error_remedy(error, "choose events of that set, or stop "
				    "counting it first");
		return -EBUSY;
	}
	return 0;
}

/* Find the slots; in a published set the selector of a counter is its slot. */
static int
find_slots(struct oa_requests *requests, const struct oa_gpu *gpu,
	   const struct counter_request *from, size_t count, uint32_t *slots,
	   struct drmperf_error *error)
{
	if (requests->set->composed)
		return composed_set_place(&requests->composed,
					  &gpu->composition, from, count, slots,
					  error);
	for (size_t i = 0; i < count; i++)
		slots[i] = from[i].selector;
	return 0;
}

int
oa_requests_take(struct oa_requests *requests, const struct oa_gpu *gpu,
		 const struct counter_request *from, size_t count,
		 struct drmperf_error *error)
{
	uint32_t *slots;
	int ret;

	assert(count);
	ret = check_sets(requests, &gpu->sets, from, count, error);
	if (ret)
		return ret;
	slots = calloc(count, sizeof(*slots));
	if (!slots)
		return error_set(error, -ENOMEM, "no memory");
	ret = find_slots(requests, gpu, from, count, slots, error);
	if (ret) {
		free(slots);
		return ret;
	}
	free(requests->slots);
	requests->slots = slots;
	requests->count = count;
	return 0;
}

void
oa_requests_free(struct oa_requests *requests)
{
	free(requests->slots);
}

COLD static uint64_t
report_age_ns(uint64_t report_ns)
{
	return monotonic_ns() - report_ns;
}

void
oa_requests_fill(const struct oa_requests *requests, const uint64_t *sums,
		 uint64_t report_ns, struct oa_sample *out)
{
	const uint32_t *slots = requests->slots;

	for (size_t i = 0; i < requests->count; i++)
		out->raw[i] = slots[i] == RAW_COUNTER_REPORT_AGE
				      ? report_age_ns(report_ns)
				      : sums[slots[i]];
	out->ticks = sums[OA_SLOT_TIME];
	out->report_ns = report_ns;
}
