/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors at a door: those who wait get them, and nobody waits in vain for
 * longer than said.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#include "driver/share/door.h"
#include "tests/suite.h"

struct visit {
	const char *name;
	size_t count;
	int gifts[DOOR_GIFTS_MAX];
	int ret;
};

static void *
fetch(void *data)
{
	struct visit *visit = data;

	visit->ret = door_fetch(visit->name, visit->gifts, visit->count, 60000);
	return NULL;
}

/* Serve one who has come. */
static void
visit(int door, const int *gifts, size_t count, struct visit *visit)
{
	struct pollfd knock = { .fd = door, .events = POLLIN };
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, fetch, visit), 0);
	ck_assert_int_eq(poll(&knock, 1, -1), 1);
	door_serve(door, gifts, count);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

START_TEST(given)
{
	char name[DOOR_NAME_SIZE], byte = 0;
	int door = door_open(name), line[2];
	struct visit one = { .name = name, .count = 2 };

	ck_assert_int_ge(door, 0);
	ck_assert_int_eq(pipe2(line, O_CLOEXEC), 0);
	visit(door, line, 2, &one);
	ck_assert_int_eq(one.ret, 0);
	ck_assert_int_eq(write(one.gifts[1], "x", 1), 1);
	ck_assert_int_eq(read(line[0], &byte, 1), 1);
	ck_assert_int_eq(byte, 'x');
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(fcntl(one.gifts[i], F_GETFD), FD_CLOEXEC);
		close(one.gifts[i]);
		close(line[i]);
	}
	close(door);
}
END_TEST

/* Something else than was expected; none of it stays open. */
START_TEST(other_number)
{
	char name[DOOR_NAME_SIZE];
	int door = door_open(name), line[2], next;
	struct visit one = { .name = name, .count = _i ? 1 : 3 };

	ck_assert_int_ge(door, 0);
	ck_assert_int_eq(pipe2(line, O_CLOEXEC), 0);
	visit(door, line, 2, &one);
	ck_assert_int_ne(one.ret, 0);
	close(door);
	next = dup(line[0]);
	ck_assert_int_eq(next, door);
	close(next);
	close(line[0]);
	close(line[1]);
}
END_TEST

START_TEST(nobody)
{
	char name[DOOR_NAME_SIZE];
	int door = door_open(name), gifts[1];

	ck_assert_int_ge(door, 0);
	door_serve(door, gifts, 1);
	ck_assert_int_eq(door_fetch(name, gifts, 1, 1), -ETIMEDOUT);
	/* who has gone meanwhile is in nobody's way */
	door_serve(door, &door, 1);
	close(door);
	ck_assert_int_eq(door_fetch(name, gifts, 1, 60000), -EAGAIN);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("share_door");
	TCase *tcase = tcase_create("door");

	tcase_add_test(tcase, given);
	tcase_add_loop_test(tcase, other_number, 0, 2);
	tcase_add_test(tcase, nobody);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
