/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of every AMD table, counted on every simulated AMD GPU: each has
 * exactly the value that follows from its block, its number and its instance,
 * alone and as a sum. What the values should be comes from model.c
 * and not from the library.
 *
 * A few hundred events of each GPU, always the same, and all of them with
 * CHECK_ALL in the environment (make check-all).
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
#include "tests/driver/amdgpu/model.h"
#include "tests/support/suite.h"
#include "tests/support/scene.h"

#define MOST_MACHINES 32
#define SAMPLE 300
/* Events of one plan. */
#define BATCH 96
#define GPU "AMDGPU_EXACT_GPU"

static struct drmperf_device *device;
static struct amdgpu_model model;

/*
 * Return whether all is checked: below valgrind that would take an hour, and
 * teach nothing more.
 */
static bool
checks_all(void)
{
	return getenv("CHECK_ALL") && !getenv("VALGRIND");
}

/* ------------------------------------------------------------------ */
/* The GPU                                                              */

/*
 * Set the rates of events that work or the clock makes count: they count by a
 * rate, too.
 */
static void
tell_rates(void)
{
	char text[80];

	for (size_t i = 0; i < model.special_count; i++) {
		const char *block = model.special[i].block;
		unsigned id = model.special[i].id;

		snprintf(text, sizeof(text), "%s.%u %llu", block, id,
			 amdgpu_model_rate(&model, block, id));
		ck_assert_msg(!drmsim_set("rate", text), "rate %s", text);
	}
}

static void
set_up(void)
{
	counting_begin();
	device = drmperf_device_at(counting.drmperf, 0);
	counting_succeeded(drmperf_device_open(device, &counting.error));
	amdgpu_model_read(&model, getenv(GPU),
			  drmperf_device_generation(device));
	tell_rates();
}

static void
tear_down(void)
{
	counting_end();
	amdgpu_model_free(&model);
	scene_assert_clean();
}

TEST_CASE(all, set_up, tear_down, "amdgpu_exact");

