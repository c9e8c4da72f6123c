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

/* Values of a set that holds counted[first] to counted[last]. */
static void
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

static void
each_event_has_its_own_value(void)
{
	long long values[MAX_VALUES];
	int set;

	init_papi();
	set = make_set(0, GROUP_SIZE - 1);
	must(PAPI_start(set));
	work(3);
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
	work(1);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, 1);
	work(5);
	must(PAPI_stop(set, values));
	check_values(values, 0, 3, 6);
	work(7);
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
		work(1);
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
	work(2);
	must(PAPI_reset(set));
	work(3);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, 3);
	must(PAPI_reset(set));
	work(4);
	must(PAPI_accum(set, sum));
	check_values(sum, 0, 3, 4);
	work(5);
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
		work((unsigned)i);
		must(PAPI_stop(set, values));
		check_values(values, 0, 3, i);
		work(10);
	}
}

/* EV1 to EV4, remove EV1, add EV5: positions move, values must not. */
static void
remove_then_add(void)
{
	long long values[MAX_VALUES];
	int set;

	init_papi();
	set = make_set(0, 3);
	must(PAPI_remove_named_event(set, counted[0].name));
	must(PAPI_start(set));
	work(2);
	must(PAPI_stop(set, values));
	check_values(values, 1, 3, 2);

	must(PAPI_add_named_event(set, counted[4].name));
	must(PAPI_start(set));
	work(3);
	must(PAPI_stop(set, values));
	check_values(values, 1, 4, 3);

	/* from the middle, and the last */
	must(PAPI_remove_named_event(set, counted[2].name));
	must(PAPI_remove_named_event(set, counted[4].name));
	must(PAPI_add_named_event(set, counted[5].name));
	must(PAPI_add_named_event(set, counted[0].name));
	must(PAPI_start(set));
	work(1);
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
	work(1);
	must(PAPI_stop(set, values));
	check_values(values, 6, 6, 1);
	must(PAPI_cleanup_eventset(set));
	must(PAPI_destroy_eventset(&set));
}

/* Each enumeration gives an event a new code: PAPI then has it twice. */
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
	work(2);
	must(PAPI_read(set, values));
	must_equal(values[0], values[2]);
	must_equal(values[1], 2 * counted[1].rate);
	must(PAPI_stop(set, NULL));
	must(PAPI_remove_event(set, first));
	must(PAPI_start(set));
	work(2);
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
		work(2);
		must(PAPI_stop(a, values));
		check_values(values, 0, 2, 2);
		must(PAPI_start(b));
		work(3);
		must(PAPI_read(a, values));
		check_values(values, 0, 2, 2);
		must(PAPI_stop(b, values));
		check_values(values, 3, 6, 3);
	}
	/* updating a set that has not changed costs nothing */
	must_equal(machine_sessions(), sessions);
	must(PAPI_cleanup_eventset(a));
	must(PAPI_start(b));
	work(1);
	must(PAPI_stop(b, values));
	check_values(values, 3, 6, 1);
}

/* A CPU set started between two of ours makes PAPI update ours anew. */
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
		work(2);
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
	work(1);
	must(PAPI_stop(set, values));
	check_values(values, 0, GROUP_SIZE - 1, 1);
	/* and taken once there is room */
	must(PAPI_remove_named_event(set, counted[0].name));
	must(PAPI_add_named_event(set, counted[GROUP_SIZE].name));
	must(PAPI_start(set));
	work(2);
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
	work(2);
	must(PAPI_stop(set, values));
	check_values(values, 0, GROUP_SIZE - 1, 2);
	check_values(values + GROUP_SIZE, GROUP_SIZE + 1, counted_count - 1, 2);
}

static void
overflow_handler(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
}

