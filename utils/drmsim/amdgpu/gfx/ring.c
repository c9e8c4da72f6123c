/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/ring.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/dispatch.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/job.h"
#include "amdgpu/gfx/vm.h"
#include "kernel/bo.h"
#include "machine/clock.h"

/* Dwords, see ring_spend(): more than a program needs. */
#define SPENT_MAX (1u << 22)
/* Ends of the pipe that are under way: the CP waits for the first of more. */
#define ENDS_MAX 256
/* Work that takes longer is never seen to end: the kernel resets the ring. */
#define WORK_NS_MAX 3600000000000ull

struct end_of_pipe {
	struct end_of_pipe *next;
	uint64_t time;
	struct job *job;
	uint64_t address, data;
	unsigned data_select;
};

int
rings_create(struct amdgpu *amdgpu)
{
	const struct chip *chip = &amdgpu->chip;

	amdgpu->ring_count = 1 + chip_compute_rings(chip);
	amdgpu->rings = calloc(amdgpu->ring_count, sizeof(*amdgpu->rings));
	amdgpu->busy = calloc(amdgpu->ring_count, sizeof(*amdgpu->busy));
	amdgpu->user_busy = calloc(DIES_MAX, sizeof(*amdgpu->user_busy));
	if (!amdgpu->rings || !amdgpu->busy || !amdgpu->user_busy)
		return -ENOMEM;
	for (unsigned i = 0; i < amdgpu->ring_count; i++) {
		struct ring *ring = &amdgpu->rings[i];
		unsigned number = i ? i - 1 : 0;

		ring->amdgpu = amdgpu;
		ring->is_gfx = i == 0;
		ring->index = number % chip->compute_rings;
		ring->die = amdgpu->dies[number / chip->compute_rings];
		ring->busy = &amdgpu->busy[i];
		ring->busy->die = ring->die;
	}
	return 0;
}

void
rings_free(struct amdgpu *amdgpu)
{
	free(amdgpu->rings);
	free(amdgpu->busy);
	free(amdgpu->user_busy);
}

void
ring_restart(struct ring *ring)
{
	ring->depth = 0;
	ring->hung = ring->is_done = false;
	ring->blocked_until = ring->blocked_since = 0;
	ring->predicate_left = ring->spent = 0;
	ring->told = (struct told){ .predicate_is_set = false };
	ring->cam_count = 0;
	ring->window_open = false;
}

static void __attribute__((format(printf, 3, 0)))
ring_hang_v(struct ring *ring, uint64_t until, const char *format, va_list list)
{
	char text[160];

	vsnprintf(text, sizeof(text), format, list);
	amdgpu_violation(ring->amdgpu, "hang", "%s", text);
	ring->hung = true;
	ring->hung_until = until;
}

void
ring_hang(struct ring *ring, const char *format, ...)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	va_list list;

	va_start(list, format);
	ring_hang_v(ring, amdgpu->now + amdgpu->lockup_timeout, format, list);
	va_end(list);
}

void
ring_fault(struct ring *ring, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	ring_hang_v(ring, ring->amdgpu->now, format, list);
	va_end(list);
}

/* ---- what it may use */

static bool
is_listed(const struct job *job, const struct sim_bo *bo)
{
	for (uint32_t i = 0; i < job->bo_count; i++)
		if (job->bos[i] == bo)
			return true;
	return (bo->flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID) != 0;
}

uint8_t *
ring_memory(struct ring *ring, uint64_t address, uint32_t access, uint64_t size)
{
	struct job *job = ring->queue;
	struct sim_bo *bo;
	uint64_t there;
	uint8_t *at;

	if (!job)
		return NULL;
	at = vm_at(job->vm, address, access, &there, &bo);
	if (!at && ring->reach) {
		at = ring->reach(ring, address, access, size);
		if (at)
			return at;
	}
	if (!at || there < size) {
		ring_hang(ring, "page fault at 0x%llx, %llu bytes",
			  (unsigned long long)address,
			  (unsigned long long)size);
		return NULL;
	}
	if (!is_listed(job, bo)) {
		ring_hang(ring, "the buffer at 0x%llx is in no list",
			  (unsigned long long)address);
		return NULL;
	}
	return at;
}

