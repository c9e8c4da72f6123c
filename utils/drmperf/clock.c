/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf clock: show a GPU's clocks, or hold a mode while a command runs.
 */
#include "tool.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "spawn.h"

#define MHZ 1000000.0

static void
print_clock(const char *what, uint64_t hz, uint64_t max_hz)
{
	if (hz)
		printf("  %s %.0f MHz", what, (double)hz / MHZ);
	else
		printf("  %s unknown", what);
	if (max_hz)
		printf(" of %.0f MHz", (double)max_hz / MHZ);
	putchar('\n');
}

static int
show(const struct tool *tool, struct drmperf_device *device)
{
	struct drmperf_clocks clocks;
	struct drmperf_error error;

	if (drmperf_device_clocks(device, &clocks, &error))
		return tool_complain(tool, &error);
	printf("device %u: %s, mode %s\n", drmperf_device_index(device),
	       drmperf_device_chip(device),
	       clocks.mode == DRMPERF_CLOCK_AUTO
		       ? "unknown"
		       : drmperf_clock_mode_name(clocks.mode));
	print_clock("engine", clocks.engine_hz, clocks.engine_max_hz);
	print_clock("memory", clocks.memory_hz, clocks.memory_max_hz);
	return 0;
}

static int
show_all(const struct tool *tool, long index)
{
	unsigned count = drmperf_device_count(tool->drmperf);
	int status = 0;

	if (!count)
		return tool_fail(tool, "this machine has no supported GPU");
	for (unsigned i = 0; i < count; i++) {
		if (index >= 0 && (unsigned)index != i)
			continue;
		if (show(tool, drmperf_device_at(tool->drmperf, i)))
			status = TOOL_FAILED;
	}
	return status;
}

/* Both get a Ctrl-C; the command decides, and then the clocks go back. */
static int
run(const struct tool *tool, char **command)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	struct spawn spawn;
	sigset_t mask;
	int ret, status;

	sigprocmask(SIG_SETMASK, NULL, &mask);
	ret = spawn_prepare(&spawn, (const char *const *)command, &mask);
	if (ret)
		return tool_fail(tool, "cannot fork: %s", strerror(-ret));
	sigaction(SIGINT, &ignore, &before);
	ret = spawn_go(&spawn);
	if (ret) {
		sigaction(SIGINT, &before, NULL);
		tool_fail(tool, "cannot run %s: %s", command[0],
			  strerror(-ret));
		return ret == -ENOENT ? TOOL_NOT_FOUND : TOOL_CANNOT_RUN;
	}
	while (waitpid(spawn.pid, &status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &before, NULL);
	return spawn_exit_code(status);
}

static int
hold_and_run(const struct tool *tool, unsigned index, const char *name,
	     char **command)
{
	struct drmperf_device *device = drmperf_device_at(tool->drmperf, index);
	struct drmperf_clock_hold *hold;
	enum drmperf_clock_mode mode;
	struct drmperf_error error;
	int status;

	if (drmperf_clock_mode_find(name, &mode) ||
	    mode == DRMPERF_CLOCK_AUTO) {
		tool_fail(tool, "there is no clock mode \"%s\"", name);
		return tool_usage_error(tool);
	}
	if (!device)
		return tool_fail(tool, "there is no device %u", index);
	if (drmperf_device_hold_clocks(device, mode, &hold, &error))
		return tool_complain(tool, &error);
	status = run(tool, command);
	drmperf_clock_hold_release(hold);
	return status;
}

static const struct option options[] = {
	{ "device", required_argument, NULL, 'd' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int
clock_run(struct tool *tool, int argc, char **argv)
{
	long index = -1;
	int option;
	char *end;

	while ((option = getopt_long(argc, argv, "+d:", options, NULL)) != -1) {
		switch (option) {
		case 'd':
			index = strtol(optarg, &end, 10);
			if (end == optarg || *end || index < 0 ||
			    index >= (long)drmperf_device_count(tool->drmperf))
				return tool_fail(tool,
						 "there is no device \"%s\"",
						 optarg);
			break;
		case 'h':
			fputs(clock_command.usage, stdout);
			return 0;
		default:
			return tool_usage_error(tool);
		}
	}
	argv += optind;
	if (!argv[0])
		return show_all(tool, index);
	if (argv[1] && !strcmp(argv[1], "--"))
		memmove(&argv[1], &argv[2],
			(size_t)(argc - optind - 1) * sizeof(*argv));
	if (!argv[1]) {
		tool_fail(tool, "no command given: a mode is held while one "
				"runs");
		return tool_usage_error(tool);
	}
	return hold_and_run(tool, index < 0 ? 0 : (unsigned)index, argv[0],
			    &argv[1]);
}

const struct tool_command clock_command = {
	.name = "clock",
	.summary = "show the clocks, or hold a clock mode while a command runs",
	.usage =
		"usage: drmperf clock [-d N]\n"
		"       drmperf clock [-d N] MODE [--] COMMAND [ARGUMENT]...\n"
		"Show the clocks of all GPUs, or hold a clock mode of one "
		"while a command runs.\n\n"
		"  -d, --device N  which GPU (default: 0)\n\n"
		"MODE is default, profiling (stable and moderate), min-memory, "
		"min-engine or\npeak. The mode is given back when the command "
		"has ended, and by the kernel if\ndrmperf is killed.\n",
	.run = clock_run,
};
