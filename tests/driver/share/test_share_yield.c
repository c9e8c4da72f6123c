/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters that are offered, and asked for, by locks on a node. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "driver/share/yield.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static char node[] = "/tmp/yield-XXXXXX";

TEST_CASE(locks, NULL, NULL, "share_yield");

TEST(locks, without_an_offer_nothing_is_asked)
{
	int offer;

	ck_assert_int_eq(yield_ask(node), -ENOENT);
	offer = yield_offer(node);
	ck_assert_int_ge(offer, 0);
	ck_assert(!yield_is_asked(offer));
	close(offer);
	ck_assert_int_eq(yield_ask(node), -ENOENT);
	ck_assert_int_eq(yield_ask("/nothing/here"), -ENOENT);
	ck_assert_int_eq(yield_offer("/nothing/here"), -ENOENT);
}

/* All that offer are asked, as long as any process asks. */
TEST(locks, several_offer_and_ask)
{
	int one = yield_offer(node), other = yield_offer(node);
	int ask = yield_ask(node), second = yield_ask(node);

	ck_assert_int_ge(ask, 0);
	ck_assert_int_ge(second, 0);
	ck_assert(yield_is_asked(one));
	ck_assert(yield_is_asked(other));
	close(ask);
	ck_assert(yield_is_asked(one));
	close(second);
	ck_assert(!yield_is_asked(one));
	ck_assert(!yield_is_asked(other));
	close(one);
	close(other);
}

TEST(locks, a_process_that_is_killed_asks_no_more)
{
	int offer = yield_offer(node);
	struct child child;
	pid_t pid;

	if (child_fork(&child)) {
		if (yield_ask(node) < 0)
			child_end(1);
		child_hold(&child);
	}
	pid = child_await_hold(&child);
	ck_assert(yield_is_asked(offer));
	child_kill(pid);
	ck_assert(!yield_is_asked(offer));
	close(offer);
}

int
main(void)
{
	int fd = mkstemp(node), rc;

	if (fd < 0)
		return EXIT_FAILURE;
	close(fd);
	rc = tests_run();
	unlink(node);
	return rc;
}
