/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One run of the command with a session counting.
 */
#include "stat/types.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "stat/figures.h"
#include "stat/part.h"
#include "stat/sampled.h"
#include "util/output_file.h"

#define NS_PER_S 1000000000.0
#define NS_PER_MS 1000000

/* Interval of looks whether the command opens a GPU that waits for that. */
#define LATE_LOOK_MS 20

/* ------------------------------------------------------------------ */
/* Use of GPUs by processes                                             */

static int
stat_run_poll(const struct stat_run *run)
{
	int ret = run->use ? client_usage_scan(run->use) : 0;

	if (ret)
		return tool_fail(run->tool,
				 "cannot read what processes use: %s",
				 strerror(-ret));
	return 0;
}

static bool
needs_use(const struct stat_run *run)
{
	bool needs = run->tool->automatic != NULL;

	for (size_t i = 0; i < run->row_count; i++)
		needs |= client_usage_counts(run->selections[i].event);
	return needs;
}

/*
 * Open the count of the processes' use of GPUs. A process whose parent has
 * ended remains one of the command's.
 */
static int
open_use(struct stat_run *run, pid_t command)
{
	const struct stat_options *options = run->options;
	pid_t pid = options->pid ? options->pid : command;
	bool adopts = command && !options->everything;

	if (!needs_use(run))
		return 0;
	if (adopts)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	run->use = client_usage_create(run->selections, run->row_count,
				       options->everything ? 0 : pid, adopts,
				       run->gaps);
	return run->use ? 0 : tool_fail(run->tool, "no memory");
}

