/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf papi: run a program whose PAPI knows no GPUs, with events of GPUs.
 */
#include "util/command.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "process/preload.h"
#include "process/queue_access.h"
#include "process/spawn.h"
#include "select/selection_list.h"

#define EVENTS "DRMPERF_SDE_EVENTS"
#define PAPI_EVENTS "PAPI_EVENTS"
#define SDE_LIBRARY "libdrmperf-sde.so"

/* ------------------------------------------------------------------ */
/* Events                                                               */

/*
 * Check the choice. Events are refused that count at once, and that PAPI cannot
 * count itself.
 */
static int
choice_check(const struct tool *tool, const struct selection_list *choice)
{
	struct drmperf_session *session;
	struct drmperf_error error;

	for (size_t i = 0; i < choice->count; i++) {
		const struct drmperf_event *event = choice->selections[i].event;

		if (!strcmp(drmperf_device_driver(drmperf_event_device(event)),
			    "cpu"))
			return tool_fail(tool,
					 "%s is an event of CPUs, which PAPI "
					 "counts without help",
					 drmperf_event_name(event));
	}
	if (drmperf_session_create(tool->drmperf, choice->selections,
				   choice->count, NULL, &session, &error))
		return tool_complain(tool, &error);
	drmperf_session_destroy(session);
	return 0;
}

/* Return the name without ":device=" if it means the same. */
static const char *
short_name(const struct tool *tool, const struct drmperf_selection *selection,
	   char name[NAME_SIZE])
{
	struct drmperf_selection found;
	char plain[NAME_SIZE], *device, *behind;

	selection_name(selection, "", name);
	strcpy(plain, name);
	device = strstr(plain, ":device=");
	if (!device)
		return name;
	behind = strchr(device + 1, ':');
	memmove(device, behind ? behind : "", strlen(behind ? behind : "") + 1);
	if (!drmperf_event_find(tool->drmperf, plain, &found, NULL) &&
	    found.event == selection->event &&
	    found.instance == selection->instance)
		strcpy(name, plain);
	return name;
}

static void
print_names(FILE *out, const struct tool *tool,
	    const struct selection_list *choice)
{
	char name[NAME_SIZE];

	for (size_t i = 0; i < choice->count; i++)
		fprintf(out, "%s%s", i ? "," : "",
			short_name(tool, &choice->selections[i], name));
}

static void
print_high_level(FILE *out, const struct tool *tool,
		 const struct selection_list *choice)
{
	bool was_instant = false;
	char name[NAME_SIZE];

	for (size_t i = 0; i < choice->count; i++) {
		const struct drmperf_selection *event = &choice->selections[i];
		enum drmperf_kind kind = drmperf_event_kind(event->event);

		fputs(i ? ",sde:::" : "sde:::", out);
		short_name(tool, event, name);
		selection_list_print_high_level(out, name,
						kind == DRMPERF_KIND_CUMULATIVE,
						&was_instant);
	}
}

/* ------------------------------------------------------------------ */
/* The program's environment                                            */

static int
set_list(const struct tool *tool, const char *variable,
	 const struct selection_list *choice,
	 void (*print)(FILE *out, const struct tool *tool,
		       const struct selection_list *choice))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int failed = !out;

	if (out) {
		print(out, tool, choice);
		failed = fclose(out) || setenv(variable, text, 1);
	}
	free(text);
	return failed ? tool_fail(tool, "no memory") : 0;
}

/*
 * Run with queues. The program counts; that its queues are seen is this
 * process's to see to.
 */
static int
run_with_queues(const struct tool *tool, const struct selection_list *choice,
		const char *const *command)
{
	struct queue_access_list queues = { 0 };
	struct drmperf_error error;
	int status;

	queue_access_prepare(&queues, choice->selections, choice->count);
	if (queue_access_take(&queues, choice->selections, choice->count,
			      &error))
		status = tool_complain(tool, &error);
	else
		status = spawn_run(tool, command);
	queue_access_release(&queues);
	queue_access_print(stderr, "drmperf papi: ", &queues);
	queue_access_finish(&queues);
	return status;
}

static int
papi_run_command(const struct tool *tool, const struct selection_list *choice,
		 const char *const *command)
{
	int status = choice_check(tool, choice);

	if (!status)
		status = preload_check_program(tool, command[0]);
	if (!status)
		status = preload_own_library(tool, SDE_LIBRARY);
	if (!status)
		status = set_list(tool, EVENTS, choice, print_names);
	if (!status && !secure_getenv(PAPI_EVENTS))
		status = set_list(tool, PAPI_EVENTS, choice, print_high_level);
	return status ? status : run_with_queues(tool, choice, command);
}

static int
choose_option_events(struct tool *tool, const char *text, void *choice)
{
	return choose_events(tool, text, choice);
}

static const struct command_option papi_options[] = {
	{ "event", 'e', "EVENTS", COMMAND_CALL(choose_option_events),
	  .help = "events to offer; all are counted while the program counts "
		  "any of them, so they have to fit one pass" },
	{ 0 },
};

static int
papi_run(struct tool *tool, int argc, char **argv)
{
	struct selection_list choice = { 0 };
	int status =
		tool_read_options(tool, &papi_command, argc, argv, &choice);

	if (!status && !choice.count)
		status = tool_usage_error(tool, "no events given: -e EVENTS");
	else if (!status && !argv[optind])
		status = tool_usage_error(tool, "no program given");
	if (!status)
		status = papi_run_command(tool, &choice,
					  (const char *const *)&argv[optind]);
	selection_list_finish(&choice);
	return status;
}

const struct tool_command papi_command = {
	.name = "papi",
	.summary = "run a program that counts GPU events by PAPI",
	.usage = "usage: drmperf papi -e EVENTS [--] PROGRAM [ARGUMENT]...\n"
		 "Run a program that counts these events by its PAPI, which "
		 "needs the component\n"
		 "sde. There they are named sde:::EVENT.\n",
	.options = papi_options,
	.notes = "Sets LD_PRELOAD and DRMPERF_SDE_EVENTS, and PAPI_EVENTS, "
		 "for PAPI's high level,\n"
		 "unless it is set.\n",
	.takes_command = true,
	.run = papi_run,
};
