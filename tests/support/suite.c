/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * No test takes that long on any machine; libcheck's four seconds are passed on
 * a busy one. It is read when a test case is created.
 */
#define TIMEOUT_S "1200"

#ifdef __SANITIZE_ADDRESS__

/*
 * Open without a wrapper. What runs in fork() may not wait for the locks that
 * umockdev's preload takes in its own handler: these call the kernel and no
 * wrapper.
 */
static int
raw_open(const char *path, int flags)
{
	return (int)syscall(SYS_openat, AT_FDCWD, path,
			    O_RDONLY | O_CLOEXEC | flags);
}

/* Return whether a thread of this process sleeps in a call of the kernel. */
static bool
thread_sleeps(int id)
{
	char path[40], line[256] = "";
	const char *end;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", id);
	fd = raw_open(path, 0);
	if (fd < 0)
		return true; /* it has ended */
	if (syscall(SYS_read, fd, line, sizeof(line) - 1) < 0)
		line[0] = '\0';
	syscall(SYS_close, fd);
	end = strrchr(line, ')');
	return !end || strchr("SZX", end[2]);
}

static bool
others_sleep(void)
{
	const struct dirent64 *entry;
	int fd = raw_open("/proc/self/task", O_DIRECTORY);
	_Alignas(struct dirent64) char entries[4096];
	long size = syscall(SYS_getdents64, fd, entries, sizeof(entries));
	bool asleep = true;

	for (long at = 0; asleep && at < size; at += entry->d_reclen) {
		int id;

		entry = (const void *)(entries + at);
		id = atoi(entry->d_name); /* 0: one of the dots */
		asleep = !id || id == gettid() || thread_sleeps(id);
	}
	syscall(SYS_close, fd);
	return asleep;
}

/*
 * Wait until no other thread runs. AddressSanitizer's allocator takes locks
 * that stay locked in the child for ever if another thread has them at fork(),
 * as one that begins does.
 */
static void
await_allocator(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < 100 && !others_sleep(); i++)
		nanosleep(&pause, NULL);
}

#endif

__attribute__((constructor)) static void
set_environment(void)
{
#ifdef __SANITIZE_ADDRESS__
	pthread_atfork(await_allocator, NULL, NULL);
#endif
	setenv("CK_DEFAULT_TIMEOUT", TIMEOUT_S, 0);
	/* what was found out about a GPU of this machine is no matter here */
	setenv("DRMPERF_STATE", "/nonexistent", 1);
}

int
suites_run(SRunner *runner)
{
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

TCase *
suite_add_case(Suite *suite, const char *name, SFun set_up, SFun tear_down)
{
	TCase *tcase = tcase_create(name);

	if (set_up || tear_down)
		tcase_add_checked_fixture(tcase, set_up, tear_down);
	suite_add_tcase(suite, tcase);
	return tcase;
}

TCase *
runner_add_case(SRunner *runner, const char *name, SFun set_up, SFun tear_down)
{
	Suite *suite = suite_create(name);

	srunner_add_suite(runner, suite);
	return suite_add_case(suite, name, set_up, tear_down);
}

Suite *
suite_create_one(const char *name, const TTest *test)
{
	Suite *suite = suite_create(name);

	tcase_add_test(suite_add_case(suite, name, NULL, NULL), test);
	return suite;
}

int
suite_run(Suite *suite)
{
	return suites_run(srunner_create(suite));
}

int
suite_run_in_processes(Suite *suite)
{
	SRunner *runner = srunner_create(suite);

	srunner_set_fork_status(runner, CK_FORK);
	return suites_run(runner);
}

void
child_begin(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char path[32], target[128];

	for (int fd = 3; null >= 0 && fd < 256; fd++) {
		ssize_t length;

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		length = readlink(path, target, sizeof(target) - 1);
		if (length <= 0)
			continue;
		target[length] = '\0';
		if (strstr(target, "/check_"))
			dup3(null, fd, O_CLOEXEC);
	}
	close(null);
}

bool
child_drop_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	const struct __user_cap_data_struct none[2] = { { .effective = 0 } };

	return !syscall(SYS_capset, &header, none);
}

void
child_end(int status)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", status);
	execlp("sh", "sh", "-c", "exit $0", number, NULL);
	_exit(status);
}
