/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux 6.1 and 6.12 i915_pmu.c] */
#include "i915/operations.h"

#include <errno.h>
#include <i915_drm.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/meter.h"
#include "event/event.h"
#include "event/pmu.h"
#include "i915/device.h"
#include "intel/load.h"
#include "intel/platform.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "machine/machine.h"

/* The CPU that the driver counts on. */
#define PMU_CPU 0
#define GT_SHIFT 60

enum {
	ACTUAL_FREQUENCY = 0x100000,
	REQUESTED_FREQUENCY,
	INTERRUPTS,
	RC6_RESIDENCY,
	AWAKE_TIME,
};

static const struct {
	const char *name, *unit;
	uint64_t config;
	bool of_device; /* not one for each GT */
} others[] = {
	{ "actual-frequency", "M", ACTUAL_FREQUENCY, false },
	{ "requested-frequency", "M", REQUESTED_FREQUENCY, false },
	{ "interrupts", NULL, INTERRUPTS, true },
	{ "rc6-residency", "ns", RC6_RESIDENCY, false },
	{ "software-gt-awake-time", "ns", AWAKE_TIME, false },
};

static const char *const samples[SIM_SAMPLES] = {
	[SIM_SAMPLE_BUSY] = "busy",
	[SIM_SAMPLE_WAIT] = "wait",
	[SIM_SAMPLE_SEMA] = "sema",
};

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static int
check_engine(const struct sim_i915 *device, uint64_t config)
{
	uint64_t class = config >> I915_PMU_CLASS_SHIFT & 0xff;
	uint64_t instance = config >> I915_PMU_SAMPLE_BITS & 0xff;

	if (class >= SIM_ENGINE_CLASSES ||
	    instance >= device->platform.engines[class])
		return -ENODEV;
	return (config & I915_PMU_SAMPLE_MASK) < SIM_SAMPLES ? 0 : -ENOENT;
}

static int
check_other(const struct sim_i915 *device, uint64_t config)
{
	uint64_t gt = config >> GT_SHIFT;
	uint64_t event = config & ~(0xfull << GT_SHIFT);

	/* a kernel without GTs takes the number for an unknown event */
	if (gt >= device->platform.gts)
		return -ENOENT;
	switch (event) {
	case ACTUAL_FREQUENCY:
		return device->platform.cherryview ? -ENODEV : 0;
	case INTERRUPTS:
		return gt ? -ENOENT : 0;
	case REQUESTED_FREQUENCY:
	case RC6_RESIDENCY:
	case AWAKE_TIME:
		return 0;
	}
	return -ENOENT;
}

static int
event_init(void *data, const struct perf_event_attr *attr, int cpu)
{
	const struct sim_i915 *device = data;

	if (attr->sample_period)
		return -EINVAL;
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return -EOPNOTSUPP;
	if (cpu != PMU_CPU)
		return -EINVAL;
	if (attr->config < ACTUAL_FREQUENCY)
		return check_engine(device, attr->config);
	return check_other(device, attr->config);
}

static uint64_t
event_value(void *data, uint64_t config, uint64_t now)
{
	const struct sim_i915 *device = data;
	const struct sim_load *load = &device->load;
	const struct sim_meter *meter;

	switch (config & ~(0xfull << GT_SHIFT)) {
	case ACTUAL_FREQUENCY:
		return sim_meter_at(&load->actual_frequency, now);
	case REQUESTED_FREQUENCY:
		return sim_meter_at(&load->requested_frequency, now);
	case INTERRUPTS:
		return sim_meter_at(&load->interrupts, now);
	case RC6_RESIDENCY:
		return sim_meter_at(&load->rc6, now);
	case AWAKE_TIME:
		return sim_meter_at(&load->awake, now);
	}
	meter = &load->engines[config >> I915_PMU_CLASS_SHIFT & 0xff]
			      [config >> I915_PMU_SAMPLE_BITS & 0xff]
			      [config & I915_PMU_SAMPLE_MASK];
	return sim_meter_at(meter, now);
}

