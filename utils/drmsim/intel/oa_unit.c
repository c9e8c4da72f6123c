/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/oa_unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Rates that hold from one moment to the next change of them. */
struct sim_oa_epoch {
	unsigned references;
	struct sim_span begin;
	uint64_t clock_hz;
	uint64_t base[SIM_OA_SLOTS];
	struct sim_slope slopes[SIM_OA_SLOTS];
};

struct sim_oa_unit {
	struct sim_oa_setup setup;
	const struct sim_timeline *timeline;
	uint64_t offset;

	/* hardware */
	bool enabled, stalled;
	struct sim_cursor cursor;
	uint32_t context; /* what the unit saw last */
	struct sim_oa_epoch *epoch;
	struct sim_oa_report *ring;
	size_t capacity;
	uint64_t head, tail;
	bool overflowed, lost;
	uint64_t lose, holes, late; /* in reports to come */

	struct sim_oa_statistics statistics;
};

static void
epoch_put(struct sim_oa_epoch *epoch)
{
	if (epoch && --epoch->references == 0)
		free(epoch);
}

static struct sim_oa_report *
report_at(const struct sim_oa_unit *unit, uint64_t index)
{
	return &unit->ring[index % unit->capacity];
}

int
sim_oa_unit_create(const struct sim_oa_setup *setup,
		   const struct sim_timeline *timeline,
		   struct sim_oa_unit **out)
{
	struct sim_oa_unit *unit = calloc(1, sizeof(*unit));

	if (!unit)
		return -ENOMEM;
	unit->setup = *setup;
	unit->timeline = timeline;
	if (!unit->setup.buffer_size)
		unit->setup.buffer_size = SIM_OA_BUFFER_SIZE;
	unit->capacity = unit->setup.buffer_size / setup->format->size;
	unit->ring = calloc(unit->capacity, sizeof(*unit->ring));
	if (!unit->ring) {
		free(unit);
		return -ENOMEM;
	}
	*out = unit;
	return 0;
}

static void
drop_until(struct sim_oa_unit *unit, uint64_t head)
{
	for (; unit->head < head; unit->head++)
		epoch_put(report_at(unit, unit->head)->epoch);
}

void
sim_oa_unit_stop(struct sim_oa_unit *unit)
{
	epoch_put(unit->epoch);
	unit->epoch = NULL;
	unit->enabled = false;
}

void
sim_oa_unit_disable(struct sim_oa_unit *unit)
{
	drop_until(unit, unit->tail);
	sim_oa_unit_stop(unit);
}

void
sim_oa_unit_destroy(struct sim_oa_unit *unit)
{
	if (!unit)
		return;
	sim_oa_unit_disable(unit);
	free(unit->ring);
	free(unit);
}

void
sim_oa_unit_set_offset(struct sim_oa_unit *unit, uint64_t offset)
{
	unit->offset = offset;
}

/* Return the number of slots that the unit's generation has. */
static size_t
slot_count(const struct sim_oa_unit *unit)
{
	return unit->setup.generation == SIM_OA_XE2 ? (size_t)SIM_OA_SLOTS
						    : (size_t)SIM_OA_P;
}

/* Return how far the unit has run. */
static struct sim_span
unit_reached(const struct sim_oa_unit *unit)
{
	return (struct sim_span){ .ticks = unit->cursor.tick,
				  .busy = unit->cursor.busy,
				  .weighted = unit->cursor.weighted };
}

static struct sim_oa_epoch *
epoch_create(const struct sim_oa_unit *unit,
	     const struct sim_oa_counting *counting, const uint64_t *base)
{
	struct sim_oa_epoch *epoch = calloc(1, sizeof(*epoch));

	if (!epoch)
		return NULL;
	epoch->references = 1;
	epoch->begin = unit_reached(unit);
	epoch->clock_hz = counting->clock_hz;
	memcpy(epoch->base, base, sizeof(epoch->base));
	for (size_t i = 0; i < slot_count(unit); i++)
		epoch->slopes[i] =
			sim_rate_slope(&counting->rates.slots[i],
				       unit->setup.tick_hz, counting->clock_hz);
	return epoch;
}

static void
epoch_values(const struct sim_oa_unit *unit, const struct sim_oa_epoch *epoch,
	     const struct sim_span *at, uint64_t *values)
{
	const struct sim_span span = {
		.ticks = at->ticks - epoch->begin.ticks,
		.busy = at->busy - epoch->begin.busy,
		.weighted = at->weighted - epoch->begin.weighted,
	};

	for (size_t i = 0; i < slot_count(unit); i++)
		values[i] =
			epoch->base[i] + sim_slope_at(&epoch->slopes[i], &span);
}

