/* SPDX-License-Identifier: BSD-3-Clause */
#include "event/event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "kernel/call.h"
#include "kernel/stream.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define ALL_FLAGS                                                              \
	(PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP |  \
	 PERF_FLAG_FD_CLOEXEC)
/* Bit 4, the number of lost samples, is younger than some headers. */
#define FORMAT_LOST 16u
#define FORMATS_KNOWN                                                          \
	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |     \
	 PERF_FORMAT_ID | PERF_FORMAT_GROUP | FORMAT_LOST)
#define SAMPLE_TYPES_END (1ull << 25)

struct event {
	const struct sim_pmu *pmu;
	struct sim_stream *stream;
	uint64_t id, config, format;
	int cpu;
	bool has_clock;
	int clock;
	struct event *leader; /* itself, if it leads or is alone */
	struct event *sibling; /* the next in the group */
	struct event *next; /* of all events */
	unsigned siblings; /* the leader: how many follow */

	bool enabled;
	bool counted; /* enabled, and the leader too: time goes on */
	bool running; /* has a counter of the hardware */
	uint64_t since; /* of the last update */
	uint64_t previous; /* the hardware's count then */
	uint64_t count, time_enabled, time_running;
};

static uint64_t last_id;
static struct event *all;

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static uint64_t
read_hardware(const struct event *event, uint64_t now)
{
	return event->pmu->ops->read(event->pmu->data, event->config, now);
}

static bool
is_level(const struct event *event)
{
	const struct sim_pmu_ops *ops = event->pmu->ops;

	return ops->is_level && ops->is_level(event->config);
}

static void
event_update(struct event *event, uint64_t now)
{
	uint64_t value;

	if (event->counted)
		event->time_enabled += now - event->since;
	/* counts of a device that is gone stand still, time does not */
	if (event->running && !sim_stream_is_gone(event->stream)) {
		value = read_hardware(event, now);
		event->count += value;
		if (!is_level(event))
			event->count -= event->previous;
		event->previous = value;
		event->time_running += now - event->since;
	}
	event->since = now;
}

static void
event_start(struct event *event, uint64_t now)
{
	const struct sim_pmu *pmu = event->pmu;

	event->counted = true;
	if (event->running ||
	    (pmu->ops->add && pmu->ops->add(pmu->data, event->config)))
		return;
	event->running = true;
	event->previous = read_hardware(event, now);
}

static void
event_stop(struct event *event, uint64_t now)
{
	const struct sim_pmu *pmu = event->pmu;
	bool gives_back = event->running && pmu->ops->remove;

	event->running = event->counted = false;
	if (!gives_back)
		return;
	pmu->ops->remove(pmu->data, event->config);
	/* another event may have waited for the counter */
	for (struct event *e = all; e; e = e->next) {
		if (e->pmu->data == pmu->data && e->counted && !e->running) {
			event_update(e, now);
			event_start(e, now);
		}
	}
}

/* Schedule the event if it counts, or not any more. */
static void
event_schedule(struct event *event, uint64_t now)
{
	event_update(event, now);
	if (event->enabled && event->leader->enabled)
		event_start(event, now);
	else
		event_stop(event, now);
}

#define for_each_in_group(lead, e)                                             \
	for (struct event *e = (lead); e; e = e->sibling)

static uint64_t
now_of(const struct event *event)
{
	return sim_now(event->pmu->gpu->sim);
}

static void
schedule_group(struct event *leader)
{
	for_each_in_group(leader, e) event_schedule(e, now_of(e));
}

/* ------------------------------------------------------------------ */
/* read()                                                               */

static size_t
put_words(const struct event *event, uint64_t format, uint64_t *out)
{
	size_t n = 0;

	out[n++] = event->count;
	if (format & PERF_FORMAT_ID)
		out[n++] = event->id;
	if (format & FORMAT_LOST)
		out[n++] = 0;
	return n;
}

static size_t
put_times(const struct event *event, uint64_t format, uint64_t *out)
{
	size_t n = 0;

	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		out[n++] = event->time_enabled;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		out[n++] = event->time_running;
	return n;
}

/*
 * Put a single event: value, times, then id and lost. The times come between.
 */
static size_t
put_single(const struct event *event, uint64_t *out)
{
	uint64_t words[3];
	size_t words_count = put_words(event, event->format, words);
	size_t n = 0;

	out[n++] = words[0];
	n += put_times(event, event->format, out + n);
	memcpy(out + n, words + 1, (words_count - 1) * sizeof(*out));
	return n + words_count - 1;
}

