/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals by the thousand into every function, on simulated GPUs: their handler
 * reads a session, and never waits, nor sees a count go back or fall apart.
 *
 * The timer is set again when a handler ends, so that a slow machine gets
 * further, too; and what is interrupted goes on until it has been often enough.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/suite.h"

#define PERIOD_NS 1000000
#define ENOUGH 10

/* What the handler reads: each of these twice, so that halves would show. */
static const char *const read_there[] = {
	"amdgpu::SQ.WAVES",
	"i915::RenderBasic.GpuTime",
	"xe::RenderBasic.GpuTime",
};

/* What is done in between, beside it and elsewhere. */
static const char *const done_here[] = {
	"amdgpu::TCC.HIT",
	"amdgpu::sensor.gfx-sclk",
	"i915::oa.AvgGpuCoreFrequency",
	"i915::pmu.rcs0-busy",
	"xe::oa.AvgGpuCoreFrequency",
	"xe::pmu.rcs0-busy",
};

static struct {
	struct drmperf_session *session;
	timer_t timer;
	_Atomic uint64_t last;
	atomic_bool begins_anew; /* so may counts */
	atomic_uint signals; /* in the function that is being called */
	atomic_uint read, in_vain, lost;
	const char *_Atomic complaint;
} storm;

static void
set_timer(void)
{
	const struct itimerspec once = { { 0, 0 }, { 0, PERIOD_NS } };

	timer_settime(storm.timer, 0, &once, NULL);
}

static void
read_values(void)
{
	union drmperf_value values[2];
	int ret = drmperf_session_try_read(storm.session, values, NULL, NULL);

	if (ret == -EAGAIN) {
		storm.in_vain++;
		return;
	}
	/* Reports may be lost, or late, where others take the processor. */
	if (ret == -EIO || ret == -ETIME) {
		storm.lost++;
		return;
	}
	storm.read++;
	if (ret)
		storm.complaint = "cannot be read";
	else if (values[0].u64 != values[1].u64)
		storm.complaint = "fell apart";
	else if (values[0].u64 < storm.last && !storm.begins_anew)
		storm.complaint = "went back";
	else
		storm.last = values[0].u64;
}

static void
handle_signal(int number)
{
	int before = errno;

	(void)number;
	errno = EXDEV;
	read_values();
	if (errno != EXDEV)
		storm.complaint = "changed errno";
	errno = before;
	storm.signals++;
	set_timer();
}

static void
begin_storm(const char *event)
{
	struct sigaction action = { .sa_handler = handle_signal,
				    .sa_flags = SA_RESTART };
	struct sigevent to = { .sigev_notify = SIGEV_THREAD_ID,
			       .sigev_signo = SIGPROF };

	memset(&storm, 0, sizeof(storm));
	counting_begin();
	storm.session = counting_start(NAMES(event, event));
	to._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	ck_assert_int_eq(sigaction(SIGPROF, &action, NULL), 0);
	ck_assert_int_eq(timer_create(CLOCK_MONOTONIC, &to, &storm.timer), 0);
	set_timer();
}

static void
end_storm(void)
{
	union drmperf_value values[2];
	int ret;

	timer_delete(storm.timer);
	ck_assert_msg(!storm.complaint, "%s", storm.complaint);
	ck_assert_uint_gt(storm.read, 0);
	ret = drmperf_session_read(storm.session, values, NULL, NULL,
				   &counting.error);
	ck_assert_msg(!ret || ret == -EIO || ret == -ETIME, "%s",
		      counting.error.cause);
	if (!ret) {
		ck_assert_uint_ge(values[0].u64, storm.last);
		ck_assert_uint_eq(values[0].u64, values[1].u64);
	}
	drmperf_session_destroy(storm.session);
	counting_end();
}

/* Until enough signals have come while it was called. */
#define INTO(call) \
	do { \
		storm.signals = 0; \
		while (storm.signals < ENOUGH) { \
			call; \
		} \
	} while (0)

/* ------------------------------------------------------------------ */
/* Every function                                                       */

static int null_file;

static void
log_line(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	(void)level;
	if (write(null_file, message, strlen(message)) < 0)
		abort();
}

static void
create_and_destroy(const char *name)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .log = log_line };
	struct drmperf_selection selection;
	struct drmperf *drmperf;

	ck_assert_int_eq(drmperf_create(&options, &drmperf, NULL), 0);
	ck_assert_int_eq(drmperf_event_find(drmperf, name, &selection, NULL),
			 0);
	drmperf_destroy(drmperf);
}

