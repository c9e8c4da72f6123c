/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metric sets that are put together from what is asked for, on simulated GPUs
 * in real time, whose counters follow their selectors. What published sets
 * count is the measure.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/intel/oa/pec.h"
#include "drmperf.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/oa/timed.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define EVENTS_MAX 96

/* ------------------------------------------------------------------ */
/* Registers                                                            */

static const struct {
	struct pec_event event;
	uint64_t places;
} kinds[] = {
	{ { .selector = 0x1801 }, 0xffffffff },
	{ { .selector = 0x601 }, 0xffffffff },
	{ { .selector = 0x60f, .stage = 0x60 }, 0x1fff80 },
	{ { .selector = 0x5a00, .upper = true }, UINT64_C(0xffffffff) << 32 },
};

TEST_CASE(whole, timed_set_up, timed_tear_down, "compose_whole");

TEST_LOOP(whole, registers_say_what_is_counted, ARRAY_SIZE(kinds))
{
	const struct pec_event *event = &kinds[_i].event;
	struct pec_event events[PEC_COUNT] = { 0 };
	struct oa_config config;

	ck_assert_uint_eq(pec_places(event), kinds[_i].places);
	for (unsigned pec = 0; pec < PEC_COUNT; pec++) {
		if (kinds[_i].places >> pec & 1)
			events[pec] = *event;
		events[pec].upper = pec >= PEC_COUNT / 2;
	}
	ck_assert_int_eq(pec_compose(events, &config), 0);
	/* two words for 32 counters, and three times two for 32 */
	ck_assert_uint_eq(config.boolean.count, 256);
	ck_assert_uint_eq(config.flex.count, 7);
	for (unsigned pec = 0; pec < PEC_COUNT; pec++) {
		const struct pec_event is = pec_event_of(&config, pec);

		ck_assert_msg(pec_event_equals(&is, &events[pec]), "PEC%u",
			      pec);
	}
	oa_config_free(&config);
}

/* ------------------------------------------------------------------ */
/* Counts that agree                                                    */

static void
find_event(const char *set, const char *name, struct drmperf_selection *out)
{
	char full[256];

	snprintf(full, sizeof(full), "xe::%s.%s", set, name);
	ck_assert_msg(!drmperf_event_find(counting.drmperf, full, out,
					  &counting.error),
		      "%s: %s", full, counting.error.cause);
}

static size_t
event_count(void)
{
	struct drmperf_device *device = drmperf_device_at(counting.drmperf, 0);

	counting_succeeded(drmperf_device_open(device, &counting.error));
	return drmperf_event_count(device);
}

static const struct drmperf_event *
event_at(size_t i)
{
	return drmperf_event_at(drmperf_device_at(counting.drmperf, 0), i);
}

/* Return the short names of a set's events that add up or are an average. */
static size_t
names_of(const char *set, const char **names)
{
	const size_t events = event_count();
	char prefix[64];
	size_t found = 0;

	snprintf(prefix, sizeof(prefix), "xe::%s.", set);
	for (size_t i = 0; i < events; i++) {
		const struct drmperf_event *event = event_at(i);
		const char *name = drmperf_event_name(event);

		if (strncmp(name, prefix, strlen(prefix)) ||
		    drmperf_event_kind(event) == DRMPERF_KIND_MOMENTARY ||
		    strstr(name, ".GpuTime"))
			continue;
		ck_assert_uint_lt(found, EVENTS_MAX - 1);
		names[found++] = name + strlen(prefix);
	}
	return found;
}

/* Return what an event counted, in a nanosecond if it adds up. */
static double
rate_of(const struct drmperf_event *event, union drmperf_value value, double ns)
{
	double number = drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE
				? value.f64
				: (double)value.u64;

	return drmperf_event_kind(event) == DRMPERF_KIND_CUMULATIVE
		       ? number / ns
		       : number;
}

