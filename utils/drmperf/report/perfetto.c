/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Traces for Perfetto: packets of protocol buffers. Field numbers are those of
 * perfetto/protos/perfetto/trace (trace_packet.proto, clock_snapshot.proto,
 * track_event/). There are few of these fields; a compiler for such messages
 * would need Perfetto's own files.
 */
#include "report/outputs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/regions.h"
#include "report/timeline.h"

enum wire {
	WIRE_VARINT = 0,
	WIRE_64_BITS = 1,
	WIRE_BYTES = 2,
};

enum {
	TRACE_PACKET = 1,

	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TIMESTAMP_CLOCK = 58,
	PACKET_TRACK_DESCRIPTOR = 60,

	SNAPSHOT_CLOCK = 1,
	CLOCK_ID = 1,
	CLOCK_TIMESTAMP = 2,

	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,

	PROCESS_PID = 1,
	PROCESS_NAME = 6,

	THREAD_PID = 1,
	THREAD_TID = 2,

	COUNTER_UNIT_NAME = 6,

	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_DOUBLE_VALUE = 44,
};

/* Numbers of the trace's clocks, and kinds of events. */
enum {
	CLOCK_ID_REALTIME = 1,
	CLOCK_ID_MONOTONIC = 3,
	CLOCK_ID_BOOTTIME = 6,

	EVENT_SLICE_BEGIN = 1,
	EVENT_SLICE_END = 2,
	EVENT_INSTANT = 3,
	EVENT_COUNTER = 4,

	FLAG_STATE_CLEARED = 1,
};

/*
 * Tracks are numbered: GPUs, then events, processes, threads with regions, and
 * lanes of ranges.
 */
#define UUID_DEVICE UINT64_C(0x100000000)
#define UUID_EVENT UINT64_C(0x200000000)
#define UUID_PROCESS UINT64_C(0x300000000)
#define UUID_THREAD UINT64_C(0x400000000)
#define UUID_LANE UINT64_C(0x500000000)
#define OUR_SEQUENCE 1

struct perfetto_trace {
	FILE *out;
	struct bytes packet, message, inner, frame;
	bool begun;
};

/* ------------------------------------------------------------------ */
/* Fields                                                               */

static void
add_key(struct bytes *bytes, unsigned field, enum wire wire)
{
	bytes_add_varint(bytes, field << 3 | wire);
}

static void
add_number(struct bytes *bytes, unsigned field, uint64_t value)
{
	add_key(bytes, field, WIRE_VARINT);
	bytes_add_varint(bytes, value);
}

static void
add_double(struct bytes *bytes, unsigned field, double value)
{
	add_key(bytes, field, WIRE_64_BITS);
	bytes_add_double(bytes, value);
}

static void
add_text(struct bytes *bytes, unsigned field, const char *text)
{
	add_key(bytes, field, WIRE_BYTES);
	bytes_add_varint(bytes, strlen(text));
	bytes_add(bytes, text, strlen(text));
}

/*
 * Add a message that was put together in another buffer, which is empty then.
 */
static void
add_message(struct bytes *bytes, unsigned field, struct bytes *message)
{
	add_key(bytes, field, WIRE_BYTES);
	bytes_add_varint(bytes, message->size);
	bytes_add(bytes, message->data, message->size);
	bytes->failed |= message->failed;
	message->size = 0;
}

static void
write_packet(struct perfetto_trace *trace)
{
	add_number(&trace->packet, PACKET_SEQUENCE_ID, OUR_SEQUENCE);
	if (!trace->begun)
		add_number(&trace->packet, PACKET_SEQUENCE_FLAGS,
			   FLAG_STATE_CLEARED);
	trace->begun = true;
	add_message(&trace->frame, TRACE_PACKET, &trace->packet);
	fwrite(trace->frame.data, 1, trace->frame.size, trace->out);
	trace->frame.size = 0;
}

/* ------------------------------------------------------------------ */
/* Packets                                                              */

static void
add_clock(struct perfetto_trace *trace, unsigned id, uint64_t time_ns)
{
	add_number(&trace->inner, CLOCK_ID, id);
	add_number(&trace->inner, CLOCK_TIMESTAMP, time_ns);
	add_message(&trace->message, SNAPSHOT_CLOCK, &trace->inner);
}

