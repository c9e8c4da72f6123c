/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of the table gpu_metrics on simulated GPUs: what the simulator wrote
 * in a layout, by its own description of it, is what is read.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/suite.h"
#include "tests/support/scene.h"

#define SENSOR "amdgpu::sensor."

#define SUM DRMPERF_KIND_CUMULATIVE
#define NOW DRMPERF_KIND_MOMENTARY

static void
set_field(const char *field, uint64_t value)
{
	char text[80];

	snprintf(text, sizeof(text), "%s %llu", field,
		 (unsigned long long)value);
	scene_set("gpu-metrics", text);
}

/*
 * Begin with a version. The library looks for sensors when the device is
 * opened.
 */
static void
begin_version(const char *version)
{
	if (version)
		scene_set("gpu-metrics", version);
	counting_begin();
}

static bool
is_listed(const char *name)
{
	struct drmperf_selection selection;
	int ret;

	ret = drmperf_event_find(counting.drmperf, name, &selection,
				 &counting.error);
	ck_assert_msg(!ret || ret == -ENOENT, "%s: %s", name,
		      counting.error.cause);
	return !ret;
}

/* ------------------------------------------------------------------ */
/* Layouts                                                              */

#define DGPU "1.0 1.3 "
#define MI "1.4 1.5 1.6-reverted 1.6 1.7 1.8 1.9 1.9-smu15 "
#define RESIDENCIES "1.6-reverted 1.6 1.7 1.8 1.9 1.9-smu15 "
#define XCP "1.6 1.7 1.8 "
#define LISTS "1.9 1.9-smu15 "
#define APU "2.1 2.2 2.3 2.4 3.0 "
#define APU2 "2.1 2.2 2.3 2.4 "

