/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that are cancelled while they count, on simulated GPUs: none ends
 * inside of a function of the library, and the devices work for others.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/suite.h"

/* One of each kind of driver, and of each way to read. */
static const char *const events[] = {
	"amdgpu::SQ.WAVES",	     "amdgpu::TCC.HIT",
	"amdgpu::sensor.gfx-sclk",   "amdgpu::fdinfo.engine-gfx",
	"i915::RenderBasic.GpuTime", "i915::pmu.rcs0-busy",
	"i915::sensor.act-freq",     "i915::fdinfo.engine-render",
	"xe::RenderBasic.GpuTime",   "xe::MediaSet1.GpuTime",
	"xe::pmu.rcs0-busy",	     "xe::sensor.act-freq-gt0",
	"xe::fdinfo.cycles-rcs",
};

/* What a thread does, and how far it came. */
struct life {
	const char *event;
	int null; /* a file to write to */
	const char *volatile at; /* the call it is in; NULL: it has done all */
	int ret;
	struct drmperf_error error;
};

/* The line before it says where the thread is, should it end there. */
#define IN(life, call) ((life)->at = #call, call)

/* ------------------------------------------------------------------ */
/* Every function, by a thread that is to end at once                   */

/* Write a line, which is a point where threads are cancelled. */
static void
log_line(void *data, enum drmperf_log_level level, const char *message)
{
	const struct life *life = data;

	(void)level;
	if (write(life->null, message, strlen(message)) < 0)
		abort();
}

static void
look_at_device(struct life *life, struct drmperf_device *device)
{
	const struct drmperf_group *group;
	const struct drmperf_event *event;
	struct drmperf_queue_hold *hold;
	size_t words;
	char text[128];

	IN(life, drmperf_device_open(device, NULL));
	IN(life, drmperf_device_status(device, NULL));
	IN(life, drmperf_device_chip(device));
	IN(life, drmperf_device_node(device));
	IN(life, drmperf_device_queue_commands(device, true, NULL, 0, &words,
					       NULL));
	if (!IN(life, drmperf_device_hold_queues(device, &hold, NULL)))
		IN(life, drmperf_queue_hold_release(hold));
	IN(life, drmperf_group_count(device));
	group = IN(life, drmperf_group_at(device, 0));
	IN(life, drmperf_group_instance_name(group, 0, text, sizeof(text)));
	IN(life, drmperf_group_first_event(group));
	IN(life, drmperf_group_event_count(group));
	event = IN(life, drmperf_event_at(device, 0));
	IN(life, drmperf_event_count(device));
	IN(life, drmperf_event_scope(event));
	IN(life, drmperf_event_instances(event));
}

static void
hold_clocks(struct life *life, struct drmperf_device *device)
{
	struct drmperf_clock_hold *hold;
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };

	IN(life, drmperf_device_clocks(device, &clocks, NULL));
	if (!IN(life, drmperf_device_hold_clocks(device, DRMPERF_CLOCK_PEAK,
						 &hold, NULL)))
		IN(life, drmperf_clock_hold_release(hold));
}

static void
make_plan(struct life *life, struct drmperf *drmperf,
	  const struct drmperf_selection *selection)
{
	struct drmperf_plan *plan;
	char text[128];

	IN(life, drmperf_selection_name(selection, text, sizeof(text)));
	life->ret = IN(life, drmperf_plan_create(drmperf, selection, 1, NULL,
						 &plan, &life->error));
	if (life->ret)
		return;
	IN(life, drmperf_plan_passes(plan));
	IN(life, drmperf_plan_destroy(plan));
}

/*
 * Take what a call returned. Reports may be lost where others take the
 * processor.
 */
static void
take_result(struct life *life, int ret)
{
	if (ret != -EIO && !life->ret)
		life->ret = ret;
}

static void
count_session(struct life *life, struct drmperf *drmperf,
	      const struct drmperf_selection *selection)
{
	struct drmperf_session *session;
	union drmperf_value value;

	life->ret = IN(life, drmperf_session_create(drmperf, selection, 1, NULL,
						    &session, &life->error));
	if (life->ret)
		return;
	take_result(life,
		    IN(life, drmperf_session_start(session, &life->error)));
	take_result(life, IN(life, drmperf_session_read(session, &value, NULL,
							NULL, &life->error)));
	take_result(life,
		    IN(life, drmperf_session_reset(session, &life->error)));
	take_result(life,
		    IN(life, drmperf_session_stop(session, &life->error)));
	/* and once more, ended by others of the ways there are */
	take_result(life,
		    IN(life, drmperf_session_start(session, &life->error)));
	take_result(life, IN(life, drmperf_stop_all(drmperf, &life->error)));
	IN(life, drmperf_session_destroy(session));
}