static void
write_clocks(struct perfetto_trace *trace, const struct recording *recording)
{
	add_clock(trace, CLOCK_ID_MONOTONIC, recording->monotonic_ns);
	add_clock(trace, CLOCK_ID_BOOTTIME, recording->boottime_ns);
	add_clock(trace, CLOCK_ID_REALTIME, recording->realtime_ns);
	add_message(&trace->packet, PACKET_CLOCK_SNAPSHOT, &trace->message);
	write_packet(trace);
}

static void
write_track(struct perfetto_trace *trace, uint64_t uuid, const char *name)
{
	add_number(&trace->message, TRACK_UUID, uuid);
	add_text(&trace->message, TRACK_NAME, name);
	add_message(&trace->packet, PACKET_TRACK_DESCRIPTOR, &trace->message);
	write_packet(trace);
}

/*
 * Write what the event is the GPU's of; a name of several has the number
 * already.
 */
static void
write_device(struct perfetto_trace *trace, const struct recording_event *event)
{
	char name[REPORT_NAME_SIZE];

	snprintf(name, sizeof(name), "GPU %d: %s, %s", event->event.device,
		 event->chip, event->address);
	write_track(trace,
		    UUID_DEVICE + (uint64_t)(unsigned)event->event.device,
		    name);
}

/* Write a counter in the unit of its values, per second where they add up. */
static void
write_counter(struct perfetto_trace *trace, const struct recording *recording,
	      size_t number, int die)
{
	const struct recording_event *event = &recording->events[number];
	char name[REPORT_NAME_SIZE], of_die[REPORT_DIE_SIZE], unit[64];
	char title[REPORT_NAME_SIZE + REPORT_DIE_SIZE];

	snprintf(unit, sizeof(unit), "%s%s",
		 drmperf_unit_name(event->event.unit),
		 event->event.kind == DRMPERF_KIND_CUMULATIVE ? "/s" : "");
	add_text(&trace->inner, COUNTER_UNIT_NAME, unit);
	add_number(&trace->message, TRACK_UUID, UUID_EVENT + number);
	if (event->event.device >= 0)
		add_number(&trace->message, TRACK_PARENT,
			   UUID_DEVICE +
				   (uint64_t)(unsigned)event->event.device);
	snprintf(title, sizeof(title), "%s%s",
		 report_name(recording, event, name), report_die(die, of_die));
	add_text(&trace->message, TRACK_NAME, title);
	add_message(&trace->message, TRACK_COUNTER, &trace->inner);
	add_message(&trace->packet, PACKET_TRACK_DESCRIPTOR, &trace->message);
	write_packet(trace);
}

static bool
is_first_of_device(const struct recording *recording, size_t number)
{
	int device = recording->events[number].event.device;

	for (size_t i = 0; i < number; i++) {
		if (recording->events[i].event.device == device)
			return false;
	}
	return device >= 0;
}

static void
note_dies(const struct interval *interval, int *dies)
{
	const struct recording *recording = interval->recording;

	for (size_t i = 0; i < recording->event_count; i++) {
		struct record record =
			interval_record(interval, &recording->events[i]);

		report_note_die(&dies[i], record.die);
	}
}

/* Find the dies of all events; for free(), NULL without memory. */
static int
find_dies(struct recording *recording, int **out)
{
	struct interval_walk walk = { .recording = recording, .length_ns = 1 };
	struct interval interval;
	size_t size = (recording->event_count + 1) * sizeof(**out);
	int ret;

	*out = malloc(size);
	if (!*out)
		return -ENOMEM;
	memset(*out, -1, size);
	while ((ret = interval_walk_next(&walk, &interval)) > 0)
		note_dies(&interval, *out);
	interval_walk_finish(&walk);
	return ret;
}

static int
write_tracks(struct perfetto_trace *trace, struct recording *recording)
{
	int *dies, ret = find_dies(recording, &dies);

	for (size_t i = 0; !ret && i < recording->event_count; i++) {
		if (is_first_of_device(recording, i))
			write_device(trace, &recording->events[i]);
		if (recording->events[i].asked)
			write_counter(trace, recording, i, dies[i]);
	}
	free(dies);
	return ret;
}

