/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand-in for libdrmperf.so.0 with two GPUs of which the component can
 * expect anything: errors of every kind on demand, averages, momentary values,
 * and numbers that are known beforehand. It follows lib/include/drmperf.h.
 *
 * FAKE_DRMPERF in the environment, words separated by blanks:
 *
 *     no-devices       there is no GPU
 *     create:ERRNO     drmperf_create() fails
 *     open:N:ERRNO     device N cannot be opened
 *     start:ERRNO      sessions cannot be started
 *     read:ERRNO       ... read
 *     stop:ERRNO       ... stopped
 *
 * An exclamation mark behind ERRNO: the first time only.
 *
 * Counters advance when fake_drmperf_work() is called, each by its rate: one
 * plus its position in its device's list, times 1000 on device 1. Counters of
 * SQ do that in each of their four instances. Momentary values stand still.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmperf.h"

#define COUNTERS 12
#define MAX_ACTIVE 8

#ifndef FAKE_MAJOR
#define FAKE_MAJOR DRMPERF_VERSION_MAJOR
#endif

struct drmperf_group {
	const char *name;
	unsigned max_active, instances;
};

struct drmperf_event {
	char name[64];
	const struct drmperf_group *group;
	struct drmperf_device *device;
	enum drmperf_unit unit;
	enum drmperf_type type;
	enum drmperf_kind kind;
	enum drmperf_scope scope;
	unsigned rate;
};

struct drmperf_device {
	unsigned index;
	bool open;
	struct drmperf_event events[COUNTERS + 8];
	size_t event_count;
};

struct drmperf {
	pid_t pid;
	unsigned device_count;
	struct drmperf_device devices[2];
};

struct drmperf_session {
	pid_t pid;
	struct drmperf_selection *selections;
	size_t count;
	uint64_t base, end; /* of the work done */
	bool started, ever_started;
	int missing; /* why the last read lacked all values, or 0 */
};

static _Atomic uint64_t work_done;
static _Atomic long sessions_made;
static _Atomic long events_listed;
/* Looked up once: benchmarks use this library, too. */
static const char *demands;
static pid_t this_process;

static void
note_process(void)
{
	this_process = getpid();
}

__attribute__((constructor)) static void
look_around(void)
{
	demands = getenv("FAKE_DRMPERF");
	note_process();
	pthread_atfork(NULL, NULL, note_process);
}

#define FOR_TESTS __attribute__((visibility("default")))
FOR_TESTS void
fake_drmperf_work(uint64_t amount);
FOR_TESTS long
fake_drmperf_sessions(void);
FOR_TESTS long
fake_drmperf_listed(void);

void
fake_drmperf_work(uint64_t amount)
{
	work_done += amount;
}

long
fake_drmperf_sessions(void)
{
	return sessions_made;
}

long
fake_drmperf_listed(void)
{
	return events_listed;
}

static const struct drmperf_group group_sq = { "SQ", MAX_ACTIVE, 4 };
static const struct drmperf_group group_metric = { "metric", 0, 1 };
static const struct drmperf_group group_sensor = { "sensor", 4, 1 };

/*
 * Take an error: "24" is there every time, "24!" once: that is kept where it
 * outlives this library, which the component closes when it could not be used.
 */
static int
take_error(const char *number)
{
	char *end;
	long error = strtol(number, &end, 10);

	if (*end == '!' && (getenv("FAKE_DRMPERF_SPENT") ||
			    setenv("FAKE_DRMPERF_SPENT", "", 1)))
		return 0;
	return (int)-error;
}

/*
 * Return the error of "WHAT:ERRNO" in FAKE_DRMPERF, negative; 0 if it is not
 * there.
 */
static int
demanded_error(const char *what)
{
	const char *word = demands;
	size_t length = strlen(what);

	for (; word && *word; word++) {
		if (!strncmp(word, what, length) && word[length] == ':')
			return take_error(word + length + 1);
		word = strchr(word, ' ');
		if (!word)
			break;
	}
	return 0;
}

static int
fail_with(struct drmperf_error *error, int code, const char *cause)
{
	if (error) {
		error->code = code;
		snprintf(error->cause, sizeof(error->cause), "fake: %s: %s",
			 cause, strerror(-code));
		snprintf(error->remedy, sizeof(error->remedy),
			 "change FAKE_DRMPERF");
	}
	return code;
}

