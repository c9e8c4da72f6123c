/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of a GPU's description that xe needs beyond struct sim_platform. GT
 * 0 is the main one of the first tile; GT 1, if there is one, that of media, or
 * the main one of the second tile.
 */
#ifndef DRMSIM_XE_CHIP_H
#define DRMSIM_XE_CHIP_H

#include <stdbool.h>
#include <stdint.h>

struct sim_platform;
struct sim_text;

#define SIM_XE_GTS 2
#define SIM_XE_ENGINES_MAX 32

struct sim_xe_chip {
	unsigned media_major, media_minor; /* 0: there is no media GT */
	unsigned threads; /* of an EU */
	uint64_t l3_banks; /* mask of the main GT */
	uint64_t media_l3_banks; /* 0: the query leaves it out */
	unsigned media_mhz[3]; /* min, max, RP0 */
	bool mert; /* the memory fabric has an OA unit */
};

/* Class and logical instance, in the kernel's order of engines. */
struct sim_xe_place {
	unsigned class, instance, gt;
};

/*
 * Read the description. Values missing for a GPU that i915 drives as well
 * follow from its version, or are a guess: the banks, and the media GT's
 * clocks. Returns 0, or -EINVAL after a line on standard error.
 */
int
sim_xe_chip_read(struct sim_xe_chip *chip, const struct sim_platform *platform,
		 const struct sim_text *text);

#define SIM_XE_CORES_MAX 128 /* bits of the kernel's mask */

/* Set a mask of XeCores: bit n is the n-th of them. */
void
sim_xe_chip_cores(const struct sim_platform *platform,
		  uint64_t mask[SIM_XE_CORES_MAX / 64]);
/*
 * Return the number below which all XeCores have theirs; those that are fused
 * off have one, too.
 */
unsigned
sim_xe_chip_core_end(const struct sim_platform *platform);
bool
sim_xe_chip_has_core(const struct sim_platform *platform, unsigned core);

#endif /* DRMSIM_XE_CHIP_H */
