/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors through the public interface, on simulated GPUs in virtual time:
 * what the scenario says is what is read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/suite.h"
#include "tests/support/scene.h"

#define MIB (UINT64_C(1) << 20)

#define SCLK "amdgpu::sensor.gfx-sclk"
#define TEMP "amdgpu::sensor.gpu-temp"
#define COUNT "amdgpu::GRBM.COUNT"
#define REPLAYS "amdgpu::sensor.pcie-replay"
#define RAS "amdgpu::sensor.ras-"
#define ACT "i915::sensor.act-freq"
#define RC6 "i915::sensor.rc6-residency"

/* ------------------------------------------------------------------ */
/* What is listed, and what it reads                                    */

struct expectation {
	const char *key, *value; /* of the scenario; NULL: as the GPU has it */
	const char *name;
	enum drmperf_unit unit;
	uint64_t expected;
};

#define MHZ DRMPERF_UNIT_MEGAHERTZ
#define BYTES DRMPERF_UNIT_BYTES

static const struct expectation of_amdgpu[] = {
	{ "clock", "sclk 1234", SCLK, MHZ, 1234 },
	{ "clock", "mclk 876", "amdgpu::sensor.gfx-mclk", MHZ, 876 },
	{ "clock", "sclk-stable 1001", "amdgpu::sensor.stable-pstate-gfx-sclk",
	  MHZ, 1001 },
	{ "clock", "mclk-stable 801", "amdgpu::sensor.stable-pstate-gfx-mclk",
	  MHZ, 801 },
	{ "sensor", "peak-sclk 1599", "amdgpu::sensor.peak-pstate-gfx-sclk",
	  MHZ, 1599 },
	{ "sensor", "peak-mclk 944", "amdgpu::sensor.peak-pstate-gfx-mclk", MHZ,
	  944 },
	{ "sensor", "load 37", "amdgpu::sensor.gpu-load", DRMPERF_UNIT_PERCENT,
	  37 },
	{ "sensor", "temp 61500", TEMP, DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
	  61500 },
	{ "sensor", "power 143", "amdgpu::sensor.gpu-avg-power",
	  DRMPERF_UNIT_WATTS, 143 },
	{ "sensor", "input-power 151", "amdgpu::sensor.gpu-input-power",
	  DRMPERF_UNIT_WATTS, 151 },
	{ "sensor", "vddnb 812", "amdgpu::sensor.vddnb",
	  DRMPERF_UNIT_MILLIVOLTS, 812 },
	{ "sensor", "vddgfx 1056", "amdgpu::sensor.vddgfx",
	  DRMPERF_UNIT_MILLIVOLTS, 1056 },
	{ "memory", "vram-used 3000000000", "amdgpu::sensor.vram-usage", BYTES,
	  3000000000 },
	{ NULL, NULL, "amdgpu::sensor.vram-total", BYTES, 8192 * MIB },
	{ "memory", "vis-vram-used 77000", "amdgpu::sensor.vis-vram-usage",
	  BYTES, 77000 },
	{ NULL, NULL, "amdgpu::sensor.vis-vram-total", BYTES, 256 * MIB },
	{ "memory", "gtt-used 5000001", "amdgpu::sensor.gtt-usage", BYTES,
	  5000001 },
	{ NULL, NULL, "amdgpu::sensor.gtt-total", BYTES, 0 },
	{ "file", "current_link_width 8", "amdgpu::sensor.pcie-link-width",
	  DRMPERF_UNIT_LANES, 8 },
	{ "file", "current_link_speed \"2.5 GT/s PCIe\"",
	  "amdgpu::sensor.pcie-link-speed",
	  DRMPERF_UNIT_MEGATRANSFERS_PER_SECOND, 2500 },
	{ NULL, NULL, REPLAYS, DRMPERF_UNIT_EVENTS, 0 },
};

