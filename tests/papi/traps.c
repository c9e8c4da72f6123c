/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What PAPI does to components, and where components have come to grief.
 */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/papi/harness.h"
#include "tests/papi/machine.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))
#define MAX_VALUES 32

static void
each_event_has_its_own_value(void)
{
	long long values[MAX_VALUES];
	int set;

	init_papi();
	set = make_set(0, GROUP_SIZE - 1);
	must(PAPI_start(set));
	do_work(3);
	must(PAPI_stop(set, values));
	check_values(values, 0, GROUP_SIZE - 1, 3);
}

static void
what_comes_before_stop_is_counted(void)
{
	long long values[MAX_VALUES];
	int set;

	init_papi();
	set = make_set(0, 3);
	must(PAPI_start(set));
	do_work(1);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, 1);
	do_work(5);
	must(PAPI_stop(set, values));
	check_values(values, 0, 3, 6);
	do_work(7);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, 6);
}

static void
reading_does_not_disturb(void)
{
	long long values[MAX_VALUES];
	int set, i;

	init_papi();
	set = make_set(0, 3);
	must(PAPI_start(set));
	for (i = 1; i <= 20; i++) {
		do_work(1);
		must(PAPI_read(set, values));
		check_values(values, 0, 3, i);
	}
	must(PAPI_stop(set, NULL));
}

static void
reset_and_accumulate(void)
{
	long long values[MAX_VALUES], sum[MAX_VALUES] = { 0 };
	int set;

	init_papi();
	set = make_set(0, 3);
	must(PAPI_start(set));
	do_work(2);
	must(PAPI_reset(set));
	do_work(3);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, 3);
	must(PAPI_reset(set));
	do_work(4);
	must(PAPI_accum(set, sum));
	check_values(sum, 0, 3, 4);
	do_work(5);
	must(PAPI_accum(set, sum));
	check_values(sum, 0, 3, 9);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, 0);
	must(PAPI_stop(set, NULL));
}

static void
starts_again_from_zero(void)
{
	long long values[MAX_VALUES];
	int set, i;

	init_papi();
	set = make_set(0, 3);
	for (i = 1; i <= 4; i++) {
		must(PAPI_start(set));
		do_work((unsigned)i);
		must(PAPI_stop(set, values));
		check_values(values, 0, 3, i);
		do_work(10);
	}
}

/* Remove EV1 of EV1 to EV4, then add EV5: positions move, values must not. */
static void
remove_then_add(void)
{
	long long values[MAX_VALUES];
	int set;

	init_papi();
	set = make_set(0, 3);
	must(PAPI_remove_named_event(set, counted[0].name));
	must(PAPI_start(set));
	do_work(2);
	must(PAPI_stop(set, values));
	check_values(values, 1, 3, 2);

	must(PAPI_add_named_event(set, counted[4].name));
	must(PAPI_start(set));
	do_work(3);
	must(PAPI_stop(set, values));
	check_values(values, 1, 4, 3);

	/* from the middle, and the last */
	must(PAPI_remove_named_event(set, counted[2].name));
	must(PAPI_remove_named_event(set, counted[4].name));
	must(PAPI_add_named_event(set, counted[5].name));
	must(PAPI_add_named_event(set, counted[0].name));
	must(PAPI_start(set));
	do_work(1);
	must(PAPI_stop(set, values));
	must_equal(values[0], counted[1].rate);
	must_equal(values[1], counted[3].rate);
	must_equal(values[2], counted[5].rate);
	must_equal(values[3], counted[0].rate);

	/* all of them, and afresh */
	must(PAPI_remove_named_event(set, counted[1].name));
	must(PAPI_remove_named_event(set, counted[3].name));
	must(PAPI_remove_named_event(set, counted[5].name));
	must(PAPI_remove_named_event(set, counted[0].name));
	must(PAPI_add_named_event(set, counted[6].name));
	must(PAPI_start(set));
	do_work(1);
	must(PAPI_stop(set, values));
	check_values(values, 6, 6, 1);
	must(PAPI_cleanup_eventset(set));
	must(PAPI_destroy_eventset(&set));
}

/*
 * Add an event twice. Each enumeration gives it a new code: PAPI then has it
 * twice.
 */
static void
the_same_event_twice(void)
{
	int component = init_papi();
	int first = PAPI_NATIVE_MASK, second = PAPI_NATIVE_MASK;
	int set = PAPI_NULL;
	long long values[3];

	must(PAPI_enum_cmp_event(&first, PAPI_ENUM_FIRST, component));
	must(PAPI_enum_cmp_event(&second, PAPI_ENUM_FIRST, component));
	must_hold(first != second);
	must(PAPI_create_eventset(&set));
	must(PAPI_add_event(set, first));
	must(PAPI_add_named_event(set, counted[1].name));
	must(PAPI_add_event(set, second));
	must(PAPI_start(set));
	do_work(2);
	must(PAPI_read(set, values));
	must_equal(values[0], values[2]);
	must_equal(values[1], 2 * counted[1].rate);
	must(PAPI_stop(set, NULL));
	must(PAPI_remove_event(set, first));
	must(PAPI_start(set));
	do_work(2);
	must(PAPI_stop(set, values));
	must_equal(values[0], 2 * counted[1].rate);
}

