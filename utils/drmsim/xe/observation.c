/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_observation.c, xe_oa.c] */
#include "xe/operations.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "intel/oa_config.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "machine/gpu.h"
#include "machine/log.h"
#include "xe/device.h"
#include "xe/stream_open.h"
#include "xe/sysfs.h"

/* Limit of kmalloc_array(), in registers. */
#define REGISTERS_MAX ((4u << 20) / 8)
#define MEMORY_LATENCY 0x145194 /* SYS_MEM_LAT_MEASURE */

/*
 * Return whether a set may write it. Where the memory fabric has a unit, the
 * kernel refuses one bit of what measures the latency of memory, which corrupts
 * it [Wa_14026779378]; no source read tells which, so none may be set.
 */
static bool
is_allowed(const struct sim_xe *device, const struct sim_oa_register *r)
{
	if (device->chip.mert && r->address == MEMORY_LATENCY && r->value)
		return false;
	return sim_xe_register_allowed(device->platform.version, r->address);
}

/*
 * Read the registers: there is one list, which may write any register that is
 * allowed.
 */
static int
read_registers(struct sim_call *call, const struct sim_xe *device,
	       const struct sim_xe_config *args, struct sim_oa_config *config)
{
	struct sim_oa_register *registers;
	bool known;
	int error = 0;

	if (args->count > REGISTERS_MAX)
		return -ENOMEM;
	registers = calloc(args->count, sizeof(*registers));
	if (!registers)
		return -ENOMEM;
	config->lists[SIM_OA_MUX].registers = registers;
	config->lists[SIM_OA_MUX].count = args->count;
	known = !sim_call_get(call, registers, args->registers,
			      args->count * sizeof(*registers));
	for (uint32_t i = 0; i < args->count && !error; i++) {
		/* one that is refused goes before memory that is not there */
		if (!known)
			error = sim_call_get(call, &registers[i],
					     args->registers +
						     i * sizeof(*registers),
					     sizeof(*registers));
		if (error || is_allowed(device, &registers[i]))
			continue;
		sim_log(device->gpu->sim, "register %x not allowed",
			registers[i].address);
		error = -EINVAL;
	}
	return error;
}

static int
add_config(struct sim_call *call, struct sim_xe *device, uint64_t address)
{
	struct sim_oa_config *config;
	struct sim_xe_config args;
	int error = sim_xe_check_paranoid(device, call);

	if (!error)
		error = sim_call_get(call, &args, address, sizeof(args));
	if (error)
		return error;
	if (args.extensions || !args.registers || !args.count)
		return -EINVAL;
	error = sim_oa_config_create(args.uuid, &config);
	if (error)
		return error;
	error = read_registers(call, device, &args, config);
	if (error) {
		sim_oa_config_put(config);
		return error;
	}
	return sim_oa_load_config(&device->oa, config);
}

static int
remove_config(struct sim_call *call, struct sim_xe *device, uint64_t address)
{
	uint64_t id;
	int error = sim_xe_check_paranoid(device, call);

	if (!error)
		error = sim_call_get(call, &id, address, sizeof(id));
	if (error)
		return error;
	return sim_oa_unload_config(&device->oa, id);
}

int
sim_xe_observation(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct sim_xe_observation *observation = arg;
	struct sim_xe *device = sim_xe_of(file->gpu);

	if (observation->extensions)
		return -EINVAL;
	if (observation->type == SIM_XE_OBSERVE_EU_STALL &&
	    observation->op == SIM_XE_STREAM_OPEN && !device->no_eu_stall)
		return sim_eu_stall_open(call, device, observation->param);
	if (observation->type != SIM_XE_OBSERVE_OA)
		return -EINVAL;
	switch (observation->op) {
	case SIM_XE_STREAM_OPEN:
		return sim_xe_stream_open(call, file, observation->param);
	case SIM_XE_ADD_CONFIG:
		return add_config(call, device, observation->param);
	case SIM_XE_REMOVE_CONFIG:
		return remove_config(call, device, observation->param);
	}
	return -EINVAL;
}
