/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What DRM tells of clients in fdinfo: its texts, and the sums over the clients
 * of a process that opens and closes files of simulated GPUs in virtual time.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/fdinfo/clients.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/suite.h"
#include "tests/support/scene.h"

#define NODE "/dev/dri/renderD128"

/* ------------------------------------------------------------------ */
/* Texts                                                                */

#define KIB(n) (UINT64_C(n) << 10)
#define MIB(n) (UINT64_C(n) << 20)

struct value {
	const char *name; /* NULL: the end */
	enum drmperf_unit unit;
	uint64_t value;
};

static const struct {
	const char *what, *text;
	int ret;
	bool is_client;
	uint64_t id;
	struct value values[8];
} texts[] = {
	{ "amdgpu of Linux 6.1, blanks before tabs and all",
	  "pos:\t0\nflags:\t02100002\nmnt_id:\t26\nino:\t459\npasid:\t32770\n"
	  "drm-driver:\tamdgpu\ndrm-pdev:\t0000:03:00.0\n"
	  "drm-client-id:\t17\ndrm-memory-vram:\t16384 KiB\n"
	  "drm-memory-gtt: \t2048 KiB\ndrm-memory-cpu: \t0 KiB\n"
	  "drm-engine-gfx:\t1234567890123 ns\ndrm-engine-enc_1:\t1 ns\n",
	  0,
	  true,
	  17,
	  { { "memory-vram", DRMPERF_UNIT_BYTES, KIB(16384) },
	    { "memory-gtt", DRMPERF_UNIT_BYTES, KIB(2048) },
	    { "memory-cpu", DRMPERF_UNIT_BYTES, 0 },
	    { "engine-gfx", DRMPERF_UNIT_NANOSECONDS, 1234567890123 },
	    { "engine-enc_1", DRMPERF_UNIT_NANOSECONDS, 1 } } },
	{ "i915, whose memory has the largest unit that fits",
	  "drm-driver:\ti915\ndrm-client-id:\t7\ndrm-pdev:\t0000:00:02.0\n"
	  "drm-total-system0:\t8 MiB\ndrm-shared-system0:\t0\n"
	  "drm-active-system0:\t12\ndrm-resident-system0:\t5 KiB\n"
	  "drm-purgeable-system0:\t2 GiB\n"
	  "drm-engine-render:\t25 ns\ndrm-engine-capacity-video:\t2\n"
	  "drm-engine-video:\t9 ns\n",
	  0,
	  true,
	  7,
	  { { "total-system0", DRMPERF_UNIT_BYTES, MIB(8) },
	    { "shared-system0", DRMPERF_UNIT_BYTES, 0 },
	    { "active-system0", DRMPERF_UNIT_BYTES, 12 },
	    { "resident-system0", DRMPERF_UNIT_BYTES, KIB(5) },
	    { "purgeable-system0", DRMPERF_UNIT_BYTES, MIB(2048) },
	    { "engine-render", DRMPERF_UNIT_NANOSECONDS, 25 },
	    { "engine-video", DRMPERF_UNIT_NANOSECONDS, 9 } } },
	{ "cycles and frequencies",
	  "drm-client-id: 3\ndrm-cycles-rcs: 28257900\n"
	  "drm-total-cycles-rcs: 7655183225\ndrm-maxfreq-a: 800 MHz\n"
	  "drm-maxfreq-b: 5 KHz\ndrm-maxfreq-c: 7 Hz\ndrm-maxfreq-d: 9\n",
	  0,
	  true,
	  3,
	  { { "cycles-rcs", DRMPERF_UNIT_CYCLES, 28257900 },
	    { "maxfreq-a", DRMPERF_UNIT_HERTZ, 800000000 },
	    { "maxfreq-b", DRMPERF_UNIT_HERTZ, 5000 },
	    { "maxfreq-c", DRMPERF_UNIT_HERTZ, 7 },
	    { "maxfreq-d", DRMPERF_UNIT_HERTZ, 9 } } },
	{ "what is none of ours",
	  "pos:\t0\ndrm-client-id:\t1\ndrm-client-name:\tdrm-engine-x: 1 ns\n"
	  "amd-memory-visible-vram:\t5 KiB\nxdrm-engine-y:\t1 ns\n"
	  "drm-engine-\t5 ns\ndrm-engine-:\t5 ns\ndrm-engine-a b:\t5 ns\n"
	  "drm-engine-a|b:\t5 ns\n",
	  0,
	  true,
	  1,
	  { { 0 } } },
	{ "no file of DRM", "pos:\t0\nflags:\t02\n", 0, false, 0, { { 0 } } },
	{ "an older amdgpu",
	  "pos:\t0\npdev:\t0000:03:00.0\ngfx:\t3%\n",
	  0,
	  false,
	  0,
	  { { 0 } } },
	{ "nothing", "", 0, false, 0, { { 0 } } },
	{ "cut off", "drm-client-id:\t12", -EBADMSG, false, 0, { { 0 } } },
	{ "no number",
	  "drm-client-id:\t1\ndrm-engine-a:\tbusy\n",
	  -EBADMSG,
	  true,
	  1,
	  { { 0 } } },
	{ "no number that fits",
	  "drm-client-id:\t1\ndrm-engine-a:\t18446744073709551616 ns\n",
	  -EBADMSG,
	  true,
	  1,
	  { { 0 } } },
	{ "no bytes that fit",
	  "drm-client-id:\t1\ndrm-memory-a:\t18014398509481984 KiB\n",
	  -EBADMSG,
	  true,
	  1,
	  { { 0 } } },
	{ "no known unit",
	  "drm-client-id:\t1\ndrm-memory-a:\t1 pages\n",
	  -EBADMSG,
	  true,
	  1,
	  { { 0 } } },
};

