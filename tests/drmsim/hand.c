/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/check.h"
#include "tests/drmsim/hand.h"
#include "tests/support/scene.h"

#include "drmsim/control.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct hand_gpu hand;

void
hand_finish(void)
{
	if (hand.device && hand.leave)
		hand.leave(&hand);
	if (hand.device)
		hand_close(&hand);
}

static void
make_buffer(struct hand_gpu *gpu, uint64_t size, amdgpu_bo_handle *bo,
	    amdgpu_va_handle *va, uint64_t *address, void **memory)
{
	struct amdgpu_bo_alloc_request request = {
		.alloc_size = size,
		.phys_alignment = 4096,
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};

	ck_assert_int_eq(amdgpu_bo_alloc(gpu->device, &request, bo), 0);
	ck_assert_int_eq(amdgpu_va_range_alloc(gpu->device,
					       amdgpu_gpu_va_range_general,
					       size, 4096, 0, address, va, 0),
			 0);
	ck_assert_int_eq(
		amdgpu_bo_va_op(*bo, 0, size, *address, 0, AMDGPU_VA_OP_MAP),
		0);
	ck_assert_int_eq(amdgpu_bo_cpu_map(*bo, memory), 0);
}

/* Return whether the node is that of a PCI device, or of a partition of one. */
static bool
is_of_gpu(unsigned minor)
{
	char path[64], target[128];
	ssize_t length;

	snprintf(path, sizeof(path), "/sys/class/drm/renderD%u/device", minor);
	length = readlink(path, target, sizeof(target) - 1);
	ck_assert_msg(length > 0, "%s: %s", path, strerror(errno));
	target[length] = '\0';
	return !strstr(target, "amdgpu_xcp");
}

static unsigned
find_minor(unsigned number)
{
	unsigned minor = 128;

	while (!is_of_gpu(minor) || number--)
		minor++;
	return minor;
}

void
hand_open(struct hand_gpu *gpu, unsigned number, unsigned ip)
{
	hand_open_node(gpu, find_minor(number), ip);
	gpu->number = number;
}

void
hand_open_node(struct hand_gpu *gpu, unsigned number, unsigned ip)
{
	uint32_t major, minor;
	char node[32];
	void *memory;

	memset(gpu, 0, sizeof(*gpu));
	gpu->ip = ip;
	snprintf(node, sizeof(node), "/dev/dri/renderD%u", number);
	gpu->fd = open(node, O_RDWR | O_CLOEXEC);
	ck_assert_msg(gpu->fd >= 0, "%s: %s", node, strerror(errno));
	ck_assert_int_eq(
		amdgpu_device_initialize(gpu->fd, &major, &minor, &gpu->device),
		0);
	ck_assert_int_eq(amdgpu_cs_ctx_create2(gpu->device,
					       AMDGPU_CTX_PRIORITY_NORMAL,
					       &gpu->context),
			 0);
	make_buffer(gpu, 65536, &gpu->ib_bo, &gpu->ib_va, &gpu->ib_address,
		    &memory);
	gpu->ib = memory;
	make_buffer(gpu, HAND_RESULTS * 4, &gpu->result_bo, &gpu->result_va,
		    &gpu->result_address, &memory);
	gpu->results = memory;
}

