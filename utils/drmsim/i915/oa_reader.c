/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux 6.1 and 6.12 i915_perf.c] */
#include "i915/oa_reader.h"

#include <errno.h>
#include <string.h>

#define AGING_NS 100000
#define NO_CONTEXT UINT32_MAX
#define RECORD_HEADER 8

/* Values of drm_i915_perf_record_type. */
enum record {
	RECORD_SAMPLE = 1,
	RECORD_REPORT_LOST = 2,
	RECORD_BUFFER_LOST = 3,
};

void
sim_oa_reader_init(struct sim_oa_reader *reader,
		   const struct sim_oa_setup *setup, bool aging,
		   struct sim_oa_unit *unit)
{
	*reader = (struct sim_oa_reader){ .setup = *setup,
					  .aging = aging,
					  .unit = unit };
}

void
sim_oa_reader_restart(struct sim_oa_reader *reader)
{
	reader->lost_told = false;
	reader->visible = reader->aging_tail = sim_oa_unit_tail(reader->unit);
	reader->aging_ns = 0;
	reader->last_context = NO_CONTEXT;
}

/* ---- the tail */

bool
sim_oa_reader_check(struct sim_oa_reader *reader, uint64_t now_ns)
{
	const struct sim_oa_unit *unit = reader->unit;
	uint64_t tail = sim_oa_unit_tail(unit);

	if (!sim_oa_unit_is_enabled(unit))
		return false;
	if (reader->aging && tail == reader->aging_tail &&
	    now_ns - reader->aging_ns > AGING_NS) {
		reader->visible = reader->aging_tail;
	} else {
		reader->visible = sim_oa_unit_landed(unit, reader->visible);
		reader->aging_tail = tail;
		reader->aging_ns = now_ns;
	}
	/* a buffer that was full has something in it */
	return sim_oa_unit_has_overflowed(unit) ||
	       reader->visible > sim_oa_unit_head(unit);
}

/* ---- records */

static bool
is_own(const struct sim_oa_reader *reader, uint32_t context)
{
	return !reader->setup.filtered || context == reader->setup.context;
}

/* Return the context id as the kernel lets it through. */
static uint32_t
shown_context(const struct sim_oa_reader *reader,
	      const struct sim_oa_report *report)
{
	if (reader->setup.generation != SIM_OA_HASWELL &&
	    reader->setup.generation != SIM_OA_XEHP && !report->valid)
		return NO_CONTEXT;
	return report->context;
}

/* Return whether a reader that asked for one context gets the report. */
static bool
is_forwarded(const struct sim_oa_reader *reader,
	     const struct sim_oa_report *report, uint32_t context,
	     uint32_t last_context)
{
	return reader->setup.generation == SIM_OA_HASWELL ||
	       is_own(reader, context) || is_own(reader, last_context) ||
	       (report->reason & SIM_OA_SWITCH);
}

static void
write_record(uint8_t *out, enum record type, size_t size)
{
	memset(out, 0, RECORD_HEADER);
	out[0] = (uint8_t)type;
	out[6] = (uint8_t)size;
	out[7] = (uint8_t)(size >> 8);
}

static int
append_status(struct sim_oa_batch *batch, enum record type)
{
	if (batch->room - batch->size < RECORD_HEADER)
		return -ENOSPC;
	write_record(batch->data + batch->size, type, RECORD_HEADER);
	batch->size += RECORD_HEADER;
	return 0;
}

static int
append_sample(const struct sim_oa_reader *reader, uint64_t index,
	      uint32_t context, struct sim_oa_batch *batch)
{
	size_t size = RECORD_HEADER + reader->setup.format->size;
	uint8_t *out = batch->data + batch->size;

	if (batch->room - batch->size < size)
		return -ENOSPC;
	write_record(out, RECORD_SAMPLE, size);
	sim_oa_unit_write(reader->unit, index, context, out + RECORD_HEADER);
	batch->size += size;
	return 0;
}

static void
append_samples(const struct sim_oa_reader *reader, struct sim_oa_batch *batch)
{
	size_t begin = batch->size;
	uint64_t head = sim_oa_unit_head(reader->unit);

	for (; head < reader->visible; head++) {
		const struct sim_oa_report *report =
			sim_oa_unit_report(reader->unit, head);
		uint32_t context = shown_context(reader, report);

		/* Haswell's half of the kernel leaves out what has no id */
		if (reader->setup.generation == SIM_OA_HASWELL && report->hole)
			continue;
		if (!is_forwarded(reader, report, context, batch->last_context))
			continue;
		batch->error = append_sample(
			reader, head,
			is_own(reader, context) ? context : NO_CONTEXT, batch);
		if (batch->error)
			break;
		batch->last_context = context;
	}
	/* The head stays where nothing was copied, like in the kernel. */
	if (batch->size != begin)
		batch->head = head;
}

size_t
sim_oa_reader_readable(const struct sim_oa_reader *reader)
{
	uint64_t head = sim_oa_unit_head(reader->unit);

	return 2 * RECORD_HEADER +
	       (size_t)(reader->visible - head) *
		       (RECORD_HEADER + reader->setup.format->size);
}

void
sim_oa_reader_peek(const struct sim_oa_reader *reader,
		   struct sim_oa_batch *batch)
{
	batch->size = 0;
	batch->head = sim_oa_unit_head(reader->unit);
	batch->last_context = reader->last_context;
	batch->restart = batch->lost = false;
	batch->error = 0;

	if (sim_oa_unit_has_overflowed(reader->unit)) {
		/* the unit is restarted: nothing is left to come after it */
		batch->error = append_status(batch, RECORD_BUFFER_LOST);
		batch->restart = batch->error == 0;
		return;
	}
	if (sim_oa_unit_has_lost(reader->unit) && !reader->lost_told) {
		batch->error = append_status(batch, RECORD_REPORT_LOST);
		if (batch->error)
			return;
		batch->lost = true;
	}
	append_samples(reader, batch);
}

int
sim_oa_reader_commit(struct sim_oa_reader *reader,
		     const struct sim_oa_batch *batch, uint64_t tick,
		     const struct sim_oa_counting *counting)
{
	int error;

	if (batch->restart) {
		error = sim_oa_unit_enable(reader->unit, tick, counting);
		if (!error)
			sim_oa_reader_restart(reader);
		return error;
	}
	if (batch->lost && reader->setup.generation == SIM_OA_HASWELL)
		reader->lost_told = true;
	else if (batch->lost)
		sim_oa_unit_clear_lost(reader->unit);
	sim_oa_unit_release(reader->unit, batch->head);
	reader->last_context = batch->last_context;
	return 0;
}
