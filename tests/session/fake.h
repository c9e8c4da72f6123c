/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine with GPUs whose driver counts in memory.
 */
#ifndef DRMPERF_TESTS_SESSION_FAKE_H
#define DRMPERF_TESTS_SESSION_FAKE_H

#include "tests/driver/counting.h"
#include "tests/support/fake_driver.h"

#define FAKE_CORES 3
#define FAKE_GPUS 4 /* at most */

enum fake_domains {
	FAKE_CORE, /* of the groups CORE and BOARD */
	FAKE_PLAIN, /* that is not shared */
	FAKE_SPLIT, /* of samples that are waited for */
};

enum {
	FAKE_SELECT_PLAIN = 11, /* PLAIN.X */
	FAKE_SELECT_OTHER = 12, /* PLAIN.Y */
	FAKE_SELECT_SPLIT = 13,
};

/* Each GPU, shared with forked children. */
extern struct fake_gpu *fake_gpus;
#define fake_core (&fake_gpus[0].domains[FAKE_CORE])
#define fake_plain (&fake_gpus[0].domains[FAKE_PLAIN])

/* Return how often this was called in all domains of the first GPU. */
unsigned
fake_called(enum fake_call call);

/*
 * Open one to be counted on: the groups CORE of each core, with A to E and
 * HALF; BOARD, with TEMPERATURE and KELVIN; PLAIN with X, Y and MEAN, in a
 * domain that is not shared; and SPLIT with COUNT, whose samples are submitted
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