static const struct sim_pmu_ops pmu_ops = {
	.init = event_init,
	.read = event_value,
	.no_exclude = true,
};

/* ------------------------------------------------------------------ */
/* Files                                                                */

static void
put_event(struct sim_i915 *device, const char *pmu, const char *name,
	  uint64_t config, const char *unit)
{
	char path[160];

	snprintf(path, sizeof(path), "/sys/devices/%s/events/%s", pmu, name);
	sim_gpu_file(device->gpu, path, "config=0x%llx\n",
		     (unsigned long long)config);
	if (!unit)
		return;
	snprintf(path, sizeof(path), "/sys/devices/%s/events/%s.unit", pmu,
		 name);
	sim_gpu_file(device->gpu, path, "%s\n", unit);
}

static void
put_engine_events(struct sim_i915 *device, const char *pmu)
{
	char name[32];

	for (unsigned c = 0; c < SIM_ENGINE_CLASSES; c++) {
		for (unsigned i = 0; i < device->platform.engines[c]; i++) {
			for (unsigned s = 0; s < SIM_SAMPLES; s++) {
				snprintf(name, sizeof(name), "%s%u-%s",
					 sim_engine_name(c), i, samples[s]);
				put_event(device, pmu, name,
					  c << I915_PMU_CLASS_SHIFT |
						  i << I915_PMU_SAMPLE_BITS | s,
					  "ns");
			}
		}
	}
}

static void
put_other_events(struct sim_i915 *device, const char *pmu)
{
	unsigned gts = device->platform.gts;
	char name[48];

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		for (unsigned gt = 0; gt < gts; gt++) {
			if (others[i].config == ACTUAL_FREQUENCY &&
			    device->platform.cherryview)
				continue;
			if (others[i].of_device && gt)
				continue;
			if (gts > 1 && !others[i].of_device)
				snprintf(name, sizeof(name), "%s-gt%u",
					 others[i].name, gt);
			else
				snprintf(name, sizeof(name), "%s",
					 others[i].name);
			put_event(device, pmu, name,
				  others[i].config | (uint64_t)gt << GT_SHIFT,
				  others[i].unit);
		}
	}
}

/*
 * Return whether the kernel takes the GPU for the integrated one, wherever it
 * is, as newer kernels do. Older ones, 6.12 among them, look at the address. A
 * second one, which no machine has, gets a name of its own.
 */
static bool
is_integrated(const struct sim_i915 *device)
{
	static const char place[] = "0000:00:02.0";
	const struct sim *sim = device->gpu->sim;

	if (device->platform.discrete)
		return false;
	if (!strcmp(device->gpu->address, place))
		return true;
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		if (!strcmp(sim->gpus[i]->address, place))
			return false;
	}
	return true;
}

/* Write "i915" for integrated graphics, else "i915_0000_03_00.0" */
static void
make_name(const struct sim_i915 *device, char *name, size_t size)
{
	snprintf(name, size, "i915");
	if (is_integrated(device))
		return;
	snprintf(name, size, "i915_%s", device->gpu->address);
	for (char *c = name; *c; c++) {
		if (*c == ':')
			*c = '_';
	}
}

int
sim_i915_pmu_register(struct sim_i915 *device)
{
	char name[40], path[80];
	int error;

	make_name(device, name, sizeof(name));
	error = sim_pmu_register(device->gpu, &pmu_ops, device, name);
	if (error)
		return error;
	snprintf(path, sizeof(path), "/sys/devices/%s/cpumask", name);
	sim_gpu_file(device->gpu, path, "%d\n", PMU_CPU);
	snprintf(path, sizeof(path), "/sys/devices/%s/format/i915_eventid",
		 name);
	sim_gpu_file(device->gpu, path, "config:0-20\n");
	put_engine_events(device, name);
	put_other_events(device, name);
	sim_event_put_paranoid(device->gpu);
	return 0;
}
