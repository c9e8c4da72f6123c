/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/scheduler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/context.h"
#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/hardware.h"
#include "amdgpu/gfx/job.h"
#include "amdgpu/gfx/perfmon.h"
#include "amdgpu/gfx/posted.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/partition.h"
#include "amdgpu/pm4/processor.h"
#include "amdgpu/vmid.h"
#include "kernel/bo.h"
#include "kernel/fence.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/log.h"
#include "machine/machine.h"

/* ---- jobs */

void
job_free(struct job *job)
{
	for (uint32_t i = 0; i < job->bo_count; i++)
		sim_bo_put(job->bos[i]);
	for (uint32_t i = 0; i < job->wait_count; i++)
		sim_fence_put(job->waits[i]);
	free(job->bos);
	free(job->waits);
	sim_bo_put(job->user_fence);
	sim_fence_put(job->fence);
	context_put(job->context);
	free(job);
}

static void
write_user_fence(struct amdgpu *amdgpu, const struct job *job)
{
	posted_write_at(amdgpu, amdgpu->now + amdgpu->fence_delay,
			job->user_fence, job->user_fence_offset,
			&job->sequence, sizeof(job->sequence));
	posted_write_due(amdgpu);
}

/* Finish the first job, which is over, with 0 or a negative errno. */
static void
finish_job(struct ring *ring, int error)
{
	struct job *job = ring->queue;

	ring->queue = job->next;
	ring_forget_ends(ring, job);
	ring_restart(ring);
	if (error)
		ring_drop_posted(ring);
	ring_release_posted(ring);
	if (!error && job->user_fence)
		write_user_fence(ring->amdgpu, job);
	sim_fence_signal(job->fence, error);
	job_free(job);
}

static bool
is_held(const struct ring *ring)
{
	return !ring->is_gfx &&
	       ring->amdgpu->now < ring->amdgpu->pipe_held_until;
}

static bool
may_begin(const struct job *job)
{
	for (uint32_t i = 0; i < job->wait_count; i++)
		if (!sim_fence_is_signaled(job->waits[i]))
			return false;
	return true;
}

static unsigned
queue_length(const struct ring *ring)
{
	unsigned length = 0;

	for (const struct job *job = ring->queue; job; job = job->next)
		length++;
	return length;
}

/*
 * Return whether a ring's die is the one that jobs go to, or the one after the
 * entity's last.
 */
static bool
is_asked_for(const struct amdgpu *amdgpu, unsigned partition,
	     const struct ring *ring, const struct entity *entity)
{
	const unsigned dies = amdgpu_dies_per_partition(amdgpu);
	const unsigned die = ring->die->number;

	if (!partition_has_die(amdgpu, partition, die))
		return false;
	if (amdgpu->forced_die >= 0 &&
	    partition_has_die(amdgpu, partition, (unsigned)amdgpu->forced_die))
		return die == (unsigned)amdgpu->forced_die;
	if (!amdgpu->chip.doubts[DOUBT_DIE] || !entity->ring)
		return true;
	return die % dies == (entity->ring->die->number + 1) % dies;
}

/*
 * Choose a ring. Submissions of one queue stay in order; else the shortest
 * queue, whichever die it is of: the kernel's scheduler makes no difference. An
 * entity that has been idle counts as waiting at its last ring, so of rings
 * without jobs the next one may be shorter (Linux,
 * drm_sched_entity_select_rq()).
 */
struct ring *
scheduler_choose(struct amdgpu *amdgpu, bool gfx, unsigned partition,
		 const struct entity *entity)
{
	unsigned count = amdgpu->ring_count - 1, first = 0;
	struct ring *best = NULL;

	if (gfx)
		return &amdgpu->rings[0];
	if (entity->ring && entity->ring->queue)
		return entity->ring;
	if (amdgpu->chip.doubts[DOUBT_COMPUTE_RING] && entity->ring)
		first = (unsigned)(entity->ring - amdgpu->rings);
	for (unsigned i = 0; i < count; i++) {
		struct ring *ring = &amdgpu->rings[1 + (first + i) % count];

		if (is_asked_for(amdgpu, partition, ring, entity) &&
		    (!best || queue_length(ring) < queue_length(best)))
			best = ring;
	}
	return best;
}

/*
 * Wake the GPU. All counters and their registers are lost when the power goes.
 */
