/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/i915_node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "drmsim/control.h"
#include "tests/support/check.h"

/* A register that may stand in the boolean list of each GPU. */
static const uint32_t boolean_register[] = { 0x2710, 0x2710, 0xd900, 0xd900,
					     0x2710, 0xd900 };

void
node_make_registers(struct node_registers *r, enum gpu gpu, const char *uuid)
{
	memset(r, 0, sizeof(*r));
	memcpy(r->config.uuid, uuid, 36);
	r->mux[0] = 0x9888;
	r->mux[1] = 0x12345600 | (uint8_t)uuid[35];
	r->boolean[0] = boolean_register[gpu];
	r->boolean[1] = 0xf0800000;
	r->config.n_mux_regs = 1;
	r->config.mux_regs_ptr = (uintptr_t)r->mux;
	r->config.n_boolean_regs = 1;
	r->config.boolean_regs_ptr = (uintptr_t)r->boolean;
}

int
node_add(int fd, enum gpu gpu, const char *uuid)
{
	struct node_registers r;
	int id;

	node_make_registers(&r, gpu, uuid);
	id = node_call(fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &r.config);
	node_keep_set(fd, id, node_remove);
	return id;
}

int
node_remove(int fd, int id)
{
	uint64_t number = (uint64_t)id;

	return node_call(fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &number);
}

int
node_perf_open(int fd, uint32_t flags, const struct node_property *properties,
	       unsigned count)
{
	struct drm_i915_perf_open_param param = {
		.flags = flags,
		.num_properties = count,
		.properties_ptr = (uintptr_t)properties
	};
	int stream = node_call(fd, DRM_IOCTL_I915_PERF_OPEN, &param);

	node_keep(stream);
	return stream;
}

int
node_stream(int fd, int id, unsigned exponent, uint32_t flags)
{
	const struct node_property properties[] = {
		{ 2, 1 },
		{ 3, (uint64_t)id },
		{ 4, 10 },
		{ 5, exponent },
	};

	return node_perf_open(fd, flags, properties, 4);
}
