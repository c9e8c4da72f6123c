/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls on what is not simulated, made to fail. Runs itself below drmsim.
 */
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#include <dirent.h>
#include <errno.h>
#include <expat.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>

static int plain; /* a file that is not simulated */
static DIR *folder; /* and one of those */

static void
set_up(void)
{
	plain = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	folder = opendir("/proc/self");
	ck_assert_int_ge(plain, 0);
	ck_assert_ptr_nonnull(folder);
}

static void
tear_down(void)
{
	ck_assert_int_eq(drmsim_command("mend", NULL, 0), 0);
	closedir(folder);
	close(plain);
}

TEST_CASE(faults, set_up, tear_down, "drmsim_faults");

/* ------------------------------------------------------------------ */
/* Each call                                                            */

static int
result_of(int fd)
{
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int
result_of_memory(void *memory)
{
	int error = memory ? 0 : errno;

	free(memory);
	return error;
}

static int
call_open(void)
{
	return result_of(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
}

static int
call_openat(void)
{
	return result_of(openat(dirfd(folder), "exe", O_RDONLY | O_CLOEXEC));
}

static int
call_fopen(void)
{
	FILE *file = fopen("/proc/self/exe", "re");

	return file ? fclose(file) : errno;
}

static int
call_opendir(void)
{
	DIR *opened = opendir("/proc/self");

	return opened ? closedir(opened) : errno;
}

static int
call_read(void)
{
	char byte;

	return read(plain, &byte, 1) == 1 ? 0 : errno;
}

static int
call_pread(void)
{
	char byte;

	return pread(plain, &byte, 1, 0) == 1 ? 0 : errno;
}

static int
call_stat(void)
{
	struct stat status;

	return stat("/proc/self/exe", &status) ? errno : 0;
}

static int
call_fstat(void)
{
	struct stat status;

	return fstat(plain, &status) ? errno : 0;
}

static int
call_getdents64(void)
{
	char entries[4096];

	return getdents64(dirfd(folder), entries, sizeof(entries)) < 0 ? errno
								       : 0;
}

static int
call_readdir(void)
{
	rewinddir(folder);
	errno = 0;
	return readdir(folder) ? 0 : errno;
}

static int
call_flock(void)
{
	return flock(plain, LOCK_SH) ? errno : 0;
}

static int
call_dup(void)
{
	return result_of(dup(plain));
}

static int
call_dup3(void)
{
	int fd = dup3(plain, 400, O_CLOEXEC);

	return result_of(fd);
}

static int
call_dup_by_fcntl(void)
{
	return result_of(fcntl(plain, F_DUPFD_CLOEXEC, 0));
}

static int
call_eventfd(void)
{
	return result_of(eventfd(0, EFD_CLOEXEC));
}

static void *
end_at_once(void *data)
{
	return data;
}

static int
call_pthread_create(void)
{
	pthread_t thread;
	int before = errno = EDOM;
	int error = pthread_create(&thread, NULL, end_at_once, NULL);

	/* it returns its error, and keeps errno */
	if (error && errno != before)
		return EDOM;
	return error ? error : pthread_join(thread, NULL);
}

static int
call_malloc(void)
{
	return result_of_memory(malloc(100));
}

static int
call_calloc(void)
{
	return result_of_memory(calloc(10, 10));
}

static int
call_realloc(void)
{
	return result_of_memory(realloc(NULL, 100));
}

static int
call_aligned_alloc(void)
{
	return result_of_memory(aligned_alloc(64, 128));
}

static int
call_memalign(void)
{
	return result_of_memory(memalign(64, 128));
}

static int
call_posix_memalign(void)
{
	void *memory = NULL;
	int before = errno = EDOM;
	int error = posix_memalign(&memory, 64, 128);

	free(memory);
	return errno == before ? error : EDOM;
}

static int
call_asprintf(void)
{
	char *text = NULL;

	if (asprintf(&text, "%d", 1) < 0)
		return ENOMEM;
	free(text);
	return 0;
}

static int
call_expat(void)
{
	XML_Parser parser = XML_ParserCreate(NULL);

	XML_ParserFree(parser);
	return parser ? 0 : ENOMEM;
}

static int
call_libdrm(void)
{
	drmDevicePtr device = NULL;
	int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	int error;

	if (fd < 0)
		return errno;
	error = -drmGetDevice2(fd, 0, &device);
	drmFreeDevice(&device);
	close(fd);
	return error;
}

static const struct call {
	const char *kind, *error;
	int (*call)(void); /* 0 or an errno */
	int code;
	bool is_one; /* such call, exactly */
} calls[] = {
	{ "file_open", "ENFILE", call_open, ENFILE, true },
	{ "file_open", "EACCES", call_openat, EACCES, true },
	{ "file_open", "EIO", call_fopen, EIO, true },
	{ "file_open", "EMFILE", call_opendir, EMFILE, true },
	{ "file_read", "EIO", call_read, EIO, true },
	{ "file_read", "EINTR", call_pread, EINTR, true },
	{ "stat", "ENOMEM", call_stat, ENOMEM, true },
	{ "fstat", "EOVERFLOW", call_fstat, EOVERFLOW, true },
	{ "getdents", "ENOENT", call_getdents64, ENOENT, true },
	{ "getdents", "EIO", call_readdir, EIO, true },
	{ "flock", "ENOLCK", call_flock, ENOLCK, true },
	{ "dup", "EMFILE", call_dup, EMFILE, true },
	{ "dup", "EBUSY", call_dup3, EBUSY, true },
	{ "dup", "EMFILE", call_dup_by_fcntl, EMFILE, true },
	{ "eventfd", "ENFILE", call_eventfd, ENFILE, true },
	{ "thread", "EAGAIN", call_pthread_create, EAGAIN, true },
	{ "malloc", "ENOMEM", call_malloc, ENOMEM, true },
	{ "malloc", "ENOMEM", call_calloc, ENOMEM, true },
	{ "malloc", "ENOMEM", call_realloc, ENOMEM, true },
	{ "malloc", "ENOMEM", call_aligned_alloc, ENOMEM, true },
	{ "malloc", "ENOMEM", call_memalign, ENOMEM, true },
	{ "malloc", "ENOMEM", call_posix_memalign, ENOMEM, true },
	/* inside of libraries */
	{ "malloc", "ENOMEM", call_asprintf, ENOMEM, false },
	{ "malloc", "ENOMEM", call_expat, ENOMEM, false },
	{ "malloc", "ENOMEM", call_libdrm, ENOMEM, false },
};

/* Return whether calls are watched: valgrind allocates by itself. */
static bool
is_watched(const char *kind, const char *what)
{
	if (strcmp(kind, "malloc") != 0 || !getenv("VALGRIND"))
		return false;
	printf("skip %s: valgrind does not let it come to drmsim\n", what);
	return true;
}

/*
 * Want the n-th call from now on to fail; "+": all from there. 0 or an errno.
 */
static int
want_fault(const char *kind, unsigned n, const char *more, const char *error)
{
	char spec[64];

	snprintf(spec, sizeof(spec), "%s:%u%s:%s", kind, n, more, error);
	return -drmsim_fault(spec);
}

#define CALLS 5

/*
 * Expect what these calls return, between which nothing stands: libcheck
 * allocates, too.
 */
static void
expect_results(int n, const bool fail[CALLS], const int results[CALLS])
{
	for (int i = 0; i < CALLS; i++)
		ck_assert_msg(results[i] == (fail[i] ? calls[n].code : 0),
			      "call %d: %d", i, results[i]);
}

TEST_LOOP(faults, the_nth_call_fails, ARRAY_SIZE(calls))
{
	const struct call *c = &calls[_i];
	const char *kind = c->kind, *error = c->error;
	int results[CALLS], wanted;

	if (is_watched(kind, "the_nth_call_fails"))
		return;
	wanted = want_fault(kind, 1, "", error);
	for (int i = 0; i < CALLS; i++)
		results[i] = c->call();
	ck_assert_int_eq(wanted, 0);
	expect_results(_i, (const bool[CALLS]){ true }, results);
	if (!c->is_one)
		return;
	wanted =
		want_fault(kind, 2, "", error) | want_fault(kind, 4, "", error);
	for (int i = 0; i < CALLS; i++)
		results[i] = c->call();
	ck_assert_int_eq(wanted, 0);
	expect_results(_i, (const bool[CALLS]){ [1] = true, [3] = true },
		       results);
}

TEST_LOOP(faults, all_fail_until_it_is_mended, ARRAY_SIZE(calls))
{
	const struct call *c = &calls[_i];
	const char *kind = c->kind;
	int results[CALLS], wanted, mended;

	if (is_watched(kind, "all_fail_until_it_is_mended"))
		return;
	wanted = want_fault(kind, 1, "+", c->error);
	for (int i = 0; i < 3; i++)
		results[i] = c->call();
	mended = drmsim_command("mend", NULL, 0);
	for (int i = 3; i < CALLS; i++)
		results[i] = c->call();
	ck_assert_int_eq(wanted, 0);
	ck_assert_int_eq(mended, 0);
	expect_results(_i, (const bool[CALLS]){ true, true, true }, results);
}

TEST_LOOP(faults, calls_are_counted, ARRAY_SIZE(calls))
{
	const struct call *c = &calls[_i];
	const char *kind = c->kind;
	uint64_t before;

	if (!c->is_one || is_watched(kind, "calls_are_counted"))
		return;
	ck_assert_int_eq(want_fault(kind, 1000000, "", c->error), 0);
	before = scene_calls(kind);
	ck_assert_int_eq(c->call(), 0);
	ck_assert_int_eq(c->call(), 0);
	ck_assert_uint_ge(scene_calls(kind), before + 2);
}

/* ------------------------------------------------------------------ */
/* Callers                                                              */

#define THREADS 8
#define ROUNDS 500
#define STRIKES 16

static atomic_uint struck;

static void *
call_often(void *data)
{
	for (int i = 0; i < ROUNDS; i++)
		if (call_flock() == EIO)
			atomic_fetch_add(&struck, 1);
	return data;
}

/* However they are mixed, each fault strikes one call. */
TEST(faults, of_many_threads)
{
	pthread_t threads[THREADS];
	uint64_t before = scene_calls("flock");

	atomic_store(&struck, 0);
	for (unsigned i = 1; i <= STRIKES; i++)
		ck_assert_int_eq(want_fault("flock",
					    i * THREADS * ROUNDS / STRIKES, "",
					    "EIO"),
				 0);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, call_often, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	ck_assert_uint_eq(atomic_load(&struck), STRIKES);
	ck_assert_uint_eq(scene_calls("flock") - before, THREADS * ROUNDS);
}

/* All processes below a simulator are counted as one. */
TEST(faults, of_a_child)
{
	int status;
	pid_t child;

	ck_assert_int_eq(want_fault("flock", 2, "", "EIO"), 0);
	ck_assert_int_eq(call_flock(), 0);
	child = fork();
	if (child == 0)
		_exit(call_flock() == EIO ? EXIT_SUCCESS : EXIT_FAILURE);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(call_flock(), 0);
}

/* ------------------------------------------------------------------ */
/* What cannot happen                                                   */

static const char *const refused[] = {
	"malloc:1:EIO",	   "malloc:1:ENOMEM:gpu=0", "thread:1:ENOENT",
	"malloc:0:ENOMEM", "flock:1:EIO:gpu=0",	    "flock:1",
};

TEST_LOOP(faults, a_wrong_fault_is_refused, ARRAY_SIZE(refused))
{
	ck_assert_int_eq(drmsim_fault(refused[_i]), -EINVAL);
	ck_assert_int_eq(call_malloc(), 0);
	ck_assert_int_eq(call_flock(), 0);
}

TEST_MACHINE("drmsim_faults", "--gpu", "vega10");
