/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/busy.h"

#include <stdlib.h>

#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/gpu.h"

static int
by_start(const void *a, const void *b)
{
	const struct stretch *left = a, *right = b;

	return left->from < right->from ? -1 : left->from > right->from;
}

/*
 * Return the busy time. Intervals of several rings overlap: each moment counts
 * once.
 */
uint64_t
busy_time(const struct amdgpu *amdgpu, const struct die *die, uint64_t from,
	  uint64_t to)
{
	struct stretch stretches[1 + RINGS_MAX + DIES_MAX];
	uint64_t sum = 0, reached = from;
	unsigned count = 0;

	for (unsigned i = 0; i < amdgpu->ring_count; i++) {
		const struct stretch *busy = &amdgpu->busy[i];

		if (busy->die == die && busy->to > from && busy->from < to)
			stretches[count++] = *busy;
	}
	for (unsigned i = 0; i < DIES_MAX; i++) {
		const struct stretch *busy = &amdgpu->user_busy[i];
		if (busy->die == die && busy->to > from && busy->from < to)
			stretches[count++] = *busy;
	}
	qsort(stretches, count, sizeof(stretches[0]), by_start);
	for (unsigned i = 0; i < count; i++) {
		uint64_t begin = stretches[i].from > reached ? stretches[i].from
							     : reached;
		uint64_t end = stretches[i].to < to ? stretches[i].to : to;

		if (end > begin) {
			sum += end - begin;
			reached = end;
		}
	}
	return sum;
}