static void
count_rates(const char *set, const char *const *names, size_t count,
	    double *rates)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .read = DRMPERF_READ_FENCED
	};
	struct drmperf_selection selections[EVENTS_MAX];
	union drmperf_value values[EVENTS_MAX];
	struct drmperf_session *session;

	for (size_t i = 0; i < count; i++)
		find_event(set, names[i], &selections[i]);
	find_event(set, "GpuTime", &selections[count]);
	ck_assert_msg(!drmperf_session_create(counting.drmperf, selections,
					      count + 1, &options, &session,
					      &counting.error),
		      "%s: %s", set, counting.error.cause);
	counting_run(session);
	timed_sleep(4 * MS);
	counting_read(session, values);
	drmperf_session_destroy(session);
	ck_assert_uint_gt(values[count].u64, 0);
	for (size_t i = 0; i < count; i++)
		rates[i] = rate_of(selections[i].event, values[i],
				   (double)values[count].u64);
}

/*
 * Check what passed between two reports: it may be a count more or less, of
 * which there are some thousands; of clocks there are millions.
 */
static void
check_set(const char *set)
{
	double want[EVENTS_MAX], is[EVENTS_MAX];
	const char *names[EVENTS_MAX];
	size_t count = names_of(set, names), moved = 0;

	ck_assert_uint_gt(count, 3);
	count_rates(set, names, count, want);
	count_rates("Composed", names, count, is);
	for (size_t i = 0; i < count; i++) {
		moved += want[i] != 0;
		ck_assert_msg(fabs(is[i] - want[i]) <=
				      1e-3 * fabs(want[i]) + 1e-5,
			      "%s.%s: %g, composed %g", set, names[i], want[i],
			      is[i]);
	}
	ck_assert_uint_gt(2 * moved, count);
}

/* Return how many sets of shaders a platform has. */
static unsigned
published_sets(void)
{
	static const struct {
		const char *platform;
		unsigned sets;
	} known[] = { { "lnl", 12 },
		      { "bmg", 12 },
		      { "ptl", 12 },
		      { "nvlp", 13 },
		      { "cri", 5 } };
	const char *platform = drmperf_device_generation(
		drmperf_device_at(counting.drmperf, 0));

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (!strcmp(known[i].platform, platform))
			return known[i].sets;
	}
	return 0;
}

TEST_CASE(part, timed_set_up, timed_tear_down, "compose_part");

/* A set's events need no more room than the set, and count the same. */
TEST(whole, counts_as_published)
{
	static const char basic[] = ".GpuTime";
	const size_t events = event_count();
	unsigned sets = 0;

	for (size_t i = 0; i < events; i++) {
		const char *name = drmperf_event_name(event_at(i)) + 4;
		const char *end = strstr(name, basic);
		char set[64];

		/* those of other units are not composed */
		if (!end || !strncmp(name, "Media", 5) ||
		    !strncmp(name, "Mert", 4) || !strncmp(name, "oa", 2) ||
		    !strncmp(name, "Composed", 8))
			continue;
		snprintf(set, sizeof(set), "%.*s", (int)(end - name), name);
		check_set(set);
		sets++;
	}
	ck_assert_uint_eq(sets, published_sets());
}
TEST_ALSO(part, counts_as_published, 1);

/* What no published set has together. */
#define ACROSS_SETS                                                            \
	NAMES("xe::oa.GpuCoreClocks", "xe::oa.TEST_EVENT1_CYCLES_XECORE0",     \
	      "xe::oa.XVE_INST_EXECUTED_FP16",                                 \
	      "xe::oa.GPGPU_THREADGROUP_COUNT")
#define SAME_IN_OTHER_ORDER                                                    \
	NAMES("xe::oa.GPGPU_THREADGROUP_COUNT",                                \
	      "xe::oa.XVE_INST_EXECUTED_FP16",                                 \
	      "xe::oa.TEST_EVENT1_CYCLES_XECORE0", "xe::oa.GpuCoreClocks")

