/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which rank of which job a process is, as the launchers of MPI and Slurm tell
 * it in the environment.
 */
#ifndef DRMPERF_LIB_DRIVER_SHARE_MPI_RANK_H
#define DRMPERF_LIB_DRIVER_SHARE_MPI_RANK_H

#include <stdbool.h>
#include <stdint.h>

struct job {
	int32_t rank; /* -1: none */
	char name[56]; /* as the launcher calls it, or "" */
};

/* Of this process. */
void
job_read(struct job *job);

/* Whether both are ranks of one job. The text may be anybody's. */
bool
job_is_same(const struct job *a, const struct job *b);

#endif /* DRMPERF_LIB_DRIVER_SHARE_MPI_RANK_H */
