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
#include <amdgpu_drm.h>
#include <stdbool.h>
#include <stdint.h>

#define HAND_NODE "/dev/dri/renderD128"
#define HAND_MS 1000000u
#define HAND_SECOND 1000000000u
#define HAND_RESULTS 1024 /* dwords */
#define HAND_BROADCAST 0xe0000000u
#define GFX AMDGPU_HW_IP_GFX
#define COMPUTE AMDGPU_HW_IP_COMPUTE

/* Byte addresses of registers that all generations have. */
#define CP_PERFMON_CNTL 0x36020u
#define GRBM_GFX_INDEX 0x30800u
#define COMPUTE_PERFCOUNT_ENABLE 0xb82cu
#define COMPUTE_NUM_THREAD_X 0xb81cu
#define SQ_MASKS 0x0f0ff000u /* banks, clients, SIMDs: up to gfx9 */

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
	unsigned number; /* of hand_open() */
	void (*leave)(struct hand_gpu *gpu); /* before it is closed, or NULL */
};

/* The GPU of the running test. */
extern struct hand_gpu hand;

/* Leave and close it if it is open: what tears a test down. */
void
hand_finish(void);

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
/* Submit it and wait. Returns what the wait returns. */
int
hand_try(struct hand_gpu *gpu, uint64_t ns);
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
/* Emit a dispatch of groups of threads. */
void
hand_dispatch(struct hand_gpu *gpu, uint32_t groups, uint32_t threads,
	      uint32_t initiator);
/*
 * Emit the read of one instance's counter into results 0 and 1; hi is 0 where
 * only the low half is read.
 */
void
hand_read(struct hand_gpu *gpu, uint32_t index, uint32_t lo, uint32_t hi);
/* Start the counters, run, and let a millisecond pass. */
void
hand_count(struct hand_gpu *gpu);
uint64_t
hand_result64(const struct hand_gpu *gpu, unsigned index);

/*
 * Count lines of the report: "violation" or "cleanup", of a kind, or of any if
 * that is NULL.
 */
unsigned
hand_notes(const char *what, const char *kind);
/*
 * Return what its README publishes: events a second, of which a millisecond
 * has.
 */
uint64_t
hand_in_a_millisecond(unsigned block, unsigned id, unsigned instance);

#endif /* DRMPERF_TESTS_DRMSIM_HAND_H */
