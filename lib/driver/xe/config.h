/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metric sets in the kernel, which takes one list of registers for each.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_CONFIG_H
#define DRMPERF_LIB_DRIVER_XE_CONFIG_H

#include "base/error.h"
#include "driver/intel/oa/config.h"
#include "driver/intel/oa/metric_set.h"
#include "driver/xe/gpu.h"

/*
 * Find the id of a set's configuration, loaded if need be. A loaded one cannot
 * be read back, so it has a GUID that is made of the registers: another
 * program's configuration of the set, which may differ, is never taken for
 * ours. None is removed: another process may have looked its id up by then.
 *
 * Returns 0; -EACCES if it would have to be loaded and may not; -ENOTSUP if
 * the kernel cannot; -EBADMSG if the table is wrong; -ENOMEM; others.
 */
int xe_config_find(struct xe_gpu *gpu, const struct metric_set *set,
		   uint64_t *id, struct drmperf_error *error);

/* Find or load a configuration whose registers are not those of a table. */
int
xe_config_load(struct xe_gpu *gpu, const struct metric_set *set,
	       const struct oa_config *config, uint64_t *id,
	       struct drmperf_error *error);

/*
 * Join the lists of a set: mux, boolean, flex. The kernel leaves registers that
 * are not in the list as the last set left them; those that choose stages of
 * shaders are always written, on a unit that has them. *out is released with
 * free(out->pairs). Returns 0, or -ENOMEM.
 */
int xe_config_merge(const struct oa_config *config, bool has_eus,
		    struct oa_registers *out);

#endif /* DRMPERF_LIB_DRIVER_XE_CONFIG_H */
