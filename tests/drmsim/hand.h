/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command buffers written by hand for a simulated AMD GPU, through
 * libdrm_amdgpu as other programs use it: nothing of libdrmperf takes part.
 * All calls fail the running test if they fail themselves, unless they return
 * an error.
 */
#ifndef DRMPERF_TESTS_DRMSIM_HAND_H
#define DRMPERF_TESTS_DRMSIM_HAND_H

#include <amdgpu.h>
#include <stdbool.h>
#include <stdint.h>

#define HAND_NODE "/dev/dri/renderD128"
#define HAND_MS 1000000u
#define HAND_SECOND 1000000000u
#define HAND_RESULTS 1024 /* dwords */
#define HAND_BROADCAST 0xe0000000u

/* One context, one command buffer, one result buffer. */
struct hand_gpu {
	int fd;
	amdgpu_device_handle device;
	amdgpu_context_handle context;
	amdgpu_bo_handle ib_bo, result_bo;
	amdgpu_va_handle ib_va, result_va;
	uint64_t ib_address, result_address;
	uint32_t *ib;
	volatile uint32_t *results;
	unsigned count; /* dwords in ib */
	unsigned ip; /* AMDGPU_HW_IP_... */
	bool forget_result; /* leave the result buffer out of the list */
	uint32_t select_bits; /* of the header of hand_set_uconfig() */
};

/* Open a GPU by its number on the machine. hand_close() releases all. */
void
hand_open(struct hand_gpu *gpu, unsigned number, unsigned ip);
/* Open it by the number of a render node, 128 or more. */
void
hand_open_node(struct hand_gpu *gpu, unsigned number, unsigned ip);
void
hand_close(struct hand_gpu *gpu);

/* Submit the command buffer: 0 or -errno of libdrm. */
int
hand_submit(struct hand_gpu *gpu, uint64_t *sequence);
int
hand_wait(struct hand_gpu *gpu, uint64_t sequence, uint64_t ns,
	  uint32_t *expired);
/* Submit it and wait until it has been executed. */
void
hand_run(struct hand_gpu *gpu);

/* Emit packets. Registers are byte addresses, results dwords of the buffer. */
void
hand_emit(struct hand_gpu *gpu, uint32_t dword);
void
hand_emit_address(struct hand_gpu *gpu, unsigned index);
void
hand_packet(struct hand_gpu *gpu, uint32_t opcode, uint32_t dwords);
void
hand_set_uconfig(struct hand_gpu *gpu, uint32_t reg, uint32_t value);
void
hand_set_sh(struct hand_gpu *gpu, uint32_t reg, uint32_t value);
/* Copy an immediate to a register by COPY_DATA. */
void
hand_copy_to_register(struct hand_gpu *gpu, uint32_t reg, uint32_t value);
void
hand_copy_to_result(struct hand_gpu *gpu, uint32_t reg, unsigned index);
/* Wait until a result, masked, has a value. */
void
hand_wait_result(struct hand_gpu *gpu, unsigned index, uint32_t value,
		 uint32_t mask);
void
hand_event(struct hand_gpu *gpu, uint32_t type);
uint64_t
hand_result64(const struct hand_gpu *gpu, unsigned index);

/* Set up the simulator. */
void
hand_set(const char *key, const char *value);
void
hand_advance(uint64_t ns);
/* Count lines of the report: "violation" or "cleanup", of a kind. */
uint64_t
hand_notes(const char *what, const char *kind);
/*
 * Return what its README publishes: events a second, of which a millisecond
 * has.
 */
uint64_t
hand_in_a_millisecond(unsigned block, unsigned id, unsigned instance);

#endif /* DRMPERF_TESTS_DRMSIM_HAND_H */
