/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's PMUs of GPUs, on simulated GPUs in virtual time. What their
 * files may say is the matter of test_pmu_files.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* What the scenario says is what comes out, in the event's unit. */
static const struct {
	const char *event;
	const char *key, *value;
	uint64_t count; /* in a second */
	enum drmperf_unit unit;
} counts[] = {
	{ "i915::pmu.rcs0-busy:device=0", "gpu0.engine-busy", "rcs0 62.5",
	  625000000, DRMPERF_UNIT_NANOSECONDS },
	{ "i915::pmu.vecs0-sema:device=0", "gpu0.engine-sema", "vecs0 0.001",
	  10000, DRMPERF_UNIT_NANOSECONDS },
	{ "i915::pmu.actual-frequency:device=0", "gpu0.gpu-clock", "600",
	  600000000, DRMPERF_UNIT_CYCLES },
	{ "i915::pmu.interrupts:device=0", "gpu0.interrupts", "12345", 12345,
	  DRMPERF_UNIT_EVENTS },
	{ "i915::pmu.rc6-residency:device=0", "gpu0.rc6", "33", 330000000,
	  DRMPERF_UNIT_NANOSECONDS },
	{ "i915::pmu.rc6-residency-gt1:device=1", "gpu1.rc6", "25", 250000000,
	  DRMPERF_UNIT_NANOSECONDS },
	{ "i915::pmu.vcs1-busy:device=1", "gpu1.engine-busy", "vcs1 3",
	  30000000, DRMPERF_UNIT_NANOSECONDS },
	{ "i915::pmu.requested-frequency-gt1:device=1",
	  "gpu1.requested-frequency", "900", 900000000, DRMPERF_UNIT_CYCLES },
	{ "i915::pmu.ccs0-busy:device=2", "gpu2.engine-busy", "ccs0 5",
	  50000000, DRMPERF_UNIT_NANOSECONDS },
	{ "amdgpu::pmu.cake0_pcsout_txdata", "gpu3.df-rate",
	  "cake0_pcsout_txdata 12.5M", 12500000, DRMPERF_UNIT_EVENTS },
};

TEST_CASE(gpus, counting_begin, counting_end, "pmu");

TEST_LOOP(gpus, an_event_counts_what_was_set, ARRAY_SIZE(counts))
{
	struct drmperf_session *session =
		counting_session(NAMES(counts[_i].event));
	struct drmperf_selection selection;
	union drmperf_value value;

	scene_set(counts[_i].key, counts[_i].value);
	selection = counting_find(counts[_i].event);
	ck_assert_int_eq(drmperf_event_unit(selection.event), counts[_i].unit);
	ck_assert_int_eq(drmperf_event_kind(selection.event),
			 DRMPERF_KIND_CUMULATIVE);
	counting_run(session);
	counting_read(session, &value);
	ck_assert_uint_eq(value.u64, 0);
	scene_pass(1000 * MS);
	counting_read(session, &value);
	ck_assert_uint_eq(value.u64, counts[_i].count);
	counting_succeeded(drmperf_session_reset(session, &counting.error));
	scene_pass(1000 * MS);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	scene_pass(1000 * MS);
	counting_read(session, &value);
	ck_assert_uint_eq(value.u64, counts[_i].count);
	drmperf_session_destroy(session);
}

/* Every event that is listed counts, each on its own PMU. */
TEST_LOOP(gpus, every_listed_event_counts, 4)
{
	struct drmperf_device *device =
		drmperf_device_at(counting.drmperf, (unsigned)_i);
	const struct drmperf_event *event;
	size_t tried = 0;

	counting_succeeded(drmperf_device_open(device, &counting.error));
	for (size_t i = 0; (event = drmperf_event_at(device, i)); i++) {
		struct drmperf_selection selection = { event, -1 };
		struct drmperf_session *session;
		union drmperf_value value;

		if (strcmp(drmperf_group_domain(drmperf_event_group(event)),
			   "pmu"))
			continue;
		ck_assert(strlen(drmperf_event_description(event)) > 10);
		counting_succeeded(drmperf_session_create(
			counting.drmperf, &selection, 1, NULL, &session,
			&counting.error));
		counting_run(session);
		scene_pass(10 * MS);
		counting_read(session, &value);
		drmperf_session_destroy(session);
		tried++;
	}
	ck_assert_uint_ge(tried, 10);
}

/* Any number of events of two PMUs: one read() for each. */
TEST(gpus, one_read_for_each_pmu)
{
	struct drmperf_session *session = counting_session(NAMES(
		"i915::pmu.rcs0-busy:device=0", "i915::pmu.bcs0-busy:device=0",
		"i915::pmu.vcs0-busy:device=0",
		"i915::pmu.actual-frequency:device=0",
		"i915::pmu.interrupts:device=0", "i915::pmu.rcs0-busy:device=1",
		"i915::pmu.rcs0-wait:device=1"));
	union drmperf_value values[7];
	uint64_t before, opened = scene_calls("perf_event_open");

	counting_run(session);
	ck_assert_uint_eq(scene_calls("perf_event_open") - opened, 7);
	before = scene_calls("perf_event_read");
	counting_read(session, values);
	ck_assert_uint_eq(scene_calls("perf_event_read") - before, 2);
	drmperf_session_destroy(session);
}

