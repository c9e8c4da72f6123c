/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/command.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ------------------------------------------------------------------ */
/* Help                                                                 */

/* Where descriptions of options begin, at most. */
#define HELP_COLUMN 23
#define HELP_WIDTH 80

/* Write what stands before the description. Returns its length. */
static size_t
write_option(const struct command_option *option, char text[HELP_WIDTH])
{
	const char *argument = option->argument;
	char letter[] = { '-', option->letter, ',', '\0' };

	return (size_t)snprintf(text, HELP_WIDTH, "  %-3s --%s%s%s%s",
				option->letter ? letter : "", option->name,
				option->is_optional ? "[="
				: argument	    ? " "
						    : "",
				argument ? argument : "",
				option->is_optional ? "]" : "");
}

static size_t
find_column(const struct command_option *options)
{
	size_t column = 0, length;
	char text[HELP_WIDTH];

	for (const struct command_option *o = options; o->name; o++) {
		length = write_option(o, text) + 2;
		if (o->help && length > column && length <= HELP_COLUMN)
			column = length;
	}
	return column;
}

static void
print_options(const struct command_option *options)
{
	const struct tool page = { .width = HELP_WIDTH };
	const size_t column = find_column(options);
	char text[HELP_WIDTH];

	for (const struct command_option *o = options; o->name; o++) {
		if (!o->help)
			continue;
		if (write_option(o, text) + 2 > column)
			puts(text);
		else
			printf("%-*s", (int)column, text);
		tool_print_wrapped(&page, o->help, column,
				   strlen(text) + 2 <= column);
	}
}

static void
print_help(const struct tool_command *command)
{
	fputs(command->usage, stdout);
	putchar('\n');
	print_options(command->options);
	if (command->notes)
		printf("\n%s", command->notes);
}

bool
tool_is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
}

/* ------------------------------------------------------------------ */
/* Options                                                              */

#define OPTIONS_MAX 48

/* What getopt_long() returns for the first row; letters are below that. */
#define OPTION_FIRST 256
/* A status of commands that becomes 0. */
#define HELP_PRINTED (-1)

/* Fill in what getopt_long() is given. */
static void
list_options(const struct tool_command *command, struct option *names,
	     char *letters)
{
	const struct command_option *o = command->options;

	if (command->takes_command)
		*letters++ = '+';
	for (int i = 0; o->name && i < OPTIONS_MAX; i++, o++) {
		*names++ = (struct option){ o->name,
					    o->is_optional ? optional_argument
					    : o->argument  ? required_argument
							   : no_argument,
					    NULL, OPTION_FIRST + i };
		if (o->letter)
			*letters++ = o->letter;
		if (o->letter && o->argument)
			*letters++ = ':';
	}
	*letters++ = 'h';
	*letters = '\0';
	*names++ = (struct option){ "help", no_argument, NULL, 'h' };
	*names = (struct option){ 0 };
}

static const struct command_option *
find_option(const struct command_option *options, int value)
{
	if (value >= OPTION_FIRST)
		return &options[value - OPTION_FIRST];
	while (options->name && options->letter != value)
		options++;
	return options->name ? options : NULL;
}

static int
read_number(const struct tool *tool, const struct command_option *option,
	    unsigned *out)
{
	char name[HELP_WIDTH];

	if (option->letter)
		snprintf(name, sizeof(name), "-%c", option->letter);
	else
		snprintf(name, sizeof(name), "--%s", option->name);
	return tool_read_number(tool, optarg, name, option->max, out);
}

int
tool_read_pid(struct tool *tool, const char *text, void *pid)
{
	unsigned number = 0;
	int status = tool_read_number(tool, text, "-p", INT_MAX, &number);

	*(pid_t *)pid = (pid_t)number;
	return status;
}

static int
read_option(struct tool *tool, const struct command_option *option,
	    void *object)
{
	void *field = (char *)object + option->field;

	if (option->read)
		return option->read(tool, optarg, field);
	if (option->max)
		return read_number(tool, option, field);
	if (option->argument)
		*(const char **)field = optarg;
	else
		*(bool *)field = true;
	return 0;
}

int
tool_read_options(struct tool *tool, const struct tool_command *command,
		  int argc, char **argv, void *object)
{
	struct option names[OPTIONS_MAX + 2];
	char letters[2 * OPTIONS_MAX + 3];
	const struct command_option *option;
	int value, status = 0;

	list_options(command, names, letters);
	while (!status &&
	       (value = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		if (value == 'h') {
			print_help(command);
			return HELP_PRINTED;
		}
		option = find_option(command->options, value);
		status = option ? read_option(tool, option, object)
				: tool_usage_error(tool, NULL);
	}
	return status;
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

static void
read_terminal(struct tool *tool)
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

/*
 * Become the program of a command, which lies in ../libexec as seen from
 * this one. Returns the exit code if that fails.
 */
static int
execute_program(const struct tool *tool, const struct tool_command *command,
		char **argv)
{
	char path[PATH_MAX], *slash;
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int error;

	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return tool_fail(tool, "cannot find its own program: %s",
				 strerror(errno));
	snprintf(slash, sizeof(path) - (size_t)(slash - path), "/../libexec/%s",
		 command->program);
	execv(path, argv);
	error = errno;
	tool_fail(tool, "cannot run %s: %s", path, strerror(error));
	fputs("try: install all of drmperf, by make install or from its "
	      "package\n",
	      stderr);
	return error == ENOENT ? TOOL_NOT_FOUND : TOOL_CANNOT_RUN;
}

int
tool_print_usage(const struct tool *tool, const struct tool_command *command)
{
	char name[] = "drmperf", help[] = "--help";
	char *argv[] = { name, help, NULL };

	if (command->program)
		return execute_program(tool, command, argv);
	print_help(command);
	return tool_finish_output(tool, 0);
}

int
tool_finish_output(const struct tool *tool, int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		tool_fail(tool, "cannot write the output");
		return status ? status : TOOL_FAILED;
	}
	return status;
}

int
tool_run_command(struct tool *tool, const struct tool_command *command,
		 int argc, char **argv)
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
	if (command->program)
		return execute_program(tool, command, argv);
	if (argc > 1 && tool_is_help(argv[1]))
		return tool_print_usage(tool, command);
	if (drmperf_create(&options, &tool->drmperf, &error))
		return tool_complain(tool, &error);
	read_terminal(tool);
	status = command->run(tool, argc, argv);
	drmperf_destroy(tool->drmperf);
	return tool_finish_output(tool, status == HELP_PRINTED ? 0 : status);
}

void
tool_open_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}
