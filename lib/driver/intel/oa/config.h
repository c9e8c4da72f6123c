/* SPDX-License-Identifier: BSD-3-Clause */
/* The registers, and their values, that make an OA unit count a metric set. */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_CONFIG_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/intel/oa/condition.h"
#include "table/table.h"

/*
 * Find the next list of registers for the multiplexers. A metric set may have
 * alternative register lists for the multiplexers, each under a condition, for
 * parts of which something is fused off. Lists of one id exclude each other, as
 * each is complete in itself; those of several ids belong together. (Metrics
 * Discovery, md_metric_set.cpp)
 *
 * *out becomes the list to write after list, or the first one if that is NULL.
 * It is of the next id that has lists with a true condition: of these the first
 * with the lowest priority number. NULL if there is none. Returns 0, -EBADMSG
 * or -ENOMEM.
 */
int
mux_list_next(const struct constants *constants, const struct table *table,
	      const struct element *set, const struct element *list,
	      struct arena *arena, const struct element **out,
	      struct drmperf_error *error);

/* Pairs of register address and value, as the kernel takes them. */
struct oa_registers {
	uint32_t *pairs;
	size_t count; /* of pairs */
};

/* The three lists of a metric set's configuration. */
struct oa_config {
	struct oa_registers mux, boolean, flex;
};

/*
 * Read the register lists of a set: *out is released with
 * oa_config_free(). -EBADMSG; -ENOTSUP if none of its lists is for this GPU;
 * -ENOMEM.
 */
int
oa_config_registers(const struct constants *constants,
		    const struct table *table, const struct element *set,
		    struct oa_config *out, struct drmperf_error *error);
void
oa_config_free(struct oa_config *config);

/* The size of a GUID's text, terminated. */
#define OA_GUID_SIZE 37

/* Make a hash, the same for all configurations with the same registers. */
uint64_t
oa_config_hash(const struct oa_config *config);

/* Make a GUID of our own from the registers. */
void
oa_config_guid(const struct oa_config *config, char guid[OA_GUID_SIZE]);

/* Make the GUID of a composed set, which is recognized by it. */
void
oa_config_composed_guid(const struct oa_config *config,
			char guid[OA_GUID_SIZE]);

/* Find any composed set that is loaded; -ENOENT. */
int
oa_config_find_composed(const char *metrics, uint64_t *id);

/*
 * Find the id of a loaded set; metrics is the kernel's folder of them. -ENOENT.
 */
int
oa_config_id(const char *metrics, const char *guid, uint64_t *id);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_CONFIG_H */