uint8_t *
ring_dwords(struct ring *ring, uint64_t address, uint32_t access, uint64_t size)
{
	return ring_memory(ring, address & ~3ull, access, size);
}

bool
ring_spend(struct ring *ring, uint32_t amount)
{
	if (amount <= SPENT_MAX - ring->spent) {
		ring->spent += amount;
		return true;
	}
	ring_hang(ring, "commands that do not come to an end");
	return false;
}

/* ---- work */

bool
ring_may_count(const struct ring *ring)
{
	uint32_t enable = ring->amdgpu->chip.reg.compute_perfcount_enable;

	return enable && ring->shader_registers[enable - SHADER_START] & 1;
}

int
ring_launch(struct ring *ring, const struct dispatch *dispatch)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	uint64_t at_once = chip_wave_slots(&amdgpu->chip, ring->die->number);
	uint64_t rounds =
		dispatch->waves / at_once + (dispatch->waves % at_once > 0);
	struct job *job = ring->queue;
	uint64_t ns, ahead = ring->busy->to > amdgpu->now
				     ? ring->busy->to - amdgpu->now
				     : 0;

	if (__builtin_mul_overflow(rounds, amdgpu->wave_time, &ns) ||
	    ns > WORK_NS_MAX - job->work_ns || ahead > WORK_NS_MAX)
		return -ERANGE;
	job->work_ns += ns;
	ring->eop_pending = false;
	counting_add_work(amdgpu, dispatch);
	busy_add(ring->busy, dispatch, amdgpu->now, ns,
		 dispatch->stage == STAGE_CS
			 ? dispatch->waves * amdgpu->wave_time
			 : 0);
	return 0;
}

/* ---- the end of the pipe */

static void
write_end(struct ring *ring, const struct end_of_pipe *end)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	uint64_t data = end->data;
	size_t size = 8;
	uint8_t *to;

	switch (end->data_select) {
	case END_OF_NOTHING:
		return;
	case END_OF_DWORD:
		size = 4;
		break;
	case END_OF_CLOCK:
	case END_OF_SYSTEM_CLOCK:
		data = amdgpu_timestamp(amdgpu, amdgpu->now);
		break;
	case END_OF_GDS: /* dwords of it, which are zeros */
		size = (data >> 16 & 0xffff) * 4;
		if (!size)
			return;
		break;
	}
	to = ring_memory(ring, end->address, AMDGPU_VM_PAGE_WRITEABLE, size);
	if (to && end->data_select == END_OF_GDS)
		memset(to, 0, size);
	else if (to)
		memcpy(to, &data, size);
}

void
ring_write_due_ends(struct ring *ring)
{
	while (ring->ends && ring->ends->time <= ring->amdgpu->now &&
	       !ring->hung) {
		struct end_of_pipe *end = ring->ends;

		ring->ends = end->next;
		write_end(ring, end);
		free(end);
	}
}

bool
ring_ends_are_full(const struct ring *ring)
{
	unsigned count = 0;

	for (const struct end_of_pipe *end = ring->ends; end; end = end->next)
		count++;
	return count >= ENDS_MAX;
}

uint64_t
ring_next_end(const struct ring *ring)
{
	return ring->ends ? ring->ends->time : SIM_NEVER;
}

int
ring_at_end(struct ring *ring, uint64_t address, uint64_t data,
	    unsigned data_select, bool soon)
{
	struct end_of_pipe *end = calloc(1, sizeof(*end));
	struct end_of_pipe **link = &ring->ends;

	if (!end)
		return -ENOMEM;
	while (*link && !(soon && (*link)->time > ring->amdgpu->now))
		link = &(*link)->next;
	*end = (struct end_of_pipe){
		.next = *link,
		.time = soon ? ring->amdgpu->now : ring->busy->to,
		.job = ring->queue,
		.address = address,
		.data = data,
		.data_select = data_select,
	};
	*link = end;
	return 0;
}

void
ring_forget_ends(struct ring *ring, const struct job *job)
{
	struct end_of_pipe **link = &ring->ends;

	while (*link) {
		struct end_of_pipe *end = *link;

		if (end->job != job) {
			link = &end->next;
			continue;
		}
		*link = end->next;
		free(end);
	}
}