void
hand_close(struct hand_gpu *gpu)
{
	amdgpu_bo_cpu_unmap(gpu->ib_bo);
	amdgpu_bo_cpu_unmap(gpu->result_bo);
	amdgpu_bo_va_op(gpu->ib_bo, 0, 65536, gpu->ib_address, 0,
			AMDGPU_VA_OP_UNMAP);
	amdgpu_bo_va_op(gpu->result_bo, 0, HAND_RESULTS * 4,
			gpu->result_address, 0, AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(gpu->ib_va);
	amdgpu_va_range_free(gpu->result_va);
	amdgpu_bo_free(gpu->ib_bo);
	amdgpu_bo_free(gpu->result_bo);
	amdgpu_cs_ctx_free(gpu->context);
	amdgpu_device_deinitialize(gpu->device);
	close(gpu->fd);
	memset(gpu, 0, sizeof(*gpu));
}

int
hand_submit(struct hand_gpu *gpu, uint64_t *sequence)
{
	amdgpu_bo_handle bos[] = { gpu->ib_bo, gpu->result_bo };
	struct amdgpu_cs_ib_info ib = { .ib_mc_address = gpu->ib_address };
	struct amdgpu_cs_request request = {
		.ip_type = gpu->ip,
		.number_of_ibs = 1,
		.ibs = &ib,
	};
	int error;

	do
		gpu->ib[gpu->count++] = 0xffff1000;
	while (gpu->count % 8);
	ib.size = gpu->count;
	gpu->count = 0;
	error = amdgpu_bo_list_create(gpu->device, gpu->forget_result ? 1 : 2,
				      bos, NULL, &request.resources);
	if (error)
		return error;
	error = amdgpu_cs_submit(gpu->context, 0, &request, 1);
	amdgpu_bo_list_destroy(request.resources);
	*sequence = request.seq_no;
	return error;
}

int
hand_wait(struct hand_gpu *gpu, uint64_t sequence, uint64_t ns,
	  uint32_t *expired)
{
	struct amdgpu_cs_fence fence = {
		.context = gpu->context,
		.ip_type = gpu->ip,
		.fence = sequence,
	};

	return amdgpu_cs_query_fence_status(&fence, ns, 0, expired);
}

int
hand_try(struct hand_gpu *gpu, uint64_t ns)
{
	uint64_t sequence;
	uint32_t expired = 0;

	ck_assert_int_eq(hand_submit(gpu, &sequence), 0);
	return hand_wait(gpu, sequence, ns, &expired);
}

void
hand_run(struct hand_gpu *gpu)
{
	uint64_t sequence;
	uint32_t expired = 0;

	ck_assert_int_eq(hand_submit(gpu, &sequence), 0);
	ck_assert_int_eq(hand_wait(gpu, sequence, HAND_SECOND, &expired), 0);
	ck_assert_int_eq(expired, 1);
}

/* ---- packets */

void
hand_emit(struct hand_gpu *gpu, uint32_t dword)
{
	gpu->ib[gpu->count++] = dword;
}

void
hand_packet(struct hand_gpu *gpu, uint32_t opcode, uint32_t dwords)
{
	hand_emit(gpu, 3u << 30 | (dwords - 1) << 16 | opcode << 8);
}

void
hand_set_uconfig(struct hand_gpu *gpu, uint32_t reg, uint32_t value)
{
	hand_emit(gpu, 0xc0017900 | gpu->select_bits);
	hand_emit(gpu, (reg - 0x30000) / 4);
	hand_emit(gpu, value);
}

void
hand_set_sh(struct hand_gpu *gpu, uint32_t reg, uint32_t value)
{
	hand_packet(gpu, 0x76, 2);
	hand_emit(gpu, (reg - 0xb000) / 4);
	hand_emit(gpu, value);
}

/* Copy an immediate to a register by COPY_DATA. */
void
hand_copy_to_register(struct hand_gpu *gpu, uint32_t reg, uint32_t value)
{
	hand_packet(gpu, 0x40, 5);
	hand_emit(gpu, 5 | 4 << 8 | 1 << 20);
	hand_emit(gpu, value);
	hand_emit(gpu, 0);
	hand_emit(gpu, reg / 4);
	hand_emit(gpu, 0);
}

/* Copy a register to a dword of the results. */
void
hand_copy_to_result(struct hand_gpu *gpu, uint32_t reg, unsigned index)
{
	uint64_t to = gpu->result_address + 4 * index;

	hand_packet(gpu, 0x40, 5);
	hand_emit(gpu, 4 | 5 << 8 | 1 << 20);
	hand_emit(gpu, reg / 4);
	hand_emit(gpu, 0);
	hand_emit(gpu, (uint32_t)to);
	hand_emit(gpu, (uint32_t)(to >> 32));
}

void
hand_emit_address(struct hand_gpu *gpu, unsigned index)
{
	uint64_t address = gpu->result_address + 4 * index;

	hand_emit(gpu, (uint32_t)address);
	hand_emit(gpu, (uint32_t)(address >> 32));
}

void
hand_wait_result(struct hand_gpu *gpu, unsigned index, uint32_t value,
		 uint32_t mask)
{
	hand_packet(gpu, 0x3c, 6);
	hand_emit(gpu, 3 | 1 << 4);
	hand_emit_address(gpu, index);
	hand_emit(gpu, value);
	hand_emit(gpu, mask);
	hand_emit(gpu, 4);
}

void
hand_event(struct hand_gpu *gpu, uint32_t type)
{
	hand_packet(gpu, 0x46, 1);
	hand_emit(gpu, type);
}

void
hand_dispatch(struct hand_gpu *gpu, uint32_t groups, uint32_t threads,
	      uint32_t initiator)
{
	hand_set_sh(gpu, COMPUTE_NUM_THREAD_X, threads);
	hand_set_sh(gpu, COMPUTE_NUM_THREAD_X + 4, 1);
	hand_set_sh(gpu, COMPUTE_NUM_THREAD_X + 8, 1);
	hand_packet(gpu, 0x15, 4);
	hand_emit(gpu, groups);
	hand_emit(gpu, 1);
	hand_emit(gpu, 1);
	hand_emit(gpu, initiator);
}

void
hand_read(struct hand_gpu *gpu, uint32_t index, uint32_t lo, uint32_t hi)
{
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, index);
	hand_copy_to_result(gpu, lo, 0);
	if (hi)
		hand_copy_to_result(gpu, hi, 1);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
}

void
hand_count(struct hand_gpu *gpu)
{
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 1);
	hand_run(gpu);
	scene_pass(HAND_MS);
}

unsigned
hand_notes(const char *what, const char *kind)
{
	char pattern[64], *save = NULL;
	unsigned count = 0;

	snprintf(pattern, sizeof(pattern), " kind=%s ", kind ? kind : "");
	for (char *line = strtok_r(scene_report(), "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		count += strncmp(line, what, strlen(what)) == 0 &&
			 (!kind || strstr(line, pattern));
	return count;
}

/*
 * Return what the README publishes: events a second, of which a millisecond
 * has.
 */
uint64_t
hand_in_a_millisecond(unsigned block, unsigned id, unsigned instance)
{
	return 1 + instance + 256ull * id + 262144ull * block;
}

uint64_t
hand_result64(const struct hand_gpu *gpu, unsigned index)
{
	return gpu->results[index] | (uint64_t)gpu->results[index + 1] << 32;
}
