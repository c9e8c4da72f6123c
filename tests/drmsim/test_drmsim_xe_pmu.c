/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What xe that drmsim simulates says beside its streams, seen by a program
 * below it: its PMU, fdinfo, and files of sysfs.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/suite.h"
#include "tests/drmsim/xe_node.h"
#include "tests/support/scene.h"

#define DEVICES "/sys/bus/event_source/devices/"
#define BMG_PMU "xe_0000_03_00.0"
#define PVC_PMU "xe_0000_4d_00.0"

/* Read a file's text without the newline at its end. */
static void
read_file(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t got;

	ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
	got = fread(text, 1, size - 1, file);
	fclose(file);
	text[got] = '\0';
	if (got && text[got - 1] == '\n')
		text[got - 1] = '\0';
}

/* ------------------------------------------------------------------ */
/* The PMU                                                              */

static const struct {
	const char *name, *text;
} files[] = {
	{ "cpumask", "0" },
	{ "format/event", "config:0-11" },
	{ "format/engine_instance", "config:12-19" },
	{ "format/engine_class", "config:20-27" },
	{ "format/function", "config:44-59" },
	{ "format/gt", "config:60-63" },
	{ "events/gt-c6-residency", "event=0x01" },
	{ "events/gt-c6-residency.unit", "ms" },
	{ "events/engine-active-ticks", "event=0x02" },
	{ "events/engine-total-ticks", "event=0x03" },
	{ "events/gt-actual-frequency", "event=0x04" },
	{ "events/gt-actual-frequency.unit", "MHz" },
	{ "events/gt-requested-frequency", "event=0x05" },
};

TEST_CASE(pmu, NULL, NULL, "drmsim_xe_pmu");

TEST_LOOP(pmu, files_of_the_pmu, ARRAY_SIZE(files))
{
	char path[128], text[64];

	snprintf(path, sizeof(path), DEVICES BMG_PMU "/%s", files[_i].name);
	read_file(path, text, sizeof(text));
	ck_assert_str_eq(text, files[_i].text);
}

static int
open_event_of(const char *pmu, uint64_t config, int cpu)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.config = config };
	char path[128], text[32];
	long fd;

	snprintf(path, sizeof(path), DEVICES "%s/type", pmu);
	read_file(path, text, sizeof(text));
	attr.type = (uint32_t)strtoul(text, NULL, 10);
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
		     PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

static int
open_event(uint64_t config, int cpu)
{
	return open_event_of(BMG_PMU, config, cpu);
}

static uint64_t
event_of(unsigned id, unsigned gt, unsigned class, unsigned instance)
{
	return id | (uint64_t)instance << 12 | (uint64_t) class << 20 |
	       (uint64_t)gt << 60;
}

static uint64_t
count_of(int fd)
{
	uint64_t count;

	ck_assert_int_eq(read(fd, &count, sizeof(count)), sizeof(count));
	return count;
}

static const struct event {
	unsigned id, gt, class, instance, function;
	int result;
} events[] = {
	{ 1, 0, 0, 0, 0, 0 },
	{ 1, 1, 0, 0, 0, 0 },
	{ 1, 2, 0, 0, 0, -ENOENT },
	{ 1, 0, 1, 0, 0, -ENOENT },
	{ 1, 0, 0, 1, 0, -ENOENT },
	{ 4, 1, 0, 0, 0, 0 },
	{ 5, 0, 0, 0, 1, -ENOENT },
	{ 2, 0, 0, 0, 0, 0 },
	{ 2, 0, 4, 0, 0, 0 },
	{ 2, 1, 2, 1, 0, 0 },
	{ 3, 1, 3, 1, 0, 0 },
	/* engines that are not there, or not of that GT */
	{ 2, 0, 0, 1, 0, -ENOENT },
	{ 2, 0, 2, 0, 0, -ENOENT },
	{ 2, 1, 0, 0, 0, -ENOENT },
	{ 3, 0, 5, 0, 0, -ENOENT },
	{ 2, 0, 0, 0, 1, -ENOENT },
	{ 0, 0, 0, 0, 0, -ENOENT },
	{ 6, 0, 0, 0, 0, -ENOENT },
};

TEST_LOOP(pmu, events_that_there_are, ARRAY_SIZE(events))
{
	const struct event *c = &events[_i];
	uint64_t config = event_of(c->id, c->gt, c->class, c->instance) |
			  (uint64_t)c->function << 44;
	int fd = open_event(config, 0);

	if (c->result) {
		ck_assert_int_eq(fd, c->result);
		return;
	}
	ck_assert_int_ge(fd, 0);
	close(fd);
	/* no CPU comes before no event */
	ck_assert_int_eq(open_event(config, -1), -EINVAL);
}

/* Ponte Vecchio renders nothing: class 0 is not there. */
TEST(pmu, engines_of_other_gpus)
{
	int fd;

	for (unsigned gt = 0; gt < 2; gt++) {
		ck_assert_int_eq(
			open_event_of(PVC_PMU, event_of(2, gt, 0, 0), 0),
			-ENOENT);
		fd = open_event_of(PVC_PMU, event_of(2, gt, 4, 0), 0);
		ck_assert_int_ge(fd, 0);
		close(fd);
	}
	ck_assert_int_eq(open_event_of(PVC_PMU, event_of(2, 2, 4, 0), 0),
			 -ENOENT);
}

