/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the one who reads a stream shows to all who count by it, in memory that
 * they share. Who writes may die at any point: what was shown before stays.
 * Nobody waits for a lock.
 */
#ifndef DRMPERF_LIB_DRIVER_OA_STREAM_BOARD_H
#define DRMPERF_LIB_DRIVER_OA_STREAM_BOARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "driver/oa/format.h"
#include "driver/oa/reports.h"

/* All that another one needs to go on after this report. */
struct oa_state {
	uint64_t sums[OA_SLOT_COUNT];
	uint64_t report_ns; /* when the newest one was taken */
	uint64_t late;
	uint32_t lost;
	uint32_t loss;	 /* enum oa_loss */
	int32_t failure; /* of the stream, or 0 */
	uint32_t proved; /* see oa_clock */
	uint64_t count, time;
	uint8_t last[OA_REPORT_SIZE_MAX];
};

#define OA_STATE_WORDS (sizeof(struct oa_state) / sizeof(uint64_t))

struct oa_board {
	_Atomic uint64_t shown;	  /* how many states ever; the last one's */
	_Atomic uint64_t beat_ns; /* when its writer was last seen */
	_Atomic uint32_t asked, answered; /* fences wanted, and passed */
	_Atomic uint64_t words[2][OA_STATE_WORDS];
};

/* The next stream: nobody looks at the board. */
void oa_board_clear(struct oa_board *board);

void oa_board_show(struct oa_board *board, const struct oa_state *state);
void oa_board_beat(struct oa_board *board);

/* Returns false if the state was written all the time. */
bool oa_board_copy(const struct oa_board *board, struct oa_state *out);

/*
 * Copy the state; one that no writer makes ends the stream: its failure is
 * -EBADMSG.
 */
bool oa_board_look(const struct oa_board *board, struct oa_state *out);

/* A fence: ask, ring for who reads, and wait until it has answered. */
uint32_t oa_board_ask(struct oa_board *board);
bool oa_board_is_answered(const struct oa_board *board, uint32_t ticket);
void oa_board_wait(struct oa_board *board, uint32_t ticket, uint64_t ns);

/* For who reads: whoever asked so far, and to let them pass. */
uint32_t oa_board_asked(const struct oa_board *board);
void oa_board_answer(struct oa_board *board, uint32_t asked);

/* Reports' sums from and to a state. */
void oa_state_fill(struct oa_state *state, const struct oa_reports *reports);
void oa_state_restore(const struct oa_state *state, struct oa_reports *reports);

static inline bool
oa_state_is_end(const struct oa_state *state)
{
	return state->failure || state->loss;
}

#endif /* DRMPERF_LIB_DRIVER_OA_STREAM_BOARD_H */