static const struct expectation of_i915[] = {
	{ "gpu-clock", "777", ACT, MHZ, 777 },
	{ "requested-frequency", "901", "i915::sensor.cur-freq", MHZ, 901 },
	{ NULL, NULL, "i915::sensor.min-freq", MHZ, 0 },
	{ NULL, NULL, "i915::sensor.max-freq", MHZ, 0 },
	{ NULL, NULL, "i915::sensor.boost-freq", MHZ, 0 },
	{ NULL, NULL, "i915::sensor.rp0-freq", MHZ, 0 },
	{ NULL, NULL, "i915::sensor.rp1-freq", MHZ, 0 },
	{ NULL, NULL, "i915::sensor.rpn-freq", MHZ, 0 },
	{ "rc6", "25", RC6, DRMPERF_UNIT_NANOSECONDS, 0 },
};

static const struct {
	const struct expectation *list;
	size_t count;
} machines_expected[] = {
	{ of_amdgpu, ARRAY_SIZE(of_amdgpu) },
	{ of_i915, ARRAY_SIZE(of_i915) },
};

static const struct drmperf_group *
find_group(const char *name)
{
	struct drmperf_device *device = drmperf_device_at(counting.drmperf, 0);
	const struct drmperf_group *group;

	ck_assert_int_eq(drmperf_device_open(device, NULL), 0);
	ck_assert_int_eq(drmperf_device_status(device, NULL), 0);
	for (size_t i = 0; (group = drmperf_group_at(device, i)); i++) {
		if (!strcmp(drmperf_group_name(group), name))
			return group;
	}
	ck_abort_msg("no group %s", name);
}

static const struct drmperf_event *
event_at(size_t index)
{
	return drmperf_event_at(drmperf_device_at(counting.drmperf, 0), index);
}

static void
check_machine(int number)
{
	const struct expectation *list = machines_expected[number].list;
	size_t count = machines_expected[number].count;
	const struct drmperf_group *group;
	const char *names[32] = { 0 };
	struct drmperf_session *session;
	union drmperf_value values[32];

	for (size_t i = 0; i < count; i++) {
		if (list[i].key)
			scene_set(list[i].key, list[i].value);
	}
	group = find_group("sensor");
	ck_assert_str_eq(drmperf_group_domain(group), "sensor");
	ck_assert_uint_eq(drmperf_group_event_count(group), count);
	for (size_t i = 0; i < count; i++) {
		const struct drmperf_event *event =
			event_at(drmperf_group_first_event(group) + i);

		ck_assert_str_eq(drmperf_event_name(event), list[i].name);
		ck_assert_int_eq(drmperf_event_unit(event), list[i].unit);
		ck_assert_int_eq(drmperf_event_scope(event),
				 DRMPERF_SCOPE_DEVICE);
		ck_assert_int_eq(drmperf_event_kind(event),
				 list[i].unit == DRMPERF_UNIT_NANOSECONDS ||
						 list[i].unit ==
							 DRMPERF_UNIT_EVENTS
					 ? DRMPERF_KIND_CUMULATIVE
					 : DRMPERF_KIND_MOMENTARY);
		names[i] = list[i].name;
	}
	session = counting_start(names);
	counting_read(session, values);
	for (size_t i = 0; i < count; i++) {
		if (list[i].expected)
			ck_assert_msg(values[i].u64 == list[i].expected,
				      "%s is %lu", list[i].name,
				      (unsigned long)values[i].u64);
	}
	drmperf_session_destroy(session);
}

TEST_CASE(sensor_amdgpu, counting_begin, counting_end, "sensor_amdgpu");

TEST(sensor_amdgpu, sensors_of_amdgpu_have_values)
{
	check_machine(0);
}

TEST_CASE(sensor_i915, counting_begin, counting_end, "sensor_i915");

TEST(sensor_i915, sensors_of_i915_have_values)
{
	check_machine(1);
}

