/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding events by their names.
 */
#ifndef DRMPERF_LIB_CATALOG_FIND_H
#define DRMPERF_LIB_CATALOG_FIND_H

#include "catalog/record.h"

/*
 * Find the event of this name, without "amdgpu::" and qualifiers: "SQ.WAVES",
 * "SQ_WAVES", or the bare name of a metric. Hidden events are not found.
 *
 * -ENOENT with the nearest names as remedy; -EINVAL if a spelling of ROCm's
 * can mean several events; the errors of catalog_fill().
 */
int
catalog_find(struct catalog *catalog, const char *name, size_t length,
	     const struct drmperf_event **out, struct drmperf_error *error);

/*
 * Find the listed event whose own name this is, "SQ.WAVES": only groups that
 * the name begins with are filled. -ENOENT without complaint; the errors of
 * catalog_fill().
 */
int
catalog_find_listed(struct catalog *catalog, const char *name, size_t length,
		    const struct drmperf_event **out,
		    struct drmperf_error *error);

/*
 * Find the event that has this name but for the case of letters: "sq.waves", or
 * "gpubusy". -ENOENT without complaint if there is none; -EINVAL if several
 * events have it; the errors of catalog_fill().
 */
int
catalog_find_in_any_case(struct catalog *catalog, const char *name,
			 size_t length, const struct drmperf_event **out,
			 struct drmperf_error *error);

/*
 * Find the sum of an event over all clock cycles, a metric of the table, which
 * has one for each level: of SQ.LEVEL_WAVES it is metric.SQ_LEVEL_WAVES_ACCUM.
 * The errors of catalog_find(), -ENOENT for what is no level.
 */
int
catalog_find_sum(struct catalog *catalog, const struct drmperf_event *level,
		 const struct drmperf_event **out);

/* ------------------------------------------------------------------ */
/* For expressions, which may use what is hidden; the lock is held.     */

/*
 * Find the event that a name stands for, of all groups; NULL if there is none.
 * -ENOTUNIQ, without complaint, if there is no telling which; the errors of
 * catalog_fill().
 */
int
catalog_find_any(struct catalog *catalog, const char *name, size_t length,
		 const struct drmperf_event **out, struct drmperf_error *error);

/*
 * Find the event of this group that has this name; NULL if there is none. The
 * errors of catalog_fill().
 */
int
catalog_find_in_group(struct drmperf_group *group, const char *name,
		      size_t length, const struct drmperf_event **out,
		      struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_FIND_H */
