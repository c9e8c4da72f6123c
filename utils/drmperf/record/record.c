/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf record: write what counters do while a command runs to a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/queue_access.h"
#include "process/spawn.h"
#include "record/columns.h"
#include "record/mark_reader.h"
#include "record/raw_buffer.h"
#include "record/recording.h"
#include "record/stall_sampler.h"
#include "record/stream_recorder.h"
#include "record/tasks.h"
#include "record/user_events.h"
#include "select/event_lists.h"
#include "select/passes.h"
#include "util/held_clocks.h"
#include "util/output_file.h"
#include "util/command.h"
#include "util/zstd.h"

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
#define DEFAULT_HZ 100
#define MOST_HZ 100000
#define LEAST_NS (NS_PER_S / MOST_HZ)
#define DEFAULT_FILE "drmperf.data"
/*
 * Level of compression that is chosen for samples that come no more often. It
 * takes some 7 ns a byte, of up to 11 MB/s: more than all the rest does.
 */
#define DEFAULT_LEVEL 1
#define COMPRESSED_NS NS_PER_MS
/* Time to wait before a GPU that was lost is counted again. */
#define RETRY_NS NS_PER_S
/* Time that a recording that is killed may lack at its end. */
#define FLUSH_NS NS_PER_S
/*
 * Reports are kept whole where they are wanted as often as that; then, if they
 * tell all, samples are only taken to see that all is well.
 */
#define REPORT_NS (10 * NS_PER_MS)
#define LOOK_NS (250 * NS_PER_MS)
/* What the GPU streams is fetched that often. */
#define STREAM_NS (5 * NS_PER_MS)

struct record_run {
	struct tool *tool;
	const char *const *command; /* NULL terminated, empty: none */
	struct event_lists lists;
	struct event_request wanted;
	/* what is recorded of all GPUs, without -d */
	struct selection_list several;
	struct held_clocks_list clocks;
	struct queue_access_list queues;
	struct verdict_rules verdicts; /* of what was asked for */
	struct peaks peaks; /* which have the names of roofs */
	struct roofline roofline;
	uint64_t period_ns;
	unsigned timeout_ms;
	pid_t pid; /* whose end is waited for, or 0 */
	bool everything;
	bool stalls; /* are sampled; events only if some were asked for */
	bool regions; /* of programs are recorded */
	bool traces; /* samples are a tracepoint, too */
	unsigned stall_period; /* in clocks of the GPU; 0: the longest */
	bool streams; /* intervals of the GPU's clock instead of samples */
	unsigned interval; /* in clocks of the GPU; 0: the library's */
	const char *path;
	struct output_file file;
	bool is_kept; /* the file is in its place, since the command runs */
	unsigned level; /* of compression; 0: none */
	bool has_level; /* it was asked for */
	struct columns series;
	/* while it runs */
	struct drmperf_session *session; /* NULL: there are no events */
	struct stream_recorder stream;
	struct stall_sampler sampler;
	struct tasks *tasks; /* or NULL */
	struct mark_reader marks;
	struct user_events tracepoint;
	struct recorder recorder;
	struct raw_buffer raw;
	union drmperf_value *values;
	int *statuses, *known_statuses; /* of this sample and the one before */
	/* this sample, and what was counted before the last start */
	struct recording_value *sample, *base;
	struct recording_value *before; /* the sample before */
	uint64_t samples, missed, flushed_ns, lost_tasks;
	bool may_miss_resets; /* see struct drmperf_sample_info */
	uint64_t first_ns, last_ns; /* of the samples */
	bool stalls_ended; /* those of a GPU, before the recording */
	bool broken; /* samples could not be read any more */
	bool lost; /* nor can they now, but perhaps again */
	uint64_t retry_ns; /* when to see if they can */
	bool has_gap; /* some series had no value at times */
	struct drmperf_error error; /* of the sample */
};

/* ------------------------------------------------------------------ */
/* Writing items                                                        */

static void
take_task(void *data, const struct recording_task *task)
{
	struct record_run *run = data;

	recorder_add_task(&run->recorder, task);
}

static void
take_tasks(struct record_run *run)
{
	if (run->tasks)
		run->lost_tasks += tasks_drain(run->tasks, take_task, run);
}

static void
take_mark(void *data, const struct recording_mark *mark)
{
	struct record_run *run = data;

	recorder_add_mark(&run->recorder, mark);
}

static void
record_flush(struct record_run *run, uint64_t now_ns)
{
	if (now_ns - run->flushed_ns < FLUSH_NS)
		return;
	fflush(run->recorder.out);
	run->flushed_ns = now_ns;
}

static int
check_output(const struct record_run *run)
{
	if (run->recorder.bytes.failed)
		return tool_fail(run->tool, "no memory");
	if (ferror(run->recorder.out))
		return tool_fail(run->tool, "cannot write %s", run->path);
	return 0;
}

/* Report why there are no samples from here on, in the recording as well. */
static int
report_end(struct record_run *run, const struct drmperf_error *error)
{
	const struct recording_gap gap = { .time_ns = spawn_now_ns(),
					   .cause = error->cause };

	recorder_add_gap(&run->recorder, &gap);
	return tool_complain(run->tool, error);
}