static void
write_event(struct perfetto_trace *trace, uint64_t time_ns)
{
	add_number(&trace->packet, PACKET_TIMESTAMP, time_ns);
	add_number(&trace->packet, PACKET_TIMESTAMP_CLOCK, CLOCK_ID_MONOTONIC);
	add_message(&trace->packet, PACKET_TRACK_EVENT, &trace->message);
	write_packet(trace);
}

/* Write a height, which lasts until the next one of its track. */
static void
write_height(struct perfetto_trace *trace, size_t number, uint64_t time_ns,
	     double height)
{
	if (isnan(height))
		return;
	add_number(&trace->message, EVENT_TYPE, EVENT_COUNTER);
	add_number(&trace->message, EVENT_TRACK, UUID_EVENT + number);
	add_double(&trace->message, EVENT_DOUBLE_VALUE, height);
	write_event(trace, time_ns);
}

/*
 * Write the values: a momentary one holds from then on, others for the time
 * before.
 */
static void
write_interval(struct perfetto_trace *trace, const struct interval *interval)
{
	const struct recording *recording = interval->recording;

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];
		struct record record;

		if (!event->asked)
			continue;
		record = interval_record(interval, event);
		write_height(trace, i,
			     event->event.kind == DRMPERF_KIND_MOMENTARY
				     ? interval->end_ns
				     : interval->begin_ns,
			     interval_height(&record));
	}
}

/* Write the ends: nothing is known of what came behind. */
static void
write_ends(struct perfetto_trace *trace, const struct interval *last)
{
	const struct recording *recording = last->recording;

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (event->asked && event->event.kind != DRMPERF_KIND_MOMENTARY)
			write_height(trace, i, last->end_ns, 0);
	}
}

