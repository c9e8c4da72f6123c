/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * [Linux xe_pmu.c] An event is a number and parameters: which GT, and for those
 * of engines which class and instance. Frequencies are a state: each reading
 * adds what they are at that moment.
 */
#include "xe/operations.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "base/array.h"
#include "base/meter.h"
#include "event/event.h"
#include "event/pmu.h"
#include "intel/load.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "xe/device.h"

enum {
	C6_RESIDENCY = 1,
	ACTIVE_TICKS,
	TOTAL_TICKS,
	ACTUAL_FREQUENCY,
	REQUESTED_FREQUENCY,
	EVENTS_END,
};

static const struct {
	const char *name, *unit;
} events[EVENTS_END] = {
	[C6_RESIDENCY] = { "gt-c6-residency", "ms" },
	[ACTIVE_TICKS] = { "engine-active-ticks", NULL },
	[TOTAL_TICKS] = { "engine-total-ticks", NULL },
	[ACTUAL_FREQUENCY] = { "gt-actual-frequency", "MHz" },
	[REQUESTED_FREQUENCY] = { "gt-requested-frequency", "MHz" },
};

struct fields {
	unsigned event, instance, class, function, gt;
};

static struct fields
fields_of(uint64_t config)
{
	return (struct fields){
		.event = config & 0xfff,
		.instance = config >> 12 & 0xff,
		.class = config >> 20 & 0xff,
		.function = config >> 44 & 0xffff,
		.gt = (unsigned)(config >> 60),
	};
}

static bool
is_engine_event(unsigned event)
{
	return event == ACTIVE_TICKS || event == TOTAL_TICKS;
}

static bool
is_level(uint64_t config)
{
	unsigned event = fields_of(config).event;

	return event == ACTUAL_FREQUENCY || event == REQUESTED_FREQUENCY;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static bool
has_event(const struct sim_xe *device, const struct fields *f)
{
	if (!is_engine_event(f->event))
		return !f->class && !f->instance && !f->function;
	/* there are no functions but the one that is there */
	return !f->function &&
	       sim_xe_has_engine(device, f->gt, f->class, f->instance);
}

static int
event_init(void *data, const struct perf_event_attr *attr, int cpu)
{
	const struct sim_xe *device = data;
	struct fields f = fields_of(attr->config);

	if (attr->sample_period)
		return -EINVAL;
	if (cpu < 0)
		return -EINVAL;
	if (f.gt >= device->platform.gts || f.event == 0 ||
	    f.event >= EVENTS_END)
		return -ENOENT;
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return -EOPNOTSUPP;
	return has_event(device, &f) ? 0 : -ENOENT;
}

static uint64_t
event_value(void *data, uint64_t config, uint64_t now)
{
	const struct sim_xe *device = data;
	struct fields f = fields_of(config);
	const struct sim_load *load = &device->loads[f.gt];

	switch (f.event) {
	case C6_RESIDENCY:
		return sim_meter_at(&load->rc6, now) / 1000000;
	case ACTIVE_TICKS:
		return sim_xe_engine_tick(
			device, sim_meter_at(&load->engines[f.class][f.instance]
							   [SIM_SAMPLE_BUSY],
					     now));
	case TOTAL_TICKS:
		return sim_xe_engine_tick(device, now);
	case ACTUAL_FREQUENCY:
		return load->actual_khz / 1000;
	case REQUESTED_FREQUENCY:
		return load->requested_khz / 1000;
	}
	return 0;
}

/* Add an event, and keep the GT awake for as long as its registers are read. */
static int
event_add(void *data, uint64_t config)
{
	struct sim_xe *device = data;
	struct fields f = fields_of(config);

	if (f.event != C6_RESIDENCY)
		sim_load_hold(&device->loads[f.gt], sim_now(device->gpu->sim),
			      true);
	return 0;
}

static void
event_remove(void *data, uint64_t config)
{
	struct sim_xe *device = data;
	struct fields f = fields_of(config);

	if (f.event != C6_RESIDENCY)
		sim_load_hold(&device->loads[f.gt], sim_now(device->gpu->sim),
			      false);
}

static const struct sim_pmu_ops pmu_ops = {
	.init = event_init,
	.read = event_value,
	.add = event_add,
	.remove = event_remove,
	.is_level = is_level,
};

/* ------------------------------------------------------------------ */
/* Files                                                                */

static void
put_file(struct sim_xe *device, const char *pmu, const char *folder,
	 const char *name, const char *text)
{
	char path[160];

	snprintf(path, sizeof(path), "/sys/devices/%s/%s/%s", pmu, folder,
		 name);
	sim_gpu_file(device->gpu, path, "%s\n", text);
}

static void
put_events(struct sim_xe *device, const char *pmu)
{
	char name[64], text[32];

	for (unsigned i = 1; i < ARRAY_SIZE(events); i++) {
		snprintf(text, sizeof(text), "event=0x%02x", i);
		put_file(device, pmu, "events", events[i].name, text);
		if (!events[i].unit)
			continue;
		snprintf(name, sizeof(name), "%s.unit", events[i].name);
		put_file(device, pmu, "events", name, events[i].unit);
	}
}

static void
put_formats(struct sim_xe *device, const char *pmu)
{
	static const struct {
		const char *name, *bits;
	} formats[] = {
		{ "event", "config:0-11" },
		{ "engine_instance", "config:12-19" },
		{ "engine_class", "config:20-27" },
		{ "function", "config:44-59" },
		{ "gt", "config:60-63" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		put_file(device, pmu, "format", formats[i].name,
			 formats[i].bits);
}

/* Register it, always with the address: "xe_0000_00_02.0". */
int
sim_xe_pmu_register(struct sim_xe *device)
{
	char name[40];
	int error;

	snprintf(name, sizeof(name), "xe_%s", device->gpu->address);
	for (char *c = name; *c; c++) {
		if (*c == ':')
			*c = '_';
	}
	error = sim_pmu_register(device->gpu, &pmu_ops, device, name);
	if (error)
		return error;
	/* one CPU reads, any may be asked for: perf's scope of the system */
	put_file(device, name, ".", "cpumask", "0");
	put_formats(device, name);
	put_events(device, name);
	sim_event_put_paranoid(device->gpu);
	return 0;
}
