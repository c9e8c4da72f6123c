/* SPDX-License-Identifier: BSD-3-Clause */
/* State of one compute die (XCC); most chips have one die. */
#ifndef DRMSIM_AMDGPU_GFX_DIE_H
#define DRMSIM_AMDGPU_GFX_DIE_H

#include <stdbool.h>
#include <stdint.h>

#include "amdgpu/gfx/address.h"
#include "amdgpu/gfx/chip.h"

#define GRBM_BROADCAST 0xe0000000u

/* Fields of CP_PERFMON_CNTL and RLC_PERFMON_CNTL. */
enum { PERFMON_RESET = 0, PERFMON_COUNT = 1, PERFMON_HOLD = 2 };

struct die {
	unsigned number;
	uint32_t registers[REGISTERS_MAX];
	/* Registers of which each shader engine has one. */
	uint32_t sqg_ctrl[SE_MAX];
	uint32_t grbmh_sync; /* bit by engine */
	unsigned state, rlc_state;
	bool mode_is_odd;     /* CP_PERFMON_CNTL asks for a context bit */
	bool window_open;     /* PERFCOUNTER_START of the gfx ring */
	const struct ring *sq_owner; /* that wrote SQ_PERFCOUNTER_CTRL last */
	uint64_t latched_job; /* the job that latched last */
	bool grbm_was_read;   /* since the last sample */
	/* files that switched these last */
	uint64_t state_user, rlc_state_user;
	/* Late samples, by engine: under way to SQ, or to all others. */
	uint32_t late_sq, late_others;
	uint32_t sqg_toggled; /* since the sample */
	/* Jobs that have to end before samples arrive, and until then: */
	unsigned late_jobs;
	uint32_t sqg_before[SE_MAX]; /* what engines still show */
	uint64_t latched_by; /* the file whose job latched last */
	/* The kernel is about to write GRBM_GFX_INDEX, or has done so. */
	bool is_to_be_steered, was_steered;
	/* A process died before it wrote GRBM_GFX_INDEX back. */
	bool index_is_left;
	/* GRBM_GFX_INDEX as blocks have it that want to be left in between */
	uint32_t apart_index;
};

void die_power_up(struct die *die, const struct chip *chip);

/* Return the shader stages that SQ_PERFCOUNTER_CTRL lets a block count. */
uint32_t die_stages(const struct die *die, const struct chip *chip,
		    const struct block *block, const struct instance *instance);
/* Return SQ_PERFCOUNTER_CTRL2 of a block; its bit FORCE_EN. */
uint32_t die_second_control(const struct die *die, const struct chip *chip,
			    const struct block *block);
bool die_is_forced(const struct die *die, const struct chip *chip,
		   const struct block *block);

/* Instances that GRBM_GFX_INDEX addresses. */
struct die_index {
	bool all_se, all_sa, all_instances;
	unsigned se, sa, instance;
};

struct die_index die_index(const struct die *die, const struct chip *chip);
/* Steer by a write of GRBM_GFX_INDEX. */
void
die_steer(struct die *die, const struct chip *chip, uint32_t value);
/*
 * Return whether a block wants that one instance is named by way of all, or of
 * none.
 */
bool
die_wants_apart(const struct chip *chip, const struct block *block);
/* Return the mask of the shader engines that GRBM_GFX_INDEX addresses. */
uint32_t die_addressed_engines(const struct die *die, const struct chip *chip);
bool die_addresses(const struct die *die, const struct chip *chip,
		   const struct block *block, const struct instance *instance);

#endif /* DRMSIM_AMDGPU_GFX_DIE_H */
