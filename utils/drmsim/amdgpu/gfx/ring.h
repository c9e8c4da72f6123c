/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ring: the state of its command processor, the work that it has launched and
 * what the end of the pipe is still to write.
 */
#ifndef DRMSIM_AMDGPU_GFX_RING_H
#define DRMSIM_AMDGPU_GFX_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "amdgpu/gfx/address.h"
#include "amdgpu/gfx/chip.h"
#include "base/printf.h"

struct amdgpu;
struct dispatch;
struct job;
struct posted;
struct write_log;

#define FRAMES_MAX 8
#define CAM_ENTRIES 256

/* Bases that SET_BASE sets: of arguments, of LOAD_*_REG_INDEX. */
enum { BASE_ARGUMENTS = 1, BASE_LOAD = 4 };

struct ring {
	struct amdgpu *amdgpu;
	struct die *die;
	bool is_gfx;
	unsigned index;
	struct job *queue; /* the first one runs */
	/* the command processor in the middle of a job */
	struct frame {
		uint64_t address; /* of the next dword */
		uint32_t left;	  /* dwords */
	} frames[FRAMES_MAX];
	unsigned depth;
	uint32_t shader_registers[SHADER_END - SHADER_START];
	uint64_t enabled_by; /* file that wrote COMPUTE_PERFCOUNT_ENABLE */
	/* Registers that the job has SET, for chips that drop repeated SETs. */
	struct held cam[CAM_ENTRIES];
	unsigned cam_count;
	bool window_open; /* by PERF_COUNTER_WINDOW */
	bool eop_pending; /* one EOP event since work was launched */
	bool hung;
	bool is_done;		/* commands are through, the work is not */
	uint64_t blocked_until; /* look again then; 0: not blocked */
	/*
	 * The host's time since when it waits for memory or a register, or 0:
	 * the writer may be a process, which knows no simulated time.
	 */
	uint64_t blocked_since;
	uint64_t hung_until; /* then the kernel resets it */
	uint32_t predicate_left; /* dwords of the buffer that are skipped */
	/* State that packets of the job have set for later packets. */
	struct told {
		uint64_t bases[16]; /* SET_BASE */
		/* SET_PREDICATION: packets run where both are the same */
		bool predicate_is_set, predicate_value, predicate_wanted;
		uint32_t pixel_control; /* of PIXEL_PIPE_STAT_DUMP */
		uint32_t filled[4];	/* of the streamout buffers */
		bool samples_are_last; /* the last packet has stored them */
	} told;
	uint32_t spent; /* see ring_spend() */
	uint64_t cs_threads; /* that compute dispatches have launched */
	struct stretch *busy;
	struct end_of_pipe *ends; /* in the order of their times */
	struct posted *posted; /* writes that are not confirmed */
	/* of queues with packets that several dies execute; or NULL */
	struct write_log *writes;
	/*
	 * Return memory that is in no buffer, like ring_memory(), or NULL if
	 * there is no such memory.
	 */
	uint8_t *(*reach)(struct ring *ring, uint64_t address, uint32_t access,
			  uint64_t size);
};

/*
 * Create the rings: one for graphics on the first die, and those for compute on
 * each: 0 or -ENOMEM. rings_free() in any case.
 */
int rings_create(struct amdgpu *amdgpu);
void rings_free(struct amdgpu *amdgpu);

/*
 * Set the processor to its state before a job; what the pipe still writes
 * stays.
 */
void ring_restart(struct ring *ring);
/* Report a fault, on which the kernel resets at once, without waiting. */
void ring_fault(struct ring *ring, const char *format, ...) SIM_PRINTF(2, 3);
void ring_hang(struct ring *ring, const char *format, ...) SIM_PRINTF(2, 3);

/*
 * Return the address where the running job may access size bytes, or NULL: then
 * the ring hangs. ring_dwords() ignores the two low bits of the address.
 */
uint8_t *ring_memory(struct ring *ring, uint64_t address, uint32_t access,
		     uint64_t size);
uint8_t *ring_dwords(struct ring *ring, uint64_t address, uint32_t access,
		     uint64_t size);
/*
 * Charge a job for dwords of the buffers that it enters beyond its own, so that
 * commands that go round in a circle come to an end. Returns false if it has
 * been too much: the ring hangs.
 */
bool ring_spend(struct ring *ring, uint32_t amount);

/* Return whether waves of this queue may count: COMPUTE_PERFCOUNT_ENABLE. */
bool ring_may_count(const struct ring *ring);
/*
 * Launch a dispatch. Returns 0, or -ERANGE if it would not end before the
 * kernel gave up.
 */
int ring_launch(struct ring *ring, const struct dispatch *dispatch);

/* ---- the end of the pipe: data_sel of its packets */
enum {
	END_OF_NOTHING,
	END_OF_DWORD,
	END_OF_QWORD,
	END_OF_CLOCK,
	END_OF_SYSTEM_CLOCK,
	END_OF_GDS,
};

/* Return whether the limit of pending end-of-pipe writes is reached. */
bool ring_ends_are_full(const struct ring *ring);
/*
 * Return when the first pending end-of-pipe write is due, or SIM_NEVER if there
 * is none.
 */
uint64_t ring_next_end(const struct ring *ring);
/*
 * Write at the end of the pipe; soon means without waiting for the work
 * launched. Returns 0 or -ENOMEM.
 */
int ring_at_end(struct ring *ring, uint64_t address, uint64_t data,
		unsigned data_select, bool soon);
void ring_write_due_ends(struct ring *ring);
void ring_forget_ends(struct ring *ring, const struct job *job);

#endif /* DRMSIM_AMDGPU_GFX_RING_H */
