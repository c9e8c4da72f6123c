/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metric sets in the kernel: found by their GUID, or loaded.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_OA_CONFIG_H
#define DRMPERF_LIB_DRIVER_I915_OA_CONFIG_H

#include <stdint.h>

#include "base/error.h"
#include "driver/i915/kernel.h"
#include "driver/intel/oa/condition.h"
#include "table/table.h"

/* Where configurations are, and what their conditions refer to. */
struct oa_config_place {
	int fd;		     /* of the DRM node */
	const char *metrics; /* sysfs folder: .../drm/card0/metrics */
	const struct constants *constants;
};

/*
 * Find the id of the configuration of a <set> element with register lists.
 *
 * A configuration that another program has loaded under the same GUID is used
 * if its registers are the same; otherwise ours are loaded under a GUID made of
 * them. None is ever removed: another process may have looked its id up by
 * then.
 *
 * Returns 0; -EACCES if it would have to be loaded and may not; -ENOTSUP if
 * the kernel cannot; -EBADMSG if the table is wrong; -ENOMEM; others.
 */
int oa_config_find(const struct oa_config_place *place,
		   const struct table *table, const struct element *set,
		   uint64_t *id, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_I915_OA_CONFIG_H */
