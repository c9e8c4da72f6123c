/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metric set configurations: what ADD_CONFIG loads into the kernel.
 */
#ifndef DRMSIM_INTEL_OA_CONFIG_H
#define DRMSIM_INTEL_OA_CONFIG_H

#include "intel/platform.h"

struct sim_oa_register {
	uint32_t address, value;
};

enum sim_oa_list {
	SIM_OA_MUX,
	SIM_OA_BOOLEAN,
	SIM_OA_FLEX,
	SIM_OA_LISTS,
};

/* Streams that use a configuration keep it when it is removed. */
struct sim_oa_config {
	unsigned references;
	uint64_t id;
	char uuid[37];
	struct {
		struct sim_oa_register *registers;
		uint32_t count;
	} lists[SIM_OA_LISTS];
	struct sim_oa_config *next; /* in order of ids */
};

struct sim_oa_configs {
	struct sim_oa_config *first;
	unsigned count;
	uint64_t lowest; /* id: those below are the kernel's own */
};

/* Return whether the register may stand in this list on this platform. */
bool sim_oa_register_allowed(const struct sim_platform *platform,
			     enum sim_oa_list list, uint32_t address);
/* Return the bits of a value that the kernel passes on to the register. */
uint32_t
sim_oa_register_masked(uint32_t address, uint32_t value);

/*
 * Return whether an id has hex digits in groups of 8-4-4-4-12, in either case.
 */
bool sim_uuid_valid(const char *uuid);

struct sim_oa_config *sim_oa_config_find(const struct sim_oa_configs *configs,
					 uint64_t id);
struct sim_oa_config *
sim_oa_config_find_uuid(const struct sim_oa_configs *configs, const char *uuid);
/*
 * Assign the lowest free id to a configuration; the table takes the reference.
 */
void sim_oa_configs_insert(struct sim_oa_configs *configs,
			   struct sim_oa_config *config);
void sim_oa_configs_remove(struct sim_oa_configs *configs,
			   struct sim_oa_config *config);
void sim_oa_configs_clear(struct sim_oa_configs *configs);

/* Create an empty set. Returns 0, -EINVAL for an invalid id, or -ENOMEM. */
int
sim_oa_config_create(const char uuid[36], struct sim_oa_config **out);
struct sim_oa_config *sim_oa_config_get(struct sim_oa_config *config);
void sim_oa_config_put(struct sim_oa_config *config);

/* Write the flex registers of the set to the registers of EUs. */
void
sim_oa_config_write_flex(const struct sim_oa_config *config,
			 uint32_t flex[SIM_FLEX_COUNT]);

/*
 * Fill in all inputs of the rates under this configuration but the flex
 * registers.
 */
void sim_oa_config_rate_set(const struct sim_oa_config *config,
			    const struct sim_platform *platform,
			    uint64_t clock_hz, struct sim_rate_set *out);

#endif /* DRMSIM_INTEL_OA_CONFIG_H */
