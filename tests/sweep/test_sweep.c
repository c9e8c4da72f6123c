/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every call of a program that counts fails once, with every errno, on every
 * kind of driver. Then either all was counted rightly nevertheless or the error
 * was told, the GPU is as it was found, and the same process counts rightly.
 *
 * The suite takes a sample; with SWEEP=full, as "make sweep" has it, nothing is
 * left out. SWEEP_DRIVER and SWEEP_ONLY name one driver, and one kind of call.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/sweep/life.h"

#define MOST_KINDS 64
#define MOST_PROBLEMS 20 /* that are printed of a kind */

/* A program that has not ended by then hangs, on any machine. */
#define HANG_MS 900000

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/*
 * Make the library find a sanitizer. It makes its threads past tools, and so
 * past drmsim, unless it finds a sanitizer: have it find one.
 */
void
__sanitizer_set_death_callback(void);
__attribute__((visibility("default"))) void
__sanitizer_set_death_callback(void)
{
}
#endif

/* ------------------------------------------------------------------ */
/* Counting                                                             */

/*
 * Return whether values are right: GpuTime, GpuCoreClocks; Counter1 and
 * Counter3 of them all and a half.
 */
static bool
is_test_oa(const union drmperf_value *values, uint64_t ms)
{
	uint64_t clocks = values[1].u64;

	return values[0].u64 >= ms * 1000000 && clocks > 0 &&
	       values[2].u64 == clocks && values[3].u64 <= clocks / 2 + 1 &&
	       values[3].u64 + 1 >= clocks / 2;
}

#define AMDGPU_RESTORED                                                        \
	{                                                                      \
		"grbm_gfx_index=0xe0000000", "counters=stopped", "pstate=0"    \
	}
#define TEST_OA                                                                \
	{                                                                      \
		{ .name = "i915::TestOa.GpuTime" },                            \
			{ .name = "i915::TestOa.GpuCoreClocks" },              \
			{ .name = "i915::TestOa.Counter1" },                   \
			{ .name = "i915::TestOa.Counter3" },                   \
	}

static const struct life_subject subjects[] = {
	{
		.driver = "amdgpu vega10",
		.gpu = "vega10",
		.settings = { { "default", "zero" },
			      { "rate", "SQ.4 instance=0 1000000" },
			      { "rate", "TCC.20 instance=1 3000" } },
		.events = { { .name = "amdgpu::SQ.WAVES", .value = 1000 },
			    { .name = "amdgpu::TCC.HIT", .value = 3 } },
		.restored = AMDGPU_RESTORED,
	},
	{
		/* without a graphics ring */
		.driver = "amdgpu mi200",
		.gpu = "mi200",
		.settings = { { "default", "zero" },
			      { "rate", "SQ.4 instance=0 1000000" },
			      { "rate", "GRBM.2 7000" } },
		.events = { { .name = "amdgpu::SQ.WAVES", .value = 1000 },
			    { .name = "amdgpu::GRBM.GUI_ACTIVE", .value = 7 } },
		.restored = AMDGPU_RESTORED,
	},
	{
		.driver = "amdgpu navi31",
		.gpu = "navi31",
		.settings = { { "default", "zero" },
			      { "rate", "GRBM.2 7000" } },
		.events = { { .name = "amdgpu::GRBM.GUI_ACTIVE", .value = 7 } },
		.restored = AMDGPU_RESTORED,
	},
	{
		.driver = "i915 skl",
		.gpu = "skl",
		.settings = { { "contexts", "0x20" } },
		.events = TEST_OA,
		.is_right = is_test_oa,
	},
	{
		.driver = "i915 acmgt3",
		.gpu = "acmgt3",
		.settings = { { "contexts", "0x20" } },
		.events = TEST_OA,
		.is_right = is_test_oa,
	},
	{
		.driver = "pmu skl",
		.gpu = "skl",
		.settings = { { "engine-busy", "rcs0 62.5" } },
		.events = { { .name = "i915::pmu.rcs0-busy",
			      .value = 625000 } },
	},
	{
		.driver = "pmu vega20",
		.gpu = "vega20",
		.settings = { { "df-rate", "cake0_pcsout_txdata 12.5M" } },
		.events = { { .name = "amdgpu::pmu.cake0_pcsout_txdata",
			      .value = 12500 } },
	},
	{
		.driver = "fdinfo vega10",
		.gpu = "vega10",
		.settings = { { "client-busy", "gfx 25" } },
		.events = { { .name = "amdgpu::fdinfo.engine-gfx",
			      .value = 250000,
			      .is_shared = true } },
	},
	{
		.driver = "fdinfo skl",
		.gpu = "skl",
		.settings = { { "client-busy", "rcs 10" } },
		.events = { { .name = "i915::fdinfo.engine-render",
			      .value = 100000,
			      .is_shared = true } },
	},
	{
		.driver = "sensor vega10",
		.gpu = "vega10",
		.settings = { { "clock", "sclk 852" } },
		.events = { { .name = "amdgpu::sensor.gfx-sclk",
			      .value = 852,
			      .is_momentary = true } },
	},
	{
		.driver = "sensor skl",
		.gpu = "skl",
		.settings = { { "gpu-clock", "600" } },
		.events = { { .name = "i915::sensor.act-freq",
			      .value = 600,
			      .is_momentary = true } },
	},
};