static void
two_sets_alive(void)
{
	long long values[MAX_VALUES];
	long sessions;
	int a, b, i;

	init_papi();
	a = make_set(0, 2);
	b = make_set(3, 6);
	sessions = machine_sessions();
	for (i = 1; i <= 3; i++) {
		must(PAPI_start(a));
		must_be(PAPI_start(b), PAPI_EISRUN);
		do_work(2);
		must(PAPI_stop(a, values));
		check_values(values, 0, 2, 2);
		must(PAPI_start(b));
		do_work(3);
		must(PAPI_read(a, values));
		check_values(values, 0, 2, 2);
		must(PAPI_stop(b, values));
		check_values(values, 3, 6, 3);
	}
	/* updating a set that has not changed costs nothing */
	must_equal(machine_sessions(), sessions);
	must(PAPI_cleanup_eventset(a));
	must(PAPI_start(b));
	do_work(1);
	must(PAPI_stop(b, values));
	check_values(values, 3, 6, 1);
}

/* Start a CPU set between two of ours, which makes PAPI update ours again. */
static void
other_components_beside(void)
{
	long long values[MAX_VALUES], cpu;
	int other = PAPI_NULL, set, i;

	init_papi();
	set = make_set(0, 3);
	must(PAPI_create_eventset(&other));
	if (PAPI_add_named_event(other, "perf::TASK-CLOCK") != PAPI_OK ||
	    PAPI_start(other) != PAPI_OK)
		harness_skip("PAPI's perf_event cannot count here");
	must(PAPI_stop(other, &cpu));
	for (i = 0; i < 3; i++) {
		must(PAPI_start(other));
		must(PAPI_start(set));
		do_work(2);
		must(PAPI_stop(other, &cpu));
		must(PAPI_stop(set, values));
		check_values(values, 0, 3, 2);
	}
}

static void
the_ninth_is_refused(void)
{
	long long values[MAX_VALUES];
	int set;

	init_papi();
	set = make_set(0, GROUP_SIZE - 1);
	must_be(PAPI_add_named_event(set, counted[GROUP_SIZE].name),
		PAPI_ECNFLCT);
	must_equal(PAPI_num_events(set), GROUP_SIZE);
	must(PAPI_start(set));
	do_work(1);
	must(PAPI_stop(set, values));
	check_values(values, 0, GROUP_SIZE - 1, 1);
	/* and taken once there is room */
	must(PAPI_remove_named_event(set, counted[0].name));
	must(PAPI_add_named_event(set, counted[GROUP_SIZE].name));
	must(PAPI_start(set));
	do_work(2);
	must(PAPI_stop(set, values));
	check_values(values, 1, GROUP_SIZE, 2);
}

static void
others_fit_beside(void)
{
	long long values[MAX_VALUES];
	int set, i;

	init_papi();
	set = make_set(0, GROUP_SIZE - 1);
	for (i = GROUP_SIZE + 1; i < counted_count; i++)
		must(PAPI_add_named_event(set, counted[i].name));
	must(PAPI_start(set));
	do_work(2);
	must(PAPI_stop(set, values));
	check_values(values, 0, GROUP_SIZE - 1, 2);
	check_values(values + GROUP_SIZE, GROUP_SIZE + 1, counted_count - 1, 2);
}

static void
estimates_are_refused(void)
{
	long long values[MAX_VALUES];
	int set;

	init_papi();
	must(PAPI_multiplex_init());
	set = make_set(0, 3);
	must_be(PAPI_set_multiplex(set), PAPI_ENOSUPP);
	must_equal(PAPI_get_multiplex(set), 0);
	must(PAPI_start(set));
	do_work(2);
	must(PAPI_stop(set, values));
	check_values(values, 0, 3, 2);
	must(PAPI_cleanup_eventset(set));
	must(PAPI_destroy_eventset(&set));

	/* before the first event, too */
	must(PAPI_create_eventset(&set));
	must(PAPI_assign_eventset_component(set,
					    PAPI_get_component_index("drm")));
	must_be(PAPI_set_multiplex(set), PAPI_ENOSUPP);
}

/* ------------------------------------------------------------------ */
/* Threads and processes                                                */

#define THREADS 4

static pthread_barrier_t barrier;

struct thread {
	pthread_t thread;
	int number;
};

/*
 * Count in a thread. Thread n starts when n units of work have been done, so
 * that each has a base line of its own: all run at once, with the same events.
 */