TEST(whole, counts_across_sets)
{
	struct drmperf_session *session = timed_fenced(ACROSS_SETS);
	union drmperf_value values[4];

	counting_run(session);
	timed_sleep(4 * MS);
	counting_read(session, values);
	ck_assert_uint_gt(values[0].u64, 0);
	ck_assert_uint_eq(values[1].u64, values[0].u64);
	ck_assert_uint_gt(values[2].u64, 0);
	ck_assert_uint_gt(values[3].u64, 0);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* What the kernel and others see                                       */

/* Return how many sets of ours the kernel has. */
static unsigned
count_loaded(void)
{
	DIR *folder = opendir("/sys/class/drm/card0/metrics");
	struct dirent *entry;
	unsigned count = 0;

	ck_assert_ptr_nonnull(folder);
	while ((entry = readdir(folder)))
		count += !strncmp(entry->d_name, "c0e05e70", 8);
	closedir(folder);
	return count;
}

TEST(whole, nothing_is_left_in_the_kernel)
{
	struct drmperf_session *session = timed_fenced(ACROSS_SETS);
	union drmperf_value values[4];

	counting_run(session);
	ck_assert_uint_eq(count_loaded(), 0);
	counting_read(session, values);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(count_loaded(), 0);
}

/* In this process, and in another one that shares the stream. */
TEST(whole, same_events_are_shared)
{
	struct drmperf_session *session = timed_fenced(ACROSS_SETS);
	struct drmperf_session *same = timed_fenced(SAME_IN_OTHER_ORDER);
	union drmperf_value values[4];
	pid_t child;

	counting_run(session);
	counting_run(same);
	counting_read(same, values);
	child = fork();
	if (!child) {
		counting_begin();
		same = counting_session(SAME_IN_OTHER_ORDER);
		child_end(drmperf_session_start(same, NULL) ||
			  drmperf_session_read(same, values, NULL, NULL, NULL));
	}
	child_join(child);
	drmperf_session_destroy(same);
	drmperf_session_destroy(session);
}

TEST(whole, other_events_are_refused)
{
	struct drmperf_session *session = timed_fenced(ACROSS_SETS);
	struct drmperf_session *other =
		timed_fenced(NAMES("xe::Composed.IA_VERTEX"));

	counting_run(session);
	counting_failed(drmperf_session_start(other, &counting.error), -EBUSY,
			"composed of other events", "at once");
	drmperf_session_destroy(other);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* When it is asked for                                                 */

static const struct {
	const char *text; /* of DRMPERF_COMPOSE */
	int ret; /* of a look-up */
} settings[] = {
	{ NULL, -ENOENT },
	{ "", -ENOENT },
	{ "0", -ENOENT },
	{ "1", 0 },
};

TEST_LOOP(whole, only_on_demand, ARRAY_SIZE(settings))
{
	struct drmperf_selection selection;

	if (settings[_i].text)
		setenv("DRMPERF_COMPOSE", settings[_i].text, 1);
	else
		unsetenv("DRMPERF_COMPOSE");
	counting_end();
	counting_begin();
	ck_assert_int_eq(drmperf_event_find(counting.drmperf,
					    "xe::Composed.IA_VERTEX",
					    &selection, NULL),
			 settings[_i].ret);
	setenv("DRMPERF_COMPOSE", "1", 1);
}

TEST(whole, what_is_neither_is_told)
{
	struct drmperf_device *device;

	setenv("DRMPERF_COMPOSE", "2", 1);
	counting_end();
	counting_begin();
	device = drmperf_device_at(counting.drmperf, 0);
	drmperf_device_open(device, &counting.error);
	counting_failed(drmperf_device_status(device, &counting.error), -EINVAL,
			"DRMPERF_COMPOSE is \"2\"", "set it to 1");
	setenv("DRMPERF_COMPOSE", "1", 1);
}

TEST_MACHINE("compose_whole", "--gpu", "bmg");
TEST_MACHINE("compose_part", "--gpu", "lnl");
TEST_MACHINE("compose_part", "--gpu", "ptl");
TEST_MACHINE("compose_part", "--gpu", "nvlp");
TEST_MACHINE("compose_part", "--gpu", "cri");

TEST_MACHINE_OPTION(in_time, true);

TEST_SETTING(DRMPERF_COMPOSE, "1");
