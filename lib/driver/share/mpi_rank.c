/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/share/mpi_rank.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Open MPI, PMIx, MPICH and others with PMI, Slurm */
static const char *const ranks[] = {
	"OMPI_COMM_WORLD_RANK",
	"PMIX_RANK",
	"PMI_RANK",
	"SLURM_PROCID",
};

static const char *const names[] = {
	"PMIX_NAMESPACE",
	"PMI_JOBID",
	"SLURM_JOB_ID",
};

static int32_t
read_rank(const char *text)
{
	char *end;
	long rank;

	if (!text || *text < '0' || *text > '9')
		return -1;
	rank = strtol(text, &end, 10);
	return *end || rank > INT32_MAX ? -1 : (int32_t)rank;
}

void
mpi_rank_read(struct mpi_rank *job)
{
	const char *name = NULL;

	memset(job, 0, sizeof(*job));
	job->rank = -1;
	for (size_t i = 0; job->rank < 0 && i < ARRAY_SIZE(ranks); i++)
		job->rank = read_rank(secure_getenv(ranks[i]));
	if (job->rank < 0)
		return;
	for (size_t i = 0; !name && i < ARRAY_SIZE(names); i++)
		name = secure_getenv(names[i]);
	if (name)
		strncpy(job->name, name, sizeof(job->name) - 1);
}

bool
mpi_rank_is_same(const struct mpi_rank *a, const struct mpi_rank *b)
{
	return a->rank >= 0 && b->rank >= 0 &&
	       !strncmp(a->name, b->name, sizeof(a->name));
}
