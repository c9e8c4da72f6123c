/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What opening a device tells, and what it does where a driver fails.
 */
#include "device/device.h"
#include "tests/support/check.h"
#include "tests/device/made_up.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct drmperf_error error;

TEST_CASE(all, made_up_set_up, made_up_clean_up, "device_open");

TEST(all, a_device_is_opened_once)
{
	made_up.bridge_adds = true;
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), &error), 0);
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), &error), 0);
	ck_assert_int_eq(made_up.described, 1);
	ck_assert_int_eq(made_up.bridged, 1);
	ck_assert_str_eq(drmperf_device_chip(made_up_device(0)), "Red One");
	ck_assert_str_eq(drmperf_device_generation(made_up_device(0)), "red1");
	ck_assert_int_eq(drmperf_device_status(made_up_device(0), &error), 0);
	drmperf_destroy(made_up_drmperf);
	made_up_drmperf = NULL;
	ck_assert_int_eq(made_up.released, 2);
	ck_assert_int_eq(made_up.abandoned, 0);
}

static const struct {
	unsigned group, instance;
	size_t size;
	const char *name;
	int length;
} places[] = {
	{ 0, 2, 20, "se1.cu0", 7 },
	{ 0, 2, 4, "se1", 7 },
	{ 0, 3, 20, "?", -EINVAL },
	{ 2, 0, 20, "", 0 },
};

TEST(all, groups_of_opened)
{
	const struct drmperf_group *group;
	size_t i;

	made_up.bridge_adds = true;
	ck_assert(!drmperf_device_open(made_up_device(0), NULL));
	ck_assert_uint_eq(drmperf_group_count(made_up_device(0)), 3);
	ck_assert_ptr_null(drmperf_group_at(made_up_device(0), 3));
	group = drmperf_group_at(made_up_device(0), 0);
	ck_assert_str_eq(drmperf_group_name(group), "SQ");
	ck_assert_str_eq(drmperf_group_description(group), "A group.");
	ck_assert_str_eq(drmperf_group_domain(group), "gfx");
	ck_assert(!drmperf_group_is_exclusive(group));
	ck_assert_uint_eq(drmperf_group_max_active(group), 4);
	ck_assert_uint_eq(drmperf_group_instances(group), 3);
	ck_assert_uint_eq(drmperf_group_first_event(group), 0);
	ck_assert_uint_eq(drmperf_group_event_count(group), 2);
	group = drmperf_group_at(made_up_device(0), 2);
	ck_assert_str_eq(drmperf_group_domain(group), "pmu");
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		char text[20] = "?";

		group = drmperf_group_at(made_up_device(0), places[i].group);
		ck_assert_int_eq(
			drmperf_group_instance_name(group, places[i].instance,
						    text, places[i].size),
			places[i].length);
		ck_assert_str_eq(text, places[i].name);
	}
}

TEST(all, events_of_opened)
{
	const struct drmperf_event *event;

	made_up.bridge_adds = true;
	ck_assert(!drmperf_device_open(made_up_device(0), NULL));
	ck_assert_uint_eq(drmperf_event_count(made_up_device(0)), 5);
	ck_assert_ptr_null(drmperf_event_at(made_up_device(0), 5));
	event = drmperf_event_at(made_up_device(0), 0);
	ck_assert_str_eq(drmperf_event_name(event), "red::SQ.WAVES");
	ck_assert_str_eq(drmperf_event_description(event), "An event.");
	ck_assert_ptr_eq(drmperf_event_group(event),
			 drmperf_group_at(made_up_device(0), 0));
	ck_assert_ptr_eq(drmperf_event_device(event), made_up_device(0));
	ck_assert_int_eq(drmperf_event_unit(event), DRMPERF_UNIT_CYCLES);
	ck_assert_int_eq(drmperf_event_type(event), DRMPERF_TYPE_UINT64);
	ck_assert_int_eq(drmperf_event_kind(event), DRMPERF_KIND_CUMULATIVE);
	ck_assert_int_eq(drmperf_event_scope(event), DRMPERF_SCOPE_DEVICE);
	ck_assert_uint_eq(drmperf_event_instances(event), 3);
	ck_assert(!drmperf_event_is_metric(event));
	event = drmperf_event_at(made_up_device(0), 2);
	ck_assert_str_eq(drmperf_event_name(event), "red::metric.Both");
	ck_assert(drmperf_event_is_metric(event));
	ck_assert_uint_eq(drmperf_event_instances(event), 3);
	/* the error of a bad expression comes when its event is looked for */
	event = drmperf_event_at(made_up_device(0), 3);
	ck_assert_str_eq(drmperf_event_name(event), "red::metric.Broken");
	ck_assert_uint_eq(drmperf_event_instances(event), 0);
}

