/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/gpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/i915/kernel.h"
#include "driver/i915/topology.h"
#include "driver/i915/uapi.h"
#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/stream/driver.h"

#define MHZ UINT64_C(1000000)

/* Where the kernel reports no peak: more than any of these GPUs has. */
#define PEAK_HZ (3000 * MHZ)

/* ------------------------------------------------------------------ */
/* Facts that the kernel reports                                        */

/* Read the first of two files that is there, of newer and older kernels. */
static int
read_frequency(const char *card, const char *name, const char *other,
	       uint64_t *hz)
{
	int ret = oa_gpu_read_mhz(card, name, hz);

	return ret || *hz ? ret : oa_gpu_read_mhz(card, other, hz);
}

static int
read_frequencies(struct i915_gpu *gpu, const char *card)
{
	int ret;

	ret = read_frequency(card, "gt_min_freq_mhz", "gt/gt0/rps_min_freq_mhz",
			     &gpu->oa.min_hz);
	if (!ret)
		ret = read_frequency(card, "gt_max_freq_mhz",
				     "gt/gt0/rps_max_freq_mhz",
				     &gpu->oa.max_hz);
	if (!ret)
		ret = read_frequency(card, "gt_RP0_freq_mhz",
				     "gt/gt0/rps_RP0_freq_mhz",
				     &gpu->oa.peak_hz);
	if (!gpu->oa.peak_hz)
		gpu->oa.peak_hz = PEAK_HZ;
	return ret;
}

/*
 * Get a parameter; *value stays as it is with kernels that do not know it.
 * Returns transient errors only.
 */
static int
get_parameter(const struct i915_gpu *gpu, int32_t parameter, int *value)
{
	int ret = i915_getparam(gpu->oa.fd, parameter, value);

	return error_is_transient(ret) ? ret : 0;
}

static int
read_parameters(struct i915_gpu *gpu)
{
	int register_hz = 0, timestamp_hz = 0, ret;

	gpu->revision = 0;
	gpu->perf_revision = 1;
	ret = get_parameter(gpu, I915_PARAM_REVISION, &gpu->revision);
	if (!ret)
		ret = get_parameter(gpu, I915_PARAM_PERF_REVISION,
				    &gpu->perf_revision);
	if (!ret)
		ret = get_parameter(gpu, I915_PARAM_CS_TIMESTAMP_FREQUENCY,
				    &register_hz);
	if (!ret)
		ret = get_parameter(gpu, UAPI_PARAM_OA_TIMESTAMP_FREQUENCY,
				    &timestamp_hz);
	gpu->register_hz = register_hz > 0 ? (uint64_t)register_hz : 0;
	gpu->oa.timestamp_hz =
		timestamp_hz > 0 ? (uint64_t)timestamp_hz : gpu->register_hz;
	if (!gpu->oa.timestamp_hz)
		gpu->oa.timestamp_hz = gpu->oa.platform.timestamp_hz;
	return ret;
}

static int
read_topology(struct i915_gpu *gpu, struct drmperf_error *error)
{
	size_t length;
	void *data;
	int ret;

	ret = i915_query(gpu->oa.fd, DRM_I915_QUERY_TOPOLOGY_INFO, &data,
			 &length);
	if (ret == -EINVAL) {
		error_set(error, -ENOTSUP,
			  "the kernel does not report which units the GPU has");
		error_remedy(error, "use Linux 4.17 or later");
		return -ENOTSUP;
	}
	if (ret == -EAGAIN)
		return i915_explain_busy(ret, error);
	if (ret < 0)
		return error_set(error, ret,
				 "cannot query which units the GPU has: %s",
				 strerror(-ret));
	gpu->units = data;
	gpu->units_size = length;
	ret = i915_topology_decode(data, length, &gpu->oa.platform.shape,
				   &gpu->oa.topology);
	if (ret)
		error_set(error, ret,
			  "what the kernel reports about the GPU's "
			  "units does not make sense");
	return ret;
}

/* ------------------------------------------------------------------ */
/* Opening                                                              */

static int
explain_unread(int code, struct drmperf_error *error)
{
	if (code == -EAGAIN)
		return i915_explain_busy(code, error);
	return error_set(error, code,
			 "cannot read what the kernel reports of "
			 "the GPU: %s",
			 strerror(-code));
}

/*
 * Read what the card's folder holds. Frequencies and metric sets are below the
 * card, not the render node.
 */
static int
read_card(struct i915_gpu *gpu, const struct driver_target *target,
	  struct drmperf_error *error)
{
	const char *name = strrchr(target->primary, '/');
	char card[256];
	int ret;