TEST_CASE(texts, NULL, NULL, "fdinfo");

TEST_LOOP(texts, texts_are_read, ARRAY_SIZE(texts))
{
	const struct value *value = texts[_i].values;
	struct fdinfo_keys keys = { .count = 0 };
	struct fdinfo_client client;
	int ret;

	ck_assert_int_eq(fdinfo_keys_add_all(&keys, texts[_i].text), 0);
	ret = fdinfo_read(texts[_i].text, &keys, &client);
	ck_assert_msg(ret == texts[_i].ret, "%s: %d", texts[_i].what, ret);
	if (ret)
		return;
	ck_assert_int_eq(client.is_client, texts[_i].is_client);
	ck_assert_uint_eq(client.id, texts[_i].id);
	for (size_t i = 0; i < keys.count; i++, value++) {
		ck_assert_msg(value->name, "%s: %s too many", texts[_i].what,
			      keys.list[i].name);
		ck_assert_str_eq(keys.list[i].name, value->name);
		ck_assert_int_eq(keys.list[i].kind->unit, value->unit);
		ck_assert_uint_eq(client.values[i], value->value);
	}
	ck_assert_ptr_null(value->name);
}

/* Lines may come in any order, be new, or be missing. */
TEST(texts, order_does_not_matter)
{
	struct fdinfo_keys keys = { .count = 0 };
	struct fdinfo_client client;

	ck_assert_int_eq(fdinfo_keys_add(&keys, "engine-a"), 0);
	ck_assert_int_eq(fdinfo_keys_add(&keys, "engine-ab"), 0);
	ck_assert_int_eq(fdinfo_keys_add(&keys, "engine-b"), 0);
	ck_assert_int_eq(fdinfo_keys_add(&keys, "engine-a"), 0);
	ck_assert_uint_eq(keys.count, 3);
	ck_assert_int_eq(fdinfo_read("drm-engine-b: 3 ns\ndrm-engine-c: x\n"
				     "drm-engine-a: 1 ns\n",
				     &keys, &client),
			 0);
	ck_assert_uint_eq(client.values[0], 1);
	ck_assert_uint_eq(client.values[1], 0);
	ck_assert_uint_eq(client.values[2], 3);
}

