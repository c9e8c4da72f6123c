/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/oa/stream/board.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"

#define SECOND UINT64_C(1000000000)

/* A state is shown every few milliseconds, and copied in less than one. */
#define LOOKS 1000

/* The kernel's codes are no greater. */
#define ERRNO_MOST 4095

_Static_assert(sizeof(struct oa_state) % sizeof(uint64_t) == 0,
	       "a state is whole words");

void
oa_board_clear(struct oa_board *board)
{
	static const struct oa_state nothing;

	board->answered = board->asked = 0;
	oa_board_show(board, &nothing);
}

/*
 * Into the place that nobody is sent to. No word is written before the state
 * that stood there was replaced by the last one, nor read after it.
 */
void
oa_board_show(struct oa_board *board, const struct oa_state *state)
{
	uint64_t number = board->shown + 1, word;
	_Atomic uint64_t *to = board->words[number % 2];
	const char *from = (const char *)state;

	for (size_t i = 0; i < OA_STATE_WORDS; i++) {
		memcpy(&word, from + i * sizeof(word), sizeof(word));
		atomic_store_explicit(&to[i], word, memory_order_release);
	}
	oa_board_beat(board);
	atomic_store_explicit(&board->shown, number, memory_order_release);
}

void
oa_board_beat(struct oa_board *board)
{
	board->beat_ns = monotonic_ns();
}

bool
oa_board_copy(const struct oa_board *board, struct oa_state *out)
{
	char *to = (char *)out;

	for (unsigned n = 0; n < LOOKS; n++) {
		uint64_t number = atomic_load_explicit(&board->shown,
						       memory_order_acquire);
		const _Atomic uint64_t *from = board->words[number % 2];

		for (size_t i = 0; i < OA_STATE_WORDS; i++) {
			uint64_t word = atomic_load_explicit(
				&from[i], memory_order_acquire);

			memcpy(to + i * sizeof(word), &word, sizeof(word));
		}
		if (atomic_load_explicit(&board->shown, memory_order_relaxed) ==
		    number)
			return true;
	}
	return false;
}

/* Other processes of the user may have written anything. */
static bool
is_possible(const struct oa_state *state)
{
	return state->failure <= 0 && state->failure >= -ERRNO_MOST &&
	       state->failure != -EAGAIN && state->failure != -EINTR &&
	       state->loss <= OA_LOSS_MALFORMED && state->proved <= 1 &&
	       state->report_ns <= monotonic_ns();
}

bool
oa_board_look(const struct oa_board *board, struct oa_state *out)
{
	if (!oa_board_copy(board, out))
		return false;
	if (!is_possible(out))
		*out = (struct oa_state){ .failure = -EBADMSG };
	return true;
}

/* ------------------------------------------------------------------ */
/* Fences                                                               */

static long
futex(const _Atomic uint32_t *word, int operation, uint32_t value,
      const struct timespec *timeout)
{
	return syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

uint32_t
oa_board_ask(struct oa_board *board)
{
	return ++board->asked;
}

static bool
is_at_or_after(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) >= 0;
}

bool
oa_board_is_answered(const struct oa_board *board, uint32_t ticket)
{
	return is_at_or_after(board->answered, ticket);
}

void
oa_board_wait(struct oa_board *board, uint32_t ticket, uint64_t ns)
{
	const struct timespec timeout = { .tv_sec = (time_t)(ns / SECOND),
					  .tv_nsec = (long)(ns % SECOND) };
	uint32_t answered = board->answered;

	if (!is_at_or_after(answered, ticket))
		futex(&board->answered, FUTEX_WAIT, answered, &timeout);
}

uint32_t
oa_board_asked(const struct oa_board *board)
{
	return board->asked;
}

void
oa_board_answer(struct oa_board *board, uint32_t asked)
{
	board->answered = asked;
	futex(&board->answered, FUTEX_WAKE, INT_MAX, NULL);
}

/* ------------------------------------------------------------------ */
/* States                                                               */

void
oa_state_fill(struct oa_state *state, const struct oa_reports *reports)
{
	const struct oa_accumulator *accumulator = &reports->accumulator;

	memset(state, 0, sizeof(*state));
	memcpy(state->sums, accumulator->sums, sizeof(state->sums));
	memcpy(state->last, accumulator->last, sizeof(state->last));
	state->late = reports->late;
	state->lost = reports->lost;
	state->loss = reports->loss;
	state->count = reports->count;
	state->time = reports->time;
}

void
oa_state_restore(const struct oa_state *state, struct oa_reports *reports)
{
	struct oa_accumulator *accumulator = &reports->accumulator;

	memcpy(accumulator->sums, state->sums, sizeof(state->sums));
	memcpy(accumulator->last, state->last, sizeof(state->last));
	accumulator->started = state->count;
	reports->row.count = 0;
	reports->late = state->late;
	reports->lost = state->lost;
	reports->loss = (enum oa_loss)state->loss;
	reports->count = state->count;
	reports->time = state->time;
}