static int
write_intervals(struct perfetto_trace *trace, struct recording *recording)
{
	struct interval_walk walk = { .recording = recording, .length_ns = 1 };
	struct interval interval;
	bool any = false;
	int ret;

	while ((ret = interval_walk_next(&walk, &interval)) > 0) {
		write_interval(trace, &interval);
		any = true;
	}
	if (!ret && any)
		write_ends(trace, &interval);
	interval_walk_finish(&walk);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Processes                                                            */

/* Write an edge of a slice; the end of one has no name. */
static void
write_slice_edge(struct perfetto_trace *trace, uint64_t track, const char *name,
		 unsigned type, uint64_t time_ns)
{
	add_number(&trace->message, EVENT_TYPE, type);
	add_number(&trace->message, EVENT_TRACK, track);
	if (type != EVENT_SLICE_END)
		add_text(&trace->message, EVENT_NAME, name);
	write_event(trace, time_ns);
}

static void
write_slice(struct perfetto_trace *trace, uint64_t track, const char *name,
	    uint64_t begin_ns, uint64_t end_ns)
{
	write_slice_edge(trace, track, name, EVENT_SLICE_BEGIN, begin_ns);
	write_slice_edge(trace, track, name, EVENT_SLICE_END, end_ns);
}

/*
 * Write a process, which is called by the last name it had; NULL leaves it as
 * it is.
 */
static void
write_process(struct perfetto_trace *trace, pid_t process, const char *name)
{
	add_number(&trace->inner, PROCESS_PID, (uint64_t)process);
	if (name)
		add_text(&trace->inner, PROCESS_NAME, name);
	add_number(&trace->message, TRACK_UUID,
		   UUID_PROCESS + (uint64_t)process);
	add_message(&trace->message, TRACK_PROCESS, &trace->inner);
	add_message(&trace->packet, PACKET_TRACK_DESCRIPTOR, &trace->message);
	write_packet(trace);
}

static int
write_processes(struct perfetto_trace *trace, struct recording *recording)
{
	struct timeline spans;
	int ret = timeline_read(recording, &spans);

	for (size_t i = 0; !ret && i < spans.count; i++) {
		const struct span *span = &spans.list[i];

		write_process(trace, span->process, span->name);
		write_slice(trace, UUID_PROCESS + (uint64_t)span->process,
			    span->name, span->begin_ns, span->end_ns);
	}
	timeline_finish(&spans);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Regions                                                              */

/* A track for ranges of a process, of which no two overlap. */
struct lane {
	pid_t process;
	uint64_t end_ns; /* of its last range */
};

static void
write_thread(struct perfetto_trace *trace, const struct region *region)
{
	add_number(&trace->inner, THREAD_PID, (uint64_t)region->process);
	add_number(&trace->inner, THREAD_TID, (uint64_t)region->thread);
	add_number(&trace->message, TRACK_UUID,
		   UUID_THREAD + (uint64_t)region->thread);
	add_message(&trace->message, TRACK_THREAD, &trace->inner);
	add_message(&trace->packet, PACKET_TRACK_DESCRIPTOR, &trace->message);
	write_packet(trace);
}

static void
write_lane(struct perfetto_trace *trace, size_t number, pid_t process)
{
	add_number(&trace->message, TRACK_UUID, UUID_LANE + number);
	add_number(&trace->message, TRACK_PARENT,
		   UUID_PROCESS + (uint64_t)process);
	add_text(&trace->message, TRACK_NAME, "Ranges");
	add_message(&trace->packet, PACKET_TRACK_DESCRIPTOR, &trace->message);
	write_packet(trace);
}

/* Find a lane where nothing lasts any more; count: there is none yet. */
static size_t
find_lane(const struct lane *lanes, size_t count, const struct region *region)
{
	size_t i = 0;

	while (i < count && (lanes[i].process != region->process ||
			     lanes[i].end_ns > region->begin_ns))
		i++;
	return i;
}

/* Write a range into a lane. Returns how many lanes there are. */
static size_t
write_range(struct perfetto_trace *trace, struct lane *lanes, size_t count,
	    const struct region *region)
{
	const size_t lane = find_lane(lanes, count, region);

	if (lane == count) {
		lanes[count++].process = region->process;
		write_lane(trace, lane, region->process);
	}
	lanes[lane].end_ns = region->end_ns;
	write_slice(trace, UUID_LANE + lane, region->name, region->begin_ns,
		    region->end_ns);
	return count;
}

static void
write_region(struct perfetto_trace *trace, const struct region *region)
{
	const uint64_t track = UUID_THREAD + (uint64_t)region->thread;

	if (region->is_instant)
		write_slice_edge(trace, track, region->name, EVENT_INSTANT,
				 region->begin_ns);
	else
		write_slice(trace, track, region->name, region->begin_ns,
			    region->end_ns);
}

static int
write_regions(struct perfetto_trace *trace, struct recording *recording)
{
	pid_t process = 0, thread = 0;
	struct regions regions;
	struct lane *lanes = NULL;
	size_t lane_count = 0;
	int ret = regions_read(recording, &regions);

	if (!ret)
		lanes = calloc(regions.count + 1, sizeof(*lanes));
	for (size_t i = 0; lanes && i < regions.count; i++) {
		const struct region *region = &regions.list[i];

		if (region->process != process)
			write_process(trace, region->process, NULL);
		process = region->process;
		if (!region->thread) {
			lane_count =
				write_range(trace, lanes, lane_count, region);
			continue;
		}
		if (region->thread != thread)
			write_thread(trace, region);
		thread = region->thread;
		write_region(trace, region);
	}
	if (!ret && !lanes)
		ret = -ENOMEM;
	free(lanes);
	regions_finish(&regions);
	return ret;
}

int
report_perfetto(struct recording *recording, FILE *out)
{
	struct perfetto_trace trace = { .out = out };
	int ret;

	write_clocks(&trace, recording);
	ret = write_tracks(&trace, recording);
	if (!ret)
		ret = write_intervals(&trace, recording);
	if (!ret)
		ret = write_regions(&trace, recording);
	if (!ret)
		ret = write_processes(&trace, recording);
	if (!ret && (trace.frame.failed || trace.packet.failed))
		ret = -ENOMEM;
	bytes_finish(&trace.packet);
	bytes_finish(&trace.message);
	bytes_finish(&trace.inner);
	bytes_finish(&trace.frame);
	return ret;
}