/* Return whether reports are kept, which cannot go on behind a new start. */
static bool
keeps_reports(const struct record_run *run)
{
	const struct selection_list *choice = &run->series.choice;

	for (size_t i = 0; i < choice->count; i++) {
		if (raw_buffer_has(&run->raw, choice->selections[i].event))
			return true;
	}
	return false;
}

/*
 * Return whether the session gives no value any more, until it is started
 * again.
 */
static bool
is_over(const struct record_run *run)
{
	for (size_t i = 0; i < run->series.choice.count; i++) {
		if (run->statuses[i] != -ECANCELED &&
		    run->statuses[i] != -ENODEV && run->statuses[i] != -ETIME)
			return false;
	}
	return true;
}

/* Mark in the recording that from now on a series has no values, and why. */
static void
mark_gap(struct record_run *run, size_t series)
{
	struct recording_gap gap = { .time_ns = spawn_now_ns() };
	char name[NAME_SIZE], text[NAME_SIZE + sizeof(run->error.cause) + 16];

	selection_name(&run->series.choice.selections[series], "", name);
	drmperf_session_explain(run->session, series, &run->error);
	snprintf(text, sizeof(text), "%s is n/a: %s", name, run->error.cause);
	gap.cause = text;
	recorder_add_gap(&run->recorder, &gap);
	if (!run->has_gap)
		tool_warn(run->tool, "%s; recording goes on", text);
	run->has_gap = true;
}

static void
mark_gaps(struct record_run *run)
{
	for (size_t i = 0; i < run->series.choice.count; i++) {
		if (run->statuses[i] && !run->known_statuses[i])
			mark_gap(run, i);
		run->known_statuses[i] = run->statuses[i];
	}
}

/* Take a value. Without one the series stays where it was, and is marked. */
static void
take_value(struct record_run *run, size_t series)
{
	const struct drmperf_event *event =
		run->series.choice.selections[series].event;
	const struct recording_value *base = &run->base[series];
	struct drmperf_sample_info origin = { .size = sizeof(origin) };
	union drmperf_value value = run->values[series];

	if (run->statuses[series]) {
		run->sample[series].die = RECORDING_NEVER;
		return;
	}
	if (drmperf_event_kind(event) == DRMPERF_KIND_CUMULATIVE) {
		if (drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE)
			value.f64 += base->value.f64;
		else
			value.u64 += base->value.u64;
	}
	drmperf_session_sample_info(run->session, series, &origin);
	run->may_miss_resets |= origin.may_miss_resets;
	run->sample[series] = (struct recording_value){
		.value = value,
		.end_ns = base->end_ns + origin.elapsed_ns,
		.die = origin.die,
	};
}

/*
 * Count again if a GPU that was lost is there again: what was counted before is
 * the base of what comes.
 */
static bool
resume_lost_gpu(struct record_run *run)
{
	const uint64_t now_ns = spawn_now_ns();

	if (now_ns < run->retry_ns)
		return false;
	run->retry_ns = now_ns + RETRY_NS;
	drmperf_session_stop(run->session, NULL);
	if (drmperf_session_start(run->session, NULL))
		return false;
	memcpy(run->base, run->sample,
	       run->series.choice.count * sizeof(*run->base));
	run->lost = false;
	tool_warn(run->tool, "recording goes on");
	return true;
}

/* Note that the session gives no values; the next start may mend that. */
static int
note_loss(struct record_run *run)
{
	drmperf_session_explain(run->session, 0, &run->error);
	report_end(run, &run->error);
	if (keeps_reports(run)) {
		run->broken = true;
		return TOOL_FAILED;
	}
	run->lost = true;
	run->retry_ns = spawn_now_ns() + RETRY_NS;
	return 0;
}

/* Return what a series has counted since the sample before. */
static double
series_difference(const void *data, unsigned series)
{
	const struct record_run *run = data;
	const struct drmperf_event *event =
		run->series.choice.selections[series].event;
	const union drmperf_value now = run->sample[series].value;
	const union drmperf_value before = run->before[series].value;

	if (drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE)
		return now.f64 - before.f64;
	return (double)(int64_t)(now.u64 - before.u64);
}

/* Compute an average of the time since the sample before; or NaN. */
static double
average_since(const struct record_run *run, const struct recording_event *event)
{
	double *results = calloc(event->step_count, sizeof(*results));
	double value = NAN;

	if (!results)
		return NAN;
	drmperf_formula_value(event->steps, event->step_count,
			      series_difference, run, results);
	value = results[event->step_count - 1];
	free(results);
	return value;
}

static double
value_since(const struct record_run *run, const struct recording_event *event)
{
	const union drmperf_value now = run->sample[event->series].value;

	if (event->steps)
		return average_since(run, event);
	if (event->event.kind == DRMPERF_KIND_CUMULATIVE)
		return series_difference(run, (unsigned)event->series);
	return event->event.type == DRMPERF_TYPE_DOUBLE ? now.f64
							: (double)now.u64;
}

