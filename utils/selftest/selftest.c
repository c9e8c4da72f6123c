/* SPDX-License-Identifier: BSD-3-Clause */
/* drmperf selftest: test in stages what only the GPU itself can show. */
#include "selftest/selftest.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "driver/results/results.h"
#include "select/selection_list.h"
#include "selftest/become.h"
#include "selftest/checks/drawn.h"
#include "selftest/displays.h"
#include "selftest/draw.h"
#include "selftest/kernel_log.h"
#include "selftest/kind.h"
#include "selftest/log.h"
#include "selftest/stage.h"
#include "selftest/work.h"
#include "util/json.h"

/* At least one check has failed; the GPU was reset, or does not answer. */
#define EXIT_CHECK 1
#define EXIT_RESET 2

/* The time that stages which wait may take. */
#define DEFAULT_SECONDS 300u
#define MOST_SECONDS 864000u

struct options {
	const char *gpu; /* as the user names it, or NULL */
	struct drmperf_device *device;
	const struct selftest_kind *kind;
	unsigned first, last;
	const char *log;
	const char *kernel_log;
	const char *suspend;
	unsigned seconds;
	const char *command; /* to be run during stages */
	/* this process only works, launches waves, or draws during a stage */
	const char *work_for, *launch, *draw;
	bool json, yes, again;
};

struct selftest {
	const struct tool *tool;
	const struct options *options;
	struct selftest_memory *memory;
	struct selftest_results found;
	char log_path[PATH_MAX];
	int log;
	int kernel_log; /* or -errno */
	struct json json;
	unsigned counts[SELFTEST_VERDICTS];
	char stopped[512]; /* why, or "" */
	bool hung; /* the GPU was reset, or does not answer */
};

/* ------------------------------------------------------------------ */
/* Telling                                                              */

static void
report_check(struct selftest *test, const struct selftest_check *check)
{
	struct json *json = &test->json;

	test->counts[check->verdict]++;
	if (test->options->json) {
		json_open(json, NULL, '{');
		json_text(json, "check", check->name);
		json_text(json, "verdict",
			  selftest_verdict_names[check->verdict]);
		json_text(json, "expected", check->expected);
		json_text(json, "seen", check->seen);
		json_close(json, '}');
	} else {
		printf("  %-10s  %s: expected %s, seen %s\n",
		       selftest_verdict_names[check->verdict], check->name,
		       check->expected, check->seen);
	}
	fflush(stdout);
}

static void
check_decided(void *data, const struct selftest_check *check, bool hung)
{
	static const enum result kept[SELFTEST_VERDICTS] = {
		[SELFTEST_PASS] = RESULT_PASS,
		[SELFTEST_FAIL] = RESULT_FAIL,
		[SELFTEST_NO] = RESULT_NO,
		[SELFTEST_UNKNOWN] = RESULT_UNKNOWN,
	};
	struct selftest *test = data;

	test->hung = test->hung || hung;
	report_check(test, check);
	if (results_set(&test->found, check->name,
			hung ? RESULT_HANG : kept[check->verdict]))
		tool_warn(test->tool, "no memory to keep %s", check->name);
}

static void
report_head(struct selftest *test)
{
	struct drmperf_device *device = test->options->device;
	unsigned version = drmperf_version();
	struct utsname system = { .release = "" };

	uname(&system);
	selftest_log_line(test->log, "drmperf %u.%u selftest of %s on Linux %s",
			  version >> 16, version & 0xffff,
			  drmperf_device_address(device), system.release);
	if (!test->options->json) {
		printf("device %u: %s at %s\nlog: %s\n",
		       drmperf_device_index(device),
		       test->options->kind->driver,
		       drmperf_device_address(device), test->log_path);
		return;
	}
	json_open(&test->json, NULL, '{');
	json_uint(&test->json, "device", drmperf_device_index(device));
	json_text(&test->json, "driver", test->options->kind->driver);
	json_text(&test->json, "address", drmperf_device_address(device));
	json_text(&test->json, "kernel", system.release);
	json_text(&test->json, "log", test->log_path);
	json_open(&test->json, "stages", '[');
}

static void
report_stage(struct selftest *test, unsigned stage)
{
	const struct selftest_kind *kind = test->options->kind;
	const char *title = kind->title(stage);
	char heading[16] = "at the end";

	if (stage != kind->stages)
		snprintf(heading, sizeof(heading), "stage %u", stage);
	selftest_log_line(test->log, "%s: %s", heading, title);
	if (!test->options->json) {
		printf("%s: %s\n", heading, title);
		return;
	}
	json_open(&test->json, NULL, '{');
	if (stage != kind->stages)
		json_uint(&test->json, "stage", stage);
	json_text(&test->json, "title", title);
	json_open(&test->json, "checks", '[');
}

