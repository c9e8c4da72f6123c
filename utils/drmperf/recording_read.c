/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording_format.h"

struct record_bytes {
	uint32_t type;
	struct byte_reader reader;
};

/* The next record. 1, or 0: there is none, or not all of it. */
static int
take_record(struct recording *recording, struct record_bytes *out)
{
	struct byte_reader *reader = &recording->reader;
	const uint8_t *begin = reader->at;
	uint32_t size;

	out->type = bytes_read_u32(reader);
	size = bytes_read_u32(reader);
	if (reader->failed || (size_t)(reader->end - reader->at) < size) {
		recording->cut_off = (size_t)(reader->end - begin);
		reader->at = reader->end;
		return 0;
	}
	out->reader = (struct byte_reader){ .at = reader->at,
					    .end = reader->at + size };
	reader->at += size;
	return 1;
}

/* ------------------------------------------------------------------ */
/* The head                                                             */

static int
read_command(struct byte_reader *reader, struct recording *recording)
{
	/* each word has one byte at least */
	size_t most = (size_t)(reader->end - reader->at) + 1, count = 0;
	const char **words = calloc(most, sizeof(*words));

	if (!words)
		return -ENOMEM;
	while (reader->at < reader->end)
		words[count++] = bytes_read_text(reader);
	recording->command = words;
	return reader->failed ? -EBADMSG : 0;
}

static int
read_run(struct recording *recording)
{
	struct record_bytes record;

	if (!take_record(recording, &record) || record.type != TYPE_RUN)
		return -EBADMSG;
	if (bytes_read_varint(&record.reader) != RECORDING_VERSION)
		return -ENOTSUP;
	recording->monotonic_ns = bytes_read_u64(&record.reader);
	recording->boottime_ns = bytes_read_u64(&record.reader);
	recording->realtime_ns = bytes_read_u64(&record.reader);
	return read_command(&record.reader, recording);
}

/* ------------------------------------------------------------------ */
/* Events                                                               */

static unsigned
read_word(struct byte_reader *reader, const struct recording_words *words)
{
	int number = recording_word_find(words, bytes_read_text(reader));

	if (number < 0)
		reader->failed = true;
	return number < 0 ? 0 : (unsigned)number;
}

static enum drmperf_unit
read_unit(struct byte_reader *reader)
{
	int number = recording_unit_find(bytes_read_text(reader));

	if (number < 0)
		reader->failed = true;
	return number < 0 ? DRMPERF_UNIT_NONE : (enum drmperf_unit)number;
}

static int
read_int(struct byte_reader *reader)
{
	int64_t value = bytes_read_signed(reader);

	if (value < INT_MIN || value > INT_MAX)
		reader->failed = true;
	return (int)value;
}

/* A number below end. */
static unsigned
read_index(struct byte_reader *reader, size_t end)
{
	uint64_t value = bytes_read_varint(reader);

	if (value >= end)
		reader->failed = true;
	return (unsigned)value;
}

/* Steps use the results of those before them. */
static struct drmperf_step
read_step(struct byte_reader *reader, size_t number)
{
	struct drmperf_step step = {
		.operation = read_word(reader, &recording_operations),
	};
	union drmperf_value constant;

	switch (step.operation) {
	case DRMPERF_OPERATION_CONSTANT:
		constant.u64 = bytes_read_u64(reader);
		step.constant = constant.f64;
		break;
	case DRMPERF_OPERATION_PART:
		step.part = read_index(reader, UINT_MAX);
		break;
	default:
		step.a = read_index(reader, number);
		step.b = read_index(reader, number);
		if (step.operation == DRMPERF_OPERATION_CHOOSE)
			step.c = read_index(reader, number);
		break;
	}
	return step;
}

static int
read_steps(struct byte_reader *reader, struct recording_event *event)
{
	size_t count = bytes_read_varint(reader);
	struct drmperf_step *steps;

	if (!count)
		return 0;
	/* each has two bytes at least */
	if (count > (size_t)(reader->end - reader->at))
		return -EBADMSG;
	steps = calloc(count, sizeof(*steps));
	if (!steps)
		return -ENOMEM;
	event->steps = steps;
	event->step_count = count;
	for (size_t i = 0; i < count; i++)
		steps[i] = read_step(reader, i);
	return 0;
}

