/* SPDX-License-Identifier: BSD-3-Clause */
/* Slurm jobs of processes, from cgroups and environments. */
#include "drmperf/serve/process_series.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static const struct {
	const char *cgroup, *environment, *job;
	size_t size;
} cases[] = {
	/* cgroups of version 2 and 1 */
	{ "0::/system.slice/slurmstepd.scope/job_123/step_0/user/task_0\n", "",
	  "123", 0 },
	{ "5:memory:/user.slice\n4:devices:/slurm/uid_1000/job_45/step_batch\n",
	  "", "45", 0 },
	{ "0::/system.slice/slurmstepd.scope/job_77\n", "", "77", 0 },
	{ "0::/user.slice/job_x/step_0\n", "", "", 0 },
	{ "0::/user.slice/job_12x/step_0\n", "", "", 0 },
	{ "0::/user.slice/job_/job_9/\n", "", "9", 0 },
	{ "0::/job_123456789012345678901234567890/\n", "", "", 0 },
	{ "", "HOME=/\0SLURM_JOB_ID=4711\0A=", "4711", 28 },
	{ "", "XSLURM_JOB_ID=4711\0SLURM_JOB_ID=\0SLURM_JOB_ID=1a", "", 49 },
	{ "0::/job_5/\n", "SLURM_JOB_ID=6", "5", 14 },
	{ "", "", "", 0 },
};

TEST_CASE(jobs, NULL, NULL, "tool_jobs_of_processes");

TEST_LOOP(jobs, job_is_found, ARRAY_SIZE(cases))
{
	char job[PROCESS_JOB_SIZE];

	ck_assert_str_eq(process_job_find(cases[_i].cgroup,
					  cases[_i].environment, cases[_i].size,
					  job),
			 cases[_i].job);
}

TEST(jobs, processes_are_looked_at_every_ten_seconds)
{
	const uint64_t begin = UINT64_C(5000000000), second = 1000000000;
	struct process_series *series = process_series_create();

	ck_assert(process_series_keep(series, begin));
	ck_assert(!process_series_keep(series, begin + 9 * second));
	ck_assert(process_series_keep(series, begin + 10 * second));
	ck_assert(!process_series_keep(series, begin + 19 * second));
	ck_assert(process_series_keep(series, begin + 300 * second));
	process_series_destroy(series);
}