/* Return a series that an event is made of. */
static size_t
series_of(const struct recording_event *event)
{
	for (size_t i = 0; i < event->step_count; i++) {
		if (event->steps[i].operation == DRMPERF_OPERATION_PART)
			return event->steps[i].part;
	}
	return event->steps ? 0 : event->series;
}

static void
trace_event(struct record_run *run, const struct recording_event *event,
	    uint64_t time_ns)
{
	const size_t series = series_of(event);
	const struct user_event traced = {
		.time_ns = time_ns,
		.length_ns =
			run->sample[series].end_ns - run->before[series].end_ns,
		.value = value_since(run, event),
		.is_integer = event->event.type != DRMPERF_TYPE_DOUBLE,
		.device = event->event.device,
		.instance = event->event.instance,
		.name = event->event.name,
		.unit = drmperf_unit_name(event->event.unit),
	};

	if (run->sample[series].die != RECORDING_NEVER)
		user_events_write(run->tool, &run->tracepoint, &traced);
}

/* Trace what was counted since the sample before, if there was one. */
static void
trace_sample(struct record_run *run, uint64_t time_ns)
{
	const size_t count = run->series.event_count;

	for (size_t i = 0; run->samples && i < count; i++) {
		if (run->series.events[i].asked &&
		    user_events_are_traced(&run->tracepoint))
			trace_event(run, &run->series.events[i], time_ns);
	}
	memcpy(run->before, run->sample,
	       run->series.choice.count * sizeof(*run->before));
}

static int
take_sample(struct record_run *run)
{
	struct recording_sample sample = { .values = run->sample };
	int ret;

	if (!run->session || (run->lost && !resume_lost_gpu(run)))
		return 0;
	ret = drmperf_session_read(run->session, run->values, run->statuses,
				   &sample.time_ns, &run->error);
	if (ret < 0) {
		run->broken = true;
		return report_end(run, &run->error);
	}
	if (ret > 0 && is_over(run))
		return note_loss(run);
	mark_gaps(run);
	for (size_t i = 0; i < run->series.choice.count; i++)
		take_value(run, i);
	recorder_add_sample(&run->recorder, &sample);
	trace_sample(run, sample.time_ns);
	if (!run->samples++)
		run->first_ns = spawn_now_ns();
	run->last_ns = spawn_now_ns();
	return 0;
}

/* Take a stream. One that a reset has ended does not begin again. */
static int
take_stream(struct record_run *run)
{
	int ret = stream_recorder_write(&run->stream, &run->error);

	if (!ret)
		return 0;
	run->broken = true;
	return report_end(run, &run->error);
}

/* Take stalls. When their samples have ended, counters are recorded further. */
static int
take_stalls(struct record_run *run)
{
	if (!stall_sampler_write(&run->sampler, &run->recorder, &run->error))
		return 0;
	run->stalls_ended = true;
	report_end(run, &run->error);
	return run->session ? 0 : TOOL_FAILED;
}

static int
take_round(struct record_run *run)
{
	int status, stalls;

	take_tasks(run);
	mark_reader_drain(&run->marks, take_mark, run);
	raw_buffer_write(&run->raw, &run->recorder);
	stalls = take_stalls(run);
	if (run->broken)
		status = 0;
	else
		status = run->stream.stream ? take_stream(run)
					    : take_sample(run);
	if (!status)
		status = stalls;
	record_flush(run, spawn_now_ns());
	return status ? status : check_output(run);
}

/*
 * Count the samples that have been due since next, but for the one that comes
 * now.
 */
static void
count_missed(struct record_run *run, uint64_t next, uint64_t now)
{
	if (now > next)
		run->missed += (now - next) / run->period_ns;
}

/*
 * Return the next period. Samples are due at whole periods; those that the
 * machine missed are left.
 */
static uint64_t
next_period(struct record_run *run, uint64_t next)
{
	const uint64_t now = spawn_now_ns();

	next += run->period_ns;
	count_missed(run, next, now);
	return next > now ? next : now;
}

/*
 * Take samples from the start on. The command goes on when something could not
 * be recorded.
 */
static int
record_watch(struct record_run *run, struct spawn *spawn, uint64_t start)
{
	uint64_t end = UINT64_MAX, next = start + run->period_ns;
	int failed = 0;

	if (run->timeout_ms)
		end = start + (uint64_t)run->timeout_ms * NS_PER_MS;
	while (spawn_wait(spawn, next < end ? next : end) == SPAWN_TIME) {
		if (end <= next)
			break;
		next = next_period(run, next);
		failed = take_round(run);
		if (failed && !spawn->pid)
			break;
		if (failed) {
			raw_buffer_end(&run->raw);
			next = UINT64_MAX;
		}
	}
	/* the command may end before the recorder gets to run again */
	count_missed(run, next, spawn_now_ns());
	return failed;
}

/* ------------------------------------------------------------------ */
/* One run                                                              */