static int
read_event(struct recording *recording, struct byte_reader *reader,
	   struct recording_event *out)
{
	struct record_event *event = &out->event;
	int ret;

	event->name = bytes_read_text(reader);
	event->unit = read_unit(reader);
	event->type = read_word(reader, &recording_types);
	event->kind = read_word(reader, &recording_kinds);
	event->scope = read_word(reader, &recording_scopes);
	event->device = read_int(reader);
	event->instance = read_int(reader);
	out->address = bytes_read_text(reader);
	out->chip = bytes_read_text(reader);
	out->description = bytes_read_text(reader);
	out->asked = bytes_read_varint(reader) != 0;
	ret = read_steps(reader, out);
	if (!ret && reader->failed)
		ret = -EBADMSG;
	if (!ret && !out->steps)
		out->series = recording->series_count++;
	return ret;
}

static int
add_event(struct recording *recording, struct byte_reader *reader)
{
	size_t count = recording->event_count + 1;
	struct recording_event *events =
		reallocarray(recording->events, count, sizeof(*events));

	if (!events)
		return -ENOMEM;
	recording->events = events;
	events[count - 1] = (struct recording_event){ 0 };
	recording->event_count = count;
	return read_event(recording, reader, &events[count - 1]);
}

/* What an event is computed from may stand behind it. */
static bool
has_parts(const struct recording *recording,
	  const struct recording_event *event)
{
	for (size_t i = 0; i < event->step_count; i++) {
		if (event->steps[i].operation == DRMPERF_OPERATION_PART &&
		    event->steps[i].part >= recording->series_count)
			return false;
	}
	return true;
}

/* All of them stand before the first sample. */
static int
read_events(struct recording *recording)
{
	struct record_bytes record;
	int ret = 0;

	recording->first = recording->reader;
	while (!ret && take_record(recording, &record) &&
	       record.type == TYPE_EVENT) {
		ret = add_event(recording, &record.reader);
		recording->first = recording->reader;
	}
	for (size_t i = 0; !ret && i < recording->event_count; i++) {
		if (!has_parts(recording, &recording->events[i]))
			ret = -EBADMSG;
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* The file                                                             */

static int
map_file(const char *path, struct recording *recording)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;
	struct stat status;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status))
		ret = -errno;
	else if (!S_ISREG(status.st_mode) || !status.st_size)
		ret = -EBADMSG;
	if (!ret) {
		recording->size = (size_t)status.st_size;
		recording->map = mmap(NULL, recording->size, PROT_READ,
				      MAP_PRIVATE, fd, 0);
		if (recording->map == MAP_FAILED) {
			recording->map = NULL;
			ret = -errno;
		}
	}
	close(fd);
	return ret;
}

static int
read_head(struct recording *recording)
{
	struct byte_reader *reader = &recording->reader;
	int ret;

	*reader = (struct byte_reader){
		.at = recording->map,
		.end = (const uint8_t *)recording->map + recording->size,
	};
	if (recording->size < RECORDING_MAGIC_SIZE ||
	    memcmp(reader->at, RECORDING_MAGIC, RECORDING_MAGIC_SIZE) != 0)
		return -EBADMSG;
	reader->at += RECORDING_MAGIC_SIZE;
	ret = read_run(recording);
	if (!ret)
		ret = read_events(recording);
	if (ret)
		return ret;
	recording->values =
		calloc(recording->series_count + 1, sizeof(*recording->values));
	if (!recording->values)
		return -ENOMEM;
	recording_rewind(recording);
	return 0;
}

/*
 * What i915-perf-recorder of intel-gpu-tools writes begins with a record of its
 * own, the version: a type, from 65536 on, no padding, and its size.
 */
static bool
is_of_i915_perf(const struct recording *recording)
{
	static const uint8_t version[] = { 0, 0, 1, 0, 0, 0, 16, 0 };

	return recording->map && recording->size >= sizeof(version) &&
	       !memcmp(recording->map, version, sizeof(version));
}

static int
complain_of_format(const struct tool *tool, const char *path,
		   const struct recording *recording)
{
	if (is_of_i915_perf(recording))
		return tool_fail(tool,
				 "%s was written by i915-perf-recorder: "
				 "i915-perf-reader reads it",
				 path);
	return tool_fail(tool, "%s is no recording of drmperf record", path);
}

