/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every metric set of every platform is opened once on its simulated GPU. The
 * registers that reach the kernel, and are those of the stream, are the lists
 * of events/xe/PLATFORM.registers.xml in their order, and all seven of FLEX are
 * among them. The file is read here, by nothing of the library.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/driver/xe/table.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* What the kernel gets                                                 */

/* [Linux include/uapi/drm/xe_drm.h] */
#define OBSERVATION 0x4020644bu
#define OPEN_STREAM 0
#define ADD_CONFIG 1
#define CONFIG_PROPERTY 3

struct observation {
	uint64_t extensions, type, op, param;
};

struct config {
	uint64_t extensions;
	char uuid[36];
	uint32_t count;
	uint64_t registers;
};

struct property {
	uint64_t next;
	uint32_t name, pad, id, pad2;
	uint64_t value;
};

#define CONFIGS_MAX 64

static struct list loaded[CONFIGS_MAX]; /* by id */
static uint64_t opened; /* the id that the last stream was opened with */

static void
take_config(const struct observation *observation, int id)
{
	const struct config *config =
		(const struct config *)(uintptr_t)observation->param;
	struct list *list = &loaded[id];

	ck_assert_int_lt(id, CONFIGS_MAX);
	ck_assert_uint_le(config->count, PAIRS_MAX);
	list->count = config->count;
	memcpy(list->pairs, (const void *)(uintptr_t)config->registers,
	       config->count * sizeof(list->pairs[0]));
}

static void
take_stream(const struct observation *observation)
{
	uint64_t at = observation->param;

	while (at) {
		const struct property *p =
			(const struct property *)(uintptr_t)at;

		if (p->id == CONFIG_PROPERTY)
			opened = p->value;
		at = p->next;
	}
}

/* Replace the preload library's, which gets the call all the same. */
int
ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int, unsigned long, ...);
	const struct observation *observation;
	va_list arguments;
	void *argument;
	int ret;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "ioctl");
	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	ret = next(fd, request, argument);
	if (request != OBSERVATION || ret < 0)
		return ret;
	observation = argument;
	if (observation->op == ADD_CONFIG)
		take_config(observation, ret);
	else if (observation->op == OPEN_STREAM)
		take_stream(observation);
	return ret;
}

/* ------------------------------------------------------------------ */

static void
check_set(const char *table, const char *set)
{
	static struct list expected;
	const struct list *list;
	struct drmperf_session *session;
	union drmperf_value value;
	char event[128];

	snprintf(event, sizeof(event), "xe::%s.GpuTime", set);
	opened = 0;
	session = counting_start(NAMES(event));
	ck_assert_int_eq(drmsim_advance(10000000), 0);
	counting_read(session, &value);
	ck_assert_msg(value.u64 >= 10000000, "%s", set);
	drmperf_session_destroy(session);

	ck_assert_uint_gt(opened, 0);
	ck_assert_uint_lt(opened, CONFIGS_MAX);
	list = &loaded[opened];
	xe_table_registers(table, set, &expected);
	ck_assert_msg(list->count == expected.count, "%s: %zu registers of %zu",
		      set, list->count, expected.count);
	for (size_t i = 0; i < list->count; i++)
		ck_assert_msg(list->pairs[i][0] == expected.pairs[i][0] &&
				      list->pairs[i][1] == expected.pairs[i][1],
			      "%s: %x=%x, not %x=%x", set, list->pairs[i][0],
			      list->pairs[i][1], expected.pairs[i][0],
			      expected.pairs[i][1]);
}

static unsigned
count_sets(const char *table)
{
	unsigned count = 0;

	while ((table = strstr(table, "<set name="))) {
		count++;
		table++;
	}
	return count;
}

TEST_CASE(all, NULL, NULL, "xe_registers");

TEST(all, registers_are_those_of_the_table)
{
	const struct drmperf_device *device;
	unsigned sets = 0;
	char file[64], *table;

	counting_begin();
	device = drmperf_device_at(counting.drmperf, 0);
	counting_succeeded(drmperf_device_open(
		drmperf_device_at(counting.drmperf, 0), &counting.error));
	snprintf(file, sizeof(file), "%s.registers.xml",
		 drmperf_device_generation(device));
	table = xe_table_read(file);
	/* none depends on what is fused off, or is one of several */
	ck_assert_ptr_null(strstr(table, " if="));
	ck_assert_ptr_null(strstr(table, " id="));
	for (size_t i = 0; i < drmperf_group_count(device); i++) {
		const struct drmperf_group *group = drmperf_group_at(device, i);
		const char *name = drmperf_group_name(group);

		if (strncmp(drmperf_group_domain(group), "oa", 2) != 0 ||
		    !strncmp(name, "oa", 2) || !strcmp(name, "report"))
			continue;
		check_set(table, name);
		sets++;
	}
	ck_assert_uint_eq(sets, count_sets(table));
	free(table);
	counting_end();
}

/* GPUs as they are sold, and with some of it fused off. */
TEST_GPUS("xe_registers", "lnl", "bmg", "ptl", "nvl", "nvl2", "nvlp", "cri",
	  "pvc", "pvc2", "lnl,subslices=0x3:0x9",
	  "bmg,subslices=0xf:0:0x3:0x8:0xf", "ptl,subslices=0x15:0",
	  "nvlp,subslices=0x2:0x30", "cri,subslices=0x81:0:0xff:0x18",
	  "cri,subslices=0x18:0:0:0xff:0:0:0:0:1:0:0:0:0:0:0:0x80",
	  "pvc,subslices=0xff:0:1:0:0:0:0:0x80");