static void
estimates_are_refused(void)
{
	long long values[MAX_VALUES];
	static unsigned short histogram[64];
	int set, code;

	init_papi();
	must(PAPI_multiplex_init());
	set = make_set(0, 3);
	must_be(PAPI_set_multiplex(set), PAPI_ENOSUPP);
	must_equal(PAPI_get_multiplex(set), 0);
	must(PAPI_event_name_to_code(counted[0].name, &code));
	must_be(PAPI_overflow(set, code, 1000, 0, overflow_handler),
		PAPI_ENOSUPP);
	must_be(PAPI_profil(histogram, sizeof(histogram),
			    (vptr_t)(size_t)estimates_are_refused, 65536, set,
			    code, 1000, PAPI_PROFIL_POSIX),
		PAPI_ENOSUPP);
	must(PAPI_start(set));
	work(2);
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
 * Thread n starts when n units of work have been done, so that each has a base
 * line of its own: all run at once, with the same events.
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
			work(1);
	}
	pthread_barrier_wait(&barrier);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, THREADS - self->number);
	/* as TAU does at each measuring point */
	must(PAPI_reset(set));
	pthread_barrier_wait(&barrier);
	if (self->number == 0)
		work(2);
	pthread_barrier_wait(&barrier);
	must(PAPI_read(set, values));
	check_values(values, 0, 3, 2);
	pthread_barrier_wait(&barrier);
	if (self->number % 2)
		must(PAPI_stop(set, NULL));
	pthread_barrier_wait(&barrier);
	if (self->number == 0)
		work(3);
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
	work(2);
	child = fork();
	if (child == 0) {
		child_counts_for_itself(set);
		_exit(0);
	}
	work(3);
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
		work(2);
		must(PAPI_stop(set, values));
		check_values(values, 1, 4, 2);
		PAPI_shutdown();
		_exit(0);
	}
	wait_for(child);
	must(PAPI_start(set));
	work(3);
	must(PAPI_stop(set, values));
	check_values(values, 0, 3, 3);
}

static void
shutdown_and_init_again(void)
{
	long long values[MAX_VALUES];
	int set, i;

	for (i = 0; i < 3; i++) {
		init_papi();
		set = make_set(i, i + 3);
		must(PAPI_start(set));
		work(2);
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

/* ------------------------------------------------------------------ */
/* Names                                                                */

static void
waits_until_it_is_asked(void)
{
	int component = init_papi();
	const PAPI_component_info_t *info = PAPI_get_component_info(component);
	int code = PAPI_NATIVE_MASK;

	must_equal(info->disabled, PAPI_EDELAY_INIT);
	must_equal(info->num_native_events, -1);
	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	must_equal(info->disabled, PAPI_OK);
	must_hold(info->num_native_events > 0);
}

/* Whoever knows the names of his events has no need of the list. */
static void
names_need_no_list(void)
{
	int component = init_papi();
	const PAPI_component_info_t *info = PAPI_get_component_info(component);
	long long values[MAX_VALUES];
	int set = make_set(0, GROUP_SIZE - 1), code;
	PAPI_event_info_t event;

	must(PAPI_event_name_to_code(counted[0].name, &code));
	must(PAPI_get_event_info(code, &event));
	must_hold(!strcmp(event.symbol, counted[0].name));
	must(PAPI_start(set));
	work(2);
	must(PAPI_stop(set, values));
	check_values(values, 0, GROUP_SIZE - 1, 2);
	must_equal(info->disabled, PAPI_OK);
	must_equal(info->num_native_events, -1);
	must_equal(machine_listed(), 0);

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	must_hold(info->num_native_events > 0);
	PAPI_shutdown();
	must_equal(init_papi(), component);
	must_equal(info->num_native_events, -1);
}

#define MAX_LISTED 20000

/* All listed names, in order; returns how many. */
static int
list_names(int component, char **names)
{
	char name[PAPI_MAX_STR_LEN];
	int code = PAPI_NATIVE_MASK, count = 0;

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	do {
		must_hold(count < MAX_LISTED);
		must(PAPI_event_code_to_name(code, name));
		names[count++] = strdup(name);
	} while (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) ==
		 PAPI_OK);
	must_equal(count,
		   PAPI_get_component_info(component)->num_native_events);
	return count;
}

/* What was found before does not change the list. */
static void
list_after_names(void)
{
	static char *before[MAX_LISTED], *after[MAX_LISTED];
	int component = init_papi();
	int count = list_names(component, before), set, i;
	char name[PAPI_MAX_STR_LEN], listed[PAPI_MAX_STR_LEN];
	int found[3];

	PAPI_shutdown();
	init_papi();
	set = make_set(2, 5);
	must(PAPI_event_name_to_code(before[count - 1], &found[0]));
	must(PAPI_event_name_to_code(before[count / 2], &found[1]));
	must_hold(snprintf(name, sizeof(name), "%s:device=0:instance=1",
			   counted[1].name) < (int)sizeof(name));
	must(PAPI_event_name_to_code(name, &found[2]));
	must_equal(list_names(component, after), count);
	for (i = 0; i < count; i++)
		must_hold(!strcmp(before[i], after[i]));
	/* nor does the list change what was found */
	must(PAPI_event_code_to_name(found[2], listed));
	must_hold(!strcmp(listed, name));
	must(PAPI_event_code_to_name(found[0], name));
	must_hold(!strcmp(before[count - 1], name));
	must(PAPI_event_code_to_name(found[1], name));
	must_hold(!strcmp(before[count / 2], name));
	must(PAPI_cleanup_eventset(set));
	for (i = 0; i < count; i++) {
		free(before[i]);
		free(after[i]);
	}
}

static void
enumeration(void)
{
	static const int not_served[] = {
		PAPI_NTV_ENUM_GROUPS,
		PAPI_NTV_ENUM_DARR,
		PAPI_NTV_ENUM_IEAR,
		PAPI_NTV_ENUM_UMASK_COMBOS,
	};
	int component = init_papi();
	int code = PAPI_NATIVE_MASK, first, mask, count = 1, masks = 0;
	char a[PAPI_MAX_STR_LEN], b[PAPI_MAX_STR_LEN];
	size_t i;

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	first = code;
	for (i = 0; i < ARRAY_SIZE(not_served); i++) {
		mask = code;
		must_hold(PAPI_enum_cmp_event(&mask, not_served[i],
					      component) != PAPI_OK);
	}
	mask = code;
	while (PAPI_enum_cmp_event(&mask, PAPI_NTV_ENUM_UMASKS, component) ==
	       PAPI_OK)
		must_hold(++masks < 1000);
	must_hold(masks >= 2);
	while (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) ==
	       PAPI_OK)
		count++;
	must_equal(count,
		   PAPI_get_component_info(component)->num_native_events);
	/* the code that is handed in does not matter to FIRST */
	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	must(PAPI_event_code_to_name(first, a));
	must(PAPI_event_code_to_name(code, b));
	must_hold(!strcmp(a, b));
}

