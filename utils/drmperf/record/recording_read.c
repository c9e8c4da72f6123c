/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/recording_i915_perf.h"
#include "record/recording_format.h"
#include "record/recording_profile.h"
#include "record/recording_reports.h"
#include "util/array.h"
#include "util/zstd.h"

struct record_bytes {
	uint32_t type;
	struct byte_reader reader;
};

/* Take the next record. Returns 1, or 0: there is none, or not all of it. */
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

/* Return a number below end. */
static unsigned
read_index(struct byte_reader *reader, size_t end)
{
	uint64_t value = bytes_read_varint(reader);

	if (value >= end)
		reader->failed = true;
	return (unsigned)value;
}

/* Read a step. Steps use the results of those before them. */
static struct drmperf_step
read_step(struct byte_reader *reader, size_t number)
{
	struct drmperf_step step = {
		.operation = read_word(reader, &recording_operations),
	};

	switch (step.operation) {
	case DRMPERF_OPERATION_CONSTANT:
		step.constant = bytes_read_double(reader);
		break;
	case DRMPERF_OPERATION_PART:
		step.part = read_index(reader, UINT_MAX);
		break;
	default:
		step.a = read_index(reader, number);
		step.b = read_index(reader, number);
		if (step.operation == DRMPERF_OPERATION_SELECT)
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
	struct recording_event *event = array_add(
		&recording->events, &recording->event_count, sizeof(*event));

	return event ? read_event(recording, reader, event) : -ENOMEM;
}

/* Return whether all parts exist: the parts of an event may stand behind it. */
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

/*
 * Read the head of a device's reports. Where they cannot be counted, for lack
 * of tables, there are the samples still.
 */
static int
add_head(const struct tool *tool, struct recording *recording,
	 struct byte_reader *reader)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .log = tool_log,
						 .log_data = (void *)tool };
	struct drmperf_error error = { .cause = "" };
	struct recording_reports *reports;
	int ret, device = (int)read_index(reader, INT_MAX);

	if (reader->failed)
		return -EBADMSG;
	reports = array_add(&recording->reports, &recording->reports_count,
			    sizeof(*reports));
	if (!reports)
		return -ENOMEM;
	reports->device = device;
	ret = drmperf_create_replay(&options, reader->at,
				    (size_t)(reader->end - reader->at),
				    &reports->drmperf, &error);
	if (!ret)
		ret = reports_find_events(reports, recording, &error);
	if (ret && ret != -ENOMEM)
		tool_warn(tool, "its reports are left out, samples remain: %s",
			  error.cause);
	return ret == -ENOMEM ? ret : 0;
}

static int
add_verdict(struct recording *recording, struct byte_reader *reader)
{
	struct verdict_rule rule;
	int ret = verdict_rule_decode(reader, recording->event_count, &rule);

	return ret ? ret : verdict_rules_add(&recording->verdicts, &rule);
}

static int
add_roof(struct recording *recording, struct byte_reader *reader)
{
	struct roof roof;
	int ret = roof_decode(reader, recording->event_count, &roof);

	if (ret)
		return ret;
	ret = roofline_add(&recording->roofline, &roof);
	if (ret)
		free(roof.events);
	return ret;
}

/*
 * Note queues. A word that is not known, of a newer version, changes nothing.
 */
static void
note_queues(struct recording *recording, struct byte_reader *reader)
{
	const char *word = bytes_read_text(reader);

	for (int access = QUEUE_ACCESS_ALLOWED; access <= QUEUE_ACCESS_ALL;
	     access++)
		if (!strcmp(queue_access_name((enum queue_access)access), word))
			recording->queues = (enum queue_access)access;
}