static struct drmperf_event *
add_event(struct drmperf_device *device, const struct drmperf_group *group,
	  const char *name)
{
	struct drmperf_event *event = &device->events[device->event_count++];

	snprintf(event->name, sizeof(event->name), "amdgpu::%s.%s", group->name,
		 name);
	event->group = group;
	event->device = device;
	event->rate =
		(unsigned)device->event_count * (device->index ? 1000 : 1);
	return event;
}

static void
describe_device(struct drmperf_device *device)
{
	struct drmperf_event *event;
	char name[16];
	int i;

	for (i = 0; i < COUNTERS; i++) {
		snprintf(name, sizeof(name), "E%d", i);
		event = add_event(device, &group_sq, name);
		event->unit = DRMPERF_UNIT_WAVES;
		event->scope = DRMPERF_SCOPE_QUEUE;
	}
	event = add_event(device, &group_metric, "Busy");
	event->unit = DRMPERF_UNIT_PERCENT;
	event->type = DRMPERF_TYPE_DOUBLE;
	event->kind = DRMPERF_KIND_AVERAGE;
	event = add_event(device, &group_metric, "Rate");
	event->unit = DRMPERF_UNIT_RATIO;
	event->type = DRMPERF_TYPE_DOUBLE;
	event->kind = DRMPERF_KIND_AVERAGE;
	event = add_event(device, &group_sensor, "temperature");
	event->unit = DRMPERF_UNIT_MILLIDEGREES_CELSIUS;
	event->kind = DRMPERF_KIND_MOMENTARY;
	event = add_event(device, &group_sq, "MEAN");
	event->type = DRMPERF_TYPE_DOUBLE;
	if (device->index == 1)
		add_event(device, &group_sq, "ONLY1");
}

int
drmperf_create(const struct drmperf_options *options, struct drmperf **out,
	       struct drmperf_error *error)
{
	struct drmperf *drmperf;
	int rc = demanded_error("create");
	unsigned i;

	if (rc)
		return fail_with(error, rc, "create");
	if (options && options->size < sizeof(size_t))
		return fail_with(error, -EINVAL, "options");
	drmperf = calloc(1, sizeof(*drmperf));
	if (!drmperf)
		return -ENOMEM;
	drmperf->pid = this_process;
	drmperf->device_count =
		demands && strstr(demands, "no-devices") ? 0 : 2;
	for (i = 0; i < 2; i++)
		drmperf->devices[i].index = i;
	*out = drmperf;
	return 0;
}

void
drmperf_destroy(struct drmperf *drmperf)
{
	free(drmperf);
}

unsigned
drmperf_version(void)
{
	return FAKE_MAJOR << 16 | DRMPERF_VERSION_MINOR;
}

unsigned
drmperf_device_count(const struct drmperf *drmperf)
{
	return drmperf->device_count;
}

struct drmperf_device *
drmperf_device_at(struct drmperf *drmperf, unsigned index)
{
	return index < drmperf->device_count ? &drmperf->devices[index] : NULL;
}

unsigned
drmperf_device_index(const struct drmperf_device *device)
{
	return device->index;
}

const char *
drmperf_device_driver(const struct drmperf_device *device)
{
	(void)device;
	return "amdgpu";
}

const char *
drmperf_device_address(const struct drmperf_device *device)
{
	return device->index ? "0000:04:00.0" : "0000:03:00.0";
}

int
drmperf_device_partition(const struct drmperf_device *device)
{
	(void)device;
	return -1;
}

const char *
drmperf_device_chip(const struct drmperf_device *device)
{
	return device->open ? "Fake 10" : "";
}

const char *
drmperf_device_generation(const struct drmperf_device *device)
{
	return device->open ? "gfx9" : "";
}

int
drmperf_device_status(const struct drmperf_device *device,
		      struct drmperf_error *error)
{
	(void)device;
	(void)error;
	return 0;
}

int
drmperf_device_queue_commands(struct drmperf_device *device, bool counts,
			      uint32_t *words, size_t size, size_t *count,
			      struct drmperf_error *error)
{
	(void)device;
	(void)counts;
	(void)words;
	(void)size;
	*count = 0;
	return fail_with(error, -ENOTSUP, "there are no queues");
}