TEST(texts, room_for_keys_ends)
{
	struct fdinfo_keys keys = { .count = 0 };
	char name[32];

	for (unsigned i = 0; i < FDINFO_MOST_KEYS; i++) {
		snprintf(name, sizeof(name), "engine-%u", i);
		ck_assert_int_eq(fdinfo_keys_add(&keys, name), 0);
	}
	ck_assert_int_eq(fdinfo_keys_add(&keys, "engine-x"), -ENOSPC);
	ck_assert_int_eq(fdinfo_keys_add(&keys, "engine-0"), 0);
	ck_assert_uint_eq(keys.count, FDINFO_MOST_KEYS);
}

/* ------------------------------------------------------------------ */
/* Clients of this process                                              */

/* What a machine calls one engine and one kind of memory, and sets them by. */
static struct {
	const char *driver, *engine, *memory, *busy, *bytes;
} names_of[] = {
	{ "amdgpu", "amdgpu::fdinfo.engine-gfx", "amdgpu::fdinfo.memory-vram",
	  "gfx 10", "vram 1048576" },
	{ "i915", "i915::fdinfo.engine-render", "i915::fdinfo.resident-system0",
	  "rcs 10", "1048576" },
};

static size_t machine;

static void
pass_ms(uint64_t ms)
{
	ck_assert_int_eq(drmsim_advance(ms * MS), 0);
}

static void
set_up(void)
{
	struct drmperf_device *device;

	counting_begin();
	device = drmperf_device_at(counting.drmperf, 0);
	ck_assert_int_eq(drmperf_device_open(device, NULL), 0);
	machine = !strcmp(drmperf_device_driver(device), "i915");
	/* each client of a GPU is busy with it for a tenth of its life */
	scene_set("client-busy", names_of[machine].busy);
	scene_set("client-memory", names_of[machine].bytes);
}

static void
set_up_xe(void)
{
	counting_begin();
	scene_set("client-busy", "rcs 100");
}

TEST_CASE(gpu, set_up, counting_end, "fdinfo_gpu");
TEST_CASE(amdgpu, set_up, counting_end, "fdinfo_amdgpu");
TEST_CASE(many, set_up, counting_end, "fdinfo_many");
TEST_CASE(several, set_up, counting_end, "fdinfo_gpus");
TEST_CASE(hsw, set_up, counting_end, "fdinfo_hsw");
TEST_CASE(xe, set_up_xe, counting_end, "fdinfo_xe");

/* Count distinct numbers of clients, without the library. */
static size_t
count_clients(void)
{
	unsigned long long seen[512], id;
	DIR *folder = opendir("/proc/self/fdinfo");
	char path[300], line[256];
	struct dirent *entry;
	size_t count = 0;

	ck_assert_ptr_nonnull(folder);
	while ((entry = readdir(folder))) {
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/fdinfo/%s",
			 entry->d_name);
		file = fopen(path, "r");
		while (file && fgets(line, sizeof(line), file)) {
			size_t i = 0;

			if (sscanf(line, "drm-client-id: %llu", &id) != 1)
				continue;
			while (i < count && seen[i] != id)
				i++;
			if (i == count)
				seen[count++] = id;
		}
		if (file)
			fclose(file);
	}
	closedir(folder);
	return count;
}

/*
 * What a program does: '+' opens the node, 'p' the primary one, 'd' copies the
 * first descriptor, '-' closes the newest one, '.' lets 10 ms pass, 's' starts
 * to count, 'r' reads, '0' resets.
 */
static const struct {
	const char *what, *steps;
	unsigned ms; /* busy, in tenths, beside the library's own */
	unsigned clients; /* in the end */
} courses[] = {
	{ "nobody else", "s...", 0, 0 },
	{ "one from before counts from the start", "+..s...", 3, 1 },
	{ "one that comes counts from its beginning", "s..+...", 3, 1 },
	{ "one that comes on another node", "s..p...", 3, 1 },
	{ "two count twice", "+s.+..", 5, 2 },
	{ "a copy counts once", "+ds...", 3, 1 },
	{ "the copy goes on when the first has gone", "+ds.-..", 3, 1 },
	{ "one that goes keeps what was last seen", "+s..r.-..", 2, 0 },
	{ "one that goes keeps its part after more reads", "+s..r.-.r.+.", 3,
	  1 },
	{ "one not seen at all", "s+..-.", 0, 0 },
	{ "seen at the start alone", "+s..-.", 0, 0 },
	{ "another comes in its place", "+s.r-+..", 3, 1 },
	{ "reset begins anew", "+s..0.", 1, 1 },
	{ "reset forgets those that have gone", "+s..r-.0.", 0, 0 },
};

