/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf: list, plan and count the hardware counters of GPUs.
 */
#include "util/command.h"

#include <stdio.h>
#include <string.h>

static const struct tool_command selftest_program = {
	.name = "selftest",
	.summary = "test on a GPU the behaviour that drmperf relies on",
	.program = "drmperf-selftest",
};

static const struct tool_command *const commands[] = {
	&list_command,
	&info_command,
	&split_command,
	&stat_command,
	&record_command,
	&report_command,
	&top_command,
	&serve_command,
	&clock_command,
	&trace_command,
	&papi_command,
	&gl_command,
	&vk_command,
	&selftest_program,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void
print_help(void)
{
	puts("usage: drmperf COMMAND [OPTION]... [ARGUMENT]...\n"
	     "       drmperf\n"
	     "Hardware counters of AMD and Intel GPUs from the Linux DRM "
	     "drivers.\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
	puts("\n"
	     "Without a command it lists the GPUs and what to try "
	     "first.\n\n"
	     "  --help     this text; drmperf help COMMAND shows more\n"
	     "  --version  the version\n"
	     "\n"
	     "Events are named "
	     "DRIVER::GROUP.COUNTER[:device=N][:die=D][:instance=I]; "
	     "where EVENTS\nis asked for, a comma-separated list that may hold "
	     "shell patterns:\n"
	     "  amdgpu::SQ.WAVES,amdgpu::TCC.*");
}

static const struct tool_command *
find_command(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (!strcmp(name, commands[i]->name))
			return commands[i];
	}
	return NULL;
}

/* Complain of a name that no command has, and name the one most like it. */
static int
explain_no_command(const struct tool *tool, const char *name)
{
	const char *like = NULL;
	size_t most = 2, same;

	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		for (same = 0; name[same] &&
			       name[same] == commands[i]->name[same]; same++)
			;
		if (same <= most)
			continue;
		most = same;
		like = commands[i]->name;
	}
	if (!like)
		return tool_usage_error(tool, "there is no command \"%s\"",
					name);
	return tool_usage_error(
		tool, "there is no command \"%s\"; did you mean \"%s\"?",
		name, like);
}

/* Print the help of a command or, without a name, of all. */
static int
help_print(const struct tool *tool, const char *name)
{
	const struct tool_command *command = name ? find_command(name) : NULL;

	if (name && !command)
		return explain_no_command(tool, name);
	if (command)
		return tool_print_usage(tool, command);
	print_help();
	return tool_finish_output(tool, 0);
}

int
main(int argc, char **argv)
{
	const struct tool_command *command;
	struct tool tool = { 0 };

	tool_open_standard_files();
	if (argc < 2)
		return tool_run_command(&tool, &overview_command, argc, argv);
	if (tool_is_help(argv[1]))
		return help_print(&tool, NULL);
	if (!strcmp(argv[1], "help"))
		return help_print(&tool, argv[2]);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		unsigned version = drmperf_version();

		printf("drmperf %u.%u\n", version >> 16, version & 0xffff);
		return tool_finish_output(&tool, 0);
	}
	command = find_command(argv[1]);
	if (!command)
		return explain_no_command(&tool, argv[1]);
	return tool_run_command(&tool, command, argc - 1, argv + 1);
}
