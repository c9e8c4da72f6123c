/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GPUs from Tiger Lake to Arrow Lake, which i915 or xe drives: two of a kind in
 * one machine, one under each driver. Both have the same metric sets and
 * counters, and each of them counts the same per tick of the OA timestamp; that
 * i915's are right is what test_i915_exact shows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/suite.h"

#define EVENTS_MAX 256
#define ADVANCE_NS UINT64_C(23456789)

enum driver {
	I915,
	XE,
	DRIVERS
};

static const char *const names[DRIVERS] = { "i915", "xe" };

/* What there is, as the tables have it; media sets are among the sets. */
static const struct kind {
	const char *gpu;
	unsigned sets, media_sets;
} kinds[] = {
	{ "tglgt1", 24, 0 },   { "tglgt2", 27, 0 },  { "rkl", 24, 0 },
	{ "dg1", 27, 0 },      { "adl", 27, 0 },     { "adls", 17, 0 },
	{ "adln", 17, 0 },     { "acmgt1", 345, 0 }, { "acmgt2", 521, 0 },
	{ "acmgt3", 1043, 0 }, { "mtlgt2", 166, 3 }, { "mtlgt3", 254, 3 },
	{ "arlgt1", 165, 3 },  { "arlgt2", 270, 3 },
};

/* A set's events on one of the two GPUs; the first is the raw TIME. */
struct counted {
	struct drmperf_selection selections[EVENTS_MAX];
	union drmperf_value values[EVENTS_MAX];
	size_t count;
	struct drmperf_session *session;
};

static struct drmperf_device *
find_device(enum driver driver)
{
	for (unsigned i = 0; i < drmperf_device_count(counting.drmperf); i++) {
		struct drmperf_device *device =
			drmperf_device_at(counting.drmperf, i);

		if (strcmp(drmperf_device_driver(device), names[driver]))
			continue;
		counting_succeeded(
			drmperf_device_open(device, &counting.error));
		return device;
	}
	ck_abort_msg("no GPU of %s", names[driver]);
}

static bool
is_of_oa(const struct drmperf_group *group)
{
	return !strncmp(drmperf_group_domain(group), "oa", 2) &&
	       strcmp(drmperf_group_name(group), "oa") != 0 &&
	       strcmp(drmperf_group_name(group), "oam") != 0 &&
	       strcmp(drmperf_group_name(group), "report") != 0;
}

static bool
is_of_media(const struct drmperf_group *group)
{
	return !strcmp(drmperf_group_domain(group), "oam");
}

static const struct drmperf_group *
find_group(const struct drmperf_device *device, const char *name)
{
	for (size_t i = 0; i < drmperf_group_count(device); i++) {
		const struct drmperf_group *group = drmperf_group_at(device, i);

		if (!strcmp(drmperf_group_name(group), name))
			return group;
	}
	ck_abort_msg("no set %s", name);
}

static const char *
counter_of(const struct counted *counted, size_t i)
{
	return strchr(drmperf_event_name(counted->selections[i].event), '.') +
	       1;
}

static void
add_event(struct counted *counted, enum driver driver, const char *set,
	  const char *counter)
{
	char name[160];

	snprintf(name, sizeof(name), "%s::%s.%s", names[driver], set, counter);
	ck_assert_uint_lt(counted->count, EVENTS_MAX);
	counted->selections[counted->count] = counting_find(name);
	counted->count++;
}

/* Select all events of the group but the age of reports. */
static void
select_events(struct counted *counted, enum driver driver,
	      const struct drmperf_device *device,
	      const struct drmperf_group *group)
{
	const size_t first = drmperf_group_first_event(group);

	counted->count = 0;
	add_event(counted, driver, drmperf_group_name(group), "TIME");
	for (size_t i = 0; i < drmperf_group_event_count(group); i++) {
		const struct drmperf_event *event =
			drmperf_event_at(device, first + i);
		const char *name = strchr(drmperf_event_name(event), '.') + 1;

		if (strcmp(name, "ReportAge") != 0)
			add_event(counted, driver, drmperf_group_name(group),
				  name);
	}
}

static void
begin_counting(struct counted *counted)
{
	counting_succeeded(drmperf_session_create(
		counting.drmperf, counted->selections, counted->count, NULL,
		&counted->session, &counting.error));
	counting_run(counted->session);
}

static void
end_counting(struct counted *counted)
{
	counting_read(counted->session, counted->values);
	drmperf_session_destroy(counted->session);
}

/*
 * Compare what the two say of an event; ticks are those in which each has
 * counted.
 */
