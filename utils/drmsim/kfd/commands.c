/* SPDX-License-Identifier: BSD-3-Clause */
#include "kfd/commands.h"

#include "amdgpu/client.h"
#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/write_log.h"
#include "amdgpu/pm4/processor.h"
#include "amdgpu/scheduler.h"
#include "kfd/event.h"
#include "kfd/process.h"
#include "kfd/queue.h"
#include "kfd/state.h"
#include "kfd/window.h"
#include "machine/clock.h"
#include "machine/gpu.h"

void
commands_begin(struct kfd_queue *queue, uint64_t address, uint32_t dwords)
{
	struct amdgpu *amdgpu = amdgpu_of(queue->device->node.gpu);

	for (unsigned i = 0; i < queue->device->node.dies; i++) {
		struct kfd_engine *engine = &queue->engines[i];
		struct job *job = &engine->job;

		ring_restart(&engine->ring);
		engine->ring.reach = window_open;
		job->number = amdgpu->next_job++;
		job->ibs[0] = (struct ib){ address, dwords };
		job->ib_count = 1;
		job->ib_done = 0;
		job->work_ns = 0;
		engine->is_through = false;
	}
	write_log_clear(&queue->writes);
	queue->runs_commands = true;
	queue->device->process->sim->kfd->seen[queue->device->node.gpu->index]
		.commands++;
}

/*
 * Run a die's commands. Returns false if the die waits for something, or hangs.
 */
static bool
run_engine(struct kfd_queue *queue, struct kfd_engine *engine)
{
	struct amdgpu *amdgpu = engine->ring.amdgpu;
	struct ring *ring = &engine->ring;
	enum pm4_result result;

	if (ring->hung || ring->blocked_until > amdgpu->now)
		return false;
	amdgpu->die = ring->die;
	scheduler_set_running(amdgpu, &engine->job);
	result = pm4_run(ring);
	engine_close_windows(engine);
	if (result == PM4_DONE)
		scheduler_inspect(amdgpu, ring);
	scheduler_set_running(amdgpu, NULL);
	amdgpu->die = amdgpu->dies[0];
	/* the violation is noted already */
	if (result == PM4_HUNG) {
		queue->is_broken = true;
		event_report_fault(queue->device, 0);
	}
	engine->is_through = result == PM4_DONE;
	return engine->is_through;
}

bool
commands_run(struct kfd_queue *queue, uint64_t *end)
{
	const unsigned dies = queue->device->node.dies;
	struct amdgpu *amdgpu = amdgpu_of(queue->device->node.gpu);
	const uint64_t start = amdgpu->now;
	uint64_t latest = start;
	bool is_through = true;

	for (unsigned i = 0; i < dies && !queue->is_broken; i++) {
		struct kfd_engine *engine = &queue->engines[i];

		if (engine->is_through)
			continue;
		/* dies work side by side */
		amdgpu->now = start;
		is_through &= run_engine(queue, engine);
		if (amdgpu->now > latest)
			latest = amdgpu->now;
	}
	amdgpu->now = latest;
	if (!is_through || queue->is_broken)
		return false;
	scheduler_set_running(amdgpu, &queue->engines[0].job);
	write_log_check(amdgpu, &queue->writes);
	scheduler_set_running(amdgpu, NULL);
	*end = amdgpu->now;
	for (unsigned i = 0; i < dies; i++) {
		const struct kfd_engine *engine = &queue->engines[i];

		if ((engine->job.work_ns || engine->ring.ends) &&
		    engine->ring.busy->to > *end)
			*end = engine->ring.busy->to;
	}
	queue->runs_commands = false;
	return true;
}

uint64_t
commands_next(const struct kfd_queue *queue)
{
	uint64_t next = SIM_NEVER;

	for (unsigned i = 0; i < queue->device->node.dies; i++) {
		const struct ring *ring = &queue->engines[i].ring;
		const uint64_t at = ring_next_end(ring);

		if (at < next)
			next = at;
		if (queue->runs_commands && ring->blocked_until &&
		    ring->blocked_until < next)
			next = ring->blocked_until;
	}
	return next;
}

void
commands_write_due(struct kfd_queue *queue)
{
	for (unsigned i = 0; i < queue->device->node.dies; i++) {
		struct kfd_engine *engine = &queue->engines[i];

		scheduler_set_running(engine->ring.amdgpu, &engine->job);
		ring_write_due_ends(&engine->ring);
		engine_close_windows(engine);
		scheduler_set_running(engine->ring.amdgpu, NULL);
		queue->is_broken |= engine->ring.hung;
	}
}
