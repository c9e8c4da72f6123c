/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf clock: show a GPU's clocks, or hold a mode while a command runs.
 */
#include "util/command.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "process/spawn.h"
#include "select/selection_list.h"

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
clocks_show(const struct tool *tool, struct drmperf_device *device)
{
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };
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

/*
 * Show all. A driver without clock modes is no failure where another one has
 * them.
 */
static int
show_clocks(const struct tool *tool)
{
	unsigned count = drmperf_device_count(tool->drmperf), shown = 0;
	int status = 0;

	if (!count)
		return tool_fail_no_gpu(tool);
	for (unsigned i = 0; i < count; i++) {
		struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);
		struct drmperf_clocks clocks = { .size = sizeof(clocks) };

		if (drmperf_device_clocks(device, &clocks, NULL) == -ENOTSUP)
			printf("device %u: %s has no clock modes\n", i,
			       drmperf_device_driver(device));
		else if (clocks_show(tool, device))
			status = TOOL_FAILED;
		else
			shown++;
	}
	return shown ? status : TOOL_FAILED;
}

/* Return the first device that has clock modes, or else the first. */
static struct drmperf_device *
default_device(const struct tool *tool)
{
	struct drmperf_device *device;
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };

	for (unsigned i = 0; (device = drmperf_device_at(tool->drmperf, i));
	     i++) {
		if (drmperf_device_clocks(device, &clocks, NULL) != -ENOTSUP)
			return device;
	}
	return drmperf_device_at(tool->drmperf, 0);
}

static int
hold_and_run(const struct tool *tool, struct drmperf_device *device,
	     enum drmperf_clock_mode mode, char **command)
{
	struct drmperf_clock_hold *hold;
	struct drmperf_error error;
	int status;

	if (drmperf_device_hold_clocks(device, mode, &hold, &error))
		return tool_complain(tool, &error);
	status = spawn_run(tool, (const char *const *)command);
	drmperf_clock_hold_release(hold);
	return status;
}

static const struct command_option clock_options[] = {
	{ "device", 'd', "DEVICE", COMMAND_CALL(choose_option_device),
	  .help = "which GPU (default: the first that has clock modes)" },
	{ 0 },
};

/* Hold a mode: MODE [--] COMMAND... */
static int
hold_mode(const struct tool *tool, struct drmperf_device *device, char **argv)
{
	char **command = &argv[1];
	enum drmperf_clock_mode mode;

	if (drmperf_clock_mode_find(argv[0], &mode) ||
	    mode == DRMPERF_CLOCK_AUTO)
		return tool_usage_error(tool, "there is no clock mode \"%s\"",
					argv[0]);
	if (command[0] && !strcmp(command[0], "--"))
		command++;
	if (!command[0])
		return tool_usage_error(tool,
					"no command given: a mode is held "
					"while one runs");
	if (!device)
		device = default_device(tool);
	if (!device)
		return tool_fail_no_gpu(tool);
	return hold_and_run(tool, device, mode, command);
}

static int
clock_run(struct tool *tool, int argc, char **argv)
{
	struct drmperf_device *device = NULL;
	int status =
		tool_read_options(tool, &clock_command, argc, argv, &device);

	if (status)
		return status;
	if (argv[optind])
		return hold_mode(tool, device, &argv[optind]);
	return device ? clocks_show(tool, device) : show_clocks(tool);
}

const struct tool_command clock_command = {
	.name = "clock",
	.summary = "show the clocks, or hold a clock mode while a command runs",
	.usage = "usage: drmperf clock [-d DEVICE]\n"
		 "       drmperf clock [-d DEVICE] MODE [--] COMMAND "
		 "[ARGUMENT]...\n"
		 "Show the clocks of all GPUs, or hold a clock mode of one "
		 "while a command runs.\n",
	.options = clock_options,
	.notes = "MODE is one of default|profiling|min-memory|min-engine|peak; "
		 "profiling is stable\nand moderate. The mode ends with the "
		 "command; the kernel ends it if drmperf is\nkilled.\n",
	.takes_command = true,
	.run = clock_run,
};