static void
compare_event(const struct counted counted[DRIVERS], size_t i)
{
	const struct drmperf_event *event = counted[I915].selections[i].event;
	const char *name = drmperf_event_name(event);
	const double ticks[DRIVERS] = { (double)counted[I915].values[0].u64,
					(double)counted[XE].values[0].u64 };
	const bool is_double = drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE;
	double value[DRIVERS], slack = 1e-6;

	for (enum driver d = I915; d < DRIVERS; d++)
		value[d] = is_double ? counted[d].values[i].f64
				     : (double)counted[d].values[i].u64;
	if (isnan(value[I915]) && isnan(value[XE]))
		return;
	if (drmperf_event_kind(event) == DRMPERF_KIND_CUMULATIVE) {
		value[XE] *= ticks[I915] / ticks[XE];
		slack = 2; /* both are rounded down */
	} else {
		slack += 1e-6 * fabs(value[I915]) + !is_double;
	}
	ck_assert_msg(fabs(value[I915] - value[XE]) <= slack,
		      "%s: %.17g under i915, %.17g under xe", name, value[I915],
		      value[XE]);
}

/*
 * Check the time of media, by a timestamp that each driver has at its own rate.
 */
static void
check_time(const struct counted *counted)
{
	for (size_t i = 0; i < counted->count; i++) {
		if (strcmp(counter_of(counted, i), "GpuTime"))
			continue;
		ck_assert_msg(counted->values[i].u64 >= ADVANCE_NS &&
				      counted->values[i].u64 <
					      ADVANCE_NS + ADVANCE_NS / 2,
			      "%s: %llu ns",
			      drmperf_event_name(counted->selections[i].event),
			      (unsigned long long)counted->values[i].u64);
		return;
	}
	ck_abort_msg("no GpuTime");
}

static void
compare_events(const struct counted counted[DRIVERS])
{
	ck_assert_uint_eq(counted[I915].count, counted[XE].count);
	for (size_t i = 0; i < counted[I915].count; i++) {
		const struct drmperf_event *ours =
			counted[XE].selections[i].event;
		const struct drmperf_event *theirs =
			counted[I915].selections[i].event;

		ck_assert_str_eq(counter_of(&counted[XE], i),
				 counter_of(&counted[I915], i));
		ck_assert_int_eq(drmperf_event_unit(ours),
				 drmperf_event_unit(theirs));
		ck_assert_int_eq(drmperf_event_type(ours),
				 drmperf_event_type(theirs));
	}
}

static void
check_set(struct drmperf_device *const devices[DRIVERS],
	  const struct drmperf_group *group, bool is_counted)
{
	static struct counted counted[DRIVERS];
	const char *set = drmperf_group_name(group);

	select_events(&counted[I915], I915, devices[I915], group);
	select_events(&counted[XE], XE, devices[XE],
		      find_group(devices[XE], set));
	compare_events(counted);
	if (!is_counted)
		return;
	for (enum driver d = I915; d < DRIVERS; d++)
		begin_counting(&counted[d]);
	ck_assert_int_eq(drmsim_advance(ADVANCE_NS), 0);
	for (enum driver d = I915; d < DRIVERS; d++)
		end_counting(&counted[d]);
	if (is_of_media(group)) {
		for (enum driver d = I915; d < DRIVERS; d++)
			check_time(&counted[d]);
		return;
	}
	for (size_t i = 1; i < counted[I915].count; i++)
		compare_event(counted, i);
}

TEST_CASE(all, NULL, NULL, "xe_older");

/* All sets are compared, some are counted. */
TEST(all, both_drivers_count_the_same)
{
	struct drmperf_device *devices[DRIVERS];
	const struct kind *kind = NULL;
	const unsigned step = test_step(8);
	unsigned sets = 0, media_sets = 0;

	counting_begin();
	for (enum driver d = I915; d < DRIVERS; d++)
		devices[d] = find_device(d);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kinds[i].gpu,
			    drmperf_device_generation(devices[XE])))
			kind = &kinds[i];
	}
	ck_assert_ptr_nonnull(kind);
	for (size_t i = 0; i < drmperf_group_count(devices[I915]); i++) {
		const struct drmperf_group *group =
			drmperf_group_at(devices[I915], i);

		if (!is_of_oa(group))
			continue;
		check_set(devices, group, sets % step == 0);
		sets++;
		media_sets += is_of_media(group);
	}
	printf("%s: %u sets\n", kind->gpu, sets);
	fflush(stdout);
	ck_assert_uint_eq(sets, kind->sets);
	ck_assert_uint_eq(media_sets, kind->media_sets);
	counting_end();
}

#define MACHINE(gpu)                                                           \
	TEST_MACHINE("xe_older", "--gpu", gpu, "--gpu", gpu ",driver=xe",      \
		     "--time", "virtual")

MACHINE("tglgt1");
MACHINE("tglgt2");
MACHINE("rkl");
MACHINE("dg1");
MACHINE("adl");
MACHINE("adls");
MACHINE("adln");
MACHINE("acmgt1");
MACHINE("acmgt2");
MACHINE("acmgt3");
MACHINE("mtlgt2");
MACHINE("mtlgt3");
MACHINE("arlgt1");
MACHINE("arlgt2");
