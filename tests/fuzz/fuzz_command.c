/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command lines of drmperf, as rubbish: the first byte chooses what fails, the
 * rest are the arguments, one a line. The tool runs in this process, on GPUs
 * that are made up, and its commands are none: they have run at once.
 *
 * Whatever comes: a status as the manual says, and a word about every failure.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "device/state.h"
#include "tests/support/fake_driver.h"
#include "utils/drmperf/process/spawn.h"
#include "utils/drmperf/record/tasks.h"
#include "utils/drmperf/select/unusable_gpus.h"
#include "utils/drmperf/util/output_file.h"
#include "utils/drmperf/util/tool.h"
#include "utils/selftest/draw.h"
#include "utils/selftest/log.h"
#include "utils/selftest/selftest.h"
#include "utils/selftest/stage.h"
#include "utils/selftest/work.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* the tool's main() */
int
drmperf_main(int argc, char **argv);

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define ARGUMENTS_MAX 64
#define RUNS 8 /* of a command, before a signal interrupts them */

static char root[64];

enum failure {
	FAIL_NOTHING,
	FAIL_DESCRIBE,
	FAIL_ARM,
	FAIL_START,
	FAIL_SAMPLE,
	FAIL_STOP,
	FAIL_CLOCKS,
	FAIL_FORK,
	FAIL_EXEC,
	FAILURES,
};

static struct {
	enum failure failure;
	unsigned runs;
	bool has_written; /* a file */
} now;

static int
fail_at(enum failure failure, int code, struct drmperf_error *error)
{
	return now.failure == failure ? error_set(error, code, "it fails") : 0;
}

/* ------------------------------------------------------------------ */
/* GPUs                                                                 */

/* The two drivers describe the same. */
static const struct fake_model model = {
	.domains = {
		{ .name = "gfx" },
		{ .name = "oa", .exclusive = true },
		{ .name = "sensor" },
	},
	.groups = {
		{ FAKE_GROUP(0, "SQ", 3, 4) },
		{ FAKE_GROUP(0, "GRBM", 2, 1) },
		{ FAKE_GROUP(0, METRIC_GROUP, 8, 1) },
		{ FAKE_GROUP(1, "Basic", 8, 1) },
		{ FAKE_GROUP(1, "Other", 8, 1) },
		{ FAKE_GROUP(2, "sensor", 8, 1) },
	},
	.events = {
		{ FAKE_EVENT(0, "WAVES", 0),
		  .unit = DRMPERF_UNIT_WAVES,
		  .alias = "SQ_WAVES" },
		{ FAKE_EVENT(0, "LEVEL", 1) },
		{ FAKE_EVENT(0, "ACCUM_PREV", 2), .follows = true },
		{ FAKE_EVENT(0, "INSTS", 3) },
		{ FAKE_EVENT(1, "COUNT", 0), .unit = DRMPERF_UNIT_CYCLES },
		{ FAKE_EVENT(1, "GUI_ACTIVE", 1) },
		{ FAKE_METRIC(2, "Busy",
			      "100 * GRBM.GUI_ACTIVE / GRBM.COUNT"),
		  .unit = DRMPERF_UNIT_PERCENT },
		{ .group = 2,
		  .name = "Waves",
		  .expression = "SQ.WAVES + SQ.INSTS + max(SQ.LEVEL)" },
		{ FAKE_EVENT(3, "GpuCoreClocks", 0) },
		{ FAKE_EVENT(4, "GpuCoreClocks", 0) },
		{ FAKE_EVENT(4, "L3Misses", 1) },
		{ FAKE_EVENT(5, "temperature", 0),
		  .kind = DRMPERF_KIND_MOMENTARY,
		  .unit = DRMPERF_UNIT_MILLIDEGREES_CELSIUS },
	},
};

/* Count, each instance twice as much as the one before. */
static void
count_on(struct fake_run *run)
{
	for (unsigned i = 0; i < 4 * FAKE_INSTANCES; i++)
		run->domain->counts[i / FAKE_INSTANCES][i % FAKE_INSTANCES] =
			(uint64_t)run->domain->samples << i;
}

