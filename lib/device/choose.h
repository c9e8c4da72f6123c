/* SPDX-License-Identifier: BSD-3-Clause */
/* Which devices a name may mean. */
#ifndef DRMPERF_LIB_DEVICE_CHOOSE_H
#define DRMPERF_LIB_DEVICE_CHOOSE_H

#include "device/device.h"
#include "device/event_name.h"

/* Return whether a name may mean this device. */
bool
device_is_candidate(const struct drmperf_device *device,
		    const struct event_name *name);

/* Count the candidates. -ENODEV, with what devices there are, if none is. */
int
device_count_candidates(struct drmperf *drmperf, const struct event_name *name,
			unsigned *count, struct drmperf_error *error);

/* Check that the process may open the device's node; open it for that. */
bool
device_may_be_opened(const struct drmperf_device *device);

#endif /* DRMPERF_LIB_DEVICE_CHOOSE_H */
