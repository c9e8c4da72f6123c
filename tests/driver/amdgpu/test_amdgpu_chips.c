/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Event numbers that differ from chip to chip, by what a simulated GPU counts:
 * one event of a block gets a rate of its own, and the name has to show it.
 * Names and numbers: ROCm (counter_defs.yaml), AMD PAL (2025-04), no table.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/suite.h"
#include "tests/support/scene.h"

#define COUNT 12345 /* in a millisecond */
#define GPU "AMDGPU_CHIPS_GPU"
#define COUNTS_CLOCK (-2)
#define NOT_THERE (-1)

struct row {
	const char *gpu, *name;
	const char *block; /* of the hardware */
	int id; /* or COUNTS_CLOCK; NOT_THERE: no such name, and */
	const char *cause; /* this is said */
};

static const struct row rows[] = {
	{ "mi100", "SQ_CYCLES", "SQ", COUNTS_CLOCK, NULL },
	{ "mi100", "SQC_ICACHE_REQ", "SQ", 270, NULL },
	{ "mi100", "SQC_DCACHE_REQ_READ_16", "SQ", 327, NULL },
	{ "mi100", "SQ_INSTS_MFMA", "SQ", 27, NULL },
	{ "mi100", "TCC_REQ", "TCC", 3, NULL },
	{ "mi100", "TCC_EA_RDREQ", "TCC", 38, NULL },
	{ "mi100", "TCC_EA0_RDREQ", "TCC", 38, NULL },
	{ "mi300", "SQ_INSTS_LDS", "SQ", 65, NULL },
	{ "mi300", "TCC_HIT", "TCC", 17, NULL },
	{ "mi300", "TCP_TCC_READ_REQ", "TCP", 65, NULL },
	{ "mi350", "SQ_INSTS_LDS", "SQ", 67, NULL },
	{ "mi350", "TCC_HIT", "TCC", 21, NULL },
	{ "mi350", "TCP_TCC_READ_REQ", "TCP", 68, NULL },
	{ "mi350", "TCC_EA0_WRREQ_ATOMIC_DRAM_32B", "TCC", 116, NULL },
	{ "mi350", "TCC_EA0_WRREQ_WRITE_ATOMIC_32B", "TCC", 116, NULL },
	{ "navi31", "CHA.MEM_32B_WDS_CHC1", "CHA", 13, NULL },
	{ "phoenix", "CHA.MEM_32B_WDS_CHC1", "CHA", 10, NULL },
	{ "phoenix", "CHA.MEM_32B_WDS_CHC4", "", NOT_THERE, "no event" },
	{ "navi31", "GCR.PM_GL1_RANGE_REQ", "GCR", 129, NULL },
	{ "phoenix", "GCR.PM_GL1_RANGE_REQ", "GCR", 100, NULL },
	{ "navi31", "PA_SC.VRC_REPROBE_XFR", "", NOT_THERE, "no event" },
	{ "phoenix", "PA_SC.VRC_REPROBE_XFR", "PA_SC", 665, NULL },
	{ "strix", "CHA.MEM_32B_WDS_CHC1", "CHA", 10, NULL },
	{ "strix", "GL2C.EA_RDRET_NACK", "GL2C", 142, NULL },
	{ "strixhalo", "GL2C.MDC_MULTIPHASE_REQ", "GL2C", 142, NULL },
	{ "krackan", "GL2C.EA_RDRET_NACK", "", NOT_THERE, "no event" },
	{ "krackan", "GL2C.MDC_MULTIPHASE_REQ", "", NOT_THERE, "no event" },
	{ "krackan", "GL2C.EA_RDREQ_128B", "GL2C", 102, NULL },
	{ "strix", "SQ_WGP.IFETCH_LEVEL", "SQ_WGP", 93, NULL },
	{ "strixhalo", "SQ_WGP.IFETCH_LEVEL", "", NOT_THERE, "no event" },
	{ "strix", "EA.SARB_BUSY", "", NOT_THERE, "to be stopped" },
	{ "vega10", "EA.SARB_DRAM_SIZED_REQUESTS", "", NOT_THERE,
	  "EA are not offered on Vega 10: AMD's own recording" },
	/* registers to which no program is known to copy */
	{ "vega10", "SDMA.RB_FULL", "", NOT_THERE,
	  "SDMA are not offered on Vega 10: no driver is known to copy" },
	{ "vega20", "SDMA.RB_FULL", "", NOT_THERE, "copy values to these" },
	/* counters that no program has stopped to read and started again */
	{ "navi31", "MC_VM_L2.EVENT_3", "", NOT_THERE, "to be stopped" },
	{ "navi31", "EA.SARB_BUSY", "", NOT_THERE, "to be stopped" },
	{ "navi31", "SDMA.RB_FULL", "SDMA", 4, NULL },
	/* metrics whose block is not offered */
	{ "vega10", "metric.LocalVidMemBytes", "", NOT_THERE, "no event" },
	{ "krackan", "metric.GCEA_SARB_BUSY_sum", "", NOT_THERE, "no event" },
	{ "vega20", "EA_SARB_DRAM_SIZED_REQUESTS", "", NOT_THERE,
	  "EA are not offered on Vega 20" },
};

TEST_CASE(all, counting_begin, counting_end_clean, "amdgpu_chips");

