/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of drmperf: their options, their help, and how they are run. */
#ifndef DRMPERF_TOOL_UTIL_COMMAND_H
#define DRMPERF_TOOL_UTIL_COMMAND_H

#include <stddef.h>

#include "util/tool.h"

/*
 * Read an argument. Returns 0, or the exit code after a complaint. The field is
 * in the object that the command reads its options into.
 */
typedef int
command_reader(struct tool *tool, const char *text, void *field);

/*
 * An option: it is read as its row says, and --help prints it. The completion
 * reads --help, and offers for an argument what its word stands for: EVENTS,
 * EVENT, GROUPS, DEVICE, FILE, DIR and COMMAND.
 */
struct command_option {
	const char *name; /* without hyphens */
	char letter; /* or 0 */
	const char *argument; /* NULL: none, the field is a bool */
	bool is_optional; /* the argument: --stalls[=CLOCKS] */
	const char *help; /* a line, or NULL: for our own processes */
	/*
	 * NULL: the field is a text or, with a max, an unsigned from 1 to max.
	 */
	command_reader *read;
	unsigned long max;
	size_t field; /* offset in the object */
};

/* The field of an option: one of an object, whose type is checked. */
#define COMMAND_FIELD(type, object, member)                                    \
	.field = _Generic(((object *)0)->member, type                          \
			  : offsetof(object, member))
#define COMMAND_FLAG(object, member) COMMAND_FIELD(bool, object, member)
#define COMMAND_TEXT(object, member) COMMAND_FIELD(const char *, object, member)
#define COMMAND_NUMBER(object, member, most)                                   \
	.max = (most), COMMAND_FIELD(unsigned, object, member)
/* Milliseconds, a day at most. */
#define COMMAND_MS(object, member) COMMAND_NUMBER(object, member, 86400000)
#define COMMAND_READ(object, member, function)                                 \
	.read = (function), .field = offsetof(object, member)
/* An option that concerns several fields: its reader takes the object. */
#define COMMAND_CALL(function) .read = (function)

/* A command, which is a function of this program or a program of its own. */
struct tool_command {
	const char *name;
	const char *summary;
	const char *program; /* in libexec, or NULL: the rest is set */
	const char *usage; /* what --help prints above the options */
	const struct command_option *options; /* up to one without a name */
	const char *notes; /* below them, or NULL */
	bool takes_command; /* options end at the first other word */
	int (*run)(struct tool *tool, int argc, char **argv); /* exit code */
};

extern const struct tool_command overview_command; /* without a name */
extern const struct tool_command list_command;
extern const struct tool_command info_command;
extern const struct tool_command split_command;
extern const struct tool_command stat_command;
extern const struct tool_command record_command;
extern const struct tool_command report_command;
extern const struct tool_command serve_command;
extern const struct tool_command top_command;
extern const struct tool_command clock_command;
extern const struct tool_command trace_command;
extern const struct tool_command papi_command;
extern const struct tool_command gl_command;
extern const struct tool_command vk_command;

/*
 * Run a command, whose name is argv[0], with an instance of the library or as a
 * program that replaces this process, and flush standard output. Returns the
 * exit code of the process.
 */
int
tool_run_command(struct tool *tool, const struct tool_command *command,
		 int argc, char **argv);
/* Print the text of --help of a command. Returns the exit code. */
int
tool_print_usage(const struct tool *tool, const struct tool_command *command);
bool
tool_is_help(const char *word);

/*
 * Read the options into an object; optind is behind them. Returns 0, the exit
 * code after a complaint, or another value after --help, of which
 * tool_run_command() makes 0.
 */
int
tool_read_options(struct tool *tool, const struct tool_command *command,
		  int argc, char **argv, void *object);

/* Read the number of a process into a pid_t, as a command_reader. */
int
tool_read_pid(struct tool *tool, const char *text, void *pid);

/*
 * Flush standard output. Returns the status, or TOOL_FAILED in place of 0 if
 * output could not be written.
 */
int
tool_finish_output(const struct tool *tool, int status);

/*
 * Open standard files that are closed as ones that cannot be written: the next
 * file that is opened, the GPU's perhaps, would become one of them.
 */
void
tool_open_standard_files(void);

#endif /* DRMPERF_TOOL_UTIL_COMMAND_H */