/* ------------------------------------------------------------------ */
/* What fails                                                           */

static const struct {
	const char *name;
	int value;
} errors[] = {
	{ "ENOMEM", ENOMEM },	{ "EINTR", EINTR },
	{ "EMFILE", EMFILE },	{ "EACCES", EACCES },
	{ "EIO", EIO },		{ "ENODEV", ENODEV },
	{ "EINVAL", EINVAL },	{ "EAGAIN", EAGAIN },
	{ "EBUSY", EBUSY },	{ "ENFILE", ENFILE },
	{ "EPERM", EPERM },	{ "ENOENT", ENOENT },
	{ "EFAULT", EFAULT },	{ "ENOSPC", ENOSPC },
	{ "ETIME", ETIME },	{ "ECANCELED", ECANCELED },
	{ "ENOSYS", ENOSYS },	{ "EOPNOTSUPP", EOPNOTSUPP },
	{ "E2BIG", E2BIG },	{ "EHWPOISON", EHWPOISON },
	{ "ENXIO", ENXIO },	{ "ETIMEDOUT", ETIMEDOUT },
	{ "ENOTTY", ENOTTY },	{ "EADDRINUSE", EADDRINUSE },
	{ "EDEADLK", EDEADLK }, { "EOVERFLOW", EOVERFLOW },
	{ "ENOLCK", ENOLCK },
};

/* Calls on what is not simulated are counted from a first fault on. */
static const char *const outside[] = {
	"file_open", "file_read", "stat",    "fstat",  "getdents",
	"flock",     "dup",	  "eventfd", "thread", "malloc",
};

struct kind {
	char name[48];
	uint64_t calls; /* of a life without faults */
};

/* In memory that is shared with the processes that live. */
static struct shared {
	struct life_result result;
	bool ended_in_libdrm, hung;
	struct kind kinds[MOST_KINDS];
	unsigned kind_count;
} * shared;

/* ---- counted */

/* Read lines of drmsim's report: add what they count, or take it away. */
static void
take_counts(int sign)
{
	static char report[65536];
	char *rest = report, *line;

	if (drmsim_command("report", report, sizeof(report)))
		abort();
	while ((line = strsep(&rest, "\n"))) {
		struct kind found, *kind = shared->kinds;

		if (sscanf(line, "calls kind=%47s count=%" SCNu64, found.name,
			   &found.calls) != 2)
			continue;
		while (kind < &shared->kinds[shared->kind_count] &&
		       strcmp(kind->name, found.name) != 0)
			kind++;
		if (kind == &shared->kinds[MOST_KINDS])
			abort();
		if (kind == &shared->kinds[shared->kind_count]) {
			shared->kind_count++;
			strcpy(kind->name, found.name);
			kind->calls = 0;
		}
		kind->calls += (uint64_t)sign * found.calls;
	}
}

static void
count_calls(const struct life_subject *subject)
{
	char spec[64];

	for (size_t i = 0; i < ARRAY_SIZE(outside); i++) {
		snprintf(spec, sizeof(spec), "%s:1000000000000:%s", outside[i],
			 strcmp(outside[i], "thread") ? "ENOMEM" : "EAGAIN");
		if (drmsim_fault(spec))
			abort();
	}
	take_counts(-1);
	life_once(subject, &shared->result);
	take_counts(1);
}

/* ---- crashes of libdrm's own */

/*
 * Return whether a life may end in libdrm, which does not look whether it got
 * the version that it asked for, or memory: doc/upstream/ tells of it. Nothing
 * else may end in it.
 */
static bool
may_end_in_libdrm(const char *kind)
{
	return strcmp(kind, "version") == 0 || strcmp(kind, "malloc") == 0;
}

static bool
is_of_libdrm(const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	return strncmp(name, "libdrm.so", 9) == 0 ||
	       strncmp(name, "libdrm_amdgpu.so", 16) == 0;
}

/* Print, behind the handler and the signal's frame, where it happened. */
static void
on_crash(int number)
{
	void *frames[8];
	int count = backtrace(frames, ARRAY_SIZE(frames));
	Dl_info place;

	for (int i = 0; i < count; i++)
		if (dladdr(frames[i], &place) && place.dli_fname &&
		    is_of_libdrm(place.dli_fname))
			shared->ended_in_libdrm = true;
	signal(number, SIG_DFL);
	raise(number);
}

