/* SPDX-License-Identifier: BSD-3-Clause */
/* One counter: whether it sees what happens, and what that adds. */
#ifndef DRMSIM_AMDGPU_GFX_COUNTER_H
#define DRMSIM_AMDGPU_GFX_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct amdgpu;
struct block;
struct chip;
struct dispatch;
struct instance;
struct passed;

/*
 * Return whether a counter that is switched on sees anything: the clock is on,
 * and masks let it through.
 */
bool
counter_sees(const struct amdgpu *amdgpu, const struct block *block,
	     const struct instance *instance, unsigned slot);
/*
 * What a counter adds, in 10^-15, in a ns, in a ns of work besides, and in one
 * of a wave.
 */
struct counter_pace {
	unsigned __int128 ns, busy_ns;
	unsigned __int128 waves[2][2]; /* see struct wave_time */
};

/* Return the pace of a counter under present conditions. */
struct counter_pace
counter_pace(const struct amdgpu *amdgpu, const struct block *block,
	     const struct instance *instance, unsigned slot);
/* Add what passes in an interval. */
void
counter_add_time(const struct chip *chip, struct instance *instance,
		 const struct block *block, unsigned slot,
		 const struct counter_pace *pace, const struct passed *passed);
/* Add what work adds to one counter. */
void
counter_add_work(struct amdgpu *amdgpu, const struct block *block,
		 struct instance *instance, unsigned slot,
		 const struct dispatch *work);
/*
 * Return the share of an instance in units of work, which go round the
 * instances of its die that are there, the first one first.
 */
uint64_t
counter_share(const struct block *block, const struct instance *instance,
	      uint64_t total);

#endif /* DRMSIM_AMDGPU_GFX_COUNTER_H */