/* A driver that tells neither numbers nor what a GPU is made of. */
TEST(all, numbers_are_not_invented)
{
	struct drmperf_hardware hardware = { .size = sizeof(hardware) };
	struct drmperf_clocks clocks = { .size = sizeof(clocks) - 1 };
	const struct drmperf_event *event = NULL;
	const struct drmperf_group *group;
	uint32_t id = 77;

	ck_assert_int_eq(drmperf_device_hardware(made_up_device(0), &hardware),
			 -EINVAL);
	ck_assert(!drmperf_device_open(made_up_device(0), NULL));
	ck_assert_int_eq(drmperf_device_hardware(made_up_device(0), &hardware),
			 -ENOTSUP);
	ck_assert_int_eq(
		drmperf_device_clocks(made_up_device(0), &clocks, NULL),
		-EINVAL);
	clocks.size = sizeof(clocks);
	ck_assert_int_eq(
		drmperf_device_clocks(made_up_device(0), &clocks, NULL),
		-ENOTSUP);
	group = drmperf_group_at(made_up_device(0), 0);
	ck_assert_int_eq(drmperf_group_max_id(group, &id), -ENOTSUP);
	ck_assert_int_eq(drmperf_group_find_id(group, 0, &event, &error),
			 -ENOTSUP);
	ck_assert_ptr_null(event);
	ck_assert_int_eq(
		drmperf_event_id(drmperf_event_at(made_up_device(0), 0), &id),
		-ENOTSUP);
	ck_assert_uint_eq(id, 77);
}

/* Its own driver and the bridge, each with or without a failure. */
static const struct {
	int red, bridge;
	bool bridge_adds;
	int open;
	size_t groups, events;
	int status;
	const char *cause;
	bool bridge_waits;
} failures[] = {
	{ 0, 0, false, 0, 2, 4, 0, "", false },
	{ 0, 0, true, 0, 3, 5, 0, "", false },
	{ 0, 0, true, 0, 3, 5, 0, "", true },
	{ 0, -ENXIO, false, 0, 2, 4, -ENXIO, "bridge is down", false },
	{ -ENOTSUP, 0, true, 0, 1, 1, -ENOTSUP, "red is broken", false },
	{ -ENOTSUP, 0, true, 0, 1, 1, -ENOTSUP, "red is broken", true },
	{ -ENOTSUP, 0, false, -ENOTSUP, 0, 0, 0, "red is broken", false },
	{ -ENOTSUP, -ENXIO, false, -ENOTSUP, 0, 0, 0, "red is broken", false },
};

TEST_LOOP(all, parts_fail_apart, ARRAY_SIZE(failures))
{
	int err;

	made_up.red_error = failures[_i].red;
	made_up.red_explains = true;
	made_up.bridge_error = failures[_i].bridge;
	made_up.bridge_adds = failures[_i].bridge_adds;
	made_up.bridge_waits = failures[_i].bridge_waits;
	memset(&error, 0, sizeof(error));
	err = drmperf_device_open(made_up_device(0), &error);
	ck_assert_int_eq(err, failures[_i].open);
	ck_assert_int_eq(error.code, failures[_i].open);
	ck_assert_uint_eq(drmperf_event_count(made_up_device(0)),
			  failures[_i].events);
	ck_assert_uint_eq(drmperf_group_count(made_up_device(0)),
			  failures[_i].groups);
	if (err)
		ck_assert_str_eq(error.cause, failures[_i].cause);
	ck_assert_int_eq(drmperf_device_status(made_up_device(0), &error),
			 failures[_i].status);
	if (failures[_i].status)
		ck_assert_str_eq(error.cause, failures[_i].cause);
	if (failures[_i].red) {
		ck_assert_str_eq(drmperf_device_chip(made_up_device(0)), "");
		ck_assert_str_eq(drmperf_device_generation(made_up_device(0)),
				 "");
	}
	drmperf_destroy(made_up_drmperf);
	made_up_drmperf = NULL;
	ck_assert_int_eq(made_up.released,
			 !failures[_i].red + !failures[_i].bridge);
}

TEST(all, a_failed_device_is_tried_again)
{
	made_up.red_error = -EIO;
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), &error), -EIO);
	ck_assert_str_eq(error.cause,
			 "device 0 cannot be used: Input/output error");
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), NULL), -EIO);
	made_up.red_error = 0;
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), &error), 0);
	ck_assert_int_eq(made_up.described, 3);
	ck_assert_uint_eq(drmperf_event_count(made_up_device(0)), 4);
	ck_assert_int_eq(drmperf_device_status(made_up_device(0), NULL), 0);
}

