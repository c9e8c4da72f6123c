/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/kernels.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/preload.h"
#include "util/printable.h"
#include "util/temporary_folder.h"

#define INTERCEPTOR "librocprofiler64.so.1"
#define COUNTER "libdrmperf-kernels.so"
#define HSA_TOOLS "HSA_TOOLS_LIB"
#define NAMES_SIZE 8192

/* Output of one pass. */
struct kernels_file {
	struct temporary_folder folder;
	FILE *stream;
};

/* ------------------------------------------------------------------ */
/* Options                                                              */

int
kernels_read_pattern(struct tool *tool, const char *text, void *filter)
{
	regex_t pattern;
	char reason[128];
	int code = regcomp(&pattern, text, REG_EXTENDED | REG_NOSUB);

	if (code) {
		regerror(code, &pattern, reason, sizeof(reason));
		return tool_usage_error(tool, "--kernel %s: %s", text, reason);
	}
	regfree(&pattern);
	((struct kernels_filter *)filter)->pattern = text;
	return 0;
}

static bool
is_amd(const struct drmperf_device *device)
{
	return !strcmp(drmperf_device_driver(device), "amdgpu");
}

int
kernels_choose_device(struct tool *tool)
{
	const unsigned count = drmperf_device_count(tool->drmperf);

	if (choose_means_several(tool))
		return tool_usage_error(tool, "--kernels takes the events of "
					      "one GPU: -d N");
	for (unsigned i = 0; !tool->device && i < count; i++) {
		const struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);

		if (is_amd(device))
			tool->device = device;
	}
	if (tool->device && is_amd(tool->device))
		return 0;
	return tool_fail(tool, "--kernels needs an AMD GPU, and there is none");
}

/*
 * Return whether it is other than counters of the graphics core, and what is
 * computed from them, of all instances.
 */
static bool
is_not_of_dispatches(const struct drmperf_selection *selection)
{
	const struct drmperf_event *event = selection->event;

	return !is_amd(drmperf_event_device(event)) ||
	       strcmp(drmperf_group_domain(drmperf_event_group(event)),
		      "gfx") ||
	       selection->instance != DRMPERF_ALL_INSTANCES;
}

int
kernels_check_events(const struct tool *tool,
		     const struct selection_list *events)
{
	return selection_list_refuse(
		tool, events, is_not_of_dispatches,
		"cannot be counted per kernel",
		"take counters of AMD's graphics core, or metrics of them, of "
		"all instances");
}

/* ------------------------------------------------------------------ */
/* The program's environment                                            */

static int
set_variable(const struct tool *tool, const char *name, const char *value)
{
	return setenv(name, value, 1) ? tool_fail(tool, "no memory") : 0;
}

static int
set_number(const struct tool *tool, const char *name, unsigned number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	return set_variable(tool, name, text);
}

struct kernels_libraries {
	char interceptor[PATH_MAX], counter[PATH_MAX];
};

static int
find_libraries(const struct tool *tool, struct kernels_libraries *libraries)
{
	if (preload_require(tool, INTERCEPTOR, libraries->interceptor) ||
	    preload_require(tool, COUNTER, libraries->counter)) {
		fputs("or: build it where the HSA runtime is (Debian: "
		      "libhsa-runtime-dev, librocprofiler64-1)\n",
		      stderr);
		return TOOL_FAILED;
	}
	if (strpbrk(libraries->interceptor, " \t"))
		return tool_fail(tool,
				 HSA_TOOLS " has no way to write a path with "
					   "blanks, %s",
				 libraries->interceptor);
	return 0;
}

static int
set_environment(const struct tool *tool,
		const struct kernels_libraries *libraries,
		const struct kernels_filter *filter)
{
	int status = 0;

	if (preload_append(HSA_TOOLS, " ", libraries->interceptor))
		status = tool_fail(tool, "no memory");
	if (!status)
		status = set_variable(tool, "ROCP_HSA_INTERCEPT", "1");
	if (!status)
		status =
			set_variable(tool, "ROCP_TOOL_LIB", libraries->counter);
	if (!status)
		status = set_variable(tool, "DRMPERF_KERNELS_PATTERN",
				      filter->pattern ? filter->pattern : "");
	if (!status)
		status = set_number(tool, "DRMPERF_KERNELS_SKIP", filter->skip);
	if (!status)
		status = set_number(tool, "DRMPERF_KERNELS_LIMIT",
				    filter->limit);
	return status;
}

