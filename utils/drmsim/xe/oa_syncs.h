/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Syncs of OPEN and CONFIG: fences that a new metric set waits for, and what is
 * signalled when it is active.
 */
#ifndef DRMSIM_XE_OA_SYNCS_H
#define DRMSIM_XE_OA_SYNCS_H

#include <stdbool.h>
#include <sys/types.h>

struct sim_call;
struct sim_fence;
struct sim_file;
struct sim_xe_properties;
struct sim_xe_sync;

struct sim_xe_syncs {
	struct sim_xe_sync *list; /* as given */
	struct sim_fence **waits; /* of those that are waited for, or NULL */
	unsigned count, signals;
	pid_t pid; /* whose memory user fences are in */
};

/*
 * Read and check the array that the properties name. file: that of their
 * syncobjs, NULL if it is closed. Returns 0, with *out to be freed, or -errno.
 */
int
sim_xe_syncs_read(struct sim_call *call, struct sim_file *file,
		  const struct sim_xe_properties *properties,
		  struct sim_xe_syncs *out);
void
sim_xe_syncs_free(struct sim_xe_syncs *syncs);
/* Return whether everything that is waited for has been signalled. */
bool
sim_xe_syncs_are_ready(const struct sim_xe_syncs *syncs);
/* Put a fence into the syncobjs that are to be signalled: 0 or -errno. */
int
sim_xe_syncs_put_fence(const struct sim_xe_syncs *syncs, struct sim_file *file,
		       struct sim_fence *fence);
/* Write the user fence, if there is one, into its process's memory. */
void
sim_xe_syncs_write_user_fence(const struct sim_xe_syncs *syncs);

#endif /* DRMSIM_XE_OA_SYNCS_H */