/* What fails for the moment is no part of the device that is missing. */
static const int moments[] = { -ENOMEM, -EMFILE, -ENFILE, -EINTR, -EAGAIN };

TEST_LOOP(all, passing_errors_are_not_kept, 2 * ARRAY_SIZE(moments))
{
	struct drmperf_selection selection;
	bool of_bridge = _i % 2;
	int code = moments[_i / 2];

	made_up.bridge_adds = true;
	*(of_bridge ? &made_up.bridge_error : &made_up.red_error) = code;
	memset(&error, 0, sizeof(error));
	ck_assert_int_eq(drmperf_event_find(made_up_drmperf, "red::SQ.WAVES",
					    &selection, &error),
			 code);
	ck_assert_int_eq(error.code, code);
	ck_assert_ptr_nonnull(strstr(
		error.cause, of_bridge ? "bridge is down" : "device 0 cannot"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "try again"));
	/* nothing is kept, nor that of it which did not fail */
	ck_assert_int_eq(made_up.released, of_bridge);
	ck_assert_uint_eq(drmperf_group_count(made_up_device(0)), 0);
	ck_assert_int_eq(drmperf_device_status(made_up_device(0), NULL), 0);
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), NULL), code);
	made_up.red_error = 0;
	made_up.bridge_error = 0;
	ck_assert(!drmperf_event_find(made_up_drmperf, "red::SQ.WAVES",
				      &selection, NULL));
	ck_assert(!drmperf_event_find(made_up_drmperf, "red::pmu.rcs0-busy",
				      &selection, NULL));
	ck_assert_int_eq(drmperf_device_status(made_up_device(0), NULL), 0);
}

/* Groups that are described when they are asked for. */
TEST_LOOP(all, moments_of_groups_pass, ARRAY_SIZE(moments))
{
	struct drmperf_selection selection;

	made_up.bridge_adds = true;
	made_up.bridge_waits = true;
	made_up.pmu_error = moments[_i];
	ck_assert_int_eq(drmperf_event_find(made_up_drmperf,
					    "red::pmu.rcs0-busy", &selection,
					    &error),
			 moments[_i]);
	ck_assert_uint_eq(drmperf_event_count(made_up_device(0)), 0);
	made_up.pmu_error = 0;
	ck_assert_uint_eq(drmperf_event_count(made_up_device(0)), 5);
	ck_assert(!drmperf_event_find(made_up_drmperf, "red::pmu.rcs0-busy",
				      &selection, NULL));
}

static const struct {
	gid_t group;
	mode_t mode;
	const char *remedy;
} nodes[] = {
	{ 4711, 0660, "\"sudo usermod -aG 4711 $USER\"" },
	{ 4711, 0600, "group 4711 and mode 0600" },
	{ 4711, 0640, "group 4711 and mode 0640" },
	{ 0, 0660, "group root and mode 0660" },
};

/* Without a word from the driver, the node itself tells what is missing. */
TEST_LOOP(all, a_denied_node_explains_itself, ARRAY_SIZE(nodes))
{
	const char *node = drmperf_device_node(made_up_device(0));

	made_up.red_error = -EACCES;
	ck_assert(!chmod(node, nodes[_i].mode));
	if (chown(node, (uid_t)-1, nodes[_i].group)) {
		puts("skip group of a node: only root may change it");
		fflush(stdout);
		return;
	}
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), &error),
			 -EACCES);
	ck_assert_ptr_nonnull(strstr(error.cause, node));
	ck_assert_msg(strstr(error.remedy, nodes[_i].remedy), "%s",
		      error.remedy);
}

/* A driver that knows better is left alone. */
TEST(all, no_permission_explained)
{
	made_up.red_error = -EACCES;
	made_up.red_explains = true;
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), &error),
			 -EACCES);
	ck_assert_str_eq(error.cause, "red is broken");
	ck_assert_str_eq(error.remedy, "mend it");
}

static void *
open_it(void *data)
{
	(void)data;
	return (void *)(intptr_t)drmperf_device_open(made_up_device(0), NULL);
}

TEST(all, opened_by_many)
{
	pthread_t threads[8];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(threads); i++)
		ck_assert(!pthread_create(&threads[i], NULL, open_it, NULL));
	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		void *result;

		pthread_join(threads[i], &result);
		ck_assert_ptr_null(result);
	}
	ck_assert_int_eq(made_up.described, 1);
}
