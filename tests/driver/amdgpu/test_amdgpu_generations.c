/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The amdgpu driver on a simulated GPU of every generation, in virtual time:
 * events of every block come out exactly in every instance, every metric can
 * be counted, and the GPU is left as it was, however counting ends.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/driver/counting.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/driver/described.h"
#include "tests/support/folder.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define MOST_INSTANCES 256
#define MOST_SLOTS 16
#define MOST_MACHINES 32

/* ------------------------------------------------------------------ */
/* The GPU behind the driver's seam                                     */

static bool is_gfx10;

static void
set_up(void)
{
	gpu_open();
	is_gfx10 = !strncmp(gpu.description.generation, "gfx10", 5);
}

/*
 * Check that nothing was done wrong, and the registers are as they were. The
 * clock bit of gfx10 is set by the kernel at the end of a stable power state
 * (Linux gfx_v10_0.c, update_perfmon_mgcg).
 */
static void
check_report(void)
{
	char *rest = scene_report(), *line;

	while ((line = strsep(&rest, "\n"))) {
		ck_assert_msg(strncmp(line, "violation", 9), "%s", line);
		if (strncmp(line, "state ", 6))
			continue;
		ck_assert_msg(strstr(line, "grbm_gfx_index=0xe0000000 ") &&
				      strstr(line, "counters=stopped ") &&
				      strstr(line, "pstate=0 "),
			      "%s", line);
		ck_assert_msg(strstr(line, "clock_bit=0 ") || is_gfx10, "%s",
			      line);
	}
}

static void
tear_down(void)
{
	gpu_close();
	check_report();
}

TEST_CASE(driver, set_up, tear_down, "amdgpu_generations");

/* ------------------------------------------------------------------ */
/* Every block                                                          */

static struct counter_request
request_event(const struct description_event *event)
{
	return (struct counter_request){
		.group = event->group,
		.selector = event->selector,
		.setting = event->setting,
		.slots = event->slots,
		.instance = ALL,
	};
}

static bool
requests_fit(const struct counter_request *requests, size_t count)
{
	struct drmperf_error error;
	void *run;

	if (gpu_try_arm(requests, count, &run, &error))
		return false;
	gpu.ops->disarm(run);
	return true;
}

/* Return whether it is one of those that count the clock. */
static bool
is_clock(const struct description_event *event)
{
	static const char *const names[] = { "ALWAYS_COUNT", "CYCLE",
					     "CYCLES" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(event->name, names[i]))
			return true;
	return false;
}

/*
 * Fill in the group's last events, as many as it has counters, the last ones
 * first.
 */
static unsigned
fill_requests(group_index group, struct counter_request *requests)
{
	unsigned most = gpu.description.groups[group].max_active, count = 0;

	for (size_t i = gpu.description.event_count; i-- > 0 && count < most;) {
		const struct description_event *event =
			&gpu.description.events[i];

		/* by the simulator's formula */
		if (event->group != group || event->follows ||
		    event->expression || !event->selector || is_clock(event))
			continue;
		requests[count] = request_event(event);
		if (requests_fit(requests, count + 1))
			count++;
	}
	return count;
}

/*
 * Count the units that are fused off. Where there are several dies, all compute
 * units that there can be are read: of the 40 of MI300 two are fused off in the
 * simulator, of the 36 of MI350 four.
 */
static unsigned
count_fused_off(const struct description_group *group)
{
	if (group->dies < 2 ||
	    (strcmp(group->name, "TA") && strcmp(group->name, "TCP") &&
	     strcmp(group->name, "TD")))
		return 0;
	return group->instances == 40 ? 2 : 4;
}

/*
 * Check the values. An event gains 1000 * (1 + instance + 256 * event + 262144
 * * block) a second. Blocks and instances have the simulator's numbers:
 * fused-off instances have one as well, so those of a group rise, and are the
 * same for every event.
 */
static void
check_values(const struct description_group *group,
	     const struct counter_request *requests, unsigned count,
	     const uint64_t *values)
{
	uint64_t block = values[0] / 10 / 262144;
	uint64_t numbers[MOST_INSTANCES];

	for (unsigned i = 0; i < count; i++) {
		unsigned fused_off = count_fused_off(group);

		for (unsigned k = 0; k < group->instances; k++) {
			uint64_t value = *values++;
			uint64_t rest = value / 10 - 1 - 262144 * block -
					256 * requests[i].selector;

			if (!value && fused_off) {
				fused_off--;
				numbers[k] = k ? numbers[k - 1] + 1 : 0;
				continue;
			}
			if (!i)
				numbers[k] = rest;
			ck_assert_msg(value % 10 == 0 && rest == numbers[k] &&
					      rest < MOST_INSTANCES &&
					      (!k || rest > numbers[k - 1]),
				      "%s event %u instance %u: %" PRIu64
				      " (rest %" PRIu64 ")",
				      group->name, requests[i].selector, k,
				      value, rest);
		}
		ck_assert_msg(!fused_off, "%s event %u: %u more count",
			      group->name, requests[i].selector, fused_off);
	}
}