static const struct drmperf_group *
find_group(const char *name)
{
	const struct drmperf_group *group;

	for (size_t i = 0; (group = drmperf_group_at(device, i)); i++)
		if (!strcmp(drmperf_group_name(group), name))
			return group;
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Lists                                                                */

/* A block of the table is listed if the GPU has it, and with all its events. */
TEST(all, every_event_is_listed)
{
	const struct drmperf_group *of_event = NULL;
	size_t listed = 0, wanted = 0;
	const char *block = "";

	for (size_t i = 0; i < model.event_count; i++) {
		const struct model_event *event = &model.events[i];
		struct drmperf_selection selection;
		char name[160];

		snprintf(name, sizeof(name), "amdgpu::%s.%s", event->block,
			 event->name);
		/* events of a block follow each other */
		if (strcmp(block, event->block)) {
			block = event->block;
			of_event = find_group(block);
		}
		if (!of_event) {
			ck_assert_msg(!amdgpu_model_knows(&model, event->block),
				      "no group %s", event->block);
			continue;
		}
		wanted += !event->follows;
		ck_assert_msg(drmperf_event_find(counting.drmperf, name,
						 &selection, &counting.error) ==
				      (event->follows ? -ENOENT : 0),
			      "%s: %s", name, counting.error.cause);
	}
	for (size_t i = 0; i < drmperf_group_count(device); i++) {
		const struct drmperf_group *group = drmperf_group_at(device, i);

		if (amdgpu_model_block(&model, drmperf_group_name(group)))
			listed += drmperf_group_event_count(group);
	}
	ck_assert_uint_eq(listed, wanted);
	ck_assert_uint_gt(listed, 300);
}

/*
 * Return whether the event is named, among events of one number: an event of
 * ours may have been given a second name.
 */
static bool
is_named(const struct model_event *event, uint32_t id)
{
	return event->id == id && !event->follows;
}

static void
check_same_event(const struct drmperf_group *group, uint32_t id,
		 const struct drmperf_event *expected)
{
	const struct drmperf_event *event;

	counting_succeeded(
		drmperf_group_event(group, id, &event, &counting.error));
	ck_assert_ptr_eq(event, expected);
}

static void
check_id(const struct drmperf_group *group, const struct model_event *event)
{
	const struct drmperf_event *found = NULL;
	uint32_t id = ~UINT32_C(0), max = 0;
	int err = drmperf_group_find_id(group, event->id, &found,
					&counting.error);

	ck_assert_msg(!err, "%s.%s: %s", event->block, event->name,
		      counting.error.cause);
	ck_assert_int_eq(drmperf_event_id(found, &id), 0);
	ck_assert_msg(is_named(event, id), "%s.%s", event->block, event->name);
	ck_assert_ptr_eq(drmperf_event_group(found), group);
	ck_assert_int_eq(drmperf_group_max_id(group, &max), 0);
	ck_assert_uint_le(id, max);
	if (event->id == id)
		check_same_event(group, id, found);
}

/* Check a name of its own for each number that the table has none for. */
static void
check_unnamed(const struct drmperf_group *group)
{
	const struct drmperf_event *found, *event, *again;
	struct drmperf_selection selection;
	char name[80];
	uint32_t max, id, its;

	if (drmperf_group_max_id(group, &max))
		return;
	for (id = max; id && !drmperf_group_find_id(group, id, &found, NULL);)
		id--;
	counting_succeeded(
		drmperf_group_event(group, id, &event, &counting.error));
	ck_assert_int_eq(drmperf_event_id(event, &its), 0);
	ck_assert_uint_eq(its, id);
	counting_succeeded(
		drmperf_group_event(group, id, &again, &counting.error));
	ck_assert_ptr_eq(event, again);
	ck_assert_ptr_eq(drmperf_event_group(event), group);
	if (!drmperf_group_find_id(group, id, &found, NULL))
		return;
	snprintf(name, sizeof(name), "amdgpu::%s.%u", drmperf_group_name(group),
		 id);
	ck_assert_str_eq(drmperf_event_name(event), name);
	selection = counting_find(name);
	ck_assert_ptr_eq(selection.event, event);
}

TEST(all, events_are_found_by_number)
{
	const struct drmperf_event *found = NULL;
	const struct drmperf_group *group = find_group("GRBM");
	struct drmperf_hardware hardware = { .size = sizeof(hardware) };
	const char *block = "";
	uint32_t max;

	for (size_t i = 0; i < model.event_count; i++) {
		if (strcmp(block, model.events[i].block)) {
			block = model.events[i].block;
			group = find_group(block);
		}
		if (group && !model.events[i].follows)
			check_id(group, &model.events[i]);
	}
	for (size_t i = 0; (group = drmperf_group_at(device, i)); i++)
		check_unnamed(group);
	group = find_group("GRBM");
	ck_assert_int_eq(drmperf_group_max_id(group, &max), 0);
	ck_assert_int_eq(
		drmperf_group_find_id(group, max + 1, &found, &counting.error),
		-ENOENT);
	ck_assert_int_eq(
		drmperf_group_event(group, max + 1, &found, &counting.error),
		-ERANGE);
	ck_assert_ptr_null(found);
	group = find_group("metric");
	ck_assert_int_eq(drmperf_group_max_id(group, &max), -ENOTSUP);
	ck_assert_int_eq(
		drmperf_group_find_id(group, 0, &found, &counting.error),
		-ENOTSUP);
	ck_assert_int_eq(drmperf_group_event(group, 0, &found, &counting.error),
			 -ENOTSUP);
	ck_assert_int_eq(drmperf_device_hardware(device, &hardware), 0);
	if (model.has_shape)
		ck_assert_uint_eq(hardware.shader_engines, model.engines);
	hardware.size--;
	ck_assert_int_eq(drmperf_device_hardware(device, &hardware), -EINVAL);
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

struct batch {
	struct drmperf_selection selections[2 * BATCH];
	const struct model_event *events[2 * BATCH];
	size_t count;
};

static unsigned long long
expected_sum(const struct model_event *event, unsigned instances)
{
	unsigned long long sum = 0;

	for (unsigned i = 0; i < instances; i++)
		sum += amdgpu_model_count(&model, event, i);
	return sum;
}

static void
check_value(const struct drmperf_selection *selection,
	    const struct model_event *event, unsigned long long value)
{
	unsigned instances =
		drmperf_group_instances(drmperf_event_group(selection->event));
	unsigned long long expected;

	if (selection->instance == DRMPERF_ALL_INSTANCES)
		expected = expected_sum(event, instances);
	else
		expected = amdgpu_model_count(&model, event,
					      (unsigned)selection->instance);
	ck_assert_msg(value == expected,
		      "%s, instance %d of %u: %llu, not %llu",
		      drmperf_event_name(selection->event), selection->instance,
		      instances, value, expected);
}

/* Count one millisecond of what fits a pass. */
static void
count_pass(const struct drmperf_selection *selections, size_t count,
	   union drmperf_value *values)
{
	struct drmperf_session *session = NULL;

	counting_succeeded(drmperf_session_create(counting.drmperf, selections,
						  count, NULL, &session,
						  &counting.error));
	counting_succeeded(drmperf_session_start(session, &counting.error));
	ck_assert_int_eq(drmsim_advance(MS), 0);
	counting_succeeded(drmperf_session_read(session, values, NULL, NULL,
						&counting.error));
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	drmperf_session_destroy(session);
}

static void
count_batch(const struct batch *batch)
{
	struct drmperf_selection selections[2 * BATCH];
	union drmperf_value values[2 * BATCH];
	struct drmperf_plan *plan = NULL;
	size_t counted = 0;

	counting_succeeded(drmperf_plan_create(counting.drmperf,
					       batch->selections, batch->count,
					       NULL, &plan, &counting.error));
	for (size_t pass = 0; pass < drmperf_plan_passes(plan); pass++) {
		size_t count;
		const size_t *events =
			drmperf_plan_pass_events(plan, pass, &count);

		for (size_t i = 0; i < count; i++)
			selections[i] = batch->selections[events[i]];
		count_pass(selections, count, values);
		for (size_t i = 0; i < count; i++)
			check_value(&selections[i], batch->events[events[i]],
				    values[i].u64);
		counted += count;
	}
	ck_assert_uint_eq(counted, batch->count);
	drmperf_plan_destroy(plan);
}

/*
 * Add the sum of an event and, where there are several, one of its instances.
 */
static void
add_to_batch(struct batch *batch, const struct model_event *event)
{
	struct drmperf_selection selection;
	unsigned instances;
	char name[160];

	snprintf(name, sizeof(name), "amdgpu::%s.%s", event->block,
		 event->name);
	selection = counting_find(name);
	batch->events[batch->count] = event;
	batch->selections[batch->count++] = selection;
	instances = drmperf_event_instances(selection.event);
	if (instances < 2)
		return;
	selection.instance = (int)((event->id * 7 + 1) % instances);
	batch->events[batch->count] = event;
	batch->selections[batch->count++] = selection;
}

/*
 * Take the rank-th event of every block, then the next: what stands together
 * can count together. Returns whether there was any.
 */
static bool
take_rank(unsigned rank, unsigned step, struct batch *batch, size_t *counted)
{
	const char *block = "";
	unsigned at = 0;
	bool any = false;

	for (size_t i = 0; i < model.event_count; i++) {
		const struct model_event *event = &model.events[i];

		if (strcmp(event->block, block)) {
			block = event->block;
			at = 0;
		}
		if (event->follows || at++ != rank || !find_group(block))
			continue;
		any = true;
		if (rank % step)
			continue;
		add_to_batch(batch, event);
		++*counted;
		if (batch->count > 2 * BATCH - 2) {
			count_batch(batch);
			batch->count = 0;
		}
	}
	return any;
}

TEST(all, every_event_is_exact)
{
	unsigned step =
		checks_all() ? 1 : (unsigned)(model.event_count / SAMPLE);
	struct batch batch = { .count = 0 };
	size_t counted = 0;

	for (unsigned rank = 0;
	     take_rank(rank, step ? step : 1, &batch, &counted); rank++)
		;
	if (batch.count)
		count_batch(&batch);
	ck_assert_uint_ge(counted, checks_all() ? 400 : 100);
	printf("%s: %zu of %zu events counted\n", getenv(GPU), counted,
	       model.event_count);
	fflush(stdout);
}

/* ------------------------------------------------------------------ */
/* Machines                                                             */

static int
run_machines(void)
{
	char names[MOST_MACHINES][32];
	unsigned count = list_below_drmsim("amdgpu", names, MOST_MACHINES);
	int failed = !count;

	for (unsigned i = 0; i < count; i++) {
		char gpu[96];
		const char *options[] = { "--gpu", gpu, "--time", "virtual",
					  NULL };
		const struct machine machine = { options, "amdgpu_exact" };

		/*
		 * All registers that the tables name can be had, and the model
		 * is that of the first die.
		 */
		snprintf(gpu, sizeof(gpu),
			 "%.20s,copied-registers=work,die=any,"
			 "compute-ring=stays",
			 names[i]);
		setenv(GPU, names[i], 1);
		failed += below_drmsim(&machine, 1);
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int
main(void)
{
	/* those that have not been tested on hardware are right here */
	setenv("DRMPERF_DIES", "one", 1);
	setenv("DRMPERF_UNTESTED", "EA SDMA MC_VM_L2 SQ_WGP.WAVE_CYCLES", 1);
	if (!drmsim_is_present())
		return run_machines();
	return tests_run();
}