/* Write to standard error where JSON is printed. */
static void
report_danger(const struct selftest *test, unsigned stage)
{
	const struct selftest_kind *kind = test->options->kind;

	if (kind->dangerous >> stage & 1)
		fprintf(test->options->json ? stderr : stdout,
			"stage %u may reset the GPU or hang it: other programs "
			"lose their work there\n",
			stage);
	fflush(stdout);
}

static void
report_stage_end(struct selftest *test)
{
	if (test->options->json) {
		json_close(&test->json, ']');
		json_close(&test->json, '}');
	}
}

static void
report_end(struct selftest *test)
{
	if (*test->stopped)
		selftest_log_line(test->log, "stopped: %s", test->stopped);
	if (test->options->json) {
		json_close(&test->json, ']');
		if (*test->stopped)
			json_text(&test->json, "stopped", test->stopped);
		json_close(&test->json, '}');
		putchar('\n');
		return;
	}
	if (*test->stopped)
		printf("stopped: %s\n", test->stopped);
	printf("%u PASS, %u FAIL, %u answer: no, %u UNKNOWN\n",
	       test->counts[SELFTEST_PASS], test->counts[SELFTEST_FAIL],
	       test->counts[SELFTEST_NO], test->counts[SELFTEST_UNKNOWN]);
}

/* ------------------------------------------------------------------ */
/* Results                                                              */

/*
 * Return whether a result adds to the known ones: an open one does not if an
 * earlier run has decided it.
 */
static bool
tells_more(const struct selftest_results *all,
	   const struct selftest_result *check)
{
	enum result known = results_find(all, check->name);

	return check->verdict != RESULT_UNKNOWN ||
	       (known != RESULT_PASS && known != RESULT_FAIL &&
		known != RESULT_NO);
}

static int
set_check(struct selftest_results *all, const struct selftest_result *check,
	  struct drmperf_error *error)
{
	int ret = results_set(all, check->name, check->verdict);

	if (ret)
		snprintf(error->cause, sizeof(error->cause), "no memory");
	return ret;
}

/*
 * Keep the results, where the first stage has found that those of this GPU are.
 */
static void
results_keep(struct selftest *test)
{
	const char *path = test->memory->results;
	struct drmperf_error error;
	struct selftest_results all;
	int ret;

	if (!*path)
		return;
	ret = results_read(&all, path, &error);
	/* of other GPUs: what was found there is of no use here */
	if (ret == -ESTALE)
		ret = 0;
	for (size_t i = 0; !ret && i < test->found.count; i++)
		if (tells_more(&all, &test->found.checks[i]))
			ret = set_check(&all, &test->found.checks[i], &error);
	if (!ret)
		ret = results_write(&all, path, &error);
	if (ret)
		tool_warn(test->tool, "cannot keep what was found: %s",
			  error.cause);
	results_finish(&all);
}

/* ------------------------------------------------------------------ */
/* Stages                                                               */

static void
look_at_kernel_log(struct selftest *test)
{
	const char *driver = test->options->kind->driver;
	char text[256], expected[32];
	struct selftest_check check = { .name = "kernel-log",
					.verdict = SELFTEST_PASS,
					.expected = expected,
					.seen = "none" };
	int ret = test->kernel_log;

	snprintf(expected, sizeof(expected), "no error of %s", driver);
	if (ret >= 0)
		ret = kernel_log_next(test->kernel_log, driver, text,
				      sizeof(text));
	if (ret < 0) {
		check.verdict = SELFTEST_UNKNOWN;
		check.seen = "it may not be read (see --kernel-log)";
	} else if (ret) {
		check.verdict = SELFTEST_FAIL;
		check.seen = text;
		snprintf(test->stopped, sizeof(test->stopped),
			 "the kernel reports an error: %s", text);
	}
	report_check(test, &check);
}

/* Check that counting did not disturb the work of other processes. */
static void
look_at_work(struct selftest *test, const struct work_result *result)
{
	char seen[128];
	const struct selftest_check check = {
		.name = "load.sums",
		.verdict = result->wrong || result->running < WORK_PROCESSES
				   ? SELFTEST_FAIL
				   : SELFTEST_PASS,
		.expected = "other processes compute what is right",
		.seen = seen,
	};

	snprintf(seen, sizeof(seen),
		 "%lu of %lu sums wrong; %u of %d processes ended well",
		 result->wrong, result->rounds, result->running,
		 WORK_PROCESSES);
	check_decided(test, &check, false);
}

