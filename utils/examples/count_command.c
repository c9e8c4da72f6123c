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

#define MAX_EVENTS 64

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

static int
fail(const char *what, int code)
{
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(code));
	if (code == PAPI_ECNFLCT || code == PAPI_ECLOST)
		fprintf(stderr,
			"PAPI_DRM_VERBOSE=1 makes the component say why.\n");
	return 1;
}

static int
add_events(char *const *events, int count, int *set)
{
	int rc = PAPI_library_init(PAPI_VER_CURRENT);

	if (rc != PAPI_VER_CURRENT)
		return fail("PAPI_library_init", rc);
	*set = PAPI_NULL;
	rc = PAPI_create_eventset(set);
	if (rc != PAPI_OK)
		return fail("PAPI_create_eventset", rc);
	for (int i = 0; i < count; i++) {
		rc = PAPI_add_named_event(*set, events[i]);
		if (rc != PAPI_OK)
			return fail(events[i], rc);
	}
	return 0;
}

/* Its exit status as a shell has it, or 127 if there is none. */
static int
run(char *const *command)
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

static void
print_value(const char *name, long long value)
{
	PAPI_event_info_t info;
	double number;
	int code;

	if (PAPI_event_name_to_code(name, &code) != PAPI_OK ||
	    PAPI_get_event_info(code, &info) != PAPI_OK) {
		printf("  %-48s %16lld\n", name, value);
	} else if (info.data_type == PAPI_DATATYPE_FP64) {
		memcpy(&number, &value, sizeof(number));
		printf("  %-48s %16.3f %s\n", name, number, info.units);
	} else {
		printf("  %-48s %16lld %s\n", name, value, info.units);
	}
}

static int
count(char *const *events, int event_count, int set, char *const *command)
{
	long long values[MAX_EVENTS];
	int rc = PAPI_start(set), status;

	if (rc != PAPI_OK)
		return fail("PAPI_start", rc);
	status = run(command);
	rc = PAPI_stop(set, values);
	if (rc != PAPI_OK)
		return fail("PAPI_stop", rc);
	for (int i = 0; i < event_count; i++)
		print_value(events[i], values[i]);
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
	if (event_count > MAX_EVENTS) {
		fprintf(stderr, "more than %d events\n", MAX_EVENTS);
		return 2;
	}
	rc = add_events(argv + 1, event_count, &set);
	if (!rc)
		rc = count(argv + 1, event_count, set, argv + 2 + event_count);
	PAPI_shutdown();
	return rc;
}