static void *
count_in_thread(void *data)
{
	const struct thread *self = data;
	long long values[MAX_VALUES];
	int set, i;

	must(PAPI_register_thread());
	set = make_set(0, 3);
	for (i = 0; i < THREADS; i++) {
		pthread_barrier_wait(&barrier);
		if (i == self->number)
			must(PAPI_start(set));
		pthread_barrier_wait(&barrier);
		if (self->number == 0)
			do_work(1);
	}
	pthread_barrier_wait(&barrier);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, THREADS - self->number);
	/* as TAU does at each measuring point */
	must(PAPI_reset(set));
	pthread_barrier_wait(&barrier);
	if (self->number == 0)
		do_work(2);
	pthread_barrier_wait(&barrier);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, 2);
	pthread_barrier_wait(&barrier);
	if (self->number % 2)
		must(PAPI_stop(set, NULL));
	pthread_barrier_wait(&barrier);
	if (self->number == 0)
		do_work(3);
	pthread_barrier_wait(&barrier);
	if (self->number % 2 == 0)
		must(PAPI_stop(set, values));
	else
		must(PAPI_read(set, values));
	check_values(values, 0, 3, self->number % 2 ? 2 : 5);
	must(PAPI_cleanup_eventset(set));
	must(PAPI_destroy_eventset(&set));
	must(PAPI_unregister_thread());
	return NULL;
}

static unsigned long
thread_id(void)
{
	return (unsigned long)pthread_self();
}

static void
four_threads_at_once(void)
{
	struct thread threads[THREADS];
	int i;

	init_papi();
	must(PAPI_thread_init(thread_id));
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (i = 0; i < THREADS; i++) {
		threads[i].number = i;
		must_equal(pthread_create(&threads[i].thread, NULL,
					  count_in_thread, &threads[i]),
			   0);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i].thread, NULL);
	PAPI_shutdown();
}

/* Runs in a child; its parent counts all the while. */
static void
child_counts_for_itself(int set)
{
	long long values[MAX_VALUES];
	int own;

	must_be(PAPI_read(set, values), PAPI_ENOTRUN);
	must_be(PAPI_reset(set), PAPI_ENOTRUN);
	must_be(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	own = make_set(0, 3);
	must(PAPI_cleanup_eventset(own));
	must(PAPI_destroy_eventset(&own));
	PAPI_shutdown();
}

static void
wait_for(pid_t child)
{
	int status;

	must_equal(waitpid(child, &status, 0), child);
	must_equal(status, 0);
}

static void
fork_while_counting(void)
{
	long long values[MAX_VALUES];
	pid_t child;
	int set;

	init_papi();
	set = make_set(0, 3);
	must(PAPI_start(set));
	do_work(2);
	child = fork();
	if (child == 0) {
		child_counts_for_itself(set);
		_exit(0);
	}
	do_work(3);
	wait_for(child);
	/* one that never heard of PAPI, and ends in the ordinary way */
	child = fork();
	if (child == 0)
		exit(0);
	wait_for(child);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, 5);
	must(PAPI_stop(set, values));
	check_values(values, 0, 3, 5);
	PAPI_shutdown();
}

static void
child_counts_alone(void)
{
	long long values[MAX_VALUES];
	pid_t child;
	int set;

	init_papi();
	set = make_set(0, 3);
	must(PAPI_start(set));
	must(PAPI_stop(set, NULL));
	child = fork();
	if (child == 0) {
		must_be(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
		set = make_set(1, 4);
		must(PAPI_start(set));
		do_work(2);
		must(PAPI_stop(set, values));
		check_values(values, 1, 4, 2);
		PAPI_shutdown();
		_exit(0);
	}
	wait_for(child);
	must(PAPI_start(set));
	do_work(3);
	must(PAPI_stop(set, values));
	check_values(values, 0, 3, 3);
}

static void
shutdown_and_init_again(void)
{
	long long values[MAX_VALUES];
	int set, i;

	for (i = 0; i < 3; i++) {
		i ? init_papi() : init_papi_first();
		set = make_set(i, i + 3);
		must(PAPI_start(set));
		do_work(2);
		if (i != 1) {
			must(PAPI_stop(set, values));
			check_values(values, i, i + 3, 2);
		}
		PAPI_shutdown(); /* the second time with the set running */
	}
	/* with nothing ever looked up */
	init_papi();
	PAPI_shutdown();
	init_papi();
	set = make_set(0, 0);
	PAPI_shutdown();
}

static const struct test tests[] = {
	{ "each event has its own value", each_event_has_its_own_value },
	{ "what comes before stop is counted",
	  what_comes_before_stop_is_counted },
	{ "reading does not disturb", reading_does_not_disturb },
	{ "reset and accumulate", reset_and_accumulate },
	{ "starts again from zero", starts_again_from_zero },
	{ "remove then add", remove_then_add },
	{ "the same event twice", the_same_event_twice },
	{ "two sets alive", two_sets_alive },
	{ "other components beside", other_components_beside },
	{ "the ninth is refused", the_ninth_is_refused },
	{ "others fit beside", others_fit_beside },
	{ "estimates are refused", estimates_are_refused },
	{ "four threads at once", four_threads_at_once },
	{ "fork while counting", fork_while_counting },
	{ "child counts alone", child_counts_alone },
	{ "shutdown and init again", shutdown_and_init_again },
};

int
main(int argc, char **argv)
{
	return harness_main(argc, argv, tests, ARRAY_SIZE(tests));
}
