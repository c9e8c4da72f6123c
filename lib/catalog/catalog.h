/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of one open device: found by name, and resolved into the counters
 * and the program they are made of.
 *
 * A catalog is made from a description and owns it. Groups whose events the
 * driver describes later are filled when one of their events is asked for; the
 * list of all events, when the list is asked for. In every exclusive
 * domain it adds a group that has the domain's name, "oa", whose events stand
 * for "the same in any group that has it".
 */
#ifndef DRMPERF_LIB_CATALOG_CATALOG_H
#define DRMPERF_LIB_CATALOG_CATALOG_H

#include "base/error.h"
#include "catalog/record.h"
#include "driver/description.h"
#include "drmperf.h"

/*
 * Make a catalog; takes over *description, which is left empty, on success.
 *
 * Of events with the same group and name the last one counts, foreign ones
 * that cannot be resolved left out with a warning. -EBADMSG if a name has a
 * character that names may not have; -ENOMEM.
 */
int
catalog_create(struct description *description, const char *driver,
	       struct drmperf_device *device, const struct log_sink *log,
	       struct catalog **out, struct drmperf_error *error);
void
catalog_destroy(struct catalog *catalog);

#endif /* DRMPERF_LIB_CATALOG_CATALOG_H */
