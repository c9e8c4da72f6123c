/* SPDX-License-Identifier: BSD-3-Clause */
#include "xe/eu_stall_unit.h"

#include <errno.h>
#include <stdlib.h>

#include "xe/eu_stall_rows.h"

#define SECOND_NS 1000000000

struct core {
	struct sim_eu_stall_row *buffer; /* NULL: nothing was written yet */
	uint64_t written, read;
	uint64_t turn; /* which of its rows comes next */
	uint64_t due; /* written or dropped by the rate, since unit->since */
	bool dropped;
};

struct sim_eu_stall_unit {
	bool enabled;
	unsigned multiplier, core_count;
	uint64_t since; /* the rate counts from */
	struct sim_eu_stall_statistics statistics;
	struct core cores[];
};

int
sim_eu_stall_unit_create(unsigned cores, struct sim_eu_stall_unit **out)
{
	struct sim_eu_stall_unit *unit =
		calloc(1, sizeof(*unit) + cores * sizeof(unit->cores[0]));

	if (!unit)
		return -ENOMEM;
	unit->core_count = cores;
	*out = unit;
	return 0;
}

void
sim_eu_stall_unit_destroy(struct sim_eu_stall_unit *unit)
{
	if (!unit)
		return;
	for (unsigned c = 0; c < unit->core_count; c++)
		free(unit->cores[c].buffer);
	free(unit);
}

void
sim_eu_stall_unit_restart(struct sim_eu_stall_unit *unit, uint64_t ns)
{
	unit->since = ns;
	for (unsigned c = 0; c < unit->core_count; c++) {
		unit->cores[c].turn = 0;
		unit->cores[c].due = 0;
	}
}

void
sim_eu_stall_unit_enable(struct sim_eu_stall_unit *unit, unsigned multiplier,
			 uint64_t ns)
{
	unit->enabled = true;
	unit->multiplier = multiplier;
	for (unsigned c = 0; c < unit->core_count; c++) {
		unit->cores[c].read = unit->cores[c].written;
		unit->cores[c].dropped = false;
	}
	sim_eu_stall_unit_restart(unit, ns);
}

void
sim_eu_stall_unit_disable(struct sim_eu_stall_unit *unit)
{
	unit->enabled = false;
}

void
sim_eu_stall_unit_reset(struct sim_eu_stall_unit *unit)
{
	sim_eu_stall_unit_disable(unit);
	for (unsigned c = 0; c < unit->core_count; c++)
		unit->cores[c].dropped = false;
}

bool
sim_eu_stall_unit_is_enabled(const struct sim_eu_stall_unit *unit)
{
	return unit->enabled;
}

/* Write rows. Those that find no room are dropped, in whatever number. */
static void
write_rows(struct sim_eu_stall_unit *unit, struct core *core, unsigned number,
	   const struct sim_eu_stall_rows *rows, uint64_t count)
{
	const struct sim_eu_stall_row *row;
	uint64_t room = SIM_EU_STALL_BUFFER - (core->written - core->read);
	uint64_t fits = count < room ? count : room;

	if (count == 0 || !sim_eu_stall_rows_get(rows, number, 0))
		return;
	if (!core->buffer)
		core->buffer =
			calloc(SIM_EU_STALL_BUFFER, sizeof(*core->buffer));
	if (!core->buffer)
		fits = 0;
	for (uint64_t i = 0; i < fits; i++) {
		row = sim_eu_stall_rows_get(rows, number, core->turn + i);
		core->buffer[core->written++ % SIM_EU_STALL_BUFFER] = *row;
	}
	core->turn += count;
	unit->statistics.written += fits;
	unit->statistics.dropped += count - fits;
	if (fits < count)
		core->dropped = true;
}

void
sim_eu_stall_unit_run(struct sim_eu_stall_unit *unit, unsigned core,
		      const struct sim_eu_stall_rows *rows, uint64_t rate,
		      uint64_t ns)
{
	struct core *c = &unit->cores[core];
	uint64_t due;

	if (!unit->enabled || ns < unit->since)
		return;
	due = (uint64_t)((unsigned __int128)(ns - unit->since) * rate /
			 SECOND_NS / unit->multiplier);
	write_rows(unit, c, core, rows, due - c->due);
	c->due = due;
}

void
sim_eu_stall_unit_emit(struct sim_eu_stall_unit *unit, unsigned core,
		       const struct sim_eu_stall_rows *rows, uint64_t count)
{
	if (unit->enabled)
		write_rows(unit, &unit->cores[core], core, rows, count);
}

uint64_t
sim_eu_stall_unit_written(const struct sim_eu_stall_unit *unit, unsigned core)
{
	return unit->cores[core].written;
}

bool
sim_eu_stall_unit_has_dropped(const struct sim_eu_stall_unit *unit,
			      unsigned core)
{
	return unit->cores[core].dropped;
}

void
sim_eu_stall_unit_clear_dropped(struct sim_eu_stall_unit *unit, unsigned core)
{
	unit->cores[core].dropped = false;
}

void
sim_eu_stall_unit_release(struct sim_eu_stall_unit *unit, unsigned core,
			  uint64_t read)
{
	unit->statistics.read += read - unit->cores[core].read;
	unit->cores[core].read = read;
}

const struct sim_eu_stall_row *
sim_eu_stall_unit_row(const struct sim_eu_stall_unit *unit, unsigned core,
		      uint64_t n)
{
	return &unit->cores[core].buffer[n % SIM_EU_STALL_BUFFER];
}

void
sim_eu_stall_unit_statistics(const struct sim_eu_stall_unit *unit,
			     struct sim_eu_stall_statistics *out)
{
	*out = unit->statistics;
}
