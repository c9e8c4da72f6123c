/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf without a command: the GPUs of the machine, and what to try first.
 */
#include "util/command.h"

/* Print a line on a GPU. Returns whether it can be opened. */
static bool
print_gpu(struct drmperf_device *device)
{
	struct drmperf_error error;
	char chip[TOOL_CHIP_SIZE];
	int err = drmperf_device_open(device, &error);

	printf("GPU %u: ", drmperf_device_index(device));
	if (err)
		printf("%s at %s: %s\n", drmperf_device_driver(device),
		       drmperf_device_address(device), error.cause);
	else
		printf("%s, %s at %s\n", tool_chip(device, chip),
		       drmperf_device_driver(device),
		       drmperf_device_address(device));
	return !err;
}

static int
overview_command_run(struct tool *tool, int argc, char **argv)
{
	const unsigned count = drmperf_device_count(tool->drmperf);
	bool all_open = true;

	(void)argc;
	(void)argv;
	for (unsigned i = 0; i < count; i++)
		all_open &= print_gpu(drmperf_device_at(tool->drmperf, i));
	if (!count)
		puts("This machine has no supported GPU.");
	putchar('\n');
	if (!all_open || !count)
		puts("  drmperf info                what is missing, and how "
		     "to fix it");
	if (count)
		puts("  drmperf stat -- ./program   why a program is slow\n"
		     "  drmperf top                 what the GPUs do now\n"
		     "  drmperf list                the events that can be "
		     "counted");
	puts("\ndrmperf --help has all commands.");
	return 0;
}

const struct tool_command overview_command = {
	.name = "overview",
	.run = overview_command_run,
};