static int
describe_device(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	struct fake_gpu *gpu;
	int ret = fail_at(FAIL_DESCRIBE, -EACCES, error);

	(void)target;
	if (ret)
		return ret;
	gpu = calloc(1, sizeof(*gpu));
	assert(gpu);
	for (size_t i = 0; i < FAKE_DOMAINS; i++) {
		int *errors = gpu->domains[i].errors;

		errors[FAKE_ARM] = fail_at(FAIL_ARM, -EBUSY, NULL);
		errors[FAKE_START] = fail_at(FAIL_START, -ENODEV, NULL);
		errors[FAKE_SAMPLE] = fail_at(FAIL_SAMPLE, -ENODEV, NULL);
		errors[FAKE_STOP] = fail_at(FAIL_STOP, -ENODEV, NULL);
		gpu->domains[i].hooks[FAKE_SAMPLE] = count_on;
	}
	fake_describe(&model, gpu, description);
	for (size_t i = 0; i < description->event_count; i++)
		description->events[i].description =
			"An event that is made up, and whose words do not fit "
			"into a line of a terminal.";
	*out = gpu;
	return 0;
}

static void
release_device(void *device)
{
	fake_release(device);
	free(device);
}

static int
read_clocks(void *device, struct drmperf_clocks *out,
	    struct drmperf_error *error)
{
	(void)device;
	*out = (struct drmperf_clocks){ .engine_hz = 852000000 };
	return fail_at(FAIL_CLOCKS, -ENODEV, error);
}

static int
hold_clocks(void *device, enum drmperf_clock_mode mode, void **hold,
	    struct drmperf_error *error)
{
	assert(mode > DRMPERF_CLOCK_AUTO && mode <= DRMPERF_CLOCK_PEAK);
	*hold = device;
	return fail_at(FAIL_CLOCKS, -EBUSY, error);
}

static void
release_clocks(void *hold, bool is_child)
{
	assert(hold && !is_child);
}

/* Replace lib/device/drivers.c. */
int
drmperf_create(const struct drmperf_options *options, struct drmperf **out,
	       struct drmperf_error *error)
{
	static const struct driver amdgpu = {
		.name = "amdgpu",
		.describe = describe_device,
		.release = release_device,
		.abandon = release_device,
		.clocks = read_clocks,
		.hold_clocks = hold_clocks,
		.release_clocks = release_clocks,
	};
	static const struct driver i915 = {
		.name = "i915",
		.describe = describe_device,
		.release = release_device,
		.abandon = release_device,
	};
	static const struct driver *const drivers[] = { &amdgpu, &i915, NULL };

	return state_create(options, drivers, root, out, error);
}

/* Refuse a replay: recordings of these made-up GPUs have no reports. */
int
drmperf_create_replay(const struct drmperf_options *options, const void *head,
		      size_t size, struct drmperf **out,
		      struct drmperf_error *error)
{
	(void)options;
	(void)head;
	(void)size;
	(void)out;
	return error_set(error, -ENOTSUP, "nothing is known of this GPU");
}

/* ------------------------------------------------------------------ */
/* A machine with three of them                                         */

static const struct {
	const char *address, *driver;
} devices[] = {
	{ "0000:00:02.0", "i915" },
	{ "0000:03:00.0", "amdgpu" },
	{ "0000:0a:00.0", "amdgpu" },
};

static void
make_device(size_t i)
{
	char command[1024];

	snprintf(command, sizeof(command),
		 "d=%s/sys/bus/pci/devices/%s; mkdir -p $d/drm/renderD%zu && "
		 "echo 0x030000 > $d/class && echo 0x1002 > $d/vendor && "
		 "echo 0x687f > $d/device && ln -s ../../drivers/%s $d/driver",
		 root, devices[i].address, 128 + i, devices[i].driver);
	assert(!system(command));
}

static void
tear_down(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", root);
	assert(!system(command));
}

static void
begin_files(void)
{
	snprintf(root, sizeof(root), "%s/drmperf-command-XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	assert(mkdtemp(root));
	atexit(tear_down);
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++)
		make_device(i);
	unsetenv("DRMPERF_EVENTS");
	unsetenv("ROCP_METRICS");
}

/* ------------------------------------------------------------------ */
/* What is outside of the tool's process                                */

void
unusable_gpus_print(struct drmperf *drmperf)
{
	assert(drmperf_device_count(drmperf) == ARRAY_SIZE(devices));
}

/*
 * Replace the tool's fopen(): what is written by a name would be anywhere, and
 * what is read may never end. Settings of the kernel are read; of files of
 * events the name is what they hold, "/" being the end of a line.
 */
FILE *
fuzz_fopen(const char *path, const char *mode);
/* Replace the tool's open(), likewise; what is read is mapped, and ends. */
int
fuzz_open(const char *path, int flags, ...);

