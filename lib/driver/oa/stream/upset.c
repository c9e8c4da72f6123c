/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/oa/stream/upset.h"

#include <errno.h>

#include "base/slept.h"
#include "driver/oa/gpu.h"
#include "driver/oa/stream/source.h"

/* 0 where the kernel does not tell. */
static uint64_t
count_resets(struct oa_gpu *gpu)
{
	return gpu->source->resets ? gpu->source->resets(gpu) : 0;
}

void
upset_watch_begin(struct upset_watch *watch, struct oa_gpu *gpu)
{
	*watch = (struct upset_watch){
		.gpu = gpu,
		.slept_ns = slept_at_most(),
		.resets = count_resets(gpu),
	};
}

int
upset_watch_look(const struct upset_watch *watch)
{
	if (slept_since(watch->slept_ns))
		return -ESTALE;
	return count_resets(watch->gpu) == watch->resets ? 0 : -ECANCELED;
}
