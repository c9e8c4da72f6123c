/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux 6.12 i915_perf.c, i915_query.c] */
#include "i915/perf_ioctls.h"

#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>
#include <string.h>

#include "i915/device.h"
#include "i915/sysfs.h"
#include "i915/uapi.h"
#include "intel/oa_config.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "machine/gpu.h"
#include "machine/log.h"

/* Limit of kmalloc_array(), in registers. */
#define REGISTERS_MAX ((4u << 20) / 8)

static int
check_caller(struct sim_i915 *device, struct sim_call *call)
{
	if (!device->has_perf)
		return -SIM_ENOTSUPP;
	return sim_i915_perf_refused(device, call) ? -EACCES : 0;
}

/* ------------------------------------------------------------------ */
/* ADD_CONFIG                                                           */

/*
 * Check a register, which is read first unless it is known: a wrong address
 * goes before a value that cannot be read.
 */
static int
read_register(struct sim_call *call, const struct sim_i915 *device,
	      enum sim_oa_list list, uint64_t from, bool known,
	      struct sim_oa_register *r)
{
	int error = known ? 0
			  : sim_call_get(call, &r->address, from,
					 sizeof(r->address));

	if (error)
		return error;
	if (!sim_oa_register_allowed(&device->platform, list, r->address)) {
		sim_log(device->gpu->sim, "register %x not allowed",
			r->address);
		return -EINVAL;
	}
	if (!known)
		error = sim_call_get(call, &r->value, from + sizeof(r->address),
				     sizeof(r->value));
	r->value = sim_oa_register_masked(r->address, r->value);
	return error;
}

static int
read_list(struct sim_call *call, const struct sim_i915 *device,
	  struct sim_oa_config *config, enum sim_oa_list list, uint64_t address,
	  uint32_t count)
{
	struct sim_oa_register *registers;
	bool known;
	int error = 0;

	if (count == 0)
		return 0;
	if (list == SIM_OA_FLEX && device->platform.version < 800)
		return -EINVAL;
	if (count > REGISTERS_MAX)
		return -ENOMEM;
	registers = calloc(count, sizeof(*registers));
	if (!registers)
		return -ENOMEM;
	config->lists[list].registers = registers;
	config->lists[list].count = count;
	known = !sim_call_get(call, registers, address,
			      count * sizeof(*registers));
	for (uint32_t i = 0; i < count && !error; i++)
		error = read_register(call, device, list,
				      address + i * sizeof(*registers), known,
				      &registers[i]);
	return error;
}

static bool
is_empty(const struct drm_i915_perf_oa_config *args)
{
	return (!args->mux_regs_ptr || !args->n_mux_regs) &&
	       (!args->boolean_regs_ptr || !args->n_boolean_regs) &&
	       (!args->flex_regs_ptr || !args->n_flex_regs);
}

static int
read_lists(struct sim_call *call, const struct sim_i915 *device,
	   const struct drm_i915_perf_oa_config *args,
	   struct sim_oa_config *config)
{
	int error = read_list(call, device, config, SIM_OA_MUX,
			      args->mux_regs_ptr, args->n_mux_regs);

	if (!error)
		error = read_list(call, device, config, SIM_OA_BOOLEAN,
				  args->boolean_regs_ptr, args->n_boolean_regs);
	if (!error)
		error = read_list(call, device, config, SIM_OA_FLEX,
				  args->flex_regs_ptr, args->n_flex_regs);
	return error;
}

int
sim_i915_add_config(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct sim_i915 *device = sim_i915_of(file->gpu);
	const struct drm_i915_perf_oa_config *args = arg;
	struct sim_oa_config *config;
	int error = check_caller(device, call);

	if (error)
		return error;
	if (is_empty(args))
		return -EINVAL;
	error = sim_oa_config_create(args->uuid, &config);
	if (error)
		return error;
	error = read_lists(call, device, args, config);
	if (error) {
		sim_oa_config_put(config);
		return error;
	}
	return sim_oa_load_config(&device->oa, config);
}

int
sim_i915_remove_config_ioctl(struct sim_call *call, struct sim_file *file,
			     void *arg)
{
	struct sim_i915 *device = sim_i915_of(file->gpu);
	int error = check_caller(device, call);

	if (error)
		return error;
	return sim_oa_unload_config(&device->oa, *(uint64_t *)arg);
}

