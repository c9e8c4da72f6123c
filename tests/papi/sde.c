/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of GPUs by way of PAPI's component sde, on a libpapi of anybody's.
 *
 * usage: sde NAME=RATE..., as named by DRMPERF_SDE_EVENTS, which also has
 * amdgpu::metric.L2CacheHit, amdgpu::TCC.HIT, amdgpu::sensor.gpu-temp
 */
#include "tests/papi/harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"

#define LAST 8
#define HIT_RATE "sde:::amdgpu::metric.L2CacheHit"
#define HITS "sde:::amdgpu::TCC.HIT"
#define TEMPERATURE "sde:::amdgpu::sensor.gpu-temp"

static void
begin_papi(void)
{
	must_be(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
}

static int
make_named(const char *name)
{
	int set = PAPI_NULL;

	must(PAPI_create_eventset(&set));
	must(PAPI_add_named_event(set, name));
	return set;
}

static void
counts_exactly(void)
{
	long long values[LAST + 1];
	int set;

	begin_papi();
	set = make_set(0, LAST);
	for (int i = 0; i < 2; i++) {
		do_work(5);
		must(PAPI_start(set));
		do_work(3);
		must(PAPI_read(set, values));
		check_values(values, 0, LAST, 3);
		do_work(2);
		must(PAPI_stop(set, values));
		check_values(values, 0, LAST, 5);
	}
}

/*
 * Check that however fast reads follow each other, none is served from the one
 * before.
 */
static void
reads_anew(void)
{
	long long values[LAST + 1], sums[LAST + 1] = { 0 };
	int set;

	begin_papi();
	set = make_set(0, LAST);
	must(PAPI_start(set));
	for (int i = 1; i <= 20; i++) {
		do_work(1);
		must(PAPI_read(set, values));
		check_values(values, 0, LAST, i);
	}
	must(PAPI_reset(set));
	for (int i = 1; i <= 20; i++) {
		do_work(1);
		must(PAPI_accum(set, sums));
		check_values(sums, 0, LAST, i);
	}
	must(PAPI_stop(set, values));
	check_values(values, 0, LAST, 0);
}

/*
 * Check that a set begins where it is started, not where another one has ended.
 */
static void
sets_take_turns(void)
{
	long long value;
	int sets[2];

	begin_papi();
	sets[0] = make_set(0, 0);
	sets[1] = make_set(1, 1);
	for (int i = 0; i < 6; i++) {
		int at = i % 2;

		must(PAPI_start(sets[at]));
		do_work(1);
		must(PAPI_stop(sets[at], &value));
		check_values(&value, at, at, 1);
		do_work(1);
	}
}

static void
has_averages(void)
{
	long long values[3], rate;
	int set, alone;

	begin_papi();
	set = make_named(HITS);
	must(PAPI_add_named_event(set, HIT_RATE));
	must(PAPI_add_named_event(set, TEMPERATURE));
	must(PAPI_start(set));
	do_work(2);
	must(PAPI_read(set, values));
	must_equal(values[0], 2 * 3 * 16);
	must_equal(values[1], 75000);
	must_equal(values[2], 45000);
	must(PAPI_stop(set, values));

	/* since the last start nothing was hit or missed: it has no value */
	alone = make_named(HIT_RATE);
	must(PAPI_start(alone));
	must(PAPI_read(alone, &rate));
	must_hold(rate == LLONG_MIN);
	do_work(1);
	must(PAPI_stop(alone, &rate));
	must_equal(rate, 75000);
}

/* Check that what has no value takes none from the others. */
static void
averages_spoil_nothing(void)
{
	long long value;
	int set;

	begin_papi();
	set = make_named(HITS);
	must(PAPI_start(set));
	must(PAPI_stop(set, &value));
	must_equal(value, 0);
}

/* ------------------------------------------------------------------ */
/* Threads                                                              */

struct threads {
	pthread_barrier_t barrier;
	int set; /* that the other thread reads, or PAPI_NULL */
	long long values[LAST + 1];
};

/* Counts while another thread does, from later on and not so long. */
static void *
count_meanwhile(void *data)
{
	struct threads *threads = data;
	int set = make_set(0, LAST);

	must(PAPI_start(set));
	pthread_barrier_wait(&threads->barrier);
	/* two units of work */
	pthread_barrier_wait(&threads->barrier);
	must(PAPI_stop(set, threads->values));
	must(PAPI_unregister_thread());
	return NULL;
}

static void
threads_have_their_own(void)
{
	struct threads threads;
	long long values[LAST + 1];
	pthread_t thread;
	int set;

	begin_papi();
	must(PAPI_thread_init((unsigned long (*)(void))pthread_self));
	must_hold(!pthread_barrier_init(&threads.barrier, NULL, 2));
	set = make_set(0, LAST);
	must(PAPI_start(set));
	do_work(1);
	must_hold(!pthread_create(&thread, NULL, count_meanwhile, &threads));
	pthread_barrier_wait(&threads.barrier);
	do_work(2);
	pthread_barrier_wait(&threads.barrier);
	must_hold(!pthread_join(thread, NULL));
	do_work(4);
	must(PAPI_stop(set, values));
	check_values(threads.values, 0, LAST, 2);
	check_values(values, 0, LAST, 7);
}

static void *
read_set(void *data)
{
	struct threads *threads = data;

	must(PAPI_read(threads->set, threads->values));
	return NULL;
}

/* Read in another thread. PAPI does not know of threads: all are one to it. */
static void
another_thread_reads(void)
{
	struct threads threads;
	pthread_t thread;

	begin_papi();
	threads.set = make_set(0, LAST);
	must(PAPI_start(threads.set));
	do_work(3);
	must_hold(!pthread_create(&thread, NULL, read_set, &threads));
	must_hold(!pthread_join(thread, NULL));
	check_values(threads.values, 0, LAST, 3);
}

/* ------------------------------------------------------------------ */
/* Processes                                                            */

static void
count_in_child(int set)
{
	long long values[LAST + 1];

	must_be(PAPI_read(set, values), PAPI_ENOTRUN);
	must(PAPI_reset(set));
	do_work(2);
	must(PAPI_read(set, values));
	check_values(values, 0, LAST, 2);
	exit(0);
}

static void
child_begins_anew(void)
{
	long long values[LAST + 1];
	int set, status = -1;
	pid_t pid;

	begin_papi();
	set = make_set(0, LAST);
	must(PAPI_start(set));
	do_work(1);
	fflush(stdout);
	pid = fork();
	if (!pid)
		count_in_child(set);
	must_hold(pid > 0 && waitpid(pid, &status, 0) == pid);
	must_equal(status, 0);
	do_work(3);
	must(PAPI_stop(set, values));
	check_values(values, 0, LAST, 1 + 2 + 3);
}

/* Return how often this process has the GPU open. */
static int
open_nodes(void)
{
	int directory = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
	DIR *files = fdopendir(directory);
	struct dirent *entry;
	char path[4096];
	int count = 0;

	must_hold(files);
	while ((entry = readdir(files))) {
		ssize_t length = readlinkat(directory, entry->d_name, path,
					    sizeof(path) - 1);

		path[length > 0 ? length : 0] = '\0';
		count += strstr(path, "/dri/renderD") != NULL;
	}
	closedir(files);
	return count;
}

/* Begin after a shutdown, which has let go of the GPU. */
static void
begins_after_shutdown(void)
{
	long long values[LAST + 1];

	for (int i = 0; i < 2; i++) {
		int set;

		begin_papi();
		set = make_set(0, LAST);
		must_hold(open_nodes() > 0);
		must(PAPI_start(set));
		do_work(1);
		must(PAPI_read(set, values));
		check_values(values, 0, LAST, 1);
		PAPI_shutdown();
		must_equal(open_nodes(), 0);
	}
}

/* Check that what counts and what stands alone are lost, and begin again. */
static void
counts_after_a_reset_of_the_gpu(void)
{
	long long values[2];
	int set;

	begin_papi();
	set = make_named(HITS);
	must(PAPI_add_named_event(set, HIT_RATE));
	must(PAPI_start(set));
	do_work(1);
	must_hold(!drmsim_reset_gpu(0));
	must(PAPI_read(set, values));
	must_hold(values[0] == LLONG_MIN && values[1] == LLONG_MIN);
	must(PAPI_stop(set, values));
	must_hold(values[0] == LLONG_MIN && values[1] == LLONG_MIN);
	must(PAPI_start(set));
	do_work(2);
	must(PAPI_stop(set, values));
	must_equal(values[0], 2 * 3 * 16);
	must_equal(values[1], 75000);
}

/* ------------------------------------------------------------------ */
/* What there is not                                                    */

static void
does_not_overflow(void)
{
	int set, code;

	begin_papi();
	set = make_set(0, 0);
	must(PAPI_event_name_to_code(counted[0].name, &code));
	must_be(PAPI_overflow(set, code, 1000, 0,
			      (PAPI_overflow_handler_t)begin_papi),
		PAPI_ENOSUPP);
}

static void
knows_other_spellings(void)
{
	long long value;
	int set, code;

	begin_papi();
	set = make_named("sde:::amdgpu::SQ_WAVES:device=0");
	must(PAPI_start(set));
	do_work(1);
	must(PAPI_stop(set, &value));
	must_equal(value, 4);
	must_be(PAPI_event_name_to_code("sde:::amdgpu::SQ.BUSY_CYCLES", &code),
		PAPI_ENOEVNT);
}

static const struct test tests[] = {
	{ "counts exactly", counts_exactly },
	{ "reads anew", reads_anew },
	{ "sets take turns", sets_take_turns },
	{ "averages begin anew", has_averages },
	{ "averages spoil nothing", averages_spoil_nothing },
	{ "threads have zeros of their own", threads_have_their_own },
	{ "another thread reads", another_thread_reads },
	{ "a forked child begins anew", child_begins_anew },
	{ "begins anew after PAPI_shutdown", begins_after_shutdown },
	{ "counts after a reset of the GPU", counts_after_a_reset_of_the_gpu },
	{ "overflow is refused", does_not_overflow },
	{ "other spellings", knows_other_spellings },
};

int
main(int argc, char **argv)
{
	return harness_main(argc, argv, tests,
			    sizeof(tests) / sizeof(tests[0]));
}
