/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups are filled when one of their events is asked for.
 */
#ifndef DRMPERF_LIB_CATALOG_LAZY_LOAD_H
#define DRMPERF_LIB_CATALOG_LAZY_LOAD_H

#include "catalog/record.h"

/*
 * Return the list of all events; the same one each time. Groups whose events
 * cannot be described are empty, with a warning at the first time. NULL when
 * memory is short.
 */
const struct catalog_list *
catalog_list(struct catalog *catalog);

/*
 * Make sure that the events of a group are there. Returns 0, or the errors of
 * the group's describe(), each time, and of catalog_create().
 */
int
catalog_fill(struct drmperf_group *group, struct drmperf_error *error);

/* Implement catalog_fill() and catalog_list(). Caller holds catalog->lock. */
int
catalog_fill_group(struct drmperf_group *group, struct drmperf_error *error);
const struct catalog_list *
catalog_make_list(struct catalog *catalog);

#endif /* DRMPERF_LIB_CATALOG_LAZY_LOAD_H */