/* Return the name without the driver, which is that of the dispatch's GPU. */
static const char *
short_name(const struct drmperf_event *event)
{
	const char *name = drmperf_event_name(event);
	const char *colons = strstr(name, "::");

	return colons ? colons + 2 : name;
}

static int
set_events(const struct tool *tool, const struct selection_list *events)
{
	char names[NAMES_SIZE] = "";
	size_t length = 0;

	for (size_t i = 0; i < events->count; i++) {
		const struct drmperf_event *event = events->selections[i].event;

		length += (size_t)snprintf(names + length,
					   sizeof(names) - length, "%s%s",
					   i ? " " : "", short_name(event));
		if (length >= sizeof(names))
			return tool_fail(tool, "too many events for one pass");
	}
	return set_variable(tool, "DRMPERF_KERNELS_EVENTS", names);
}

/* ------------------------------------------------------------------ */
/* A pass                                                               */

static int
open_file(const struct tool *tool, struct kernels_file *file)
{
	const char *parent = secure_getenv("TMPDIR");
	int ret;

	if (!parent || !*parent)
		parent = "/tmp";
	ret = temporary_folder_create(&file->folder, parent, "drmperf-kernels",
				      "output");
	if (ret)
		return tool_fail(tool, "cannot make a folder in %s: %s", parent,
				 strerror(-ret));
	file->stream = fopen(file->folder.file, "w+e");
	if (file->stream)
		return 0;
	ret = errno;
	temporary_folder_remove(&file->folder);
	return tool_fail(tool, "%s: %s", file->folder.file, strerror(ret));
}

static void
remove_file(struct kernels_file *file)
{
	fclose(file->stream);
	temporary_folder_remove(&file->folder);
}

/* Returns the exit status, or that of the tool after a complaint. */
static int
run_command(const struct tool *tool, const char *const *command,
	    struct spawn_signals *signals, double *seconds, bool *has_run)
{
	struct spawn spawn;
	uint64_t start;
	int status = spawn_prepare(tool, signals, command, &spawn);

	if (!status) {
		start = spawn_now_ns();
		status = spawn_exec(tool, command[0], &spawn);
	}
	*has_run = !status;
	if (status)
		return status;
	spawn_wait(&spawn, UINT64_MAX);
	*seconds += (double)(spawn_now_ns() - start) / 1e9;
	return spawn.status;
}

static int
run_pass(const struct tool *tool, const struct kernels_options *options,
	 const struct selection_list *events, size_t first,
	 struct spawn_signals *signals, struct kernels_result *result,
	 bool *goes_on)
{
	struct kernels_file file = { .stream = NULL };
	bool has_run;
	int status = set_events(tool, events);

	*goes_on = false;
	if (!status)
		status = open_file(tool, &file);
	if (status)
		return status;
	status = set_variable(tool, "DRMPERF_KERNELS_OUTPUT", file.folder.file);
	if (!status)
		status = run_command(tool, options->command, signals,
				     &result->seconds, &has_run);
	else
		has_run = false;
	if (has_run && kernels_read(file.stream, result->passes, first,
				    events->count, options, result))
		status = tool_fail(tool, "no memory");
	else if (has_run)
		*goes_on = !signals->taken && result->has_begun;
	result->passes += has_run;
	remove_file(&file);
	return status;
}

/*
 * Run the command without counting, for the time that it takes by itself.
 * Returns 0, whatever its exit status, but the status of one that a signal was
 * to end, or that could not be run.
 */
static int
run_uncounted(const struct tool *tool, const struct kernels_options *options,
	      struct spawn_signals *signals, struct kernels_result *result)
{
	double seconds = 0;
	bool has_run;
	int status;

	fputs("drmperf stat: a run without counting\n", stderr);
	status = run_command(tool, options->command, signals, &seconds,
			     &has_run);
	if (!has_run || signals->taken)
		return status;
	result->uncounted_seconds = seconds;
	return 0;
}

/* ------------------------------------------------------------------ */
/* All passes                                                           */

static int
prepare_result(const struct tool *tool, const struct passes *passes,
	       struct kernels_result *result)
{
	size_t count = 0;

