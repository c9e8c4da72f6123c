/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals by the thousand into functions of PAPI: each does what a tick of
 * software overflow does, and reads the EventSet once more by PAPI_read.
 *
 * The timer is set again when a handler ends, so that a slow machine gets
 * further, too; and what is interrupted goes on until it has been often enough.
 * Handlers that stop, reset and end it, too, are those of profilers that end.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/papi/harness.h"

#define PERIOD_NS 1000000
#define ENOUGH 5
#define EVENTS 4

static struct {
	int set;
	timer_t timer;
	struct sigaction papi; /* its handler of SIGPROF */
	_Atomic long long last[EVENTS];
	atomic_bool begins_anew;
	atomic_uint ticks; /* in the function that is being called */
	atomic_uint samples, reads;
	const char *_Atomic complaint;
} storm;

static void
set_timer(void)
{
	const struct itimerspec once = { { 0, 0 }, { 0, PERIOD_NS } };

	timer_settime(storm.timer, 0, &once, NULL);
}

static void
check_reading(const long long *values)
{
	for (int i = 0; i < EVENTS; i++) {
		if (values[i] * counted[0].rate != values[0] * counted[i].rate)
			storm.complaint = "values are of different moments";
		if (values[i] < storm.last[i] && !storm.begins_anew)
			storm.complaint = "a value went back";
		storm.last[i] = values[i];
	}
}

static void
handle_tick(int number, siginfo_t *info, void *context)
{
	long long values[EVENTS];
	int before = errno, ret;

	errno = EXDEV;
	storm.papi.sa_sigaction(number, info, context);
	if (errno != EXDEV)
		storm.complaint = "errno was changed";
	/*
	 * There is nothing to be had between stop and start, nor before the
	 * first read, if this came during a call.
	 */
	ret = PAPI_read(storm.set, values);
	if (!ret) {
		storm.reads++;
		check_reading(values);
	} else if (ret != PAPI_ENOTRUN && ret != PAPI_EISRUN) {
		storm.complaint = "a read that must wait seems to have failed";
	}
	errno = before;
	storm.ticks++;
	set_timer();
}

static void
take_sample(int set, void *address, long long vector, void *context)
{
	(void)address;
	(void)vector;
	(void)context;
	if (set != storm.set)
		storm.complaint = "a sample of another set";
	storm.samples++;
}

static void
begin_storm(void)
{
	struct sigaction action = { .sa_sigaction = handle_tick };
	struct sigevent to = { .sigev_notify = SIGEV_THREAD_ID,
			       .sigev_signo = SIGUSR2 };
	int code;

	init_papi();
	storm.set = make_set(0, EVENTS - 1);
	must(PAPI_event_name_to_code(counted[0].name, &code));
	must(PAPI_overflow(storm.set, code, 1, 0, take_sample));
	must(PAPI_start(storm.set));
	must_hold(!sigaction(SIGPROF, NULL, &storm.papi));
	action.sa_flags = SA_RESTART | SA_SIGINFO;
	must_hold(!sigaction(SIGUSR2, &action, NULL));
	to._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	must_hold(!timer_create(CLOCK_MONOTONIC, &to, &storm.timer));
	set_timer();
}

static void
end_storm(void)
{
	long long values[EVENTS];

	must(PAPI_stop(storm.set, values));
	timer_delete(storm.timer);
	if (storm.complaint)
		harness_fail(__FILE__, __LINE__, "%s", storm.complaint);
	storm.begins_anew = false;
	for (int i = 0; i < EVENTS; i++)
		must_hold(values[i] >= storm.last[i]);
	must_hold(storm.samples > 0);
	must_hold(storm.reads > 0);
}

/* Until enough ticks have come while it was called; the GPU works, too. */
#define INTO(call)                                                             \
	do {                                                                   \
		storm.ticks = 0;                                               \
		while (storm.ticks < ENOUGH) {                                 \
			do_work(1);                                            \
			call;                                                  \
		}                                                              \
	} while (0)

static void
change_another_set(void)
{
	int set = make_set(4, 7);

	must(PAPI_remove_named_event(set, counted[5].name));
	must(PAPI_cleanup_eventset(set));
	must(PAPI_destroy_eventset(&set));
}

static void
begin_anew(void)
{
	storm.begins_anew = true;
	must(PAPI_stop(storm.set, NULL));
	must(PAPI_start(storm.set));
	memset(&storm.last, 0, sizeof(storm.last));
	storm.begins_anew = false;
}

static void
reset_timer(void)
{
	storm.begins_anew = true;
	must(PAPI_reset(storm.set));
	memset(&storm.last, 0, sizeof(storm.last));
	storm.begins_anew = false;
}

