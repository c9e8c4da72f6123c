/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events as the tables of metric groups name them: without driver and device,
 * several separated by blanks.
 */
#ifndef DRMPERF_LIB_DEVICE_ANY_EVENT_H
#define DRMPERF_LIB_DEVICE_ANY_EVENT_H

#include "drmperf.h"

/*
 * Find the first name of *names, which is moved behind it; the device is open.
 * -ENOENT: it has no such event, or there is no name.
 */
int
next_event_find(struct drmperf_device *device, const char **names,
		const struct drmperf_event **out, struct drmperf_error *error);

/* Find the first of the names that the device has. -ENOENT: none. */
int
any_event_find(struct drmperf_device *device, const char *names,
	       const struct drmperf_event **out, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_ANY_EVENT_H */
