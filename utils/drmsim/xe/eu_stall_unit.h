/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hardware that samples EU stalls: each XeCore of a GT writes rows to a
 * buffer of its own, until that is full. What finds no room is dropped, which
 * it marks.
 *
 *       read             written
 *     --+-----------------+----->  rows, counted from 0
 */
#ifndef DRMSIM_XE_EU_STALL_UNIT_H
#define DRMSIM_XE_EU_STALL_UNIT_H

#include <stdbool.h>
#include <stdint.h>

struct sim_eu_stall_row;
struct sim_eu_stall_rows;
struct sim_eu_stall_unit;

/* Size of each XeCore's buffer, in rows. */
#define SIM_EU_STALL_BUFFER 8192

struct sim_eu_stall_statistics {
	uint64_t written, read, dropped;
};

/*
 * Create a unit; cores says how many numbers there are, and not each needs to
 * have a XeCore.
 */
int
sim_eu_stall_unit_create(unsigned cores, struct sim_eu_stall_unit **out);
void
sim_eu_stall_unit_destroy(struct sim_eu_stall_unit *unit);

/*
 * Enable sampling, with multiplier times the shortest interval. Rows that have
 * not been read yet are left behind.
 */
void
sim_eu_stall_unit_enable(struct sim_eu_stall_unit *unit, unsigned multiplier,
			 uint64_t ns);
void
sim_eu_stall_unit_disable(struct sim_eu_stall_unit *unit);
/* Reset the unit: all registers are 0. */
void
sim_eu_stall_unit_reset(struct sim_eu_stall_unit *unit);
bool
sim_eu_stall_unit_is_enabled(const struct sim_eu_stall_unit *unit);

/* Write what falls due until then, by that many rows a second. */
void
sim_eu_stall_unit_run(struct sim_eu_stall_unit *unit, unsigned core,
		      const struct sim_eu_stall_rows *rows, uint64_t rate,
		      uint64_t ns);
/* Write count rows at once. */
void
sim_eu_stall_unit_emit(struct sim_eu_stall_unit *unit, unsigned core,
		       const struct sim_eu_stall_rows *rows, uint64_t count);
/* Begin with the first row again from now on, since rows or the rate change. */
void
sim_eu_stall_unit_restart(struct sim_eu_stall_unit *unit, uint64_t ns);

/* ---- registers of a XeCore */
uint64_t
sim_eu_stall_unit_written(const struct sim_eu_stall_unit *unit, unsigned core);
bool
sim_eu_stall_unit_has_dropped(const struct sim_eu_stall_unit *unit,
			      unsigned core);
void
sim_eu_stall_unit_clear_dropped(struct sim_eu_stall_unit *unit, unsigned core);
/* Release the room of rows before that, which have been read. */
void
sim_eu_stall_unit_release(struct sim_eu_stall_unit *unit, unsigned core,
			  uint64_t read);
/* Return where it is in its buffer. */
const struct sim_eu_stall_row *
sim_eu_stall_unit_row(const struct sim_eu_stall_unit *unit, unsigned core,
		      uint64_t n);

void
sim_eu_stall_unit_statistics(const struct sim_eu_stall_unit *unit,
			     struct sim_eu_stall_statistics *out);

#endif /* DRMSIM_XE_EU_STALL_UNIT_H */
