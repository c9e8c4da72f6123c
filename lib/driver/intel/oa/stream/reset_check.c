/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/stream/reset_check.h"

#include <errno.h>

#include "base/suspend_time.h"
#include "driver/intel/oa/format.h"
#include "driver/intel/oa/gpu.h"
#include "driver/intel/oa/stream/kernel_ops.h"

static int
count_resets(struct oa_gpu *gpu, uint64_t *count)
{
	return gpu->source->resets ? gpu->source->resets(gpu, count) : -ENOTSUP;
}

static bool
has_slot(const struct oa_format *format, unsigned slot)
{
	for (size_t i = 0; i < OA_RUNS_MAX && format->runs[i].count; i++) {
		const struct oa_run *run = &format->runs[i];

		if (slot >= run->slot && slot < run->slot + run->count)
			return true;
	}
	return false;
}

void
oa_reset_check_begin(struct oa_reset_check *watch, struct oa_gpu *gpu,
		     const struct oa_format *format)
{
	*watch = (struct oa_reset_check){
		.gpu = gpu,
		.slept_ns = suspend_at_most(),
		.can_stall = format->first >= OA_GEN8 &&
			     has_slot(format, OA_SLOT_A) &&
			     has_slot(format, OA_SLOT_C),
	};
	watch->knows_resets = count_resets(gpu, &watch->resets) >= 0;
}

int
oa_reset_check_sums(struct oa_reset_check *watch, const uint64_t *sums)
{
	uint64_t routed = 0;

	if (!watch->can_stall)
		return 0;
	/* sums only grow, so that theirs tells whether one of them has */
	for (unsigned slot = OA_SLOT_B; slot < OA_SLOT_PEC; slot++)
		routed += sums[slot];
	if (routed != watch->routed) {
		watch->has_moved = true;
		watch->routed = routed;
		watch->busy = sums[OA_SLOT_A];
	}
	return watch->has_moved && sums[OA_SLOT_A] - watch->busy >
					   OA_RESET_CHECK_BUSY_CLOCKS
		       ? -EUCLEAN
		       : 0;
}

int
oa_reset_check_run(const struct oa_reset_check *watch)
{
	uint64_t resets;
	int ret;

	if (suspend_since(watch->slept_ns))
		return -ESTALE;
	if (!watch->knows_resets)
		return 0;
	ret = count_resets(watch->gpu, &resets);
	if (ret < 0) /* a GPU that was pulled out counts nothing */
		return ret == -ENODEV ? ret : 0;
	return resets == watch->resets ? 0 : -ECANCELED;
}