static void
take_step(char step, int *files, unsigned *count,
	  struct drmperf_session **session)
{
	union drmperf_value values[2];

	switch (step) {
	case '+':
		files[(*count)++] = open(NODE, O_RDWR | O_CLOEXEC);
		ck_assert_int_ge(files[*count - 1], 0);
		break;
	case 'p':
		files[(*count)++] = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
		ck_assert_int_ge(files[*count - 1], 0);
		break;
	case 'd':
		files[(*count)++] = fcntl(files[0], F_DUPFD_CLOEXEC, 0);
		break;
	case '-':
		close(files[--*count]);
		break;
	case '.':
		pass_ms(10);
		break;
	case 's':
		*session = counting_start(NAMES(names_of[machine].engine,
						names_of[machine].memory));
		break;
	case 'r':
		counting_read(*session, values);
		break;
	case '0':
		ck_assert_int_eq(drmperf_session_reset(*session, NULL), 0);
		break;
	}
}

TEST_LOOP(gpu, clients_come_and_go, ARRAY_SIZE(courses))
{
	struct drmperf_session *session = NULL;
	size_t own = count_clients(), beats = 0;
	union drmperf_value values[2];
	unsigned count = 0;
	int files[8];

	for (const char *step = courses[_i].steps; *step; step++) {
		take_step(*step, files, &count, &session);
		if (*step == '0' || *step == 's')
			beats = 0;
		beats += *step == '.';
	}
	counting_read(session, values);
	ck_assert_msg(values[0].u64 == (own * beats + courses[_i].ms) * MS,
		      "%s: %" PRIu64 " ns", courses[_i].what, values[0].u64);
	ck_assert_uint_eq(count_clients(), own + courses[_i].clients);
	ck_assert_uint_eq(values[1].u64, (own + courses[_i].clients) * MIB(1));
	drmperf_session_destroy(session);
	while (count)
		close(files[--count]);
}

TEST(gpu, events_are_listed)
{
	static const char *const all[][10] = {
		{ "engine-gfx", "engine-compute", "engine-dma", "memory-vram",
		  "memory-gtt", "memory-cpu" },
		{ "total-system0", "shared-system0", "active-system0",
		  "resident-system0", "purgeable-system0", "engine-render",
		  "engine-copy", "engine-video", "engine-video-enhance" },
	};
	struct drmperf_selection selection;
	char name[64];

	for (size_t i = 0; i < 10 && all[machine][i]; i++) {
		bool is_engine = !strncmp(all[machine][i], "engine", 6);

		snprintf(name, sizeof(name), "%s::fdinfo.%s",
			 names_of[machine].driver, all[machine][i]);
		ck_assert_msg(!drmperf_event_find(counting.drmperf, name,
						  &selection, NULL),
			      "%s", name);
		ck_assert_int_eq(drmperf_event_scope(selection.event),
				 DRMPERF_SCOPE_PROCESS);
		ck_assert_int_eq(drmperf_event_unit(selection.event),
				 is_engine ? DRMPERF_UNIT_NANOSECONDS
					   : DRMPERF_UNIT_BYTES);
		ck_assert_int_eq(drmperf_event_kind(selection.event),
				 is_engine ? DRMPERF_KIND_CUMULATIVE
					   : DRMPERF_KIND_MOMENTARY);
	}
}

/* Expect the value to be right, if it can be had at all. */
static void
expect_memory(void)
{
	struct drmperf_selection selection;
	struct drmperf_session *session;
	union drmperf_value value;

	if (drmperf_event_find(counting.drmperf, names_of[machine].memory,
			       &selection, NULL))
		return;
	session = counting_start(NAMES(names_of[machine].memory));
	counting_read(session, &value);
	ck_assert_uint_eq(value.u64, count_clients() * MIB(1));
	drmperf_session_destroy(session);
}