int
sim_oa_unit_enable(struct sim_oa_unit *unit, uint64_t tick,
		   const struct sim_oa_counting *counting)
{
	struct sim_oa_epoch *epoch;

	sim_cursor_init(&unit->cursor, unit->timeline,
			unit->setup.generation == SIM_OA_HASWELL &&
					unit->setup.filtered
				? unit->setup.context
				: 0,
			tick);
	epoch = epoch_create(unit, counting, counting->start);
	if (!epoch)
		return -ENOMEM;
	sim_oa_unit_disable(unit);
	unit->epoch = epoch;
	unit->enabled = true;
	unit->context = sim_cursor_phase(&unit->cursor)->context;
	unit->overflowed = unit->lost = false;
	return 0;
}

int
sim_oa_unit_recount(struct sim_oa_unit *unit, uint64_t tick,
		    const struct sim_oa_counting *counting)
{
	uint64_t values[SIM_OA_SLOTS] = { 0 };
	struct sim_oa_epoch *epoch;
	struct sim_span now;

	if (!unit->enabled)
		return 0;
	sim_oa_unit_run(unit, tick);
	now = unit_reached(unit);
	epoch_values(unit, unit->epoch, &now, values);
	epoch = epoch_create(unit, counting, values);
	if (!epoch)
		return -ENOMEM;
	epoch_put(unit->epoch);
	unit->epoch = epoch;
	return 0;
}

void
sim_oa_unit_retime(struct sim_oa_unit *unit)
{
	if (unit->enabled)
		sim_cursor_restart(&unit->cursor);
}

/* ------------------------------------------------------------------ */
/* Hardware                                                             */

static bool
is_valid(const struct sim_oa_unit *unit, const struct sim_phase *phase,
	 unsigned reason)
{
	if (phase->idle)
		return false;
	if (unit->setup.generation >= SIM_OA_XEHP)
		return reason & SIM_OA_SWITCH;
	return true;
}

/* Write a report to memory, if nothing goes wrong. */
static void
put_report(struct sim_oa_unit *unit, const struct sim_oa_report *report)
{
	struct sim_oa_report *place;

	if (unit->lose) {
		unit->lose--;
		unit->lost = true;
		unit->statistics.dropped++;
		return;
	}
	if (unit->tail - unit->head == unit->capacity) {
		sim_oa_unit_overflow(unit);
		return;
	}
	place = report_at(unit, unit->tail++);
	*place = *report;
	place->hole = unit->holes > 0;
	if (unit->holes)
		unit->holes--;
	unit->epoch->references++;
	unit->statistics.written++;
}

/* Put one that was taken a tick earlier, and comes behind. */
static void
put_late_report(struct sim_oa_unit *unit, const struct sim_phase *phase,
		struct sim_oa_report report)
{
	if (report.at.ticks == unit->epoch->begin.ticks)
		return;
	unit->late--;
	report.at.ticks--;
	if (!phase->idle && report.at.busy > unit->epoch->begin.busy) {
		report.at.busy--;
		report.at.weighted -= phase->weight;
	}
	put_report(unit, &report);
}

static void
write_report(struct sim_oa_unit *unit, unsigned reason)
{
	const struct sim_phase *phase = sim_cursor_phase(&unit->cursor);
	struct sim_oa_report report;

	if (!phase->idle)
		unit->context = phase->context;
	if (unit->stalled || unit->overflowed)
		return;
	report = (struct sim_oa_report){
		.at = unit_reached(unit),
		.context = unit->context,
		.reason = (uint8_t)reason,
		.valid = is_valid(unit, phase, reason),
		.epoch = unit->epoch,
	};
	put_report(unit, &report);
	if (unit->late && !unit->overflowed)
		put_late_report(unit, phase, report);
}

/*
 * Return the next moment after `tick` at which the timestamp is 1 << exponent.
 */
static uint64_t
next_timer(const struct sim_oa_unit *unit, uint64_t tick)
{
	uint64_t period = 2ull << unit->setup.exponent;
	uint64_t phase = (tick + unit->offset) % period;

	if (!unit->setup.periodic)
		return UINT64_MAX;
	return tick + ((period + period / 2 - phase - 1) % period + 1);
}

/*
 * Return whether a unit is gated: Haswell's stands still while a context not
 * asked for runs.
 */
static bool
is_gated(const struct sim_oa_unit *unit)
{
	const struct sim_phase *phase = sim_cursor_phase(&unit->cursor);

	return unit->cursor.only &&
	       (phase->idle || phase->context != unit->cursor.only);
}

static void
begin_phase(struct sim_oa_unit *unit)
{
	if (unit->setup.generation == SIM_OA_HASWELL)
		return;
	write_report(unit, sim_cursor_phase(&unit->cursor)->idle
				   ? SIM_OA_GO
				   : SIM_OA_SWITCH);
}