TEST(sensor_amdgpu, what_is_silent_is_not_listed)
{
	const struct drmperf_group *group;

	scene_set("sensor", "temp none");
	group = find_group("sensor");
	for (size_t i = 0; i < drmperf_group_event_count(group); i++)
		ck_assert_str_ne(drmperf_event_name(event_at(
					 drmperf_group_first_event(group) + i)),
				 TEMP);
	scene_set("sensor", "temp 45000");
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

TEST(sensor_amdgpu, values_are_of_now)
{
	struct drmperf_session *session;

	scene_set("clock", "sclk 1000");
	scene_set("sensor", "temp 40000");
	session = counting_start(NAMES(SCLK, TEMP));
	counting_expect(session, (uint64_t[]){ 1000, 40000 });
	scene_set("clock", "sclk 300");
	counting_expect(session, (uint64_t[]){ 300, 40000 });
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	scene_set("sensor", "temp 39000");
	counting_expect(session, (uint64_t[]){ 300, 39000 });
	ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	scene_set("sensor", "temp 20000");
	counting_expect(session, (uint64_t[]){ 300, 39000 });
	drmperf_session_destroy(session);
}

TEST(sensor_amdgpu, amdgpu_beside_counters)
{
	struct drmperf_session *session, *other;
	union drmperf_value values[2];

	scene_set("clock", "sclk 1000");
	session = counting_start(NAMES(COUNT, SCLK));
	other = counting_start(NAMES(TEMP, SCLK));
	scene_pass(MS);
	counting_read(session, values);
	ck_assert_uint_eq(values[0].u64, 1000000);
	ck_assert_uint_eq(values[1].u64, 1000);
	scene_set("sensor", "temp 50000");
	counting_expect(other, (uint64_t[]){ 50000, 1000 });
	drmperf_session_destroy(session);
	counting_expect(other, (uint64_t[]){ 50000, 1000 });
	drmperf_session_destroy(other);
}

TEST(sensor_i915, i915_beside_counters)
{
	struct drmperf_session *session;
	union drmperf_value values[3];

	scene_set("gpu-clock", "600");
	scene_set("rc6", "25");
	session = counting_start(
		NAMES("i915::RenderBasic.GpuCoreClocks", ACT, RC6));
	scene_pass(400 * MS);
	counting_read(session, values);
	ck_assert_uint_gt(values[0].u64, 200000000);
	ck_assert_uint_eq(values[1].u64, 600);
	/* an open stream holds the GPU awake */
	ck_assert_uint_eq(values[2].u64, 0);
	drmperf_session_destroy(session);
}

TEST(sensor_i915, i915_residency_accumulates)
{
	struct drmperf_session *session;

	scene_set("rc6", "25");
	session = counting_start(NAMES(RC6));
	counting_expect(session, (uint64_t[]){ 0 });
	scene_pass(400 * MS);
	counting_expect(session, (uint64_t[]){ 100 * MS });
	scene_set("rc6", "100");
	scene_pass(3 * MS);
	counting_expect(session, (uint64_t[]){ 103 * MS });
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	scene_pass(1 * MS);
	counting_expect(session, (uint64_t[]){ 1 * MS });
	drmperf_session_destroy(session);
}

TEST_CASE(sensor_gts, counting_begin, counting_end, "sensor_gts");

TEST(sensor_gts, i915_has_two_gts)
{
	struct drmperf_session *session;

	scene_set("gpu-clock", "777");
	scene_set("rc6", "50");
	session = counting_start(NAMES(ACT "-gt0", ACT "-gt1", RC6 "-gt1"));
	scene_pass(20 * MS);
	counting_expect(session, (uint64_t[]){ 777, 777, 10 * MS });
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Memory of Intel GPUs                                                 */

/*
 * Check that in use are 64 MiB by the kernel's driver, and what a client has.
 */
static void
check_memory(const char *usage, const char *total, uint64_t most)
{
	struct drmperf_session *session, *untold;

	scene_set("client-memory", "1048576");
	session = counting_start(NAMES(usage, total));
	counting_expect(session, (uint64_t[]){ 65 * MIB, most });
	scene_set("client-memory", "2097152");
	counting_expect(session, (uint64_t[]){ 66 * MIB, most });
	drmperf_session_destroy(session);
	scene_set("unprivileged", "1");
	untold = counting_session(NAMES(usage));
	counting_failed(drmperf_session_start(untold, &counting.error), -EACCES,
			"privileged processes only", "CAP_PERFMON");
	session = counting_start(NAMES(total));
	counting_expect(session, (uint64_t[]){ most });
	scene_set("unprivileged", "0");
	drmperf_session_destroy(session);
	drmperf_session_destroy(untold);
}

TEST_CASE(sensor_vram, counting_begin, counting_end, "sensor_vram");

TEST(sensor_vram, memory_of_i915_is_read)
{
	check_memory("i915::sensor.vram-usage", "i915::sensor.vram-total",
		     4096 * MIB);
}

TEST_CASE(sensor_xe_vram, counting_begin, counting_end, "sensor_xe_vram");

TEST(sensor_xe_vram, memory_of_xe_is_read)
{
	check_memory("xe::sensor.vram-usage", "xe::sensor.vram-total",
		     12288 * MIB);
}

TEST_CASE(sensor_xe_system, counting_begin, counting_end, "sensor_xe_system");

TEST(sensor_xe_system, xe_memory_of_the_system)
{
	struct drmperf_selection none;

	check_memory("xe::sensor.system-usage", "xe::sensor.system-total",
		     16384 * MIB);
	ck_assert_int_eq(drmperf_event_find(counting.drmperf,
					    "xe::sensor.vram-usage", &none,
					    NULL),
			 -ENOENT);
}

/* Asking i915 for it wakes no GPU. */
TEST(sensor_vram, i915_memory_while_asleep)
{
	struct drmperf_session *session =
		counting_start(NAMES("i915::sensor.vram-usage"));
	union drmperf_value value;

	scene_set("runtime-suspended", "on");
	counting_read(session, &value);
	ck_assert_uint_gt(value.u64, 0);
	scene_set("runtime-suspended", "off");
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Errors and links                                                     */

static bool
is_listed(const char *name)
{
	struct drmperf_selection selection;

	return !drmperf_event_find(counting.drmperf, name, &selection, NULL);
}

static void
report_has(const char *text)
{
	const char *report = scene_report();

	ck_assert_msg(strstr(report, text), "%s", report);
}

TEST(sensor_amdgpu, amdgpu_counts_replays)
{
	struct drmperf_session *session;

	scene_set("file", "pcie_replay_count 11");
	session = counting_start(NAMES(REPLAYS));
	counting_expect(session, (uint64_t[]){ 0 });
	scene_set("file", "pcie_replay_count 4294967300");
	counting_expect(session, (uint64_t[]){ 4294967289 });
	drmperf_session_destroy(session);
}

static void
check_no_errors_read(struct drmperf_session *session, int expected,
		     const char *cause, const char *remedy)
{
	union drmperf_value values[3];

	counting_failed(drmperf_session_read(session, values, NULL, NULL,
					     &counting.error),
			expected, cause, remedy);
}

TEST_CASE(sensor_mi, counting_begin, counting_end, "sensor_mi");

TEST(sensor_mi, amdgpu_counts_errors)
{
	struct drmperf_session *session;

	scene_set("file", "ras/umc_err_count \"ue: 2\" \"ce: 70\" \"de: 1\"");
	session = counting_start(NAMES(RAS "umc-correctable",
				       RAS "umc-uncorrectable",
				       RAS "umc-deferred"));
	counting_expect(session, (uint64_t[]){ 0, 0, 0 });
	scene_set("file", "ras/umc_err_count \"ue: 3\" \"ce: 75\" \"de: 10\"");
	counting_expect(session, (uint64_t[]){ 5, 1, 9 });
	scene_set("file", "ras/umc_err_count \"Query currently inaccessible\"");
	check_no_errors_read(session, -EIO, "resource busy", "resets a GPU");
	scene_set("file", "ras/umc_err_count \"ue: 3\" \"ce: 76\" \"de: 10\"");
	counting_expect(session, (uint64_t[]){ 6, 1, 9 });
	scene_set("runtime-suspended", "on");
	check_no_errors_read(session, -ENODATA, "asleep", "power/control");
	report_has("suspended=1");
	scene_set("runtime-suspended", "off");
	drmperf_session_destroy(session);
}

/* Only memory has deferred errors, and only of kernels that count them. */
TEST(sensor_mi, amdgpu_lists_errors_it_has)
{
	ck_assert(is_listed(RAS "umc-deferred"));
	ck_assert(is_listed(RAS "gfx-uncorrectable"));
	ck_assert(!is_listed(RAS "gfx-deferred"));
	ck_assert(!is_listed(RAS "fuse-correctable"));
	/* the firmware's table has this one, and others beside it */
	ck_assert(is_listed(REPLAYS));
	ck_assert(is_listed("amdgpu::sensor.pcie-replay-rollover"));
	counting_end();
	scene_set("file", "ras/umc_err_count \"ue: 0\" \"ce: 0\"");
	counting_begin();
	ck_assert(!is_listed(RAS "umc-deferred"));
	ck_assert(is_listed(RAS "umc-correctable"));
}

static void
check_link(const char *width, const char *speed)
{
	struct drmperf_session *session = counting_start(NAMES(width, speed));

	scene_set("file", "current_link_width 4");
	scene_set("file", "current_link_speed \"32.0 GT/s PCIe\"");
	counting_expect(session, (uint64_t[]){ 4, 32000 });
	drmperf_session_destroy(session);
}

TEST(sensor_xe_vram, the_link_of_xe_is_read)
{
	check_link("xe::sensor.pcie-link-width", "xe::sensor.pcie-link-speed");
}

TEST(sensor_xe_system, without_a_link_there_is_no_sensor)
{
	ck_assert(!is_listed("xe::sensor.pcie-link-width"));
	ck_assert(!is_listed("xe::sensor.pcie-link-speed"));
}

/* ------------------------------------------------------------------ */
/* Throttling, fans and limits of Intel GPUs                            */

static void
check_reasons(const char *const *names)
{
	struct drmperf_session *session = counting_start(names);

	counting_expect(session, (uint64_t[]){ 0, 0, 0 });
	scene_set("throttle", "pl1 vr_tdc");
	counting_expect(session, (uint64_t[]){ 1, 1, 0 });
	scene_set("throttle", "thermal");
	counting_expect(session, (uint64_t[]){ 1, 0, 1 });
	scene_set("throttle", "none");
	counting_expect(session, (uint64_t[]){ 0, 0, 0 });
	scene_set("runtime-suspended", "on");
	counting_failed(drmperf_session_read(session,
					     (union drmperf_value[3]){ { 0 } },
					     NULL, NULL, &counting.error),
			-ENODATA, "asleep", "power/control");
	scene_set("runtime-suspended", "off");
	drmperf_session_destroy(session);
}

TEST(sensor_vram, reasons_of_throttling_of_i915_are_read)
{
	check_reasons(NAMES("i915::sensor.throttle-any",
			    "i915::sensor.throttle-vr-tdc",
			    "i915::sensor.throttle-thermal"));
}

TEST(sensor_xe_vram, reasons_of_throttling_of_xe_are_read)
{
	check_reasons(NAMES("xe::sensor.throttle-any-gt0",
			    "xe::sensor.throttle-vr-tdc-gt0",
			    "xe::sensor.throttle-thermal-gt0"));
	/* of another platform */
	ck_assert(!is_listed("xe::sensor.throttle-iccmax-gt0"));
}

TEST_CASE(sensor_xe_cri, counting_begin, counting_end, "sensor_xe_cri");

/* What other GPUs have and this one has not, and the other way round. */
TEST(sensor_xe_cri, crescent_island_throttles)
{
	struct drmperf_session *session = counting_start(NAMES(
		"xe::sensor.throttle-any-gt0", "xe::sensor.throttle-iccmax-gt0",
		"xe::sensor.throttle-soc-avg-thermal-gt0",
		"xe::sensor.throttle-psys-crit-gt0"));

	counting_expect(session, (uint64_t[]){ 0, 0, 0, 0 });
	scene_set("throttle", "iccmax psys_crit");
	counting_expect(session, (uint64_t[]){ 1, 1, 0, 1 });
	scene_set("throttle", "soc_avg_thermal");
	counting_expect(session, (uint64_t[]){ 1, 0, 1, 0 });
	scene_set("throttle", "thermal");
	counting_expect(session, (uint64_t[]){ 0, 0, 0, 0 });
	drmperf_session_destroy(session);
	ck_assert(is_listed("xe::sensor.throttle-prochot-gt0"));
	ck_assert(!is_listed("xe::sensor.throttle-vr-tdc-gt0"));
	ck_assert(!is_listed("xe::sensor.throttle-thermal-gt0"));
}

/*
 * Reasons are of one moment: behind the state of power management the list of
 * each of the two GTs is read, and no other file.
 */
TEST(sensor_xe_vram, xe_reads_reasons_once)
{
	struct drmperf_session *session = counting_start(NAMES(
		"xe::sensor.throttle-any-gt0", "xe::sensor.throttle-pl1-gt0",
		"xe::sensor.throttle-pl2-gt0", "xe::sensor.throttle-any-gt1"));

	scene_set("throttle", "pl1");
	ck_assert_int_eq(drmsim_fault("file_read:4:EIO"), 0);
	counting_expect(session, (uint64_t[]){ 1, 1, 0, 0 });
	drmperf_session_destroy(session);
}

/* Graphics version 9 has no such register. */
TEST(sensor_i915, older_i915_tells_no_reason)
{
	ck_assert(is_listed("i915::sensor.act-freq"));
	ck_assert(!is_listed("i915::sensor.throttle-any"));
}

TEST(sensor_vram, i915_fan_and_limit)
{
	struct drmperf_session *session;

	scene_set("fan", "1200");
	scene_set("power-limit", "190");
	session = counting_start(NAMES("i915::sensor.power-limit"));
	counting_expect(session, (uint64_t[]){ 190000 });
	drmperf_session_destroy(session);
	session = counting_start(NAMES("i915::sensor.fan-speed"));
	scene_set("fan", "1300");
	counting_expect(session, (uint64_t[]){ 1300 });
	/*
	 * Behind the state of power management: a second read within a jiffy,
	 * to which the kernel has no new answer.
	 */
	scene_set("fan", "1400");
	ck_assert_int_eq(drmsim_fault("file_read:2:EAGAIN"), 0);
	counting_expect(session, (uint64_t[]){ 1300 });
	counting_expect(session, (uint64_t[]){ 1400 });
	drmperf_session_destroy(session);
}

TEST(sensor_xe_vram, xe_fan_limit_and_memory)
{
	struct drmperf_session *session;

	scene_set("fan", "900");
	scene_set("power-limit", "150");
	scene_set("temperature-vram", "71.5");
	session = counting_start(NAMES("xe::sensor.fan-speed",
				       "xe::sensor.power-limit",
				       "xe::sensor.temp-vram"));
	counting_expect(session, (uint64_t[]){ 900, 150000, 71500 });
	drmperf_session_destroy(session);
}

/*
 * Every further channel is listed where its file is there, and reads it: in the
 * library's units, of which only those of power differ from the file's.
 */
struct channel {
	const char *file, *name;
	enum drmperf_unit unit;
};

#define DEGREES DRMPERF_UNIT_MILLIDEGREES_CELSIUS

static const struct channel of_xe_hwmon[] = {
	{ "energy2_input", "energy-pkg", DRMPERF_UNIT_MICROJOULES },
	{ "in1_input", "voltage", DRMPERF_UNIT_MILLIVOLTS },
	{ "power1_cap", "power-burst-limit", DRMPERF_UNIT_MILLIWATTS },
	{ "power1_rated_max", "power-rated", DRMPERF_UNIT_MILLIWATTS },
	{ "power1_crit", "power-crit", DRMPERF_UNIT_MILLIWATTS },
	{ "power2_max", "power-limit-pkg", DRMPERF_UNIT_MILLIWATTS },
	{ "power2_cap", "power-burst-limit-pkg", DRMPERF_UNIT_MILLIWATTS },
	{ "power2_rated_max", "power-rated-pkg", DRMPERF_UNIT_MILLIWATTS },
	{ "curr2_crit", "current-crit", DRMPERF_UNIT_MILLIAMPERES },
	{ "fan2_input", "fan-speed-2", DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE },
	{ "fan3_input", "fan-speed-3", DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE },
	{ "temp2_max", "temp-max", DEGREES },
	{ "temp2_crit", "temp-crit", DEGREES },
	{ "temp2_emergency", "temp-emergency", DEGREES },
	{ "temp3_crit", "temp-vram-crit", DEGREES },
	{ "temp3_emergency", "temp-vram-emergency", DEGREES },
	{ "temp4_input", "temp-mctrl", DEGREES },
	{ "temp5_input", "temp-pcie", DEGREES },
	{ "temp6_input", "temp-vram-ch0", DEGREES },
	{ "temp7_input", "temp-vram-ch1", DEGREES },
	{ "temp8_input", "temp-vram-ch2", DEGREES },
	{ "temp9_input", "temp-vram-ch3", DEGREES },
	{ "temp10_input", "temp-vram-ch4", DEGREES },
	{ "temp11_input", "temp-vram-ch5", DEGREES },
	{ "temp12_input", "temp-vram-ch6", DEGREES },
	{ "temp13_input", "temp-vram-ch7", DEGREES },
	{ "temp14_input", "temp-vram-ch8", DEGREES },
	{ "temp15_input", "temp-vram-ch9", DEGREES },
	{ "temp16_input", "temp-vram-ch10", DEGREES },
	{ "temp17_input", "temp-vram-ch11", DEGREES },
	{ "temp18_input", "temp-vram-ch12", DEGREES },
	{ "temp19_input", "temp-vram-ch13", DEGREES },
	{ "temp20_input", "temp-vram-ch14", DEGREES },
	{ "temp21_input", "temp-vram-ch15", DEGREES },
};

static const struct channel of_i915_hwmon[] = {
	{ "in0_input", "voltage", DRMPERF_UNIT_MILLIVOLTS },
	{ "power1_rated_max", "power-rated", DRMPERF_UNIT_MILLIWATTS },
	{ "power1_crit", "power-crit", DRMPERF_UNIT_MILLIWATTS },
	{ "curr1_crit", "current-crit", DRMPERF_UNIT_MILLIAMPERES },
};

#define MOST_CHANNELS ARRAY_SIZE(of_xe_hwmon)

static void
set_channel(const struct channel *channel, uint64_t number)
{
	char value[64];

	snprintf(value, sizeof(value), "%s %llu", channel->file,
		 (unsigned long long)number);
	scene_set("hwmon", value);
}

static void
expect_channels(const char *driver, const struct channel *channels,
		size_t count)
{
	char names[MOST_CHANNELS][64];
	const char *list[MOST_CHANNELS + 1] = { NULL };
	uint64_t expected[MOST_CHANNELS];
	struct drmperf_session *session;

	for (size_t i = 0; i < count; i++) {
		const bool is_power =
			channels[i].unit == DRMPERF_UNIT_MILLIWATTS;

		expected[i] = 70 + i;
		set_channel(&channels[i],
			    is_power ? expected[i] * 1000 : expected[i]);
		snprintf(names[i], sizeof(names[i]), "%s::sensor.%s", driver,
			 channels[i].name);
		list[i] = names[i];
	}
	session = counting_start(list);
	for (size_t i = 0; i < count; i++) {
		struct drmperf_selection found;

		ck_assert_int_eq(drmperf_event_find(counting.drmperf, names[i],
						    &found, NULL),
				 0);
		ck_assert_int_eq(drmperf_event_unit(found.event),
				 channels[i].unit);
		if (channels[i].unit == DRMPERF_UNIT_MICROJOULES) {
			set_channel(&channels[i], expected[i] + 40);
			expected[i] = 40; /* since the start */
		}
	}
	counting_expect(session, expected);
	drmperf_session_destroy(session);
}

TEST(sensor_xe_vram, xe_further_channels)
{
	expect_channels("xe", of_xe_hwmon, ARRAY_SIZE(of_xe_hwmon));
}

TEST(sensor_vram, i915_further_channels)
{
	ck_assert(drmsim_set("hwmon", "power1_cap 1") != 0);
	ck_assert(drmsim_set("hwmon", "power1_crit") != 0);
	expect_channels("i915", of_i915_hwmon, ARRAY_SIZE(of_i915_hwmon));
}

/* ------------------------------------------------------------------ */
/* In trouble                                                           */

TEST(sensor_amdgpu, silence_is_told)
{
	struct drmperf_session *session = counting_start(NAMES(SCLK, TEMP));

	scene_set("sensor", "temp none");
	counting_failed(counting_try_read(session), -EIO, "sensor gpu-temp",
			"leave this event out");
	scene_set("sensor", "temp 45000");
	ck_assert_int_eq(counting_try_read(session), 0);
	ck_assert_int_eq(drmsim_fault("info:1:EBUSY"), 0);
	counting_failed(counting_try_read(session), -EIO, "sensor gfx-sclk",
			"later");
	ck_assert_int_eq(counting_try_read(session), 0);
	drmperf_session_destroy(session);
}

TEST(sensor_amdgpu, sleeping_gpu_is_not_woken)
{
	struct drmperf_session *session = counting_session(NAMES(TEMP));

	scene_set("runtime-suspended", "on");
	ck_assert_int_eq(drmperf_session_start(session, NULL), 0);
	report_has("suspended=0");
	scene_set("runtime-suspended", "on");
	for (int i = 0; i < 3; i++)
		counting_failed(counting_try_read(session), -ENODATA, "asleep",
				"power/control");
	report_has("suspended=1");
	scene_set("runtime-suspended", "off");
	ck_assert_int_eq(counting_try_read(session), 0);
	drmperf_session_destroy(session);
}

/* What does not wake it is still read. */
TEST(sensor_i915, a_sleeping_i915_is_not_woken)
{
	struct drmperf_session *session = counting_start(NAMES(ACT)),
			       *other = counting_start(NAMES(RC6));

	scene_set("runtime-suspended", "on");
	ck_assert_int_eq(counting_try_read(session), 0);
	counting_failed(counting_try_read(other), -ENODATA, "asleep",
			"power/control");
	scene_set("runtime-suspended", "off");
	ck_assert_int_eq(counting_try_read(other), 0);
	drmperf_session_destroy(session);
	drmperf_session_destroy(other);
}

static void
check_gone(const char *name)
{
	struct drmperf_session *session = counting_start(NAMES(name));

	scene_set("gone", "on");
	counting_failed(counting_try_read(session), -ENODEV, "has gone",
			"once it is back");
	scene_set("gone", "off");
	ck_assert_int_eq(counting_try_read(session), 0);
	drmperf_session_destroy(session);
}

TEST(sensor_amdgpu, an_amdgpu_that_has_gone_fails_the_read)
{
	check_gone(TEMP);
}

TEST(sensor_i915, an_i915_that_has_gone_fails_the_read)
{
	check_gone(ACT);
}

/* ------------------------------------------------------------------ */
/* Other processes                                                      */

static void
in_child(void (*body)(void *data), void *data)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		body(data);
		_exit(0);
	}
	child_join(pid);
}

/* Read in a child, whose own library reads sensors while the parent counts. */
static void
read_in_child(void *data)
{
	struct drmperf_session *session;

	(void)data;
	counting_begin();
	session = counting_start(NAMES(SCLK));
	counting_expect(session, (uint64_t[]){ 1000 });
	drmperf_session_destroy(session);
	session = counting_session(NAMES(COUNT));
	if (drmperf_session_start(session, NULL) != -EBUSY)
		_exit(1);
	drmperf_session_destroy(session);
	counting_end();
}

TEST(sensor_amdgpu, another_process_counts)
{
	struct drmperf_session *session;

	setenv("DRMPERF_SHARE", "0", 1);
	scene_set("clock", "sclk 1000");
	session = counting_start(NAMES(COUNT));
	in_child(read_in_child, NULL);
	drmperf_session_destroy(session);
	unsetenv("DRMPERF_SHARE");
}

static void
use_in_child(void *data)
{
	struct drmperf_session *session = data;

	if (counting_try_read(session) != -ECHILD ||
	    drmperf_session_stop(session, NULL) != -ECHILD)
		_exit(1);
	drmperf_session_destroy(session);
	counting_end();
}

TEST(sensor_amdgpu, child_does_not_disturb)
{
	struct drmperf_session *session = counting_start(NAMES(SCLK, TEMP));

	in_child(use_in_child, session);
	ck_assert_int_eq(counting_try_read(session), 0);
	drmperf_session_destroy(session);
}

TEST_GPUS("sensor_amdgpu", "vega10");
TEST_GPUS("sensor_mi", "mi300");
TEST_GPUS("sensor_i915", "skl");
TEST_GPUS("sensor_gts", "mtl");
TEST_GPUS("sensor_vram", "dg1");
TEST_GPUS("sensor_xe_vram", "bmg");
TEST_GPUS("sensor_xe_system", "lnl");
TEST_GPUS("sensor_xe_cri", "cri");
