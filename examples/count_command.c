/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's low level around the work of another program: what GPUs count, they
 * count for the whole machine.
 */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "named_events.h"

static const char usage[] =
	"usage: count_command EVENT... -- COMMAND [ARGUMENT]...\n"
	"\n"
	"Counts EVENTs with PAPI while COMMAND runs; ends with its status.\n"
	"\n"
	"  count_command drm:::i915::RenderBasic.GpuBusy \\\n"
	"      drm:::i915::RenderBasic.PsThreads -- glxgears\n"
	"\n"
	"Work of other programs on the same GPU is counted as well;\n"
	"papi_native_avail -i drm lists what there is.\n";

/*
 * Run a command. Returns its exit status as a shell has it, or 127 if there is
 * none.
 */
static int
command_run(char *const *command)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 127;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static int
command_count(char *const *events, int event_count, int set,
	      char *const *command)
{
	long long values[NAMED_EVENTS_MAX];
	int rc = PAPI_start(set), status;

	if (rc != PAPI_OK)
		return named_events_fail("PAPI_start", rc);
	status = command_run(command);
	rc = PAPI_stop(set, values);
	if (rc != PAPI_OK)
		return named_events_fail("PAPI_stop", rc);
	for (int i = 0; i < event_count; i++)
		named_events_print(events[i], values[i]);
	return status;
}

int
main(int argc, char **argv)
{
	int event_count = 0, set, rc;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	while (event_count + 1 < argc && strcmp(argv[1 + event_count], "--"))
		event_count++;
	if (!event_count || event_count + 2 >= argc) {
		fputs(usage, stderr);
		return 2;
	}
	if (event_count > NAMED_EVENTS_MAX) {
		fprintf(stderr, "more than %d events\n", NAMED_EVENTS_MAX);
		return 2;
	}
	rc = named_events_add((const char *const *)argv + 1, event_count, &set);
	if (!rc)
		rc = command_count(argv + 1, event_count, set,
				   argv + 2 + event_count);
	PAPI_shutdown();
	return rc;
}