/*
 * Open again: libdrm keeps to itself why it failed, so that it is tried again.
 */
static void
open_anew(void)
{
	struct drmperf_device *device;
	int ret;

	counting_end();
	counting_begin();
	device = drmperf_device_at(counting.drmperf, 0);
	ret = drmperf_device_open(device, NULL);
	if (ret == -EAGAIN)
		ret = drmperf_device_open(device, NULL);
	ck_assert_int_eq(ret, 0);
}

/* Count how often names are looked at while the device is opened. */
static uint64_t
count_looks(void)
{
	uint64_t before, after;

	/* they are counted from the first fault on */
	ck_assert_int_eq(drmsim_fault("stat:1000000000:EIO"), 0);
	ck_assert_int_eq(drmsim_calls("stat", &before), 0);
	open_anew();
	ck_assert_int_eq(drmsim_calls("stat", &after), 0);
	return after - before;
}

/* Which files are of the GPU is known when it is opened, or it is not open. */
TEST(gpu, node_cannot_be_looked_at)
{
	uint64_t looks = count_looks();
	bool is_told = false;
	char spec[64];

	for (uint64_t n = 1; n <= looks; n++) {
		struct drmperf_error error;

		snprintf(spec, sizeof(spec), "stat:%" PRIu64 ":EIO", n);
		ck_assert_int_eq(drmsim_fault(spec), 0);
		open_anew();
		if (drmperf_device_status(
			    drmperf_device_at(counting.drmperf, 0), &error) &&
		    strstr(error.cause, "cannot look at /dev/dri/"))
			is_told = true;
		expect_memory();
	}
	ck_assert(is_told);
}

/* A client is not left out because it could not be looked at. */
TEST(gpu, file_cannot_be_looked_at)
{
	struct drmperf_session *session =
		counting_start(NAMES(names_of[machine].memory));
	uint64_t all = count_clients() * MIB(1), before, after;
	union drmperf_value value;
	char spec[64];
	int ret;

	ck_assert_int_eq(drmsim_fault("fstat:1000000000:ENOMEM"), 0);
	ck_assert_int_eq(drmsim_calls("fstat", &before), 0);
	counting_expect(session, &all);
	ck_assert_int_eq(drmsim_calls("fstat", &after), 0);
	for (uint64_t n = 1; n <= after - before; n++) {
		snprintf(spec, sizeof(spec), "fstat:%" PRIu64 ":ENOMEM", n);
		ck_assert_int_eq(drmsim_fault(spec), 0);
		ret = drmperf_session_read(session, &value, NULL, NULL,
					   &counting.error);
		counting_failed(ret, -ENOMEM, "cannot read /proc/self/fdinfo",
				"");
		counting_expect(session, &all);
	}
	drmperf_session_destroy(session);
}

/* amdgpu says nothing of engines that were never used. */
TEST(amdgpu, idle_engines_are_listed)
{
	static const char *const engines[] = { "gfx", "compute" };
	struct drmperf_selection selection;
	char text[64];

	counting_end();
	for (size_t i = 0; i < ARRAY_SIZE(engines); i++) {
		snprintf(text, sizeof(text), "%s 0", engines[i]);
		scene_set("client-busy", text);
	}
	counting_begin();
	for (size_t i = 0; i < ARRAY_SIZE(engines); i++) {
		snprintf(text, sizeof(text), "amdgpu::fdinfo.engine-%s",
			 engines[i]);
		ck_assert_msg(!drmperf_event_find(counting.drmperf, text,
						  &selection, NULL),
			      "%s", text);
	}
	ck_assert_int_eq(drmperf_event_find(counting.drmperf,
					    "amdgpu::fdinfo.engine-enc_1",
					    &selection, NULL),
			 -ENOENT);
	scene_set("client-busy", "compute 5");
}

/* The kernel may take back a little; what was seen before stands. */
TEST(gpu, values_do_not_fall)
{
	struct drmperf_session *session;
	union drmperf_value before, after;

	pass_ms(100);
	session = counting_start(NAMES(names_of[machine].engine));
	pass_ms(100);
	counting_read(session, &before);
	ck_assert_uint_gt(before.u64, 0);
	scene_set("client-busy", machine ? "rcs 5" : "gfx 5");
	counting_read(session, &after);
	ck_assert_uint_eq(after.u64, before.u64);
	drmperf_session_destroy(session);
}

