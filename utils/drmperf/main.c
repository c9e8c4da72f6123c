/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf: list, plan and count the hardware counters of GPUs.
 */
#include "tool.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const struct tool_command *const commands[] = {
	&list_command, &info_command,  &split_command,
	&stat_command, &clock_command,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

__attribute__((format(printf, 2, 0))) static void
complain_v(const struct tool *tool, const char *message, va_list arguments)
{
	fflush(stdout);
	if (tool->command)
		fprintf(stderr, "drmperf %s: ", tool->command);
	else
		fputs("drmperf: ", stderr);
	vfprintf(stderr, message, arguments);
	fputc('\n', stderr);
}

int
tool_fail(const struct tool *tool, const char *message, ...)
{
	va_list arguments;

	va_start(arguments, message);
	complain_v(tool, message, arguments);
	va_end(arguments);
	return TOOL_FAILED;
}

void
tool_warn(const struct tool *tool, const char *message, ...)
{
	va_list arguments;

	va_start(arguments, message);
	complain_v(tool, message, arguments);
	va_end(arguments);
}

int
tool_complain(const struct tool *tool, const struct drmperf_error *error)
{
	tool_fail(tool, "%s", error->cause);
	if (error->remedy[0])
		fprintf(stderr, "remedy: %s\n", error->remedy);
	return TOOL_FAILED;
}

int
tool_usage_error(const struct tool *tool)
{
	fprintf(stderr, "try: drmperf %s --help\n", tool->command);
	return TOOL_FAILED;
}

static void
print_help(void)
{
	puts("usage: drmperf COMMAND [OPTION]... [ARGUMENT]...\n"
	     "Hardware counters of AMD and Intel GPUs from the Linux DRM "
	     "drivers.\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
	puts("\n"
	     "  --help     this text; drmperf COMMAND --help tells more\n"
	     "  --version  the version\n"
	     "\n"
	     "Events are named DRIVER::GROUP.COUNTER[:device=N][:instance=I]; "
	     "where EVENTS\nis asked for, a comma-separated list that may hold "
	     "shell patterns:\n"
	     "  amdgpu::SQ.WAVES,amdgpu::TCC.*");
}

static void
log_line(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	if (level <= DRMPERF_LOG_WARNING)
		fprintf(stderr, "drmperf: %s\n", message);
}

static void
look_at_terminal(struct tool *tool)
{
	struct winsize size;

	tool->terminal = isatty(STDOUT_FILENO);
	tool->colour = tool->terminal && !getenv("NO_COLOR");
	tool->width = 80;
	if (tool->terminal && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) &&
	    size.ws_col >= 40)
		tool->width = size.ws_col;
}

static int
run_command(struct tool *tool, const struct tool_command *command, int argc,
	    char **argv)
{
	struct drmperf_options options = { .size = sizeof(options),
					   .log = log_line };
	struct drmperf_error error;
	int status;

	tool->command = command->name;
	if (argc > 1 && !strcmp(argv[1], "--help")) {
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

int
main(int argc, char **argv)
{
	struct tool tool = { 0 };

	if (argc < 2) {
		print_help();
		return TOOL_FAILED;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		print_help();
		return finish_output(&tool, 0);
	}
	if (!strcmp(argv[1], "--version")) {
		unsigned version = drmperf_version();

		printf("drmperf %u.%u\n", version >> 16, version & 0xffff);
		return finish_output(&tool, 0);
	}
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (!strcmp(argv[1], commands[i]->name))
			return finish_output(&tool,
					     run_command(&tool, commands[i],
							 argc - 1, argv + 1));
	}
	tool_fail(&tool, "there is no command \"%s\"", argv[1]);
	fputs("try: drmperf --help\n", stderr);
	return TOOL_FAILED;
}
