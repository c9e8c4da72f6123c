/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "record/recording_format.h"

#define NS_PER_S 1000000000

/* Write a record of the bytes put together and of more, which is not copied. */
static void
write_record_with(struct recorder *recorder, enum recording_type type,
		  const void *more, size_t size)
{
	struct bytes *bytes = &recorder->bytes;
	uint32_t head[] = { htole32(type),
			    htole32((uint32_t)(bytes->size + size)) };

	if (!bytes->failed) {
		fwrite(head, sizeof(head), 1, recorder->out);
		fwrite(bytes->data, 1, bytes->size, recorder->out);
		if (size)
			fwrite(more, 1, size, recorder->out);
	}
	bytes->size = 0;
}

static void
write_record(struct recorder *recorder, enum recording_type type)
{
	write_record_with(recorder, type, NULL, 0);
}

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

void
recorder_begin(struct recorder *recorder, FILE *out, const char *const *command)
{
	struct bytes *bytes = &recorder->bytes;

	*recorder = (struct recorder){ .out = out };
	fwrite(RECORDING_MAGIC, 1, RECORDING_MAGIC_SIZE, out);
	bytes_add_varint(bytes, RECORDING_VERSION);
	bytes_add_u64(bytes, clock_ns(CLOCK_MONOTONIC));
	bytes_add_u64(bytes, clock_ns(CLOCK_BOOTTIME));
	bytes_add_u64(bytes, clock_ns(CLOCK_REALTIME));
	for (size_t i = 0; command[i]; i++)
		bytes_add_text(bytes, command[i]);
	write_record(recorder, TYPE_RUN);
}

/* ------------------------------------------------------------------ */
/* Events                                                               */

static void
add_word(struct bytes *bytes, const struct recording_words *words,
	 unsigned number)
{
	bytes_add_text(bytes, words->list[number]);
}

static void
add_step(struct bytes *bytes, const struct drmperf_step *step)
{
	add_word(bytes, &recording_operations, step->operation);
	switch (step->operation) {
	case DRMPERF_OPERATION_CONSTANT:
		bytes_add_double(bytes, step->constant);
		break;
	case DRMPERF_OPERATION_PART:
		bytes_add_varint(bytes, step->part);
		break;
	default:
		bytes_add_varint(bytes, step->a);
		bytes_add_varint(bytes, step->b);
		if (step->operation == DRMPERF_OPERATION_SELECT)
			bytes_add_varint(bytes, step->c);
		break;
	}
}

static void
add_series(struct recorder *recorder, enum drmperf_type type)
{
	size_t count = recorder->series_count + 1;
	enum drmperf_type *types =
		reallocarray(recorder->types, count, sizeof(*types));
	struct recording_value *before;

	if (types)
		recorder->types = types;
	before = reallocarray(recorder->before, count, sizeof(*before));
	if (before)
		recorder->before = before;
	if (!types || !before) {
		recorder->bytes.failed = true;
		return;
	}
	types[count - 1] = type;
	before[count - 1] = (struct recording_value){ 0 };
	recorder->series_count = count;
}

void
recorder_add_event(struct recorder *recorder,
		   const struct recording_event *recorded)
{
	const struct record_event *event = &recorded->event;
	struct bytes *bytes = &recorder->bytes;

	bytes_add_text(bytes, event->name);
	bytes_add_text(bytes, drmperf_unit_name(event->unit));
	add_word(bytes, &recording_types, event->type);
	add_word(bytes, &recording_kinds, event->kind);
	add_word(bytes, &recording_scopes, event->scope);
	bytes_add_signed(bytes, event->device);
	bytes_add_signed(bytes, event->instance);
	bytes_add_text(bytes, recorded->address);
	bytes_add_text(bytes, recorded->chip);
	bytes_add_text(bytes, recorded->description);
	bytes_add_varint(bytes, recorded->asked);
	bytes_add_varint(bytes, recorded->step_count);
	for (size_t i = 0; i < recorded->step_count; i++)
		add_step(bytes, &recorded->steps[i]);
	write_record(recorder, TYPE_EVENT);
	if (!recorded->step_count)
		add_series(recorder, event->type);
}