/* What a field is shown as, and in which layouts. */
static const struct mapping {
	const char *field, *sensor;
	enum drmperf_unit unit;
	enum drmperf_kind kind;
	uint64_t factor, divisor;
	const char *versions;
} mappings[] = {
	{ "temperature_hotspot", "temp-hotspot",
	  DRMPERF_UNIT_MILLIDEGREES_CELSIUS, NOW, 1000, 1, DGPU MI },
	{ "temperature_mem", "temp-mem", DRMPERF_UNIT_MILLIDEGREES_CELSIUS, NOW,
	  1000, 1, DGPU MI },
	{ "temperature_vrsoc", "temp-vrsoc", DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
	  NOW, 1000, 1, DGPU MI },
	{ "temperature_vrgfx", "temp-vrgfx", DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
	  NOW, 1000, 1, DGPU },
	{ "temperature_hbm.3", "temp-hbm3", DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
	  NOW, 1000, 1, "1.3 1.9-smu15 " },
	{ "temperature_hbm.11", "temp-hbm11", DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
	  NOW, 1000, 1, "1.9-smu15 " },
	{ "temperature_gfx", "temp-gfx", DRMPERF_UNIT_MILLIDEGREES_CELSIUS, NOW,
	  10, 1, APU },
	{ "temperature_soc", "temp-soc", DRMPERF_UNIT_MILLIDEGREES_CELSIUS, NOW,
	  10, 1, APU },
	{ "temperature_skin", "temp-skin", DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
	  NOW, 10, 1, "3.0 " },
	{ "average_umc_activity", "umc-activity", DRMPERF_UNIT_PERCENT, NOW, 1,
	  1, DGPU MI },
	{ "average_mm_activity", "mm-activity", DRMPERF_UNIT_PERCENT, NOW, 1, 1,
	  DGPU },
	{ "average_mm_activity", "mm-activity", DRMPERF_UNIT_PERCENT, NOW, 1,
	  100, APU2 },
	{ "vcn_activity.2", "vcn-activity-2", DRMPERF_UNIT_PERCENT, NOW, 1, 1,
	  "1.4 1.5 1.6-reverted " },
	{ "gfx_busy_inst.0.5", "gfx-busy-xcp0-xcc5", DRMPERF_UNIT_PERCENT, NOW,
	  1, 1, XCP },
	{ "gfx_busy_inst.1.3", "gfx-busy-xcp1-xcc3", DRMPERF_UNIT_PERCENT, NOW,
	  1, 1, XCP },
	{ "gfx_busy_inst.1.3", "gfx-busy-xcp1", DRMPERF_UNIT_PERCENT, NOW, 1, 1,
	  XCP },
	{ "vcn_busy.1.3", "vcn-busy-xcp1-3", DRMPERF_UNIT_PERCENT, NOW, 1, 1,
	  XCP },
	{ "gfx_busy_acc.1.7", "gfx-busy-acc-xcp1", DRMPERF_UNIT_STEPS, SUM, 1,
	  1, XCP },
	{ "gfx_busy_inst.3", "gfx-busy-xcc3", DRMPERF_UNIT_PERCENT, NOW, 1, 1,
	  LISTS },
	{ "vcn_busy.3", "vcn-busy-3", DRMPERF_UNIT_PERCENT, NOW, 1, 1, LISTS },
	{ "gfx_busy_acc.7", "gfx-busy-acc", DRMPERF_UNIT_STEPS, SUM, 1, 1,
	  LISTS },
	{ "gfx_below_host_limit_ppt_acc.1.2", "below-host-limit-ppt-xcp1",
	  DRMPERF_UNIT_STEPS, SUM, 1, 1, "1.8 " },
	{ "gfx_below_host_limit_acc.1.2", "below-host-limit-xcp1",
	  DRMPERF_UNIT_STEPS, SUM, 1, 1, "1.7 " },
	{ "gfx_below_host_limit_total_acc.1.2", "below-host-limit-xcp1",
	  DRMPERF_UNIT_STEPS, SUM, 1, 1, "1.8 " },
	{ "gfx_low_utilization_acc.1", "low-utilization", DRMPERF_UNIT_STEPS,
	  SUM, 1, 1, LISTS },
	{ "gfx_activity_acc", "gfx-activity-acc", DRMPERF_UNIT_STEPS, SUM, 1, 1,
	  RESIDENCIES },
	{ "mem_activity_acc", "mem-activity-acc", DRMPERF_UNIT_STEPS, SUM, 1, 1,
	  RESIDENCIES },
	{ "accumulation_counter", "accumulation-counter", DRMPERF_UNIT_STEPS,
	  SUM, 1, 1, RESIDENCIES },
	{ "prochot_residency_acc", "prochot-residency", DRMPERF_UNIT_STEPS, SUM,
	  1, 1, RESIDENCIES },
	{ "hbm_thm_residency_acc", "hbm-thm-residency", DRMPERF_UNIT_STEPS, SUM,
	  1, 1, RESIDENCIES },
	{ "energy_accumulator", "energy", DRMPERF_UNIT_MICROJOULES, SUM, 15625,
	  1024, DGPU MI },
	{ "average_socket_power", "socket-power", DRMPERF_UNIT_MILLIWATTS, NOW,
	  1000, 1, DGPU },
	{ "curr_socket_power", "socket-power", DRMPERF_UNIT_MILLIWATTS, NOW,
	  1000, 1, MI },
	{ "average_socket_power", "socket-power", DRMPERF_UNIT_MILLIWATTS, NOW,
	  1, 1, APU },
	{ "average_gfx_power", "gfx-power", DRMPERF_UNIT_MILLIWATTS, NOW, 1, 1,
	  APU },
	{ "average_all_core_power", "cpu-power", DRMPERF_UNIT_MILLIWATTS, NOW,
	  1, 1, "3.0 " },
	{ "average_fclk_frequency", "fclk", DRMPERF_UNIT_MEGAHERTZ, NOW, 1, 1,
	  APU },
	{ "current_gfxclk.6", "gfxclk-xcc6", DRMPERF_UNIT_MEGAHERTZ, NOW, 1, 1,
	  MI },
	{ "current_fan_speed", "fan-speed", DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE,
	  NOW, 1, 1, DGPU },
	{ "average_dram_writes", "dram-write", DRMPERF_UNIT_BYTES_PER_SECOND,
	  NOW, 1000000, 1, "3.0 " },
	{ "mem_max_bandwidth", "mem-max-bandwidth",
	  DRMPERF_UNIT_BYTES_PER_SECOND, NOW, 1000000000, 1, "1.7 1.8 " LISTS },
	{ "pcie_link_width", "pcie-link-width", DRMPERF_UNIT_LANES, NOW, 1, 1,
	  DGPU MI },
	{ "pcie_link_speed", "pcie-link-speed",
	  DRMPERF_UNIT_MEGATRANSFERS_PER_SECOND, NOW, 100, 1, DGPU MI },
	{ "pcie_bandwidth_inst", "pcie-bandwidth", DRMPERF_UNIT_STEPS, NOW, 1,
	  1, "1.4 1.5 1.6 1.7 1.8 " },
	{ "pcie_bandwidth_inst.1", "pcie-bandwidth-1", DRMPERF_UNIT_STEPS, NOW,
	  1, 1, "1.9-smu15 " },
	{ "pcie_replay_count_acc", "pcie-replay", DRMPERF_UNIT_EVENTS, SUM, 1,
	  1, MI },
	{ "pcie_lc_perf_other_end_recovery", "pcie-other-end-recovery",
	  DRMPERF_UNIT_EVENTS, SUM, 1, 1, XCP LISTS },
	{ "xgmi_read_data_acc.6", "xgmi-read-link6", DRMPERF_UNIT_BYTES, SUM,
	  1024, 1, "1.4 1.5 1.6-reverted 1.6 1.7 1.8 1.9 " },
	{ "xgmi_write_data_acc.0", "xgmi-write", DRMPERF_UNIT_BYTES, SUM, 1024,
	  1, MI },
	{ "throttle_residency_thm_soc", "throttle-residency-thm-soc",
	  DRMPERF_UNIT_CYCLES, SUM, 1, 1, "3.0 " },
};