/* Record the name of a process that runs already: no event will report it. */
static void
name_process(struct record_run *run, pid_t pid)
{
	struct recording_task task = {
		.kind = RECORDING_TASK_NAME,
		.time_ns = spawn_now_ns(),
		.process = pid,
		.thread = pid,
	};
	char path[64], name[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(name, sizeof(name), file)) {
		name[strcspn(name, "\n")] = '\0';
		task.name = name;
		recorder_add_task(&run->recorder, &task);
	}
	fclose(file);
}

static int
open_tasks(struct record_run *run, pid_t pid)
{
	int ret;

	if (run->everything)
		return tasks_open(-1, &run->tasks);
	if (!run->pid)
		return tasks_open(pid, &run->tasks);
	ret = tasks_open_running(run->pid, &run->tasks);
	if (!ret)
		name_process(run, run->pid);
	return ret;
}

/* Follow processes. A failure to do so is no reason not to record counters. */
static void
follow_tasks(struct record_run *run, pid_t pid)
{
	int ret;

	if (!pid && !run->pid && !run->everything)
		return;
	ret = open_tasks(run, pid);
	if (ret == -EACCES || ret == -EPERM)
		tool_warn(run->tool,
			  "processes are not recorded: this needs root, "
			  "CAP_PERFMON or a lower "
			  "/proc/sys/kernel/perf_event_paranoid");
	else if (ret)
		tool_warn(run->tool, "processes are not recorded: %s",
			  strerror(-ret));
}

static int
try_to_start(struct record_run *run, pid_t pid, bool keeps_reports,
	     struct drmperf_error *error)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options),
		.pid = run->everything ? -1
		       : run->pid      ? run->pid
				       : pid,
		.raw = keeps_reports ? raw_buffer_take : NULL,
		.raw_data = &run->raw,
		.raw_period_ns = run->period_ns,
		/* a GPU that -d does not name may be in use by others */
		.partial = run->tool->automatic && !keeps_reports ? 2 : 1,
	};
	const struct selection_list *choice = &run->series.choice;
	int ret;

	held_clocks_before(run->tool->drmperf, choice->selections,
			   choice->count, &run->clocks);
	ret = drmperf_session_create(run->tool->drmperf, choice->selections,
				     choice->count, &options, &run->session,
				     error);
	if (!ret)
		ret = queue_access_take(&run->queues, choice->selections,
					choice->count, error);
	if (!ret)
		ret = drmperf_session_start(run->session, error);
	if (!ret)
		held_clocks_during(&run->clocks);
	return ret;
}

/*
 * Return whether counters of shaders may stream. From gfx11 on they are
 * SQ_WGP's, which are off at first.
 */
static bool
may_stream_shaders(const struct tool *tool)
{
	const char *untested = secure_getenv("DRMPERF_UNTESTED");
	struct drmperf_selection selection;
	struct drmperf_error error;

	return (untested && strstr(untested, "STREAM.SQ_WGP")) ||
	       drmperf_event_find(tool->drmperf, "amdgpu::SQ_WGP.WAVES",
				  &selection, &error);
}

/*
 * Add what radv streams by default (Mesa, ac_spm.c), without the traffic of
 * memory and of the bus, whose counters are not known well enough.
 */
static int
add_stream_events(struct record_run *run)
{
	static char shaders[] = "metric.InstCacheHit,metric.ScalarCacheHit,"
				"metric.LDSBankConflict";
	static char others[] =
		"metric.L0CacheHit,metric.L1CacheHit,metric.L2CacheHit,"
		"metric.MemUnitBusy,metric.MemUnitStalled,metric.FetchSize";
	int ret = 0;

	if (may_stream_shaders(run->tool))
		ret = event_lists_add(run->tool, &run->lists, 'e', shaders);
	return ret ? ret
		   : event_lists_add(run->tool, &run->lists, 'e', others);
}

static int
start_stream(struct record_run *run)
{
	const struct selection_list *choice = &run->series.choice;
	struct drmperf_error error;

	held_clocks_before(run->tool->drmperf, choice->selections,
			   choice->count, &run->clocks);
	if (stream_recorder_start(&run->stream, run->tool->drmperf,
				  &run->series, run->interval, &run->recorder,
				  &error)) {
		tool_complain(run->tool, &error);
		return TOOL_FAILED;
	}
	held_clocks_during(&run->clocks);
	return 0;
}

/*
 * Start the session. Where another process of this user gets the reports,
 * samples are recorded.
 */
static int
start_session(struct record_run *run, pid_t pid)
{
	/* a tracepoint has samples when they are taken */
	bool keeps_reports = run->period_ns <= REPORT_NS && !run->traces;
	struct drmperf_error error;
	int ret;

	if (!run->series.choice.count)
		return 0;
	if (run->streams)
		return start_stream(run);
	ret = try_to_start(run, pid, keeps_reports, &error);
	if (ret == -EBUSY && keeps_reports) {
		drmperf_session_destroy(run->session);
		run->session = NULL;
		keeps_reports = false;
		ret = try_to_start(run, pid, keeps_reports, &error);
	}
	if (ret)
		return tool_complain(run->tool, &error);
	if (raw_buffer_begin(&run->raw, keeps_reports ? run->session : NULL,
			     &run->recorder))
		return tool_fail(run->tool, "no memory");
	return 0;
}

