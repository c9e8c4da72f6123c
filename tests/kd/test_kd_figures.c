/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What figures of the kernel come to: of samples that are made up, to the last
 * digit, and whether those of this machine are what they are said to be.
 */
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <KD/KHR_perfcounter.h>

#include "kd_figures.h"
#include "kd_common.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define S UINT64_C(1000000000)
#define MS UINT64_C(1000000)
#define KIB UINT64_C(1024)
#define ALL ((1U << KD_PART_COUNT) - 1)

/* ------------------------------------------------------------------ */
/* Intervals                                                            */

static struct kd_quotient quotient;

static KDint64
next_amount(uint64_t amount, uint64_t of)
{
	return kd_quotient_next(&quotient, amount, of, 1000, 100);
}

TEST_CASE(intervals, NULL, NULL, "kd_figures");

TEST(intervals, interval_follows_interval)
{
	kd_quotient_begin(&quotient, 5000, 7000);
	ck_assert_int_eq(next_amount(5050, 7100), 500);
	ck_assert_int_eq(next_amount(5050, 7200), 0);
	ck_assert_int_eq(next_amount(5450, 7600), 1000);
}

TEST(intervals, first_interval_has_a_value_before_its_end)
{
	kd_quotient_begin(&quotient, 0, 0);
	ck_assert_int_eq(next_amount(3, 10), 300);
	ck_assert_int_eq(next_amount(3, 20), 150);
	/* it began where it began */
	ck_assert_int_eq(next_amount(40, 100), 400);
}

TEST(intervals, short_interval_goes_on)
{
	kd_quotient_begin(&quotient, 0, 0);
	ck_assert_int_eq(next_amount(10, 100), 100);
	ck_assert_int_eq(next_amount(60, 150), 100);
	ck_assert_int_eq(next_amount(100, 199), 100);
	ck_assert_int_eq(next_amount(110, 200), 1000);
}

TEST(intervals, without_time_a_quotient_is_nothing)
{
	kd_quotient_begin(&quotient, 8, 8);
	ck_assert_int_eq(next_amount(8, 8), 0);
	ck_assert_int_eq(next_amount(9, 8), 0);
}

TEST(intervals, sums_that_take_a_step_back)
{
	kd_quotient_begin(&quotient, 800, 800);
	ck_assert_int_eq(next_amount(700, 900), 0);
	ck_assert_int_eq(next_amount(750, 1000), 500);
	ck_assert_int_eq(next_amount(760, 990), 500);
}

TEST(intervals, unknown_until_two_samples)
{
	kd_quotient_lose(&quotient);
	ck_assert_int_eq(quotient.value, KD_UNKNOWN_COUNTER_VAL_KHR);
	ck_assert_int_eq(next_amount(70, 70), KD_UNKNOWN_COUNTER_VAL_KHR);
	ck_assert_int_eq(next_amount(120, 170), 500);
}

TEST(intervals, a_quotient_is_rounded)
{
	kd_quotient_begin(&quotient, 0, 0);
	ck_assert_int_eq(next_amount(2, 3000), 1);
	kd_quotient_begin(&quotient, 0, 0);
	ck_assert_int_eq(next_amount(1, 3000), 0);
}

/* ------------------------------------------------------------------ */
/* Made up                                                              */

static struct kd_system *kd_system;
static struct kd_list list;

static void
set_up(void)
{
	ck_assert_int_eq(kd_system_create(&kd_system), 0);
	ck_assert_int_eq(kd_figures_list(kd_system, &list), 0);
}

static void
tear_down(void)
{
	kd_list_free(&list);
	kd_system_destroy(kd_system);
}

TEST_CASE(made_up, set_up, tear_down, "kd_figures");
TEST_CASE(this_machine, set_up, tear_down, "kd_figures");

static const struct kd_counter *
find_counter(const char *name)
{
	for (size_t i = 0; i < list.count; i++) {
		if (!strcmp(list.counters[i].info.name, name))
			return &list.counters[i];
	}
	ck_abort_msg("%s", name);
}

/* Each part has a clock of its own here, so a wrong one shows. */
static const struct kd_system_sample first = {
	.amounts = {
		[KD_AMOUNT_CONTEXT_SWITCHES] = 1000,
		[KD_AMOUNT_MEMORY_USED] = 100 * KIB,
		[KD_AMOUNT_SWAP_USED] = 7 * KIB,
		[KD_AMOUNT_MAJOR_FAULTS] = 2000,
		[KD_AMOUNT_DEVICE_READ] = 3000 * KIB,
		[KD_AMOUNT_DEVICE_WRITTEN] = 4000 * KIB,
		[KD_AMOUNT_SELF_READ] = 5000,
		[KD_AMOUNT_SELF_WRITTEN] = 6000,
		[KD_AMOUNT_PROCESSES] = 3,
		[KD_AMOUNT_THREADS] = 5,
	},
	.time_ns = {
		[KD_PART_CPUS] = 10 * S,
		[KD_PART_MEMORY] = 20 * S,
		[KD_PART_PAGES] = 30 * S,
		[KD_PART_SELF] = 40 * S,
		[KD_PART_PROCESSES] = 50 * S,
	},
};

