/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of the simulated /dev/kfd, as Linux 6.12 has them: numbers, the page,
 * setting and waiting.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/kfd_client.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#include "drmsim/control.h"

#define SIGNAL_PAGE (2ull << 62)
#define SLOTS 4096

static int kfd, render;
static uint32_t id;

static void
set_up(void)
{
	kfd = kfd_open();
	render = kfd_open_render(128);
	id = kfd_gpu_id(1);
	ck_assert_int_eq(kfd_acquire(kfd, render, id), 0);
}

static void
tear_down(void)
{
	close(kfd);
	close(render);
}

TEST_CASE(events, set_up, tear_down, "drmsim_kfd_events");

/* ---- numbers and the page */

TEST(events, events_have_numbers_by_their_type)
{
	static const struct {
		uint32_t type, id;
		uint64_t page;
	} cases[] = {
		{ 0, 1, SIGNAL_PAGE }, { 8, 0x40000000, 0 },
		{ 5, 2, SIGNAL_PAGE }, { 3, 0x40000001, 0 },
		{ 0, 3, SIGNAL_PAGE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kfd_event_args event = { .type = cases[i].type };

		ck_assert_int_eq(kfd_create_event(kfd, &event), 0);
		ck_assert_uint_eq(event.id, cases[i].id);
		ck_assert_uint_eq(event.trigger, cases[i].id);
		ck_assert_uint_eq(event.page, cases[i].page);
		ck_assert_uint_eq(event.slot, cases[i].page ? cases[i].id : 0);
	}
	ck_assert_int_eq(kfd_of_event(kfd, DESTROY_EVENT, 2), 0);
	ck_assert_int_eq(kfd_of_event(kfd, DESTROY_EVENT, 2), -EINVAL);
	ck_assert_uint_eq(kfd_make_event(kfd, false), 2);
}

TEST(events, the_page_has_room_for_all_slots)
{
	struct kfd_event_args event = { .type = 0 };

	for (uint32_t i = 1; i < SLOTS; i++)
		ck_assert_uint_eq(kfd_make_event(kfd, false), i);
	ck_assert_int_eq(kfd_create_event(kfd, &event), -ENOSPC);
	event.type = 8;
	ck_assert_int_eq(kfd_create_event(kfd, &event), 0);
}

static const struct event_page {
	uint32_t flags;
	uint64_t size;
	int result;
} event_pages[] = {
	{ KFD_GTT, 8 * SLOTS, 0 },
	{ KFD_GTT, 4 * SLOTS, -EINVAL },
	{ KFD_VRAM, 8 * SLOTS, -EINVAL },
	{ KFD_DOORBELL, KFD_DOORBELLS, -EINVAL },
};

TEST_LOOP(events, the_page_of_events_is_checked, ARRAY_SIZE(event_pages))
{
	const struct event_page *c = &event_pages[_i];
	struct kfd_area area = { .address = 0x10000000,
				 .size = c->size,
				 .flags = c->flags,
				 .gpu_id = id };
	struct kfd_event_args event = { .type = 0 };
	const uint64_t *slots;

	ck_assert_int_eq(kfd_alloc(kfd, &area), 0);
	event.page = area.handle + 7;
	ck_assert_int_eq(kfd_create_event(kfd, &event), -EINVAL);
	event.page = area.handle;
	ck_assert_int_eq(kfd_create_event(kfd, &event), c->result);
	if (c->result)
		return;
	event.page = area.handle;
	ck_assert_int_eq(kfd_create_event(kfd, &event), -EINVAL);
	ck_assert_int_eq(kfd_free(kfd, area.handle), -EPERM);
	slots = mmap(NULL, area.size, PROT_READ, MAP_SHARED, render,
		     (off_t)area.offset);
	ck_assert_ptr_ne(slots, MAP_FAILED);
	for (unsigned i = 0; i < SLOTS; i++)
		ck_assert_uint_eq(slots[i], UINT64_MAX);
}

/* ---- setting */

static int
wait_one(uint32_t event, uint32_t timeout_ms)
{
	struct kfd_told told = { .id = event };

	return kfd_wait(kfd, &told, 1, false, timeout_ms, NULL);
}

/* Without anybody waiting an event stays set, until it is taken if it may. */
TEST(events, an_event_stays_set_until_it_is_taken)
{
	const uint32_t taken = kfd_make_event(kfd, true);
	const uint32_t stays = kfd_make_event(kfd, false);
	struct kfd_event_args other = { .type = 8 };

	ck_assert_int_eq(kfd_create_event(kfd, &other), 0);
	ck_assert_int_eq(wait_one(taken, 0), 1);
	ck_assert_int_eq(kfd_of_event(kfd, SET_EVENT, taken), 0);
	ck_assert_int_eq(wait_one(taken, 0), 0);
	ck_assert_int_eq(wait_one(taken, 0), 1);
	ck_assert_int_eq(kfd_of_event(kfd, SET_EVENT, taken), 0);
	ck_assert_int_eq(kfd_of_event(kfd, RESET_EVENT, taken), 0);
	ck_assert_int_eq(wait_one(taken, 0), 1);
	ck_assert_int_eq(kfd_of_event(kfd, SET_EVENT, stays), 0);
	ck_assert_int_eq(wait_one(stays, 0), 0);
	ck_assert_int_eq(wait_one(stays, KFD_FOR_EVER), 0);
	ck_assert_int_eq(kfd_of_event(kfd, RESET_EVENT, stays), 0);
	ck_assert_int_eq(wait_one(stays, 0), 1);
	ck_assert_int_eq(kfd_of_event(kfd, SET_EVENT, other.id), -EINVAL);
	ck_assert_int_eq(kfd_of_event(kfd, RESET_EVENT, other.id), -EINVAL);
	ck_assert_int_eq(kfd_of_event(kfd, SET_EVENT, 77), -EINVAL);
	ck_assert_int_eq(wait_one(77, 0), -EINVAL);
}

TEST(events, any_and_all)
{
	struct kfd_told told[2] = { { .id = kfd_make_event(kfd, false) },
				    { .id = kfd_make_event(kfd, false) } };

	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(kfd_wait(kfd, told, 2, false, 0, NULL),
				 i == 0);
		ck_assert_int_eq(kfd_wait(kfd, told, 2, true, 0, NULL), 1);
		ck_assert_int_eq(kfd_of_event(kfd, SET_EVENT, told[i].id), 0);
	}
	ck_assert_int_eq(kfd_wait(kfd, told, 2, true, 0, NULL), 0);
	ck_assert_int_eq(kfd_wait(kfd, NULL, 0, true, 0, NULL), 0);
	ck_assert_int_eq(kfd_wait(kfd, NULL, 1, true, 0, NULL), -EFAULT);
}