int
drmperf_device_hold_queues(struct drmperf_device *device,
			   struct drmperf_queue_hold **out,
			   struct drmperf_error *error)
{
	(void)device;
	(void)out;
	return fail_with(error, -ENOTSUP, "there are no queues");
}

void
drmperf_queue_hold_release(struct drmperf_queue_hold *hold)
{
	(void)hold;
}

int
drmperf_device_open(struct drmperf_device *device, struct drmperf_error *error)
{
	char what[16];
	int rc;

	snprintf(what, sizeof(what), "open:%u", device->index);
	rc = demanded_error(what);
	if (rc)
		return fail_with(error, rc, what);
	if (!device->open)
		describe_device(device);
	device->open = true;
	return 0;
}

const char *
drmperf_group_name(const struct drmperf_group *group)
{
	return group->name;
}

unsigned
drmperf_group_max_active(const struct drmperf_group *group)
{
	return group->max_active;
}

unsigned
drmperf_group_instances(const struct drmperf_group *group)
{
	return group->instances;
}

unsigned
drmperf_group_dies(const struct drmperf_group *group)
{
	return group->instances > 1 ? 8 : 1;
}

const char *
drmperf_unit_name(enum drmperf_unit unit)
{
	switch (unit) {
	case DRMPERF_UNIT_WAVES:
		return "waves";
	case DRMPERF_UNIT_PERCENT:
		return "percent";
	case DRMPERF_UNIT_RATIO:
		return "ratio";
	case DRMPERF_UNIT_MILLIDEGREES_CELSIUS:
		return "mdegC";
	default:
		return "";
	}
}

size_t
drmperf_event_count(const struct drmperf_device *device)
{
	return device->event_count;
}

const struct drmperf_event *
drmperf_event_at(const struct drmperf_device *device, size_t index)
{
	events_listed++;
	return index < device->event_count ? &device->events[index] : NULL;
}

const char *
drmperf_event_name(const struct drmperf_event *event)
{
	return event->name;
}

const char *
drmperf_event_description(const struct drmperf_event *event)
{
	(void)event;
	return "An event that nobody has.";
}

const struct drmperf_group *
drmperf_event_group(const struct drmperf_event *event)
{
	return event->group;
}

struct drmperf_device *
drmperf_event_device(const struct drmperf_event *event)
{
	return event->device;
}

enum drmperf_unit
drmperf_event_unit(const struct drmperf_event *event)
{
	return event->unit;
}

enum drmperf_type
drmperf_event_type(const struct drmperf_event *event)
{
	return event->type;
}

enum drmperf_kind
drmperf_event_kind(const struct drmperf_event *event)
{
	return event->kind;
}

enum drmperf_scope
drmperf_event_scope(const struct drmperf_event *event)
{
	return event->scope;
}

unsigned
drmperf_event_instances(const struct drmperf_event *event)
{
	return event->group->instances > 1 ? event->group->instances : 0;
}

int
drmperf_event_find(struct drmperf *drmperf, const char *name,
		   struct drmperf_selection *out, struct drmperf_error *error)
{
	size_t length =
		strcspn(name + strcspn(name, "."), ":") + strcspn(name, ".");
	const char *device = strstr(name, ":device=");
	const char *instance = strstr(name, ":instance=");
	unsigned d = device ? (unsigned)atoi(device + 8) : 0;
	int i = instance ? atoi(instance + 10) : DRMPERF_ALL_INSTANCES;
	size_t e;
	int rc;

	if (d >= drmperf->device_count)
		return fail_with(error, -ENODEV, name);
	rc = drmperf_device_open(&drmperf->devices[d], error);
	if (rc)
		return rc;
	for (e = 0; e < drmperf->devices[d].event_count; e++) {
		const struct drmperf_event *event =
			&drmperf->devices[d].events[e];

		if (strlen(event->name) != length ||
		    strncmp(event->name, name, length))
			continue;
		if (i >= (int)drmperf_event_instances(event))
			return fail_with(error, -ERANGE, name);
		out->event = event;
		out->instance = i;
		return 0;
	}
	return fail_with(error, -ENOENT, name);
}

