/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A driver that counts in memory, and a machine with GPUs of it.
 */
#ifndef DRMPERF_TESTS_SESSION_FAKE_H
#define DRMPERF_TESTS_SESSION_FAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/driver/counting.h"

#define FAKE_CORES 3
#define FAKE_SELECTORS 16
#define FAKE_GPUS 4 /* at most */

enum {
	FAKE_SELECT_TEMPERATURE = 10, /* momentary */
	FAKE_SELECT_PLAIN = 11, /* of the domain that is not shared */
	FAKE_SELECT_OTHER = 12, /* beside it */
	FAKE_SELECT_HALVES = 13, /* of samples that are waited for */
};

/* What the driver was asked to do; shared with forked children. */
struct fake_hardware {
	uint64_t counts[FAKE_SELECTORS][FAKE_CORES];
	unsigned arms, changes, starts, samples, stops, disarms, abandons;
	unsigned armed; /* runs */
	int arm_error, change_error, start_error, sample_error, stop_error;
	/* of the domain that is not shared, alone */
	int own_arm_error, own_sample_error;
	uint64_t missing; /* selectors that its samples lack */
	/* of samples that are waited for, alone */
	int submit_error, wait_error;
	bool is_slow, is_submitted;
	void (*at_start)(void);
	void (*amidst)(void); /* called during a sample, if set */
	uint64_t clock_ns; /* of the GPU */
	enum drmperf_read_mode mode; /* of the last sample */
	drmperf_raw_fn raw;
	void *raw_data;
};

/* That of each GPU. */
extern struct fake_hardware *fake_hw;

/*
 * What was done since calls are noted, a letter and the GPU each: s submits, w
 * waits for that, b waits briefly and in vain, a samples HALVES alone, p
 * samples PLAIN, e ends a run.
 */
extern char fake_calls[];
void
fake_note_calls(bool on);

/*
 * Open one to be counted on: the groups CORE of each core, with A to E and
 * HALF; BOARD, with TEMPERATURE and KELVIN; PLAIN with X, Y and MEAN, in a
 * domain that is not shared; and HALVES with COUNT, whose samples are submitted
 * and waited for.
 */
void
fake_open(void);
void
fake_open_gpus(unsigned count);
/* Close. Whatever was armed has been released by then, started or not. */
void
fake_close(void);

/*
 * Work: every core counts, event s on core c going on by n * (s + 1) * (c + 1).
 */
void
fake_work(uint64_t n);
#define FAKE_ALL_CORES (1 + 2 + 3)

#endif /* DRMPERF_TESTS_SESSION_FAKE_H */