#define MANY 300

TEST(many, too_many_clients_are_told)
{
	struct drmperf_session *session =
		counting_start(NAMES(names_of[machine].engine));
	union drmperf_value value;
	int files[MANY], ret;

	for (unsigned i = 0; i < MANY; i++) {
		files[i] = open(NODE, O_RDWR | O_CLOEXEC);
		ck_assert_int_ge(files[i], 0);
	}
	ret = drmperf_session_read(session, &value, NULL, NULL,
				   &counting.error);
	counting_failed(ret, -EOVERFLOW, "more than 256 files", "close some");
	/* all of them make way for as many others */
	for (unsigned i = 0; i < MANY; i++)
		close(files[i]);
	for (unsigned i = 0; i < 250; i++)
		files[i] = open(NODE, O_RDWR | O_CLOEXEC);
	pass_ms(10);
	counting_read(session, &value);
	ck_assert_uint_ge(value.u64, 250 * MS);
	for (unsigned i = 0; i < 250; i++)
		close(files[i]);
	drmperf_session_destroy(session);
}

/* One that stands behind too many others has not gone, and counts once. */
TEST(many, too_many_hide_none)
{
	struct drmperf_session *session;
	union drmperf_value value;
	size_t own = count_clients();
	int files[MANY], low, last, ret;

	low = open(NODE, O_RDWR | O_CLOEXEC);
	last = fcntl(low, F_DUPFD_CLOEXEC, 2 * MANY);
	ck_assert_int_ge(last, 2 * MANY);
	close(low);
	pass_ms(100);
	session = counting_start(NAMES(names_of[machine].engine));
	for (unsigned i = 0; i < MANY; i++)
		files[i] = open(NODE, O_RDWR | O_CLOEXEC);
	ret = drmperf_session_read(session, &value, NULL, NULL,
				   &counting.error);
	counting_failed(ret, -EOVERFLOW, "more than 256 files", "close some");
	for (unsigned i = 0; i < MANY; i++)
		close(files[i]);
	pass_ms(10);
	counting_expect(session, (uint64_t[]){ (own + 1) * MS });
	close(last);
	drmperf_session_destroy(session);
}

TEST(gpu, child_does_not_disturb)
{
	struct drmperf_session *session =
		counting_start(NAMES(names_of[machine].engine));
	size_t own = count_clients();
	union drmperf_value value;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		bool refused = drmperf_session_read(session, &value, NULL, NULL,
						    NULL) == -ECHILD;

		drmperf_session_destroy(session);
		counting_end();
		_exit(!refused);
	}
	child_join(pid);
	pass_ms(10);
	counting_expect(session, (uint64_t[]){ own * MS });
	drmperf_session_destroy(session);
}