static void
look_at_pictures(struct selftest *test, const struct work_result *result)
{
	const char *why = drawn_why_not(&drawn_quads, result->no_pictures);
	char seen[128];
	struct selftest_check check = {
		.name = "load.pictures",
		.verdict = SELFTEST_UNKNOWN,
		.expected = "another process draws what is right",
		.seen = seen,
	};

	if (!why)
		check.verdict =
			result->wrong_pictures ? SELFTEST_FAIL : SELFTEST_PASS;
	snprintf(seen, sizeof(seen), "%lu of %lu pictures wrong",
		 result->wrong_pictures, result->pictures);
	if (why)
		check.seen = why;
	check_decided(test, &check, false);
}

/* Run in one process, or in one for each item that it has. */
static void
run_processes(struct selftest *test, const struct selftest_stage *stage)
{
	struct selftest_memory *memory = test->memory;
	char why[256];

	memory->item = memory->item_count = 0;
	do {
		if (!selftest_stage_run(stage, why, sizeof(why)))
			snprintf(test->stopped, sizeof(test->stopped), "%s",
				 why);
	} while (!*test->stopped && ++memory->item < memory->item_count);
}

/* Return how many dies may be behind its node; 0: it has not been opened. */
static unsigned
count_dies(const struct drmperf_device *device)
{
	const struct drmperf_group *group;
	unsigned most = 0;

	for (size_t i = 0; (group = drmperf_group_at(device, i)); i++)
		if (drmperf_group_dies(group) > most)
			most = drmperf_group_dies(group);
	return most;
}

static void
run_stage(struct selftest *test, unsigned number)
{
	const struct options *options = test->options;
	const struct selftest_stage stage = {
		.kind = options->kind,
		.gpu = { .address = drmperf_device_address(options->device),
			 .node = drmperf_device_node(options->device),
			 .dies = count_dies(options->device) },
		.number = number,
		.memory = test->memory,
		.again = options->again,
		.suspend = options->suspend,
		.beside = options->command,
		.log = test->log,
		.decided = check_decided,
		.data = test,
	};
	struct work_result result;
	struct work work;

	report_danger(test, number);
	report_stage(test, number);
	if (number == options->kind->load)
		work_start(&work, &stage.gpu);
	run_processes(test, &stage);
	if (number == options->kind->load) {
		work_stop(&work, &result);
		look_at_work(test, &result);
		look_at_pictures(test, &result);
	}
	look_at_kernel_log(test);
	report_stage_end(test);
	results_keep(test);
}

static void
run_stages(struct selftest *test)
{
	const struct options *options = test->options;

	for (unsigned i = options->first; i <= options->last && !*test->stopped;
	     i++)
		run_stage(test, i);
	if (!*test->stopped && options->last >= options->kind->first_writing &&
	    test->memory->has_saved)
		run_stage(test, options->kind->stages);
}

/* ------------------------------------------------------------------ */
/* Before                                                               */

static int
refuse_display(const struct tool *tool, const struct options *options)
{
	const char *address = drmperf_device_address(options->device);
	char connector[64];

	if (options->yes ||
	    !displays_any("", address, connector, sizeof(connector)))
		return 0;
	tool_fail(tool,
		  "device %u drives a display (%s): if it hangs, the display "
		  "does",
		  drmperf_device_index(options->device), connector);
	fputs("try: choose another GPU by -d; or log in from another "
	      "machine, end the desktop, and use --yes\n",
	      stderr);
	return TOOL_FAILED;
}

static int
open_log(struct selftest *test)
{
	const char *path = test->options->log;
	struct drmperf_error error;
	char folder[PATH_MAX - 64];

	if (path) {
		snprintf(test->log_path, sizeof(test->log_path), "%s", path);
	} else if (results_folder(folder, sizeof(folder))) {
		return tool_fail(test->tool, "there is no folder for the log: "
					     "use --log, or set "
					     "DRMPERF_STATE");
	} else {
		const int partition =
			drmperf_device_partition(test->options->device);
		char number[16] = "";

		if (partition > 0)
			snprintf(number, sizeof(number), "-%d", partition);
		snprintf(test->log_path, sizeof(test->log_path),
			 "%s/selftest-%s%s.log", folder,
			 drmperf_device_address(test->options->device), number);
	}
	test->log = path ? selftest_log_open(path, &error)
			 : selftest_log_create(test->log_path, &error);
	if (test->log >= 0)
		return 0;
	tool_fail(test->tool, "%s", error.cause);
	fputs("try: use --log, or set DRMPERF_STATE to a folder of yours\n",
	      stderr);
	return TOOL_FAILED;
}

