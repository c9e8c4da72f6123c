/* SPDX-License-Identifier: BSD-3-Clause */
/* The fdinfo of a client of xe. */
#ifndef DRMSIM_XE_FDINFO_H
#define DRMSIM_XE_FDINFO_H

#include <stdio.h>

struct sim_file;

void
sim_xe_fdinfo(struct sim_file *file, FILE *out);

#endif /* DRMSIM_XE_FDINFO_H */
