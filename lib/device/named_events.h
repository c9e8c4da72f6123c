/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of CPUs, which exist as soon as a caller names them.
 *
 * They belong to a device that is not in the list of devices. Each has a
 * catalog of its own, whose groups and domains are those of the device.
 */
#ifndef DRMPERF_LIB_DEVICE_NAMED_EVENTS_H
#define DRMPERF_LIB_DEVICE_NAMED_EVENTS_H

#include <stdbool.h>

#include "drmperf.h"

struct named_events;

/*
 * Create the named events; *out becomes NULL if no driver describes such
 * events. Returns 0, or -ENOMEM.
 */
int
named_events_create(struct drmperf *drmperf, struct named_events **out);

/* Destroy them once all sessions have ended. NULL is allowed. */
void
named_events_destroy(struct named_events *unlisted);

/* Return true if the name has a part before "::" that is no driver of GPUs. */
bool
named_events_may_have(const struct drmperf *drmperf, const char *name);

/*
 * Find the event of this name; the same one each time. -ENXIO, without a
 * complaint, if the part before "::" is not known at all; the errors of the
 * driver's describe_named().
 */
int
named_events_find(struct named_events *unlisted, const char *name,
		  const struct drmperf_event **out,
		  struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_NAMED_EVENTS_H */
