/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_oa.c] */
#include "xe/oa_properties.h"

#include <errno.h>

#include "xe/device.h"
#include "xe/formats.h"
#include "xe/property_chain.h"

#define EXTENSIONS_MAX 16
#define EXPONENT_MAX 31
#define SYNCS_MAX 1024
#define BUFFER_MIN (128ull << 10)
#define BUFFER_MAX (128ull << 20)

/* ------------------------------------------------------------------ */
/* Each property on its own                                             */

static int
set_unit(struct sim_xe *device, struct sim_xe_properties *p, uint64_t value)
{
	for (unsigned i = 0; i < device->unit_count; i++) {
		if (device->units[i].id == (uint32_t)value) {
			p->unit = &device->units[i];
			return 0;
		}
	}
	return -EINVAL;
}

static int
set_format(const struct sim_xe *device, struct sim_xe_properties *p,
	   uint64_t value)
{
	const struct sim_oa_format *format =
		sim_xe_format_find(value, device->platform.version);

	if (!format)
		return -EINVAL;
	p->format = format->size ? format : NULL;
	return 0;
}

static int
set_exponent(struct sim_xe_properties *p, uint64_t value)
{
	if (value > EXPONENT_MAX)
		return -EINVAL;
	p->exponent = (int)value;
	return 0;
}

static int
set_buffer_size(struct sim_xe_properties *p, uint64_t value)
{
	if (value < BUFFER_MIN || value > BUFFER_MAX || (value & (value - 1)))
		return -EINVAL;
	p->buffer_size = value;
	return 0;
}

static int
set_property(struct sim_xe *device, struct sim_xe_properties *p,
	     uint32_t property, uint64_t value)
{
	switch (property) {
	case SIM_XE_UNIT:
		return set_unit(device, p, value);
	case SIM_XE_SAMPLE:
		p->sample = value != 0;
		return 0;
	case SIM_XE_METRIC_SET:
		p->metric_set = (uint32_t)value;
		return 0;
	case SIM_XE_FORMAT:
		return set_format(device, p, value);
	case SIM_XE_EXPONENT:
		return set_exponent(p, value);
	case SIM_XE_DISABLED:
		p->disabled = value != 0;
		return 0;
	case SIM_XE_EXEC_QUEUE:
		p->exec_queue = (int)value;
		return 0;
	case SIM_XE_ENGINE_INSTANCE:
		p->engine_instance = (int)value;
		return 0;
	case SIM_XE_NO_PREEMPT:
		p->no_preempt = value != 0;
		return 0;
	case SIM_XE_SYNC_COUNT:
		p->sync_count = (int)value;
		return value > SYNCS_MAX ? -EINVAL : 0;
	case SIM_XE_SYNCS:
		p->syncs = value;
		return 0;
	case SIM_XE_BUFFER_SIZE:
		return device->fixed_buffer ? -EINVAL
					    : set_buffer_size(p, value);
	case SIM_XE_WAIT_REPORTS:
		p->wait_reports = (int)value;
		return value ? 0 : -EINVAL;
	}
	return -EINVAL;
}

/* Return whether the property may be given for a stream that is open. */
static bool
is_of_config(uint32_t property)
{
	return property == SIM_XE_METRIC_SET || property == SIM_XE_SYNC_COUNT ||
	       property == SIM_XE_SYNCS;
}

/* State of reading a chain. */
struct reading {
	struct sim_xe *device;
	struct sim_xe_properties *out;
	bool config;
};

static int
read_property(void *data, uint32_t property, uint64_t value)
{
	const struct reading *reading = data;

	if (reading->config && !is_of_config(property))
		return -EINVAL;
	return set_property(reading->device, reading->out, property, value);
}

int
sim_xe_properties_read(struct sim_call *call, struct sim_xe *device,
		       uint64_t address, bool config,
		       struct sim_xe_properties *out)
{
	static const struct sim_xe_property_rules rules = {
		.most = EXTENSIONS_MAX,
		.end = SIM_XE_PROPERTIES,
		.set = read_property,
	};
	struct reading reading = { device, out, config };

	return sim_xe_property_chain_read(call, address, &rules, &reading);
}
