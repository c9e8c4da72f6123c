/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "Any group that has it": where only one group of a domain can count at a
 * time, a group with the domain's name has the events of them all, and
 * whatever group is counting will do.
 */
#ifndef DRMPERF_LIB_CATALOG_ANY_SET_H
#define DRMPERF_LIB_CATALOG_ANY_SET_H

#include "catalog/record.h"

/*
 * Add such a group for every exclusive domain whose groups have events that are
 * listed, or may have; but none where the driver has a group of that name. The
 * first one is at *first. -ENOMEM.
 */
int
any_groups_add(struct description *description, group_index *first);

/*
 * Fill such a group with what all groups of its domain have, which are filled
 * for that; those that cannot be are passed over. -ENOMEM.
 */
int
any_group_fill(struct drmperf_group *any, struct drmperf_error *error);

/*
 * Find which events serve one of such a group, in the order of the groups:
 * those of its name, with the same unit, type and kind. -ENOMEM.
 */
int
any_event_resolve(const struct drmperf_event *any,
		  const struct catalog_value **out,
		  struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_ANY_SET_H */
