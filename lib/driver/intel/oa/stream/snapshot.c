/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/stream/snapshot.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "base/futex.h"
#include "base/monotonic.h"

/* A state is published every few milliseconds, and copied in less than one. */
#define LOOKS 1000

/* The kernel's codes are no greater. */
#define ERRNO_MOST 4095

_Static_assert(sizeof(struct oa_snapshot) % sizeof(uint64_t) == 0,
	       "a state is whole words");

void
oa_snapshot_clear(struct oa_snapshot_page *page)
{
	static const struct oa_snapshot nothing;

	page->completed = page->requested = 0;
	oa_snapshot_publish(page, &nothing);
}

/*
 * Write a state to the slot that readers do not use. Release stores keep its
 * words from becoming visible before the number that sent readers to the other
 * slot.
 */
void
oa_snapshot_publish(struct oa_snapshot_page *page,
		    const struct oa_snapshot *state)
{
	uint64_t number = page->published + 1, word;
	_Atomic uint64_t *to = page->words[number % 2];
	const char *from = (const char *)state;

	for (size_t i = 0; i < OA_SNAPSHOT_WORDS; i++) {
		memcpy(&word, from + i * sizeof(word), sizeof(word));
		atomic_store_explicit(&to[i], word, memory_order_release);
	}
	oa_snapshot_heartbeat(page);
	atomic_store_explicit(&page->published, number, memory_order_release);
}

void
oa_snapshot_heartbeat(struct oa_snapshot_page *page)
{
	page->beat_ns = monotonic_ns();
}

bool
oa_snapshot_copy(const struct oa_snapshot_page *page, struct oa_snapshot *out)
{
	char *to = (char *)out;

	for (unsigned n = 0; n < LOOKS; n++) {
		uint64_t number = atomic_load_explicit(&page->published,
						       memory_order_acquire);
		const _Atomic uint64_t *from = page->words[number % 2];

		for (size_t i = 0; i < OA_SNAPSHOT_WORDS; i++) {
			uint64_t word = atomic_load_explicit(
				&from[i], memory_order_acquire);

			memcpy(to + i * sizeof(word), &word, sizeof(word));
		}
		if (atomic_load_explicit(&page->published,
					 memory_order_relaxed) == number)
			return true;
	}
	return false;
}

static uint64_t
load_word(const _Atomic uint64_t *words, size_t index)
{
	return atomic_load_explicit(&words[index], memory_order_acquire);
}

#define FIRST_SUM (offsetof(struct oa_snapshot, sums) / sizeof(uint64_t))

static inline void
copy_sums(const _Atomic uint64_t *words, const struct oa_requests *requests,
	  struct oa_snapshot *out)
{
	uint64_t head[FIRST_SUM];

	for (size_t i = 0; i < FIRST_SUM; i++)
		head[i] = load_word(words, i);
	memcpy(out, head, sizeof(head));
	out->sums[OA_SLOT_TIME] = load_word(words, FIRST_SUM + OA_SLOT_TIME);
	for (size_t i = 0; i < requests->count; i++) {
		const uint32_t slot = requests->slots[i];

		if (slot < OA_SLOT_COUNT)
			out->sums[slot] = load_word(words, FIRST_SUM + slot);
	}
}

static bool
try_copying_sums(const struct oa_snapshot_page *page,
		 const struct oa_requests *requests, struct oa_snapshot *out)
{
	for (unsigned n = 0; n < LOOKS; n++) {
		uint64_t number = atomic_load_explicit(&page->published,
						       memory_order_acquire);

		copy_sums(page->words[number % 2], requests, out);
		if (atomic_load_explicit(&page->published,
					 memory_order_relaxed) == number)
			return true;
	}
	return false;
}

/*
 * Return whether a state is possible: other processes of the user may have
 * written anything.
 */
static bool
is_possible(const struct oa_snapshot *state)
{
	return state->failure <= 0 && state->failure >= -ERRNO_MOST &&
	       state->failure != -EAGAIN && state->failure != -EINTR &&
	       state->loss <= OA_LOSS_MALFORMED && state->proved <= 1 &&
	       state->report_ns <= monotonic_ns();
}

bool
oa_snapshot_read(const struct oa_snapshot_page *page, struct oa_snapshot *out)
{
	if (!oa_snapshot_copy(page, out))
		return false;
	if (!is_possible(out))
		*out = (struct oa_snapshot){ .failure = -EBADMSG };
	return true;
}

bool
oa_snapshot_read_sums(const struct oa_snapshot_page *page,
		      const struct oa_requests *requests,
		      struct oa_snapshot *out)
{
	if (!try_copying_sums(page, requests, out))
		return false;
	if (!is_possible(out))
		*out = (struct oa_snapshot){ .failure = -EBADMSG };
	return true;
}

/* ------------------------------------------------------------------ */
/* Fences                                                               */

uint32_t
oa_snapshot_request_fence(struct oa_snapshot_page *page)
{
	return ++page->requested;
}

void
oa_snapshot_wait_fence(struct oa_snapshot_page *page, uint32_t ticket,
		       uint64_t ns)
{
	uint32_t completed = page->completed;

	if ((int32_t)(completed - ticket) < 0)
		futex_wait(&page->completed, completed, ns);
}

uint32_t
oa_snapshot_requests(const struct oa_snapshot_page *page)
{
	return page->requested;
}

void
oa_snapshot_complete_fences(struct oa_snapshot_page *page, uint32_t requested)
{
	page->completed = requested;
	futex_wake(&page->completed, INT_MAX);
}

/* ------------------------------------------------------------------ */
/* States                                                               */

void
oa_snapshot_fill(struct oa_snapshot *state, const struct oa_reports *reports)
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
oa_snapshot_restore(const struct oa_snapshot *state, struct oa_reports *reports)
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
