/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/oa_config.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "intel/oa_unit.h"
#include "intel/rate.h"

/*
 * Platforms on which a range is open, as the kernel's checks divide them [Linux
 * 6.12 i915_perf.c; 6.1 has the same for what it supports].
 */
enum {
	HSW = 1,
	CHV = 2,
	GEN8_9 = 4, /* all but Cherryview */
	GEN11 = 8,
	GEN12 = 16,
	DG2 = 32,
	MTL = 64,
	OLD = HSW | CHV | GEN8_9 | GEN11,
	NEW = GEN12 | DG2 | MTL,
};

static const struct range {
	enum sim_oa_list list;
	unsigned platforms;
	uint32_t first, last;
} ranges[] = {
	{ SIM_OA_BOOLEAN, OLD, 0x2710, 0x272c },
	{ SIM_OA_BOOLEAN, OLD, 0x2740, 0x275c },
	{ SIM_OA_BOOLEAN, OLD, 0x2770, 0x27ac },
	{ SIM_OA_BOOLEAN, NEW, 0x2b2c, 0x2b2c },
	{ SIM_OA_BOOLEAN, NEW, 0xd900, 0xd91c },
	{ SIM_OA_BOOLEAN, NEW, 0xd920, 0xd93c },
	{ SIM_OA_BOOLEAN, NEW, 0xd940, 0xd97c },
	{ SIM_OA_BOOLEAN, NEW, 0xdc00, 0xdc3c },
	{ SIM_OA_BOOLEAN, NEW, 0xdc40, 0xdc40 },
	{ SIM_OA_BOOLEAN, NEW, 0xdc44, 0xdc44 },
	{ SIM_OA_BOOLEAN, DG2 | MTL, 0xdc48, 0xdc48 },
	{ SIM_OA_BOOLEAN, DG2 | MTL, 0xdd00, 0xdd48 },
	{ SIM_OA_BOOLEAN, MTL, 0x393000, 0x39301c },
	{ SIM_OA_BOOLEAN, MTL, 0x393020, 0x39303c },
	{ SIM_OA_BOOLEAN, MTL, 0x393040, 0x39307c },
	{ SIM_OA_BOOLEAN, MTL, 0x393200, 0x39323c },

	{ SIM_OA_MUX, OLD, 0x91b8, 0x91cc },
	{ SIM_OA_MUX, OLD, 0x9800, 0x9888 },
	{ SIM_OA_MUX, OLD, 0xe180, 0xe180 },
	{ SIM_OA_MUX, HSW, 0x9e80, 0x9ea4 },
	{ SIM_OA_MUX, HSW, 0x9ec0, 0x9ec0 },
	{ SIM_OA_MUX, HSW, 0x25100, 0x2ff90 },
	{ SIM_OA_MUX, CHV, 0x182300, 0x1823a4 },
	{ SIM_OA_MUX, GEN8_9 | GEN11, 0xd00, 0xd2c },
	{ SIM_OA_MUX, GEN8_9 | GEN11, 0x20cc, 0x20cc },
	{ SIM_OA_MUX, GEN11, 0x91c8, 0x91dc },
	{ SIM_OA_MUX, NEW, 0xd00, 0xd04 },
	{ SIM_OA_MUX, NEW, 0xd0c, 0xd2c },
	{ SIM_OA_MUX, NEW, 0x9840, 0x9840 },
	{ SIM_OA_MUX, NEW, 0x9884, 0x9888 },
	{ SIM_OA_MUX, GEN12 | DG2, 0x20cc, 0x20cc },
	{ SIM_OA_MUX, MTL, 0x38d100, 0x38d114 },
};

static unsigned
platform_bit(const struct sim_platform *platform)
{
	if (platform->cherryview)
		return CHV;
	switch (platform->generation) {
	case SIM_OA_HASWELL:
		return HSW;
	case SIM_OA_GEN8:
		return GEN8_9;
	case SIM_OA_GEN9:
		return platform->version < 1100 ? GEN8_9 : GEN11;
	case SIM_OA_GEN12:
		return GEN12;
	case SIM_OA_XE2: /* not i915's */
		return 0;
	case SIM_OA_XEHP:
		break;
	}
	return platform->version < 1270 ? DG2 : MTL;
}

bool
sim_oa_register_allowed(const struct sim_platform *platform,
			enum sim_oa_list list, uint32_t address)
{
	unsigned bit = platform_bit(platform);

	if (list == SIM_OA_FLEX)
		return bit != HSW && sim_flex_index(address) >= 0;
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		const struct range *range = &ranges[i];

		if (range->list == list && (range->platforms & bit) &&
		    address >= range->first && address <= range->last)
			return true;
	}
	return false;
}

