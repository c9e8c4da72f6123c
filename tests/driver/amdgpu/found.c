/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/amdgpu/found.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "driver/amdgpu/tables/gpu.h"
#include "driver/amdgpu/quirks/quirks.h"
#include "tests/support/check.h"

static char folder[64];
static char path[PATH_MAX];

void
found_checks(const void *device, const char *const *checks, bool pass)
{
	struct selftest_results results = { .count = 0 };
	const struct gpu *gpu = device;
	struct drmperf_error error;

	snprintf(folder, sizeof(folder), "/tmp/drmperf-found-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	setenv("DRMPERF_STATE", folder, 1);
	ck_assert_int_eq(quirks_path(gpu, path, sizeof(path)), 0);
	for (; *checks; checks++)
		ck_assert_int_eq(results_set(&results, *checks,
					     pass ? RESULT_PASS : RESULT_FAIL),
				 0);
	ck_assert_int_eq(results_write(&results, path, &error), 0);
	results_finish(&results);
}

void
found_clock(const void *device, const char *block, bool moves)
{
	const struct gpu *gpu = device;
	const char *engine = pm4_engine_name(gpu->core.commands.samples);
	char held[RESULT_NAME_SIZE], unheld[RESULT_NAME_SIZE];

	snprintf(held, sizeof(held), "%s.moves.%s", engine, block);
	snprintf(unheld, sizeof(unheld), "%s.unheld.%s", engine, block);
	found_checks(device, (const char *const[]){ held, unheld, NULL },
		     moves);
}

void
found_nothing(void)
{
	unlink(path);
	rmdir(folder);
	unsetenv("DRMPERF_STATE");
}