static void
watch_crashes(void)
{
	const struct sigaction action = { .sa_handler = on_crash,
					  .sa_flags = (int)SA_RESETHAND };
	void *frame;

	/* the first time it allocates */
	if (backtrace(&frame, 1) < 0 || sigaction(SIGSEGV, &action, NULL))
		abort();
}

/* ---- injected */

struct tally {
	unsigned injected, unharmed, refused, restored, again, libdrm;
	unsigned problems;
};

/*
 * Return whether a call can fail. A client that is not there any more is none:
 * the kernel says ENOENT then.
 */
static bool
can_fail(const struct life_subject *subject, const char *kind, int error)
{
	if (subject->events[0].is_shared && error == ENOENT)
		return false;
	if (strcmp(kind, "malloc") == 0)
		return error == ENOMEM;
	if (strcmp(kind, "thread") == 0)
		return error == EAGAIN || error == EPERM;
	return true;
}

/*
 * Return whether it ended by itself; before Linux 5.3 one that hangs is waited
 * for.
 */
static bool
has_ended_well(pid_t pid, int *status)
{
	struct pollfd end = { .events = POLLIN };

	end.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	shared->hung = end.fd >= 0 && poll(&end, 1, HANG_MS) == 0;
	if (shared->hung)
		kill(pid, SIGKILL);
	if (end.fd >= 0)
		close(end.fd);
	return waitpid(pid, status, 0) == pid && *status == 0;
}

/* Live in a process of its own. Returns whether that ended by itself. */
static bool
live_apart(const struct life_subject *subject, const char *fault,
	   const char *kind, int error, bool is_keeper, int *status)
{
	pid_t pid;

	memset(&shared->result, 0, sizeof(shared->result));
	shared->ended_in_libdrm = false;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		watch_crashes();
		if (kind)
			life_run(subject, fault, kind, error, is_keeper,
				 &shared->result);
		else
			count_calls(subject);
		exit(EXIT_SUCCESS);
	}
	return pid > 0 && has_ended_well(pid, status);
}

static void
tell_problem(struct tally *tally, const struct life_subject *subject,
	     const char *fault, bool has_ended, int status)
{
	if (tally->problems++ >= MOST_PROBLEMS)
		return;
	printf("# %s, %s: %s", subject->driver, fault, shared->result.problem);
	if (!has_ended && WIFSIGNALED(status))
		printf(" (%s)",
		       shared->hung ? "it hung" : strsignal(WTERMSIG(status)));
	else if (!has_ended)
		printf(" (ended with status %d)", WEXITSTATUS(status));
	printf("\n");
}

/*
 * Inject a fault; more is "+" for all calls from the n-th on. A program that
 * ends for good while the kernel refuses all cannot put anything back.
 */
static void
inject_fault(const struct life_subject *subject, const struct kind *kind,
	     uint64_t n, const char *more, size_t error, struct tally *tally)
{
	const struct life_result *result = &shared->result;
	bool has_ended;
	char fault[96];
	int status = 0;

	snprintf(fault, sizeof(fault), "%s:%" PRIu64 "%s:%s", kind->name, n,
		 more, errors[error].name);
	has_ended = live_apart(subject, fault, kind->name, errors[error].value,
			       *more || (n + error) % 2, &status);
	if (has_ended && !result->has_struck && !*result->problem)
		return;
	tally->injected++;
	if (!has_ended && shared->ended_in_libdrm &&
	    may_end_in_libdrm(kind->name)) {
		tally->libdrm++;
		return;
	}
	tally->unharmed += result->is_unharmed;
	tally->refused += result->is_refused;
	tally->restored += result->is_restored;
	tally->again += result->has_again;
	if (!has_ended || *result->problem)
		tell_problem(tally, subject, fault, has_ended, status);
}

/* ---- chosen */

/* Return whether lives are slow: below valgrind one takes seconds. */
static bool
is_slow(void)
{
	return getenv("VALGRIND") && !getenv("SWEEP");
}

/* Return how many calls are made to fail, each with one errno; 0: all. */
static unsigned
sample_size(void)
{
	const char *most = getenv("SWEEP_MOST");

	if (most)
		return (unsigned)atoi(most);
	if (getenv("SWEEP"))
		return 0;
	return is_slow() ? 1 : 3;
}

/*
 * Return whether an error can stay. libdrm tries for ever what is to be tried
 * again. And no kernel refuses to free a context.
 */
static bool
can_stay(const char *kind, int error)
{
	return error != EINTR && error != EAGAIN && strcmp(kind, "ctx") != 0;
}