static void
live_once(struct life *life)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .log = log_line,
						 .log_data = life };
	struct drmperf_selection selection;
	struct drmperf *drmperf;

	life->ret = IN(life, drmperf_create(&options, &drmperf, &life->error));
	if (life->ret)
		return;
	life->ret = IN(life, drmperf_event_find(drmperf, life->event,
						&selection, &life->error));
	if (!life->ret) {
		struct drmperf_device *device =
			drmperf_event_device(selection.event);

		look_at_device(life, device);
		hold_clocks(life, device);
		make_plan(life, drmperf, &selection);
	}
	if (!life->ret)
		count_session(life, drmperf, &selection);
	IN(life, drmperf_destroy(drmperf));
	life->at = NULL;
}

static void *
live_cancelled(void *data)
{
	pthread_cancel(pthread_self());
	live_once(data);
	pthread_testcancel();
	return NULL;
}

static void
begin_life(struct life *life, const char *event)
{
	*life = (struct life){ .event = event, .at = "the beginning" };
	life->null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(life->null, 0);
}

static void
end_life(struct life *life)
{
	ck_assert_msg(!life->at, "ended in %s", life->at);
	ck_assert_msg(!life->ret, "%d: %s", life->ret, life->error.cause);
	close(life->null);
}

TEST_CASE(cancel, NULL, NULL, "cancel");

TEST_LOOP(cancel, no_function_is_a_cancellation_point, ARRAY_SIZE(events))
{
	struct life life;
	pthread_t thread;
	void *result;

	begin_life(&life, events[_i]);
	ck_assert_int_eq(pthread_create(&thread, NULL, live_cancelled, &life),
			 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	end_life(&life);
	/* the request has not been lost */
	ck_assert_ptr_eq(result, PTHREAD_CANCELED);
	/* and the next caller finds everything as it was */
	begin_life(&life, events[_i]);
	live_once(&life);
	end_life(&life);
}

/* A thread that has cancellation disabled has it so afterwards. */
TEST_LOOP(cancel, state_is_kept, 2)
{
	static const int states[] = { PTHREAD_CANCEL_DISABLE,
				      PTHREAD_CANCEL_ENABLE };
	struct life life;
	int state;

	begin_life(&life, events[0]);
	ck_assert_int_eq(pthread_setcancelstate(states[_i], NULL), 0);
	live_once(&life);
	ck_assert_int_eq(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state),
			 0);
	ck_assert_int_eq(state, states[_i]);
	end_life(&life);
}

/* ------------------------------------------------------------------ */
/* Reading, cancelled by another thread at any moment                   */

struct reader {
	struct drmperf_session *session;
	atomic_int reads;
	atomic_bool is_inside;
};

static void *
read_for_ever(void *data)
{
	struct reader *reader = data;
	union drmperf_value value;

	for (;;) {
		atomic_store(&reader->is_inside, true);
		drmperf_session_read(reader->session, &value, NULL, NULL, NULL);
		atomic_store(&reader->is_inside, false);
		atomic_fetch_add(&reader->reads, 1);
		pthread_testcancel();
	}
	return NULL;
}

#define ROUNDS 20

/* The session, too, can be used by another thread from then on. */
TEST_LOOP(cancel, cancelled_while_reading, ARRAY_SIZE(events))
{
	const char *const names[] = { events[_i], NULL };
	struct reader reader = { 0 };
	union drmperf_value value;
	pthread_t thread;
	int ret;

	counting_begin();
	reader.session = counting_start(names);
	for (int round = 0; round < ROUNDS; round++) {
		int before = atomic_load(&reader.reads);

		ck_assert_int_eq(
			pthread_create(&thread, NULL, read_for_ever, &reader),
			0);
		while (atomic_load(&reader.reads) == before)
			sched_yield();
		ck_assert_int_eq(pthread_cancel(thread), 0);
		ck_assert_int_eq(pthread_join(thread, NULL), 0);
		ck_assert(!atomic_load(&reader.is_inside));
		ret = drmperf_session_read(reader.session, &value, NULL, NULL,
					   &counting.error);
		ck_assert_msg(!ret || ret == -EIO, "%d: %s", ret,
			      counting.error.cause);
	}
	drmperf_session_destroy(reader.session);
	reader.session = counting_start(names);
	drmperf_session_destroy(reader.session);
	counting_end();
}

TEST_MACHINE("cancel", "--gpu", "vega10", "--gpu", "skl", "--gpu", "bmg");
