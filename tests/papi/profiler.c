/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A profiler as HPCToolkit's hpcrun is one: begins before main(), samples each
 * thread by an EventSet per component, goes on after a fork, and ends when the
 * program has ended [HPCToolkit, hpcrun/sample-sources/papi-c.c].
 *
 * usage: profiler EVENT@THRESHOLD...
 */
#include <papi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/bench/row.h"
#include "tests/papi/harness.h"
#include "tests/papi/machine.h"

#define MAX_EVENTS 8
#define MAX_COMPONENTS 64
#define THREADS 2
#define SAMPLES 3
#define PATIENCE_MS 20000

static struct {
	int code, threshold;
	char name[PAPI_MAX_STR_LEN];
	atomic_uint samples;
} events[MAX_EVENTS];
static int event_count;
static atomic_uint unknown; /* samples of no event, or from nowhere */

static __thread struct {
	int sets[MAX_COMPONENTS];
	bool used[MAX_COMPONENTS];
	atomic_uint samples;
} here __attribute__((tls_model("initial-exec")));

/* ------------------------------------------------------------------ */
/* Sampling                                                             */

static void
count_sample(int code)
{
	for (int i = 0; i < event_count; i++) {
		if (events[i].code != code)
			continue;
		events[i].samples++;
		here.samples++;
		return;
	}
	unknown++;
}

static void
handle_overflow(int set, void *address, long long vector, void *context)
{
	int indices[MAX_EVENTS], codes[MAX_EVENTS];
	int index_count = MAX_EVENTS, code_count = MAX_EVENTS;

	if (!address || !context ||
	    PAPI_get_overflow_event_index(set, vector, indices, &index_count) ||
	    PAPI_list_events(set, codes, &code_count)) {
		unknown++;
		return;
	}
	for (int i = 0; i < index_count; i++)
		count_sample(codes[indices[i]]);
}

static void
make_sets(void)
{
	memset(&here, 0, sizeof(here));
	for (int i = 0; i < event_count; i++) {
		int component = PAPI_get_event_component(events[i].code);

		if (!here.used[component]) {
			here.sets[component] = PAPI_NULL;
			must(PAPI_create_eventset(&here.sets[component]));
			here.used[component] = true;
		}
		must(PAPI_add_event(here.sets[component], events[i].code));
	}
	for (int i = 0; i < event_count; i++) {
		int component = PAPI_get_event_component(events[i].code);

		must(PAPI_overflow(here.sets[component], events[i].code,
				   events[i].threshold, 0, handle_overflow));
	}
}

static void
start_sets(void)
{
	for (int i = 0; i < PAPI_num_components(); i++) {
		if (here.used[i])
			must(PAPI_start(here.sets[i]));
	}
}

static void
stop_sets(void)
{
	long long values[MAX_EVENTS];

	for (int i = 0; i < PAPI_num_components(); i++) {
		if (here.used[i])
			must(PAPI_stop(here.sets[i], values));
	}
}

/* ------------------------------------------------------------------ */
/* The process that is measured, from its first to its last moment      */

/*
 * Take an event. One that PAPI does not count here is left out, and reported.
 */
static void
take_event(const char *text)
{
	const char *at = strrchr(text, '@');
	int i = event_count, set = PAPI_NULL;

	if (!at || i == MAX_EVENTS)
		return;
	snprintf(events[i].name, sizeof(events[i].name), "%.*s",
		 (int)(at - text), text);
	events[i].threshold = atoi(at + 1);
	must(PAPI_create_eventset(&set));
	if (PAPI_event_name_to_code(events[i].name, &events[i].code) ||
	    PAPI_add_event(set, events[i].code))
		printf("skip %s: PAPI does not count it here\n",
		       events[i].name);
	else
		event_count++;
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
}

__attribute__((constructor)) static void
begin_profile(int argc, char **argv)
{
	must_be(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	must(PAPI_thread_init(pthread_self));
	must(PAPI_register_thread());
	for (int i = 1; i < argc; i++)
		take_event(argv[i]);
	make_sets();
	start_sets();
}

static pid_t child;

__attribute__((destructor)) static void
end_profile(void)
{
	stop_sets();
	PAPI_shutdown();
	if (child && unknown)
		printf("not ok %u samples were strange\n", unknown);
	for (int i = 0; child && i < event_count; i++)
		printf("%s %s was sampled\n",
		       events[i].samples ? "ok" : "not ok", events[i].name);
}

/* ------------------------------------------------------------------ */
/* What it does                                                         */

/* Work until this thread has its samples. */
static void
work_until_sampled(const char *who)
{
	unsigned wanted = here.samples + SAMPLES;
	double until = bench_cpu_ms() + PATIENCE_MS;

	while (here.samples < wanted && bench_cpu_ms() < until) {
		double tick = bench_cpu_ms() + 10;

		machine_work(1000);
		while (bench_cpu_ms() < tick)
			;
	}
	printf("%s %s was sampled\n", here.samples >= wanted ? "ok" : "not ok",
	       who);
	fflush(stdout);
}

static void *
live_thread(void *data)
{
	must(PAPI_register_thread());
	make_sets();
	start_sets();
	work_until_sampled(data);
	stop_sets();
	must(PAPI_unregister_thread());
	return NULL;
}

/* Begin again: codes of events end with PAPI_shutdown, their names do not. */
static void
begin_anew(void)
{
	for (int i = 0; i < event_count; i++)
		must(PAPI_event_code_to_name(events[i].code, events[i].name));
	PAPI_shutdown();
	must_be(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	must(PAPI_thread_init(pthread_self));
	for (int i = 0; i < event_count; i++)
		must(PAPI_event_name_to_code(events[i].name, &events[i].code));
}

/* Fork without exec: the profiler goes on in the child, the parent waits. */
static void
fork_a_child(void)
{
	int status;

	stop_sets();
	fflush(stdout);
	child = fork();
	if (!child) {
		begin_anew();
		make_sets();
		start_sets();
		work_until_sampled("a child");
		exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		printf("not ok the child ended with %d\n", status);
	start_sets();
}

int
main(void)
{
	pthread_t threads[THREADS];

	work_until_sampled("the main thread");
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, live_thread,
			       "another thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	work_until_sampled("the main thread, alone again");
	fork_a_child();
	work_until_sampled("the main thread, after a fork");
	return 0;
}
