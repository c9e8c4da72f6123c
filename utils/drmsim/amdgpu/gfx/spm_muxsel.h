/* SPDX-License-Identifier: BSD-3-Clause */
/* The muxsel of streaming counters: which lanes stand in a segment. */
#ifndef DRMSIM_AMDGPU_GFX_SPM_MUXSEL_H
#define DRMSIM_AMDGPU_GFX_SPM_MUXSEL_H

#include <stdbool.h>
#include <stdint.h>

struct block;
struct chip;
struct instance;

/* What a block's counter streams as, in its select. */
enum {
	SPM_OFF,
	SPM_16_CLAMP,
	SPM_16_WRAP,
	SPM_32_CLAMP,
	SPM_32_WRAP,
	SPM_MODES
};

/* A lane that an entry names. */
struct muxsel_lane {
	struct block *block;
	const struct instance *instance;
	unsigned wire;
	bool is_odd;
};

/* Return which quarter of the time stamp an entry asks for, or -1. */
int
muxsel_time(const struct chip *chip, uint32_t entry, unsigned position);
/*
 * Find the lane that an entry names in a segment: the global one, se -1, or an
 * engine's. Returns false if there is no such lane.
 */
bool
muxsel_find(struct chip *chip, uint32_t entry, int se, struct muxsel_lane *out);

/* A counter behind a wire. */
struct muxsel_counter {
	unsigned slot, mode;
	uint32_t select; /* with the event alone, or of SQ as it is */
	unsigned simds; /* of a WGP that have it */
};

/*
 * Find the counter that a lane is of. Returns false if the block has none
 * there.
 */
bool
muxsel_counter(const struct muxsel_lane *lane, struct muxsel_counter *out);

#endif /* DRMSIM_AMDGPU_GFX_SPM_MUXSEL_H */
