/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
	/* a limit of time is the runner's; it is read by tcase_create() */
	setenv("CK_DEFAULT_TIMEOUT", "0", 0);
	/* what was found out about a GPU of this machine is no matter here */
	setenv("DRMPERF_STATE", "/nonexistent", 1);
}

static struct test_case *cases, **cases_end = &cases;

void
test_case_add(struct test_case *tcase)
{
	tcase->end = &tcase->first;
	*cases_end = tcase;
	cases_end = &tcase->next;
}

void
test_add(struct test_case *tcase, struct test *test, int count)
{
	test->count = count;
	*tcase->end = test;
	tcase->end = &test->next;
}

static TCase *
create_case(const struct test_case *made)
{
	TCase *tcase = tcase_create(made->name);

	if (made->set_up || made->tear_down)
		tcase_add_checked_fixture(tcase, made->set_up, made->tear_down);
	for (const struct test *test = made->first; test; test = test->next)
		tcase_add_loop_test(tcase, test->test, 0, test->count);
	return tcase;
}

static bool
is_of_suite(const struct test_case *tcase, const char *suite)
{
	for (const char *const *name = tcase->suites; *name; name++)
		if (!strcmp(*name, suite))
			return true;
	return false;
}

/* Add a suite, with its cases from first on, unless one before has added it. */
static void
add_suite(SRunner *runner, const struct test_case *first, const char *name)
{
	Suite *suite;

	for (const struct test_case *i = cases; i != first; i = i->next)
		if (is_of_suite(i, name))
			return;
	suite = suite_create(name);
	for (; first; first = first->next)
		if (is_of_suite(first, name))
			suite_add_tcase(suite, create_case(first));
	srunner_add_suite(runner, suite);
}

unsigned
test_step(unsigned step)
{
	if (getenv("CHECK_ALL"))
		return 1;
	return getenv("VALGRIND") ? 16 * step : step;
}

struct test_options test_options;

int
tests_run(void)
{
	SRunner *runner = srunner_create(NULL);
	int failed;

	if (test_options.begin)
		test_options.begin();
	for (const struct test_case *i = cases; i; i = i->next)
		for (const char *const *name = i->suites; *name; name++)
			add_suite(runner, i, *name);
	srunner_set_fork_status(
		runner, test_options.in_processes ? CK_FORK : CK_FORK_GETENV);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
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
child_fork(struct child *child)
{
	int ends[2];

	ck_assert_int_eq(
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	child->pid = fork();
	ck_assert_int_ge(child->pid, 0);
	child->line = ends[!child->pid];
	close(ends[child->pid > 0]);
	if (!child->pid)
		child_begin();
	return !child->pid;
}

/* A child has no way but its status to say what is wrong. */
static void
child_expect(const struct child *child, bool good)
{
	if (!good && !child->pid)
		_exit(EXIT_FAILURE);
	ck_assert_msg(good, "the line to child %d has ended", (int)child->pid);
}

void
child_tell(const struct child *child)
{
	child_expect(child, write(child->line, "", 1) == 1);
}

bool
child_hears(const struct child *child)
{
	char byte;

	return read(child->line, &byte, 1) == 1;
}

void
child_await(const struct child *child)
{
	child_expect(child, child_hears(child));
}

void
child_hold(const struct child *child)
{
	child_tell(child);
	for (;;)
		pause();
}

pid_t
child_await_hold(struct child *child)
{
	child_await(child);
	close(child->line);
	return child->pid;
}

void
child_finish(struct child *child)
{
	/* younger children have copies of the line */
	shutdown(child->line, SHUT_WR);
	child_join(child->pid);
	close(child->line);
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
child_join(pid_t child)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(!status, "the child ended with %#x", (unsigned)status);
}

void
child_kill(pid_t child)
{
	int status;

	ck_assert_int_eq(kill(child, SIGKILL), 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(WIFSIGNALED(status), "the child ended with %#x",
		      (unsigned)status);
}

void
child_end(int status)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", status);
	execlp("sh", "sh", "-c", "exit $0", number, NULL);
	_exit(status);
}
