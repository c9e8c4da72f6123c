/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peaks: what tables of metric groups say of the most that a GPU can do.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/machine_memory.h"
#include "tests/support/check.h"
#include "tests/device/made_up.h"
#include "tests/support/suite.h"

static struct drmperf_error error;
static struct drmperf_peaks *peaks;

/* Make a new state, with these peaks in a group of the driver "red". */
static void
use_peaks(const char *text)
{
	char table[2000];

	snprintf(table, sizeof(table),
		 "<metric-groups>\n<group name='memory' description='d'>\n"
		 "%s</group>\n<group name='last' description='d'/>\n"
		 "</metric-groups>\n",
		 text);
	made_up_use_table("groups.xml", table);
}

static int
create_device(unsigned device)
{
	return drmperf_peaks_create(made_up_device(device), &peaks, &error);
}

#define OF " of='SQ.CYCLES metric.Both' unit='cycles'"

TEST_CASE(all, made_up_set_up, made_up_clean_up, "peaks");

/* With numbers of the device, for the events that it has. */
TEST(all, peaks_of_a_table)
{
	use_peaks("<peak name='none' of='SQ.NONE' unit='cycles'"
		  " generations='red1' rate='1'/>\n"
		  "<peak name='one of two' of='SQ.WAVES SQ.NONE'"
		  " unit='cycles' generations='red1' rate='1'/>\n"
		  "<peak name='others' generations='red red12 blue1'" OF
		  " rate='NOTHING'/>\n"
		  "<peak name='unknown' generations='red1'" OF
		  " rate='WIDTH-8'/>\n"
		  "<peak name='width' generations='red0\n red1'" OF
		  " rate='WIDTH*1000.0/16'>as wide as that</peak>\n"
		  "<peak name='bound' bound='1' generations='red1'"
		  " of='SQ.WAVES' unit='cycles' rate='WIDTH'"
		  " operations='WIDTH*2' most='1'/>\n");
	for (unsigned device = 0; device <= 2; device += 2) {
		const struct drmperf_peak *peak;

		ck_assert_int_eq(create_device(device), 0);
		ck_assert_uint_eq(peaks->count, 2);
		peak = peaks->list[0];
		ck_assert_str_eq(peak->group, "memory");
		ck_assert_str_eq(peak->name, "width");
		ck_assert_str_eq(peak->description, "as wide as that");
		ck_assert_uint_eq(peak->event_count, 2);
		ck_assert_str_eq(drmperf_event_name(peak->events[0]),
				 "red::SQ.CYCLES");
		ck_assert_str_eq(drmperf_event_name(peak->events[1]),
				 "red::metric.Both");
		ck_assert_ptr_eq(drmperf_event_device(peak->events[1]),
				 made_up_device(device));
		ck_assert_double_eq(peak->per_second, 500);
		ck_assert(!peak->is_bound);
		ck_assert_double_eq(peak->operations, 0);
		ck_assert(!peak->operations_are_most);
		ck_assert(peaks->list[1]->is_bound);
		ck_assert_double_eq(peaks->list[1]->operations, 16);
		ck_assert(peaks->list[1]->operations_are_most);
		drmperf_peaks_destroy(peaks);
	}
	drmperf_peaks_destroy(NULL);
}

/* Why a number is not known is said unless an earlier element has it. */
TEST(all, an_unknown_peak_has_a_reason)
{
	use_peaks("<peak name='width' generations='red1'" OF " rate='WIDTH'/>\n"
		  "<peak name='width' generations='red1'" OF
		  " rate='0' unknown='said of none'/>\n"
		  "<peak name='depth' generations='red1'" OF
		  " rate='WIDTH-8' unknown='nobody tells'/>\n"
		  "<peak name='other' generations='red1' of='SQ.NONE'"
		  " unit='cycles' rate='0' unknown='has no event'/>\n");
	ck_assert_int_eq(create_device(0), 0);
	ck_assert_uint_eq(peaks->count, 1);
	ck_assert_uint_eq(peaks->unknown_count, 1);
	ck_assert_str_eq(peaks->unknown[0]->name, "depth");
	ck_assert_str_eq(peaks->unknown[0]->description, "nobody tells");
	ck_assert_uint_eq(peaks->unknown[0]->event_count, 2);
	ck_assert_double_eq(peaks->unknown[0]->per_second, 0);
	drmperf_peaks_destroy(peaks);
}

