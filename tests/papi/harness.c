/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/papi/harness.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/papi/machine.h"

#define SKIPPED 77

struct counted counted[HARNESS_EVENTS];
int counted_count;
static const char *running; /* the test's name */

void
harness_fail(const char *file, int line, const char *format, ...)
{
	va_list arguments;

	printf("  %s:%d: ", file, line);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	fflush(stdout);
	_exit(1);
}

void
harness_skip(const char *reason)
{
	printf("skip %s: %s\n", running, reason);
	fflush(stdout);
	_exit(SKIPPED);
}

void
do_work(unsigned amount)
{
	if (machine_work(amount))
		harness_fail(__FILE__, __LINE__, "no work can be done");
}

int
init_papi(void)
{
	int component;

	must_be(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	component = PAPI_get_component_index("drm");
	must_hold(component >= 0);
	return component;
}

/*
 * Initialize twice, without a library for the component: only PAPI's own code
 * runs.
 */
static void
init_twice(void)
{
	setenv("PAPI_DRM_LIB", "/nowhere", 1);
	PAPI_library_init(PAPI_VER_CURRENT);
	PAPI_shutdown();
	PAPI_library_init(PAPI_VER_CURRENT);
	_exit(0);
}

int
init_papi_first(void)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		init_twice();
	must_hold(pid > 0 && waitpid(pid, &status, 0) == pid);
	if (!WIFEXITED(status))
		harness_skip("PAPI dies of its own second initialization");
	return init_papi();
}

int
make_set(int first, int last)
{
	int set = PAPI_NULL;
	int i;

	must(PAPI_create_eventset(&set));
	for (i = first; i <= last; i++)
		must(PAPI_add_named_event(set, counted[i].name));
	return set;
}

int
make_named_set(const char *const *names, int count)
{
	int set = PAPI_NULL;

	must(PAPI_create_eventset(&set));
	for (int i = 0; i < count; i++) {
		int rc = PAPI_add_named_event(set, names[i]);

		if (rc != PAPI_OK)
			harness_fail(__FILE__, __LINE__, "%s: %s", names[i],
				     PAPI_strerror(rc));
	}
	return set;
}

static int
read_command_line(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && counted_count < HARNESS_EVENTS; i++) {
		struct counted *event = &counted[counted_count++];
		const char *rate = strrchr(argv[i], '=');

		if (!rate || rate - argv[i] >= (long)sizeof(event->name)) {
			fprintf(stderr, "%s: not NAME=RATE\n", argv[i]);
			return -1;
		}
		memcpy(event->name, argv[i], (size_t)(rate - argv[i]));
		event->rate = atoll(rate + 1);
	}
	if (counted_count <= GROUP_SIZE) {
		fprintf(stderr, "at least %d events are needed\n",
			GROUP_SIZE + 1);
		return -1;
	}
	return 0;
}

static int
run_test(const struct test *test)
{
	int status;
	pid_t pid;

	fflush(stdout);
	running = test->name;
	pid = fork();
	if (pid == 0) {
		test->run();
		/* what is left after this has been lost */
		if (PAPI_is_initialized() != PAPI_NOT_INITED)
			PAPI_shutdown();
		fflush(stdout);
		_exit(0);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status)) {
		if (WEXITSTATUS(status) == SKIPPED)
			return 0;
		if (WEXITSTATUS(status) == 0) {
			printf("ok %s\n", test->name);
			return 0;
		}
	}
	printf("not ok %s\n", test->name);
	return 1;
}

int
harness_main(int argc, char **argv, const struct test *tests, size_t count)
{
	int failed = 0;
	size_t i;

	if (read_command_line(argc, argv))
		return 2;
	for (i = 0; i < count; i++)
		failed |= run_test(&tests[i]);
	return failed;
}

void
check_values(const long long *values, int first, int last, long long amount)
{
	int i;

	for (i = first; i <= last; i++) {
		if (values[i - first] != amount * counted[i].rate)
			harness_fail(__FILE__, __LINE__,
				     "%s is %lld after %lld units, not %lld",
				     counted[i].name, values[i - first], amount,
				     amount * counted[i].rate);
	}
}
