/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that count by one stream of OA reports, on a simulated GPU in real
 * time. Each counts what passed since its own base line, whichever reads the
 * stream, and whichever has read it and is gone: a value must hold the time
 * between the end of the start and the beginning of the read, and no more than
 * that between the beginning of the start and the end of the read.
 *
 * A few rounds of killing, and a minute's worth with CHECK_ALL in the
 * environment.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/intel/oa/stream/snapshot.h"
#include "driver/share/fd_passing.h"
#include "drmperf.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/oa/timed.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/*
 * What is counted: a time, the clocks in it, and two in fixed ratios to those.
 */
static const struct subject {
	const char *suite;
	const char *const *names, *const *other_set;
	uint64_t ratios[2]; /* of 1000 */
	/* what ends a stream */
	struct {
		const char *setting, *value;
	} ends[2];
} subjects[] = {
	{ "i915_shared_stream",
	  I915_TEST,
	  NAMES("i915::RenderBasic.GpuTime"),
	  { 1000, 500 },
	  { { "oa-end", "1" }, { "oa-overflow", "1" } } },
	{ "xe_shared_stream",
	  XE_TEST,
	  NAMES("xe::RenderBasic.GpuTime"),
	  { 1000, 1000 },
	  { { "oa-status", "4" }, { "oa-overflow", "1" } } },
};
static const struct subject *subject;

/* Ticks of the GPU are counted as ns, rounded. */
#define ROUNDING 1000

/* ------------------------------------------------------------------ */
/* A process that counts                                                */

/* What it finds wrong is its exit status. */
enum verdict {
	FINE,
	NOT_BEGUN,
	NOT_READ,
	NOT_EXACT,
	TOO_LITTLE,
	TOO_MUCH,
	NOT_STOPPED,
	NOT_TOLD,
};

struct rank {
	struct drmperf_session *session;
	uint64_t begun, running; /* when the start was called, and had ended */
};

static int
give_up(enum verdict verdict)
{
	fprintf(stderr, "pid %d: verdict %d: %d %s\n", (int)getpid(), verdict,
		counting.error.code, counting.error.cause);
	return (int)verdict;
}

static int
rank_start(struct rank *rank)
{
	rank->begun = timed_now();
	if (drmperf_session_start(rank->session, &counting.error))
		return NOT_BEGUN;
	rank->running = timed_now();
	return FINE;
}

/* Return whether the values are related, each of which is rounded. */
static bool
are_related(const union drmperf_value values[4])
{
	for (size_t i = 0; i < 2; i++) {
		uint64_t due = values[1].u64 * subject->ratios[i] / 1000;

		if (values[2 + i].u64 > due + 1 || values[2 + i].u64 + 1 < due)
			return false;
	}
	return true;
}

static int
rank_check(const struct rank *rank)
{
	const uint64_t before = timed_now();
	union drmperf_value values[4];
	uint64_t after, least, most;

	if (drmperf_session_read(rank->session, values, NULL, NULL,
				 &counting.error))
		return NOT_READ;
	after = timed_now();
	least = before - rank->running;
	most = after - rank->begun;
	if (!are_related(values))
		return NOT_EXACT;
	if (values[0].u64 + ROUNDING < least)
		return TOO_LITTLE;
	return values[0].u64 > most + ROUNDING ? TOO_MUCH : FINE;
}

static void
rank_begin(struct rank *rank)
{
	rank->session = timed_fenced(subject->names);
	ck_assert_int_eq(rank_start(rank), FINE);
}

static void
expect_fine(const struct rank *rank)
{
	int verdict = rank_check(rank);

	ck_assert_msg(verdict == FINE, "verdict %d: %s", verdict,
		      counting.error.cause);
}

/* No machine is as slow. */
#define PATIENCE_S 120