void
sim_oa_unit_run(struct sim_oa_unit *unit, uint64_t tick)
{
	/* A timer that is served late comes behind a reader's look. */
	if (tick < unit->cursor.tick)
		return;
	while (unit->enabled && !unit->overflowed && !unit->stalled) {
		uint64_t timer = next_timer(unit, unit->cursor.tick);
		uint64_t change = sim_cursor_end(&unit->cursor);
		uint64_t next = timer < change ? timer : change;

		if (next > tick)
			break;
		sim_cursor_advance(&unit->cursor, next);
		if (next == change)
			begin_phase(unit);
		if (next == timer && !is_gated(unit))
			write_report(unit, SIM_OA_TIMER);
	}
	if (unit->enabled)
		sim_cursor_advance(&unit->cursor, tick);
}

void
sim_oa_unit_lose(struct sim_oa_unit *unit, uint64_t reports)
{
	unit->lose = reports;
}

void
sim_oa_unit_overflow(struct sim_oa_unit *unit)
{
	unit->overflowed = true;
	unit->statistics.overflows++;
}

void
sim_oa_unit_hole(struct sim_oa_unit *unit, uint64_t reports)
{
	unit->holes = reports;
}

void
sim_oa_unit_late(struct sim_oa_unit *unit, uint64_t reports)
{
	unit->late = reports;
}

void
sim_oa_unit_stall(struct sim_oa_unit *unit, bool stalled)
{
	unit->stalled = stalled;
}

void
sim_oa_unit_trigger(struct sim_oa_unit *unit, unsigned reason)
{
	if (unit->enabled)
		write_report(unit, reason);
}

/* ------------------------------------------------------------------ */
/* Reading reports                                                      */

uint64_t
sim_oa_unit_head(const struct sim_oa_unit *unit)
{
	return unit->head;
}

uint64_t
sim_oa_unit_tail(const struct sim_oa_unit *unit)
{
	return unit->tail;
}

bool
sim_oa_unit_is_enabled(const struct sim_oa_unit *unit)
{
	return unit->enabled;
}

bool
sim_oa_unit_has_overflowed(const struct sim_oa_unit *unit)
{
	return unit->overflowed;
}

bool
sim_oa_unit_has_lost(const struct sim_oa_unit *unit)
{
	return unit->lost;
}

void
sim_oa_unit_clear_lost(struct sim_oa_unit *unit)
{
	unit->lost = false;
}

/*
 * Return the ratios, in units of 1/60 GHz: bits 8:0 unslice, 31:25 and 10:9
 * slice.
 */
static uint32_t
unit_ratios(const struct sim_oa_unit *unit, uint64_t clock_hz)
{
	uint32_t ratio = (uint32_t)((clock_hz * 6 + 50000000) / 100000000);
	uint32_t low = ratio & 0x7f;

	/* bit 25 says something else there */
	if (unit->setup.generation == SIM_OA_GEN8 ||
	    unit->setup.generation >= SIM_OA_GEN12)
		low &= 0x7e;
	return (ratio & 0x1ff) | ((ratio >> 7) & 3) << 9 | low << 25;
}

static uint32_t
report_id(const struct sim_oa_unit *unit, const struct sim_oa_report *report)
{
	uint32_t id = (uint32_t)report->reason << 19;

	/* Haswell's word is not documented, except that it is never 0. */
	if (unit->setup.generation == SIM_OA_HASWELL)
		return id;
	if (report->valid)
		id |= 1u << (unit->setup.generation == SIM_OA_GEN8 ? 25 : 16);
	return id | unit_ratios(unit, report->epoch->clock_hz);
}

const struct sim_oa_report *
sim_oa_unit_report(const struct sim_oa_unit *unit, uint64_t index)
{
	return report_at(unit, index);
}

uint64_t
sim_oa_unit_landed(const struct sim_oa_unit *unit, uint64_t visible)
{
	uint64_t tail = unit->tail;

	while (tail > visible &&
	       (tail == unit->tail || sim_oa_unit_report(unit, tail)->hole))
		tail--;
	return tail;
}

void
sim_oa_unit_write(const struct sim_oa_unit *unit, uint64_t index,
		  uint32_t context, uint8_t *out)
{
	const struct sim_oa_report *report = report_at(unit, index);
	struct sim_oa_header header = {
		.id = report_id(unit, report),
		.timestamp = report->at.ticks + unit->offset,
		.context = context,
	};
	uint64_t values[SIM_OA_SLOTS];

	if (report->hole) {
		memset(out, 0, unit->setup.format->size);
		return;
	}
	epoch_values(unit, report->epoch, &report->at, values);
	sim_oa_format_write(unit->setup.format, &header, values, out);
}

void
sim_oa_unit_release(struct sim_oa_unit *unit, uint64_t head)
{
	unit->statistics.delivered += head - unit->head;
	drop_until(unit, head);
}

void
sim_oa_statistics_add(struct sim_oa_statistics *sum,
		      const struct sim_oa_unit *unit)
{
	sum->written += unit->statistics.written;
	sum->delivered += unit->statistics.delivered;
	sum->dropped += unit->statistics.dropped;
	sum->overflows += unit->statistics.overflows;
}