TEST(driver, every_block_of_a_generation_counts)
{
	struct counter_request requests[MOST_SLOTS + 1];

	for (group_index g = 0; g < gpu.description.group_count; g++) {
		const struct description_group *group =
			&gpu.description.groups[g];
		unsigned count;
		void *run;

		if (!group->max_active)
			continue;
		ck_assert_uint_le(group->max_active, MOST_SLOTS);
		ck_assert_uint_le(group->instances, MOST_INSTANCES);
		count = fill_requests(g, requests);
		ck_assert_msg(count, "%s", group->name);
		run = gpu_begin(requests, count);
		scene_pass(10 * MS);
		gpu_sample(run);
		gpu_end(run);
		check_values(group, requests, count, gpu_now);
	}
}

/* ------------------------------------------------------------------ */
/* However it ends                                                      */

/*
 * Return a request that counts in every instance, of the first block with
 * several.
 */
static struct counter_request
any_request(void)
{
	for (size_t i = 0; i < gpu.description.event_count; i++) {
		const struct description_event *event =
			&gpu.description.events[i];

		if (event->selector && !event->expression && !event->follows &&
		    gpu.description.groups[event->group].instances > 1)
			return request_event(event);
	}
	ck_abort_msg("no block has instances");
	return (struct counter_request){ 0 };
}

static void
count_exactly(const struct counter_request *asked)
{
	void *run = gpu_begin(asked, 1);

	scene_pass(10 * MS);
	gpu_sample(run);
	gpu_end(run);
	check_values(&gpu.description.groups[asked->group], asked, 1, gpu_now);
}

/* In virtual time, the child has counted when it says so. */
TEST(driver, a_killed_process_leaves_a_gpu_that_counts)
{
	struct counter_request asked = any_request();
	struct child child;

	if (child_fork(&child)) {
		set_up();
		gpu_begin(&asked, 1);
		scene_pass(MS);
		child_hold(&child);
	}
	child_kill(child_await_hold(&child));
	count_exactly(&asked);
}

TEST(driver, a_reset_ends_a_run_until_the_next)
{
	struct counter_request asked = any_request();
	struct drmperf_error error = { 0 };
	void *run = gpu_begin(&asked, 1);

	scene_pass(MS);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	scene_pass(MS);
	/* dead until it is stopped */
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(gpu_try_sample(run, &error), -ECANCELED);
	gpu_end(run);
	count_exactly(&asked);
}

/* New counters come and go beside one that counts on. */
TEST(driver, counters_change_beside_one_that_counts_on)
{
	struct counter_request requests[MOST_SLOTS + 1], first = any_request();
	void *run = gpu_begin(&first, 1);
	unsigned count;

	scene_pass(4 * MS);
	gpu_sample(run);
	count = 1;
	requests[0] = first;
	for (group_index g = 0; g < gpu.description.group_count && count < 8;
	     g++) {
		for (size_t i = 0; i < gpu.description.event_count; i++) {
			const struct description_event *event =
				&gpu.description.events[i];

			if (event->group == g && g != first.group &&
			    event->selector && !event->expression &&
			    !event->follows) {
				requests[count++] = request_event(event);
				break;
			}
		}
	}
	gpu_change(run, requests, count);
	scene_pass(6 * MS);
	gpu_sample(run);
	check_values(&gpu.description.groups[first.group], &first, 1, gpu_now);
	gpu_change(run, &first, 1);
	gpu_end(run);
}

/* A chip that is known, of a generation without a table. */
TEST(driver, a_generation_without_a_table_is_refused)
{
	char text[4096];
	const char *const places[] = { test_folder };
	struct driver_target nowhere = gpu_target;
	struct drmperf_error error = { 0 };
	struct description other = { 0 };
	void *device;
	int size;

	size = sprintf(text, "<chips driver='amdgpu'>\n");
	for (int family = 120; family < 160; family++)
		size += sprintf(text + size,
				"<chip name='Some chip' family='%d' "
				"revisions='0x00-0xff' generation='gfx99'/>\n",
				family);
	strcpy(text + size, "</chips>\n");
	test_folder_make();
	test_file_write(text, "%s/amdgpu/chips.xml", test_folder);
	nowhere.tables.directories = places;
	ck_assert_int_eq(description_init(&other), 0);
	gpu_failed(amdgpu_driver.describe(&nowhere, &other, &device, &error),
		   -ENOTSUP, &error, "gfx99", "");
	ck_assert_ptr_nonnull(strstr(error.cause, "Some chip"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "amdgpu/gfx99.xml"));
	description_finish(&other);
	test_folder_remove();
}

/*
 * With a table of the user's, if only an empty one, all events are described
 * when the GPU is opened.
 */