/* ------------------------------------------------------------------ */
/* QUERY                                                                */

/* List the ids; 1 always comes first although no program can query it. */
static int
query_list(struct sim_call *call, const struct sim_i915 *device, uint64_t data,
	   int32_t length)
{
	struct drm_i915_query_perf_config header;
	uint64_t count = device->oa.configs.count + 1, id = 1;
	uint64_t size = sizeof(header) + count * sizeof(id);
	uint64_t at = data + sizeof(header);
	int error;

	if (length == 0)
		return (int)size;
	if ((uint32_t)length < size)
		return -EINVAL;
	error = sim_call_get(call, &header, data, sizeof(header));
	if (error)
		return error;
	if (header.flags)
		return -EINVAL;
	error = sim_call_put(call, data, &count, sizeof(count));
	if (!error)
		error = sim_call_put(call, at, &id, sizeof(id));
	for (const struct sim_oa_config *c = device->oa.configs.first;
	     c && !error; c = c->next) {
		at += sizeof(id);
		error = sim_call_put(call, at, &c->id, sizeof(c->id));
	}
	return error ? error : (int)size;
}

/* Put a list where there is room for it; 0 asks how long it is. */
static int
put_list(struct sim_call *call, const struct sim_oa_config *config,
	 enum sim_oa_list list, uint64_t address, uint32_t *count)
{
	uint32_t have = config->lists[list].count, room = *count;
	int error = 0;

	if (room != 0 && room < have)
		return -EINVAL;
	if (room != 0 && have != 0)
		error = sim_call_put(call, address,
				     config->lists[list].registers,
				     have * sizeof(struct sim_oa_register));
	*count = have;
	return error;
}

static int
put_config(struct sim_call *call, const struct sim_oa_config *config,
	   uint64_t address)
{
	struct drm_i915_perf_oa_config out;
	int error = sim_call_get(call, &out, address, sizeof(out));

	if (!error)
		error = put_list(call, config, SIM_OA_BOOLEAN,
				 out.boolean_regs_ptr, &out.n_boolean_regs);
	if (!error)
		error = put_list(call, config, SIM_OA_FLEX, out.flex_regs_ptr,
				 &out.n_flex_regs);
	if (!error)
		error = put_list(call, config, SIM_OA_MUX, out.mux_regs_ptr,
				 &out.n_mux_regs);
	if (error)
		return error;
	memcpy(out.uuid, config->uuid, sizeof(out.uuid));
	return sim_call_put(call, address, &out, sizeof(out));
}

static int
query_data(struct sim_call *call, const struct sim_i915 *device, uint64_t data,
	   int32_t length, bool by_uuid)
{
	struct drm_i915_query_perf_config header;
	const unsigned size =
		sizeof(header) + sizeof(struct drm_i915_perf_oa_config);
	const struct sim_oa_config *config;
	char uuid[37] = "";
	int error;

	if (length == 0)
		return (int)size;
	if ((uint32_t)length < size)
		return -EINVAL;
	error = sim_call_get(call, &header, data, sizeof(header));
	if (error)
		return error;
	if (header.flags)
		return -EINVAL;
	memcpy(uuid, header.uuid, sizeof(header.uuid));
	config = by_uuid ? sim_oa_config_find_uuid(&device->oa.configs, uuid)
			 : sim_oa_config_find(&device->oa.configs,
					      header.config);
	if (!config)
		return -ENOENT;
	/* the kernel takes the size of the header, not its offset of data */
	error = put_config(call, config, data + sizeof(header));
	return error ? error : (int)size;
}

int
sim_i915_query_perf(struct sim_call *call, struct sim_i915 *device,
		    uint32_t flags, uint64_t data, int32_t length)
{
	if (!device->has_perf)
		return -ENODEV;
	switch (flags) {
	case DRM_I915_QUERY_PERF_CONFIG_LIST:
		return query_list(call, device, data, length);
	case DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID:
		return query_data(call, device, data, length, true);
	case DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_ID:
		return query_data(call, device, data, length, false);
	}
	return -EINVAL;
}
