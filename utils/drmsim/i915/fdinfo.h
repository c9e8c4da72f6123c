/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fdinfo of an i915 client: engine time since the file was opened, and from
 * Linux 6.8 on its memory.
 */
#ifndef DRMSIM_I915_FDINFO_H
#define DRMSIM_I915_FDINFO_H

#include <stdio.h>

struct sim_file;

void sim_i915_fdinfo(struct sim_file *file, FILE *out);

#endif /* DRMSIM_I915_FDINFO_H */