/* Serve: check whenever this process is to go on, and stop at the end. */
static int
serve_rank(const struct child *self)
{
	struct rank rank;
	int verdict;

	counting_begin();
	rank.session = timed_fenced(subject->names);
	verdict = rank_start(&rank);
	while (!verdict) {
		child_tell(self);
		if (!child_hears(self))
			break;
		verdict = rank_check(&rank);
	}
	if (!verdict && drmperf_session_stop(rank.session, &counting.error))
		verdict = NOT_STOPPED;
	drmperf_session_destroy(rank.session);
	counting_end();
	return verdict ? give_up((enum verdict)verdict) : FINE;
}

static void
launch_child(struct child *child, int (*run)(const struct child *self))
{
	if (!child_fork(child))
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	child_end(run(child));
}

static void
start_child(struct child *child)
{
	launch_child(child, serve_rank);
	child_await(child);
}

static void
check_child(const struct child *child)
{
	child_tell(child);
	child_await(child);
}

static void
kill_child(struct child *child)
{
	child_kill(child->pid);
	close(child->line);
}

/*
 * Count alone, when no process has the stream any more: one that shares with
 * none gets it.
 */
static void
count_alone(void)
{
	struct rank rank;

	setenv("DRMPERF_SHARE", "0", 1);
	rank_begin(&rank);
	expect_fine(&rank);
	drmperf_session_destroy(rank.session);
	unsetenv("DRMPERF_SHARE");
}

/* ------------------------------------------------------------------ */
/* All count                                                            */

#define MOST 16

TEST_CASE(shared, timed_set_up, timed_tear_down, "i915_shared_stream",
	  "xe_shared_stream");

TEST(shared, sixteen_processes_count_on_one_stream)
{
	const size_t count = getenv("VALGRIND") ? 3 : MOST;
	struct child children[MOST];

	for (size_t i = 0; i < count; i++)
		start_child(&children[i]);
	for (size_t n = 0; n < 3; n++) {
		for (size_t i = 0; i < count; i++)
			child_tell(&children[i]);
		for (size_t i = 0; i < count; i++)
			child_await(&children[i]);
	}
	/* the one who reads goes first, each time */
	for (size_t i = 0; i < count; i++) {
		for (size_t k = i; k < count; k += 5)
			check_child(&children[k]);
		child_finish(&children[i]);
	}
	count_alone();
}

/*
 * The process that reads stops, or is killed: what the others count is whole.
 */
TEST_LOOP(shared, the_next_process_reads_on, 2)
{
	struct child reader, other;
	struct rank rank;

	start_child(&reader);
	rank_begin(&rank);
	start_child(&other);
	timed_sleep(20 * MS);
	expect_fine(&rank);
	if (_i)
		kill_child(&reader);
	else
		child_finish(&reader);
	timed_sleep(20 * MS);
	expect_fine(&rank);
	check_child(&other);
	/* and who comes next has a base line of its own */
	start_child(&reader);
	timed_sleep(5 * MS);
	check_child(&reader);
	child_finish(&other);
	expect_fine(&rank);
	counting_succeeded(drmperf_session_stop(rank.session, &counting.error));
	check_child(&reader);
	child_finish(&reader);
	drmperf_session_destroy(rank.session);
	count_alone();
}

/* Reads that do not wait see what others read, soon. */
TEST(shared, latest_values_come_from_the_reader)
{
	struct drmperf_session *session;
	union drmperf_value values[4];
	struct child reader;

	start_child(&reader);
	session = timed_latest(subject->names);
	counting_run(session);
	do {
		timed_sleep(MS);
		counting_read(session, values);
	} while (values[0].u64 < 20 * MS);
	ck_assert(are_related(values));
	child_finish(&reader);
	do {
		timed_sleep(MS);
		counting_read(session, values);
	} while (values[0].u64 < 40 * MS);
	ck_assert(are_related(values));
	drmperf_session_destroy(session);
	count_alone();
}

/* ------------------------------------------------------------------ */
/* What is refused                                                      */