static bool
is_of_version(const struct mapping *mapping, const char *version)
{
	size_t length = strlen(version);
	const char *at = mapping->versions;

	while ((at = strstr(at, version))) {
		if ((at == mapping->versions || at[-1] == ' ') &&
		    at[length] == ' ')
			return true;
		at += length;
	}
	return false;
}

static uint64_t
value_of(size_t index)
{
	/* no more than 100, and a different one for neighbours */
	return 3 + index * 37 % 61;
}

static void
check_version(const char *version)
{
	char names[ARRAY_SIZE(mappings)][64];
	const char *list[ARRAY_SIZE(mappings) + 1] = { 0 };
	const struct mapping *of[ARRAY_SIZE(mappings)];
	union drmperf_value values[ARRAY_SIZE(mappings)];
	struct drmperf_session *session;
	size_t count = 0;

	scene_set("gpu-metrics", "num_partition 2");
	for (size_t i = 0; i < ARRAY_SIZE(mappings); i++) {
		if (!is_of_version(&mappings[i], version))
			continue;
		set_field(mappings[i].field, value_of(i));
		snprintf(names[count], sizeof(names[count]), SENSOR "%s",
			 mappings[i].sensor);
		list[count] = names[count];
		of[count++] = &mappings[i];
	}
	ck_assert_uint_gt(count, 5);
	begin_version(version);
	session = counting_start(list);
	for (size_t i = 0; i < count; i++) {
		struct drmperf_selection selection;

		ck_assert_int_eq(drmperf_event_find(counting.drmperf, names[i],
						    &selection, NULL),
				 0);
		ck_assert_msg(drmperf_event_unit(selection.event) ==
				      of[i]->unit,
			      "unit of %s in %s", names[i], version);
		ck_assert_msg(drmperf_event_kind(selection.event) ==
				      of[i]->kind,
			      "kind of %s in %s", names[i], version);
		/* some fields have several sensors */
		set_field(of[i]->field,
			  value_of((size_t)(of[i] - mappings)) + 1024);
		if (of[i]->kind == NOW)
			set_field(of[i]->field,
				  value_of((size_t)(of[i] - mappings)));
	}
	counting_read(session, values);
	for (size_t i = 0; i < count; i++) {
		uint64_t raw = value_of((size_t)(of[i] - mappings));
		uint64_t expected = (of[i]->kind == SUM ? 1024 : raw) *
				    of[i]->factor / of[i]->divisor;

		for (size_t j = i + 1; j < count; j++) {
			if (!strcmp(of[j]->field, of[i]->field))
				expected = values[j].u64;
		}
		ck_assert_msg(values[i].u64 == expected,
			      "%s in %s is %llu, not %llu", names[i], version,
			      (unsigned long long)values[i].u64,
			      (unsigned long long)expected);
	}
	drmperf_session_destroy(session);
	counting_end();
}

TEST_CASE(metrics_navi21, NULL, NULL, "metrics_navi21");

TEST_CASE(metrics_mi350, NULL, NULL, "metrics_mi350");

TEST_CASE(metrics_phoenix, NULL, NULL, "metrics_phoenix");