static uint64_t
count_one(const struct drmperf_selection *selection)
{
	struct drmperf_session *session = NULL;
	union drmperf_value value;

	ck_assert_msg(!drmperf_session_create(counting.drmperf, selection, 1,
					      NULL, &session,
					      &counting.error) &&
			      !drmperf_session_start(session, &counting.error),
		      "%s", counting.error.cause);
	ck_assert_int_eq(drmsim_advance(MS), 0);
	ck_assert_msg(!drmperf_session_read(session, &value, NULL, NULL,
					    &counting.error) &&
			      !drmperf_session_stop(session, &counting.error),
		      "%s", counting.error.cause);
	drmperf_session_destroy(session);
	return value.u64;
}

/*
 * Count the units that are fused off. Where there are several dies, all compute
 * units that there can be are read: 38 of 40 count on MI300, and 32 of 36 on
 * MI350.
 */
static unsigned
count_fused_off(const struct row *row)
{
	if (strcmp(row->block, "TCP"))
		return 0;
	if (!strcmp(row->gpu, "mi300"))
		return 2;
	return strcmp(row->gpu, "mi350") ? 0 : 4;
}

static void
check_number(const struct row *row, const struct drmperf_selection *selection)
{
	unsigned several = drmperf_event_instances(selection->event);
	unsigned instances = (several ? several : 1) - count_fused_off(row);
	uint64_t value;
	char rate[80];

	snprintf(rate, sizeof(rate), "%s.%d %d", row->block, row->id,
		 1000 * COUNT);
	ck_assert_msg(!drmsim_set("rate", rate), "rate %s", rate);
	value = count_one(selection);
	ck_assert_msg(value == UINT64_C(1) * instances * COUNT,
		      "%s of %s counts %llu in %u instances, not at %s",
		      row->name, row->gpu, (unsigned long long)value, instances,
		      rate);
}

/* Check that each instance has the same as GRBM.COUNT. */
static void
check_clock(const struct row *row, const struct drmperf_selection *selection)
{
	uint64_t value = count_one(selection), clock;
	struct drmperf_selection grbm;

	grbm = counting_find("amdgpu::GRBM.COUNT");
	clock = count_one(&grbm);
	ck_assert_uint_gt(clock, 0);
	ck_assert_msg(value ==
			      clock * drmperf_event_instances(selection->event),
		      "%s of %s counts %llu, and GRBM.COUNT %llu", row->name,
		      row->gpu, (unsigned long long)value,
		      (unsigned long long)clock);
}

TEST_LOOP(all, an_event_has_the_number_of_its_chip, ARRAY_SIZE(rows))
{
	const struct row *row = &rows[_i];
	struct drmperf_selection selection;
	char name[100];
	int err;

	if (strcmp(row->gpu, getenv(GPU)))
		return;
	snprintf(name, sizeof(name), "amdgpu::%s", row->name);
	err = drmperf_event_find(counting.drmperf, name, &selection,
				 &counting.error);
	if (row->id == NOT_THERE) {
		ck_assert_int_eq(err, -ENOENT);
		ck_assert_msg(strstr(counting.error.cause, row->cause),
			      "%s: %s", name, counting.error.cause);
		return;
	}
	ck_assert_msg(!err, "%s on %s: %s", name, row->gpu,
		      counting.error.cause);
	if (row->id == COUNTS_CLOCK)
		check_clock(row, &selection);
	else
		check_number(row, &selection);
}

/* What is counted by the SQ's leave: all generations, until a self-test. */
TEST(all, events_of_the_sq_count_queues)
{
	static const struct {
		const char *name;
		enum drmperf_scope scope;
	} names[] = {
		{ "amdgpu::SQ.WAVES", DRMPERF_SCOPE_QUEUE },
		{ "amdgpu::SQ.LEVEL_WAVES:accumulate", DRMPERF_SCOPE_QUEUE },
		{ "amdgpu::GRBM.COUNT", DRMPERF_SCOPE_DEVICE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct drmperf_selection selection;

		selection = counting_find(names[i].name);
		ck_assert_msg(drmperf_event_scope(selection.event) ==
				      names[i].scope,
			      "%s on %s", names[i].name,
			      drmperf_device_generation(
				      drmperf_event_device(selection.event)));
	}
}

/* A user who sees a value of one die of several can see that it is no whole. */
TEST(all, a_value_of_one_die_is_shown_as_such)
{
	struct drmperf_device *device = drmperf_device_at(counting.drmperf, 0);
	bool several = !strcmp(getenv(GPU), "mi300") ||
		       !strcmp(getenv(GPU), "mi350");
	const struct drmperf_group *group;

	setenv("DRMPERF_DIES", "one", 1);
	counting_succeeded(drmperf_device_open(device, &counting.error));
	for (size_t i = 0; (group = drmperf_group_at(device, i)); i++) {
		if (strcmp(drmperf_group_domain(group), "gfx"))
			continue;
		ck_assert_msg(!!strstr(drmperf_group_description(group),
				       "one die, of up to 8") == several,
			      "%s of %s", drmperf_group_name(group),
			      getenv(GPU));
	}
}

static bool
is_first(size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (!strcmp(rows[j].gpu, rows[i].gpu))
			return false;
	return true;
}

static int
run_machines(void)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *options[] = { "--gpu", rows[i].gpu, "--time",
					  "virtual", NULL };
		const struct machine machine = { options, "amdgpu_chips" };

		if (!is_first(i))
			continue;
		setenv(GPU, rows[i].gpu, 1);
		failed += below_drmsim(&machine, 1);
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int
main(void)
{
	/* of one die of several */
	setenv("DRMPERF_DIES", "one", 1);
	if (!drmsim_is_present())
		return run_machines();
	return tests_run();
}