TEST(shared, another_metric_set_is_refused)
{
	struct drmperf_session *session = timed_fenced(subject->other_set);
	struct child child;
	char text[64];

	setenv("PMIX_NAMESPACE", "a job", 1);
	setenv("OMPI_COMM_WORLD_RANK", "3", 1);
	start_child(&child);
	setenv("OMPI_COMM_WORLD_RANK", "5", 1);
	snprintf(text, sizeof(text),
		 "rank 3 of your job (pid %d) counts metric set TestOa",
		 (int)child.pid);
	counting_failed(drmperf_session_start(session, &counting.error), -EBUSY,
			text, ":device=");
	unsetenv("OMPI_COMM_WORLD_RANK");
	unsetenv("PMIX_NAMESPACE");
	check_child(&child);
	child_finish(&child);
	counting_run(session);
	drmperf_session_destroy(session);
}

/* With DRMPERF_SHARE=0 the kernel decides, as it does about strangers. */
TEST_LOOP(shared, who_does_not_share, 2)
{
	struct drmperf_session *session = timed_fenced(subject->names);
	struct child child;

	if (_i)
		setenv("DRMPERF_SHARE", "0", 1);
	start_child(&child);
	setenv("DRMPERF_SHARE", _i ? "1" : "0", 1);
	counting_failed(drmperf_session_start(session, &counting.error), -EBUSY,
			"in use", "end");
	check_child(&child);
	child_finish(&child);
	setenv("DRMPERF_SHARE", "yes", 1);
	counting_failed(drmperf_session_start(session, &counting.error),
			-EINVAL, "yes", "unset");
	unsetenv("DRMPERF_SHARE");
	counting_run(session);
	drmperf_session_destroy(session);
}

static void
count_record(void *data, struct drmperf_device *device, const void *record,
	     size_t size)
{
	(void)device;
	(void)record;
	(void)size;
	++*(volatile unsigned *)data;
}

/* Records go to who reads; it is refused to hope for them elsewhere. */
TEST(shared, records_go_to_the_process_that_reads)
{
	unsigned count = 0;
	const struct drmperf_session_options options = {
		.size = sizeof(options),
		.raw = count_record,
		.raw_data = &count,
	};
	struct drmperf_session *session =
		counting_session_with(subject->names, &options);
	struct child child;

	start_child(&child);
	counting_failed(drmperf_session_start(session, &counting.error), -EBUSY,
			"records", "end it");
	check_child(&child);
	child_finish(&child);
	counting_run(session);
	start_child(&child);
	child_finish(&child);
	drmperf_session_destroy(session);
	ck_assert_uint_gt(count, 0);
}

/* ------------------------------------------------------------------ */
/* Mishaps                                                              */

/*
 * The stream ends: all get an error, and may begin again, one after the other.
 */
TEST_LOOP(shared, end_of_stream, 2)
{
	const struct counting first = counting;
	struct rank ranks[2];
	int verdict;

	rank_begin(&ranks[0]);
	/* as another process */
	counting_begin();
	ranks[1].session = counting_session(subject->names);
	ck_assert_int_eq(rank_start(&ranks[1]), FINE);
	scene_set(subject->ends[_i].setting, subject->ends[_i].value);
	for (size_t i = 0; i < 2; i++) {
		do
			verdict = rank_check(&ranks[i]);
		while (verdict == FINE);
		ck_assert_int_eq(verdict, NOT_READ);
		ck_assert_int_eq(counting.error.code, -EIO);
	}
	for (size_t i = 0; i < 2; i++) {
		drmperf_session_stop(ranks[i].session, &counting.error);
		ck_assert_int_eq(rank_start(&ranks[i]), FINE);
	}
	for (size_t i = 0; i < 2; i++) {
		expect_fine(&ranks[i]);
		drmperf_session_destroy(ranks[i].session);
	}
	counting_end();
	counting = first;
	count_alone();
}

