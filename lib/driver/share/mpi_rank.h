/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which rank of which job a process is, as the launchers of MPI and Slurm tell
 * it in the environment.
 */
#ifndef DRMPERF_LIB_DRIVER_SHARE_MPI_RANK_H
#define DRMPERF_LIB_DRIVER_SHARE_MPI_RANK_H

#include <stdbool.h>
#include <stdint.h>

struct mpi_rank {
	int32_t rank; /* -1: none */
	char name[56]; /* as the launcher calls it, or "" */
};

/* Find the rank of this process from the launcher's environment. */
void
mpi_rank_read(struct mpi_rank *job);

/* Return whether a and b are ranks of one job. Their text is not trusted. */
bool
mpi_rank_is_same(const struct mpi_rank *a, const struct mpi_rank *b);

#endif /* DRMPERF_LIB_DRIVER_SHARE_MPI_RANK_H */