static const struct kd_system_sample second = {
	.amounts = {
		[KD_AMOUNT_CONTEXT_SWITCHES] = 1500,
		[KD_AMOUNT_MEMORY_USED] = 120 * KIB,
		[KD_AMOUNT_SWAP_USED] = 8 * KIB,
		[KD_AMOUNT_MAJOR_FAULTS] = 2600,
		[KD_AMOUNT_DEVICE_READ] = 3700 * KIB,
		[KD_AMOUNT_DEVICE_WRITTEN] = 4800 * KIB,
		[KD_AMOUNT_SELF_READ] = 5900,
		[KD_AMOUNT_SELF_WRITTEN] = 7000,
		[KD_AMOUNT_PROCESSES] = 30,
		[KD_AMOUNT_THREADS] = 50,
	},
	.time_ns = {
		[KD_PART_CPUS] = 11 * S,
		[KD_PART_MEMORY] = 22 * S,
		[KD_PART_PAGES] = 32 * S,
		[KD_PART_SELF] = 44 * S,
		[KD_PART_PROCESSES] = 55 * S,
	},
};

static const struct {
	const char *name;
	KDint64 value;
} figures[] = {
	{ "Physical memory usage", 120 * KIB },
	{ "Virtual memory usage", 128 * KIB },
	{ "Cache pages fault / sec", 300 },
	{ "File read bytes / sec", 350 * KIB },
	{ "File write bytes / sec", 400 * KIB },
	{ "I/O read bytes / sec", 225 },
	{ "I/O write bytes / sec", 250 },
	{ "Processes amount", 30 },
	{ "Threads amount", 50 },
	{ "Context switched / sec", 500 },
};

TEST_LOOP(made_up, rates_go_by_the_clock_of_their_own_samples,
	  ARRAY_SIZE(figures))
{
	const struct kd_counter *counter = find_counter(figures[_i].name);

	kd_figures_begin(counter, &first, &quotient);
	ck_assert_int_eq(kd_figures_value(counter, &second, &quotient),
			 figures[_i].value);
}

TEST(made_up, rates_of_short_times_are_the_last_ones)
{
	const struct kd_counter *counter =
		find_counter("Context switched / sec");
	struct kd_system_sample third = second;

	kd_figures_begin(counter, &first, &quotient);
	kd_figures_value(counter, &second, &quotient);
	third.amounts[KD_AMOUNT_CONTEXT_SWITCHES] += 9;
	third.time_ns[KD_PART_CPUS] += 99 * MS;
	ck_assert_int_eq(kd_figures_value(counter, &third, &quotient), 500);
	third.time_ns[KD_PART_CPUS] += 1 * MS;
	ck_assert_int_eq(kd_figures_value(counter, &third, &quotient), 90);
}

/* Return the first processor, whose counters are the first three. */
static KDint64
cpu_value(enum kd_cpu_share share, unsigned before_count, unsigned after_count)
{
	const struct kd_counter *counter = &list.counters[share];
	struct kd_cpu before = { counter->cpu, 1000, 500, 1600, 9000 };
	struct kd_cpu after = { counter->cpu, 1025, 510, 1640, 9100 };
	struct kd_system_sample begin = { .cpus = &before,
					  .cpu_count = before_count };
	struct kd_system_sample end = { .cpus = &after,
					.cpu_count = after_count };

	ck_assert_int_eq(counter->source, KD_SOURCE_CPU);
	ck_assert_int_eq(counter->share, share);
	kd_figures_begin(counter, &begin, &quotient);
	return kd_figures_value(counter, &end, &quotient);
}

TEST(made_up, shares_of_a_processor)
{
	ck_assert_int_eq(cpu_value(KD_CPU_BUSY, 1, 1), 40);
	ck_assert_int_eq(cpu_value(KD_CPU_USER, 1, 1), 25);
	ck_assert_int_eq(cpu_value(KD_CPU_KERNEL, 1, 1), 10);
}

TEST(made_up, processor_that_is_switched_off)
{
	ck_assert_int_eq(cpu_value(KD_CPU_BUSY, 1, 0),
			 KD_UNKNOWN_COUNTER_VAL_KHR);
	/* and on again: its ticks of before count for nothing */
	ck_assert_int_eq(cpu_value(KD_CPU_BUSY, 0, 1),
			 KD_UNKNOWN_COUNTER_VAL_KHR);
}

/* ------------------------------------------------------------------ */
/* This machine                                                         */

static struct kd_system_sample sample;

static void
read_parts(unsigned parts)
{
	struct drmperf_error error = { 0 };
	int rc = kd_system_read(kd_system, parts, &sample, &error);

	ck_assert_msg(!rc, "%s", error.cause);
}