/* Begin to count, and end at once. Returns what starting gave. */
static int
start_once(void)
{
	struct drmperf_session *session;
	int ret;

	alarm(PATIENCE_S);
	counting_begin();
	session = timed_fenced(subject->names);
	ret = drmperf_session_start(session, &counting.error);
	drmperf_session_destroy(session);
	counting_end();
	return ret;
}

static int
expect_busy(const char *cause)
{
	if (start_once() != -EBUSY || !strstr(counting.error.cause, cause))
		return give_up(NOT_TOLD);
	return FINE;
}

/* Start a process that begins while no process lets it in. */
static int
start_outside(const struct child *self)
{
	(void)self;
	return expect_busy("does not answer");
}

/* Expect that the two get the error that counts were lost, and nothing else. */
static void
expect_lost(struct child *reader, const struct rank *rank)
{
	int status, verdict;

	child_tell(reader);
	ck_assert_int_eq(waitpid(reader->pid, &status, 0), reader->pid);
	ck_assert_int_eq(WEXITSTATUS(status), NOT_READ);
	close(reader->line);
	do
		verdict = rank_check(rank);
	while (verdict == FINE);
	ck_assert_int_eq(verdict, NOT_READ);
	counting_failed(counting.error.code, -EIO, "overflowed", "start again");
}

/*
 * The process that reads is stopped: no other one hangs. All go on when it does
 * if the kernel has kept all reports; if its buffer was full, each gets an
 * error.
 */
TEST_LOOP(shared, a_stopped_reader_hangs_no_other_process, 2)
{
	const bool overflows = _i;
	struct drmperf_session *latest_session = timed_latest(subject->names);
	struct child reader, newcomer;
	union drmperf_value values[4];
	struct rank rank;
	int status;

	start_child(&reader);
	rank_begin(&rank);
	counting_run(latest_session);
	expect_fine(&rank);
	ck_assert_int_eq(kill(reader.pid, SIGSTOP), 0);
	ck_assert_int_eq(waitpid(reader.pid, &status, WUNTRACED), reader.pid);
	launch_child(&newcomer, start_outside);
	ck_assert_int_eq(rank_check(&rank), NOT_READ);
	counting_failed(counting.error.code, -EBUSY, "does not answer",
			"if the GPU hangs");
	counting_failed(drmperf_session_read(latest_session, values, NULL, NULL,
					     &counting.error),
			-EBUSY, "does not answer", "kill -CONT");
	child_finish(&newcomer);
	if (overflows)
		scene_set("oa-overflow", "1");
	ck_assert_int_eq(kill(reader.pid, SIGCONT), 0);
	if (!overflows) {
		check_child(&reader);
		expect_fine(&rank);
		counting_read(latest_session, values);
		ck_assert(are_related(values));
		child_finish(&reader);
		expect_fine(&rank);
	} else {
		expect_lost(&reader, &rank);
	}
	drmperf_session_destroy(latest_session);
	drmperf_session_destroy(rank.session);
	count_alone();
}

/* ------------------------------------------------------------------ */
/* Words and descriptors that others give                               */

/* Find a stream's unit in the memory, by the name of the set that is there. */
enum {
	UNIT_SERIAL = 0,
	UNIT_CONFIG = 8,
	UNIT_PERIOD = 16,
	UNIT_SINCE = 24,
	UNIT_ENABLED = 32, /* and the reader */
	UNIT_SET = 40,
	UNIT_SERVER = UNIT_SET + 64,
	UNIT_SECRET = UNIT_SERVER + FD_SERVER_NAME_SIZE,
	UNIT_NETWORK = UNIT_SECRET + 16,
	UNIT_SHOWN = UNIT_NETWORK + 8,
	UNIT_BEAT = UNIT_SHOWN + 8,
	UNIT_ASKED = UNIT_BEAT + 8, /* and answered */
	UNIT_STATES = UNIT_ASKED + 8,
};