static bool
reports_have_all(const struct record_run *run)
{
	const struct selection_list *choice = &run->series.choice;

	for (size_t i = 0; i < choice->count; i++) {
		if (!raw_buffer_has(&run->raw, choice->selections[i].event))
			return false;
	}
	return true;
}

/* Write which queues are seen, if there are events that do not see all work. */
static void
write_queues(struct record_run *run)
{
	if (run->queues.count)
		recorder_add_queues(&run->recorder,
				    queue_access_least(&run->queues));
}

static int
record_start(struct record_run *run, pid_t pid)
{
	int status = start_session(run, pid);

	if (status)
		return status;
	for (size_t i = 0; i < run->verdicts.count; i++)
		recorder_add_verdict(&run->recorder, &run->verdicts.list[i]);
	for (size_t i = 0; i < run->roofline.count; i++)
		recorder_add_roof(&run->recorder, &run->roofline.list[i]);
	write_queues(run);
	if (run->streams && stream_recorder_write_head(&run->stream))
		return tool_fail(run->tool, "no memory");
	for (size_t i = 0; i < run->clocks.count; i++) {
		if (run->clocks.list[i].is_held)
			recorder_add_clocks(&run->recorder,
					    &run->clocks.list[i]);
	}
	if (run->stalls)
		status = stall_sampler_start(run->tool, &run->sampler,
					     &run->recorder);
	if (status)
		return status;
	if (run->session && reports_have_all(run) && run->period_ns < LOOK_NS)
		run->period_ns = LOOK_NS;
	follow_tasks(run, pid);
	return take_round(run);
}

/* Stop. The last values are those of the time when counting was stopped. */
static int
record_stop(struct record_run *run)
{
	struct drmperf_error error;
	int ret = 0, status;
	bool had_gap = run->has_gap;

	if (run->session)
		ret = drmperf_session_stop(run->session, &error);
	queue_access_release(&run->queues);
	stall_sampler_stop(&run->sampler);
	run->retry_ns = UINT64_MAX;
	status = take_round(run);
	if (run->lost || run->stalls_ended)
		status = TOOL_FAILED;
	for (size_t i = 0; i < run->series.choice.count; i++)
		had_gap |= run->statuses[i] != 0;
	/* otherwise the hardware could not be put back */
	if (ret && !status && !run->broken && !had_gap)
		status = tool_complain(run->tool, &error);
	return status;
}

/*
 * Publish the file. A recording can be read while it is made, and if this
 * process is killed.
 */
static int
publish_file(struct record_run *run)
{
	int ret = output_file_publish(&run->file);

	run->is_kept = !ret;
	return ret ? tool_fail(run->tool, "cannot write %s: %s", run->path,
			       strerror(-ret))
		   : 0;
}

static int
record_spawned(struct record_run *run, struct spawn *spawn)
{
	int status = record_start(run, spawn->pid), stopped;
	uint64_t start;

	if (status && spawn->pid)
		spawn_cancel(spawn);
	if (!status && spawn->pid)
		status = spawn_exec(run->tool, run->command[0], spawn);
	/* Samples are due from before the file can be seen. */
	start = spawn_now_ns();
	if (!status)
		status = publish_file(run);
	if (status)
		return status;
	status = record_watch(run, spawn, start);
	stopped = record_stop(run);
	if (!status)
		status = stopped;
	if (!status) {
		write_queues(run);
		recorder_end(&run->recorder);
	}
	return status ? status : spawn->status;
}

static int
record_prepare(struct record_run *run, struct spawn_signals *signals,
	       struct spawn *spawn)
{
	const struct selection_list *choice = &run->series.choice;
	int status = 0;

	if (run->command[0])
		queue_access_prepare(&run->queues, choice->selections,
				     choice->count);
	if (run->regions)
		status = mark_reader_begin(run->tool, run->command[0],
					   &run->marks);
	if (status)
		return status;
	if (run->command[0])
		return spawn_prepare(run->tool, signals, run->command, spawn);
	if (run->pid)
		return spawn_watch(run->tool, signals, run->pid, spawn);
	return 0;
}

/*
 * Run a recording. Interrupted where there is no command, it has done what it
 * was to do.
 */
static int
record_run(struct record_run *run, struct spawn_signals *signals)
{
	struct spawn spawn = { .signals = signals };
	int status;

	status = record_prepare(run, signals, &spawn);
	if (!status)
		status = record_spawned(run, &spawn);
	spawn_unwatch(&spawn);
	return status == 128 + spawn.interrupted && !run->command[0] ? 0
								     : status;
}

/* ------------------------------------------------------------------ */
/* The command                                                          */

/* Return a stream to the file: compressed, if it can be. */
static FILE *
open_stream(const struct record_run *run, int fd)
{
	FILE *out = run->level ? zstd_compress(fd, run->level) : NULL;

	if (out || (run->level && run->has_level))
		return out;
	return fdopen(fd, "w");
}