static uint64_t
now_of(enum kd_amount amount, enum kd_part part)
{
	read_parts(1U << part);
	return sample.amounts[amount];
}

TEST(this_machine, all_of_it_is_plausible)
{
	const uint64_t begin = kd_now_ns();

	read_parts(ALL);
	ck_assert_uint_ge(sample.cpu_count, 1);
	for (unsigned i = 0; i < sample.cpu_count; i++) {
		const struct kd_cpu *cpu = &sample.cpus[i];

		ck_assert(!i || cpu->number > cpu[-1].number);
		ck_assert_uint_le(cpu->user + cpu->kernel, cpu->busy);
		ck_assert_uint_le(cpu->busy, cpu->all);
		ck_assert_uint_gt(cpu->all, 0);
	}
	ck_assert_uint_gt(sample.amounts[KD_AMOUNT_CONTEXT_SWITCHES], 0);
	ck_assert_uint_gt(sample.amounts[KD_AMOUNT_MEMORY_USED], 0);
	ck_assert_uint_le(sample.amounts[KD_AMOUNT_MEMORY_USED],
			  sample.amounts[KD_AMOUNT_MEMORY_TOTAL]);
	ck_assert_uint_le(sample.amounts[KD_AMOUNT_SWAP_USED],
			  sample.amounts[KD_AMOUNT_SWAP_TOTAL]);
	ck_assert_uint_ge(sample.amounts[KD_AMOUNT_THREADS],
			  sample.amounts[KD_AMOUNT_PROCESSES]);
	ck_assert_uint_ge(sample.amounts[KD_AMOUNT_PROCESSES], 1);
	for (unsigned i = 0; i < KD_PART_COUNT; i++) {
		ck_assert_uint_ge(sample.time_ns[i], begin);
		ck_assert_uint_le(sample.time_ns[i], kd_now_ns());
	}
}

TEST(this_machine, what_this_process_reads_and_writes)
{
	static char block[1 << 20];
	int source = open("/dev/zero", O_RDWR);
	uint64_t read_before = now_of(KD_AMOUNT_SELF_READ, KD_PART_SELF);
	uint64_t written_before = now_of(KD_AMOUNT_SELF_WRITTEN, KD_PART_SELF);

	ck_assert_int_eq(read(source, block, sizeof(block)), sizeof(block));
	ck_assert_int_eq(write(source, block, sizeof(block)), sizeof(block));
	close(source);
	read_parts(1U << KD_PART_SELF);
	ck_assert_uint_ge(sample.amounts[KD_AMOUNT_SELF_READ] - read_before,
			  sizeof(block));
	/* nothing else here writes */
	ck_assert_uint_ge(sample.amounts[KD_AMOUNT_SELF_WRITTEN] -
				  written_before,
			  sizeof(block));
	ck_assert_uint_lt(sample.amounts[KD_AMOUNT_SELF_WRITTEN] -
				  written_before,
			  sizeof(block) + 4096);
}

/* Other parts of a sample stay: a counter of them keeps what it has. */
TEST(this_machine, no_more_is_read_than_asked_for)
{
	memset(&sample, 0x55, sizeof(sample));
	read_parts(1U << KD_PART_MEMORY);
	ck_assert_uint_ne(sample.amounts[KD_AMOUNT_MEMORY_USED],
			  UINT64_C(0x5555555555555555));
	ck_assert_uint_eq(sample.amounts[KD_AMOUNT_THREADS],
			  UINT64_C(0x5555555555555555));
	ck_assert_uint_eq(sample.time_ns[KD_PART_CPUS],
			  UINT64_C(0x5555555555555555));
}

static void
read_in_child(void)
{
	const uint64_t threads = sample.amounts[KD_AMOUNT_THREADS];

	memset(&sample, 0, sizeof(sample));
	read_parts(ALL);
	child_end(threads && sample.amounts[KD_AMOUNT_THREADS] ? 0 : 1);
}

/* What the child opens is its own: the parent reads on from where it was. */
TEST(this_machine, parent_and_child_read)
{
	pid_t child;
	int status;

	read_parts(ALL);
	child = fork();
	if (!child)
		read_in_child();
	read_parts(ALL);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	read_parts(ALL);
}

/*
 * Read all. What libproc2 takes for a thread that reads processes it keeps for
 * good.
 */
static void *
read_all(void *data)
{
	read_parts(ALL);
	return data;
}

TEST(this_machine, threads_that_come_and_go_leave_nothing)
{
	struct mallinfo2 before, after;
	pthread_t thread;

	read_parts(ALL);
	before = mallinfo2();
	for (int i = 0; i < 16; i++) {
		ck_assert_int_eq(pthread_create(&thread, NULL, read_all, NULL),
				 0);
		pthread_join(thread, NULL);
	}
	after = mallinfo2();
	ck_assert_uint_lt(after.uordblks + after.hblkhd,
			  before.uordblks + before.hblkhd + (1 << 20));
}