TEST(gpu, memory_follows_what_was_set)
{
	struct drmperf_session *session =
		counting_start(NAMES(names_of[machine].memory));
	size_t own = count_clients();

	scene_set("client-memory", machine ? "5120" : "vram 5120");
	counting_expect(session, (uint64_t[]){ own * 5120 });
	scene_set("client-memory", machine ? "1023" : "vram 2048");
	counting_expect(session, (uint64_t[]){ own * (machine ? 1023 : 2048) });
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Kernels that count when they are asked                               */

static void
look_at_clients(struct fdinfo_clients *clients, uint64_t *value)
{
	ck_assert_int_eq(
		fdinfo_clients_scan(clients, true, value, &counting.error), 0);
}

static uint64_t
count_fstats(void)
{
	uint64_t count;

	ck_assert_int_eq(drmsim_calls("fstat", &count), 0);
	return count;
}

/* Wait for a whole scan that begins from now on, of that many calls. */
static void
wait_for_look(uint64_t calls)
{
	const uint64_t begin = count_fstats();

	while (count_fstats() < begin + 2 * calls)
		sched_yield();
}

/*
 * xe adds 32 bits to what a client has used, at each look: the engine's clock
 * wraps after 223 s at 19.2 MHz.
 */
TEST(xe, cycles_that_wrap_are_kept_between_samples)
{
	struct fdinfo_device device = { .runtime_status = -1 };
	int file = open(NODE, O_RDWR | O_CLOEXEC);
	struct fdinfo_clients *clients;
	uint64_t before, after, calls;
	struct stat node;

	ck_assert_int_eq(fstat(file, &node), 0);
	device.nodes[0] = node.st_rdev;
	ck_assert_int_eq(fdinfo_keys_add(&device.keys, "cycles-rcs"), 0);
	ck_assert_int_eq(fdinfo_clients_create(&device, &clients, NULL), 0);
	ck_assert_int_eq(drmsim_fault("fstat:1000000000:EIO"), 0);
	calls = count_fstats();
	look_at_clients(clients, &before);
	calls = count_fstats() - calls;
	ck_assert_int_eq(fdinfo_clients_refresh(clients, 1, NULL), 0);
	for (unsigned i = 0; i < 6; i++) {
		pass_ms(100000);
		wait_for_look(calls);
	}
	look_at_clients(clients, &after);
	ck_assert_uint_eq(after - before,
			  count_clients() * UINT64_C(600) * 19200000);
	fdinfo_clients_destroy(clients);
	close(file);
}

/* Return how many threads the process has. */
static size_t
count_threads(void)
{
	DIR *folder = opendir("/proc/self/task");
	size_t count = 0;

	ck_assert_ptr_nonnull(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

TEST(xe, sessions_keep_cycles)
{
	const size_t before = count_threads();
	struct drmperf_session *session =
		counting_start(NAMES("xe::fdinfo.total-system"));

	ck_assert_uint_eq(count_threads(), before);
	drmperf_session_destroy(session);
	session = counting_start(NAMES("xe::fdinfo.cycles-rcs"));
	ck_assert_uint_eq(count_threads(), before + 1);
	drmperf_session_destroy(session);
	/* the kernel lists a thread for a moment after it was joined */
	for (unsigned i = 0; count_threads() != before && i < 5000; i++)
		usleep(1000);
	ck_assert_uint_eq(count_threads(), before);
}

/* ------------------------------------------------------------------ */
/* Which devices                                                        */

/* Clients of one GPU are none of another's. */
TEST(several, gpus_are_apart)
{
	struct drmperf_session *session;
	union drmperf_value values[2];
	int file;

	scene_set("gpu0.client-memory", "vram 1048576");
	scene_set("gpu1.client-memory", "vram 1048576");
	session = counting_start(NAMES("amdgpu::fdinfo.memory-vram:device=0",
				       "amdgpu::fdinfo.memory-vram:device=1"));
	counting_read(session, values);
	file = open("/dev/dri/renderD129", O_RDWR | O_CLOEXEC);
	counting_expect(session,
			(uint64_t[]){ values[0].u64, values[1].u64 + MIB(1) });
	close(file);
	drmperf_session_destroy(session);
}

TEST(hsw, haswell_tells_of_no_engines)
{
	struct drmperf_selection selection;

	ck_assert_int_eq(drmperf_event_find(counting.drmperf,
					    "i915::fdinfo.resident-system0",
					    &selection, NULL),
			 0);
	ck_assert_int_eq(drmperf_event_find(counting.drmperf,
					    "i915::fdinfo.engine-render",
					    &selection, NULL),
			 -ENOENT);
}

TEST_GPUS("fdinfo_gpu", "vega10", "skl");
TEST_GPUS("fdinfo_amdgpu", "vega10");
TEST_GPUS("fdinfo_many", "skl");
TEST_MACHINE("fdinfo_gpus", "--gpu", "vega10", "--gpu", "vega20", "--time",
	     "virtual");
TEST_GPUS("fdinfo_hsw", "hsw");
TEST_GPUS("fdinfo_xe", "lnl");

int
main(void)
{
	int ret;

	if (drmsim_is_present())
		return tests_run();
	setenv("CK_RUN_SUITE", "fdinfo", 0);
	ret = tests_run();
	return below_drmsim_all() || ret;
}
