/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes of the metric set that have been asked for: each waits for its syncs,
 * for an engine, which writes the registers, and then for the set to settle.
 */
#ifndef DRMSIM_XE_OA_CHANGE_H
#define DRMSIM_XE_OA_CHANGE_H

#include <stdint.h>

struct sim_file;
struct sim_oa_config;
struct sim_xe;
struct sim_xe_syncs;
struct sim_xe_unit;

struct sim_xe_change_setup {
	const struct sim_xe_unit *unit;
	/*
	 * What the unit is to count, and the function that writes its
	 * registers. config NULL: the caller writes them when it has ended.
	 */
	struct sim_oa_config *config;
	void (*write)(struct sim_xe *device, const struct sim_xe_unit *unit,
		      const struct sim_oa_config *config);
	struct sim_file *file; /* of the syncobjs */
	struct sim_xe_syncs *syncs;
};

/*
 * Begin a change. Takes over what the syncs hold, also where it fails. Returns
 * its number above 0, or -errno.
 */
int
sim_xe_change_begin(struct sim_xe *device,
		    const struct sim_xe_change_setup *setup);
/*
 * Return when to look at a change again: at its end, or before it is written at
 * that of another; SIM_NEVER if nothing is known to happen; 0 if it has ended.
 */
uint64_t
sim_xe_change_end(const struct sim_xe *device, uint32_t number);

/* Return the next of all changes of a device. */
uint64_t
sim_xe_changes_next(const struct sim_xe *device);
void
sim_xe_changes_advance(struct sim_xe *device);
void
sim_xe_changes_drop(struct sim_xe *device);

#endif /* DRMSIM_XE_OA_CHANGE_H */
