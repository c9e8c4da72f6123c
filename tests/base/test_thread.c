/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/thread.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>

#include "tests/support/check.h"
#include "tests/support/suite.h"

static unsigned wrapped;

/* What a tool's own function, run first in a new thread, has to call. */
struct measured {
	void *(*run)(void *data);
	void *data;
	bool is_own;
};

static struct measured measured;

static void *
measure_stack(void *data)
{
	(void)data;
	measured.is_own = thread_is_own();
	return measured.run(measured.data);
}

/* Load it as tools do. */
int
pthread_create(pthread_t *thread, const pthread_attr_t *attr,
	       void *(*run)(void *data), void *data)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		    void *);

	*(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
	wrapped++;
	measured = (struct measured){ .run = run, .data = data };
	return next(thread, attr, measure_stack, NULL);
}

struct seen {
	sigset_t blocked;
	bool is_own;
};

static void *
read_signals(void *data)
{
	struct seen *seen = data;

	pthread_sigmask(SIG_SETMASK, NULL, &seen->blocked);
	seen->is_own = thread_is_own();
	return seen;
}

TEST_CASE(thread, NULL, NULL, "thread");

TEST(thread, is_made_past_tools)
{
	/* which must know of all threads */
	bool sanitized = dlsym(RTLD_DEFAULT, "__sanitizer_set_death_callback");
	struct seen seen;
	pthread_t thread;
	void *result;

	ck_assert_int_eq(thread_create(&thread, "test", read_signals, &seen),
			 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_eq(result, &seen);
	ck_assert_uint_eq(wrapped, sanitized);
	ck_assert_int_eq(pthread_create(&thread, NULL, read_signals, &seen), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_uint_eq(wrapped, 1 + sanitized);
}

TEST(thread, a_thread_knows_that_it_is_the_librarys)
{
	/* the tool's function runs before any of ours */
	bool sanitized = dlsym(RTLD_DEFAULT, "__sanitizer_set_death_callback");
	struct seen seen;
	pthread_t thread;

	ck_assert_int_eq(thread_create(&thread, "test", read_signals, &seen),
			 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert(seen.is_own);
	ck_assert_int_eq(measured.is_own, sanitized);
	ck_assert(!thread_is_own());
	ck_assert_int_eq(pthread_create(&thread, NULL, read_signals, &seen), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert(!seen.is_own);
}

TEST(thread, gets_no_signals)
{
	struct seen seen;
	pthread_t thread;
	sigset_t before, after;

	pthread_sigmask(SIG_SETMASK, NULL, &before);
	ck_assert_int_eq(thread_create(&thread, "test", read_signals, &seen),
			 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (int signal = 1; signal <= SIGRTMAX; signal++) {
		ck_assert_int_eq(sigismember(&before, signal),
				 sigismember(&after, signal));
		/* but those that the C library needs itself */
		if (signal != SIGKILL && signal != SIGSTOP &&
		    (signal < 32 || signal >= SIGRTMIN))
			ck_assert(sigismember(&seen.blocked, signal));
	}
}