#define DEVICE_SIZE 0x5c

/* Make a table of a structure that is none of memory, and of modules. */
static size_t
make_modules(uint8_t *table, unsigned modules)
{
	const uint8_t first[] = { 0, 6, 0, 0, 1, 2, 'v', 0, 0 };
	const uint8_t device[DEVICE_SIZE + 2] = {
		17,
		DEVICE_SIZE,
		[0x0a] = 64,
		[0x0c] = 1,
		[0x15] = 0x80,
		[0x16] = 0x0c, /* 3200 */
		[0x20] = 0x60,
		[0x21] = 0x09, /* 2400 */
	};
	size_t size = sizeof(first);

	memcpy(table, first, size);
	for (unsigned i = 0; i < modules; i++, size += sizeof(device))
		memcpy(table + size, device, sizeof(device));
	return size;
}

TEST(all, rate_of_modules)
{
	uint8_t table[400], *first = table + 9;
	size_t size = make_modules(table, 2);

	ck_assert_uint_eq(machine_memory_rate_of(table, size), 38400000000);
	first[0x20] = first[0x21] = 0xff; /* more than 65534 MT/s: 65536 */
	first[0x5a] = 1;
	ck_assert_uint_eq(machine_memory_rate_of(table, size),
			  (65536 + 2400) * 8000000ull);
	first[0x20] = first[0x21] = 0; /* how it runs is not told */
	ck_assert_uint_eq(machine_memory_rate_of(table, size), 44800000000);
	first[0x0c] = 0; /* no module */
	ck_assert_uint_eq(machine_memory_rate_of(table, size), 19200000000);
	first[0x0c] = 1;
	first[0x0a] = first[0x0b] = 0xff; /* of unknown width */
	ck_assert_uint_eq(machine_memory_rate_of(table, size), 0);
	/* cut off anywhere it is never read beyond */
	make_modules(table, 2);
	for (size_t length = 0; length < size; length++)
		ck_assert_uint_le(machine_memory_rate_of(table, length),
				  38400000000);
	first[1] = 0; /* an end that would never come */
	ck_assert_uint_eq(machine_memory_rate_of(table, size), 0);
}

TEST(all, without_a_table_there_are_no_peaks)
{
	ck_assert_int_eq(create_device(0), 0);
	ck_assert_uint_eq(peaks->count, 0);
	drmperf_peaks_destroy(peaks);
}

#define GOOD " name='n' generations='red1'"

static const struct {
	const char *text, *cause;
} bad[] = {
	{ "<peak generations='red1'" OF " rate='1'/>\n", "groups.xml:3" },
	{ "<peak name='n'" OF " rate='1'/>\n", "groups.xml:3" },
	{ "<peak" GOOD " unit='cycles' rate='1'/>\n", "groups.xml:3" },
	{ "<peak" GOOD OF "/>\n", "groups.xml:3" },
	{ "<peak" GOOD OF " rate='NOTHING'/>\n", "NOTHING" },
	{ "<peak" GOOD OF " rate='SQ.CYCLES'/>\n", "groups.xml:3" },
	{ "<peak" GOOD OF " rate='1+'/>\n", "groups.xml:3" },
	{ "<peak" GOOD OF " rate='1' operations='NOTHING'/>\n", "NOTHING" },
	{ "<peak" GOOD " of='SQ.CYCLES' rate='1'/>\n", "groups.xml:3" },
	{ "<peak" GOOD " of='SQ.CYCLES' rate='1' unit='bytes'/>\n",
	  "counts bytes, its events do not" },
};

TEST_LOOP(all, a_malformed_table_is_refused, ARRAY_SIZE(bad))
{
	use_peaks(bad[_i].text);
	ck_assert_int_eq(create_device(0), -EBADMSG);
	ck_assert_msg(strstr(error.cause, bad[_i].cause), "%s", error.cause);
}

TEST(all, device_that_fails)
{
	made_up.red_error = -EACCES;
	made_up.bridge_error = -EACCES;
	use_peaks("");
	ck_assert_int_eq(create_device(0), -EACCES);
}

TEST(all, a_child_gets_no_peaks)
{
	pid_t child = fork();

	if (!child)
		child_end(create_device(0) != -ECHILD);
	child_join(child);
}