void
scheduler_wake(struct amdgpu *amdgpu)
{
	uint64_t now = sim_now(amdgpu->gpu->sim);
	uint64_t delay = amdgpu->chip.gfxoff_ns;

	if (amdgpu->resumes != amdgpu->gpu->resumes) {
		amdgpu->resumes = amdgpu->gpu->resumes;
		counting_sync(amdgpu, now);
		hardware_power_up(amdgpu);
	}
	for (unsigned i = 0; i < amdgpu->ring_count; i++)
		if (amdgpu->rings[i].queue || amdgpu->busy[i].to > now)
			return;
	for (unsigned i = 0; i < DIES_MAX; i++)
		if (amdgpu->user_busy[i].to > now)
			return;
	if (!delay || amdgpu->pstate || now < amdgpu->last_work + delay)
		return;
	sim_log(amdgpu->gpu->sim, "gpu%u: back from GFXOFF",
		amdgpu->gpu->index);
	counting_sync(amdgpu, now);
	hardware_power_up(amdgpu);
	amdgpu->last_work = now;
}

void
scheduler_submit(struct amdgpu *amdgpu, struct job *job)
{
	struct job **link = &job->ring->queue;

	scheduler_wake(amdgpu);
	while (*link)
		link = &(*link)->next;
	*link = job;
	scheduler_advance(amdgpu, sim_now(amdgpu->gpu->sim));
}

/* ---- time */

void
scheduler_set_running(struct amdgpu *amdgpu, const struct job *job)
{
	amdgpu->running = (struct running){ .number = 0 };
	if (job)
		amdgpu->running = (struct running){
			.number = job->number,
			.file = job->file,
			.pid = job->pid,
			.ring = job->ring,
			.is_gfx = job->ring->is_gfx,
		};
}

void
scheduler_inspect(struct amdgpu *amdgpu, const struct ring *ring)
{
	uint32_t *registers = ring->die->registers;
	uint32_t index = registers[amdgpu->chip.reg.grbm_gfx_index];

	perfmon_settle(amdgpu, ring->die);
	if (ring->window_open)
		amdgpu_violation(amdgpu, "counter-window",
				 "PERF_COUNTER_WINDOW was left open");
	if (index == GRBM_BROADCAST || ring->die->index_is_left)
		return;
	amdgpu_violation(amdgpu, "grbm-index",
			 "GRBM_GFX_INDEX was left at 0x%08x", index);
	registers[amdgpu->chip.reg.grbm_gfx_index] = GRBM_BROADCAST;
}

/* Run the commands of the first job: true if they are through. */
static enum pm4_result
run_commands(struct ring *ring)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	enum pm4_result result;

	scheduler_set_running(amdgpu, ring->queue);
	result = pm4_run(ring);
	if (result == PM4_DONE) {
		ring->is_done = true;
		scheduler_inspect(amdgpu, ring);
	}
	scheduler_set_running(amdgpu, NULL);
	return result;
}

/* Run the first job as far as it goes; true if something has moved. */
static bool
ring_step(struct ring *ring)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	struct job *job = ring->queue;
	enum pm4_result result = PM4_DONE;

	amdgpu->die = ring->die;
	ring_write_due_ends(ring);
	if (!job || ring->hung || ring->blocked_until > amdgpu->now)
		return false;
	if (!may_begin(job))
		return false;
	/* it is in the ring from here on: the kernel's patience begins */
	if (!job->begun) {
		job->begun = amdgpu->now + 1;
		vmid_begin_job(job->client);
	}
	if (is_held(ring))
		return false;
	if (!ring->is_done)
		result = run_commands(ring);
	/* calls that wait for the job ask again when it may end */
	if (result == PM4_HUNG || ring->blocked_until)
		sim_wake(amdgpu->gpu->sim);
	if (result != PM4_DONE)
		return result == PM4_HUNG;
	if (ring->busy->to > amdgpu->now)
		return false;
	ring_write_due_ends(ring);
	if (ring->hung)
		return true;
	amdgpu->last_work = amdgpu->now;
	finish_job(ring, 0);
	return true;
}

/*
 * Return when the kernel gives the first job up, which it has given to the
 * ring.
 */
static uint64_t
timeout_of(const struct ring *ring)
{
	return ring->queue->begun + ring->amdgpu->job_timeout[ring->is_gfx];
}

/*
 * Return whether the first job is overdue, whatever it is doing, or what keeps
 * the ring from taking it.
 */
static bool
is_overdue(const struct ring *ring)
{
	return ring->queue->begun && ring->amdgpu->now >= timeout_of(ring);
}

/* Return whether the kernel gives up waiting for a job. */
static bool
is_given_up(const struct ring *ring)
{
	const struct amdgpu *amdgpu = ring->amdgpu;

	if (ring->hung)
		return amdgpu->now >= ring->hung_until;
	if (is_overdue(ring))
		return true;
	return ring->blocked_since &&
	       sim_host_now() >= ring->blocked_since + amdgpu->lockup_timeout;
}

