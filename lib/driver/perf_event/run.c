/* SPDX-License-Identifier: BSD-3-Clause */
/*
 *   counters --by PMU--> sets --for each thread or CPU--> groups
 *
 * Groups are pinned: the kernel gives them their counters whenever what they
 * count for runs, or gives up on them. Whether it has is seen at every read, so
 * that no count is ever made up from a part of the time.
 */
#include "driver/perf_event/run.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/monotonic.h"
#include "driver/perf_event/kernel.h"
#include "driver/perf_event/permission.h"
#include "driver/perf_event/target.h"
#include "driver/perf_event/when.h"

/* How often to begin again while a process starts threads. */
#define MOST_TRIES 100

/* The counters of one PMU. */
struct pmu_set {
	uint64_t pmu;
	const struct perf_counter **counters;
	size_t *indices; /* among the run's */
	size_t count;
};

/* A set, counting for one target: descriptors, the leader's first. */
struct pmu_group {
	const struct pmu_set *set;
	int *fds;
};

struct perf_run {
	struct arena *arena; /* owns all, the run too */
	struct pmu_set *sets;
	size_t set_count;
	struct pmu_group *groups;
	size_t group_count;
	size_t count; /* of counters */
	uint64_t *words; /* what a read of the largest set gives */
	uint64_t *last; /* per counter: the count as last read */
	/*
	 * Per counter why the last sample lacks it, code 0 if it does not. What
	 * the kernel does not count has been left out of its set.
	 */
	struct drmperf_error *missing;
	bool lacks; /* a set could not be read */
	size_t absent; /* counters that the kernel does not count */
	struct perf_when when;
};

/* ------------------------------------------------------------------ */
/* Teams                                                                */

/*
 * Return the PMU that decides which counters can be in one group: the three
 * types that all mean the core's PMU are one, unless the upper half of config
 * says which of several kinds of cores.
 */
static uint64_t
pmu_of(const struct perf_counter *counter)
{
	uint64_t kind = counter->config[0] >> PERF_PMU_TYPE_SHIFT;

	switch (counter->type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
		return kind ? kind : PERF_TYPE_RAW;
	default:
		return counter->type;
	}
}

static struct pmu_set *
find_set(struct perf_run *run, const struct perf_counter *counter)
{
	uint64_t pmu = pmu_of(counter);
	struct pmu_set *set;
	size_t i;

	for (i = 0; i < run->set_count; i++) {
		if (run->sets[i].pmu == pmu)
			return &run->sets[i];
	}
	set = &run->sets[run->set_count];
	set->counters =
		arena_alloc(run->arena, run->count * sizeof(*set->counters));
	set->indices =
		arena_alloc(run->arena, run->count * sizeof(*set->indices));
	if (!set->counters || !set->indices)
		return NULL;
	set->pmu = pmu;
	run->set_count++;
	return set;
}