static const char *
choose_sink(const char *path)
{
	now.has_written = true;
	return *path == '/' ? "/dev/full" : "/dev/null";
}

int
fuzz_open(const char *path, int flags, ...)
{
	if (flags & O_CREAT)
		return open(choose_sink(path), O_WRONLY | O_CLOEXEC);
	return open(path, flags);
}

FILE *
fuzz_fopen(const char *path, const char *mode)
{
	FILE *file;

	if (*mode != 'r')
		return fopen(choose_sink(path), mode);
	/* what it says is not asked for */
	if (!strncmp(path, "/proc/sys/", 10) || !strncmp(path, "/sys/", 5))
		return fopen(path, mode);
	file = tmpfile();
	assert(file);
	for (; *path; path++)
		fputc(*path == '/' ? '\n' : *path, file);
	rewind(file);
	return file;
}

/* Refuse: none can be followed. */
int
tasks_open(pid_t pid, struct tasks **out)
{
	(void)pid;
	(void)out;
	return -EACCES;
}

int
tasks_open_running(pid_t pid, struct tasks **out)
{
	return tasks_open(pid, out);
}

uint64_t
tasks_drain(struct tasks *tasks, tasks_fn receive, void *data)
{
	(void)tasks;
	(void)receive;
	(void)data;
	return 0;
}

void
tasks_close(struct tasks *tasks)
{
	assert(!tasks);
}

/*
 * Replace execv(): the tool becomes one program, the self-test, which is run in
 * its place.
 */
int
fuzz_execv(const char *path, char **argv);
int
fuzz_execv(const char *path, char **argv)
{
	struct tool tool = { 0 };
	int argc = 0;

	assert(strstr(path, "drmperf-selftest"));
	while (argv[argc])
		argc++;
	optind = 0;
	tool_run_command(&tool, &selftest_command, argc, argv);
	errno = ENOENT;
	return -1;
}

/* Run no stage: stages are no processes either, and nothing is written. */
bool
selftest_stage_run(const struct selftest_stage *stage, char *why, size_t size)
{
	const struct selftest_check check = { .name = "chip",
					      .verdict = SELFTEST_FAIL,
					      .expected = "one",
					      .seen = "none" };

	stage->decided(stage->data, &check, now.failure == FAIL_FORK);
	*why = '\0';
	if (now.failure != FAIL_EXEC)
		return true;
	snprintf(why, size, "it fails");
	return false;
}

void
work_start(struct work *work, const struct selftest_gpu *gpu)
{
	(void)gpu;
	memset(work, 0, sizeof(*work));
}

void
work_stop(struct work *work, struct work_result *out)
{
	(void)work;
	memset(out, 0, sizeof(*out));
	out->running = now.failure == FAIL_FORK ? 0 : WORK_PROCESSES;
}

int
work_main(const struct selftest_gpu *gpu)
{
	(void)gpu;
	return 0;
}

int
work_launch_main(const struct selftest_gpu *gpu, const char *option)
{
	(void)gpu, (void)option;
	return 0;
}

int
draw_main(const struct selftest_gpu *gpu, const char *option)
{
	(void)gpu, (void)option;
	return 0;
}

int
selftest_log_open(const char *path, struct drmperf_error *error)
{
	(void)path, (void)error;
	return now.failure == FAIL_START ? -EACCES
					 : open("/dev/null", O_WRONLY);
}

int
selftest_log_create(const char *path, struct drmperf_error *error)
{
	return selftest_log_open(path, error);
}

int
selftest_log_line(int fd, const char *format, ...)
{
	(void)fd, (void)format;
	return 0;
}

void
spawn_block_signals(struct spawn_signals *signals)
{
	memset(signals, 0, sizeof(*signals));
}

void
spawn_unblock_signals(const struct spawn_signals *signals)
{
	(void)signals;
}

bool
spawn_is_interrupted(const struct spawn_signals *signals)
{
	(void)signals;
	return now.runs >= RUNS;
}

int
spawn_prepare(const struct tool *tool, struct spawn_signals *signals,
	      const char *const *command, struct spawn *spawn)
{
	assert(command[0]);
	*spawn = (struct spawn){ .signals = signals, .pid = 4711 };
	if (now.failure == FAIL_FORK)
		return tool_fail(tool, "cannot fork");
	return 0;
}