	snprintf(card, sizeof(card), "%s/drm/%s", target->sysfs,
		 name ? name + 1 : target->primary);
	ret = read_frequencies(gpu, card);
	if (ret)
		return explain_unread(ret, error);
	snprintf(gpu->oa.metrics, sizeof(gpu->oa.metrics), "%.240s/metrics",
		 card);
	if (!access(gpu->oa.metrics, F_OK))
		return 0;
	if (error_is_transient(-errno))
		return explain_unread(-errno, error);
	error_set(error, -ENOTSUP,
		  "the kernel has no OA support for this GPU "
		  "(no folder %s)",
		  gpu->oa.metrics);
	error_remedy(error, "it may be a virtual GPU, below a hypervisor, or "
			    "newer than the kernel: Linux 4.14 is needed at "
			    "least, 6.2 for DG2, 6.4 for Meteor Lake");
	return -ENOTSUP;
}

/*
 * Identify the platform and the topology. The shape of the topology depends on
 * the platform, and the other way.
 */
static int
find_units(struct i915_gpu *gpu, const struct driver_target *target,
	   struct drmperf_error *error)
{
	int ret;

	ret = oa_gpu_find_platform(&gpu->oa, NULL, error);
	if (!ret)
		ret = oa_gpu_open_node(&gpu->oa, target, error);
	if (!ret)
		ret = read_topology(gpu, error);
	if (!ret)
		ret = oa_gpu_find_platform(&gpu->oa, &gpu->oa.topology, error);
	return ret;
}

static int
identify_gpu(struct oa_gpu *oa, const struct driver_target *target,
	     struct drmperf_error *error)
{
	struct i915_gpu *gpu = i915_gpu_of(oa);
	int ret = find_units(gpu, target, error);

	if (!ret)
		ret = read_card(gpu, target, error);
	if (ret)
		return ret;
	ret = read_parameters(gpu);
	return ret ? explain_unread(ret, error) : 0;
}

/* ------------------------------------------------------------------ */
/* Recorded                                                             */

static int
take_facts(struct i915_gpu *gpu, const struct recorded_facts *facts)
{
	const struct recorded_device *device = &facts->device;

	gpu->revision = (int)device->revision;
	recorded_device_take(device, &gpu->oa);
	gpu->oa.peak_hz = device->max_hz ? device->max_hz : PEAK_HZ;
	/* aligned as it was when the kernel gave it */
	gpu->units = malloc(facts->units_size);
	if (!gpu->units)
		return -ENOMEM;
	memcpy(gpu->units, facts->units, facts->units_size);
	gpu->units_size = facts->units_size;
	return 0;
}

static int
identify_recorded(struct oa_gpu *oa, const struct driver_target *target,
		  struct drmperf_error *error)
{
	struct i915_gpu *gpu = i915_gpu_of(oa);
	struct recorded_facts facts;
	int ret = recorded_facts_read(target->recorded, target->recorded_size,
				      &facts);

	if (ret)
		return error_set(error, ret,
				 "the recording does not name its GPU and "
				 "metric set");
	if (take_facts(gpu, &facts))
		return error_set(error, -ENOMEM, "no memory");
	ret = oa_gpu_find_platform(oa, NULL, error);
	if (ret)
		return ret;
	ret = i915_topology_decode(gpu->units, gpu->units_size,
				   &oa->platform.shape, &oa->topology);
	if (ret)
		return error_set(error, -EBADMSG,
				 "the recording's data about the GPU's units "
				 "is not plausible");
	return oa_gpu_find_platform(oa, &oa->topology, error);
}

/* ------------------------------------------------------------------ */
/* The driver                                                           */

/*
 * Return whether the GPU has a unit. Only Meteor Lake and later have a unit of
 * media engines.
 */
static bool
has_unit(const struct oa_gpu *gpu, enum oa_unit unit)
{
	return unit == OA_UNIT_RENDER ||
	       (unit == OA_UNIT_MEDIA && gpu->platform.generation >= OA_XELPG);
}

static void
free_units(struct oa_gpu *oa)
{
	free(i915_gpu_of(oa)->units);
}

const struct oa_driver i915_oa_driver = {
	.name = "i915",
	.gpu_size = sizeof(struct i915_gpu),
	.source = &i915_source,
	.identify = identify_gpu,
	.identify_recorded = identify_recorded,
	.prepare = i915_gpu_make_constants,
	.has_unit = has_unit,
	.finish = free_units,
	.paranoid = "dev/i915/perf_stream_paranoid",
};