static int
make_sets(struct perf_run *run, const struct perf_counter *const *counters)
{
	run->sets = arena_alloc(run->arena, run->count * sizeof(*run->sets));
	run->words = arena_alloc(run->arena, (PERF_READ_VALUES + run->count) *
						     sizeof(*run->words));
	run->last = arena_alloc(run->arena, run->count * sizeof(*run->last));
	run->missing =
		arena_alloc(run->arena, run->count * sizeof(*run->missing));
	if (!run->sets || !run->words || !run->last || !run->missing)
		return -ENOMEM;
	for (size_t i = 0; i < run->count; i++) {
		struct pmu_set *set = find_set(run, counters[i]);

		if (!set)
			return -ENOMEM;
		set->counters[set->count] = counters[i];
		set->indices[set->count++] = i;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Opening                                                              */

/*
 * Return whether the counter alone can be opened: then it is the others it does
 * not suit.
 */
static bool
opens_alone(const struct perf_counter *counter,
	    const struct perf_target *target)
{
	int fd = perf_counter_open(counter, target, -1);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static int
explain_open(const struct perf_counter *counter,
	     const struct perf_target *target, size_t before, int code,
	     struct drmperf_error *error)
{
	switch (code) {
	case -EACCES:
	case -EPERM:
		return perf_permission_explain(counter, target->thread < 0,
					       error);
	case -ENOENT:
	case -ENODEV:
	case -ENXIO:
	case -EOPNOTSUPP:
		error_set(error, -ENODEV,
			  "the kernel does not count %s of the PMU %s (%s)",
			  counter->name, counter->pmu, strerrordesc_np(-code));
		if (counter->cpu_count)
			error_remedy(error,
				     "the event may be of a part that is named "
				     "behind it (:gt=1, :engine_class=4), or "
				     "the PMU may have gone with its driver");
		else
			error_remedy(error,
				     "leave the event out: the processor does "
				     "not have it, its counters are hidden in "
				     "this virtual machine, or the PMU may "
				     "have gone with its driver");
		return -ENODEV;
	case -EMFILE:
		error_set(error, code,
			  "too many files are open: every event takes a "
			  "descriptor for each thread or CPU");
		error_remedy(error, "raise the limit (ulimit -n), or count "
				    "fewer events");
		return code;
	case -EINVAL:
	case -ENOSPC:
		if (!before || !opens_alone(counter, target))
			break;
		error_set(error, -ENOSPC,
			  "the PMU %s cannot count %s together with the other "
			  "%zu requested event%s",
			  counter->pmu, counter->name, before,
			  before == 1 ? "" : "s");
		error_remedy(error, "count fewer of its events at once");
		return -ENOSPC;
	default:
		break;
	}
	return error_set(error, code, "cannot count %s of the PMU %s: %s",
			 counter->name, counter->pmu, strerrordesc_np(-code));
}

static void
close_group(const struct pmu_group *group, size_t count)
{
	while (count--)
		close(group->fds[count]);
}

/* Returns 0; -ESRCH, which is no reason to complain: a thread has ended. */
static int
open_group(struct perf_run *run, const struct pmu_set *set,
	   const struct perf_target *target, struct drmperf_error *error)
{
	struct pmu_group *group = &run->groups[run->group_count];

	group->set = set;
	group->fds = arena_alloc(run->arena, set->count * sizeof(*group->fds));
	if (!group->fds)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; i < set->count; i++) {
		const struct perf_counter *counter = set->counters[i];
		int fd = perf_counter_open(counter, target,
					   i ? group->fds[0] : -1);

		if (fd < 0) {
			close_group(group, i);
			return fd == -ESRCH ? fd
					    : explain_open(counter, target, i,
							   fd, error);
		}
		group->fds[i] = fd;
	}
	run->group_count++;
	return 0;
}

/* Open groups of a set for all targets that have not ended by now. */
static int
open_groups(struct perf_run *run, const struct pmu_set *set,
	    const struct perf_targets *targets, struct drmperf_error *error)
{
	size_t before = run->group_count;
	struct pmu_group *groups;
	int ret;

	groups = arena_alloc(run->arena,
			     (before + targets->count) * sizeof(*groups) + 1);
	if (!groups)
		return error_set(error, -ENOMEM, "no memory");
	if (before)
		memcpy(groups, run->groups, before * sizeof(*groups));
	run->groups = groups;
	for (size_t i = 0; i < targets->count; i++) {
		ret = open_group(run, set, &targets->list[i], error);
		if (ret && ret != -ESRCH)
			return ret;
	}
	return 0;
}

/* Close the groups beyond the first ones. */
static void
close_groups(struct perf_run *run, size_t first)
{
	while (run->group_count > first) {
		const struct pmu_group *group =
			&run->groups[--run->group_count];

		close_group(group, group->set->count);
	}
}

static int
open_cpus(struct perf_run *run, const struct pmu_set *set,
	  struct drmperf_error *error)
{
	const struct perf_counter *counter = set->counters[0];
	struct perf_targets targets;
	int ret;

	ret = perf_targets_of_cpus(counter->cpus, counter->cpu_count,
				   run->arena, &targets);
	if (ret == -ENOMEM)
		return error_set(error, ret, "no memory");
	if (ret)
		return error_set(error, ret, "the list of CPUs is unreadable");
	return open_groups(run, set, &targets, error);
}

static int
no_process(pid_t pid, struct drmperf_error *error)
{
	return error_set(error, -ESRCH, "there is no process %d", pid);
}

static int
find_threads(struct perf_run *run, pid_t pid, struct perf_targets *out,
	     struct drmperf_error *error)
{
	int ret = perf_targets_of_process(pid, run->arena, out);

	if (ret == -ESRCH)
		return no_process(pid, error);
	return ret ? error_set(error, ret, "no memory") : 0;
}

static bool
has_all(const struct perf_targets *known, const struct perf_targets *now)
{
	for (size_t i = 0; i < now->count; i++) {
		size_t at = 0;

		while (at < known->count &&
		       known->list[at].thread != now->list[i].thread)
			at++;
		if (at == known->count)
			return false;
	}
	return true;
}

/*
 * Open the groups of all threads. A thread that starts while groups are being
 * opened is counted with its parent, if the parent's group was open by then,
 * and else not at all; which of the two cannot be found out. So this is
 * repeated until no thread has started.
 *
 * What is left: the kernel (copy_process()) hands counters on some time before
 * it shows the new thread. One between the two is seen by neither list.
 */
static int
open_threads(struct perf_run *run, const struct pmu_set *set, pid_t pid,
	     struct drmperf_error *error)
{
	size_t before = run->group_count;
	struct perf_targets known, now;

	for (unsigned tries = 0; tries < MOST_TRIES; tries++) {
		int ret = find_threads(run, pid, &known, error);

		if (!ret)
			ret = open_groups(run, set, &known, error);
		if (!ret)
			ret = find_threads(run, pid, &now, error);
		if (ret)
			return ret;
		if (has_all(&known, &now))
			return run->group_count > before
				       ? 0
				       : no_process(pid, error);
		close_groups(run, before);
	}
	error_set(error, -EAGAIN,
		  "the process begins threads faster than they can be counted");
	error_remedy(error, "start to count once it has begun them, or before");
	return -EAGAIN;
}

static int
open_whole_set(struct perf_run *run, const struct pmu_set *set, pid_t pid,
	       struct drmperf_error *error)
{
	if (set->counters[0]->cpu_count || pid == -1)
		return open_cpus(run, set, error);
	return open_threads(run, set, pid, error);
}

/* Leave out the first counter of the set that the kernel does not count. */
static bool
drop_uncounted(struct perf_run *run, struct pmu_set *set, pid_t pid)
{
	struct pmu_set one = { .pmu = set->pmu, .count = 1 };
	size_t before = run->group_count;

	for (size_t i = 0; i < set->count; i++) {
		struct drmperf_error *error = &run->missing[set->indices[i]];

		one.counters = &set->counters[i];
		one.indices = &set->indices[i];
		error->code = open_whole_set(run, &one, pid, error);
		close_groups(run, before);
		if (error->code != -ENODEV) {
			error->code = 0;
			continue;
		}
		run->absent++;
		set->count--;
		memmove(&set->counters[i], &set->counters[i + 1],
			(set->count - i) * sizeof(*set->counters));
		memmove(&set->indices[i], &set->indices[i + 1],
			(set->count - i) * sizeof(*set->indices));
		return true;
	}
	return false;
}

/* Open a set; with partial, it may lose counters, even all of them. */
static int
open_set(struct perf_run *run, struct pmu_set *set, pid_t pid, bool partial,
	 struct drmperf_error *error)
{
	size_t before = run->group_count;
	int ret;

	do {
		ret = open_whole_set(run, set, pid, error);
		if (ret)
			close_groups(run, before);
	} while (ret == -ENODEV && partial && drop_uncounted(run, set, pid) &&
		 set->count);
	return set->count ? ret : 0;
}

int
perf_run_open(const struct perf_counter *const *counters, size_t count,
	      pid_t pid, bool partial, void **out, struct drmperf_error *error)
{
	struct arena *arena = arena_create();
	struct perf_run *run = arena ? arena_alloc(arena, sizeof(*run)) : NULL;
	int ret = 0;

	if (!run) {
		arena_destroy(arena);
		return error_set(error, -ENOMEM, "no memory");
	}
	run->arena = arena;
	run->count = count;
	if (make_sets(run, counters))
		ret = error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; !ret && i < run->set_count; i++)
		ret = open_set(run, &run->sets[i], pid, partial, error);
	if (!ret && run->absent == count) {
		ret = -ENODEV;
		if (error)
			*error = run->missing[0];
	}
	if (ret)
		perf_run_close(run);
	else
		*out = run;
	return ret;
}

void
perf_run_close(void *data)
{
	struct perf_run *run = data;

	close_groups(run, 0);
	arena_destroy(run->arena);
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static int
call_failed(const struct pmu_group *group, const char *what, int code,
	    struct drmperf_error *error)
{
	return error_set(error, code, "cannot %s the PMU %s: %s", what,
			 group->set->counters[0]->pmu, strerrordesc_np(-code));
}

int
perf_run_start(void *data, struct drmperf_error *error)
{
	struct perf_run *run = data;

	for (size_t i = 0; i < run->group_count; i++) {
		int ret = perf_group_enable(run->groups[i].fds[0]);

		if (ret)
			return call_failed(&run->groups[i], "start", ret,
					   error);
	}
	return 0;
}

/*
 * Check that the PMUs are still there. A PMU that went with its driver lets its
 * events stand still, without a clear error: only that it takes no new ones
 * tells.
 */
static int
check_presence(const struct pmu_set *set, struct drmperf_error *error)
{
	const struct perf_counter *counter = set->counters[0];
	int fd;

	if (!counter->cpu_count)
		return 0; /* the kernel's own */
	fd = perf_counter_open(
		counter, &(struct perf_target){ -1, counter->cpus[0] }, -1);
	if (fd >= 0)
		close(fd);
	if (fd != -ENOENT && fd != -ENODEV)
		return 0;
	error_set(error, -ENODEV, "the PMU %s vanished while it counted",
		  counter->pmu);
	error_remedy(error, "start again when its driver is back");
	return -ENODEV;
}

/*
 * Report that a group was not counted all of the time. The kernel could not
 * count (-EBUSY), or not all of the time (-EIO), and guesses are not for us.
 */
static int
group_report_starved(const struct pmu_group *group, int code,
		     struct drmperf_error *error)
{
	const struct pmu_set *set = group->set;

	if (check_presence(set, error))
		return -ENODEV;
	error_set(error, code,
		  "the PMU %s had no counters free for %s%s all of the time",
		  set->counters[0]->pmu, set->counters[0]->name,
		  set->count > 1 ? " and the events beside it" : "");
	error_remedy(error, "count fewer of its events at once, or stop other "
			    "users of it (another profiler; for cycles the "
			    "kernel's NMI watchdog)");
	return code;
}

static int
read_group(struct perf_run *run, const struct pmu_group *group, uint64_t *raw,
	   struct drmperf_error *error)
{
	const struct pmu_set *set = group->set;
	uint64_t *words = run->words;
	ssize_t size = perf_group_read(group->fds[0], words,
				       PERF_READ_VALUES + set->count);

	if (size < 0)
		return call_failed(group, "read", (int)size, error);
	if (!size)
		return group_report_starved(group, -EBUSY, error);
	if ((size_t)size != PERF_READ_VALUES + set->count)
		return call_failed(group, "read", -EIO, error);
	if (words[PERF_READ_RUNNING] != words[PERF_READ_ENABLED])
		return group_report_starved(
			group, words[PERF_READ_RUNNING] ? -EIO : -EBUSY, error);
	for (size_t i = 0; i < set->count; i++)
		raw[set->indices[i]] += words[PERF_READ_VALUES + i];
	return 0;
}

/*
 * Settle the values of a set. All groups of a set have been read. Of what
 * reading adds to, the last addition is meant. Where nothing has moved, the PMU
 * may have gone: its folder goes with it, but is hidden as well from a process
 * that has changed its root.
 */
static int
perf_run_settle(struct perf_run *run, const struct pmu_set *set, uint64_t *raw,
		struct drmperf_error *error)
{
	const char *folder = set->counters[0]->folder;
	bool moved = false;

	for (size_t i = 0; i < set->count; i++) {
		size_t place = set->indices[i];
		uint64_t count = raw[place];

		moved |= count != run->last[place];
		if (set->counters[i]->is_level)
			raw[place] -= run->last[place];
		run->last[place] = count;
	}
	if (moved || !folder || !access(folder, F_OK))
		return 0;
	return check_presence(set, error);
}

/* Mark the counters of a set as without a value, for the reason given. */
static void
mark_set(struct perf_run *run, const struct pmu_set *set,
	 const struct drmperf_error *reason)
{
	for (size_t i = 0; i < set->count; i++)
		run->missing[set->indices[i]] = *reason;
}

/* Read the groups of a set, from *at on, and go behind the last one. */
static int
read_set(struct perf_run *run, const struct pmu_group **at, uint64_t *raw,
	 struct drmperf_error *error)
{
	const struct pmu_group *end = run->groups + run->group_count;
	const struct pmu_set *set = (*at)->set;
	int ret = 0;

	for (; *at < end && (*at)->set == set; ++*at) {
		if (!ret)
			ret = read_group(run, *at, raw, error);
	}
	return ret ? ret : perf_run_settle(run, set, raw, error);
}

static bool
is_first_of(const struct perf_run *run, const struct pmu_group *group)
{
	return group == run->groups || group[-1].set != group->set;
}

/* Clear the errors of the last sample, which this one may not have. */
static void
clear_missing(struct perf_run *run)
{
	for (const struct pmu_group *group = run->groups;
	     group < run->groups + run->group_count; group++) {
		const struct pmu_set *set = group->set;

		for (size_t i = 0; is_first_of(run, group) && i < set->count;
		     i++)
			run->missing[set->indices[i]].code = 0;
	}
	run->lacks = false;
}

/* Sample all sets. A set that cannot be read costs the others nothing. */
static int
sample_sets(struct perf_run *run, enum drmperf_read_mode mode, uint64_t *raw,
	    struct drmperf_error *error)
{
	const struct pmu_group *at = run->groups;
	const struct pmu_group *end = run->groups + run->group_count;
	struct drmperf_error reason = { 0 };
	int ret, first = 0;
	bool any = false;

	if (run->lacks)
		clear_missing(run);
	while (at < end) {
		const struct pmu_set *set = at->set;

		ret = read_set(run, &at, raw,
			       mode == DRIVER_READ_AT_ONCE ? NULL : &reason);
		any |= !ret;
		if (!ret)
			continue;
		reason.code = ret;
		mark_set(run, set, &reason);
		run->lacks = true;
		if (!first && error)
			*error = reason;
		first = first ? first : ret;
	}
	if (!any)
		return first;
	return run->lacks || run->absent ? DRIVER_SAMPLE_PARTIAL : 0;
}

int
perf_run_missing(const void *data, size_t request, struct drmperf_error *error)
{
	const struct perf_run *run = data;
	const struct drmperf_error *reason = &run->missing[request];

	if (reason->code && error)
		*error = *reason;
	return reason->code;
}

int
perf_run_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
		uint64_t *time_ns, struct drmperf_error *error)
{
	struct perf_run *run = data;
	uint64_t begin_ns = monotonic_ns(), end_ns;
	int ret;

	/* in all modes what a read() gives is of now */
	memset(raw, 0, run->count * sizeof(*raw));
	ret = sample_sets(run, mode, raw, error);
	if (ret < 0)
		return ret;
	end_ns = monotonic_ns();
	/* unless that failed, what was read last stands in the words */
	*time_ns = run->lacks
			   ? begin_ns + (end_ns - begin_ns) / 2
			   : perf_when(&run->when, begin_ns, end_ns,
				       run->group_count
					       ? run->words[PERF_READ_ENABLED]
					       : 0);
	return ret;
}

int
perf_run_stop(void *data, struct drmperf_error *error)
{
	struct perf_run *run = data;
	int first = 0;

	for (size_t i = 0; i < run->group_count; i++) {
		int ret = perf_group_disable(run->groups[i].fds[0]);

		if (ret && !first)
			first = call_failed(&run->groups[i], "stop", ret,
					    error);
	}
	for (size_t i = 0; !first && i < run->set_count; i++)
		first = run->sets[i].count &&
			check_presence(&run->sets[i], error);
	return first;
}
