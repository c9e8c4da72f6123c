/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers and packets as in Linux include/uapi/drm/amdgpu_drm.h and the
 * headers drivers/gpu/drm/amd/include/asic_reg/gc/gc_9_0_offset.h and
 * amdgpu/soc15d.h.
 */
#include "workload.h"

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#define PAGE 4096u
#define MAX_DEVICES 64
#define TIMEOUT_NS 10000000000ull
#define IB_ALIGNMENT 8 /* dwords */

/* One wave: as many threads as a wave has lanes on every generation here. */
#define THREADS_PER_GROUP 64u

enum {
	PACKET_DISPATCH_DIRECT = 0x15,
	PACKET_SET_SH_REG = 0x76,
};

/* Byte offsets of registers in the SH space, which begins at 0xb000. */
enum {
	SH_BASE = 0xb000,
	COMPUTE_START_X = 0xb810,
	COMPUTE_NUM_THREAD_X = 0xb81c,
	COMPUTE_PERFCOUNT_ENABLE = 0xb82c,
	COMPUTE_PGM_LO = 0xb830,
	COMPUTE_PGM_RSRC1 = 0xb848,
	COMPUTE_RESOURCE_LIMITS = 0xb854,
	COMPUTE_STATIC_THREAD_MGMT_SE0 = 0xb858,
	COMPUTE_TMPRING_SIZE = 0xb860,
	COMPUTE_STATIC_THREAD_MGMT_SE2 = 0xb864,
};

#define RSRC1_FLOAT_MODE (0xc0u << 12)
#define DISPATCH_COMPUTE_SHADER_EN 1u
#define DISPATCH_FORCE_START_AT_000 (1u << 2)

struct buffer {
	amdgpu_bo_handle bo;
	amdgpu_va_handle va;
	uint64_t address;
	uint32_t *map;
};

struct workload {
	int fd;
	char node[64];
	amdgpu_device_handle device;
	amdgpu_context_handle context;
	struct buffer shader, commands;
	amdgpu_bo_list_handle list;
};

struct commands {
	uint32_t *dwords;
	uint32_t count;
};

static void
commands_emit(struct commands *commands, uint32_t dword)
{
	commands->dwords[commands->count++] = dword;
}

/* Emit the header of a type 3 packet for a compute shader. */
static void
emit_packet(struct commands *commands, uint32_t opcode, uint32_t payload)
{
	commands_emit(commands,
		      3u << 30 | (payload - 1) << 16 | opcode << 8 | 1u << 1);
}

static void
emit_registers(struct commands *commands, uint32_t first,
	       const uint32_t *values, uint32_t count)
{
	uint32_t i;

	emit_packet(commands, PACKET_SET_SH_REG, 1 + count);
	commands_emit(commands, (first - SH_BASE) / 4);
	for (i = 0; i < count; i++)
		commands_emit(commands, values[i]);
}

static void
emit_dispatch(struct commands *commands, uint64_t shader, uint32_t groups,
	      uint32_t count_this_queue)
{
	const uint32_t zero[3] = { 0, 0, 0 };
	const uint32_t all_units[2] = { UINT32_MAX, UINT32_MAX };
	const uint32_t threads[3] = { THREADS_PER_GROUP, 1, 1 };
	const uint32_t program[2] = { (uint32_t)(shader >> 8),
				      (uint32_t)(shader >> 40) };
	const uint32_t resources[2] = { RSRC1_FLOAT_MODE, 0 };
	emit_registers(commands, COMPUTE_START_X, zero, 3);
	emit_registers(commands, COMPUTE_NUM_THREAD_X, threads, 3);
	/*
	 * Without this bit counters of the shader's blocks may pass over the
	 * compute waves of this queue. Who wants to have an application
	 * counted sets it there.
	 */
	emit_registers(commands, COMPUTE_PERFCOUNT_ENABLE, &count_this_queue,
		       1);
	emit_registers(commands, COMPUTE_PGM_LO, program, 2);
	emit_registers(commands, COMPUTE_PGM_RSRC1, resources, 2);
	emit_registers(commands, COMPUTE_RESOURCE_LIMITS, zero, 1);
	emit_registers(commands, COMPUTE_STATIC_THREAD_MGMT_SE0, all_units, 2);
	emit_registers(commands, COMPUTE_STATIC_THREAD_MGMT_SE2, all_units, 2);
	emit_registers(commands, COMPUTE_TMPRING_SIZE, zero, 1);

	emit_packet(commands, PACKET_DISPATCH_DIRECT, 4);
	commands_emit(commands, groups);
	commands_emit(commands, 1);
	commands_emit(commands, 1);
	commands_emit(commands,
		      DISPATCH_COMPUTE_SHADER_EN | DISPATCH_FORCE_START_AT_000);
	/* The kernel may give the queue to others, who have not asked. */
	emit_registers(commands, COMPUTE_PERFCOUNT_ENABLE, zero, 1);

	while (commands->count % IB_ALIGNMENT)
		commands_emit(commands, 0xffff1000u); /* a NOP of one dword */
}

