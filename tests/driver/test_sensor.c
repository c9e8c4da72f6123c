/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors behind the seam: the domain they make, over a made-up source, and
 * those of i915 in a made-up sysfs.
 */
#include "driver/sensor.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALL DRMPERF_ALL_INSTANCES

/* ------------------------------------------------------------------ */
/* Folders                                                              */

static char sysfs[64];

static void
make_root(void)
{
	test_folder_make();
	snprintf(sysfs, sizeof(sysfs), "%s/pci", test_folder);
	test_file_write("auto\n", "%s/power/control", sysfs);
}

/* ------------------------------------------------------------------ */
/* A source that answers by the book                                    */

static struct {
	uint64_t value[3];
	int ret[3];
	unsigned asked;
} script;

static int
script_read(void *source, size_t index, uint64_t *value)
{
	ck_assert_ptr_eq(source, &script);
	script.asked++;
	if (!script.ret[index])
		*value = script.value[index];
	return script.ret[index];
}

static struct sensor list[3];
static struct sensors sensors;
static struct description description;
static const struct domain_ops *ops;
static void *run;
static struct drmperf_error error;

static const struct driver_target target = {
	.driver = "i915",
	.address = "0000:00:02.0",
	.sysfs = sysfs,
	.render = "/dev/dri/renderD128",
	.primary = "/dev/dri/card0",
};

static void
set_up(void)
{
	make_root();
	memset(&script, 0, sizeof(script));
	memset(&error, 0, sizeof(error));
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		list[i] = (struct sensor){ .name = i == 0   ? "fast"
						   : i == 1 ? "heat"
							    : "idle",
					   .description = "Something.",
					   .unit = DRMPERF_UNIT_MEGAHERTZ,
					   .kind = DRMPERF_KIND_MOMENTARY,
					   .scale = 1 };
	sensors = (struct sensors){ .list = list,
				    .count = ARRAY_SIZE(list),
				    .read = script_read,
				    .data = &script };
	ck_assert_int_eq(description_init(&description), 0);
}

static void
begin_domain(void)
{
	sensors_init(&sensors, &target);
	ck_assert_int_eq(sensors_describe(&sensors, &description), 0);
	ck_assert_uint_eq(description.domain_count, 1);
	ops = description.domains[0].ops;
}

static void
tear_down(void)
{
	sensors_finish(&sensors);
	description_finish(&description);
	test_folder_remove();
}

TEST_CASE(domain, set_up, tear_down, "sensor");

static void
arm_events(uint32_t first, size_t count)
{
	struct counter_request requests[3] = { 0 };

	for (uint32_t i = 0; i < count; i++)
		requests[i] = (struct counter_request){ .selector = first + i,
							.slots = SLOTS_ANY,
							.instance = ALL };
	ck_assert_int_eq(ops->arm(description.domains[0].device,
				  &(struct run_options){ 0 }, requests, count,
				  &run, &error),
			 0);
}

static void
start_run(void)
{
	ck_assert_int_eq(ops->start(run, &error), 0);
}