/* ------------------------------------------------------------------ */
/* Items                                                                */

/* Write a time as the difference from the last one. */
static void
add_time(struct recorder *recorder, uint64_t time_ns)
{
	bytes_add_signed(&recorder->bytes,
			 (int64_t)(time_ns - recorder->time_ns));
	recorder->time_ns = time_ns;
}

static uint64_t
recorder_passed(const struct recorder *recorder,
		const struct recording_sample *sample, size_t series)
{
	return sample->values[series].end_ns - recorder->before[series].end_ns;
}

/* Count the series that went on alike: of one clock, and of one die. */
static size_t
count_alike(const struct recorder *recorder,
	    const struct recording_sample *sample, size_t first)
{
	size_t end = first + 1;

	while (end < recorder->series_count &&
	       recorder_passed(recorder, sample, end) ==
		       recorder_passed(recorder, sample, first) &&
	       sample->values[end].die == sample->values[first].die)
		end++;
	return end - first;
}

static void
add_clocks(struct recorder *recorder, const struct recording_sample *sample)
{
	struct bytes *bytes = &recorder->bytes;
	size_t count;

	for (size_t i = 0; i < recorder->series_count; i += count) {
		count = count_alike(recorder, sample, i);
		bytes_add_varint(bytes, count);
		bytes_add_signed(bytes,
				 (int64_t)recorder_passed(recorder, sample, i));
		bytes_add_signed(bytes, sample->values[i].die);
	}
}

static void
add_values(struct recorder *recorder, const struct recording_sample *sample)
{
	for (size_t i = 0; i < recorder->series_count; i++) {
		uint64_t now = sample->values[i].value.u64;

		if (recorder->types[i] == DRMPERF_TYPE_DOUBLE)
			bytes_add_u64(&recorder->bytes, now);
		else
			bytes_add_signed(
				&recorder->bytes,
				(int64_t)(now - recorder->before[i].value.u64));
	}
}

void
recorder_add_sample(struct recorder *recorder,
		    const struct recording_sample *sample)
{
	add_time(recorder, sample->time_ns);
	add_clocks(recorder, sample);
	add_values(recorder, sample);
	if (recorder->series_count)
		memcpy(recorder->before, sample->values,
		       recorder->series_count * sizeof(*recorder->before));
	write_record(recorder, TYPE_SAMPLE);
}

void
recorder_add_task(struct recorder *recorder, const struct recording_task *task)
{
	struct bytes *bytes = &recorder->bytes;

	add_time(recorder, task->time_ns);
	bytes_add_varint(bytes, task->kind);
	bytes_add_varint(bytes, (uint64_t)task->process);
	bytes_add_varint(bytes, (uint64_t)task->thread);
	bytes_add_varint(bytes, (uint64_t)task->parent);
	bytes_add_text(bytes, task->name);
	write_record(recorder, TYPE_TASK);
}

void
recorder_add_mark(struct recorder *recorder, const struct recording_mark *mark)
{
	struct bytes *bytes = &recorder->bytes;

	add_time(recorder, mark->time_ns);
	bytes_add_varint(bytes, mark->kind);
	bytes_add_varint(bytes, (uint64_t)mark->process);
	bytes_add_varint(bytes, (uint64_t)mark->thread);
	bytes_add_varint(bytes, mark->range);
	bytes_add_text(bytes, mark->name);
	write_record(recorder, TYPE_MARK);
}

void
recorder_add_gap(struct recorder *recorder, const struct recording_gap *gap)
{
	add_time(recorder, gap->time_ns);
	bytes_add_text(&recorder->bytes, gap->cause);
	write_record(recorder, TYPE_GAP);
}

/* Write data of the library unchanged. */
static void
add_raw(struct recorder *recorder, enum recording_type type, int device,
	const void *data, size_t size)
{
	bytes_add_varint(&recorder->bytes, (uint64_t)device);
	write_record_with(recorder, type, data, size);
}