/* Read the events, all of which stand before the first sample. */
static int
read_events(const struct tool *tool, struct recording *recording)
{
	struct record_bytes record;
	int ret = 0;

	recording->first = recording->reader;
	while (!ret && take_record(recording, &record)) {
		if (record.type == TYPE_EVENT)
			ret = add_event(recording, &record.reader);
		else if (record.type == TYPE_HEAD)
			ret = add_head(tool, recording, &record.reader);
		else if (record.type == TYPE_VERDICT)
			ret = add_verdict(recording, &record.reader);
		else if (record.type == TYPE_ROOF)
			ret = add_roof(recording, &record.reader);
		else if (record.type == TYPE_QUEUES)
			note_queues(recording, &record.reader);
		else if (record.type == TYPE_STREAM)
			ret = recording_stream_decode(&record.reader,
						      recording->series_count,
						      &recording->stream);
		else if (record.type == TYPE_MACHINE)
			ret = recording_machine_decode(&record.reader,
						       &recording->machine);
		else
			break;
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
	else if (!S_ISREG(status.st_mode))
		ret = S_ISDIR(status.st_mode) ? -EISDIR : -ESPIPE;
	else if (!status.st_size)
		ret = -EBADMSG;
	if (!ret) {
		recording->size = (size_t)status.st_size;
		/* texts are made printable there, and not in the file */
		recording->map = mmap(NULL, recording->size,
				      PROT_READ | PROT_WRITE, MAP_PRIVATE, fd,
				      0);
		if (recording->map == MAP_FAILED) {
			recording->map = NULL;
			ret = -errno;
		}
	}
	close(fd);
	return ret;
}

/* Put what a compressed file holds in the place of the file. */
static int
expand_file(struct recording *recording)
{
	static const uint8_t magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	void *data = NULL;
	size_t size = 0;
	int ret;

	if (recording->size < sizeof(magic) ||
	    memcmp(recording->map, magic, sizeof(magic)) != 0)
		return 0;
	ret = zstd_expand(recording->map, recording->size, &data, &size);
	if (ret)
		return ret == -ENOTSUP ? -ENOPKG : ret;
	munmap(recording->map, recording->size);
	recording->map = data;
	recording->size = size;
	return data ? 0 : -EBADMSG;
}

/* Allocate the values. Samples of events that reports have are ignored. */
static int
make_values(struct recording *recording)
{
	size_t count = recording->series_count + 1;

	recording->recorded = calloc(count, sizeof(*recording->recorded));
	recording->values = calloc(count, sizeof(*recording->values));
	recording->is_of_reports =
		calloc(count, sizeof(*recording->is_of_reports));
	recording->types = calloc(count, sizeof(*recording->types));
	if (!recording->recorded || !recording->values ||
	    !recording->is_of_reports || !recording->types)
		return -ENOMEM;
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (!event->steps)
			recording->types[event->series] = event->event.type;
	}
	for (size_t i = 0; i < recording->reports_count; i++) {
		const struct recording_reports *reports =
			&recording->reports[i];

		for (size_t k = 0; reports->session && k < reports->count; k++)
			recording->is_of_reports[reports->series[k]] = true;
	}
	return 0;
}

static int
read_head(const struct tool *tool, struct recording *recording)
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
		ret = read_events(tool, recording);
	return ret ? ret : make_values(recording);
}

int
recording_open(const struct tool *tool, const char *path,
	       struct recording *recording)
{
	int ret;

	*recording = (struct recording){ 0 };
	ret = map_file(path, recording);
	if (!ret)
		ret = expand_file(recording);
	if (!ret && recording_is_i915_perf(recording)) {
		int status = recording_open_i915_perf(tool, path, recording);

		if (status)
			return status;
		ret = make_values(recording);
	} else if (!ret) {
		ret = read_head(tool, recording);
	}
	if (ret == -EBADMSG)
		return tool_fail(tool, "%s is no recording of drmperf record",
				 path);
	if (ret == -ESPIPE)
		return tool_fail(tool, "%s is a pipe or device, and no file",
				 path);
	if (ret == -ENOPKG)
		return tool_fail(tool,
				 "%s is compressed, and there is no libzstd "
				 "here; zstd -d expands it",
				 path);
	if (ret == -ENOTSUP)
		return tool_fail(tool, "%s: a newer drmperf wrote it", path);
	if (ret)
		return tool_fail(tool, "%s: %s", path, strerror(-ret));
	return 0;
}

