/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one place that knows all drivers.
 */
#include "device/device.h"
#include "base/cancellation.h"
#include "device/state.h"
#include "driver/driver.h"
#include "drmperf.h"

static const struct driver *const drivers[] = {
	&amdgpu_driver,
	&amdgpu_sensor_driver,
	&i915_driver,
	&i915_sensor_driver,
	&xe_driver,
	&xe_sensor_driver,
	&perf_event_driver,
	&fdinfo_driver,
	&cpu_driver,
	NULL,
};

static const struct driver *const recorded_drivers[] = {
	&i915_recorded_driver,
	&xe_recorded_driver,
	NULL,
};

int
drmperf_create(const struct drmperf_options *options, struct drmperf **out,
	       struct drmperf_error *error)
{
	NO_CANCELLATION;
	return state_create(options, drivers, "", out, error);
}

int
drmperf_create_replay(const struct drmperf_options *options, const void *header,
		      size_t size, struct drmperf **out,
		      struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct drmperf *drmperf;
	int ret = state_create_recorded(options, recorded_drivers, header, size,
					&drmperf, error);

	if (ret)
		return ret;
	ret = drmperf_device_open(drmperf_device_at(drmperf, 0), error);
	if (ret) {
		state_destroy(drmperf);
		return ret;
	}
	*out = drmperf;
	return 0;
}