/* ------------------------------------------------------------------ */
/* The device                                                           */

static bool
comes_before(const drmPciBusInfo *a, const drmPciBusInfo *b)
{
	if (a->domain != b->domain)
		return a->domain < b->domain;
	if (a->bus != b->bus)
		return a->bus < b->bus;
	if (a->dev != b->dev)
		return a->dev < b->dev;
	return a->func < b->func;
}

static bool
is_amdgpu(const char *node)
{
	drmVersionPtr version;
	bool is = false;
	int fd = open(node, O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		fprintf(stderr, "%s: %s\n", node, strerror(errno));
		return false;
	}
	version = drmGetVersion(fd);
	if (version)
		is = !strcmp(version->name, "amdgpu");
	drmFreeVersion(version);
	close(fd);
	return is;
}

/* Find the render node of the first amdgpu device; false if there is none. */
static bool
find_node(char *node, size_t size)
{
	drmDevicePtr devices[MAX_DEVICES], first = NULL;
	int count = drmGetDevices2(0, devices, MAX_DEVICES);
	int i;

	for (i = 0; i < count; i++) {
		drmDevicePtr device = devices[i];

		if (device->bustype != DRM_BUS_PCI ||
		    !(device->available_nodes & 1 << DRM_NODE_RENDER) ||
		    !is_amdgpu(device->nodes[DRM_NODE_RENDER]))
			continue;
		if (!first ||
		    comes_before(device->businfo.pci, first->businfo.pci))
			first = device;
	}
	if (first)
		snprintf(node, size, "%s", first->nodes[DRM_NODE_RENDER]);
	if (count > 0)
		drmFreeDevices(devices, count);
	return first;
}

/* Return the instruction that ends a shader, by family; 0: not known. */
static uint32_t
shader_end(uint32_t family)
{
	switch (family) {
	case AMDGPU_FAMILY_CI:
	case AMDGPU_FAMILY_KV:
	case AMDGPU_FAMILY_VI:
	case AMDGPU_FAMILY_CZ:
	case AMDGPU_FAMILY_AI:
	case AMDGPU_FAMILY_RV:
	case AMDGPU_FAMILY_NV:
	case AMDGPU_FAMILY_VGH:
	case AMDGPU_FAMILY_YC:
	case 149: /* GC 10.3.6 */
	case 151: /* GC 10.3.7 */
		return 0xbf810000;
	case 145: /* GC 11.0.0 */
	case 148: /* GC 11.0.1 */
	case 150: /* GC 11.5 */
	case 152: /* GC 12.0 */
		return 0xbfb00000;
	}
	return 0;
}

static int
buffer_create(amdgpu_device_handle device, struct buffer *buffer)
{
	struct amdgpu_bo_alloc_request request = {
		.alloc_size = PAGE,
		.phys_alignment = PAGE,
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};
	void *map;
	int rc;

	rc = amdgpu_bo_alloc(device, &request, &buffer->bo);
	if (rc)
		return rc;
	rc = amdgpu_va_range_alloc(device, amdgpu_gpu_va_range_general, PAGE,
				   PAGE, 0, &buffer->address, &buffer->va, 0);
	if (rc)
		return rc;
	rc = amdgpu_bo_va_op(buffer->bo, 0, PAGE, buffer->address, 0,
			     AMDGPU_VA_OP_MAP);
	if (rc) {
		amdgpu_va_range_free(buffer->va);
		buffer->va = NULL;
		return rc;
	}
	rc = amdgpu_bo_cpu_map(buffer->bo, &map);
	if (rc)
		return rc;
	buffer->map = map;
	return 0;
}