static int
sample_run(uint64_t *raw)
{
	uint64_t time_ns = 0;
	int ret;

	memset(&error, 0, sizeof(error));
	ret = ops->sample(run, DRMPERF_READ_FENCED, raw, &time_ns, &error);
	if (!ret)
		ck_assert_uint_gt(time_ns, 0);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Describing                                                           */

TEST(domain, events_are_described)
{
	list[2].kind = DRMPERF_KIND_CUMULATIVE;
	list[2].bits = 32;
	begin_domain();
	ck_assert_str_eq(description.domains[0].name, "sensor");
	ck_assert_uint_eq(description.group_count, 1);
	ck_assert_str_eq(description.groups[0].name, "sensor");
	ck_assert_uint_eq(description.groups[0].max_active, 3);
	ck_assert_int_eq(description.groups[0].scope, DRMPERF_SCOPE_DEVICE);
	ck_assert_uint_eq(description.event_count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct description_event *event = &description.events[i];

		ck_assert_str_eq(event->name, list[i].name);
		ck_assert_int_eq(event->unit, list[i].unit);
		ck_assert_int_eq(event->kind, list[i].kind);
		ck_assert_uint_eq(event->selector, i);
	}
	ck_assert_uint_eq(script.asked, 0);
}

TEST(domain, nothing_is_described)
{
	sensors.count = 0;
	sensors_init(&sensors, &target);
	ck_assert_int_eq(sensors_describe(&sensors, &description), 0);
	ck_assert_uint_eq(description.domain_count, 0);
	ck_assert_uint_eq(description.group_count, 0);
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

static const struct {
	enum drmperf_kind kind;
	unsigned bits;
	uint64_t scale;
	uint64_t told[4], raw[4];
} courses[] = {
	{ DRMPERF_KIND_MOMENTARY, 0, 1, { 7, 5, 0, 9 }, { 7, 5, 0, 9 } },
	{ DRMPERF_KIND_MOMENTARY,
	  0,
	  1000,
	  { 7, 5, 0, 9 },
	  { 7000, 5000, 0, 9000 } },
	{ DRMPERF_KIND_CUMULATIVE,
	  32,
	  1,
	  { 10, 20, 20, 50 },
	  { 0, 10, 10, 40 } },
	{ DRMPERF_KIND_CUMULATIVE,
	  32,
	  1000000,
	  { 10, 20, 20, 50 },
	  { 0, 10000000, 10000000, 40000000 } },
	/* it begins far up, and wraps */
	{ DRMPERF_KIND_CUMULATIVE,
	  32,
	  1,
	  { 0xfffffff0, 0xffffffff, 0x10, 0x11 },
	  { 0, 0xf, 0x20, 0x21 } },
	{ DRMPERF_KIND_CUMULATIVE,
	  64,
	  1,
	  { UINT64_MAX - 1, UINT64_MAX, 3, 4 },
	  { 0, 1, 5, 6 } },
	/* back by a little: it stands still until it has caught up */
	{ DRMPERF_KIND_CUMULATIVE,
	  32,
	  1,
	  { 100, 99, 100, 103 },
	  { 0, 0, 0, 3 } },
};

TEST_LOOP(domain, values_follow_the_source, ARRAY_SIZE(courses))
{
	uint64_t raw[3];

	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		list[i].kind = courses[_i].kind;
		list[i].bits = courses[_i].bits;
		list[i].scale = courses[_i].scale;
	}
	begin_domain();
	script.value[1] = courses[_i].told[0];
	arm_events(0, 3);
	start_run();
	for (size_t i = 0; i < 4; i++) {
		script.value[1] = courses[_i].told[i];
		ck_assert_int_eq(sample_run(raw), 0);
		ck_assert_uint_eq(raw[1], courses[_i].raw[i]);
	}
	ops->disarm(run);
}

/* A counter of 32 bits, more than a third of which each reading finds. */
#define STEP UINT64_C(0x60000000)

static atomic_uint readings;

static int
step_read(void *source, size_t index, uint64_t *value)
{
	(void)source;
	(void)index;
	*value = (uint32_t)(STEP * readings++);
	return 0;
}

TEST(domain, counts_that_wrap_are_kept_between_samples)
{
	uint64_t raw = 0;

	readings = 0;
	sensors.read = step_read;
	list[0].kind = DRMPERF_KIND_CUMULATIVE;
	list[0].bits = 32;
	list[0].keep_ms = 1;
	begin_domain();
	arm_events(0, 1);
	start_run();
	while (readings < 9)
		sched_yield();
	ck_assert_int_eq(sample_run(&raw), 0);
	ops->disarm(run);
	ck_assert_uint_ge(raw, 8 * STEP);
	ck_assert_uint_eq(raw % STEP, 0);
}

/* ------------------------------------------------------------------ */
/* In trouble                                                           */

static const struct {
	int told, expected;
	const char *cause, *remedy;
} troubles[] = {
	{ -EINVAL, -EIO, "the sensor heat of", "leave this event out" },
	{ -EINVAL, -EIO, "Invalid argument", "later" },
	{ -EBADMSG, -EIO, "Bad message", "later" },
	{ -ENODEV, -ENODEV, "has gone", "once it is back" },
	{ -EMFILE, -EMFILE, "cannot ask the sensor heat of", "ulimit" },
	{ -ENFILE, -ENFILE, "Too many open files", "try again" },
	{ -ENOMEM, -ENOMEM, "Cannot allocate memory", "try again" },
};

/* One that is silent costs the others nothing; of all the first one tells. */
TEST_LOOP(domain, silence_is_told, ARRAY_SIZE(troubles))
{
	uint64_t raw[3];
	int ret;

	begin_domain();
	arm_events(0, 3);
	start_run();
	ck_assert_int_eq(sample_run(raw), 0);
	script.ret[1] = troubles[_i].told;
	ck_assert_int_eq(sample_run(raw), DRIVER_SAMPLE_PARTIAL);
	ck_assert_int_eq(ops->missing(run, 0, &error), 0);
	ck_assert_int_eq(ops->missing(run, 2, &error), 0);
	ck_assert_int_eq(ops->missing(run, 1, NULL), troubles[_i].expected);
	ret = ops->missing(run, 1, &error);
	ck_assert_int_eq(ret, troubles[_i].expected);
	ck_assert_int_eq(error.code, ret);
	ck_assert_ptr_nonnull(strstr(error.cause, troubles[_i].cause));
	ck_assert_ptr_nonnull(strstr(error.cause, sysfs));
	ck_assert_ptr_nonnull(strstr(error.remedy, troubles[_i].remedy));
	/* it answers again */
	script.ret[1] = 0;
	ck_assert_int_eq(sample_run(raw), 0);
	ck_assert_int_eq(ops->missing(run, 1, NULL), 0);
	ops->disarm(run);
}

TEST(domain, silence_is_told_at_the_start)
{
	begin_domain();
	arm_events(0, 3);
	script.ret[2] = -EINVAL;
	ck_assert_int_eq(ops->start(run, &error), -EIO);
	ck_assert_ptr_nonnull(strstr(error.cause, "sensor idle"));
	ops->disarm(run);
}

static const struct {
	const char *status; /* NULL: no such file */
	bool wakes, silent;
} states[] = {
	{ "active\n", true, false },	{ "suspended\n", true, true },
	{ "suspending\n", true, true }, { "resuming\n", true, false },
	{ "error\n", true, false },	{ "unsupported\n", true, false },
	{ NULL, true, false },		{ "suspended\n", false, false },
};

TEST_LOOP(domain, sleep_is_not_disturbed, ARRAY_SIZE(states))
{
	unsigned asked;
	uint64_t raw[3];

	if (states[_i].status)
		test_file_write(states[_i].status, "%s/power/runtime_status",
				sysfs);
	list[1].wakes = states[_i].wakes;
	begin_domain();
	arm_events(0, 3);
	start_run();
	asked = script.asked;
	ck_assert_uint_eq(asked, 3);
	ck_assert_int_eq(sample_run(raw),
			 states[_i].silent ? DRIVER_SAMPLE_PARTIAL : 0);
	ck_assert_uint_eq(script.asked - asked, states[_i].silent ? 2 : 3);
	if (states[_i].silent) {
		ck_assert_int_eq(ops->missing(run, 0, NULL), 0);
		ck_assert_int_eq(ops->missing(run, 1, &error), -ENODATA);
		ck_assert_ptr_nonnull(strstr(error.cause, "asleep"));
		ck_assert_ptr_nonnull(strstr(error.remedy, "power/control"));
		test_file_write("active\n", "%s/power/runtime_status", sysfs);
		ck_assert_int_eq(sample_run(raw), 0);
	}
	ops->disarm(run);
}

/* ------------------------------------------------------------------ */
/* i915                                                                 */

struct file {
	const char *name, *text;
};

struct event {
	const char *name;
	enum drmperf_unit unit;
	enum drmperf_kind kind;
	uint64_t value; /* of the first sample */
};

#define CARD "drm/card0/"
#define MHZ DRMPERF_UNIT_MEGAHERTZ
#define NOW DRMPERF_KIND_MOMENTARY
#define RC6 DRMPERF_UNIT_NANOSECONDS, DRMPERF_KIND_CUMULATIVE, 0

static const struct {
	const char *what;
	struct file files[24];
	struct event events[24];
} machines[] = {
	{ "an old kernel",
	  { { CARD "gt_act_freq_mhz", "300\n" },
	    { CARD "gt_cur_freq_mhz", "350\n" },
	    { CARD "gt_min_freq_mhz", "200\n" },
	    { CARD "gt_max_freq_mhz", "1150\n" },
	    { CARD "gt_boost_freq_mhz", "1150\n" },
	    { CARD "gt_RP0_freq_mhz", "1150\n" },
	    { CARD "gt_RP1_freq_mhz", "400\n" },
	    { CARD "gt_RPn_freq_mhz", "300\n" },
	    { CARD "power/rc6_residency_ms", "12345\n" } },
	  { { "act-freq", MHZ, NOW, 300 },
	    { "cur-freq", MHZ, NOW, 350 },
	    { "min-freq", MHZ, NOW, 200 },
	    { "max-freq", MHZ, NOW, 1150 },
	    { "boost-freq", MHZ, NOW, 1150 },
	    { "rp0-freq", MHZ, NOW, 1150 },
	    { "rp1-freq", MHZ, NOW, 400 },
	    { "rpn-freq", MHZ, NOW, 300 },
	    { "rc6-residency", RC6 } } },
	{ "one GT, whose own files go first",
	  { { CARD "gt_act_freq_mhz", "1\n" },
	    { CARD "gt/gt0/rps_act_freq_mhz", "300\n" },
	    { CARD "gt_cur_freq_mhz", "350\n" },
	    { CARD "power/rc6_residency_ms", "1\n" },
	    { CARD "gt/gt0/rc6_residency_ms", "4294967295\n" } },
	  { { "act-freq", MHZ, NOW, 300 },
	    { "cur-freq", MHZ, NOW, 350 },
	    { "rc6-residency", RC6 } } },
	{ "two GTs, of which the card has the sum",
	  { { CARD "gt_act_freq_mhz", "1\n" },
	    { CARD "gt_RP0_freq_mhz", "1\n" },
	    { CARD "gt/gt0/rps_act_freq_mhz", "300\n" },
	    { CARD "gt/gt1/rps_act_freq_mhz", "0\n" },
	    { CARD "gt/gt1/rps_RP0_freq_mhz", "1300\n" },
	    { CARD "gt/gt1/rc6_residency_ms", "7\n" } },
	  { { "act-freq-gt0", MHZ, NOW, 300 },
	    { "act-freq-gt1", MHZ, NOW, 0 },
	    { "rp0-freq-gt1", MHZ, NOW, 1300 },
	    { "rc6-residency-gt1", RC6 } } },
	{ "what makes no sense is not listed",
	  { { CARD "gt_act_freq_mhz", "300" },
	    { CARD "gt_cur_freq_mhz", "" },
	    { CARD "gt_min_freq_mhz", "fast\n" },
	    { CARD "gt_max_freq_mhz", "12 MHz\n" },
	    { CARD "gt_RP0_freq_mhz", "99999999999999999999\n" },
	    { CARD "gt_RP1_freq_mhz", "-5\n" },
	    { CARD "gt_RPn_freq_mhz", "18\n" } },
	  { { "rpn-freq", MHZ, NOW, 18 } } },
	{ "a discrete GPU",
	  { { CARD "gt/gt0/rc6_residency_ms", "7\n" },
	    { "hwmon/hwmon3/name", "i915\n" },
	    { "hwmon/hwmon3/energy1_input", "9\n" } },
	  { { "rc6-residency", RC6 },
	    { "energy", DRMPERF_UNIT_MICROJOULES, DRMPERF_KIND_CUMULATIVE,
	      0 } } },
	{ "nothing at all", { { "vendor", "0x8086\n" } }, { { 0 } } },
};

static void *device;

static void
set_up_machine(int number)
{
	const struct file *file = machines[number].files;

	set_up();
	for (; file->name; file++)
		test_file_write(file->text, "%s/%s", sysfs, file->name);
	ck_assert_int_eq(i915_sensor_driver.describe(&target, &description,
						     &device, &error),
			 0);
	if (description.domain_count)
		ops = description.domains[0].ops;
}

static void
tear_down_machine(void)
{
	i915_sensor_driver.release(device);
	description_finish(&description);
	test_folder_remove();
}

static void
arm_all(void)
{
	struct counter_request requests[24] = { 0 };

	for (size_t i = 0; i < description.event_count; i++)
		requests[i] = (struct counter_request){
			.selector = description.events[i].selector,
			.slots = SLOTS_ANY,
			.instance = ALL
		};
	ck_assert_int_eq(ops->arm(description.domains[0].device,
				  &(struct run_options){ 0 }, requests,
				  description.event_count, &run, &error),
			 0);
	start_run();
}

TEST_CASE(i915, NULL, NULL, "sensor");

TEST_LOOP(i915, i915_files_are_events, ARRAY_SIZE(machines))
{
	const struct event *event = machines[_i].events;
	uint64_t raw[24];
	size_t i;

	set_up_machine(_i);
	if (description.event_count) {
		arm_all();
		ck_assert_int_eq(sample_run(raw), 0);
		ops->disarm(run);
	}
	for (i = 0; i < description.event_count; i++, event++) {
		ck_assert_msg(event->name, "%s: %s too many", machines[_i].what,
			      description.events[i].name);
		ck_assert_str_eq(description.events[i].name, event->name);
		ck_assert_int_eq(description.events[i].unit, event->unit);
		ck_assert_int_eq(description.events[i].kind, event->kind);
		ck_assert_uint_eq(raw[i], event->value);
	}
	ck_assert_msg(!event->name, "%s: %s is missing", machines[_i].what,
		      event->name);
	tear_down_machine();
}

TEST(i915, i915_residency_is_in_ns)
{
	uint64_t raw[24];

	set_up_machine(1);
	arm_all();
	ck_assert_int_eq(sample_run(raw), 0);
	test_file_write("2\n", "%s/" CARD "gt/gt0/rc6_residency_ms", sysfs);
	ck_assert_int_eq(sample_run(raw), 0);
	ck_assert_uint_eq(raw[2], 3000000);
	ops->disarm(run);
	tear_down_machine();
}

/* The kernel lets a GPU sleep ten seconds after its last use. */
TEST_LOOP(i915, i915_gpu_can_sleep_between_readings, ARRAY_SIZE(machines))
{
	set_up_machine(_i);
	for (size_t i = 0; i < description.event_count; i++) {
		const struct sensors *all = description.domains[0].device;
		const struct sensor *sensor = &all->list[i];

		if (sensor->kind == DRMPERF_KIND_CUMULATIVE)
			ck_assert_uint_gt(sensor->keep_ms, 10000);
		else
			ck_assert_uint_eq(sensor->keep_ms, 0);
	}
	tear_down_machine();
}

TEST(i915, i915_files_go)
{
	uint64_t raw[24];
	char path[256], other[256];

	set_up_machine(0);
	arm_all();
	ck_assert_int_eq(sample_run(raw), 0);
	snprintf(path, sizeof(path), "%s/" CARD "gt_cur_freq_mhz", sysfs);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(sample_run(raw), DRIVER_SAMPLE_PARTIAL);
	for (size_t i = 0; i < 24 && !ops->missing(run, i, &error); i++)
		;
	ck_assert_int_eq(error.code, -EIO);
	ck_assert_ptr_nonnull(strstr(error.cause, "cur-freq"));
	snprintf(path, sizeof(path), "%s/drm", sysfs);
	snprintf(other, sizeof(other), "%s/gone", sysfs);
	ck_assert_int_eq(rename(path, other), 0);
	ck_assert_int_eq(sample_run(raw), DRIVER_SAMPLE_PARTIAL);
	ck_assert_int_eq(ops->missing(run, 0, NULL), -ENODEV);
	ops->disarm(run);
	tear_down_machine();
}
