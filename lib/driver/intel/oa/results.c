/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/results.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "driver/intel/oa/gpu.h"
#include "driver/results/results.h"

/* Read the revision from sysfs, "0x0c"; "" if the kernel has no such file. */
static void
read_revision(const char *sysfs, char *out, size_t size)
{
	uint64_t revision;

	*out = '\0';
	if (!number_file_read(sysfs, "revision", &revision))
		snprintf(out, size, "-%02x", (unsigned)revision);
}

int
oa_results_path(const char *driver, const char *sysfs, uint32_t device_id,
		char *path, size_t size)
{
	char key[RESULT_KEY_SIZE], revision[12];

	read_revision(sysfs, revision, sizeof(revision));
	results_key(key, sysfs, "%s-%04x%s", driver, device_id, revision);
	return results_path(path, size, key);
}

int
oa_results_composes(const struct oa_gpu *gpu, uint32_t device_id, bool *out,
		    struct drmperf_error *error)
{
	struct drmperf_error why;
	struct selftest_results results;
	char path[PATH_MAX];
	int ret;

	*out = false;
	if (oa_results_path(gpu->driver, gpu->sysfs, device_id, path,
			    sizeof(path)))
		return 0;
	ret = results_read(&results, path, &why);
	if (error_is_transient(ret))
		return error_set(error, ret, "%s", why.cause);
	if (ret) {
		log_write(&gpu->log, DRMPERF_LOG_WARNING,
			  "results of drmperf selftest are ignored: %s",
			  why.cause);
		return 0;
	}
	*out = results_find(&results, OA_TESTED_COMPOSED) == RESULT_PASS;
	results_finish(&results);
	return 0;
}