static size_t
put_group(const struct event *event, uint64_t *out)
{
	struct event *leader = event->leader;
	size_t n = 0;

	out[n++] = leader->siblings + 1;
	n += put_times(leader, event->format, out + n);
	for_each_in_group(leader, e) n += put_words(e, event->format, out + n);
	return n;
}

static int
event_read(struct sim_call *call, struct sim_stream *stream, uint64_t buffer,
	   uint64_t size, bool nonblocking)
{
	struct event *event = sim_stream_data(stream);
	uint64_t *out =
		calloc(3 + 3 * (event->leader->siblings + 1), sizeof(*out));
	size_t bytes;
	int error;

	(void)nonblocking;
	if (!out)
		return -ENOMEM;
	for_each_in_group(event->leader, e) event_update(e, now_of(e));
	bytes = sizeof(*out) * (event->format & PERF_FORMAT_GROUP
					? put_group(event, out)
					: put_single(event, out));
	error = size < bytes ? -ENOSPC : sim_call_put(call, buffer, out, bytes);
	free(out);
	return error ? error : (int)bytes;
}

/* ------------------------------------------------------------------ */
/* ioctl() and close()                                                  */

static void
set_enabled(struct event *event, bool enabled)
{
	event->enabled = enabled;
	schedule_group(event->leader);
}

static void
event_reset_count(struct event *event)
{
	event_update(event, now_of(event));
	event->count = 0;
}

static int
event_change(struct event *event, unsigned long request)
{
	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
		set_enabled(event, true);
		return 0;
	case PERF_EVENT_IOC_DISABLE:
		set_enabled(event, false);
		return 0;
	}
	event_reset_count(event);
	return 0;
}

static int
event_ioctl(struct sim_call *call, struct sim_stream *stream,
	    unsigned long request, uint64_t arg)
{
	struct event *event = sim_stream_data(stream);

	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
	case PERF_EVENT_IOC_DISABLE:
	case PERF_EVENT_IOC_RESET:
		if (!(arg & PERF_IOC_FLAG_GROUP))
			return event_change(event, request);
		for_each_in_group(event->leader, e) event_change(e, request);
		return 0;
	case PERF_EVENT_IOC_ID:
		return sim_call_put(call, arg, &event->id, sizeof(event->id));
	case PERF_EVENT_IOC_REFRESH:
	case PERF_EVENT_IOC_PERIOD:
		/* only for sampling events */
		return -EINVAL;
	}
	return -ENOTTY;
}

static void
leave_group(struct event *event)
{
	struct event **place = &event->leader->sibling;

	while (*place != event)
		place = &(*place)->sibling;
	*place = event->sibling;
	event->leader->siblings--;
}

/* Turn the members of the group into single events. */
static void
dissolve_group(struct event *leader)
{
	struct event *next, *e = leader->sibling;

	for (; e; e = next) {
		next = e->sibling;
		event_update(e, now_of(e));
		e->leader = e;
		e->sibling = NULL;
		event_schedule(e, now_of(e));
	}
}

static void
event_close(struct sim_stream *stream)
{
	struct event *event = sim_stream_data(stream);
	struct event **place = &all;

	event_stop(event, now_of(event));
	if (event->leader != event)
		leave_group(event);
	else
		dissolve_group(event);
	while (*place != event)
		place = &(*place)->next;
	*place = event->next;
	free(event);
}

static const struct sim_stream_ops event_ops = {
	.name = "perf_event",
	.read = event_read,
	.ioctl = event_ioctl,
	.close = event_close,
};

/* ------------------------------------------------------------------ */
/* perf_event_open()                                                    */

void
sim_event_put_paranoid(struct sim_gpu *gpu)
{
	sim_gpu_default_number_file(gpu, PARANOID, 2);
}

static int
check_attributes(const struct perf_event_attr *attr)
{
	if (attr->sample_type >= SAMPLE_TYPES_END ||
	    (attr->read_format & ~(uint64_t)FORMATS_KNOWN))
		return -EINVAL;
	if (!attr->freq && (attr->sample_period >> 63))
		return -EINVAL;
	return 0;
}

static bool
excludes_any(const struct perf_event_attr *attr)
{
	return attr->exclude_user || attr->exclude_kernel || attr->exclude_hv ||
	       attr->exclude_idle || attr->exclude_host || attr->exclude_guest;
}

