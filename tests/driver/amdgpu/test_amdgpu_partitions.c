/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MI300 in its partition modes: each partition is a device that counts its own
 * dies, and what has several of them refuses as the whole GPU does. Dies differ
 * in their compute units.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define MODE_FILE "/sys/bus/pci/devices/0000:03:00.0/current_compute_partition"
#define ENGINES 4 /* of a die */
#define UNITS 10  /* of an engine, with those that are fused off */

TEST_CASE(partitions, NULL, counting_end_clean, "amdgpu_partitions");

/* Use all dies. The simulator goes on from one test to the next. */
static void
use_all_dies(void)
{
	scene_set("dies", "8");
	scene_set("kfd", "on");
}

/*
 * Count what the event counts in a millisecond on a device; or why it does not.
 */
static int
count_event(const char *event, unsigned device, union drmperf_value *value)
{
	struct drmperf_selection selection;
	struct drmperf_session *session = NULL;
	char name[100];
	int ret;

	snprintf(name, sizeof(name), "amdgpu::%s:device=%u", event, device);
	selection = counting_find(name);
	ret = drmperf_session_create(counting.drmperf, &selection, 1, NULL,
				     &session, &counting.error);
	if (!ret)
		ret = drmperf_session_start(session, &counting.error);
	if (!ret) {
		scene_pass(MS);
		ret = drmperf_session_read(session, value, NULL, NULL,
					   &counting.error);
	}
	if (!ret)
		ret = drmperf_session_stop(session, &counting.error);
	drmperf_session_destroy(session);
	return ret;
}

static void
write_mode(const char *mode)
{
	FILE *file = fopen(MODE_FILE, "we");

	ck_assert_ptr_nonnull(file);
	fprintf(file, "%s\n", mode);
	ck_assert_int_eq(fclose(file), 0);
}

/* ------------------------------------------------------------------ */

static const struct {
	const char *dies; /* that the GPU has */
	const char *mode, *kfd;
	unsigned devices;
	const char *several; /* "up to N dies", or NULL: a die for each */
} modes[] = {
	{ "8", "SPX", "on", 1, "up to 8 dies" },
	{ "8", "DPX", "on", 2, "up to 4 dies" },
	{ "8", "QPX", "on", 4, "up to 2 dies" },
	{ "8", "CPX", "on", 8, NULL },
	{ "6", "SPX", "on", 1, "up to 6 dies" },
	{ "6", "TPX", "on", 3, "up to 2 dies" },
	{ "6", "CPX", "on", 6, NULL },
	/*
	 * the kernel does not tell how many dies there are, but which nodes can
	 * be used
	 */
	{ "8", "DPX", "off", 2, "up to 4 dies" },
	{ "6", "TPX", "off", 3, "up to 2 dies" },
	{ "6", "CPX", "off", 6, NULL },
};

/*
 * Return whether a part is counted: several dies are one for a kernel without
 * KFD, and else are summed.
 */
static bool
counts_part(int i)
{
	return modes[i].several && !strcmp(modes[i].kfd, "off");
}

static void
check_device(int i, unsigned number)
{
	struct drmperf_device *device =
		drmperf_device_at(counting.drmperf, number);
	const bool is_part = modes[i].devices > 1;
	const struct drmperf_group *group;
	char node[40], part[64];

	ck_assert_str_eq(drmperf_device_address(device), "0000:03:00.0");
	ck_assert_int_eq(drmperf_device_partition(device),
			 is_part ? (int)number : -1);
	snprintf(node, sizeof(node), "/dev/dri/renderD%u", 128 + number);
	ck_assert_str_eq(drmperf_device_node(device), node);
	ck_assert_msg(!drmperf_device_open(device, &counting.error), "%s: %s",
		      node, counting.error.cause);
	snprintf(part, sizeof(part), "partition %u of 0000:03:00.0 alone",
		 number);
	for (size_t k = 0; (group = drmperf_group_at(device, k)); k++) {
		const char *text = drmperf_group_description(group);

		if (strcmp(drmperf_group_domain(group), "gfx"))
			continue;
		ck_assert_msg(!!strstr(text, "one die") == counts_part(i),
			      "%s", text);
		ck_assert_msg(!!strstr(text, part) ==
				      (is_part && !modes[i].several),
			      "%s", text);
	}
}