TEST(metrics_phoenix, layouts_of_apus)
{
	static const char *const versions[] = { "2.1", "2.2", "2.3", "2.4",
						"3.0" };

	for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
		check_version(versions[i]);
}

/* ------------------------------------------------------------------ */
/* What has no value                                                    */

TEST(metrics_mi350, mean_and_sum_are_of_what_is_there)
{
	struct drmperf_session *session;

	for (int i = 0; i < 8; i++) {
		char text[40];

		snprintf(text, sizeof(text), "gfx_busy_inst.0.%d %d", i,
			 i == 2 ? 655 : 10 * i);
		scene_set("gpu-metrics", text);
	}
	begin_version("1.8");
	ck_assert(!is_listed(SENSOR "gfx-busy-xcp0-xcc2"));
	ck_assert(!is_listed(SENSOR "gfx-busy-xcp1"));
	ck_assert(!is_listed(SENSOR "xgmi-read-link7"));
	session = counting_start(
		NAMES(SENSOR "gfx-busy-xcp0", SENSOR "xgmi-read"));
	scene_set("gpu-metrics", "xgmi_read_data_acc.1 5");
	scene_set("gpu-metrics", "xgmi_read_data_acc.4 7");
	counting_expect(
		session,
		(uint64_t[]){ (10 + 30 + 40 + 50 + 60 + 70) / 7, 12 * 1024 });
	drmperf_session_destroy(session);
	counting_end();
}

/* One value where there was one per link is their sum. */
TEST(metrics_mi350, sum_of_the_firmware_is_no_link)
{
	begin_version("1.9-smu15");
	ck_assert(is_listed(SENSOR "xgmi-read"));
	ck_assert(!is_listed(SENSOR "xgmi-read-link0"));
	counting_end();
}

TEST(metrics_mi350, layouts_of_mi)
{
	static const char *const versions[] = {
		"1.4", "1.5", "1.6-reverted", "1.6",
		"1.7", "1.8", "1.9",	      "1.9-smu15",
	};

	for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
		check_version(versions[i]);
}

/* ------------------------------------------------------------------ */
/* Throttling                                                           */

TEST(metrics_navi21, reasons_of_throttling)
{
	struct drmperf_session *session;
	static const struct {
		const char *word;
		uint64_t expected[5];
	} cases[] = {
		{ "0", { 0, 0, 0, 0, 0 } },
		{ "0x2", { 1, 0, 0, 1, 0 } },
		{ "0x10000", { 0, 1, 0, 0, 0 } },
		{ "0x400000000", { 0, 0, 1, 0, 1 } },
		/* a bit that no firmware of this chip sets */
		{ "0x10", { 0, 0, 0, 0, 0 } },
	};

	begin_version(NULL);
	session = counting_start(
		NAMES(SENSOR "throttle-power", SENSOR "throttle-current",
		      SENSOR "throttle-temperature", SENSOR "throttle-ppt1",
		      SENSOR "throttle-temp-mem"));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[60];

		snprintf(text, sizeof(text), "indep_throttle_status %s",
			 cases[i].word);
		scene_set("gpu-metrics", text);
		counting_expect(session, cases[i].expected);
	}
	drmperf_session_destroy(session);
	ck_assert(is_listed(SENSOR "throttle-temp-hotspot"));
	ck_assert(!is_listed(SENSOR "throttle-spl"));
	counting_end();
}

TEST(metrics_navi21, without_a_table_other_sensors_answer)
{
	begin_version("none");
	ck_assert(is_listed(SENSOR "gpu-temp"));
	ck_assert(!is_listed(SENSOR "umc-activity"));
	counting_end();
}

TEST_CASE(metrics_navi31, NULL, NULL, "metrics_navi31");