/* A signal that has come since an age that was told. */
TEST(events, an_age_shows_whether_a_signal_is_new)
{
	struct kfd_told told = { .words = { 1 },
				 .id = kfd_make_event(kfd, true) };

	ck_assert_int_eq(kfd_wait(kfd, &told, 1, false, 0, NULL), 1);
	ck_assert_int_eq(kfd_of_event(kfd, SET_EVENT, told.id), 0);
	ck_assert_int_eq(wait_one(told.id, 0), 0);
	/* another has taken it, but it has come */
	ck_assert_int_eq(kfd_wait(kfd, &told, 1, false, KFD_FOR_EVER, NULL), 0);
	ck_assert_uint_eq(told.words[0], 2);
	ck_assert_int_eq(kfd_wait(kfd, &told, 1, false, 0, NULL), 1);
}

/* ---- waiting */

TEST(events, a_wait_ends_with_its_time)
{
	uint64_t before, after;

	ck_assert_int_eq(drmsim_now(&before), 0);
	ck_assert_int_eq(wait_one(kfd_make_event(kfd, true), 5), 1);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(after - before, 5 * MS);
}

struct waiter {
	pthread_t thread;
	uint32_t event, result;
	int returned;
	atomic_bool is_done;
};

static void *
wait_for_ever(void *data)
{
	struct waiter *waiter = data;
	struct kfd_told told = { .id = waiter->event };

	waiter->returned =
		kfd_wait(kfd, &told, 1, false, KFD_FOR_EVER, &waiter->result);
	waiter->is_done = true;
	return NULL;
}

/* Begin waits one after the other, each until its call has arrived. */
static void
begin_waits(struct waiter *waiters, unsigned count, uint32_t event)
{
	for (unsigned i = 0; i < count; i++) {
		const uint64_t calls = scene_calls("kfd_wait_events");

		waiters[i].event = event;
		ck_assert_int_eq(pthread_create(&waiters[i].thread, NULL,
						wait_for_ever, &waiters[i]),
				 0);
		while (scene_calls("kfd_wait_events") == calls)
			sched_yield();
	}
}

static void
end_waits(struct waiter *waiters, unsigned count, int returned)
{
	for (unsigned i = 0; i < count; i++) {
		ck_assert_int_eq(pthread_join(waiters[i].thread, NULL), 0);
		ck_assert_int_eq(waiters[i].returned, returned);
	}
}

/* Setting wakes all, and an event that resets itself is then not set. */
TEST_LOOP(events, setting_an_event_wakes_all_waiters, 2)
{
	const uint32_t event = kfd_make_event(kfd, _i == 0);
	struct waiter waiters[3] = { 0 };

	begin_waits(waiters, 3, event);
	ck_assert_int_eq(kfd_of_event(kfd, SET_EVENT, event), 0);
	end_waits(waiters, 3, 0);
	ck_assert_int_eq(wait_one(event, 0), _i == 0);
}

TEST(events, destroying_an_event_ends_its_waits)
{
	const uint32_t event = kfd_make_event(kfd, true);
	struct waiter waiters[2] = { 0 };

	begin_waits(waiters, 2, event);
	ck_assert_int_eq(kfd_of_event(kfd, DESTROY_EVENT, event), 0);
	end_waits(waiters, 2, -EIO);
	ck_assert_uint_eq(waiters[0].result, 2);
}

static void
do_nothing(int signal)
{
	(void)signal;
}

/*
 * A thread that was interrupted waits no more: the next one finds the event
 * set.
 */
TEST(events, an_interrupted_thread_waits_no_more)
{
	const struct sigaction action = { .sa_handler = do_nothing };
	const uint32_t event = kfd_make_event(kfd, true);
	struct waiter waiter = { 0 };

	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	begin_waits(&waiter, 1, event);
	/* a signal that comes before the thread sleeps interrupts nothing */
	while (!waiter.is_done) {
		pthread_kill(waiter.thread, SIGUSR1);
		sched_yield();
	}
	end_waits(&waiter, 1, -EINTR);
	ck_assert_int_eq(kfd_of_event(kfd, SET_EVENT, event), 0);
	ck_assert_int_eq(wait_one(event, 0), 0);
}

/* ------------------------------------------------------------------ */

TEST_GPUS("drmsim_kfd_events", "vega20");

TEST_OPTION(in_processes, true);