/* Two sessions on one PMU, each with its own base line. */
TEST(gpus, each_session_has_its_own_base_line)
{
	const char *const *names = NAMES("i915::pmu.rcs0-busy:device=0");
	struct drmperf_session *one = counting_session(names);
	struct drmperf_session *two = counting_session(names);
	union drmperf_value value;

	scene_set("gpu0.engine-busy", "rcs0 50");
	counting_run(one);
	scene_pass(10 * MS);
	counting_run(two);
	scene_pass(10 * MS);
	counting_read(two, &value);
	ck_assert_uint_eq(value.u64, 5 * MS);
	counting_read(one, &value);
	ck_assert_uint_eq(value.u64, 10 * MS);
	drmperf_session_destroy(two);
	scene_pass(10 * MS);
	counting_read(one, &value);
	ck_assert_uint_eq(value.u64, 15 * MS);
	drmperf_session_destroy(one);
}

static void
set_paranoid(const char *level)
{
	/* the simulated one's */
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "we");

	ck_assert_ptr_nonnull(file);
	fprintf(file, "%s\n", level);
	ck_assert_int_eq(fclose(file), 0);
}

static const struct {
	const char *level;
	const char *cause, *remedy; /* NULL: it is allowed */
} levels[] = {
	{ "2", "perf_event_paranoid is 2", "kernel.perf_event_paranoid=0" },
	{ "2", "no CAP_PERFMON", "cap_perfmon=ep" },
	{ "1", "perf_event_paranoid is 1", "kernel.perf_event_paranoid=0" },
	{ "3", "perf_event_paranoid is 3", "CAP_SYS_ADMIN" },
	{ "0", NULL, NULL },
};

/* The PMU is refused; the rest of the GPU counts. */
TEST_LOOP(gpus, a_refused_pmu_leaves_the_gpu_counting, ARRAY_SIZE(levels))
{
	const char *busy = "i915::pmu.rcs0-busy:device=0";
	struct drmperf_session *session = counting_session(NAMES(busy));
	struct drmperf_session *fabric =
		counting_session(NAMES("amdgpu::GRBM.COUNT"));

	scene_set("unprivileged", "1");
	set_paranoid(levels[_i].level);
	if (levels[_i].cause)
		counting_failed(drmperf_session_start(session, &counting.error),
				-EACCES, levels[_i].cause, levels[_i].remedy);
	else
		counting_run(session);
	counting_run(fabric);
	scene_set("unprivileged", "0");
	set_paranoid("2");
	drmperf_session_destroy(fabric);
	drmperf_session_destroy(session);
}

/* More than the fabric has: refused before anything is touched. */
TEST(gpus, too_many_events_are_refused_at_once)
{
	const char *const *names =
		NAMES("amdgpu::pmu.cake0_pcsout_txdata",
		      "amdgpu::pmu.cake0_pcsout_txmeta",
		      "amdgpu::pmu.cake1_pcsout_txdata",
		      "amdgpu::pmu.cake1_pcsout_txmeta",
		      "amdgpu::pmu.xgmi_link0_data_outbound");
	struct drmperf_selection selections[5];
	struct drmperf_session *session;

	for (size_t i = 0; i < ARRAY_SIZE(selections); i++)
		selections[i] = counting_find(names[i]);
	counting_failed(drmperf_session_create(counting.drmperf, selections, 5,
					       NULL, &session, &counting.error),
			-ENOSPC, "pmu", "leave out");
}

/* Another one has the fabric's counters: an error, and never an estimate. */
TEST(gpus, no_counters_left)
{
	struct drmperf_session *first =
		counting_session(NAMES("amdgpu::pmu.cake0_pcsout_txdata",
				       "amdgpu::pmu.cake0_pcsout_txmeta",
				       "amdgpu::pmu.cake1_pcsout_txdata",
				       "amdgpu::pmu.cake1_pcsout_txmeta"));
	struct drmperf_session *second =
		counting_session(NAMES("amdgpu::pmu.xgmi_link0_data_outbound"));
	union drmperf_value value;
	int ret;

	counting_run(first);
	ret = drmperf_session_start(second, &counting.error);
	if (!ret) {
		scene_pass(10 * MS);
		ret = drmperf_session_read(second, &value, NULL, NULL,
					   &counting.error);
	}
	counting_failed(ret, -EBUSY, "no counters free", "fewer");
	drmperf_session_destroy(second);
	drmperf_session_destroy(first);
}

/* The child's copies do nothing; the parent's count goes on. */
TEST(gpus, a_child_leaves_its_parents_count_alone)
{
	struct drmperf_session *session =
		counting_session(NAMES("i915::pmu.rcs0-busy:device=0"));
	union drmperf_value value;
	pid_t child;

	scene_set("gpu0.engine-busy", "rcs0 50");
	counting_run(session);
	scene_pass(10 * MS);
	child = fork();
	if (!child) {
		if (drmperf_session_read(session, &value, NULL, NULL, NULL) !=
		    -ECHILD)
			_exit(1);
		drmperf_session_destroy(session);
		drmperf_destroy(counting.drmperf);
		_exit(0);
	}
	child_join(child);
	scene_pass(10 * MS);
	counting_read(session, &value);
	ck_assert_uint_eq(value.u64, 10 * MS);
	drmperf_session_destroy(session);
}