#define STATES_SIZE (2 * sizeof(struct oa_snapshot))

static char *
find_unit(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[256], *unit = NULL;
	uintptr_t begin, end;

	ck_assert_ptr_nonnull(maps);
	while (!unit && fgets(line, sizeof(line), maps)) {
		if (!strstr(line, "drmperf-share") ||
		    sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2)
			continue;
		unit = memmem((void *)begin, end - begin, "TestOa", 7);
	}
	fclose(maps);
	ck_assert_ptr_nonnull(unit);
	return unit - UNIT_SET;
}

/* Return whether a failure has a code and a cause, whatever it was. */
static bool
is_sound(int ret)
{
	const char *cause = counting.error.cause;

	return !ret || (ret < 0 && ret > -4096 && *cause &&
			!strstr(cause, "(null)") && !strchr(cause, '\033'));
}

/* Start and read once, which may be refused. */
static int
count_once(const struct child *self)
{
	struct drmperf_session *session;
	union drmperf_value values[4];
	int ret;

	(void)self;
	alarm(PATIENCE_S);
	counting_begin();
	session = timed_fenced(subject->names);
	ret = drmperf_session_start(session, &counting.error);
	if (!ret)
		ret = drmperf_session_read(session, values, NULL, NULL,
					   &counting.error);
	if (!is_sound(ret))
		return give_up(NOT_TOLD);
	drmperf_session_destroy(session);
	counting_end();
	return FINE;
}

static void
read_soundly(const struct rank *rank)
{
	union drmperf_value values[4];
	int ret;

	ret = drmperf_session_read(rank->session, values, NULL, NULL,
				   &counting.error);
	ck_assert_msg(is_sound(ret), "%d: %s", ret, counting.error.cause);
}

/*
 * Write what others may have written: one that comes, and those that count when
 * the process that reads is gone, end in time, and are not killed.
 */
static void
damage_page(size_t offset, const void *bytes, size_t size)
{
	struct child reader, newcomer;
	struct rank rank;
	char *unit;

	start_child(&reader);
	rank_begin(&rank);
	unit = find_unit();
	memcpy(unit + offset, bytes, size);
	launch_child(&newcomer, count_once);
	child_finish(&newcomer);
	memcpy(unit + offset, bytes, size);
	kill_child(&reader);
	read_soundly(&rank);
	read_soundly(&rank);
	drmperf_session_destroy(rank.session);
}

static const struct {
	size_t offset;
	uint64_t value;
} damages[] = {
	{ UNIT_SERIAL, 0 },
	{ UNIT_CONFIG, UINT64_MAX },
	{ UNIT_PERIOD, 0 },
	{ UNIT_PERIOD, 1 },
	{ UNIT_PERIOD, 1000 },
	{ UNIT_PERIOD, UINT64_C(1) << 32 },
	{ UNIT_PERIOD, UINT64_C(1) << 63 },
	{ UNIT_PERIOD, INT64_MAX },
	{ UNIT_SINCE, 0 },
	{ UNIT_SINCE, UINT64_MAX },
	{ UNIT_ENABLED, 0 },
	{ UNIT_ENABLED, UINT64_MAX },
	{ UNIT_SET, UINT64_C(0x1b1b1b1b1b1b1b1b) },
	{ UNIT_SERVER, 0 },
	{ UNIT_SERVER, UINT64_MAX },
	{ UNIT_SECRET, 0 },
	{ UNIT_NETWORK, 0 },
	{ UNIT_SHOWN, UINT64_MAX },
	{ UNIT_BEAT, 0 },
	{ UNIT_BEAT, UINT64_MAX },
	{ UNIT_ASKED, 0 },
	{ UNIT_ASKED, UINT64_C(0x7fffffff00000000) },
	{ UNIT_ASKED, UINT64_C(0x7fffffff) },
};

TEST_CASE(damaged, timed_set_up, timed_tear_down, "i915_shared_stream");

