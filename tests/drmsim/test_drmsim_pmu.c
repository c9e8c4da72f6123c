/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PMUs of simulated GPUs behind perf_event_open(): their files, which errors
 * come when, groups and read formats, what is counted. Runs itself below
 * drmsim, in virtual time.
 */
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define DEVICES "/sys/bus/event_source/devices/"

static void
read_text(const char *pmu, const char *file, char *text, size_t size)
{
	char path[256];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), DEVICES "%s/%s", pmu, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_msg(fd >= 0, "%s: %s", path, strerror(errno));
	got = read(fd, text, size - 1);
	ck_assert_int_ge(got, 0);
	text[got] = '\0';
	close(fd);
}

static uint32_t
type_of(const char *pmu)
{
	char text[32];

	read_text(pmu, "type", text, sizeof(text));
	return (uint32_t)strtoul(text, NULL, 10);
}

static int
open_event(const struct perf_event_attr *attr, pid_t pid, int cpu, int leader,
	   unsigned long flags)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, leader, flags);

	return fd < 0 ? -errno : (int)fd;
}

static struct perf_event_attr
attributes_of(const char *pmu, uint64_t config, uint64_t format)
{
	return (struct perf_event_attr){ .type = type_of(pmu),
					 .size = sizeof(struct perf_event_attr),
					 .config = config,
					 .read_format = format };
}