static int
selftest_run_stages(struct selftest *test)
{
	test->memory = mmap(NULL, sizeof(*test->memory), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (test->memory == MAP_FAILED)
		return tool_fail(test->tool, "no memory");
	test->memory->seconds = test->options->seconds;
	test->kernel_log = kernel_log_open(test->options->kernel_log);
	report_head(test);
	run_stages(test);
	report_end(test);
	if (test->kernel_log >= 0)
		close(test->kernel_log);
	results_finish(&test->found);
	munmap(test->memory, sizeof(*test->memory));
	if (*test->stopped && test->hung)
		return EXIT_RESET;
	if (test->counts[SELFTEST_FAIL])
		return EXIT_CHECK;
	return *test->stopped ? TOOL_FAILED : 0;
}

/* ------------------------------------------------------------------ */
/* Options                                                              */

static const struct selftest_kind *
kind_of(const struct drmperf_device *device)
{
	return device ? selftest_kind_find(drmperf_device_driver(device))
		      : NULL;
}

static struct drmperf_device *
find_device(const struct tool *tool, const char *text)
{
	struct drmperf_device *device;

	if (text)
		return choose_device(tool, text);
	for (unsigned i = 0; (device = drmperf_device_at(tool->drmperf, i));
	     i++)
		if (kind_of(device))
			return device;
	return NULL;
}

static int
choose_gpu(const struct tool *tool, const char *text, struct options *out)
{
	out->device = find_device(tool, text);
	out->kind = kind_of(out->device);
	if (out->kind)
		return 0;
	if (out->device)
		return tool_fail(tool, "there is no self-test for device %s",
				 text);
	if (text)
		return tool_fail(tool, "there is no device \"%s\"", text);
	return tool_fail(tool, "this machine has no GPU that can be used");
}

/* Check the last stage; without --through it is the last that is harmless. */
static int
check_stages(const struct tool *tool, struct options *options)
{
	unsigned stages = options->kind->stages;

	if (options->last == UINT_MAX)
		options->last = options->kind->usual_last;
	if (options->last < stages)
		return 0;
	return tool_usage_error(tool,
				"the stages of a GPU under %s are 0 to %u",
				options->kind->driver, stages - 1);
}

static int
read_stage(const struct tool *tool, const char *text, const char *option,
	   unsigned *out)
{
	if (isdigit((unsigned char)text[0]) && !text[1] &&
	    (unsigned)(text[0] - '0') < SELFTEST_STAGES_MAX) {
		*out = (unsigned)(text[0] - '0');
		return 0;
	}
	return tool_usage_error(tool,
				"%s takes a stage from 0 to %u, not \"%s\"",
				option, SELFTEST_STAGES_MAX - 1, text);
}

static int
read_last_stage(struct tool *tool, const char *text, void *object)
{
	struct options *options = object;

	options->first = 0;
	return read_stage(tool, text, "--through", &options->last);
}

static int
read_only_stage(struct tool *tool, const char *text, void *object)
{
	struct options *options = object;
	int status = read_stage(tool, text, "--stage", &options->first);

	options->last = options->first;
	return status;
}

static const struct command_option selftest_options[] = {
	{ "device", 'd', "DEVICE", COMMAND_TEXT(struct options, gpu),
	  .help = "which GPU (default: the first)" },
	{ "through", 0, "N", COMMAND_CALL(read_last_stage),
	  .help = "stages 0 to N (default: 8 of AMD GPUs, all of Intel's)" },
	{ "stage", 0, "N", COMMAND_CALL(read_only_stage),
	  .help = "only this stage; 9 is run in no other way" },
	{ "time", 0, "SECONDS",
	  COMMAND_NUMBER(struct options, seconds, MOST_SECONDS),
	  .help = "limit for stages that wait (default: 300)" },
	{ "json", 0, NULL, COMMAND_FLAG(struct options, json),
	  .help = "print JSON" },
	{ "log", 0, "FILE", COMMAND_TEXT(struct options, log),
	  .help = "log of command buffers, before they are submitted "
		  "(default: a file beside the results)" },
	{ "kernel-log", 0, "FILE", COMMAND_TEXT(struct options, kernel_log),
	  .help = "the kernel's log (default: /dev/kmsg)" },
	{ "suspend", 0, "COMMAND", COMMAND_TEXT(struct options, suspend),
	  .help = "what suspends the machine, while it counts" },
	{ "beside", 0, "COMMAND", COMMAND_TEXT(struct options, command),
	  .help = "a program that works on the GPU, such as a HIP program: "
		  "stages 5 and 7 run it" },
	{ "again", 0, NULL, COMMAND_FLAG(struct options, again),
	  .help = "include tests that hung the GPU in an earlier run" },
	{ "yes", 0, NULL, COMMAND_FLAG(struct options, yes),
	  .help = "allow a GPU that drives a display" },
	/* of our own processes */
	{ WORK_OPTION, 0, "NODE", COMMAND_TEXT(struct options, work_for) },
	{ WAVES_OPTION, 0, "WAVES", COMMAND_TEXT(struct options, launch) },
	{ DRAW_OPTION, 0, "PICTURE", COMMAND_TEXT(struct options, draw) },
	{ 0 },
};

/* Work on the GPU that another process of this program has chosen. */
static int
work_as_other_process(const struct tool *tool, const struct options *options)
{
	struct drmperf_device *device;

	for (unsigned i = 0; (device = drmperf_device_at(tool->drmperf, i));
	     i++) {
		const struct selftest_gpu gpu = {
			.address = drmperf_device_address(device),
			.node = drmperf_device_node(device),
			.dies = count_dies(device),
		};

		if (strcmp(gpu.node, options->work_for))
			continue;
		if (options->draw)
			return draw_main(&gpu, options->draw);
		if (strcmp(drmperf_device_driver(device), "amdgpu"))
			continue;
		return options->launch ? work_launch_main(&gpu, options->launch)
				       : work_main(&gpu);
	}
	return tool_fail(tool, "there is no GPU with the node %s",
			 options->work_for);
}

static int
selftest_command_run(struct tool *tool, int argc, char **argv)
{
	struct options options = { .last = UINT_MAX,
				   .seconds = DEFAULT_SECONDS,
				   .kernel_log = "/dev/kmsg" };
	struct selftest test = { .tool = tool,
				 .options = &options,
				 .json = { .out = stdout } };
	int status = tool_read_options(tool, &selftest_command, argc, argv,
				       &options);

	if (!status && argv[optind])
		status = tool_usage_error(tool, "unknown argument \"%s\"",
					  argv[optind]);
	if (!status && options.work_for)
		return work_as_other_process(tool, &options);
	if (!status)
		status = choose_gpu(tool, options.gpu, &options);
	if (!status)
		status = check_stages(tool, &options);
	if (!status)
		status = refuse_display(tool, &options);
	if (!status)
		status = open_log(&test);
	if (status)
		return status;
	status = selftest_run_stages(&test);
	close(test.log);
	return status;
}

const struct tool_command selftest_command = {
	.name = "selftest",
	.summary = "test on a GPU the behaviour that drmperf relies on",
	.usage =
		"usage: drmperf selftest [-d DEVICE] [--through N | --stage N] "
		"[OPTION]...\n"
		"Test on a GPU the behaviour that drmperf relies on, "
		"harmless tests first, and\n"
		"keep the results, which counting follows from then on. "
		"Nothing else should use\n"
		"the GPU while it runs.\n",
	.options = selftest_options,
	.notes = "Stages of AMD GPUs: 0 what the GPU is, 1 memory and clock, "
		 "2 control registers,\n"
		 "3 counter selects, 4 counting without work, 5 shaders, 6 "
		 "full counters,\n"
		 "7 load, 8 sleep and other profilers, 9 hidden blocks. "
		 "Stages 4 and 9 may reset the\n"
		 "GPU or hang it: other programs lose their work there. Of "
		 "Intel GPUs: 0 what the\n"
		 "GPU is, 1 clocks, 2 metric sets, 3 fenced reads, 4 "
		 "idleness and sleep, 5 other\n"
		 "tools, 6 composed sets, 7 known work. Each runs in its own "
		 "process; the first\n"
		 "reset or kernel error ends the run. Exit status: 0, also "
		 "where the answer to a\n"
		 "question is no; 1 if a check failed; 2 after a reset.\n",
	.run = selftest_command_run,
};