/* Enumerating goes on from an event that was found by its name. */
static void
enumeration_from_a_name(void)
{
	char name[PAPI_MAX_STR_LEN], next[PAPI_MAX_STR_LEN];
	char found[PAPI_MAX_STR_LEN];
	int component = init_papi();
	int code = PAPI_NATIVE_MASK, by_name, mask, steps;

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	for (steps = 0; steps < 20; steps++) {
		must(PAPI_event_code_to_name(code, name));
		if (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) !=
		    PAPI_OK)
			break;
		must(PAPI_event_code_to_name(code, next));

		must(PAPI_event_name_to_code(name, &by_name));
		mask = by_name;
		must(PAPI_enum_cmp_event(&mask, PAPI_NTV_ENUM_UMASKS,
					 component));
		must(PAPI_event_code_to_name(mask, found));
		must_hold(!strncmp(name, found, strlen(name)) &&
			  found[strlen(name)] == ':');
		/* from the event, and from one that qualifies it */
		must(PAPI_enum_cmp_event(&by_name, PAPI_ENUM_EVENTS,
					 component));
		must(PAPI_event_code_to_name(by_name, found));
		must_hold(!strcmp(found, next));
		must(PAPI_enum_cmp_event(&mask, PAPI_ENUM_EVENTS, component));
		must(PAPI_event_code_to_name(mask, found));
		must_hold(!strcmp(found, next));
	}
	must_hold(steps > 5);
}

/* The name of the first event that is a double and has instances. */
static void
find_double_with_instances(int component, char name[PAPI_MAX_STR_LEN])
{
	char qualified[PAPI_MAX_STR_LEN + 32];
	int code = PAPI_NATIVE_MASK, found;

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	for (;;) {
		must(PAPI_event_code_to_name(code, name));
		snprintf(qualified, sizeof(qualified), "%s:instance=0:double",
			 name);
		if (PAPI_event_name_to_code(qualified, &found) == PAPI_OK)
			return;
		must(PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component));
	}
}

/* An event with each of its qualifiers alone, and no others. */
static void
enumeration_of_qualifiers(void)
{
	static const char *const wanted[] = { ":device=0", ":device=1",
					      ":instance=0", ":double" };
	static const char *const last[] = { ":device=0:instance=0",
					    ":instance=1", ":double",
					    ":instance=0:double" };
	char name[PAPI_MAX_STR_LEN], got[PAPI_MAX_STR_LEN];
	char qualified[PAPI_MAX_STR_LEN + 32];
	int component = init_papi(), code;
	size_t i;

	find_double_with_instances(component, name);
	must(PAPI_event_name_to_code(name, &code));
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		snprintf(qualified, sizeof(qualified), "%s%s", name, wanted[i]);
		/* not every machine has two devices */
		if (i == 1 && PAPI_event_name_to_code(qualified, &(int){ 0 }))
			continue;
		must(PAPI_enum_cmp_event(&code, PAPI_NTV_ENUM_UMASKS,
					 component));
		must(PAPI_event_code_to_name(code, got));
		must_hold(!strcmp(got, qualified));
	}
	for (i = 0; i < ARRAY_SIZE(last); i++) {
		snprintf(qualified, sizeof(qualified), "%s%s", name, last[i]);
		must(PAPI_event_name_to_code(qualified, &code));
		must_hold(PAPI_enum_cmp_event(&code, PAPI_NTV_ENUM_UMASKS,
					      component) != PAPI_OK);
	}
}