/* Open a system-wide event on CPU 0. */
static int
open_simple(const char *pmu, uint64_t config, uint64_t format, int leader)
{
	struct perf_event_attr attr = attributes_of(pmu, config, format);
	int fd = open_event(&attr, -1, 0, leader, PERF_FLAG_FD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Read that many words, and not one more. */
static void
read_words(int fd, uint64_t *words, size_t count)
{
	uint64_t buffer[64];

	ck_assert_int_eq(read(fd, buffer, (count - 1) * sizeof(*buffer)), -1);
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(read(fd, buffer, sizeof(buffer)),
			 (int)(count * sizeof(*buffer)));
	memcpy(words, buffer, count * sizeof(*words));
}

static uint64_t
read_value(int fd)
{
	uint64_t value;

	read_words(fd, &value, 1);
	return value;
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

#define SKL "i915"
#define MTL "i915_0000_00_03.0"
#define DG2 "i915_0000_03_00.0"
#define FABRIC "amdgpu_df_3"
#define LINKS "amdgpu_3"

static const struct file {
	const char *pmu, *file, *text;
} files[] = {
	{ SKL, "cpumask", "0\n" },
	{ SKL, "format/i915_eventid", "config:0-20\n" },
	{ SKL, "events/rcs0-busy", "config=0x0\n" },
	{ SKL, "events/rcs0-wait", "config=0x1\n" },
	{ SKL, "events/vecs0-sema", "config=0x3002\n" },
	{ SKL, "events/rcs0-busy.unit", "ns\n" },
	{ SKL, "events/actual-frequency", "config=0x100000\n" },
	{ SKL, "events/requested-frequency.unit", "M\n" },
	{ SKL, "events/interrupts", "config=0x100002\n" },
	{ SKL, "events/software-gt-awake-time", "config=0x100004\n" },
	{ MTL, "events/actual-frequency-gt0", "config=0x100000\n" },
	{ MTL, "events/rc6-residency-gt1", "config=0x1000000000100003\n" },
	{ MTL, "events/interrupts", "config=0x100002\n" },
	{ MTL, "events/vcs1-busy", "config=0x2010\n" },
	{ DG2, "events/ccs0-busy", "config=0x4000\n" },
	{ FABRIC, "format/event", "config:0-7\n" },
	{ FABRIC, "format/umask", "config:16-23\n" },
	{ FABRIC, "events/cake1_ftiinstat_rspalloc",
	  "event=0xb,instance=0x47,umask=0x8\n" },
	{ LINKS, "format/type", "config:56-63\n" },
	{ LINKS, "events/xgmi_link1_data_outbound",
	  "event=0x7,instance=0x47,umask=0x2,type=0x2\n" },
};

TEST_CASE(sysfs, NULL, NULL, "drmsim_pmu");

TEST_LOOP(sysfs, file_of_a_pmu, ARRAY_SIZE(files))
{
	const struct file *c = &files[_i];
	char text[64];

	read_text(c->pmu, c->file, text, sizeof(text));
	ck_assert_str_eq(text, c->text);
}

TEST(sysfs, no_files_too_many)
{
	static const char *const absent[] = {
		DEVICES SKL "/events/vcs1-busy",
		DEVICES SKL "/events/interrupts.unit",
		DEVICES SKL "/events/actual-frequency-gt0",
		DEVICES MTL "/events/actual-frequency",
		DEVICES MTL "/events/interrupts-gt1",
		DEVICES "i915_0000_00_02.0",
		DEVICES FABRIC "/format/type",
		DEVICES FABRIC "/cpumask",
	};

	for (size_t i = 0; i < ARRAY_SIZE(absent); i++)
		ck_assert_int_eq(access(absent[i], F_OK), -1);
	ck_assert_uint_ne(type_of(SKL), type_of(MTL));
}

/* ------------------------------------------------------------------ */
/* Opening                                                              */

enum change {
	NOTHING,
	PERIOD,
	EXCLUDE_KERNEL,
	EXCLUDE_USER,
	BRANCH_STACK,
	INHERIT_GROUP,
	FORMAT,
	CLOCK,
	BAD_CLOCK,
	OTHER_LEADER,
};

static const struct opening {
	const char *pmu;
	uint64_t config;
	enum change change;
	pid_t pid;
	int cpu;
	unsigned long flags;
	int result; /* 0: a descriptor */
} openings[] = {
	{ SKL, 0, NOTHING, -1, 0, 0, 0 },
	{ SKL, 0, NOTHING, -1, 1, 0, -EINVAL },
	{ SKL, 0, NOTHING, -1, -1, 0, -EINVAL },
	{ SKL, 0, NOTHING, -1, 100000, 0, -EINVAL },
	{ SKL, 0, NOTHING, 0, -1, 0, -EINVAL },
	{ SKL, 0, NOTHING, 0, 0, 0, -EINVAL },
	{ SKL, 0, NOTHING, -1, 0, 1024, -EINVAL },
	{ SKL, 0, PERIOD, -1, 0, 0, -EINVAL },
	{ SKL, 0, EXCLUDE_KERNEL, -1, 0, 0, -EINVAL },
	{ SKL, 0, EXCLUDE_USER, -1, 0, 0, -EINVAL },
	{ SKL, 0, BRANCH_STACK, -1, 0, 0, -EOPNOTSUPP },
	{ SKL, 0, INHERIT_GROUP, -1, 0, 0, -EINVAL },
	{ SKL, 0, FORMAT, -1, 0, 0, -EINVAL },
	{ SKL, 0, CLOCK, -1, 0, 0, 0 },
	{ SKL, 0, BAD_CLOCK, -1, 0, 0, -EINVAL },
	{ SKL, 0, OTHER_LEADER, -1, 0, 0, -EINVAL },
	{ SKL, 3, NOTHING, -1, 0, 0, -ENOENT },
	{ SKL, 0x2010, NOTHING, -1, 0, 0, -ENODEV },
	{ SKL, 0x4000, NOTHING, -1, 0, 0, -ENODEV },
	{ SKL, 0x100005, NOTHING, -1, 0, 0, -ENOENT },
	{ SKL, 0x1000000000100000, NOTHING, -1, 0, 0, -ENOENT },
	{ MTL, 0x1000000000100000, NOTHING, -1, 0, 0, 0 },
	{ MTL, 0x1000000000100002, NOTHING, -1, 0, 0, -ENOENT },
	{ DG2, 0x4000, NOTHING, -1, 0, 0, 0 },
	/* amdgpu looks at nothing: any CPU, any event, any period */
	{ FABRIC, 0x24607, NOTHING, -1, 1, 0, 0 },
	{ FABRIC, 0xffffff, PERIOD, -1, 0, 0, 0 },
	{ FABRIC, 0x24607, NOTHING, -1, -1, 0, -EINVAL },
	{ FABRIC, 0x24607, NOTHING, 0, -1, 0, -EINVAL },
	{ FABRIC, 0x24607, OTHER_LEADER, -1, 0, 0, -EINVAL },
};

static void
apply_change(struct perf_event_attr *attr, enum change change)
{
	switch (change) {
	case NOTHING:
	case OTHER_LEADER:
		return;
	case PERIOD:
		attr->sample_period = 1000;
		return;
	case EXCLUDE_KERNEL:
		attr->exclude_kernel = 1;
		return;
	case EXCLUDE_USER:
		attr->exclude_user = 1;
		return;
	case BRANCH_STACK:
		attr->sample_type = PERF_SAMPLE_BRANCH_STACK;
		return;
	case INHERIT_GROUP:
		attr->inherit = 1;
		attr->read_format = PERF_FORMAT_GROUP;
		return;
	case FORMAT:
		attr->read_format = 1 << 5;
		return;
	case CLOCK:
	case BAD_CLOCK:
		attr->use_clockid = 1;
		attr->clockid = change == CLOCK ? CLOCK_MONOTONIC
						: CLOCK_THREAD_CPUTIME_ID;
		return;
	}
}

TEST_CASE(opens, NULL, NULL, "drmsim_pmu");

TEST_LOOP(opens, arguments_decide_whether_an_event_opens, ARRAY_SIZE(openings))
{
	const struct opening *c = &openings[_i];
	struct perf_event_attr attr = attributes_of(c->pmu, c->config, 0);
	int leader = -1, fd;

	apply_change(&attr, c->change);
	if (c->change == OTHER_LEADER)
		leader = open_simple(MTL, 0, 0, -1);
	fd = open_event(&attr, c->pid, c->cpu, leader, c->flags);
	if (c->result)
		ck_assert_int_eq(fd, c->result);
	else
		ck_assert_int_ge(fd, 0);
	if (fd >= 0)
		close(fd);
	if (leader >= 0)
		close(leader);
}

/* Which complaint comes first tells where the kernel looks. */
static const struct level {
	const char *paranoid;
	bool privileged;
	uint64_t config, format;
	int result;
} levels[] = {
	{ "2", true, 0, 0, 0 },
	{ "2", false, 0, 0, -EACCES },
	{ "2", false, 0x4000, 0, -EACCES },
	{ "2", false, 0, 1 << 5, -EINVAL },
	{ "1", false, 0, 0, -EACCES },
	{ "1", false, 0x4000, 0, -ENODEV },
	{ "0", false, 0, 0, 0 },
	{ "-1", false, 0, 0, 0 },
	{ "3", true, 0, 0, 0 },
	{ "3", false, 0, 1 << 5, -EACCES },
};

TEST_LOOP(opens, the_paranoid_level_decides_what_may_be_counted,
	  ARRAY_SIZE(levels))
{
	const struct level *c = &levels[_i];
	struct perf_event_attr attr = attributes_of(SKL, c->config, c->format);
	/* the simulated one's */
	const char *path = "/proc/sys/kernel/perf_event_paranoid";
	FILE *file = fopen(path, "we");
	int fd;

	ck_assert_ptr_nonnull(file);
	fprintf(file, "%s\n", c->paranoid);
	fclose(file);
	scene_set("unprivileged", c->privileged ? "0" : "1");
	fd = open_event(&attr, -1, 0, -1, 0);
	if (c->result)
		ck_assert_int_eq(fd, c->result);
	else
		ck_assert_int_ge(fd, 0);
	if (fd >= 0)
		close(fd);
	scene_set("unprivileged", "0");
	file = fopen(path, "we");
	fprintf(file, "2\n");
	fclose(file);
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static const struct event {
	uint64_t config;
	const char *key, *value;
	uint64_t count; /* in a second */
} events[] = {
	{ 0x0000, "engine-busy", "rcs0 62.5", 625000000 },
	{ 0x0001, "engine-wait", "rcs0 7", 70000000 },
	{ 0x0002, "engine-sema", "rcs0 0.001", 10000 },
	{ 0x2000, "engine-busy", "vcs0 100", 1000000000 },
	{ 0x100000, "gpu-clock", "600", 600 },
	{ 0x100001, "requested-frequency", "900", 900 },
	{ 0x100002, "interrupts", "12345", 12345 },
	{ 0x100003, "rc6", "33", 330000000 },
	{ 0x100004, "parked", "25", 750000000 },
};

TEST_CASE(counts, NULL, NULL, "drmsim_pmu");

TEST_LOOP(counts, an_event_counts_what_was_set, ARRAY_SIZE(events))
{
	const struct event *c = &events[_i];
	int fd;

	scene_set(c->key, c->value);
	fd = open_simple(SKL, c->config, 0, -1);
	ck_assert_uint_eq(read_value(fd), 0);
	scene_pass(1000 * MS);
	ck_assert_uint_eq(read_value(fd), c->count);
	scene_set("parked", "0");
	close(fd);
}

/* A change in the middle is counted from then on. */
TEST(counts, change_of_load)
{
	int fd;

	scene_set("engine-busy", "bcs0 10");
	fd = open_simple(SKL, 0x1000, 0, -1);
	scene_pass(100 * MS);
	scene_set("engine-busy", "bcs0 50");
	scene_pass(100 * MS);
	ck_assert_uint_eq(read_value(fd), 60 * MS);
	close(fd);
}

TEST(counts, enable_disable_reset)
{
	struct perf_event_attr attr =
		attributes_of(SKL, 0x3000,
			      PERF_FORMAT_TOTAL_TIME_ENABLED |
				      PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t words[3];
	int fd;

	scene_set("engine-busy", "vecs0 50");
	attr.disabled = 1;
	fd = open_event(&attr, -1, 0, -1, 0);
	scene_pass(10 * MS);
	read_words(fd, words, 3);
	ck_assert_uint_eq(words[0], 0);
	ck_assert_uint_eq(words[1], 0);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	scene_pass(10 * MS);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	scene_pass(10 * MS);
	read_words(fd, words, 3);
	ck_assert_uint_eq(words[0], 5 * MS);
	ck_assert_uint_eq(words[1], 10 * MS);
	ck_assert_uint_eq(words[2], 10 * MS);
	/* times are not reset */
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_RESET, 0), 0);
	read_words(fd, words, 3);
	ck_assert_uint_eq(words[0], 0);
	ck_assert_uint_eq(words[1], 10 * MS);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_PERIOD, words), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(ioctl(fd, _IO('$', 99), 0), -1);
	ck_assert_int_eq(errno, ENOTTY);
	close(fd);
}

TEST(counts, group_of_three)
{
	const uint64_t format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
				PERF_FORMAT_TOTAL_TIME_ENABLED;
	uint64_t words[8], id[3];
	int fds[3];

	scene_set("engine-busy", "rcs0 50");
	scene_set("engine-busy", "bcs0 20");
	scene_set("engine-busy", "vcs0 10");
	fds[0] = open_simple(SKL, 0x0000, format, -1);
	fds[1] = open_simple(SKL, 0x1000, format, fds[0]);
	fds[2] = open_simple(SKL, 0x2000, format, fds[0]);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(ioctl(fds[i], PERF_EVENT_IOC_ID, &id[i]), 0);
	scene_pass(100 * MS);
	read_words(fds[0], words, 8);
	ck_assert_mem_eq(words,
			 ((const uint64_t[]){ 3, 100 * MS, 50 * MS, id[0],
					      20 * MS, id[1], 10 * MS, id[2] }),
			 sizeof(words));
	ck_assert_uint_ne(id[0], id[1]);

	/* any member reads the whole group; a member cannot lead */
	read_words(fds[2], words, 8);
	struct perf_event_attr attr = attributes_of(SKL, 0, 0);
	ck_assert_int_eq(open_event(&attr, -1, 0, fds[1], 0), -EINVAL);

	/* the leader rules over all */
	ck_assert_int_eq(ioctl(fds[0], PERF_EVENT_IOC_DISABLE, 0), 0);
	scene_pass(100 * MS);
	read_words(fds[0], words, 8);
	ck_assert_uint_eq(words[4], 20 * MS);
	ck_assert_int_eq(ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 0), 0);
	ck_assert_int_eq(ioctl(fds[1], PERF_EVENT_IOC_DISABLE, 0), 0);
	scene_pass(100 * MS);
	read_words(fds[0], words, 8);
	ck_assert_uint_eq(words[4], 20 * MS);
	ck_assert_uint_eq(words[6], 20 * MS);
	ck_assert_int_eq(
		ioctl(fds[0], PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP), 0);
	ck_assert_int_eq(
		ioctl(fds[2], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP), 0);
	scene_pass(10 * MS);
	read_words(fds[0], words, 8);
	ck_assert_uint_eq(words[2], 5 * MS);
	ck_assert_uint_eq(words[4], 2 * MS);

	/* without the leader each is alone, and goes on */
	close(fds[0]);
	scene_pass(10 * MS);
	read_words(fds[1], words, 4);
	ck_assert_uint_eq(words[0], 1);
	ck_assert_uint_eq(words[2], 4 * MS);
	ck_assert_uint_eq(words[3], id[1]);
	close(fds[1]);
	close(fds[2]);
}

TEST(counts, events_of_a_gone_gpu_stand_still)
{
	int fd = open_simple(DG2, 0, 0, -1);
	struct perf_event_attr attr = attributes_of(DG2, 0, 0);
	const char *folder = "/sys/bus/event_source/devices/" DG2;
	uint64_t before;

	scene_pass(10 * MS);
	before = read_value(fd);
	ck_assert_uint_gt(before, 0);
	scene_set("gpu2.gone", "1");
	scene_pass(10 * MS);
	ck_assert_uint_eq(read_value(fd), before);
	ck_assert_int_eq(open_event(&attr, -1, 0, -1, 0), -ENODEV);
	ck_assert(access(folder, F_OK) && errno == ENOENT);
	ck_assert(!access("/sys/bus/event_source/devices/i915/type", F_OK));
	scene_set("gpu2.gone", "0");
	ck_assert(!access(folder, F_OK));
	/* an event of the device that has gone stands still for good */
	scene_pass(10 * MS);
	ck_assert_uint_eq(read_value(fd), before);
	close(fd);
	fd = open_event(&attr, -1, 0, -1, 0);
	scene_pass(10 * MS);
	ck_assert_uint_gt(read_value(fd), 0);
	close(fd);
}

static uint64_t
card_value(const char *file)
{
	char path[96];
	unsigned long long value = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/sys/class/drm/card0/%s", file);
	in = fopen(path, "re");
	ck_assert_msg(in, "%s: %s", path, strerror(errno));
	ck_assert_int_eq(fscanf(in, "%llu", &value), 1);
	fclose(in);
	return value;
}

TEST(counts, files_follow_what_was_set)
{
	uint64_t before;

	scene_set("gpu0.rc6", "40");
	scene_set("gpu0.gpu-clock", "750");
	scene_set("gpu0.requested-frequency", "800");
	before = card_value("power/rc6_residency_ms");
	scene_pass(1000 * MS);
	/* brought up to date every 50 ms */
	ck_assert_uint_le(card_value("power/rc6_residency_ms") - before, 420);
	ck_assert_uint_ge(card_value("power/rc6_residency_ms") - before, 380);
	ck_assert_uint_eq(card_value("gt_act_freq_mhz"), 750);
	ck_assert_uint_eq(card_value("gt/gt0/rps_cur_freq_mhz"), 800);
	ck_assert_uint_eq(card_value("gt_max_freq_mhz"), 1150);
	ck_assert_uint_eq(card_value("gt_RP0_freq_mhz"), 1150);
	ck_assert_uint_eq(card_value("gt/gt0/rps_min_freq_mhz"), 350);
}

#define TXDATA 0x024607u /* cake0_pcsout_txdata */
#define LINK1 0x0200000000024707u

/* Four counters for both PMUs: a fifth event waits until one is free. */
TEST(counts, a_fifth_event_of_the_fabric_waits)
{
	const uint64_t times =
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	uint64_t words[3];
	int fds[3], link, fifth, nothing;

	for (unsigned i = 0; i < 3; i++)
		fds[i] = open_simple(FABRIC, TXDATA + i, 0, -1);
	link = open_simple(LINKS, LINK1, 0, -1);
	fifth = open_simple(FABRIC, 0x044e0b, times, -1);
	/* of a type that nothing serves */
	nothing = open_simple(LINKS, 0x0500000000024607, 0, -1);
	scene_pass(10 * MS);
	/* 1000 * (1 + event + 16 * umask + 256 * (instance % 16)) a second */
	ck_assert_uint_eq(read_value(fds[0]), 10 * (1 + 7 + 32 + 6 * 256));
	ck_assert_uint_eq(read_value(fds[2]), 10 * (1 + 9 + 32 + 6 * 256));
	ck_assert_uint_eq(read_value(link), 10 * (1 + 7 + 32 + 7 * 256));
	ck_assert_uint_eq(read_value(nothing), 0);
	read_words(fifth, words, 3);
	ck_assert_uint_eq(words[0], 0);
	ck_assert_uint_eq(words[1], 10 * MS);
	ck_assert_uint_eq(words[2], 0);
	close(fds[1]);
	scene_pass(10 * MS);
	read_words(fifth, words, 3);
	ck_assert_uint_eq(words[0], 10 * (1 + 11 + 64 + 14 * 256));
	ck_assert_uint_eq(words[1], 20 * MS);
	ck_assert_uint_eq(words[2], 10 * MS);
	close(fds[0]);
	close(fds[2]);
	close(link);
	close(fifth);
	scene_pass(10 * MS);
	ck_assert_uint_eq(read_value(nothing), 0);
	close(nothing);
}

TEST(counts, an_event_of_the_fabric_has_its_rate)
{
	int fd = open_simple(FABRIC, TXDATA, 0, -1);

	scene_set("gpu3.df-rate", "cake0_pcsout_txdata 12.5M");
	scene_pass(100 * MS);
	ck_assert_uint_eq(read_value(fd), 1250000);
	ck_assert_int_eq(drmsim_set("gpu3.df-rate", "cake9 1"), -EINVAL);
	ck_assert_int_eq(drmsim_set("gpu0.df-rate", "cake0 1"), -ENOENT);
	close(fd);
}

/* The host's own PMUs are the host's. */
TEST(counts, events_of_the_host_reach_the_host)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_TASK_CLOCK,
					.exclude_kernel = 1 };
	int fd = open_event(&attr, 0, -1, -1, 0), member;
	uint64_t first, later;

	if (fd < 0) {
		printf("skip host_event: no permission for task-clock\n");
		return;
	}
	ck_assert_int_eq(read(fd, &first, sizeof(first)), sizeof(first));
	do {
		ck_assert_int_eq(read(fd, &later, sizeof(later)),
				 sizeof(later));
	} while (later == first);
	ck_assert_uint_gt(later, first);
	/* a group does not mix both */
	attr = attributes_of(SKL, 0, 0);
	member = open_event(&attr, -1, 0, fd, 0);
	ck_assert_int_eq(member, -EINVAL);
	close(fd);
}

TEST_MACHINE("drmsim_pmu", "--time", "virtual", "--gpu", "skl", "--gpu", "mtl",
	     "--gpu", "acmgt3", "--gpu", "vega20");
