/* SPDX-License-Identifier: BSD-3-Clause */
#include "xe/device.h"

#include "machine/gpu.h"

struct sim_xe *
sim_xe_of(const struct sim_gpu *gpu)
{
	return gpu->data;
}

uint64_t
sim_xe_tick(const struct sim_xe *device, uint64_t ns)
{
	return (uint64_t)((unsigned __int128)ns * device->platform.oa_hz /
			  1000000000);
}

uint64_t
sim_xe_cycles(const struct sim_xe *device, uint64_t ns)
{
	return sim_xe_tick(device, ns) + device->timestamp_offset +
	       device->engine_offset;
}

static struct sim_xe_unit *
add_unit(struct sim_xe *device, enum sim_xe_unit_type type, unsigned block)
{
	struct sim_xe_unit *unit = &device->units[device->unit_count];

	*unit = (struct sim_xe_unit){
		.id = device->unit_count++,
		.gt = type == SIM_XE_OAG ? 0 : 1,
		.type = type,
		.block = block,
	};
	return unit;
}

/*
 * Which unit sees an engine: render and compute the first; media engines that
 * of their block, of which discrete GPUs have two, each with every second
 * engine [xe_oa.c]. NULL: none, as for copies.
 */
static struct sim_xe_unit *
unit_of(struct sim_xe *device, const struct sim_xe_place *place)
{
	unsigned block = SIM_XE_SCMI_0;

	if (place->class == SIM_ENGINE_COPY)
		return NULL;
	if (place->gt == 0)
		return &device->units[0];
	if (device->platform.discrete)
		block += place->instance & 1;
	for (unsigned i = 1; i < device->unit_count; i++) {
		if (device->units[i].block == block)
			return &device->units[i];
	}
	return NULL;
}

void
sim_xe_make_units(struct sim_xe *device)
{
	struct sim_xe_place places[SIM_XE_ENGINES_MAX];

	add_unit(device, SIM_XE_OAG, 0);
	add_unit(device, SIM_XE_OAM_SAG, SIM_XE_SAG);
	add_unit(device, SIM_XE_OAM, SIM_XE_SCMI_0);
	if (device->platform.discrete)
		add_unit(device, SIM_XE_OAM, SIM_XE_SCMI_1);
	for (unsigned gt = 0; gt < SIM_XE_GTS; gt++) {
		unsigned count =
			sim_xe_chip_engines(&device->platform, gt, places);

		for (unsigned i = 0; i < count; i++) {
			struct sim_xe_unit *unit = unit_of(device, &places[i]);

			if (unit)
				unit->engines[unit->engine_count++] = places[i];
		}
	}
}