int
drmperf_session_create(struct drmperf *drmperf,
		       const struct drmperf_selection *selections, size_t count,
		       const struct drmperf_session_options *options,
		       struct drmperf_session **out,
		       struct drmperf_error *error)
{
	struct drmperf_session *session;
	unsigned used[2] = { 0, 0 };
	size_t i, j;

	(void)options;
	if (drmperf->pid != this_process)
		return fail_with(error, -ECHILD, "create");
	for (i = 0; i < count; i++) {
		const struct drmperf_event *event = selections[i].event;

		for (j = 0; j < i && selections[j].event != event; j++)
			;
		if (j == i && event->group == &group_sq &&
		    ++used[event->device->index] > MAX_ACTIVE)
			return fail_with(error, -ENOSPC, "group SQ is full");
	}
	session = calloc(1, sizeof(*session));
	if (!session)
		return -ENOMEM;
	session->selections = calloc(count, sizeof(*selections));
	if (!session->selections) {
		free(session);
		return -ENOMEM;
	}
	memcpy(session->selections, selections, count * sizeof(*selections));
	session->count = count;
	session->pid = this_process;
	sessions_made++;
	*out = session;
	return 0;
}

void
drmperf_session_destroy(struct drmperf_session *session)
{
	if (!session)
		return;
	free(session->selections);
	free(session);
}

int
drmperf_session_start(struct drmperf_session *session,
		      struct drmperf_error *error)
{
	int rc = session->pid == this_process ? demanded_error("start")
					      : -ECHILD;

	if (rc)
		return fail_with(error, rc, "start");
	if (session->started)
		return fail_with(error, -EALREADY, "start");
	session->started = session->ever_started = true;
	session->base = work_done;
	return 0;
}

static union drmperf_value
value_of(const struct drmperf_session *session,
	 const struct drmperf_selection *selection)
{
	const struct drmperf_event *event = selection->event;
	uint64_t end = session->started ? work_done : session->end;
	uint64_t value = (end - session->base) * event->rate;
	union drmperf_value out;

	if (event->kind == DRMPERF_KIND_MOMENTARY)
		value = event->rate;
	if (selection->instance == DRMPERF_ALL_INSTANCES)
		value *= event->group->instances;
	if (event->type == DRMPERF_TYPE_DOUBLE)
		out.f64 = (double)value + 0.25;
	else
		out.u64 = value;
	return out;
}

int
drmperf_session_read(struct drmperf_session *session,
		     union drmperf_value *values, int *statuses,
		     uint64_t *time_ns, struct drmperf_error *error)
{
	int rc =
		session->pid == this_process ? demanded_error("read") : -ECHILD;
	int missing = 0;
	size_t i;

	if (!rc && !session->ever_started)
		rc = -EINVAL;
	if (rc == -ECHILD || rc == -EINVAL || rc == -EAGAIN ||
	    (rc && !statuses))
		return fail_with(error, rc, "read");
	for (i = 0; i < session->count; i++) {
		values[i] = value_of(session, &session->selections[i]);
		statuses[i] = rc;
		missing += rc != 0;
	}
	session->missing = rc;
	if (time_ns)
		*time_ns = 0;
	return missing;
}

int
drmperf_session_explain(const struct drmperf_session *session, size_t index,
			struct drmperf_error *out)
{
	(void)index;
	return session->missing ? fail_with(out, session->missing, "read") : 0;
}

int
drmperf_session_try_read(struct drmperf_session *session,
			 union drmperf_value *values, int *statuses,
			 uint64_t *time_ns)
{
	return drmperf_session_read(session, values, statuses, time_ns, NULL);
}

#ifndef FAKE_WITHOUT_RESET
int
drmperf_session_reset(struct drmperf_session *session,
		      struct drmperf_error *error)
{
	if (session->pid != this_process)
		return fail_with(error, -ECHILD, "reset");
	session->base = work_done;
	return 0;
}
#endif

int
drmperf_stop_all(struct drmperf *drmperf, struct drmperf_error *error)
{
	(void)drmperf;
	(void)error;
	return 0;
}

int
drmperf_session_stop(struct drmperf_session *session,
		     struct drmperf_error *error)
{
	int rc =
		session->pid == this_process ? demanded_error("stop") : -ECHILD;

	if (!rc && !session->started)
		rc = -EINVAL;
	session->started = false;
	session->end = work_done;
	return rc ? fail_with(error, rc, "stop") : 0;
}
