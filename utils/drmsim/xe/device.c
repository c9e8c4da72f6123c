/* SPDX-License-Identifier: BSD-3-Clause */
#include "xe/device.h"

#include "machine/gpu.h"

struct sim_xe *
sim_xe_of(const struct sim_gpu *gpu)
{
	return gpu->data;
}

uint64_t
sim_xe_engine_tick(const struct sim_xe *device, uint64_t ns)
{
	return (uint64_t)((unsigned __int128)ns * device->platform.cs_hz /
			  1000000000);
}

uint64_t
sim_xe_cycles(const struct sim_xe *device, uint64_t ns)
{
	return sim_xe_engine_tick(device, ns) + device->engine_offset;
}

bool
sim_xe_gt_is_media(const struct sim_xe *device, unsigned gt)
{
	return gt == 1 && device->chip.media_major;
}

unsigned
sim_xe_gt_tile(const struct sim_xe *device, unsigned gt)
{
	return sim_xe_gt_is_media(device, gt) ? 0 : gt;
}

bool
sim_xe_samples_eu_stalls(const struct sim_xe *device)
{
	return device->platform.version == 1260 ||
	       device->platform.version >= 2000;
}

bool
sim_xe_gt_has_core(const struct sim_xe *device, unsigned gt, unsigned core)
{
	return !sim_xe_gt_is_media(device, gt) &&
	       sim_xe_chip_has_core(&device->platform, core);
}

/* ------------------------------------------------------------------ */
/* Engines                                                              */

static bool
has_class(const struct sim_xe *device, unsigned gt, unsigned class)
{
	bool media =
		class == SIM_ENGINE_VIDEO || class == SIM_ENGINE_VIDEO_ENHANCE;

	return !device->chip.media_major ||
	       media == sim_xe_gt_is_media(device, gt);
}

unsigned
sim_xe_engines(const struct sim_xe *device, unsigned gt,
	       struct sim_xe_place *out)
{
	unsigned count = 0;

	/* classes have the order of the kernel's engines */
	for (unsigned c = 0; c < SIM_ENGINE_CLASSES; c++) {
		if (!has_class(device, gt, c))
			continue;
		for (unsigned i = 0; i < device->platform.engines[c]; i++)
			out[count++] = (struct sim_xe_place){ c, i, gt };
	}
	return count;
}

bool
sim_xe_has_engine(const struct sim_xe *device, unsigned gt, unsigned class,
		  unsigned instance)
{
	return gt < device->platform.gts && class < SIM_ENGINE_CLASSES &&
	       has_class(device, gt, class) &&
	       instance < device->platform.engines[class];
}

/* ------------------------------------------------------------------ */
/* OA units                                                             */

static bool
is_xe2(const struct sim_xe *device)
{
	return device->platform.generation == SIM_OA_XE2;
}

unsigned
sim_xe_registers_index(const struct sim_xe *device,
		       const struct sim_xe_unit *unit)
{
	return is_xe2(device) ? sim_xe_gt_tile(device, unit->gt) : unit->gt;
}

const struct sim_xe_registers *
sim_xe_unit_registers(const struct sim_xe *device,
		      const struct sim_xe_unit *unit)
{
	return &device->registers[sim_xe_registers_index(device, unit)];
}

/*
 * Render units of DG2 to Arrow Lake, and of Ponte Vecchio, are clocked by the
 * crystal; all others see the reference clock of their GT, which is slower on
 * some [xe_oa.c, xe_wa_oob.rules].
 */
static uint64_t
unit_hz(const struct sim_xe *device, enum sim_xe_unit_type type)
{
	return type == SIM_XE_OAG ? device->platform.oa_hz
				  : device->platform.cs_hz;
}

static void
add_unit(struct sim_xe *device, unsigned gt, enum sim_xe_unit_type type,
	 unsigned block)
{
	const unsigned id = device->unit_count++;

	device->units[id] = (struct sim_xe_unit){
		.id = id,
		.gt = gt,
		.type = type,
		.block = block,
		.hz = unit_hz(device, type),
	};
}

/*
 * Return the unit of its GT that sees an engine: render and compute that of
 * shaders; media engines that of their block, of which discrete GPUs have two,
 * each with every second engine [xe_oa.c]. NULL: none, as for copies, and for
 * media engines of a GT that has shaders.
 */
static struct sim_xe_unit *
unit_of(struct sim_xe *device, const struct sim_xe_place *place)
{
	unsigned block = 0;

	if (place->class == SIM_ENGINE_COPY)
		return NULL;
	if (!sim_xe_gt_is_media(device, place->gt) &&
	    (place->class == SIM_ENGINE_VIDEO ||
	     place->class == SIM_ENGINE_VIDEO_ENHANCE))
		return NULL;
	if (sim_xe_gt_is_media(device, place->gt))
		block = SIM_XE_SCMI_0 +
			(device->platform.discrete ? place->instance & 1 : 0);
	for (unsigned i = 0; i < device->unit_count; i++) {
		if (device->units[i].gt == place->gt &&
		    device->units[i].block == block)
			return &device->units[i];
	}
	return NULL;
}

static void
add_units_of(struct sim_xe *device, unsigned gt)
{
	if (!sim_xe_gt_is_media(device, gt)) {
		add_unit(device, gt, SIM_XE_OAG, 0);
		/* no engine belongs to it */
		if (device->chip.mert)
			add_unit(device, gt, SIM_XE_MERT, SIM_XE_MERTSS);
		return;
	}
	if (is_xe2(device))
		add_unit(device, gt, SIM_XE_OAM_SAG, SIM_XE_SAG);
	add_unit(device, gt, SIM_XE_OAM, SIM_XE_SCMI_0);
	if (device->platform.discrete)
		add_unit(device, gt, SIM_XE_OAM, SIM_XE_SCMI_1);
}

void
sim_xe_make_units(struct sim_xe *device)
{
	struct sim_xe_place places[SIM_XE_ENGINES_MAX];

	for (unsigned gt = 0; gt < device->platform.gts; gt++) {
		unsigned count = sim_xe_engines(device, gt, places);

		add_units_of(device, gt);
		for (unsigned i = 0; i < count; i++) {
			struct sim_xe_unit *unit = unit_of(device, &places[i]);

			if (unit)
				unit->engines[unit->engine_count++] = places[i];
		}
	}
}