/* Create a file for its owner alone: counters show work of others, too. */
static FILE *
create_file(struct record_run *run)
{
	int fd = output_file_create(&run->file, run->path, 0600);

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	run->file.out = open_stream(run, fd);
	if (!run->file.out) {
		int code = errno;

		close(fd);
		output_file_close(&run->file, false);
		errno = code;
	}
	return run->file.out;
}

static int
open_file(struct record_run *run)
{
	FILE *out = create_file(run);

	if (!out && errno == ENOTSUP && run->has_level)
		return tool_fail(run->tool,
				 "cannot compress %s: there is no libzstd "
				 "(without -z it is not compressed)",
				 run->path);
	if (!out)
		return tool_fail(run->tool, "%s: %s", run->path,
				 strerror(errno));
	recorder_begin(&run->recorder, out, run->command);
	for (size_t i = 0; i < run->series.event_count; i++)
		recorder_add_event(&run->recorder, &run->series.events[i]);
	fflush(out);
	return check_output(run);
}

static int
close_file(struct record_run *run, int status)
{
	int ret = 0;

	if (run->recorder.out)
		ret = output_file_close(&run->file, false);
	if (ret && !status)
		status = tool_fail(run->tool, "cannot write %s: %s", run->path,
				   strerror(-ret));
	return status;
}

/*
 * Print the number of reports of OA units, or of samples, that a report's table
 * is made of.
 */
static void
report_count(const struct record_run *run)
{
	const bool of_reports = reports_have_all(run) && run->raw.records;
	const uint64_t count = of_reports ? run->raw.records : run->samples;
	const uint64_t span_ns = run->last_ns - run->first_ns;

	fprintf(stderr, "drmperf record: %llu %s in %s",
		(unsigned long long)count, of_reports ? "reports" : "samples",
		run->path);
	if (count > 1 && span_ns)
		fprintf(stderr, ", %.4g a second",
			(double)(count - 1) * 1e9 / (double)span_ns);
	fprintf(stderr, " (drmperf report %s)\n", run->path);
	if (run->missed && !of_reports)
		tool_warn(run->tool,
			  "%llu of %llu samples that were due are missing: the "
			  "machine was busy, or a sample takes longer than a "
			  "period",
			  (unsigned long long)run->missed,
			  (unsigned long long)(run->missed + run->samples));
}

/* Name the GPUs that are left out although no -d keeps them out. */
static void
report_left_out(const struct record_run *run)
{
	const struct tool *tool = run->tool;
	unsigned count = drmperf_device_count(tool->drmperf);
	const char *before = "drmperf record: not recorded: GPU";

	if (tool->device || (choose_means_several(tool) && !tool->automatic))
		return;
	for (unsigned i = 0; i < count; i++) {
		if (selection_list_has_device(
			    &run->wanted.choice,
			    drmperf_device_at(tool->drmperf, i)))
			continue;
		fprintf(stderr, "%s %u", before, i);
		before = ",";
	}
	if (*before == ',')
		fputs(" (-d chooses GPUs)\n", stderr);
}

/* Print how many samples of stalls there are, and whether some are missing. */
static void
report_stalls(const struct record_run *run)
{
	const struct stall_sampler *sampler = &run->sampler;
	char times[32];

	fprintf(stderr,
		"drmperf record: %llu samples of EU stalls, of all programs, "
		"in %s (drmperf report --stalls %s)\n",
		(unsigned long long)sampler->samples, run->path, run->path);
	if (!sampler->losses)
		return;
	if (sampler->losses == 1)
		strcpy(times, "once");
	else
		snprintf(times, sizeof(times), "%llu times",
			 (unsigned long long)sampler->losses);
	tool_warn(run->tool,
		  "the GPU dropped samples of EU stalls %s, how many is not "
		  "known%s",
		  times,
		  run->stall_period
			  ? ": without CLOCKS --stalls takes the fewest"
			  : "");
}

static void
record_report_missed(const struct record_run *run)
{
	if (run->lost_tasks)
		tool_warn(run->tool,
			  "%llu events of processes were lost: the machine was "
			  "too busy",
			  (unsigned long long)run->lost_tasks);
	if (mark_reader_lost(&run->marks))
		tool_warn(run->tool,
			  "%llu marks of regions were lost: there were too "
			  "many",
			  (unsigned long long)mark_reader_lost(&run->marks));
	held_clocks_print(stderr, "drmperf record: ", &run->clocks);
	queue_access_print(stderr, "drmperf record: ", &run->queues);
	if (run->stalls && run->recorder.out)
		report_stalls(run);
	if (run->stream.stream)
		stream_recorder_report(&run->stream, run->tool, run->path);
	if (!run->samples)
		return;
	if (run->may_miss_resets)
		tool_warn(run->tool,
			  "OA counters may be too low if the GPU was reset "
			  "(see dmesg): not every reset can be noticed");
	report_left_out(run);
	report_count(run);
}

/*
 * Find a series; averages are computed when the recording is read, for any part
 * of it.
 */
