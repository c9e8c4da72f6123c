/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated root: a directory with dev, sys and proc, which umockdev's
 * preload shows to programs as the real ones. Other parts of the host's own
 * /sys that programs need are there as symbolic links.
 *
 * Paths begin with '/', which is the simulated root. All return 0 or -errno.
 */
#ifndef DRMSIM_MACHINE_ROOT_H
#define DRMSIM_MACHINE_ROOT_H

#include <stddef.h>

struct sim;

int sim_root_create(struct sim *sim);
void sim_root_destroy(struct sim *sim);
/*
 * Mirror the parts of the host's /sys that programs need next to our devices.
 */
int sim_root_mirror(struct sim *sim);
/*
 * Show caches of the processors where the host, a virtual machine, has none to
 * show: ROCm's runtime finds no GPU without them.
 */
int sim_root_show_caches(struct sim *sim);

/* Write the host's path of a path. */
int sim_root_path(const struct sim *sim, const char *path, char *out,
		  size_t size);
int sim_root_write(struct sim *sim, const char *path, const void *bytes,
		   size_t size);
int sim_root_link(struct sim *sim, const char *path, const char *target);

#endif /* DRMSIM_MACHINE_ROOT_H */