static void
buffer_destroy(struct buffer *buffer)
{
	if (buffer->map)
		amdgpu_bo_cpu_unmap(buffer->bo);
	if (buffer->va) {
		amdgpu_bo_va_op(buffer->bo, 0, PAGE, buffer->address, 0,
				AMDGPU_VA_OP_UNMAP);
		amdgpu_va_range_free(buffer->va);
	}
	if (buffer->bo)
		amdgpu_bo_free(buffer->bo);
}

static int
workload_prepare(struct workload *workload, uint32_t end)
{
	amdgpu_bo_handle buffers[2];
	uint32_t i;
	int rc;

	rc = buffer_create(workload->device, &workload->shader);
	if (rc)
		return rc;
	rc = buffer_create(workload->device, &workload->commands);
	if (rc)
		return rc;
	/* Instructions are fetched beyond the end of a shader. */
	for (i = 0; i < PAGE / sizeof(uint32_t); i++)
		workload->shader.map[i] = end;
	buffers[0] = workload->shader.bo;
	buffers[1] = workload->commands.bo;
	rc = amdgpu_bo_list_create(workload->device, 2, buffers, NULL,
				   &workload->list);
	if (rc)
		return rc;
	return amdgpu_cs_ctx_create(workload->device, &workload->context);
}

static int
open_device(struct workload *workload)
{
	struct amdgpu_gpu_info info;
	uint32_t major, minor;
	int rc;

	workload->fd = open(workload->node, O_RDWR | O_CLOEXEC);
	if (workload->fd < 0)
		return -errno;
	rc = amdgpu_device_initialize(workload->fd, &major, &minor,
				      &workload->device);
	if (rc)
		return rc;
	rc = amdgpu_query_gpu_info(workload->device, &info);
	if (rc)
		return rc;
	if (!shader_end(info.family_id)) {
		fprintf(stderr,
			"%s: this example has no shader for a GPU of "
			"family %u\n",
			workload->node, info.family_id);
		return -ENOTSUP;
	}
	return workload_prepare(workload, shader_end(info.family_id));
}

struct workload *
workload_create(void)
{
	struct workload *workload = calloc(1, sizeof(*workload));
	int rc;

	if (!workload)
		return NULL;
	workload->fd = -1;
	if (!find_node(workload->node, sizeof(workload->node))) {
		fprintf(stderr, "There is no AMD GPU here that could be "
				"used; utils/drmsim simulates one.\n");
		workload_destroy(workload);
		return NULL;
	}
	rc = open_device(workload);
	if (rc) {
		fprintf(stderr, "%s: %s\n", workload->node, strerror(-rc));
		workload_destroy(workload);
		return NULL;
	}
	return workload;
}

void
workload_destroy(struct workload *workload)
{
	if (workload->context)
		amdgpu_cs_ctx_free(workload->context);
	if (workload->list)
		amdgpu_bo_list_destroy(workload->list);
	buffer_destroy(&workload->commands);
	buffer_destroy(&workload->shader);
	if (workload->device)
		amdgpu_device_deinitialize(workload->device);
	if (workload->fd >= 0)
		close(workload->fd);
	free(workload);
}

const char *
workload_node(const struct workload *workload)
{
	return workload->node;
}

int
workload_launch(struct workload *workload, uint32_t waves, bool allow)
{
	struct commands commands = { workload->commands.map, 0 };
	struct amdgpu_cs_ib_info ib = {
		.ib_mc_address = workload->commands.address,
	};
	struct amdgpu_cs_request request = {
		.ip_type = AMDGPU_HW_IP_COMPUTE,
		.resources = workload->list,
		.number_of_ibs = 1,
		.ibs = &ib,
	};
	struct amdgpu_cs_fence fence = {
		.context = workload->context,
		.ip_type = AMDGPU_HW_IP_COMPUTE,
	};
	uint32_t ended = 0;
	int rc;

	emit_dispatch(&commands, workload->shader.address, waves, allow);
	ib.size = commands.count;
	rc = amdgpu_cs_submit(workload->context, 0, &request, 1);
	if (rc)
		return rc;
	fence.fence = request.seq_no;
	rc = amdgpu_cs_query_fence_status(&fence, TIMEOUT_NS, 0, &ended);
	if (rc)
		return rc;
	return ended ? 0 : -ETIME;
}