TEST(driver, later_is_the_same)
{
	static const char text[] = "<events driver='amdgpu'/>";
	struct driver_target with_extra = gpu_target;
	struct drmperf_error error = { 0 };
	struct description now;
	const struct table *extra[1];
	struct table *table;
	size_t later = 0;
	void *device;

	ck_assert_int_eq(
		table_parse("none.xml", text, strlen(text), &table, &error), 0);
	extra[0] = table;
	with_extra.user_tables = extra;
	with_extra.user_table_count = 1;
	ck_assert_int_eq(description_init(&now), 0);
	ck_assert_msg(
		!amdgpu_driver.describe(&with_extra, &now, &device, &error),
		"%s", error.cause);
	for (size_t i = 0; i < now.group_count; i++) {
		ck_assert(!now.groups[i].describe);
		later += gpu.description.groups[i].describe != NULL;
	}
	ck_assert_uint_eq(later, gpu.description.group_count);
	described_alike(&now, &gpu.description);
	amdgpu_driver.release(device);
	description_finish(&now);
	table_destroy(table);
}

/* ------------------------------------------------------------------ */
/* The library above                                                    */

static void
setup_library(void)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .events_path = "events" };
	struct drmperf_device *gpu;

	ck_assert_int_eq(drmsim_command("clear", NULL, 0), 0);
	counting_begin_with(&options);
	gpu = drmperf_device_at(counting.drmperf, 0);
	counting_succeeded(drmperf_device_open(gpu, &counting.error));
	is_gfx10 = !strncmp(drmperf_device_generation(gpu), "gfx10", 5);
}

static void
teardown_library(void)
{
	counting_end();
	check_report();
}

TEST_CASE(library, setup_library, teardown_library, "amdgpu_generations");

static struct drmperf_session *
start_session(const struct drmperf_event *event)
{
	const struct drmperf_selection selection = { event, ALL };
	struct drmperf_session *session;
	struct drmperf_error error = { 0 };

	ck_assert_msg(!drmperf_session_create(counting.drmperf, &selection, 1,
					      NULL, &session, &error),
		      "%s: %s", drmperf_event_name(event), error.cause);
	ck_assert_msg(!drmperf_session_start(session, &error), "%s: %s",
		      drmperf_event_name(event), error.cause);
	return session;
}

static double
read_session(struct drmperf_session *session, const struct drmperf_event *event)
{
	struct drmperf_error error = { 0 };
	union drmperf_value value;

	ck_assert_msg(
		!drmperf_session_read(session, &value, NULL, NULL, &error),
		"%s: %s", drmperf_event_name(event), error.cause);
	return drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE
		       ? value.f64
		       : (double)value.u64;
}

/* All counters grow, so a metric of them is seldom nothing, or n/a. */
TEST(library, every_metric_has_a_value)
{
	struct drmperf_device *gpu = drmperf_device_at(counting.drmperf, 0);
	/* valgrind has seen enough then */
	size_t step = getenv("VALGRIND") ? 32 : 1;
	unsigned metrics = 0, zeros = 0;

	for (size_t i = 0; i < drmperf_event_count(gpu); i++) {
		const struct drmperf_event *event = drmperf_event_at(gpu, i);
		struct drmperf_session *session;
		struct drmperf_error error;
		double value;

		if (!drmperf_event_is_metric(event) || i % step)
			continue;
		session = start_session(event);
		scene_pass(10 * MS);
		value = read_session(session, event);
		ck_assert_msg(!isinf(value), "%s: %g",
			      drmperf_event_name(event), value);
		metrics++;
		zeros += value == 0 || isnan(value);
		ck_assert_int_eq(drmperf_session_stop(session, &error), 0);
		drmperf_session_destroy(session);
	}
	ck_assert_uint_ge(metrics * step, 24);
	/* of a few by chance many may be nothing */
	ck_assert_msg(step > 1 || zeros * 2 < metrics, "%u of %u", zeros,
		      metrics);
}

/* Two sessions share the hardware, each from its own beginning. */
TEST(library, two_sessions_share_the_counters)
{
	const struct drmperf_selection cycles =
		counting_find("amdgpu::GRBM.COUNT");
	struct drmperf_session *first, *second;

	first = start_session(cycles.event);
	scene_pass(30 * MS);
	second = start_session(cycles.event);
	scene_pass(10 * MS);
	ck_assert_double_eq(read_session(first, cycles.event),
			    4 * read_session(second, cycles.event));
	drmperf_session_destroy(second);
	drmperf_session_destroy(first);
}

static int
run_machines(void)
{
	char names[MOST_MACHINES][32];
	unsigned count = list_below_drmsim("amdgpu", names, MOST_MACHINES);
	int failed = !count;

	for (unsigned i = 0; i < count; i++) {
		const char *const options[] = { "--gpu", names[i], "--time",
						"virtual", NULL };
		const struct machine machine = { options,
						 "amdgpu_generations" };

		printf("%s: ", names[i]);
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