int
recording_open(const struct tool *tool, const char *path,
	       struct recording *recording)
{
	int ret;

	*recording = (struct recording){ 0 };
	ret = map_file(path, recording);
	if (!ret)
		ret = read_head(recording);
	if (ret == -EBADMSG)
		return complain_of_format(tool, path, recording);
	if (ret == -ENOTSUP)
		return tool_fail(tool, "%s: a newer drmperf wrote it", path);
	if (ret)
		return tool_fail(tool, "%s: %s", path, strerror(-ret));
	return 0;
}

void
recording_rewind(struct recording *recording)
{
	recording->reader = recording->first;
	recording->time_ns = 0;
	recording->cut_off = 0;
	recording->ended = false;
	memset(recording->values, 0,
	       recording->series_count * sizeof(*recording->values));
}

void
recording_close(struct recording *recording)
{
	for (size_t i = 0; i < recording->event_count; i++)
		free((struct drmperf_step *)recording->events[i].steps);
	free(recording->events);
	free(recording->values);
	free((const char **)recording->command);
	if (recording->map)
		munmap(recording->map, recording->size);
	*recording = (struct recording){ 0 };
}

/* ------------------------------------------------------------------ */
/* What happens                                                         */

static uint64_t
read_time(struct recording *recording, struct byte_reader *reader)
{
	recording->time_ns += (uint64_t)bytes_read_signed(reader);
	return recording->time_ns;
}

static void
read_clocks(struct recording *recording, struct byte_reader *reader)
{
	size_t i = 0;

	while (i < recording->series_count && !reader->failed) {
		size_t count = bytes_read_varint(reader);
		uint64_t passed = (uint64_t)bytes_read_signed(reader);
		int die = read_int(reader);

		if (!count || count > recording->series_count - i)
			reader->failed = true;
		for (; count && !reader->failed; count--, i++) {
			recording->values[i].end_ns += passed;
			recording->values[i].die = die;
		}
	}
}

static void
read_sample(struct recording *recording, struct byte_reader *reader,
	    struct recording_sample *out)
{
	out->time_ns = read_time(recording, reader);
	out->values = recording->values;
	read_clocks(recording, reader);
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];
		union drmperf_value *value;

		if (event->steps)
			continue;
		value = &recording->values[event->series].value;
		if (event->event.type == DRMPERF_TYPE_DOUBLE)
			value->u64 = bytes_read_u64(reader);
		else
			value->u64 += (uint64_t)bytes_read_signed(reader);
	}
}

static pid_t
read_process(struct byte_reader *reader)
{
	return (pid_t)read_index(reader, RECORDING_MOST_PROCESS + 1);
}

static void
read_task(struct recording *recording, struct byte_reader *reader,
	  struct recording_task *out)
{
	out->time_ns = read_time(recording, reader);
	out->kind = read_index(reader, RECORDING_TASK_EXIT + 1);
	out->process = read_process(reader);
	out->thread = read_process(reader);
	out->parent = read_process(reader);
	out->name = bytes_read_text(reader);
}

/* False: one that this version does not know, or that tells nothing. */
static bool
read_item(struct recording *recording, struct record_bytes *record,
	  struct recording_item *item)
{
	switch (record->type) {
	case TYPE_SAMPLE:
		item->kind = RECORDING_SAMPLE;
		read_sample(recording, &record->reader, &item->sample);
		return true;
	case TYPE_TASK:
		item->kind = RECORDING_TASK;
		read_task(recording, &record->reader, &item->task);
		return true;
	case TYPE_GAP:
		item->kind = RECORDING_GAP;
		item->gap.time_ns = read_time(recording, &record->reader);
		item->gap.cause = bytes_read_text(&record->reader);
		return true;
	case TYPE_END:
		recording->ended = true;
		return false;
	default:
		return false;
	}
}

int
recording_next(struct recording *recording, struct recording_item *item)
{
	struct record_bytes record;

	while (recording->reader.at < recording->reader.end) {
		if (!take_record(recording, &record))
			return 0;
		if (!read_item(recording, &record, item))
			continue;
		return record.reader.failed ? -EBADMSG : 1;
	}
	return 0;
}