void
recorder_add_head(struct recorder *recorder, int device, const void *head,
		  size_t size)
{
	add_raw(recorder, TYPE_HEAD, device, head, size);
}

void
recorder_add_reports(struct recorder *recorder, int device,
		     const struct bytes *records)
{
	recorder->bytes.failed |= records->failed;
	add_raw(recorder, TYPE_REPORTS, device, records->data, records->size);
}

void
recorder_add_verdict(struct recorder *recorder, const struct verdict_rule *rule)
{
	verdict_rule_encode(&recorder->bytes, rule);
	write_record(recorder, TYPE_VERDICT);
}

void
recorder_add_roof(struct recorder *recorder, const struct roof *roof)
{
	roof_encode(&recorder->bytes, roof);
	write_record(recorder, TYPE_ROOF);
}

void
recorder_add_queues(struct recorder *recorder, enum queue_access access)
{
	bytes_add_text(&recorder->bytes, queue_access_name(access));
	write_record(recorder, TYPE_QUEUES);
}

void
recorder_add_stream(struct recorder *recorder,
		    const struct recording_stream *stream)
{
	recording_stream_encode(&recorder->bytes, stream);
	write_record(recorder, TYPE_STREAM);
}

void
recorder_add_machine(struct recorder *recorder,
		     const struct rgp_machine *machine)
{
	recording_machine_encode(&recorder->bytes, machine);
	write_record(recorder, TYPE_MACHINE);
}

void
recorder_add_clocks(struct recorder *recorder, const struct held_clocks *clocks)
{
	struct bytes *bytes = &recorder->bytes;

	bytes_add_varint(bytes, (uint64_t)clocks->index);
	bytes_add_varint(bytes, clocks->held.engine_hz);
	bytes_add_varint(bytes, clocks->before.engine_hz);
	bytes_add_varint(bytes, clocks->held.memory_hz);
	bytes_add_varint(bytes, clocks->before.memory_hz);
	write_record(recorder, TYPE_CLOCKS);
}

void
recorder_add_sampling(struct recorder *recorder,
		      const struct recording_sampling *sampling)
{
	struct bytes *bytes = &recorder->bytes;

	bytes_add_varint(bytes, (uint64_t)sampling->device);
	bytes_add_text(bytes, sampling->address);
	bytes_add_text(bytes, sampling->chip);
	bytes_add_varint(bytes, sampling->period_cycles);
	bytes_add_varint(bytes, sampling->address_bits);
	bytes_add_varint(bytes, sampling->of_all_programs);
	bytes_add_varint(bytes, sampling->reason_count);
	for (unsigned i = 0; i < sampling->reason_count; i++) {
		bytes_add_text(bytes, sampling->reasons[i].name);
		bytes_add_text(bytes, sampling->reasons[i].description);
		bytes_add_varint(bytes, sampling->reasons[i].issued);
	}
	write_record(recorder, TYPE_SAMPLING);
}

void
recorder_add_stalls(struct recorder *recorder,
		    const struct recording_stalls *stalls)
{
	const struct stall_table *table = stalls->table;
	struct bytes *bytes = &recorder->bytes;
	uint64_t before = 0;

	add_time(recorder, stalls->time_ns);
	bytes_add_varint(bytes, (uint64_t)stalls->device);
	bytes_add_varint(bytes, stalls->losses);
	bytes_add_varint(bytes, table->count);
	for (size_t i = 0; i < table->count; i++) {
		const uint64_t *samples = stall_table_samples(table, i);

		bytes_add_signed(bytes,
				 (int64_t)(table->addresses[i] - before));
		before = table->addresses[i];
		for (unsigned k = 0; k < table->reason_count; k++)
			bytes_add_varint(bytes, samples[k]);
	}
	write_record(recorder, TYPE_STALLS);
}

void
recorder_end(struct recorder *recorder)
{
	write_record(recorder, TYPE_END);
}

void
recorder_finish(struct recorder *recorder)
{
	bytes_finish(&recorder->bytes);
	free(recorder->types);
	free(recorder->before);
	*recorder = (struct recorder){ 0 };
}