static bool
is_clock(int clock)
{
	return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
	       clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME ||
	       clock == CLOCK_TAI;
}

/* Check as perf_event_alloc() and the PMU's event_init do. */
static int
check_event(const struct sim_pmu *pmu, const struct sim_event_request *r)
{
	const struct perf_event_attr *attr = r->attr;
	int error;

	if (r->cpu >= get_nprocs_conf() || r->cpu < -1 ||
	    (r->cpu == -1 && r->pid == -1))
		return -EINVAL;
	if (attr->inherit && (attr->read_format & PERF_FORMAT_GROUP))
		return -EINVAL;
	error = pmu->ops->init ? pmu->ops->init(pmu->data, attr, r->cpu) : 0;
	if (error)
		return error;
	if (pmu->ops->no_exclude && excludes_any(attr))
		return -EINVAL;
	if (attr->use_clockid && !is_clock(attr->clockid))
		return -EINVAL;
	return 0;
}

/*
 * Check the leader. A PMU like this has no context for tasks, and its own for
 * each CPU.
 */
static int
check_leader(const struct event *leader, const struct sim_pmu *pmu,
	     const struct sim_event_request *r)
{
	if (leader->leader != leader || leader->cpu != r->cpu ||
	    leader->pmu != pmu)
		return -EINVAL;
	if (leader->has_clock != r->attr->use_clockid ||
	    (r->attr->use_clockid && leader->clock != r->attr->clockid))
		return -EINVAL;
	return r->attr->exclusive || r->attr->pinned ? -EINVAL : 0;
}

static int
check_open(struct sim_call *call, const struct sim_pmu *pmu,
	   const struct sim_event_request *r)
{
	long paranoid = sim_gpu_read_number(pmu->gpu, PARANOID, 2);
	int error;

	if (r->flags & ~(unsigned long)ALL_FLAGS)
		return -EINVAL;
	/* Debian's kernel refuses everything at level 3 */
	if (paranoid > 2 && !sim_call_is_privileged(call))
		return -EACCES;
	error = check_attributes(r->attr);
	if (error)
		return error;
	if (!r->attr->exclude_kernel && paranoid > 1 &&
	    !sim_call_is_privileged(call))
		return -EACCES;
	if ((r->flags & PERF_FLAG_PID_CGROUP) && (r->pid == -1 || r->cpu == -1))
		return -EINVAL;
	if (r->leader && sim_stream_type(r->leader) != &event_ops)
		return -EBADF;
	if (pmu->gpu->gone)
		return -ENODEV;
	error = check_event(pmu, r);
	if (error)
		return error;
	if (r->pid != -1)
		return -EINVAL;
	if (paranoid > 0 && !sim_call_is_privileged(call))
		return -EACCES;
	return r->leader ? check_leader(sim_stream_data(r->leader), pmu, r) : 0;
}

static void
join_group(struct event *event, struct event *leader)
{
	struct event **place = &leader->sibling;

	event->leader = leader;
	while (*place)
		place = &(*place)->sibling;
	*place = event;
	leader->siblings++;
}

int
sim_event_open(struct sim_call *call, const struct sim_pmu *pmu,
	       const struct sim_event_request *r)
{
	struct sim *sim = pmu->gpu->sim;
	struct event *event;
	int error = check_open(call, pmu, r);

	if (error)
		return error;
	event = calloc(1, sizeof(*event));
	if (!event)
		return -ENOMEM;
	*event = (struct event){
		.pmu = pmu,
		.cpu = r->cpu,
		.config = r->attr->config,
		.format = r->attr->read_format,
		.has_clock = r->attr->use_clockid,
		.clock = r->attr->clockid,
		.leader = event,
		.since = sim_now(sim),
		.enabled = !r->attr->disabled,
	};
	error = sim_stream_create(sim, pmu->gpu, &event_ops, event,
				  &event->stream);
	if (error) {
		free(event);
		return error;
	}
	event->id = ++last_id;
	event->next = all;
	all = event;
	if (r->leader && !(r->flags & PERF_FLAG_FD_NO_GROUP))
		join_group(event, sim_stream_data(r->leader));
	schedule_group(event->leader);
	return sim_stream_give(event->stream, call,
			       r->flags & PERF_FLAG_FD_CLOEXEC, 0);
}
