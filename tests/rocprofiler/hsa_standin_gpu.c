/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The GPUs of the stand-in for HSA: a queue of HSA's is a context of libdrm's
 * that submits compute work. Its registers of shaders are its own, as they are
 * in hardware: they are set before each dispatch and cleared after it.
 *
 * Registers and packets as in Linux, gc_9_0_offset.h and soc15d.h.
 */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "hsa_standin.h"

#define SIZE 65536u
#define TIMEOUT_NS 10000000000ull
#define SET_SH_REG 0x76
#define DISPATCH_DIRECT 0x15
#define NOP 0xffff1000u
#define S_ENDPGM 0xbf810000u

enum {
	COMPUTE_START_X = 0x204, /* dwords in the window of shaders */
	COMPUTE_NUM_THREAD_X = 0x207,
	COMPUTE_PGM_LO = 0x20c,
	COMPUTE_PGM_RSRC1 = 0x212,
	COMPUTE_RESOURCE_LIMITS = 0x215,
	COMPUTE_STATIC_THREAD_MGMT_SE0 = 0x216,
	COMPUTE_STATIC_THREAD_MGMT_SE2 = 0x219,
};

struct buffer {
	amdgpu_bo_handle bo;
	amdgpu_va_handle va;
	uint64_t address;
	uint32_t *map;
};

struct standin_gpu {
	int fd;
	amdgpu_device_handle device;
	amdgpu_context_handle context;
	struct buffer shader, commands;
	uint32_t count;
};

/* ------------------------------------------------------------------ */
/* Opening                                                              */

static bool
open_buffer(struct standin_gpu *gpu, struct buffer *buffer)
{
	struct amdgpu_bo_alloc_request request = {
		.alloc_size = SIZE,
		.phys_alignment = 4096,
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};

	return !amdgpu_bo_alloc(gpu->device, &request, &buffer->bo) &&
	       !amdgpu_va_range_alloc(gpu->device, amdgpu_gpu_va_range_general,
				      SIZE, 4096, 0, &buffer->address,
				      &buffer->va, 0) &&
	       !amdgpu_bo_va_op(buffer->bo, 0, SIZE, buffer->address, 0,
				AMDGPU_VA_OP_MAP) &&
	       !amdgpu_bo_cpu_map(buffer->bo, (void **)&buffer->map);
}

static void
close_buffer(struct buffer *buffer)
{
	if (buffer->map) {
		amdgpu_bo_cpu_unmap(buffer->bo);
		amdgpu_bo_va_op(buffer->bo, 0, SIZE, buffer->address, 0,
				AMDGPU_VA_OP_UNMAP);
	}
	if (buffer->va)
		amdgpu_va_range_free(buffer->va);
	if (buffer->bo)
		amdgpu_bo_free(buffer->bo);
}

struct standin_gpu *
standin_gpu_open(const struct standin_agent *agent)
{
	struct standin_gpu *gpu = calloc(1, sizeof(*gpu));
	uint32_t major, minor;

	gpu->fd = open(agent->path, O_RDWR | O_CLOEXEC);
	if (gpu->fd < 0 ||
	    amdgpu_device_initialize(gpu->fd, &major, &minor, &gpu->device) ||
	    amdgpu_cs_ctx_create(gpu->device, &gpu->context) ||
	    !open_buffer(gpu, &gpu->shader) ||
	    !open_buffer(gpu, &gpu->commands)) {
		standin_gpu_close(gpu);
		return NULL;
	}
	for (unsigned i = 0; i < SIZE / sizeof(uint32_t); i++)
		gpu->shader.map[i] = S_ENDPGM;
	return gpu;
}