TEST_LOOP(damaged, a_damaged_word_does_no_harm, ARRAY_SIZE(damages))
{
	damage_page(damages[_i].offset, &damages[_i].value,
		    sizeof(damages[_i].value));
}

/* All that is published is at random; the last time it could be so. */
TEST_LOOP(damaged, a_damaged_snapshot_does_no_harm, 4)
{
	static const uint64_t masks[] = { UINT64_MAX, UINT32_MAX, 0xff, 1 };
	static uint64_t words[STATES_SIZE / 8];
	unsigned seed = (unsigned)_i;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = (((uint64_t)rand_r(&seed) << 33) ^
			    ((uint64_t)rand_r(&seed) << 16) ^
			    (uint64_t)rand_r(&seed)) &
			   masks[_i % (int)ARRAY_SIZE(masks)];
	damage_page(UNIT_STATES, words, sizeof(words));
}

/* Start a process that begins where the socket's name is that of nothing. */
static int
begin_elsewhere(const struct child *self)
{
	(void)self;
	return expect_busy("another network namespace");
}

/* The socket's name is of another network namespace: it is said at once. */
TEST(shared, another_network_namespace_is_reported)
{
	struct child newcomer;
	struct rank rank;
	uint64_t network;

	rank_begin(&rank);
	memcpy(&network, find_unit() + UNIT_NETWORK, sizeof(network));
	network++;
	memcpy(find_unit() + UNIT_NETWORK, &network, sizeof(network));
	launch_child(&newcomer, begin_elsewhere);
	child_finish(&newcomer);
	expect_fine(&rank);
	drmperf_session_destroy(rank.session);
	count_alone();
}

enum forged {
	FORGED_STREAM,
	FORGED_WAKE,
	FORGED_SERVER,
	FORGED_COUNT,
};

/* What is handed over in place of one descriptor. */
static const struct {
	enum forged which;
	bool is_pipe; /* without reader; else an eventfd that blocks */
} forgeries[] = {
	{ FORGED_STREAM, true }, { FORGED_STREAM, false },
	{ FORGED_WAKE, true },	 { FORGED_WAKE, false },
	{ FORGED_SERVER, true }, { FORGED_SERVER, false },
};

static int
forge_descriptor(bool is_pipe)
{
	int ends[2];

	if (!is_pipe)
		return eventfd(0, EFD_CLOEXEC);
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	close(ends[0]);
	return ends[1];
}

/* Check that a process which gets something else says so, and is not killed. */
static int
take_forged(const struct child *self)
{
	int ret = start_once();

	(void)self;
	return ret && is_sound(ret) ? FINE : give_up(NOT_TOLD);
}

TEST_LOOP(shared, a_forged_descriptor_is_refused, ARRAY_SIZE(forgeries))
{
	char name[FD_SERVER_NAME_SIZE];
	struct fd_server_terms terms = { 0 };
	int passed[FORGED_COUNT] = {
		[FORGED_STREAM] = forge_descriptor(true),
		[FORGED_WAKE] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
		[FORGED_SERVER] = fd_server_open(name),
	};
	struct pollfd knock = { .fd = passed[FORGED_SERVER], .events = POLLIN };
	const int forged = forge_descriptor(forgeries[_i].is_pipe);
	struct child reader, victim;
	struct rank rank;

	passed[forgeries[_i].which] = forged;
	start_child(&reader);
	rank_begin(&rank);
	memcpy(find_unit() + UNIT_SERVER, name, sizeof(name));
	memcpy(&terms.secret, find_unit() + UNIT_SECRET, sizeof(terms.secret));
	launch_child(&victim, take_forged);
	ck_assert_int_eq(poll(&knock, 1, PATIENCE_S * 1000), 1);
	fd_server_answer(knock.fd, &terms, passed, FORGED_COUNT);
	child_finish(&victim);
	check_child(&reader);
	expect_fine(&rank);
	child_finish(&reader);
	drmperf_session_destroy(rank.session);
}

