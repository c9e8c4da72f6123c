/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf: list, plan and count the hardware counters of GPUs.
 */
#include "tool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
	&selftest_command,
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
	     "  --help     this text; drmperf help COMMAND tells more\n"
	     "  --version  the version\n"
	     "\n"
	     "Events are named DRIVER::GROUP.COUNTER[:device=N][:instance=I]; "
	     "where EVENTS\nis asked for, a comma-separated list that may hold "
	     "shell patterns:\n"
	     "  amdgpu::SQ.WAVES,amdgpu::TCC.*");
}

static void
look_at_terminal(struct tool *tool)
{
	struct winsize size;

	const char *kind = secure_getenv("TERM");
	const char *none = secure_getenv("NO_COLOR");

	tool->terminal = isatty(STDOUT_FILENO);
	tool->colour = tool->terminal && !(none && *none) && kind &&
		       strcmp(kind, "dumb") != 0;
	tool->width = 80;
	if (tool->terminal && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) &&
	    size.ws_col >= 40)
		tool->width = size.ws_col;
}

static bool
is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
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
say_no_command(const struct tool *tool, const char *name)
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

static int
run_command(struct tool *tool, const struct tool_command *command, int argc,
	    char **argv)
{
	struct drmperf_options options = { .size = sizeof(options),
					   .log = tool_log,
					   .log_data = tool,
					   .uses_kfd = true };
	struct drmperf_error error;
	char title[32];
	int status;

	tool->command = command->name;
	/* as getopt complains */
	snprintf(title, sizeof(title), "drmperf %s", command->name);
	argv[0] = title;
	if (argc > 1 && is_help(argv[1])) {
		fputs(command->usage, stdout);
		return 0;
	}
	if (drmperf_create(&options, &tool->drmperf, &error))
		return tool_complain(tool, &error);
	look_at_terminal(tool);
	status = command->run(tool, argc, argv);
	drmperf_destroy(tool->drmperf);
	return status;
}

/* Output that could not be written is a failure even if all else went well. */
static int
finish_output(const struct tool *tool, int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		tool_fail(tool, "cannot write the output");
		return status ? status : TOOL_FAILED;
	}
	return status;
}

/*
 * A standard stream that is closed would become the first file that is opened,
 * the GPU's perhaps. Instead it is one that cannot be written.
 */
static void
keep_closed(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* Print the help of a command or, without a name, of all. */
static int
help_print(const struct tool *tool, const char *name)
{
	const struct tool_command *command = name ? find_command(name) : NULL;

	if (name && !command)
		return say_no_command(tool, name);
	if (command)
		fputs(command->usage, stdout);
	else
		print_help();
	return finish_output(tool, 0);
}

int
main(int argc, char **argv)
{
	const struct tool_command *command;
	struct tool tool = { 0 };

	keep_closed();
	if (argc < 2) {
		int status = run_command(&tool, &overview_command, argc, argv);

		return finish_output(&tool, status);
	}
	if (is_help(argv[1]))
		return help_print(&tool, NULL);
	if (!strcmp(argv[1], "help"))
		return help_print(&tool, argv[2]);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		unsigned version = drmperf_version();

		printf("drmperf %u.%u\n", version >> 16, version & 0xffff);
		return finish_output(&tool, 0);
	}
	command = find_command(argv[1]);
	if (!command)
		return say_no_command(&tool, argv[1]);
	return finish_output(&tool,
			     run_command(&tool, command, argc - 1, argv + 1));
}
