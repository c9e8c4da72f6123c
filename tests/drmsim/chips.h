/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every simulated AMD GPU but the Vegas, all in one machine, and what is done
 * with its counters by command buffers written by hand. Addresses and layouts:
 * AMD PAL, Mesa, Linux.
 */
#ifndef DRMPERF_TESTS_DRMSIM_CHIPS_H
#define DRMPERF_TESTS_DRMSIM_CHIPS_H

#include "tests/support/check.h"
#include "tests/drmsim/hand.h"

#define SQ_CTRL 0x36780u
#define SQ_MASK 0x36784u
#define SQ_CTRL2 0x36788u
#define SQG_CTRL 0x36760u
#define SQG_CTRL2 0x36768u
#define GRBMH_SYNC 0x81ccu
#define CAM_RESET 4u
#define NO_PSTATE AMDGPU_CTX_STABLE_PSTATE_NONE
#define PEAK AMDGPU_CTX_STABLE_PSTATE_PEAK

/* In the order in which they stand in the machine. */
enum gpu {
	NAVI21,
	MI200,
	NAVI31,
	POLARIS10,
	MI100,
	NAVI10,
	MI300,
	NAVI48,
	BONAIRE,
	GPUS
};

/* The options of drmsim for a machine with all of them, in this order. */
#define CHIPS                                                                  \
	"--time", "virtual", "--gpu=navi21", "--gpu=mi200", "--gpu=navi31",    \
		"--gpu=polaris10", "--gpu=mi100", "--gpu=navi10",              \
		"--gpu=mi300", "--gpu=navi48", "--gpu=bonaire"

struct chip {
	const char *name;
	unsigned device, revision, family, external_rev;
	unsigned engines, arrays, units_per_array, units, channels, backends;
	unsigned wave, khz;
	bool has_gfx;
	unsigned ip_major, ip_minor;
	uint32_t discovery;
	int drm_minor;
	uint32_t addr_config;
	uint32_t bitmap_1_1, bitmap_1_3; /* of cu_bitmap */
	/* how its counters' clock is kept on */
	uint32_t clock_register;
	bool needs_pstate;
};

extern const struct chip chips[GPUS];

void
chip_hold(struct hand_gpu *gpu, uint32_t level);

bool
chip_has_sqg(enum gpu number);

/* Prepare a chip: clocks on, counters at zero, everything let through. */
void
chip_prepare(struct hand_gpu *gpu, enum gpu number);

void
chip_leave(struct hand_gpu *gpu, enum gpu number);

/* Wait for a register to hold a value. */
void
chip_wait(struct hand_gpu *gpu, uint32_t reg, uint32_t value);

/* Sample without stopping: the form that all generations bear. */
void
chip_sample(struct hand_gpu *gpu, enum gpu number);

/* Sample, and read the low half of a result. */
uint32_t
chip_count(struct hand_gpu *gpu, enum gpu number, uint32_t lo, uint32_t index);

/* Reset it as at power-up: no select, no count, nothing stuck. */
void
chip_reset(enum gpu number);

/* Forget, before each test, the report and rates of the one before. */
void
chips_forget(void);

#endif /* DRMPERF_TESTS_DRMSIM_CHIPS_H */
