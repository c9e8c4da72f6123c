/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/oa/stream/upset.h"

#include <errno.h>

#include "base/slept.h"
#include "driver/oa/gpu.h"
#include "driver/oa/stream/source.h"

static int
count_resets(struct oa_gpu *gpu, uint64_t *count)
{
	return gpu->source->resets ? gpu->source->resets(gpu, count) : -ENOTSUP;
}

void
upset_watch_begin(struct upset_watch *watch, struct oa_gpu *gpu)
{
	*watch = (struct upset_watch){
		.gpu = gpu,
		.slept_ns = slept_at_most(),
	};
	watch->knows_resets = count_resets(gpu, &watch->resets) >= 0;
}

int
upset_watch_look(const struct upset_watch *watch)
{
	uint64_t resets;
	int ret;

	if (slept_since(watch->slept_ns))
		return -ESTALE;
	if (!watch->knows_resets)
		return 0;
	ret = count_resets(watch->gpu, &resets);
	if (ret < 0) /* a GPU that was pulled out counts nothing */
		return ret == -ENODEV ? ret : 0;
	return resets == watch->resets ? 0 : -ECANCELED;
}