static int
find_series(struct record_run *run)
{
	const struct selection_list *asked = &run->wanted.choice;
	struct drmperf_error error;

	if (!run->streams && !passes_fit(run->tool, asked, &error))
		return tool_complain(run->tool, &error);
	return columns_find(run->tool, asked, &run->series);
}

/*
 * Find verdicts and roofs if metric groups were requested, as in stat. Events
 * that were requested come first in a recording, in their order.
 */
static int
find_verdicts(struct record_run *run)
{
	const struct selection_list *asked = &run->wanted.choice;
	int status;

	if (!event_lists_have_groups(&run->lists))
		return 0;
	status = peaks_read(run->tool, asked, &run->peaks);
	if (!status)
		status = verdict_rules_find(run->tool, asked, &run->lists,
					    &run->peaks, &run->verdicts);
	if (!status)
		status = roofline_find(run->tool, asked, &run->peaks,
				       &run->roofline);
	return status;
}

/* Find out what is to be recorded of counters. */
static int
find_events(struct record_run *run)
{
	int status;

	if (run->stalls && !run->lists.count)
		return 0;
	if (run->streams && !run->lists.count) {
		status = add_stream_events(run);
		if (status)
			return status;
	}
	if (!run->everything)
		choose_automatically(run->tool, &run->several);
	choose_leave_clocks(run->tool);
	run->wanted.of_whole_gpu = true;
	status = event_lists_read(run->tool, &run->lists,
				  "record it on its own", &run->wanted);
	choose_settle(run->tool);
	if (!status)
		status = event_request_check_scopes(run->tool, &run->wanted);
	if (!status)
		status = find_series(run);
	if (!status)
		status = find_verdicts(run);
	return status;
}

static int
record_events(struct record_run *run)
{
	struct spawn_signals signals;
	size_t count;
	int status = find_events(run);

	if (!status && run->stalls)
		status = stall_sampler_open(run->tool, run->stall_period,
					    &run->sampler);
	if (status)
		return status;
	count = run->series.choice.count;
	run->values = calloc(count + 1, sizeof(*run->values));
	run->sample = calloc(3 * count + 1, sizeof(*run->sample));
	run->base = run->sample + count;
	run->before = run->base + count;
	run->statuses = calloc(2 * count + 1, sizeof(*run->statuses));
	run->known_statuses = run->statuses + count;
	if (!run->values || !run->sample || !run->statuses ||
	    raw_buffer_init(&run->raw, run->tool->drmperf))
		return tool_fail(run->tool, "no memory");
	if (run->traces)
		status = user_events_open(run->tool, &run->tracepoint);
	if (status)
		return status;
	spawn_block_signals(&signals);
	status = open_file(run);
	if (!status)
		status = record_run(run, &signals);
	status = close_file(run, status);
	if (run->is_kept)
		record_report_missed(run);
	spawn_unblock_signals(&signals);
	return status;
}

static void
record_finish(struct record_run *run)
{
	tasks_close(run->tasks);
	mark_reader_finish(&run->marks);
	user_events_close(&run->tracepoint);
	stall_sampler_finish(&run->sampler);
	drmperf_session_destroy(run->session);
	stream_recorder_finish(&run->stream);
	recorder_finish(&run->recorder);
	free(run->values);
	free(run->sample);
	free(run->statuses);
	raw_buffer_finish(&run->raw);
	columns_finish(&run->series);
	queue_access_finish(&run->queues);
	held_clocks_finish(&run->clocks);
	verdict_rules_finish(&run->verdicts);
	roofline_finish(&run->roofline);
	peaks_finish(&run->peaks);
	event_request_finish(&run->wanted);
	selection_list_finish(&run->several);
	event_lists_finish(&run->lists);
}

static int
read_frequency(struct tool *tool, const char *text, void *period_ns)
{
	unsigned hz = 1;
	int status = tool_read_number(tool, text, "-F", MOST_HZ, &hz);

	*(uint64_t *)period_ns = NS_PER_S / hz;
	return status;
}

static int
read_period(struct tool *tool, const char *text, void *out)
{
	unsigned period_ns = 0;
	int status = tool_read_number(tool, text, "-c", UINT_MAX, &period_ns);

	if (!status && period_ns < LEAST_NS)
		return tool_usage_error(
			tool, "-c takes %d nanoseconds at least", LEAST_NS);
	*(uint64_t *)out = period_ns;
	return status;
}

static int
read_stalls(struct tool *tool, const char *text, void *object)
{
	struct record_run *run = object;

	run->stalls = true;
	return text ? tool_read_number(tool, text, "--stalls", UINT_MAX,
				       &run->stall_period)
		    : 0;
}

static int
read_level(struct tool *tool, const char *text, void *object)
{
	struct record_run *run = object;

	run->has_level = true;
	run->level = 0;
	if (!strcmp(text, "0"))
		return 0;
	return tool_read_number(tool, text, "-z", ZSTD_MOST_LEVEL, &run->level);
}