/* ------------------------------------------------------------------ */
/* Killed at whatever they do                                           */

#define RANKS 4

/*
 * Return whether reports may be slow. The kernel may not have closed yet what
 * the last one had; and where valgrind looks at all of them, or others want the
 * machine, reports may be slow.
 */
static bool
is_slow(int verdict)
{
	return (verdict == NOT_BEGUN || verdict == NOT_READ) &&
	       (counting.error.code == -EBUSY || counting.error.code == -ETIME);
}

static int
count_a_while(struct rank *rank, unsigned reads, const struct child *self)
{
	int verdict = rank_start(rank);

	if (verdict)
		return verdict;
	while (!verdict && reads--) {
		verdict = rank_check(rank);
		send(self->line, "", 1, MSG_DONTWAIT);
	}
	if (verdict)
		drmperf_session_stop(rank->session, NULL);
	else if (drmperf_session_stop(rank->session, &counting.error))
		verdict = NOT_STOPPED;
	return (int)verdict;
}

/* Be busy over and over: begin, read some times, end. */
static int
be_busy(const struct child *self)
{
	unsigned seed = (unsigned)getpid();
	struct rank rank;
	int verdict = FINE;
	char byte;

	counting_begin();
	rank.session = timed_fenced(subject->names);
	while (!verdict && recv(self->line, &byte, 1, MSG_DONTWAIT) < 0) {
		verdict =
			count_a_while(&rank, (unsigned)rand_r(&seed) % 8, self);
		if (is_slow(verdict))
			verdict = FINE;
	}
	drmperf_session_destroy(rank.session);
	counting_end();
	return verdict ? give_up((enum verdict)verdict) : FINE;
}

static int
round_count(void)
{
	if (getenv("VALGRIND"))
		return 2;
	return getenv("CHECK_ALL") ? 400 : 20;
}

/* Expect that it counts, as soon as the next process reads. */
static void
expect_fine_soon(const struct rank *rank)
{
	int verdict;

	do
		verdict = rank_check(rank);
	while (is_slow(verdict));
	ck_assert_msg(verdict == FINE, "verdict %d: %s", verdict,
		      counting.error.cause);
}

/* Once, one that is not killed counts all the time. */
TEST_LOOP(shared, killed_at_random, 2)
{
	struct child children[RANKS];
	const uint64_t begun = timed_now();
	struct rank survivor;
	unsigned seed = 1 + (unsigned)_i;

	for (size_t i = 0; i < RANKS; i++)
		launch_child(&children[i], be_busy);
	if (_i) {
		survivor.session = timed_fenced(subject->names);
		while (rank_start(&survivor)) {
			ck_assert(is_slow(NOT_BEGUN));
			ck_assert_uint_lt(timed_now() - begun,
					  PATIENCE_S * 1000 * MS);
		}
	}
	for (int n = round_count(); n; n--) {
		struct child *victim = &children[rand_r(&seed) % RANKS];

		for (int steps = rand_r(&seed) % 4; steps; steps--)
			child_await(victim);
		kill_child(victim);
		launch_child(victim, be_busy);
		if (_i)
			expect_fine_soon(&survivor);
	}
	for (size_t i = 0; i < RANKS; i++)
		child_finish(&children[i]);
	if (_i) {
		expect_fine_soon(&survivor);
		drmperf_session_destroy(survivor.session);
	}
	count_alone();
}

TEST_MACHINE("i915_shared_stream", "--gpu", "skl");
TEST_MACHINE("xe_shared_stream", "--gpu", "bmg");

static void
choose_subject(void)
{
	const char *suite = getenv("CK_RUN_SUITE");

	subject = &subjects[suite && !strcmp(suite, "xe_shared_stream")];
}

TEST_OPTION(begin, choose_subject);
TEST_MACHINE_OPTION(in_time, true);