/* Ticks of the reference clock: all of them, and those of work. */
TEST(pmu, ticks_of_engines)
{
	int active = open_event(event_of(2, 0, 0, 0), 0);
	int total = open_event(event_of(3, 0, 0, 0), 0);
	int video = open_event(event_of(2, 1, 2, 1), 0);

	scene_set("gpu2.engine-busy", "rcs0 37.5");
	scene_set("gpu2.engine-busy", "vcs1 25");
	ck_assert_int_ge(active, 0);
	ck_assert_int_ge(video, 0);
	scene_pass(1000 * MS);
	ck_assert_uint_eq(count_of(total), 19200000);
	ck_assert_uint_eq(count_of(active), 7200000);
	ck_assert_uint_eq(count_of(video), 4800000);
	close(active);
	close(total);
	close(video);
}

/* Each reading adds what the frequency is then. */
TEST(pmu, frequencies_are_states)
{
	int main_gt = open_event(event_of(4, 0, 0, 0), 0);
	int media = open_event(event_of(4, 1, 0, 0), 0);

	scene_set("gpu2.gpu-clock", "1000");
	scene_set("gpu2.media-clock", "700");
	ck_assert_uint_eq(count_of(main_gt), 1000);
	ck_assert_uint_eq(count_of(media), 700);
	ck_assert_uint_eq(count_of(main_gt), 2000);
	scene_set("gpu2.gpu-clock", "1500");
	ck_assert_uint_eq(count_of(main_gt), 3500);
	ck_assert_uint_eq(count_of(media), 1400);
	close(main_gt);
	close(media);
}

/* Each GT sleeps by itself, unless a process keeps it awake. */
TEST(pmu, each_gt_sleeps_by_itself)
{
	int main_gt = open_event(event_of(1, 0, 0, 0), 0);
	int media = open_event(event_of(1, 1, 0, 0), 0), holder;

	scene_set("gpu2.rc6", "25");
	scene_set("gpu2.media-rc6", "50");
	scene_pass(1000 * MS);
	ck_assert_uint_eq(count_of(main_gt), 250);
	ck_assert_uint_eq(count_of(media), 500);
	holder = open_event(event_of(2, 0, 0, 0), 0);
	scene_pass(1000 * MS);
	ck_assert_uint_eq(count_of(main_gt), 250);
	ck_assert_uint_eq(count_of(media), 1000);
	close(holder);
	scene_pass(1000 * MS);
	ck_assert_uint_eq(count_of(main_gt), 500);
	close(main_gt);
	close(media);
}

/* ------------------------------------------------------------------ */
/* fdinfo and sysfs                                                     */

static uint64_t
read_fdinfo(int fd, const char *key)
{
	char path[64], text[4096];
	const char *at;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	read_file(path, text, sizeof(text));
	at = strstr(text, key);
	ck_assert_msg(at != NULL, "%s in\n%s", key, text);
	return strtoull(at + strlen(key), NULL, 10);
}

TEST_CASE(text, NULL, nodes_close, "drmsim_xe_pmu");

TEST(text, clients_are_seen_with_their_use)
{
	int fd = node_open(BMG);
	uint64_t total;

	scene_set("gpu2.client-busy", "rcs 50");
	scene_set("gpu2.client-memory", "3145728");
	total = read_fdinfo(fd, "drm-total-cycles-rcs:");
	scene_pass(100 * MS);
	ck_assert_uint_eq(read_fdinfo(fd, "drm-total-cycles-rcs:") - total,
			  1920000);
	ck_assert_uint_eq(read_fdinfo(fd, "drm-cycles-rcs:"), 960000);
	ck_assert_uint_eq(read_fdinfo(fd, "drm-cycles-ccs:"), 0);
	ck_assert_uint_eq(read_fdinfo(fd, "drm-engine-capacity-vcs:"), 2);
	ck_assert_uint_eq(read_fdinfo(fd, "drm-resident-vram0:"), 3);
	ck_assert_uint_eq(read_fdinfo(fd, "drm-total-gtt:"), 0);
}

static uint64_t
tile_file(const char *name)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), "/sys/class/drm/card%d/device/tile0/%s",
		 BMG, name);
	read_file(path, text, sizeof(text));
	return strtoull(text, NULL, 10);
}

TEST(text, frequencies_of_a_gt_follow_what_was_set)
{
	uint64_t slept = tile_file("gt1/gtidle/idle_residency_ms");

	scene_set("gpu2.gpu-clock", "1000");
	ck_assert_uint_eq(tile_file("gt0/freq0/act_freq"), 1000);
	ck_assert_uint_eq(tile_file("gt0/freq0/max_freq"), 2850);
	ck_assert_uint_eq(tile_file("gt0/freq0/min_freq"), 400);
	ck_assert_uint_eq(tile_file("gt0/freq0/rp0_freq"), 2850);
	ck_assert_uint_eq(tile_file("gt1/freq0/max_freq"), 1400);
	scene_set("gpu2.media-rc6", "50");
	scene_pass(1000 * MS);
	ck_assert_uint_eq(tile_file("gt1/gtidle/idle_residency_ms") - slept,
			  500);
}

TEST_MACHINE("drmsim_xe_pmu", XE_GPUS);