void
recording_rewind(struct recording *recording)
{
	const size_t size =
		recording->series_count * sizeof(*recording->values);

	recording->reader = recording->first;
	recording->record_ns = recording->sample_ns = 0;
	recording->time_ns = 0;
	recording->cut_off = 0;
	recording->ended = false;
	recording->gap.code = 0;
	recording->goes_on = false;
	recording_profiles_finish(recording);
	memset(recording->recorded, 0, size);
	memset(recording->values, 0, size);
	for (size_t i = 0; i < recording->series_count; i++)
		recording->values[i].die = RECORDING_NEVER;
	for (size_t i = 0; i < recording->reports_count; i++)
		reports_rewind(&recording->reports[i], &recording->gap);
	if (recording->i915_perf) {
		recording->reports->at = recording->map;
		recording->reports->end =
			recording->reports->at + recording->size;
		recording->ended = true;
	}
}

bool
recording_has_been_read(const struct recording *recording)
{
	return recording->values && recording->time_ns &&
	       recording->reader.at >= recording->reader.end;
}

static void
free_columns(struct recording *recording)
{
	for (size_t i = 0; i < recording->event_count; i++)
		free((struct drmperf_step *)recording->events[i].steps);
	free(recording->events);
	free((const char **)recording->command);
}

void
recording_close(struct recording *recording)
{
	if (recording->i915_perf)
		recording_close_i915_perf(recording);
	else
		free_columns(recording);
	for (size_t i = 0; i < recording->reports_count; i++)
		reports_finish(&recording->reports[i]);
	free(recording->reports);
	free(recording->recorded);
	free(recording->values);
	free(recording->is_of_reports);
	free(recording->types);
	held_clocks_finish(&recording->clocks);
	recording_profiles_finish(recording);
	verdict_rules_finish(&recording->verdicts);
	roofline_finish(&recording->roofline);
	recording_stream_finish(&recording->stream);
	if (recording->map)
		munmap(recording->map, recording->size);
	*recording = (struct recording){ 0 };
}

/* ------------------------------------------------------------------ */
/* Items                                                                */

static uint64_t
read_time(struct recording *recording, struct byte_reader *reader)
{
	recording->record_ns += (uint64_t)bytes_read_signed(reader);
	return recording->record_ns;
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
			recording->recorded[i].end_ns += passed;
			recording->recorded[i].die = die;
		}
	}
}

static void
read_sample(struct recording *recording, struct byte_reader *reader,
	    struct recording_sample *out)
{
	out->time_ns = read_time(recording, reader);
	read_clocks(recording, reader);
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];
		union drmperf_value *value;

		if (event->steps)
			continue;
		value = &recording->recorded[event->series].value;
		if (event->event.type == DRMPERF_TYPE_DOUBLE)
			value->u64 = bytes_read_u64(reader);
		else
			value->u64 += (uint64_t)bytes_read_signed(reader);
	}
	out->values = recording->values;
}

/*
 * Take a sample's values that are not of reports; return whether there are any.
 */
