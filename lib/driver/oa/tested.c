/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/oa/tested.h"

#include <limits.h>
#include <string.h>

#include "driver/oa/gpu.h"
#include "driver/tested/tested.h"

int
oa_tested_path(const char *driver, uint32_t device_id, char *path, size_t size)
{
	return tested_path(path, size, "%s-%04x", driver, device_id);
}

int
oa_tested_composes(const struct oa_gpu *gpu, uint32_t device_id, bool *out,
		   struct drmperf_error *error)
{
	struct tested tested;
	char path[PATH_MAX];
	int ret;

	*out = false;
	if (oa_tested_path(gpu->driver, device_id, path, sizeof(path)))
		return 0;
	ret = tested_read(&tested, path);
	if (error_is_transient(ret))
		return error_set(error, ret, "cannot read %s: %s", path,
				 strerrordesc_np(-ret));
	if (ret) {
		log_write(&gpu->log, DRMPERF_LOG_WARNING,
			  "results of drmperf selftest are ignored: %s: %s",
			  path, strerrordesc_np(-ret));
		return 0;
	}
	*out = tested_verdict(&tested, OA_TESTED_COMPOSED) == TESTED_PASS;
	tested_finish(&tested);
	return 0;
}