/* Bit 36 is always set on RDNA 3 and 4. */
TEST(metrics_navi31, stuck_hotspot_is_no_reason)
{
	struct drmperf_session *session;

	scene_set("gpu-metrics", "indep_throttle_status 0x1000000000");
	begin_version(NULL);
	ck_assert(!is_listed(SENSOR "throttle-temp-hotspot"));
	session = counting_start(NAMES(SENSOR "throttle-temperature"));
	counting_expect(session, (uint64_t[]){ 0 });
	scene_set("gpu-metrics", "indep_throttle_status 0x1400000000");
	counting_expect(session, (uint64_t[]){ 1 });
	drmperf_session_destroy(session);
	/* constant 0 there */
	ck_assert(!is_listed(SENSOR "energy"));
	counting_end();
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

/* The firmware counts energy in 32 bits there. */
TEST(metrics_navi21, energy_counts_on_over_its_top)
{
	struct drmperf_session *session;

	scene_set("gpu-metrics", "energy_accumulator 0xfffffc00");
	begin_version("1.3");
	session = counting_start(NAMES(SENSOR "energy"));
	scene_set("gpu-metrics", "energy_accumulator 0x400");
	counting_expect(session, (uint64_t[]){ 2 * 15625 });
	drmperf_session_destroy(session);
	counting_end();
}

TEST_CASE(metrics_mi200, NULL, NULL, "metrics_mi200");

TEST(metrics_mi200, constant_zero_of_mi200_is_none)
{
	begin_version(NULL);
	ck_assert(!is_listed(SENSOR "mm-activity"));
	ck_assert(!is_listed(SENSOR "fan-speed"));
	ck_assert(is_listed(SENSOR "umc-activity"));
	ck_assert(is_listed(SENSOR "energy"));
	counting_end();
}

/* Expect that reads fail so while a setting is bad, and then no more. */
static void
expect_failure(const char *key, const char *bad, const char *good, int code,
	       const char *cause, const char *remedy)
{
	struct drmperf_session *session;

	begin_version("1.3");
	session = counting_start(NAMES(SENSOR "umc-activity"));
	scene_set(key, bad);
	counting_failed(counting_try_read(session), code, cause, remedy);
	scene_set(key, good);
	ck_assert_int_eq(counting_try_read(session), 0);
	drmperf_session_destroy(session);
	counting_end();
}

TEST(metrics_navi21, another_layout_is_an_error)
{
	expect_failure("gpu-metrics", "1.8", "1.3", -EIO, "sensor umc-activity",
		       "later");
}

TEST(metrics_navi21, sleeping_gpu_is_not_woken)
{
	expect_failure("runtime-suspended", "on", "off", -ENODATA, "asleep",
		       "power/control");
}

TEST(metrics_navi21, a_gpu_that_has_gone_fails_the_read)
{
	expect_failure("gone", "on", "off", -ENODEV, "has gone",
		       "once it is back");
}

TEST(metrics_navi21, load_above_100_is_no_value)
{
	struct drmperf_session *session;

	scene_set("sensor", "load 99");
	begin_version(NULL);
	session = counting_start(NAMES(SENSOR "gpu-load"));
	scene_set("sensor", "load 655");
	counting_failed(counting_try_read(session), -ENODATA, "sensor gpu-load",
			"leave this event out");
	scene_set("sensor", "load 100");
	counting_expect(session, (uint64_t[]){ 100 });
	drmperf_session_destroy(session);
	counting_end();
	scene_set("sensor", "load 655");
	begin_version(NULL);
	ck_assert(is_listed(SENSOR "gpu-load"));
	counting_end();
	scene_set("sensor", "load 0");
}

TEST(metrics_navi21, what_is_not_available_is_not_listed)
{
	struct drmperf_session *session;

	scene_set("gpu-metrics", "average_umc_activity none");
	scene_set("gpu-metrics", "energy_accumulator 0");
	scene_set("gpu-metrics", "average_mm_activity 7");
	begin_version("1.3");
	ck_assert(!is_listed(SENSOR "umc-activity"));
	ck_assert(!is_listed(SENSOR "energy"));
	session = counting_start(NAMES(SENSOR "mm-activity"));
	scene_set("gpu-metrics", "average_mm_activity none");
	counting_failed(counting_try_read(session), -ENODATA,
			"sensor mm-activity", "leave this event out");
	scene_set("gpu-metrics", "average_mm_activity 101");
	ck_assert_int_eq(counting_try_read(session), -ENODATA);
	scene_set("gpu-metrics", "average_mm_activity 100");
	counting_expect(session, (uint64_t[]){ 100 });
	drmperf_session_destroy(session);
	counting_end();
}

TEST(metrics_navi21, layouts_of_discrete_gpus)
{
	check_version("1.0");
	check_version("1.3");
}

TEST_GPUS("metrics_navi21", "navi21");
TEST_GPUS("metrics_navi31", "navi31");
TEST_GPUS("metrics_mi200", "mi200");
TEST_GPUS("metrics_mi350", "mi350");
TEST_GPUS("metrics_phoenix", "phoenix");