static void
check_hang(struct ring *ring)
{
	struct amdgpu *amdgpu = ring->amdgpu;

	if (!ring->queue || !is_given_up(ring))
		return;
	if (!ring->hung) {
		scheduler_set_running(amdgpu, ring->queue);
		if (is_overdue(ring))
			amdgpu_violation(amdgpu, "job-timeout",
					 "a submission did not end in time");
		else
			amdgpu_violation(amdgpu, "hang",
					 "a packet waited for what never came");
		scheduler_set_running(amdgpu, NULL);
	}
	scheduler_reset(amdgpu, ring->queue->context);
}

void
scheduler_advance(struct amdgpu *amdgpu, uint64_t now)
{
	bool moved = true;

	/* A moment that is served late may lie before what was done since. */
	if (now > amdgpu->now)
		amdgpu->now = now;
	posted_write_due(amdgpu);
	while (moved) {
		moved = false;
		for (unsigned i = 0; i < amdgpu->ring_count; i++)
			moved |= ring_step(&amdgpu->rings[i]);
	}
	amdgpu->die = amdgpu->dies[0];
	for (unsigned i = 0; i < amdgpu->ring_count; i++)
		check_hang(&amdgpu->rings[i]);
}

static uint64_t
earlier_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
next_of(const struct ring *ring)
{
	uint64_t next = ring_next_end(ring);

	/* nothing comes out of the pipe of a ring that hangs */
	if (ring->hung)
		return ring->hung_until;
	if (!ring->queue)
		return next;
	if (ring->queue->begun)
		next = earlier_of(next, timeout_of(ring));
	if (is_held(ring))
		return earlier_of(next, ring->amdgpu->pipe_held_until);
	if (ring->blocked_until)
		return earlier_of(next, ring->blocked_until);
	if (ring->is_done)
		next = earlier_of(next, ring->busy->to);
	return next;
}

uint64_t
scheduler_next(const struct amdgpu *amdgpu)
{
	uint64_t next = posted_next(amdgpu);

	for (unsigned i = 0; i < amdgpu->ring_count; i++)
		next = earlier_of(next, next_of(&amdgpu->rings[i]));
	return next;
}

bool
scheduler_polls(const struct amdgpu *amdgpu)
{
	for (unsigned i = 0; i < amdgpu->ring_count; i++) {
		const struct ring *ring = &amdgpu->rings[i];

		if (ring->queue && !ring->hung && ring->blocked_since)
			return true;
	}
	return false;
}

/* ---- ends of another kind */

static void
drop_jobs(struct ring *ring, const struct client *client, int error)
{
	struct job **link = &ring->queue;

	while (*link) {
		struct job *job = *link;

		if (client && job->client != client) {
			link = &job->next;
			continue;
		}
		if (link == &ring->queue) {
			finish_job(ring, error);
			continue;
		}
		*link = job->next;
		sim_fence_signal(job->fence, error);
		job_free(job);
	}
}

/*
 * Drop jobs of a dead process: the kernel lets them end, which is not visible.
 */
void
scheduler_forget(struct amdgpu *amdgpu, const struct client *client)
{
	counting_sync(amdgpu, sim_now(amdgpu->gpu->sim));
	for (unsigned i = 0; i < amdgpu->ring_count; i++)
		drop_jobs(&amdgpu->rings[i], client, -ESRCH);
}

static void
reset_ring(struct ring *ring, uint64_t now)
{
	drop_jobs(ring, NULL, -ECANCELED);
	ring_restart(ring);
	ring->busy->to = ring->busy->from = now;
	ring->eop_pending = false;
	memset(ring->shader_registers, 0, sizeof(ring->shader_registers));
}

void
scheduler_reset(struct amdgpu *amdgpu, struct context *guilty)
{
	uint64_t now = sim_now(amdgpu->gpu->sim);

	sim_log(amdgpu->gpu->sim, "gpu%u: reset", amdgpu->gpu->index);
	counting_sync(amdgpu, now);
	amdgpu->reset_count++;
	if (amdgpu->reset_loses_vram)
		amdgpu->vram_lost_count++;
	if (guilty)
		guilty->guilty = true;
	for (unsigned i = 0; i < amdgpu->ring_count; i++)
		reset_ring(&amdgpu->rings[i], now);
	hardware_power_up(amdgpu);
	sim_wake(amdgpu->gpu->sim);
}