void
standin_gpu_close(struct standin_gpu *gpu)
{
	close_buffer(&gpu->shader);
	close_buffer(&gpu->commands);
	if (gpu->context)
		amdgpu_cs_ctx_free(gpu->context);
	if (gpu->device)
		amdgpu_device_deinitialize(gpu->device);
	if (gpu->fd >= 0)
		close(gpu->fd);
	free(gpu);
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

bool
standin_run_commands(struct standin_state *state, const uint32_t *words,
		     uint32_t count)
{
	for (uint32_t i = 0; i < count;) {
		const uint32_t body = (words[i] >> 16 & 0x3fff) + 1;
		const uint32_t at = i + 1 < count ? words[i + 1] : 0;

		if (words[i] >> 30 != 3 ||
		    (words[i] >> 8 & 0xff) != SET_SH_REG ||
		    i + 1 + body > count || at + body - 1 > STANDIN_REGISTERS)
			return false;
		for (uint32_t k = 0; k < body - 1; k++) {
			state->is_set[at + k] = true;
			state->values[at + k] = words[i + 2 + k];
		}
		i += 1 + body;
	}
	return true;
}

static void
emit_word(struct standin_gpu *gpu, uint32_t word)
{
	gpu->commands.map[gpu->count++] = word;
}

static void
emit_packet(struct standin_gpu *gpu, uint32_t opcode, uint32_t body)
{
	emit_word(gpu, 3u << 30 | (body - 1) << 16 | opcode << 8 | 1u << 1);
}

static void
emit_register(struct standin_gpu *gpu, uint32_t reg, uint32_t value)
{
	emit_packet(gpu, SET_SH_REG, 2);
	emit_word(gpu, reg);
	emit_word(gpu, value);
}

static void
set_three(struct standin_gpu *gpu, uint32_t reg, uint32_t x, uint32_t y,
	  uint32_t z)
{
	emit_register(gpu, reg, x);
	emit_register(gpu, reg + 1, y);
	emit_register(gpu, reg + 2, z);
}

/*
 * Set settings as the queue has them; or as they are where no queue has set
 * them.
 */
static void
set_state(struct standin_gpu *gpu, const struct standin_state *state,
	  bool is_on)
{
	for (uint32_t i = 0; i < STANDIN_REGISTERS; i++) {
		if (state->is_set[i])
			emit_register(gpu, i, is_on ? state->values[i] : 0);
	}
}

static uint32_t
group_count(uint32_t grid, uint16_t size)
{
	return (grid + size - 1) / size;
}

static void
write_dispatch(struct standin_gpu *gpu, const struct standin_state *state,
	       const hsa_kernel_dispatch_packet_t *packet)
{
	const uint64_t program = gpu->shader.address;

	gpu->count = 0;
	set_three(gpu, COMPUTE_START_X, 0, 0, 0);
	set_three(gpu, COMPUTE_NUM_THREAD_X, packet->workgroup_size_x,
		  packet->workgroup_size_y, packet->workgroup_size_z);
	emit_register(gpu, COMPUTE_PGM_LO, (uint32_t)(program >> 8));
	emit_register(gpu, COMPUTE_PGM_LO + 1, (uint32_t)(program >> 40));
	emit_register(gpu, COMPUTE_PGM_RSRC1, 0xc0u << 12 | 1u << 21);
	emit_register(gpu, COMPUTE_PGM_RSRC1 + 1, 0);
	emit_register(gpu, COMPUTE_RESOURCE_LIMITS, 0);
	emit_register(gpu, COMPUTE_STATIC_THREAD_MGMT_SE0, UINT32_MAX);
	emit_register(gpu, COMPUTE_STATIC_THREAD_MGMT_SE0 + 1, UINT32_MAX);
	emit_register(gpu, COMPUTE_STATIC_THREAD_MGMT_SE2, UINT32_MAX);
	emit_register(gpu, COMPUTE_STATIC_THREAD_MGMT_SE2 + 1, UINT32_MAX);
	set_state(gpu, state, true);
	emit_packet(gpu, DISPATCH_DIRECT, 4);
	emit_word(gpu,
		  group_count(packet->grid_size_x, packet->workgroup_size_x));
	emit_word(gpu,
		  group_count(packet->grid_size_y, packet->workgroup_size_y));
	emit_word(gpu,
		  group_count(packet->grid_size_z, packet->workgroup_size_z));
	emit_word(gpu, 1u | 1u << 2);
	set_state(gpu, state, false);
	while (gpu->count % 8)
		emit_word(gpu, NOP);
}

static bool
run_commands(struct standin_gpu *gpu)
{
	amdgpu_bo_handle buffers[] = { gpu->shader.bo, gpu->commands.bo };
	amdgpu_bo_list_handle list;
	struct amdgpu_cs_ib_info ib = {
		.ib_mc_address = gpu->commands.address,
		.size = gpu->count,
	};
	struct amdgpu_cs_request request = {
		.ip_type = AMDGPU_HW_IP_COMPUTE,
		.number_of_ibs = 1,
		.ibs = &ib,
	};
	struct amdgpu_cs_fence fence = {
		.context = gpu->context,
		.ip_type = AMDGPU_HW_IP_COMPUTE,
	};
	uint32_t ended = 0;

	if (amdgpu_bo_list_create(gpu->device, 2, buffers, NULL, &list))
		return false;
	request.resources = list;
	if (!amdgpu_cs_submit(gpu->context, 0, &request, 1)) {
		fence.fence = request.seq_no;
		amdgpu_cs_query_fence_status(&fence, TIMEOUT_NS, 0, &ended);
	}
	amdgpu_bo_list_destroy(list);
	return ended;
}

bool
standin_launch(struct standin_gpu *gpu, const struct standin_state *state,
	       const hsa_kernel_dispatch_packet_t *packet)
{
	if (!packet->workgroup_size_x || !packet->workgroup_size_y ||
	    !packet->workgroup_size_z || !packet->kernel_object)
		return false;
	write_dispatch(gpu, state, packet);
	return run_commands(gpu);
}