static void
inject_all(const struct life_subject *subject, const struct kind *kind,
	   struct tally *tally)
{
	for (uint64_t n = 1; n <= kind->calls; n++)
		for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
			if (can_fail(subject, kind->name, errors[i].value))
				inject_fault(subject, kind, n, "", i, tally);
	for (uint64_t n = 1; n <= kind->calls; n += (kind->calls + 2) / 3)
		for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
			if (can_fail(subject, kind->name, errors[i].value) &&
			    can_stay(kind->name, errors[i].value))
				inject_fault(subject, kind, n, "+", i, tally);
}

/* Calls at equal distances, each with the next errno. */
static void
inject_some(const struct life_subject *subject, const struct kind *kind,
	    unsigned most, size_t *error, struct tally *tally)
{
	uint64_t tries = kind->calls < most ? kind->calls : most;

	for (uint64_t i = 0; i < tries; i++) {
		uint64_t n = 1 + (2 * i + 1) * kind->calls / (2 * tries);

		do
			*error = (*error + 1) % ARRAY_SIZE(errors);
		while (!can_fail(subject, kind->name, errors[*error].value));
		inject_fault(subject, kind, n, "", *error, tally);
	}
}

/* ------------------------------------------------------------------ */
/* The table                                                            */

static void
add_tally(struct tally *sum, const struct tally *tally)
{
	sum->injected += tally->injected;
	sum->unharmed += tally->unharmed;
	sum->refused += tally->refused;
	sum->restored += tally->restored;
	sum->again += tally->again;
	sum->libdrm += tally->libdrm;
	sum->problems += tally->problems;
}

static void
print_tally(const char *driver, const char *kind, uint64_t calls,
	    const struct tally *tally)
{
	printf("%-14s %-18s %6" PRIu64 " %8u %8u %7u %8u %6u %6u %5u\n", driver,
	       kind, calls, tally->injected, tally->unharmed, tally->refused,
	       tally->restored, tally->again, tally->libdrm, tally->problems);
}

static bool
sweep_driver(const struct life_subject *subject)
{
	const char *only = getenv("SWEEP_ONLY");
	struct tally sum = { 0 };
	unsigned most = sample_size();
	size_t error = 0;
	int status = 0;

	if (life_prepare(subject) ||
	    !live_apart(subject, NULL, NULL, 0, false, &status) ||
	    *shared->result.problem) {
		printf("not ok %s: without faults: %s (%d)\n", subject->driver,
		       shared->result.problem, status);
		return false;
	}
	for (unsigned i = 0; i < shared->kind_count; i++) {
		const struct kind kind = shared->kinds[i];
		struct tally tally = { 0 };

		if (!kind.calls || (only && strcmp(only, kind.name) != 0) ||
		    (is_slow() && (i + (size_t)(subject - subjects)) % 5 != 0))
			continue;
		if (most)
			inject_some(subject, &kind, most, &error, &tally);
		else
			inject_all(subject, &kind, &tally);
		print_tally(subject->driver, kind.name, kind.calls, &tally);
		add_tally(&sum, &tally);
	}
	print_tally(subject->driver, "all", 0, &sum);
	if (sum.problems || !sum.injected) {
		printf("not ok %s: %u of %u\n", subject->driver, sum.problems,
		       sum.injected);
		return false;
	}
	printf("ok %s\n", subject->driver);
	return true;
}

/* ------------------------------------------------------------------ */

static int
sweep_named(const char *name)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return EXIT_FAILURE;
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++)
		if (strcmp(subjects[i].driver, name) == 0)
			return sweep_driver(&subjects[i]) ? EXIT_SUCCESS
							  : EXIT_FAILURE;
	return EXIT_FAILURE;
}

static int
list_drivers(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++)
		printf("%s\n", subjects[i].driver);
	return EXIT_SUCCESS;
}

int
main(int argc, char **argv)
{
	const char *driver = getenv("SWEEP_DRIVER");
	int result = EXIT_SUCCESS;

	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		return list_drivers();
	setenv("DRMPERF_CLOCK", "profiling", 1);
	if (drmsim_is_present())
		return sweep_named(getenv("CK_RUN_SUITE"));
	printf("%-14s %-18s %6s %8s %8s %7s %8s %6s %6s %5s\n", "driver",
	       "call", "calls", "injected", "unharmed", "refused", "restored",
	       "again", "libdrm", "wrong");
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++) {
		const char *const options[] = { "--gpu", subjects[i].gpu,
						"--time", "virtual", NULL };
		const struct machine machine = { options, subjects[i].driver };

		if (driver && strcmp(driver, subjects[i].driver) != 0)
			continue;
		if (below_drmsim(&machine, 1) != EXIT_SUCCESS)
			result = EXIT_FAILURE;
	}
	return result;
}
