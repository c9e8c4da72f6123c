/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When the rings work: the stretch of time that each was last busy in, and the
 * waves that are there meanwhile.
 */
#ifndef DRMSIM_AMDGPU_GFX_BUSY_H
#define DRMSIM_AMDGPU_GFX_BUSY_H

#include <stdbool.h>
#include <stdint.h>

struct amdgpu;
struct die;
struct dispatch;

/* Waves times the ns that each is there, by what counters make of them. */
struct wave_time {
	uint64_t ns[2][2]; /* [its queue allows counting][its shader is run] */
};

struct stretch {
	const struct die *die;
	uint64_t from, to; /* to: when the work launched so far ends */
	/* spread evenly over the time from the last launch to the end */
	struct wave_time waves;
	uint64_t launched;
};

/* What passes in an interval on a die. */
struct passed {
	uint64_t ns, busy_ns;
	struct wave_time waves;
};

/* Add work that takes ns to what a ring does, from now on. */
void
busy_add(struct stretch *busy, const struct dispatch *work, uint64_t now,
	 uint64_t ns, uint64_t wave_ns);
/*
 * Find what passes in an interval. Waves of several rings are not more than
 * there is room for.
 */
void
busy_passed(const struct amdgpu *amdgpu, const struct die *die, uint64_t from,
	    uint64_t to, struct passed *out);

/* Return the busy time of all rings of a die together in an interval. */
uint64_t busy_time(const struct amdgpu *amdgpu, const struct die *die,
		   uint64_t from, uint64_t to);

#endif /* DRMSIM_AMDGPU_GFX_BUSY_H */
