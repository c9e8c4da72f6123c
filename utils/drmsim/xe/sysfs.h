/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of sysfs and /proc/sys that xe makes. */
#ifndef DRMSIM_XE_SYSFS_H
#define DRMSIM_XE_SYSFS_H

#include <stdint.h>

struct sim_call;
struct sim_xe;

/* a sysctl of the module, and so of all its devices */
#define SIM_XE_PARANOID "/proc/sys/dev/xe/observation_paranoid"

void
sim_xe_put_files(struct sim_xe *device);
/* Update the changing values: frequencies, and the time each GT has slept. */
void
sim_xe_put_frequencies(struct sim_xe *device);
void
sim_xe_put_residency(struct sim_xe *device);
/* Set a file of hwmon: "power1_cap 300000000". Returns 0 or -EINVAL. */
int
sim_xe_set_hwmon(struct sim_xe *device, const char *value);
/*
 * Check the permission to observe: 0, or -EACCES if observation_paranoid is not
 * 0 and the caller is not privileged while kernel.perf_event_paranoid is above
 * 0.
 */
int
sim_xe_check_paranoid(struct sim_xe *device, const struct sim_call *call);

#endif /* DRMSIM_XE_SYSFS_H */