static void
close_use(struct stat_run *run)
{
	if (!run->use)
		return;
	client_usage_destroy(run->use);
	run->use = NULL;
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

static int
open_sessions(struct stat_run *run, pid_t pid)
{
	int status = stat_parts_create(run);

	if (!status)
		status = stat_parts_open(run, pid);
	if (!status)
		status = open_use(run, pid);
	/* intervals have the sensors at their ends */
	if (!status && !run->options->interval_ms)
		run->sampled = sampled_create(run->tool->drmperf,
					      run->selections, run->row_count);
	return status;
}

static void
close_sessions(struct stat_run *run)
{
	sampled_destroy(run->sampled);
	run->sampled = NULL;
	stat_parts_close(run);
	stat_parts_destroy(run);
	close_use(run);
}

static int
start_sessions(struct stat_run *run)
{
	if (stat_parts_start(run))
		return TOOL_FAILED;
	if (run->sampled)
		sampled_start(run->sampled);
	return stat_run_poll(run);
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

static union drmperf_value
row_difference(const struct stat_row *row, union drmperf_value now,
	       union drmperf_value before)
{
	if (drmperf_event_type(row->selection.event) == DRMPERF_TYPE_DOUBLE)
		return (union drmperf_value){ .f64 = now.f64 - before.f64 };
	return (union drmperf_value){ .u64 = now.u64 - before.u64 };
}

/*
 * Return whether there was less of it than before, as of a difference of
 * counters that contradict each other for a while.
 */
static bool
row_went_down(const struct stat_row *row, union drmperf_value difference)
{
	if (drmperf_event_type(row->selection.event) == DRMPERF_TYPE_DOUBLE)
		return difference.f64 < 0;
	return (int64_t)difference.u64 < 0;
}

/*
 * Take the values of an interval. A value that adds up is the difference of two
 * readings, so that intervals add up to the whole; an average needs a session
 * that begins again with each of them.
 */
static int
take_interval(struct stat_run *run, bool is_last)
{
	if (stat_parts_read_interval(run, is_last))
		return TOOL_FAILED;
	for (size_t i = 0; i < run->row_count; i++) {
		if (client_usage_counts(run->selections[i].event)) {
			run->step[i] = run->values[i];
			run->step_statuses[i] = 0;
		}
		if (!stat_row_adds_up(&run->rows[i]))
			continue;
		run->step_statuses[i] = run->statuses[i];
		if (run->statuses[i])
			continue;
		run->step[i] = row_difference(&run->rows[i], run->values[i],
					      run->before[i]);
		if (row_went_down(&run->rows[i], run->step[i]))
			run->step_statuses[i] = -ENODATA;
		run->before[i] = run->values[i];
	}
	return 0;
}

/* Make the mean of all readings the sensor's value, the last one included. */
static void
take_samples(struct stat_run *run, size_t index)
{
	const struct stat_range *seen = sampled_of(run->sampled, index);
	struct stat_row *row = &run->rows[index];
	const double last = stat_number(row, run->values[index]);
	double mean;

	if (!seen->count || run->statuses[index])
		return;
	mean = (seen->sum + last) / (double)(seen->count + 1);
	if (!row->is_sampled)
		row->min = row->max = last;
	row->is_sampled = true;
	row->min = fmin(row->min, fmin(last, seen->min));
	row->max = fmax(row->max, fmax(last, seen->max));
	if (drmperf_event_type(row->selection.event) == DRMPERF_TYPE_DOUBLE)
		run->values[index].f64 = mean;
	else
		run->values[index].u64 = (uint64_t)llround(mean);
}

static int
read_values(struct stat_run *run, bool is_last)
{
	if (stat_parts_read(run))
		return TOOL_FAILED;
	stat_parts_take_origins(run);
	if (stat_run_poll(run))
		return TOOL_FAILED;
	stat_parts_show(run);
	if (run->use)
		client_usage_values(run->use, is_last, run->values);
	for (size_t i = 0; run->sampled && i < run->row_count; i++)
		take_samples(run, i);
	return 0;
}

static bool
has_all_values(const struct stat_run *run)
{
	for (size_t i = 0; i < run->row_count; i++) {
		if (run->statuses[i])
			return false;
	}
	return true;
}

static int
print_interval(struct stat_run *run, uint64_t start_ns, bool is_last)
{
	int status = 0;

	if (!is_last)
		status = read_values(run, false);
	if (!status)
		status = take_interval(run, is_last);
	if (!status)
		stat_print_interval(
			run, is_last ? run->seconds
				     : (double)(spawn_now_ns() - start_ns) /
					       NS_PER_S);
	if (!status && run->options->file)
		output_file_publish(run->options->file);
	return status;
}

/* ------------------------------------------------------------------ */

static uint64_t
after_ms(uint64_t start_ns, unsigned ms)
{
	return ms ? start_ns + (uint64_t)ms * NS_PER_MS : UINT64_MAX;
}

/* When the next look at something is due. */
struct look_times {
	uint64_t sensors, use; /* UINT64_MAX: never */
};

static unsigned
usage_poll_ms(const struct stat_run *run)
{
	if (!run->use)
		return 0;
	return stat_parts_wait(run) ? LATE_LOOK_MS : stat_poll_ms(run->options);
}

/* Poll again. Errors are ignored: they occur at the next read, too. */
static void
poll_again(struct stat_run *run, struct look_times *next)
{
	uint64_t now = spawn_now_ns();

	if (now >= next->sensors) {
		sampled_read(run->sampled);
		next->sensors = after_ms(now, SAMPLED_MS);
	}
	if (now >= next->use) {
		client_usage_scan(run->use);
		stat_parts_start_late(run);
		next->use = after_ms(now, usage_poll_ms(run));
	}
}

/*
 * Wait like spawn_wait(), and look at sensors and at the processes' use of
 * GPUs, which takes longer if it is that of all processes.
 */
static enum spawn_event
wait_looking(struct stat_run *run, struct spawn *spawn, uint64_t until_ns)
{
	const uint64_t now = spawn_now_ns();
	struct look_times next = {
		.sensors = after_ms(now, run->sampled ? SAMPLED_MS : 0),
		.use = after_ms(now, usage_poll_ms(run)),
	};

	for (;;) {
		uint64_t first = next.use < next.sensors ? next.use
							 : next.sensors;
		bool is_due = until_ns <= first;
		enum spawn_event event =
			spawn_wait(spawn, is_due ? until_ns : first);

		if (event != SPAWN_TIME || is_due)
			return event;
		poll_again(run, &next);
	}
}

/* Return when the next interval ends; those that are over are left out. */
static uint64_t
next_interval(uint64_t due_ns, uint64_t interval_ns)
{
	const uint64_t now = spawn_now_ns();
	const uint64_t late = now > due_ns ? (now - due_ns) / interval_ns : 0;

	return due_ns + (late + 1) * interval_ns;
}

/* Watch until the end. Returns TOOL_FAILED if an interval could not be read. */
static int
stat_run_watch(struct stat_run *run, struct spawn *spawn, uint64_t start_ns)
{
	uint64_t interval = (uint64_t)run->options->interval_ms * NS_PER_MS;
	uint64_t end = after_ms(start_ns, run->options->timeout_ms);
	uint64_t next = after_ms(start_ns, run->options->interval_ms);
	int failed = 0;

	while (wait_looking(run, spawn, next < end ? next : end) ==
	       SPAWN_TIME) {
		if (end <= next)
			break;
		failed = print_interval(run, start_ns, false);
		if (failed && !spawn->pid)
			return failed;
		next = failed ? UINT64_MAX : next_interval(next, interval);
	}
	return failed;
}

/* Let the command run without counting. Return false if it has ended. */
static bool
wait_delay(struct stat_run *run, struct spawn *spawn)
{
	if (!run->options->delay_ms ||
	    spawn_wait(spawn, after_ms(spawn_now_ns(),
				       run->options->delay_ms)) == SPAWN_TIME)
		return true;
	run->interrupted = spawn->interrupted;
	run->too_short = true;
	return false;
}

/* Run from the start of the sessions to their values. */
static int
stat_run_count(struct stat_run *run, struct spawn *spawn, uint64_t start_ns)
{
	struct drmperf_error error;
	int status = stat_run_watch(run, spawn, start_ns), stopped = 0;

	run->seconds = (double)(spawn_now_ns() - start_ns) / NS_PER_S;
	run->interrupted = spawn->interrupted;
	if (!status)
		stopped = stat_parts_stop(run, &error);
	if (!status)
		status = read_values(run, true);
	if (!status && stopped && has_all_values(run))
		status = tool_complain(run->tool, &error);
	if (!status && run->options->interval_ms)
		status = print_interval(run, start_ns, true);
	run->counted = !status;
	return status ? status : spawn->status;
}

/* Count from the first instruction of the command on. */
static int
count_from_start(struct stat_run *run, struct spawn *spawn)
{
	uint64_t start_ns;
	int status = start_sessions(run);

	if (status) {
		if (spawn->pid)
			spawn_cancel(spawn);
		return status;
	}
	start_ns = spawn_now_ns();
	if (spawn->pid)
		status = spawn_exec(run->tool, run->options->command[0], spawn);
	return status ? status : stat_run_count(run, spawn, start_ns);
}

/* Count from some time after that on. */
static int
count_after_delay(struct stat_run *run, struct spawn *spawn)
{
	int status = 0;

	if (spawn->pid)
		status = spawn_exec(run->tool, run->options->command[0], spawn);
	if (status)
		return status;
	if (!wait_delay(run, spawn))
		return spawn->status;
	status = start_sessions(run);
	if (!status)
		return stat_run_count(run, spawn, spawn_now_ns());
	/* it runs, and no other code waits for its end */
	if (spawn->pid)
		spawn_wait(spawn, UINT64_MAX);
	return status;
}

/*
 * Prepare what the run waits for: a command, held back, a process, or signals.
 */
static int
stat_run_prepare(const struct stat_run *run, struct spawn *spawn)
{
	const struct stat_options *options = run->options;

	if (options->command[0])
		queue_access_prepare(run->queues, run->selections,
				     run->row_count);
	if (options->command[0])
		return spawn_prepare(run->tool, run->signals, options->command,
				     spawn);
	if (options->pid)
		return spawn_watch(run->tool, run->signals, options->pid,
				   spawn);
	return 0;
}

int
stat_run(struct stat_run *run)
{
	struct spawn spawn = { .signals = run->signals };
	int status;

	run->counted = false;
	run->too_short = false;
	run->interrupted = 0;
	memset(run->before, 0, run->row_count * sizeof(*run->before));
	memset(run->origins, 0, run->row_count * sizeof(*run->origins));
	/*
	 * First: the command inherits nothing of the sessions, and these may
	 * count it by its process id.
	 */
	status = stat_run_prepare(run, &spawn);
	if (status)
		return status;
	status = open_sessions(run, spawn.pid);
	if (!status && run->options->delay_ms)
		status = count_after_delay(run, &spawn);
	else if (!status)
		status = count_from_start(run, &spawn);
	else if (spawn.pid)
		spawn_cancel(&spawn);
	spawn_unwatch(&spawn);
	close_sessions(run);
	return status;
}
