/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one process shows to others: whole, whenever it dies, and enough to go
 * on from without a loss.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "driver/intel/oa/stream/snapshot.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define PERIOD 1000
#define GAP_LIMIT 5000

static struct oa_snapshot_page *page;

static void
set_up(void)
{
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert(page != MAP_FAILED);
	oa_snapshot_clear(page);
}

static void
tear_down(void)
{
	munmap(page, sizeof(*page));
}

TEST_CASE(page, set_up, tear_down, "oa_snapshot_page");

/* ------------------------------------------------------------------ */
/* Going on                                                             */

static void
write_report(const struct oa_format *format, uint8_t report[OA_REPORT_SIZE_MAX],
	     uint32_t number)
{
	const uint64_t time = (uint64_t)number * PERIOD;
	uint32_t word;

	for (uint32_t i = 0; i < OA_REPORT_SIZE_MAX / sizeof(word); i++) {
		word = number * (i * 0x01234567u + 12345);
		memcpy(report + i * sizeof(word), &word, sizeof(word));
	}
	memcpy(report + format->runs[0].offset, &time,
	       format->runs[0].bits > 32 ? sizeof(time) : sizeof(word));
}

static void
take_report(struct oa_reports *reports, uint32_t number)
{
	uint8_t report[OA_REPORT_SIZE_MAX];

	write_report(reports->accumulator.format, report, number);
	oa_reports_take(reports, report, sizeof(report));
	oa_reports_end_row(reports);
}

static void
hand_over(const struct oa_reports *from, struct oa_reports *to)
{
	struct oa_snapshot state;

	oa_snapshot_fill(&state, from);
	oa_snapshot_publish(page, &state);
	memset(&state, 0x55, sizeof(state));
	ck_assert(oa_snapshot_read(page, &state));
	oa_snapshot_restore(&state, to);
}

static size_t
count_formats(void)
{
	size_t count;

	oa_format_list(&count);
	return count;
}

/* Whichever took them: the sums are those of all reports. */
TEST_LOOP(page, sums_go_on, count_formats())
{
	size_t formats;
	const struct oa_format *format = &oa_format_list(&formats)[_i];
	struct oa_reports one, turns[2];
	unsigned seed = 1, turn = 0;

	oa_reports_init(&one, format, GAP_LIMIT);
	for (size_t i = 0; i < 2; i++)
		oa_reports_init(&turns[i], format, GAP_LIMIT);
	for (uint32_t number = 1; number < 1000; number++) {
		if (rand_r(&seed) % 4 == 0) {
			hand_over(&turns[turn], &turns[!turn]);
			turn = !turn;
		}
		take_report(&one, number);
		take_report(&turns[turn], number);
	}
	ck_assert_mem_eq(turns[turn].accumulator.sums, one.accumulator.sums,
			 sizeof(one.accumulator.sums));
	ck_assert_uint_eq(one.accumulator.sums[OA_SLOT_TIME], 998 * PERIOD);
	ck_assert_uint_eq(turns[turn].count, 999);
	/* what is missing is noticed across a turn, too */
	hand_over(&turns[turn], &turns[!turn]);
	ck_assert_int_eq(turns[!turn].loss, OA_LOSS_NONE);
	take_report(&turns[!turn], 1010);
	ck_assert_int_eq(turns[!turn].loss, OA_LOSS_GAP);
	hand_over(&turns[!turn], &turns[turn]);
	ck_assert_int_eq(turns[turn].loss, OA_LOSS_GAP);
}

/* ------------------------------------------------------------------ */
/* Dying                                                                */

static void
show_numbers(uint64_t number)
{
	uint64_t words[OA_SNAPSHOT_WORDS];
	struct oa_snapshot state;

	for (;; number++) {
		for (size_t i = 0; i < OA_SNAPSHOT_WORDS; i++)
			words[i] = number;
		memcpy(&state, words, sizeof(state));
		oa_snapshot_publish(page, &state);
	}
}

/* Return the number that the state is made of. */
static uint64_t
read_number(void)
{
	uint64_t words[OA_SNAPSHOT_WORDS];
	struct oa_snapshot state;

	/* A machine may give the writer all the time there is. */
	while (!oa_snapshot_copy(page, &state))
		;
	memcpy(words, &state, sizeof(words));
	for (size_t i = 1; i < OA_SNAPSHOT_WORDS; i++)
		ck_assert_uint_eq(words[i], words[0]);
	return words[0];
}

/* The writer is killed at any point. */
TEST(page, a_killed_writer_leaves_a_whole_snapshot)
{
	uint64_t seen = 0, now;
	unsigned seed = 1;
	pid_t pid;

	for (unsigned n = 0; n < 50; n++) {
		pid = fork();
		ck_assert_int_ge(pid, 0);
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			show_numbers(seen + 1);
		}
		do {
			now = read_number();
			ck_assert_uint_ge(now, seen);
		} while (now < seen + 1 + (unsigned)rand_r(&seed) % 100);
		child_kill(pid);
		seen = read_number();
		ck_assert_uint_ge(seen, now);
	}
}