static void
names_that_are_not_found(void)
{
	static const char *const wrong[] = {
		"drm:::amdgpu::NOSUCH.THING",
		"drm:::amdgpu::",
		"drm:::",
		"drm:::nosuchdriver::SQ.WAVES",
		"drm:::amdgpu::SQ.WAVES:device=77",
		"drm:::amdgpu::SQ.WAVES:instance=7777",
		"drm:::amdgpu::SQ.WAVES:device=",
		"drm:::amdgpu::SQ.WAVES:double",
		"drm:::amdgpu::SQ.WAVES:nosuch=1",
	};
	char long_name[2000];
	int set, code;
	size_t i;

	init_papi();
	must(PAPI_event_name_to_code(counted[0].name, &code));
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		if (PAPI_event_name_to_code(wrong[i], &code) == PAPI_OK)
			harness_fail(__FILE__, __LINE__, "%s was found",
				     wrong[i]);
	}
	memset(long_name, 'x', sizeof(long_name));
	memcpy(long_name, "drm:::", 6);
	long_name[sizeof(long_name) - 1] = '\0';
	must_hold(PAPI_event_name_to_code(long_name, &code) != PAPI_OK);
	set = make_set(0, 0);
	must_be(PAPI_add_named_event(set, "drm:::amdgpu::NOSUCH.THING"),
		PAPI_ENOEVNT);
}

static void
names_without_prefix(void)
{
	char name[PAPI_MAX_STR_LEN];
	const char *bare = strstr(counted[0].name, ":::") + 3;
	int code;

	/* PAPI 7.1 and later do not ask components without their prefix */
	if (PAPI_VERSION_MAJOR(PAPI_VERSION) != 7 ||
	    PAPI_VERSION_MINOR(PAPI_VERSION) != 0)
		return;
	init_papi();
	must(PAPI_event_name_to_code(bare, &code));
	must(PAPI_event_code_to_name(code, name));
	must_hold(!strcmp(name, counted[0].name));
}

/* Codes that qualify an event survive being looked up in any order. */
static void
qualified_names(void)
{
	char name[256], back[PAPI_MAX_STR_LEN];
	int codes[64], again, i;

	init_papi();
	for (i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "%s:device=0:instance=%d",
			 counted[i % GROUP_SIZE].name, i / GROUP_SIZE % 4);
		must(PAPI_event_name_to_code(name, &codes[i]));
	}
	for (i = 63; i >= 0; i--) {
		snprintf(name, sizeof(name), "%s:device=0:instance=%d",
			 counted[i % GROUP_SIZE].name, i / GROUP_SIZE % 4);
		must(PAPI_event_code_to_name(codes[i], back));
		must_hold(!strcmp(name, back));
		must(PAPI_event_name_to_code(name, &again));
		must(PAPI_event_code_to_name(again, back));
		must_hold(!strcmp(name, back));
	}
}

static void
instances_add_up(void)
{
	long long values[MAX_VALUES], sum = 0;
	char name[256];
	int set, i;

	init_papi();
	set = make_set(0, 0);
	for (i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "%s:instance=%d", counted[0].name,
			 i);
		must(PAPI_add_named_event(set, name));
	}
	must(PAPI_start(set));
	work(4);
	must(PAPI_stop(set, values));
	for (i = 0; i < 4; i++)
		sum += values[1 + i];
	must_equal(values[0], 4 * counted[0].rate);
	must_equal(sum, values[0]);
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
	{ "waits until it is asked", waits_until_it_is_asked },
	{ "names need no list", names_need_no_list },
	{ "list after names", list_after_names },
	{ "enumeration", enumeration },
	{ "enumeration from a name", enumeration_from_a_name },
	{ "enumeration of qualifiers", enumeration_of_qualifiers },
	{ "names that are not found", names_that_are_not_found },
	{ "names without prefix", names_without_prefix },
	{ "qualified names", qualified_names },
	{ "instances add up", instances_add_up },
};

int
main(int argc, char **argv)
{
	return harness_main(argc, argv, tests, ARRAY_SIZE(tests));
}
