/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/busy.h"

#include <stdlib.h>

#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/dispatch.h"
#include "amdgpu/gfx/gpu.h"

static int
by_start(const void *a, const void *b)
{
	const struct stretch *left = a, *right = b;

	return left->from < right->from ? -1 : left->from > right->from;
}

#define STRETCHES_MAX (1 + RINGS_MAX + DIES_MAX)

/* Collect the stretches of a die in an interval. Returns how many there are. */
static unsigned
collect_stretches(const struct amdgpu *amdgpu, const struct die *die,
		  uint64_t from, uint64_t to,
		  struct stretch stretches[STRETCHES_MAX])
{
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
	return count;
}

/* Return the time in which there is any: they overlap. */
static uint64_t
join_stretches(struct stretch *stretches, unsigned count, uint64_t from,
	       uint64_t to)
{
	uint64_t sum = 0, reached = from;

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

uint64_t
busy_time(const struct amdgpu *amdgpu, const struct die *die, uint64_t from,
	  uint64_t to)
{
	struct stretch stretches[STRETCHES_MAX];
	unsigned count = collect_stretches(amdgpu, die, from, to, stretches);

	return join_stretches(stretches, count, from, to);
}

/* ---- waves */

/* Multiply all wave time by a part that is at most 1. */
static void
scale_waves(struct wave_time *waves, uint64_t part, uint64_t whole)
{
	for (unsigned i = 0; i < 4; i++) {
		uint64_t *ns = &waves->ns[i / 2][i % 2];

		*ns = (uint64_t)((unsigned __int128)*ns * part / whole);
	}
}

void
busy_add(struct stretch *busy, const struct dispatch *work, uint64_t now,
	 uint64_t ns, uint64_t wave_ns)
{
	if (busy->to <= now) {
		busy->from = busy->to = now;
		busy->waves = (struct wave_time){ 0 };
	} else if (busy->launched < now) {
		scale_waves(&busy->waves, busy->to - now,
			    busy->to - busy->launched);
	}
	busy->launched = now;
	busy->to += ns;
	busy->waves.ns[work->allowed][dispatch_is_followed(work)] += wave_ns;
}

/* Add the waves of a stretch in an interval. Returns the sum of their time. */
static uint64_t
add_waves(const struct stretch *busy, uint64_t from, uint64_t to,
	  struct wave_time *sums)
{
	struct wave_time waves = busy->waves;
	uint64_t sum = 0;

	if (from < busy->launched)
		from = busy->launched;
	if (to > busy->to)
		to = busy->to;
	if (from >= to)
		return 0;
	scale_waves(&waves, to - from, busy->to - busy->launched);
	for (unsigned i = 0; i < 4; i++) {
		sums->ns[i / 2][i % 2] += waves.ns[i / 2][i % 2];
		sum += waves.ns[i / 2][i % 2];
	}
	return sum;
}

void
busy_passed(const struct amdgpu *amdgpu, const struct die *die, uint64_t from,
	    uint64_t to, struct passed *out)
{
	struct stretch stretches[STRETCHES_MAX];
	unsigned count = collect_stretches(amdgpu, die, from, to, stretches);
	uint64_t sum = 0, room;

	*out = (struct passed){
		.ns = to - from,
		.busy_ns = join_stretches(stretches, count, from, to),
	};
	for (unsigned i = 0; i < count; i++)
		sum += add_waves(&stretches[i], from, to, &out->waves);
	room = out->busy_ns * chip_wave_slots(&amdgpu->chip, die->number);
	if (sum > room)
		scale_waves(&out->waves, room, sum);
}
