/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program that `drmperf selftest` becomes. It is linked with all functions
 * of the library, not only with those that the library exports.
 */
#include "selftest/selftest.h"
#include "util/command.h"

int
main(int argc, char **argv)
{
	struct tool tool = { 0 };

	tool_open_standard_files();
	return tool_run_command(&tool, &selftest_command, argc, argv);
}
