/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's software overflow on events of GPUs. Time is the processor's, of which
 * each thread gets its share however busy the machine is.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/bench/row.h"
#include "tests/papi/harness.h"

#define MAX_VALUES 32
#define THRESHOLD 1000
/* PAPI's timer has 100 of them in a second of the processor. */
#define PATIENCE_MS 20000
#define TICKS(n) ((n) / 100.0)

/* What handlers saw, of the thread that they interrupt. */
struct seen {
	int set;
	unsigned samples;
	long long vector; /* all of them */
	unsigned strange; /* samples of something else, or from nowhere */
};

static __thread volatile struct seen seen
	__attribute__((tls_model("initial-exec")));

static void
take_sample(int set, void *address, long long vector, void *context)
{
	const ucontext_t *interrupted = context;

	seen.samples++;
	seen.vector |= vector;
	seen.strange += set != seen.set || !vector;
#if defined(__x86_64__)
	seen.strange += address !=
			(void *)interrupted->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	seen.strange += address != (void *)interrupted->uc_mcontext.pc;
#else
	seen.strange += !address || !interrupted;
#endif
}

static int
code_of(int event)
{
	int code;

	must(PAPI_event_name_to_code(counted[event].name, &code));
	return code;
}

/* Create an EventSet of the first events, of which one has the threshold. */
static int
make_overflowing(int last, int event)
{
	int set = make_set(0, last);

	must(PAPI_overflow(set, code_of(event), THRESHOLD, 0, take_sample));
	seen = (struct seen){ .set = set };
	return set;
}

/* Use the processor, and the GPU not at all. */
static void
use_processor(double ms)
{
	double until = bench_cpu_ms() + ms;

	while (bench_cpu_ms() < until)
		;
}

/* Work until there are that many samples more. */
static void
work_until_sampled(unsigned samples)
{
	unsigned wanted = seen.samples + samples;
	double until = bench_cpu_ms() + PATIENCE_MS;

	while (seen.samples < wanted) {
		do_work(THRESHOLD);
		use_processor(TICKS(1));
		must_hold(bench_cpu_ms() < until);
	}
}

/* ------------------------------------------------------------------ */

static void
thresholds_are_met_by_true_counts(void)
{
	long long values[MAX_VALUES];
	int set, index[MAX_VALUES], count = MAX_VALUES;

	init_papi();
	set = make_overflowing(3, 1);
	must(PAPI_start(set));
	work_until_sampled(10);
	must(PAPI_stop(set, values));
	must_equal(seen.strange, 0);
	must_hold(values[1] >= 10LL * THRESHOLD);
	must_equal(values[0] * counted[1].rate, values[1] * counted[0].rate);
	must(PAPI_get_overflow_event_index(set, seen.vector, index, &count));
	must_equal(count, 1);
	must_equal(index[0], 1);
}

/*
 * Check ticks at which nothing was counted. What was counted after the last
 * tick is the next one's, however late that comes; those after it find nothing.
 */
static void
no_count_no_sample(void)
{
	unsigned before;
	int set;

	init_papi();
	set = make_overflowing(1, 0);
	must(PAPI_start(set));
	work_until_sampled(2);
	before = seen.samples;
	use_processor(TICKS(20));
	must_hold(seen.samples <= before + 1);
	work_until_sampled(2);
	must(PAPI_stop(set, NULL));
	before = seen.samples;
	do_work(10 * THRESHOLD);
	use_processor(TICKS(5));
	must_equal(seen.samples, before);
}

/* Check that PAPI leaves the thresholds where the count was that has ended. */
static void
thresholds_begin_anew(void)
{
	long long values[MAX_VALUES], first;
	int set;

	init_papi();
	set = make_overflowing(1, 0);
	must(PAPI_start(set));
	do_work(1000000 * THRESHOLD / 1000);
	work_until_sampled(2);
	must(PAPI_stop(set, values));
	first = values[0];

	must(PAPI_start(set));
	work_until_sampled(2);
	must(PAPI_read(set, values));
	must_hold(values[0] < first);

	do_work(1000000 * THRESHOLD / 1000);
	work_until_sampled(2);
	must(PAPI_reset(set));
	work_until_sampled(2);
	must(PAPI_stop(set, values));
	must_hold(values[0] < first);
}

/*
 * Check that what adds up to nothing is refused. An event that is an average or
 * momentary is at the end of the command line.
 */
static void
what_adds_up_to_nothing_is_refused(void)
{
	const char *name = counted[counted_count - 1].name;
	long long values[MAX_VALUES];
	int set, code;

	if (counted[counted_count - 1].rate)
		harness_skip("no such event was given");
	init_papi();
	set = make_set(0, 0);
	must(PAPI_add_named_event(set, name));
	must(PAPI_event_name_to_code(name, &code));
	must(PAPI_overflow(set, code, 1, 0, take_sample));
	must_be(PAPI_start(set), PAPI_ENOSUPP);
	must(PAPI_overflow(set, code, 0, 0, take_sample));
	/* beside one that does it is welcome */
	must(PAPI_overflow(set, code_of(0), THRESHOLD, 0, take_sample));
	seen = (struct seen){ .set = set };
	must(PAPI_start(set));
	work_until_sampled(2);
	must(PAPI_stop(set, values));
	must_equal(seen.strange, 0);
}