TEST_LOOP(partitions, each_partition_is_a_device, ARRAY_SIZE(modes))
{
	union drmperf_value value;
	int ret;

	scene_set("dies", modes[_i].dies);
	scene_set("kfd", modes[_i].kfd);
	write_mode(modes[_i].mode);
	counting_begin();
	ck_assert_uint_eq(drmperf_device_count(counting.drmperf),
			  modes[_i].devices);
	for (unsigned i = 0; i < modes[_i].devices; i++) {
		check_device(_i, i);
		ret = count_event("GRBM.COUNT", i, &value);
		ck_assert_int_eq(ret, counts_part(_i) ? -ENOTSUP : 0);
		if (!counts_part(_i))
			continue;
		ck_assert_msg(strstr(counting.error.cause, modes[_i].several) &&
				      strstr(counting.error.remedy, "CPX"),
			      "%s; %s", counting.error.cause,
			      counting.error.remedy);
	}
}

/* Each partition has a die, and each die a rate of its own. */
TEST(partitions, a_partition_counts_its_own_die)
{
	union drmperf_value value;
	char rate[80];

	use_all_dies();
	scene_set("partition", "cpx");
	scene_set("default", "zero");
	scene_set("rate", "GRBM.0 1000000");
	for (unsigned i = 0; i < 8 * ENGINES; i++) {
		snprintf(rate, sizeof(rate), "SQ.4 instance=%u %u", i,
			 1000000 * (1 + i / ENGINES));
		scene_set("rate", rate);
	}
	counting_begin();
	for (unsigned i = 0; i < 8; i++) {
		ck_assert_msg(!count_event("SQ.WAVES", i, &value), "%s",
			      counting.error.cause);
		ck_assert_uint_eq(value.u64, 1000 * (1 + i) * ENGINES);
	}
}

/* Dies 0 and 3 lack units that the other has. */
static const struct {
	unsigned device, units;
} lacking[] = { { 0, 37 }, { 3, 36 }, { 5, 38 } };

TEST_LOOP(partitions, units_are_those_of_the_partition, ARRAY_SIZE(lacking))
{
	const unsigned device = lacking[_i].device;
	union drmperf_value value;

	use_all_dies();
	scene_set("partition", "cpx");
	scene_set("harvest", "cu 0 0 0 0x1");
	scene_set("harvest", "cu 3 2 0 0x30");
	scene_set("default", "zero");
	scene_set("rate", "GRBM.0 1000000");
	scene_set("rate", "TA.13 1000000");
	scene_set("rate", "SQ.13 1000000");
	counting_begin();
	ck_assert_msg(!count_event("TA.TA_BUSY", device, &value), "%s",
		      counting.error.cause);
	ck_assert_uint_eq(value.u64, 1000 * lacking[_i].units);
	/* SQ.BUSY_CU_CYCLES / GRBM.COUNT / CU_NUM, at 1500 MHz */
	ck_assert_msg(!count_event("metric.SIMD_UTILIZATION", device, &value),
		      "%s", counting.error.cause);
	ck_assert_double_eq_tol(value.f64 * 1500,
				(double)ENGINES / lacking[_i].units, 1e-9);
}

/* Where several dies share a node, those of the one that counts. */
TEST(partitions, units_of_one_die)
{
	union drmperf_value value;

	setenv("DRMPERF_DIES", "one", 1);
	use_all_dies();
	scene_set("harvest", "cu 0 0 0 0x1");
	scene_set("harvest", "cu 3 2 0 0x30");
	scene_set("die", "3");
	scene_set("default", "zero");
	scene_set("rate", "GRBM.0 1000000");
	scene_set("rate", "TA.13 1000000");
	counting_begin();
	ck_assert_msg(!count_event("TA.TA_BUSY", 0, &value), "%s",
		      counting.error.cause);
	ck_assert_uint_eq(value.u64, 1000 * 36);
}

/* ------------------------------------------------------------------ */

TEST_GPUS("amdgpu_partitions", "mi300");