static const struct {
	const char *fault; /* of the next call */
	bool at_start;
	int result;
	const char *cause;
	const char *next; /* a fault of the call behind that one */
} faults[] = {
	{ "perf_event_open:1:ENOENT", true, -ENODEV, "does not count", NULL },
	{ "perf_event_open:2:ENODEV", true, -ENODEV, "bcs0-busy", NULL },
	{ "perf_event_open:1:EMFILE", true, -EMFILE, "too many files", NULL },
	/* whether it is the event or its company that does not suit the PMU */
	{ "perf_event_open:1:EINVAL", true, -EINVAL, "Invalid argument", NULL },
	{ "perf_event_open:2:EINVAL", true, -ENOSPC,
	  "together with the other 1", NULL },
	{ "perf_event_open:2:EINVAL", true, -EINVAL, "Invalid argument",
	  "perf_event_open:3:EINVAL" },
	{ "perf_event_ioctl:1:ENODEV", true, -ENODEV, "cannot start", NULL },
	{ "perf_event_read:1:ENODEV", true, -ENODEV, "cannot read", NULL },
	{ "perf_event_read:1:ENODEV", false, -ENODEV, "cannot read", NULL },
};

/* What fails leaves nothing behind, and works again afterwards. */
TEST_LOOP(gpus, a_failed_call_leaves_nothing_behind, ARRAY_SIZE(faults))
{
	struct drmperf_session *session =
		counting_session(NAMES("i915::pmu.rcs0-busy:device=0",
				       "i915::pmu.bcs0-busy:device=0"));
	union drmperf_value values[2];
	int ret;

	if (!faults[_i].at_start)
		counting_run(session);
	scene_fault(faults[_i].fault);
	if (faults[_i].next)
		scene_fault(faults[_i].next);
	ret = faults[_i].at_start
		      ? drmperf_session_start(session, &counting.error)
		      : drmperf_session_read(session, values, NULL, NULL,
					     &counting.error);
	counting_failed(ret, faults[_i].result, faults[_i].cause, "");
	if (faults[_i].at_start)
		counting_run(session);
	counting_read(session, values);
	drmperf_session_destroy(session);
}

/* Events of CPUs, of PMUs and of the GPU's own counters, in one session. */
TEST(gpus, all_kinds_of_events_count_in_one_session)
{
	struct drmperf_session *session = counting_session(
		NAMES("perf::TASK-CLOCK:u", "amdgpu::GRBM.COUNT",
		      "i915::pmu.rcs0-busy:device=0",
		      "i915::RenderBasic.GpuTime:device=0"));
	union drmperf_value values[4];
	int ret;

	scene_set("gpu0.engine-busy", "rcs0 50");
	ret = drmperf_session_start(session, &counting.error);
	if (ret == -EACCES || ret == -ENOSYS) {
		/* the host's kernel, not the simulated one, counts the first */
		printf("skip beside_others: %s\n", counting.error.cause);
		drmperf_session_destroy(session);
		return;
	}
	ck_assert_int_eq(ret, 0);
	scene_pass(10 * MS);
	counting_read(session, values);
	ck_assert_uint_gt(values[0].u64, 0);
	ck_assert_uint_gt(values[1].u64, 0);
	ck_assert_uint_ge(values[2].u64, 5 * MS);
	ck_assert_uint_ge(values[3].u64, 10 * MS);
	drmperf_session_destroy(session);
}

/* A GPU is unplugged while its PMU counts: reads and stops fail. */
TEST(gpus, an_unplugged_gpu_fails_reads_and_stops)
{
	struct drmperf_session *session =
		counting_session(NAMES("i915::pmu.ccs0-busy:device=2"));
	struct drmperf_session *stopped =
		counting_session(NAMES("i915::pmu.rcs0-busy:device=2"));
	struct drmperf_session *other =
		counting_session(NAMES("i915::pmu.rcs0-busy:device=0"));
	union drmperf_value value;

	counting_run(session);
	counting_run(stopped);
	counting_run(other);
	scene_pass(10 * MS);
	counting_read(session, &value);
	scene_set("gpu2.gone", "on");
	scene_pass(10 * MS);
	counting_failed(drmperf_session_read(session, &value, NULL, NULL,
					     &counting.error),
			-ENODEV, "PMU i915_0000_03_00.0 vanished",
			"when its driver is back");
	counting_failed(drmperf_session_stop(stopped, &counting.error), -ENODEV,
			"PMU i915_0000_03_00.0 vanished", "");
	counting_read(other, &value);
	drmperf_session_destroy(session);
	drmperf_session_destroy(stopped);
	drmperf_session_destroy(other);
}

TEST_MACHINE("pmu", "--time", "virtual", "--gpu", "skl", "--gpu", "mtl",
	     "--gpu", "acmgt3", "--gpu", "vega20");
