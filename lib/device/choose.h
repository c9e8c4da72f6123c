/* SPDX-License-Identifier: BSD-3-Clause */
/* Which device is meant by a name. */
#ifndef DRMPERF_LIB_DEVICE_CHOOSE_H
#define DRMPERF_LIB_DEVICE_CHOOSE_H

#include "device/device.h"
#include "device/event_name.h"

/* Opens none. -ENODEV; -EINVAL if it cannot be told. */
int
device_choose(struct drmperf *drmperf, const struct event_name *name,
	      struct drmperf_device **out, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_CHOOSE_H */