int
spawn_exec(const struct tool *tool, const char *program, struct spawn *spawn)
{
	assert(spawn->pid == 4711);
	if (now.failure != FAIL_EXEC)
		return 0;
	tool_fail(tool, "cannot run %s", program);
	return TOOL_NOT_FOUND;
}

void
spawn_cancel(struct spawn *spawn)
{
	assert(spawn->pid == 4711);
}

int
spawn_watch(const struct tool *tool, struct spawn_signals *signals,
	    pid_t pid, struct spawn *spawn)
{
	assert(pid > 0);
	*spawn = (struct spawn){ .signals = signals, .watches = true };
	if (now.failure == FAIL_FORK)
		return tool_fail(tool, "cannot watch");
	return 0;
}

void
spawn_unwatch(struct spawn *spawn)
{
	spawn->watches = false;
}

/*
 * Wait for a command: each takes three intervals, and then there is its status,
 * 3.
 */
enum spawn_event
spawn_wait(struct spawn *spawn, uint64_t until_ns)
{
	now.runs++;
	if (until_ns != UINT64_MAX && now.runs % 4)
		return SPAWN_TIME;
	spawn->status = 3;
	return spawn->pid ? SPAWN_ENDED : SPAWN_INTERRUPTED;
}

uint64_t
spawn_now_ns(void)
{
	return 1000000 * (1 + now.runs);
}

int
spawn_run(const struct tool *tool, const char *const *command)
{
	struct spawn spawn;
	int status = spawn_prepare(tool, NULL, command, &spawn);

	if (!status)
		status = spawn_exec(tool, command[0], &spawn);
	return status ? status : 3;
}

/*
 * Create no file: one would be anywhere, too; the server is that of
 * http_left_out.c.
 */
int
output_file_create(struct output_file *file, const char *path, mode_t mode)
{
	int fd = fuzz_open(path, O_CREAT, mode);

	*file = (struct output_file){ 0 };
	return fd < 0 ? -errno : fd;
}

int
output_file_open(struct output_file *file, const char *path)
{
	*file = (struct output_file){ .out = fuzz_fopen(path, "w") };
	return file->out ? 0 : -errno;
}

int
output_file_publish(struct output_file *file)
{
	assert(file->out);
	return 0;
}

int
output_file_close(struct output_file *file, bool keep)
{
	int failed = file->out ? fclose(file->out) : 0;

	(void)keep;
	file->out = NULL;
	return failed ? -EIO : 0;
}

int
output_file_remove(const char *path)
{
	assert(*path);
	return 0;
}

/* ------------------------------------------------------------------ */

/* What the tool says goes into memory. */
struct output {
	FILE *file;
	char *text;
	size_t size;
};

static void
open_output(struct output *output)
{
	output->file = open_memstream(&output->text, &output->size);
	assert(output->file);
}

static void
close_output(struct output *output)
{
	fclose(output->file);
	free(output->text);
}

static int
run_command(char **argv, int argc)
{
	FILE *out = stdout, *err = stderr;
	struct output said = { 0 }, complained = { 0 };
	/* they have what does not work to say, and no complaint */
	bool tells = argc > 1 &&
		     (!strcmp(argv[1], "info") || !strcmp(argv[1], "selftest"));
	bool serves = argc > 1 && !strcmp(argv[1], "serve");
	int status;

	open_output(&said);
	open_output(&complained);
	stdout = said.file;
	stderr = complained.file;
	optind = 0;
	status = drmperf_main(argc, argv);
	fflush(stdout);
	fflush(stderr);
	stdout = out;
	stderr = err;
	assert(said.size || complained.size || status == 3 || serves ||
	       now.has_written);
	assert(status == 0 || status == 3 || tells || complained.size);
	close_output(&said);
	close_output(&complained);
	return status;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[] = "drmperf", *argv[ARGUMENTS_MAX + 2] = { name };
	char *text, *rest, *argument;
	int argc = 1, status;

	if (!*root)
		begin_files();
	if (!size)
		return 0;
	now.failure = data[0] % FAILURES;
	now.runs = 0;
	now.has_written = false;
	text = strndup((const char *)data + 1, size - 1);
	assert(text);
	for (rest = text;
	     argc <= ARGUMENTS_MAX && (argument = strsep(&rest, "\n"));)
		argv[argc++] = argument;
	status = run_command(argv, argc);
	assert(status == 0 || status == 1 || status == 3 ||
	       status == TOOL_FAILED || status == TOOL_NOT_FOUND ||
	       status == TOOL_USAGE);
	free(text);
	return 0;
}