static void
into_device(struct drmperf_device *device)
{
	const struct drmperf_group *group = drmperf_group_at(device, 0);
	const struct drmperf_event *event = drmperf_event_at(device, 0);
	struct drmperf_queue_hold *queues;
	struct drmperf_clock_hold *hold;
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };
	size_t words;
	char text[128];

	INTO(drmperf_device_open(device, NULL));
	INTO(drmperf_device_status(device, NULL));
	INTO(drmperf_device_chip(device));
	INTO(drmperf_device_clocks(device, &clocks, NULL));
	INTO(drmperf_device_queue_commands(device, true, NULL, 0, &words,
					   NULL));
	INTO(if (!drmperf_device_hold_clocks(device, DRMPERF_CLOCK_PEAK, &hold,
					     NULL))
		     drmperf_clock_hold_release(hold));
	INTO(if (!drmperf_device_hold_queues(device, &queues, NULL))
		     drmperf_queue_hold_release(queues));
	INTO(drmperf_group_count(device));
	INTO(drmperf_group_at(device, 0));
	INTO(drmperf_group_instance_name(group, 0, text, sizeof(text)));
	INTO(drmperf_group_first_event(group));
	INTO(drmperf_group_event_count(group));
	INTO(drmperf_event_at(device, 0));
	INTO(drmperf_event_count(device));
	INTO(drmperf_event_description(event));
	INTO(drmperf_event_scope(event));
	INTO(drmperf_event_instances(event));
}

static void
make_plan(struct drmperf *drmperf, const struct drmperf_selection *selection)
{
	struct drmperf_plan *plan;

	ck_assert_int_eq(drmperf_plan_create(drmperf, selection, 1, NULL, &plan,
					     NULL),
			 0);
	ck_assert_uint_eq(drmperf_plan_passes(plan), 1);
	drmperf_plan_destroy(plan);
}

static void
count_event(const char *name)
{
	struct drmperf_session *session = counting_session(NAMES(name));
	union drmperf_value value;

	/* i915: a metric set other than that of the session */
	if (!drmperf_session_start(session, NULL)) {
		drmperf_session_read(session, &value, NULL, NULL, NULL);
		drmperf_session_reset(session, NULL);
		drmperf_session_stop(session, NULL);
	}
	drmperf_session_destroy(session);
}

static void
begin_anew(void)
{
	storm.begins_anew = true;
	drmperf_session_stop(storm.session, NULL);
	counting_run(storm.session);
	storm.last = 0;
	storm.begins_anew = false;
}

/*
 * Begin again if values were lost: what is lost stays lost until the session
 * begins again.
 */
static void
begin_anew_if_lost(void)
{
	union drmperf_value values[2];
	int ret;

	if (!storm.lost)
		return;
	ret = drmperf_session_read(storm.session, values, NULL, NULL,
				   &counting.error);
	if (ret == -EIO || ret == -ETIME)
		fprintf(stderr, "%s; it begins anew\n", counting.error.cause);
	begin_anew();
	storm.lost = 0;
}

/* Count by the session that the handler reads; it begins again. */
static void
count_itself(void)
{
	union drmperf_value values[2];

	INTO(drmperf_session_read(storm.session, values, NULL, NULL,
				  &counting.error));
	storm.signals = 0;
	while (storm.signals < ENOUGH)
		begin_anew();
}

TEST_CASE(signals, NULL, NULL, "signals");

TEST_LOOP(signals, into_every_function, ARRAY_SIZE(done_here))
{
	const char *name = done_here[_i];
	struct drmperf_selection selection;

	null_file = open("/dev/null", O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(null_file, 0);
	begin_storm(read_there[_i / 2]);
	INTO(create_and_destroy(name));
	INTO(drmperf_event_find(counting.drmperf, name, &selection, NULL));
	into_device(drmperf_event_device(selection.event));
	INTO(make_plan(counting.drmperf, &selection));
	INTO(count_event(name));
	count_itself();
	/* and where this library is not the one that has locks */
	INTO(free(malloc(100000)));
	end_storm();
	close(null_file);
}

/* ------------------------------------------------------------------ */
/* Beside other threads                                                 */

#define THREADS 2

static atomic_bool over;

struct neighbour {
	const char *name;
	pthread_t thread;
};

static void *
count_beside(void *data)
{
	struct neighbour *neighbour = data;
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	while (!atomic_load(&over))
		count_event(neighbour->name);
	return NULL;
}

TEST_LOOP(signals, beside_threads_that_start_and_stop, ARRAY_SIZE(read_there))
{
	struct neighbour neighbours[THREADS];

	atomic_store(&over, false);
	begin_storm(read_there[_i]);
	for (int i = 0; i < THREADS; i++) {
		neighbours[i] = (struct neighbour){ done_here[_i * 2 + i], 0 };
		ck_assert_int_eq(pthread_create(&neighbours[i].thread, NULL,
						count_beside, &neighbours[i]),
				 0);
	}
	INTO(free(malloc(100000)));
	/*
	 * Until there was both: a lock that was held, and one that was not.
	 * The others get the processor in between: valgrind runs one thread
	 * at a time, and the one that never waits most of all.
	 */
	while (!storm.read || !storm.in_vain) {
		free(malloc(100000));
		usleep(100);
		begin_anew_if_lost();
	}
	atomic_store(&over, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(neighbours[i].thread, NULL);
	end_storm();
}

TEST_MACHINE("signals", "--gpu", "vega10", "--gpu", "skl", "--gpu", "bmg");
