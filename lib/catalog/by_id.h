/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of a block by the hardware's number, which no table has a name for.
 * They are not listed; one is made when it is asked for.
 */
#ifndef DRMPERF_LIB_CATALOG_BY_ID_H
#define DRMPERF_LIB_CATALOG_BY_ID_H

#include "catalog/record.h"

/*
 * The event of a block with this number as its name, the same one each time.
 * The errors of describe_id() and of catalog_fill(); -ENOMEM.
 */
int
catalog_raw_event(struct drmperf_group *group, uint32_t id,
		  const struct drmperf_event **out,
		  struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_BY_ID_H */