static const struct command_option record_options[] = {
	{ "event", 'e', "EVENTS",
	  COMMAND_READ(struct record_run, lists, event_lists_add_events),
	  .help = "what to count; may be repeated" },
	{ "input", 'i', "FILE",
	  COMMAND_READ(struct record_run, lists, event_lists_add_file),
	  .help = "events from a file" },
	EVENT_LISTS_OPTIONS(struct record_run),
	{ "stalls", 0, "CLOCKS", .is_optional = true, COMMAND_CALL(read_stalls),
	  .help = "where programs wait: samples of EU stalls, one every "
		  "CLOCKS of the GPU's clock (default: the fewest); without "
		  "-e, -i and -M no events" },
	{ "stream", 0, NULL, COMMAND_FLAG(struct record_run, streams),
	  .help = "what the GPU writes of counters by itself, every few "
		  "thousand clocks: microseconds; of AMD GPUs, alone" },
	{ "every", 0, "CLOCKS",
	  COMMAND_NUMBER(struct record_run, interval, UINT16_MAX),
	  .help = "with --stream: how often, in clocks of the GPU (default: "
		  "4096)" },
	{ "regions", 0, NULL, COMMAND_FLAG(struct record_run, regions),
	  .help = "regions that programs mark by drmperf_marker.h, roctx, ITT "
		  "or PAPI's high-level interface" },
	{ "user-events", 0, NULL, COMMAND_FLAG(struct record_run, traces),
	  .help = "samples as the tracepoint user_events:drmperf_counter, "
		  "too, for perf record, trace-cmd and Perfetto (Linux 6.4)" },
	{ "freq", 'F', "HZ",
	  COMMAND_READ(struct record_run, period_ns, read_frequency),
	  .help = "samples a second (default: 100)" },
	{ "count", 'c', "NS",
	  COMMAND_READ(struct record_run, period_ns, read_period),
	  .help = "take a sample every NS nanoseconds" },
	{ "pid", 'p', "PID",
	  COMMAND_READ(struct record_run, pid, tool_read_pid),
	  .help = "record until this process ends" },
	{ "all", 'a', NULL, COMMAND_FLAG(struct record_run, everything),
	  .help = "all processes; without a command record until Ctrl-C" },
	{ "timeout", 0, "MS", COMMAND_MS(struct record_run, timeout_ms),
	  .help = "with -a or -p: stop after MS milliseconds" },
	{ "output", 'o', "FILE", COMMAND_TEXT(struct record_run, path),
	  .help = "write to this file (default: drmperf.data)" },
	{ "compression-level", 'z', "N", COMMAND_CALL(read_level),
	  .help = "compress it by zstd, 1 to 19; 0: do not (default: 1, but 0 "
		  "without libzstd, with --stream, or past 1000 Hz)" },
	{ 0 },
};

static int
check_stream_usage(struct record_run *run)
{
	if (run->interval && !run->streams)
		return tool_usage_error(run->tool, "--every is for --stream");
	if (run->streams && (run->stalls || run->period_ns))
		return tool_usage_error(run->tool,
					"--stream excludes --stalls, -F and "
					"-c");
	if (!run->period_ns)
		run->period_ns = run->streams ? STREAM_NS
					      : NS_PER_S / DEFAULT_HZ;
	return 0;
}

static void
choose_level(struct record_run *run)
{
	if (!run->has_level && !run->streams &&
	    run->period_ns >= COMPRESSED_NS)
		run->level = DEFAULT_LEVEL;
}

static int
check_usage(const struct record_run *run)
{
	bool has_command = run->command[0];

	if (has_command && run->pid)
		return tool_usage_error(run->tool, "either a command or -p "
						   "PID, not both");
	if (!has_command && !run->everything && !run->pid)
		return tool_usage_error(run->tool,
					"no command given; -a records without "
					"one, until Ctrl-C");
	if (!has_command && run->regions)
		return tool_usage_error(run->tool,
					"--regions is for a command: running "
					"programs send no marks");
	if (has_command && run->timeout_ms)
		return tool_usage_error(run->tool,
					"--timeout is for -a and -p: a command "
					"ends by itself");
	return 0;
}

static int
record_main(struct tool *tool, int argc, char **argv)
{
	struct record_run run = { .tool = tool, .path = DEFAULT_FILE };
	int status = tool_read_options(tool, &record_command, argc, argv, &run);

	run.command = (const char *const *)argv + optind;
	if (!status)
		status = check_usage(&run);
	if (!status)
		status = check_stream_usage(&run);
	choose_level(&run);
	if (!status)
		status = record_events(&run);
	record_finish(&run);
	return status;
}

const struct tool_command record_command = {
	.name = "record",
	.summary = "write counters over time to a file",
	.usage =
		"usage: drmperf record [OPTION]... [--] COMMAND [ARGUMENT]...\n"
		"       drmperf record [OPTION]... -a | -p PID\n"
		"Sample events while a command runs, and write them to a "
		"file for drmperf report.\n",
	.options = record_options,
	.notes = "GPU counters count the whole GPU, all programs that use "
		 "it. All events have to\n"
		 "fit one pass. The exit code is that of the command; 125 if "
		 "drmperf failed;\n"
		 "126 or 127 if the command cannot be run or is not found.\n",
	.takes_command = true,
	.run = record_main,
};
