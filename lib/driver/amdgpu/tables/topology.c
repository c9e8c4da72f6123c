/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/tables/topology.h"

#include <errno.h>
#include <string.h>

/*
 * Find where the kernel puts an array into its 4 x 4 field: what does not fit
 * the row goes into the free columns of an earlier one, differently before and
 * since gfx11 (Linux gfx_v9_0.c and gfx_v11_0.c, get_cu_info).
 */
static uint32_t
find_cus(const struct amd_device_shape *source, unsigned level, unsigned engine,
	 unsigned array)
{
	unsigned column = array + engine / 4 * (level >= 11 ? 2 : 1);

	return column < 4 ? source->cu_bitmap[engine % 4][column] : 0;
}

/* Return a mask of count units; of all if the chip's number is not known. */
static uint32_t
unit_mask(unsigned count)
{
	return count && count < 32 ? (1u << count) - 1 : UINT32_MAX;
}

/*
 * Return the compute units of an array. A kernel that reports more than the
 * table of chips knows is right: sums would lack the counts of units that are
 * left out. A kernel that reports all 32 bits does not know.
 */
static uint32_t
take_cus(struct topology *topology, const struct chip *chip, uint32_t reported)
{
	uint32_t known = unit_mask(chip->cus_per_array);
	unsigned count;

	if (reported == UINT32_MAX || !(reported & ~known))
		return reported & known;
	topology->cus_beyond += (unsigned)__builtin_popcount(reported & ~known);
	count = 32 - (unsigned)__builtin_clz(reported);
	/* those of a work group processor come in pairs */
	if (topology->level >= 10)
		count += count % 2;
	if (count > topology->cus_per_array)
		topology->cus_per_array = count;
	return reported;
}

static void
read_cus(struct topology *topology, const struct amd_device_shape *source,
	 const struct chip *chip)
{
	const uint32_t all = unit_mask(chip->cus_per_array);

	for (unsigned se = 0; se < source->engines; se++) {
		for (unsigned sa = 0; sa < source->arrays; sa++) {
			uint32_t cus = take_cus(topology, chip,
						find_cus(source,
							 topology->level, se,
							 sa));

			topology->cu_count +=
				(unsigned)__builtin_popcount(cus);
			topology->reported_cus[se][sa] = cus;
			topology->cus[se][sa] =
				topology->all_cus ? all | cus : cus;
		}
	}
}

int
topology_init(struct topology *topology, unsigned level,
	      const struct amd_device_shape *source, const struct chip *chip,
	      struct drmperf_error *error)
{
	if (!source->engines || source->engines > TOPOLOGY_ENGINES ||
	    !source->arrays || source->arrays > TOPOLOGY_ARRAYS)
		return error_set(error, -ENOTSUP,
				 "%s with %u shader engines of %u arrays is "
				 "beyond what drmperf knows",
				 chip->name, source->engines, source->arrays);
	memset(topology, 0, sizeof(*topology));
	topology->level = level;
	topology->engines = source->engines;
	topology->arrays = source->arrays;
	topology->cus_per_array =
		chip->cus_per_array ? chip->cus_per_array : 32;
	topology->rbs_per_array = chip->rbs_per_engine / source->arrays;
	topology->channels =
		source->channels ? source->channels : chip->channels;
	topology->channels_off = source->channels_off;
	topology->arbiters = chip->arbiters;
	topology->interfaces = chip->interfaces;
	topology->sdma_engines = source->sdma_engines;
	topology->wgps_above_spi = chip->wgps_above_spi;
	topology->xccs = chip->xccs;
	topology->target = chip->target;
	topology->without = chip->without;
	topology->rbs = source->rb_mask ? source->rb_mask : UINT64_MAX;
	topology->all_cus = chip->xccs > 1;
	read_cus(topology, source, chip);
	return 0;
}

bool
topology_has_array(const struct topology *topology, unsigned engine,
		   unsigned array)
{
	return topology->cus[engine][array];
}

const char *
topology_hidden_reason(const struct topology *topology, const char *name,
		       const char *reason)
{
	if (chip_lists(topology->hanging, name))
		return "drmperf selftest has found that it hangs this GPU";
	if (chip_lists(topology->failed, name))
		return "drmperf selftest has found that it does not work right "
		       "on this GPU";
	return reason;
}

bool
topology_has_engine(const struct topology *topology, unsigned engine)
{
	for (unsigned sa = 0; sa < topology->arrays; sa++) {
		if (topology_has_array(topology, engine, sa))
			return true;
	}
	return false;
}

bool
topology_has_cu(const struct topology *topology, unsigned engine,
		unsigned array, unsigned cu)
{
	return topology->cus[engine][array] >> cu & 1;
}

bool
topology_has_rb(const struct topology *topology, unsigned engine,
		unsigned array, unsigned rb)
{
	unsigned bit =
		(engine * topology->arrays + array) * topology->rbs_per_array +
		rb;

	return topology_has_array(topology, engine, array) &&
	       rb < topology->rbs_per_array && bit < 64 &&
	       topology->rbs >> bit & 1;
}

uint32_t
topology_engine_mask(const struct topology *topology)
{
	uint32_t mask = 0;

	for (unsigned se = 0; se < topology->engines; se++)
		mask |= (uint32_t)topology_has_engine(topology, se) << se;
	return mask;
}

unsigned
topology_engine_count(const struct topology *topology)
{
	return (unsigned)__builtin_popcount(topology_engine_mask(topology));
}

unsigned
topology_cu_count(const struct topology *topology)
{
	return topology->cu_count;
}

/*
 * Return the number of SIMDs: a compute unit has four up to gfx9 and two wide
 * ones since.
 */
unsigned
topology_simd_count(const struct topology *topology)
{
	return topology_cu_count(topology) * (topology->level >= 10 ? 2 : 4);
}

unsigned
topology_channel_count(const struct topology *topology)
{
	unsigned count = 0;

	for (unsigned channel = 0; channel < topology->channels; channel++)
		count += !(channel < 64 &&
			   topology->channels_off >> channel & 1);
	return count;
}