	for (size_t i = 0; i < passes->count; i++)
		count += passes->list[i].count;
	result->events = calloc(count, sizeof(*result->events));
	result->dispatches = calloc(passes->count, sizeof(*result->dispatches));
	if (!result->events || !result->dispatches)
		return tool_fail(tool, "no memory");
	for (size_t i = 0; i < passes->count; i++) {
		for (size_t j = 0; j < passes->list[i].count; j++)
			result->events[result->event_count++] =
				&passes->list[i].selections[j];
	}
	return 0;
}

static int
run_passes(const struct tool *tool, const struct kernels_options *options,
	   const struct passes *passes, struct spawn_signals *signals,
	   struct kernels_result *result)
{
	size_t first = 0;
	bool goes_on = true;
	int status = 0;

	for (size_t i = 0; goes_on && i < passes->count; i++) {
		if (passes->count > 1)
			fprintf(stderr, "drmperf stat: pass %zu of %zu\n",
				i + 1, passes->count);
		status = run_pass(tool, options, &passes->list[i], first,
				  signals, result, &goes_on);
		first += passes->list[i].count;
	}
	if (result->passes && result->passes < passes->count)
		tool_warn(tool, "ended after %zu of %zu passes", result->passes,
			  passes->count);
	return status;
}

static void
compare_passes(const struct tool *tool, const struct kernels_result *result)
{
	for (size_t i = 1; i < result->passes; i++) {
		if (result->dispatches[i] != result->dispatches[0])
			tool_warn(tool,
				  "pass %zu has %" PRIu64
				  " dispatches, the first one %" PRIu64
				  ": the command does not do the same each "
				  "time",
				  i + 1, result->dispatches[i],
				  result->dispatches[0]);
	}
}

/*
 * Complain that nothing was counted. The reason comes from the program. Returns
 * TOOL_FAILED.
 */
static int
complain_of_nothing(const struct tool *tool,
		    const struct kernels_options *options,
		    const struct kernels_result *result)
{
	const struct kernels_filter *filter = &options->filter;

	if (!result->has_begun) {
		tool_fail(tool, "no kernel was counted: the command has not "
				"begun HSA, or HSA has not loaded "
				"librocprofiler64");
		fputs("try: run a program that uses HIP, OpenMP or OpenCL "
		      "on ROCm; with DRMPERF_VERBOSE=1 the library says why "
		      "it was not loaded\n",
		      stderr);
	} else if (result->failure) {
		tool_fail(tool, "no kernel was counted: %s", result->failure);
	} else if (filter->pattern || filter->skip) {
		tool_fail(tool, "no kernel was counted: the command has "
				"dispatched none that --kernel and --skip "
				"let through");
	} else {
		tool_fail(tool, "no kernel was counted: the command has "
				"dispatched none");
	}
	return TOOL_FAILED;
}

/* Print what a program has counted, even where it has failed. */
static int
kernels_print(const struct tool *tool, const struct kernels_options *options,
	      struct kernels_result *result, int status)
{
	if (!result->passes)
		return status;
	if (result->failure)
		printable_clean(result->failure);
	if (!result->kernel_count) {
		complain_of_nothing(tool, options, result);
		return status ? status : TOOL_FAILED;
	}
	if (result->failure)
		tool_warn(tool, "some dispatches were not counted: %s",
			  result->failure);
	compare_passes(tool, result);
	return status;
}

static int
count_passes(const struct tool *tool, const struct kernels_options *options,
	     const struct passes *passes, struct spawn_signals *signals,
	     struct kernels_result *result)
{
	int status = prepare_result(tool, passes, result);

	if (status)
		return status;
	kernels_print_head(options, result);
	status = run_passes(tool, options, passes, signals, result);
	if (result->kernel_count || options->records)
		kernels_print_result(options, result);
	return kernels_print(tool, options, result, status);
}

int
kernels_count(const struct tool *tool, const struct kernels_options *options,
	      const struct passes *passes, struct spawn_signals *signals)
{
	struct kernels_result result = { .uncounted_seconds = NAN };
	struct kernels_libraries libraries;
	int status = preload_check_program(tool, options->command[0]);

	if (!status)
		status = find_libraries(tool, &libraries);
	if (!status && options->runs_uncounted)
		status = run_uncounted(tool, options, signals, &result);
	if (status || signals->taken)
		return status;
	status = set_environment(tool, &libraries, &options->filter);
	if (!status)
		status = count_passes(tool, options, passes, signals, &result);
	kernels_finish(&result);
	return status;
}