static void
check_histograms(void)
{
	static unsigned short buckets[4096];
	double until = bench_cpu_ms() + PATIENCE_MS;
	unsigned sum = 0;
	int set, i;

	init_papi();
	set = make_set(0, 0);
	/* a scale of 2 puts all addresses into the first */
	must(PAPI_profil(buckets, sizeof(buckets), 0, 2, set, code_of(0),
			 THRESHOLD, PAPI_PROFIL_POSIX));
	must(PAPI_start(set));
	while (sum < 5) {
		do_work(THRESHOLD);
		use_processor(TICKS(1));
		for (sum = 0, i = 0; i < 4096; i++)
			sum += buckets[i];
		must_hold(bench_cpu_ms() < until);
	}
	must(PAPI_stop(set, NULL));
	must(PAPI_profil(buckets, sizeof(buckets), 0, 2, set, code_of(0), 0,
			 PAPI_PROFIL_POSIX));
}

/* ------------------------------------------------------------------ */
/* Beside others                                                        */

#define THREADS 3

static pthread_barrier_t barrier;

/*
 * Sample in a thread. The one with number 0 stops first, and leaves the others
 * their samples.
 */
static void *
sample_in_thread(void *data)
{
	long number = (long)data;
	int set;

	must(PAPI_register_thread());
	set = make_overflowing(1, 0);
	must(PAPI_start(set));
	work_until_sampled(2);
	pthread_barrier_wait(&barrier);
	if (number == 0)
		must(PAPI_stop(set, NULL));
	pthread_barrier_wait(&barrier);
	if (number != 0) {
		work_until_sampled(3);
		must(PAPI_stop(set, NULL));
	}
	must_equal(seen.strange, 0);
	must(PAPI_cleanup_eventset(set));
	must(PAPI_destroy_eventset(&set));
	must(PAPI_unregister_thread());
	return NULL;
}

static void
each_thread_has_its_samples(void)
{
	pthread_t threads[THREADS];
	long i;

	init_papi();
	must(PAPI_thread_init(pthread_self));
	/*
	 * Two threads that are the first to look up a name at the same time
	 * may get a code each (PAPI to 7.3), of which only one is the
	 * EventSet's.
	 */
	code_of(0);
	code_of(1);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, sample_in_thread,
				    (void *)i));
	for (i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL));
}

/*
 * Create an EventSet of CPU events whose overflow PAPI makes by its timer, too.
 */
static int
make_cpu_set(PAPI_overflow_handler_t handler)
{
	int set = PAPI_NULL, code;

	must(PAPI_create_eventset(&set));
	if (PAPI_event_name_to_code("perf::TASK-CLOCK", &code) ||
	    PAPI_add_event(set, code))
		harness_skip("PAPI counts no events of CPUs here");
	must(PAPI_overflow(set, code, 1000, PAPI_OVERFLOW_FORCE_SW, handler));
	return set;
}

static volatile unsigned cpu_samples;

static void
take_cpu_sample(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
	cpu_samples++;
}

static void
beside_cpu_events(bool cpu_first)
{
	int gpu, cpu;
	unsigned before;

	init_papi();
	cpu = make_cpu_set(take_cpu_sample);
	gpu = make_overflowing(1, 0);
	if (cpu_first)
		must(PAPI_start(cpu));
	must(PAPI_start(gpu));
	if (!cpu_first)
		must(PAPI_start(cpu));
	work_until_sampled(3);
	before = cpu_samples;
	while (cpu_samples < before + 3)
		use_processor(TICKS(1));
	must(PAPI_stop(cpu, NULL));
	work_until_sampled(3);
	must(PAPI_stop(gpu, NULL));
	must_equal(seen.strange, 0);
}

static void
beside_cpu_events_that_were_first(void)
{
	beside_cpu_events(true);
}

static void
beside_cpu_events_that_come_later(void)
{
	beside_cpu_events(false);
}

/*
 * Check that the parent's set is nothing to a child, which gets no signals
 * either.
 */
static void
a_child_is_left_alone(void)
{
	long long values[MAX_VALUES];
	int set, status;
	pid_t child;

	init_papi();
	set = make_overflowing(1, 0);
	must(PAPI_start(set));
	work_until_sampled(2);
	child = fork();
	must_hold(child >= 0);
	if (!child) {
		unsigned before = seen.samples;

		use_processor(TICKS(10));
		must_equal(seen.samples, before);
		raise(SIGPROF);
		must_equal(seen.samples, before);
		must_be(PAPI_read(set, values), PAPI_ENOTRUN);
		must_be(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
		_exit(0);
	}
	must_hold(waitpid(child, &status, 0) == child);
	must_equal(status, 0);
	work_until_sampled(2);
	must(PAPI_stop(set, values));
}

static const struct test tests[] = {
	{ "thresholds are met by true counts",
	  thresholds_are_met_by_true_counts },
	{ "where nothing is counted nothing is sampled", no_count_no_sample },
	{ "thresholds begin anew with the count", thresholds_begin_anew },
	{ "what does not add up cannot overflow",
	  what_adds_up_to_nothing_is_refused },
	{ "histograms of addresses", check_histograms },
	{ "each thread has its samples", each_thread_has_its_samples },
	{ "beside CPU events that were first",
	  beside_cpu_events_that_were_first },
	{ "beside CPU events that come later",
	  beside_cpu_events_that_come_later },
	{ "a child is left alone", a_child_is_left_alone },
};

int
main(int argc, char **argv)
{
	return harness_main(argc, argv, tests, sizeof(tests) / sizeof(*tests));
}