uint32_t
sim_oa_register_masked(uint32_t address, uint32_t value)
{
	/* Each bit is a pair: the setting, and 16 above it the permission. */
	if (address == 0xe180) /* power optimisation of the sampler: bit 13 */
		return value & ~(1u << 13 | 1u << 29);
	if (address == 0x20cc) /* wait for the exit from RC6: bit 0 */
		return value & ~(1u << 0 | 1u << 16);
	return value;
}

bool
sim_uuid_valid(const char *uuid)
{
	for (unsigned i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? uuid[i] != '-' : !isxdigit((unsigned char)uuid[i]))
			return false;
	}
	return true;
}

struct sim_oa_config *
sim_oa_config_find(const struct sim_oa_configs *configs, uint64_t id)
{
	struct sim_oa_config *config = configs->first;

	while (config && config->id != id)
		config = config->next;
	return config;
}

struct sim_oa_config *
sim_oa_config_find_uuid(const struct sim_oa_configs *configs, const char *uuid)
{
	struct sim_oa_config *config = configs->first;

	while (config && strcmp(config->uuid, uuid) != 0)
		config = config->next;
	return config;
}

void
sim_oa_configs_insert(struct sim_oa_configs *configs,
		      struct sim_oa_config *config)
{
	struct sim_oa_config **place = &configs->first;
	uint64_t id = configs->lowest;

	while (*place && (*place)->id == id) {
		place = &(*place)->next;
		id++;
	}
	config->id = id;
	config->next = *place;
	*place = config;
	configs->count++;
}

void
sim_oa_configs_remove(struct sim_oa_configs *configs,
		      struct sim_oa_config *config)
{
	struct sim_oa_config **place = &configs->first;

	while (*place != config)
		place = &(*place)->next;
	*place = config->next;
	config->next = NULL;
	configs->count--;
	sim_oa_config_put(config);
}

void
sim_oa_configs_clear(struct sim_oa_configs *configs)
{
	while (configs->first)
		sim_oa_configs_remove(configs, configs->first);
}

int
sim_oa_config_create(const char uuid[36], struct sim_oa_config **out)
{
	struct sim_oa_config *config = calloc(1, sizeof(*config));

	if (!config)
		return -ENOMEM;
	config->references = 1;
	memcpy(config->uuid, uuid, 36);
	if (!sim_uuid_valid(config->uuid)) {
		free(config);
		return -EINVAL;
	}
	*out = config;
	return 0;
}

struct sim_oa_config *
sim_oa_config_get(struct sim_oa_config *config)
{
	config->references++;
	return config;
}

void
sim_oa_config_put(struct sim_oa_config *config)
{
	if (!config || --config->references)
		return;
	for (size_t i = 0; i < SIM_OA_LISTS; i++)
		free(config->lists[i].registers);
	free(config);
}

static bool
is_test_set(const struct sim_platform *platform, const char *uuid)
{
	for (unsigned i = 0; i < platform->test_set_count; i++) {
		if (strcmp(platform->test_sets[i], uuid) == 0)
			return true;
	}
	return false;
}

/* Hash the lists that the kernel writes to route events, in this order. */
static uint32_t
hash_routing(const struct sim_oa_config *config)
{
	static const enum sim_oa_list lists[] = { SIM_OA_MUX, SIM_OA_BOOLEAN };
	uint32_t hash = SIM_HASH_EMPTY;

	for (unsigned l = 0; l < 2; l++) {
		for (uint32_t i = 0; i < config->lists[lists[l]].count; i++) {
			const struct sim_oa_register *r =
				&config->lists[lists[l]].registers[i];

			hash = sim_hash_word(hash, r->address);
			hash = sim_hash_word(hash, r->value);
		}
	}
	return hash;
}

void
sim_oa_config_rate_set(const struct sim_oa_config *config,
		       const struct sim_platform *platform, uint64_t clock_hz,
		       struct sim_rate_set *out)
{
	*out = (struct sim_rate_set){
		.haswell = platform->generation == SIM_OA_HASWELL,
		.clocks_per_tick = (uint32_t)(clock_hz / platform->oa_hz),
		.routing = hash_routing(config),
		.test_oa = is_test_set(platform, config->uuid),
		.clock_slot = -1,
	};
	for (unsigned i = 0; i < platform->clock_set_count; i++) {
		if (strcmp(platform->clock_sets[i].uuid, config->uuid) == 0)
			out->clock_slot = platform->clock_sets[i].slot;
	}
}

void
sim_oa_config_write_flex(const struct sim_oa_config *config,
			 uint32_t flex[SIM_FLEX_COUNT])
{
	for (uint32_t i = 0; i < config->lists[SIM_OA_FLEX].count; i++) {
		const struct sim_oa_register *r =
			&config->lists[SIM_OA_FLEX].registers[i];
		int index = sim_flex_index(r->address);

		if (index >= 0)
			flex[index] = r->value;
	}
}