static bool
show_sample(struct recording *recording)
{
	bool any = !recording->series_count;

	for (size_t i = 0; i < recording->series_count; i++) {
		if (recording->is_of_reports[i])
			continue;
		recording->values[i] = recording->recorded[i];
		any = true;
	}
	return any;
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

static void
read_mark(struct recording *recording, struct byte_reader *reader,
	  struct recording_mark *out)
{
	out->time_ns = read_time(recording, reader);
	out->kind = read_index(reader, RECORDING_MARK_INSTANT + 1);
	out->process = read_process(reader);
	out->thread = read_process(reader);
	out->range = bytes_read_varint(reader);
	out->name = bytes_read_text(reader);
}

static void
note_gap(struct recording *recording, const char *cause)
{
	struct drmperf_error *gap = &recording->gap;

	if (gap->code)
		return;
	gap->code = -ENODATA;
	snprintf(gap->cause, sizeof(gap->cause), "%s", cause);
}

/*
 * Keep the clocks that counting held; those known of a GPU already stay. No
 * machine has this many GPUs: looking through the list takes no time.
 */
#define MOST_CLOCKS 256

static void
note_clocks(struct recording *recording, struct byte_reader *reader)
{
	struct held_clocks clocks = { .is_known = true, .is_held = true };

	clocks.index = (int)read_index(reader, INT_MAX);
	clocks.held.engine_hz = bytes_read_varint(reader);
	clocks.before.engine_hz = bytes_read_varint(reader);
	clocks.held.memory_hz = bytes_read_varint(reader);
	clocks.before.memory_hz = bytes_read_varint(reader);
	if (!reader->failed && recording->clocks.count < MOST_CLOCKS &&
	    !held_clocks_find(&recording->clocks, clocks.index))
		held_clocks_add(&clocks, &recording->clocks);
}

/* Take reports, which are counted when the next item is asked for. */
static void
take_reports(struct recording *recording, struct byte_reader *reader)
{
	int device = (int)read_index(reader, INT_MAX);

	for (size_t i = 0; i < recording->reports_count; i++) {
		struct recording_reports *reports = &recording->reports[i];

		if (reports->device != device || !reports->session)
			continue;
		reports->at = reader->at;
		reports->end = reader->end;
	}
}

/* Return 1, or 0: all have been counted that were read. */
static int
count_reports(struct recording *recording, struct recording_item *item)
{
	for (size_t i = 0; i < recording->reports_count; i++) {
		struct recording_reports *reports = &recording->reports[i];
		int ret =
			reports_next(reports, recording->span_ns,
				     recording->values, &item->sample.time_ns);

		if (ret < 0)
			note_gap(recording, reports->lost.cause);
		if (ret <= 0)
			continue;
		item->kind = RECORDING_SAMPLE;
		item->sample.values = recording->values;
		return 1;
	}
	return 0;
}

/*
 * Set the time. Samples are in order; those of other devices may come a little
 * late.
 */
static void
set_time(struct recording *recording, struct recording_item *item)
{
	uint64_t time_ns = recording->record_ns;

	if (item->kind == RECORDING_SAMPLE) {
		if (item->sample.time_ns < recording->sample_ns)
			item->sample.time_ns = recording->sample_ns;
		time_ns = recording->sample_ns = item->sample.time_ns;
	}
	if (time_ns > recording->time_ns)
		recording->time_ns = time_ns;
}

/*
 * Read an item. Returns false if this version does not know it, or it says
 * nothing.
 */
static bool
read_item(struct recording *recording, struct record_bytes *record,
	  struct recording_item *item)
{
	switch (record->type) {
	case TYPE_SAMPLE:
		item->kind = RECORDING_SAMPLE;
		read_sample(recording, &record->reader, &item->sample);
		recording->goes_on |= recording->gap.code != 0;
		return show_sample(recording) || record->reader.failed;
	case TYPE_TASK:
		item->kind = RECORDING_TASK;
		read_task(recording, &record->reader, &item->task);
		return true;
	case TYPE_MARK:
		item->kind = RECORDING_MARK;
		read_mark(recording, &record->reader, &item->mark);
		return true;
	case TYPE_GAP:
		item->kind = RECORDING_GAP;
		item->gap.time_ns = read_time(recording, &record->reader);
		item->gap.cause = bytes_read_text(&record->reader);
		note_gap(recording, item->gap.cause);
		return true;
	case TYPE_REPORTS:
		take_reports(recording, &record->reader);
		return record->reader.failed;
	case TYPE_CLOCKS:
		note_clocks(recording, &record->reader);
		return record->reader.failed;
	case TYPE_QUEUES:
		note_queues(recording, &record->reader);
		return record->reader.failed;
	case TYPE_SAMPLING:
		recording_profile_begin(recording, &record->reader);
		return record->reader.failed;
	case TYPE_STALLS:
		read_time(recording, &record->reader);
		recording_profile_add(recording, &record->reader);
		return record->reader.failed;
	case TYPE_END:
		recording->ended = true;
		return false;
	default:
		return false;
	}
}

/* Take the file's own records. Returns 1, 0 behind the last, or -EBADMSG. */
static int
next_item(struct recording *recording, struct recording_item *item)
{
	struct record_bytes record;

	while (!count_reports(recording, item)) {
		if (recording->reader.at >= recording->reader.end ||
		    !take_record(recording, &record))
			return 0;
		if (!read_item(recording, &record, item))
			continue;
		return record.reader.failed ? -EBADMSG : 1;
	}
	return 1;
}

int
recording_next(struct recording *recording, struct recording_item *item)
{
	int ret = next_item(recording, item);

	if (ret > 0)
		set_time(recording, item);
	else if (!ret && recording->i915_perf && !recording->gap.code)
		recording->cut_off = (size_t)(recording->reports->end -
					      recording->reports->at);
	return ret;
}