/* ------------------------------------------------------------------ */
/* What is never shown                                                  */

static const struct {
	const char *name;
	size_t offset, size;
	int64_t value;
	bool is_possible;
} values[] = {
#define VALUE(word, value, is_possible)                                        \
	{                                                                      \
#word " " #value, offsetof(struct oa_snapshot, word),          \
			sizeof(((struct oa_snapshot *)NULL)->word), value,     \
			is_possible                                            \
	}
	VALUE(failure, 1, false),
	VALUE(failure, INT32_MAX, false),
	VALUE(failure, INT32_MIN, false),
	VALUE(failure, -4096, false),
	VALUE(failure, -EAGAIN, false),
	VALUE(failure, -EINTR, false),
	VALUE(failure, -4095, true),
	VALUE(failure, -ENODEV, true),
	VALUE(loss, OA_LOSS_MALFORMED, true),
	VALUE(loss, OA_LOSS_MALFORMED + 1, false),
	VALUE(loss, UINT32_MAX, false),
	VALUE(proved, 1, true),
	VALUE(proved, 2, false),
	VALUE(report_ns, 0, true),
	VALUE(report_ns, INT64_MAX, false),
	VALUE(late, -1, true),
	VALUE(lost, -1, true),
	VALUE(count, -1, true),
	VALUE(time, -1, true),
	VALUE(sums[0], -1, true),
#undef VALUE
};

/*
 * Check the beginning, and the sums that are wanted; no other word is written.
 */
static void
check_sums(const struct oa_snapshot *state, const char *name, bool is_possible)
{
	uint32_t slots[] = { 3, OA_SLOT_COUNT, OA_SLOT_COUNT - 1 };
	const struct oa_requests requests = { .slots = slots, .count = 3 };
	struct oa_snapshot seen, expected;

	memset(&seen, 0x55, sizeof(seen));
	expected = seen;
	ck_assert(oa_snapshot_read_sums(page, &requests, &seen));
	memcpy(&expected, state, offsetof(struct oa_snapshot, sums));
	expected.sums[OA_SLOT_TIME] = state->sums[OA_SLOT_TIME];
	expected.sums[3] = state->sums[3];
	expected.sums[OA_SLOT_COUNT - 1] = state->sums[OA_SLOT_COUNT - 1];
	if (is_possible)
		ck_assert_msg(!memcmp(&seen, &expected, sizeof(seen)), "%s",
			      name);
	else
		ck_assert_msg(seen.failure == -EBADMSG && !seen.loss, "%s",
			      name);
}

TEST_LOOP(page, impossible_values_are_refused, ARRAY_SIZE(values))
{
	struct oa_snapshot state = { 0 }, seen;

	for (uint64_t i = 0; i < OA_SLOT_COUNT; i++)
		state.sums[i] = 1000 + i;
	memcpy((char *)&state + values[_i].offset, &values[_i].value,
	       values[_i].size);
	oa_snapshot_publish(page, &state);
	ck_assert(oa_snapshot_read(page, &seen));
	if (values[_i].is_possible)
		ck_assert_msg(!memcmp(&seen, &state, sizeof(state)), "%s",
			      values[_i].name);
	else
		ck_assert_msg(seen.failure == -EBADMSG && !seen.loss, "%s",
			      values[_i].name);
	check_sums(&state, values[_i].name, values[_i].is_possible);
}

/* ------------------------------------------------------------------ */
/* Fences                                                               */

static void *
answer_soon(void *data)
{
	(void)data;
	oa_snapshot_complete_fences(page, oa_snapshot_requests(page));
	return NULL;
}

/* Also where numbers begin again. */
TEST_LOOP(page, fences_are_answered_in_order, 3)
{
	uint32_t first, second;
	pthread_t thread;

	page->requested = page->completed = UINT32_MAX - (uint32_t)_i;
	first = oa_snapshot_request_fence(page);
	ck_assert(!oa_snapshot_is_fenced(page, first));
	oa_snapshot_wait_fence(page, first, 1000000);
	ck_assert(!oa_snapshot_is_fenced(page, first));
	second = oa_snapshot_request_fence(page);
	oa_snapshot_complete_fences(page, first);
	ck_assert(oa_snapshot_is_fenced(page, first));
	ck_assert(!oa_snapshot_is_fenced(page, second));
	ck_assert_int_eq(pthread_create(&thread, NULL, answer_soon, NULL), 0);
	while (!oa_snapshot_is_fenced(page, second))
		oa_snapshot_wait_fence(page, second, UINT64_C(3600000000000));
	ck_assert(oa_snapshot_is_fenced(page, first));
	pthread_join(thread, NULL);
}