static void
read_values(void)
{
	long long values[EVENTS], before = storm.last[0];

	must(PAPI_read(storm.set, values));
	must_hold(values[0] >= before);
}

static void
into_every_function(void)
{
	PAPI_event_info_t info;
	char name[PAPI_MAX_STR_LEN];
	int code, next, codes[EVENTS], count;

	begin_storm();
	must(PAPI_event_name_to_code(counted[8].name, &code));
	INTO(read_values());
	INTO(begin_anew());
	INTO(reset_timer());
	INTO(change_another_set());
	INTO(must(PAPI_event_name_to_code(counted[8].name, &code)));
	INTO(must(PAPI_event_code_to_name(code, name)));
	INTO(must(PAPI_get_event_info(code, &info)));
	INTO(must(PAPI_query_event(code)));
	INTO(next = PAPI_NATIVE_MASK;
	     must(PAPI_enum_cmp_event(&next, PAPI_ENUM_FIRST,
				      PAPI_get_component_index("drm"))));
	INTO(count = EVENTS; must(PAPI_list_events(storm.set, codes, &count)));
	end_storm();
}

/* ------------------------------------------------------------------ */
/* A profiler that ends in its handler                                  */

static struct {
	int set;
	timer_t timer;
	atomic_uint refused, stopped;
	atomic_bool has_to_end;
} ending;

/*
 * Check the result of a call in a signal's handler: it has been done, or it was
 * refused since the signal interrupted another call.
 */
static void
check_call(int ret, const char *what)
{
	if (ret == PAPI_ESYS)
		ending.refused++;
	else if (ret != PAPI_OK && ret != PAPI_ENOTRUN && ret != PAPI_EISRUN)
		harness_fail(__FILE__, __LINE__, "%s in a handler: %s", what,
			     PAPI_strerror(ret));
}

static void
handle_end(int number)
{
	const struct itimerspec once = { { 0, 0 }, { 0, PERIOD_NS } };
	const unsigned refused = ending.refused;
	long long values[EVENTS];

	(void)number;
	check_call(PAPI_read(ending.set, values), "PAPI_read");
	check_call(PAPI_reset(ending.set), "PAPI_reset");
	check_call(PAPI_stop(ending.set, values), "PAPI_stop");
	if (ending.refused == refused)
		ending.stopped++;
	if (ending.has_to_end && ending.refused > refused) {
		PAPI_shutdown();
		_exit(0);
	}
	timer_settime(ending.timer, 0, &once, NULL);
}

static void
begin_ending(void)
{
	struct sigaction action = { .sa_handler = handle_end,
				    .sa_flags = SA_RESTART };
	struct sigevent to = { .sigev_notify = SIGEV_THREAD_ID,
			       .sigev_signo = SIGUSR2 };
	const struct itimerspec once = { { 0, 0 }, { 0, PERIOD_NS } };

	init_papi();
	ending.set = make_set(0, EVENTS - 1);
	must_hold(!sigaction(SIGUSR2, &action, NULL));
	to._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	must_hold(!timer_create(CLOCK_MONOTONIC, &to, &ending.timer));
	must(PAPI_start(ending.set));
	timer_settime(ending.timer, 0, &once, NULL);
}

/* Read, and start again what the handler has stopped. */
static void
read_and_start(void)
{
	long long values[EVENTS];
	int state;

	must(PAPI_state(ending.set, &state));
	if (state & PAPI_STOPPED)
		must(PAPI_start(ending.set));
	must(PAPI_read(ending.set, values));
}

static void
stop_in_a_handler(void)
{
	long long values[EVENTS];

	begin_ending();
	while (ending.refused < ENOUGH || !ending.stopped)
		read_and_start();
	timer_delete(ending.timer);
	/* what a handler stopped in vain is stopped by the next start */
	PAPI_stop(ending.set, values);
	must(PAPI_start(ending.set));
	do_work(1);
	must(PAPI_stop(ending.set, values));
	must_hold(values[0] > 0);
}

static void
end_in_a_handler(void)
{
	begin_ending();
	ending.has_to_end = true;
	for (;;)
		read_and_start();
}

static const struct test tests[] = {
	{ "ticks into every function of PAPI", into_every_function },
	{ "handlers stop and reset what they interrupt", stop_in_a_handler },
	{ "handlers end PAPI amidst a read", end_in_a_handler },
};

/* Run the first test with known rates, the others with rates of 0. */
int
main(int argc, char **argv)
{
	const bool is_known = argc > 1 && !strstr(argv[1], "=0");

	return harness_main(argc, argv, is_known ? tests : tests + 1,
			    is_known ? 1 : 2);
}
