/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rings: jobs one after the other, the time that the work they launch takes,
 * and what happens when one hangs.
 */
#include "amdgpu/gfx/gpu.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Ends of the pipe that are under way: the CP waits for the first of more. */
#define ENDS_MAX 256
/* Work that takes longer is never seen to end: the kernel resets the ring. */
#define WORK_NS_MAX 3600000000000ull

/* ---- all rings */

struct ring_list {
	struct ring *at[1 + RINGS_MAX];
	unsigned count;
};

/* Each die has as many of its own. */
static unsigned
compute_rings(const struct amdgpu *amdgpu)
{
	return amdgpu->chip.compute_rings * amdgpu->chip.die_count;
}

static struct ring_list
all_rings(const struct amdgpu *amdgpu)
{
	struct amdgpu *mutable = (struct amdgpu *)(uintptr_t)amdgpu;
	struct ring_list list = { .count = 0 };

	if (amdgpu->chip.gfx_rings)
		list.at[list.count++] = &mutable->gfx[0];
	for (unsigned i = 0; i < compute_rings(amdgpu); i++)
		list.at[list.count++] = &mutable->compute[i];
	return list;
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
 * Submissions of one queue stay in order; else the shortest queue, whichever
 * die it is of: the kernel's scheduler makes no difference.
 */
struct ring *
ring_choose(struct amdgpu *amdgpu, bool gfx, const struct entity *entity)
{
	struct ring *best = NULL;

	if (gfx)
		return &amdgpu->gfx[0];
	if (entity->ring && entity->ring->queue)
		return entity->ring;
	for (unsigned i = 0; i < compute_rings(amdgpu); i++) {
		struct ring *ring = &amdgpu->compute[i];

		if (amdgpu->forced_die >= 0 &&
		    ring->die->number != (unsigned)amdgpu->forced_die)
			continue;
		if (!best || queue_length(ring) < queue_length(best))
			best = ring;
	}
	return best;
}

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
forget_ends(struct ring *ring, const struct job *job)
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

static void
restart_processor(struct ring *ring)
{
	ring->depth = 0;
	ring->hung = ring->is_done = false;
	ring->blocked_until = ring->blocked_since = 0;
	ring->predicate_left = ring->spent = 0;
	ring->told = (struct told){ .predicate_is_set = false };
	ring->cam_count = 0;
	ring->window_open = false;
}

/* The first job is over, with 0 or a negative errno. */
static void
finish_job(struct ring *ring, int error)
{
	struct job *job = ring->queue;

	ring->queue = job->next;
	forget_ends(ring, job);
	restart_processor(ring);
	if (!error && job->user_fence)
		memcpy(job->user_fence->memory + job->user_fence_offset,
		       &job->sequence, sizeof(job->sequence));
	sim_fence_signal(job->fence, error);
	job_free(job);
}

static void
inspect(struct amdgpu *amdgpu, const struct ring *ring)
{
	uint32_t *registers = ring->die->registers;
	uint32_t index = registers[amdgpu->chip.reg.grbm_gfx_index];

	perfmon_settle(amdgpu, ring->die);
	if (ring->window_open)
		amdgpu_violation(amdgpu, "counter-window",
				 "PERF_COUNTER_WINDOW was left open");
	if (index == GRBM_BROADCAST)
		return;
	amdgpu_violation(amdgpu, "grbm-index",
			 "GRBM_GFX_INDEX was left at 0x%08x", index);
	registers[amdgpu->chip.reg.grbm_gfx_index] = GRBM_BROADCAST;
}

static bool
may_begin(const struct job *job)
{
	for (uint32_t i = 0; i < job->wait_count; i++)
		if (!sim_fence_is_signaled(job->waits[i]))
			return false;
	return true;
}

void
ring_hang(struct ring *ring, const char *format, ...)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	char text[160];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	amdgpu_violation(amdgpu, "hang", "%s", text);
	ring->hung = true;
	ring->hung_at = amdgpu->now;
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
	case END_OF_GDS: /* so many dwords of it, which are zeros */
		size = (data >> 16 & 0xffff) * 4;
		if (!size)
			return;
		break;
	}
	to = pm4_address(ring, end->address, 4 /* writable */, size);
	if (to && end->data_select == END_OF_GDS)
		memset(to, 0, size);
	else if (to)
		memcpy(to, &data, size);
}

bool
ring_ends_are_full(const struct ring *ring)
{
	unsigned count = 0;

	for (const struct end_of_pipe *end = ring->ends; end; end = end->next)
		count++;
	return count >= ENDS_MAX;
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
		.time = soon ? ring->amdgpu->now : ring->free_at,
		.job = ring->queue,
		.address = address,
		.data = data,
		.data_select = data_select,
	};
	*link = end;
	return 0;
}

static void
write_due_ends(struct ring *ring)
{
	while (ring->ends && ring->ends->time <= ring->amdgpu->now &&
	       !ring->hung) {
		struct end_of_pipe *end = ring->ends;

		ring->ends = end->next;
		write_end(ring, end);
		free(end);
	}
}

/* ---- work */

int
ring_launch(struct ring *ring, const struct dispatch *dispatch)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	uint64_t at_once = (uint64_t)chip_cu_count(&amdgpu->chip) *
			   amdgpu->chip.waves_per_cu;
	uint64_t rounds =
		dispatch->waves / at_once + (dispatch->waves % at_once > 0);
	struct job *job = ring->queue;
	uint64_t ns, ahead = ring->free_at > amdgpu->now
				     ? ring->free_at - amdgpu->now
				     : 0;

	if (__builtin_mul_overflow(rounds, amdgpu->wave_time, &ns) ||
	    ns > WORK_NS_MAX - job->work_ns || ahead > WORK_NS_MAX)
		return -ERANGE;
	job->work_ns += ns;
	ring->eop_pending = false;
	perfmon_count_work(amdgpu, dispatch);
	if (ring->free_at <= amdgpu->now) {
		ring->busy_from = amdgpu->now;
		ring->free_at = amdgpu->now;
	}
	ring->free_at += ns;
	return 0;
}

struct stretch {
	uint64_t from, to;
};

static int
by_start(const void *a, const void *b)
{
	const struct stretch *left = a, *right = b;

	return left->from < right->from ? -1 : left->from > right->from;
}

/* Stretches of several rings overlap: each moment counts once. */
uint64_t
rings_busy(const struct amdgpu *amdgpu, const struct die *die, uint64_t from,
	   uint64_t to)
{
	struct ring_list list = all_rings(amdgpu);
	struct stretch stretches[1 + RINGS_MAX];
	uint64_t sum = 0, reached = from;
	unsigned count = 0;

	for (unsigned i = 0; i < list.count; i++)
		if (list.at[i]->die == die && list.at[i]->free_at > from &&
		    list.at[i]->busy_from < to)
			stretches[count++] = (struct stretch){
				list.at[i]->busy_from, list.at[i]->free_at
			};
	qsort(stretches, count, sizeof(stretches[0]), by_start);
	for (unsigned i = 0; i < count; i++) {
		uint64_t begin = stretches[i].from > reached
					 ? stretches[i].from
					 : reached;
		uint64_t end = stretches[i].to < to ? stretches[i].to : to;

		if (end > begin) {
			sum += end - begin;
			reached = end;
		}
	}
	return sum;
}

/* ---- time */

/* Run the first job as far as it goes; true if something has moved. */
static bool
step(struct ring *ring)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	struct job *job = ring->queue;

	amdgpu->die = ring->die;
	write_due_ends(ring);
	if (!job || ring->hung || ring->blocked_until > amdgpu->now)
		return false;
	if (!may_begin(job))
		return false;
	amdgpu->job = job;
	if (!ring->is_done) {
		switch (pm4_run(ring)) {
		case PM4_BLOCKED:
			amdgpu->job = NULL;
			return false;
		case PM4_HUNG:
			amdgpu->job = NULL;
			return true;
		case PM4_DONE:
			ring->is_done = true;
			inspect(amdgpu, ring);
		}
	}
	amdgpu->job = NULL;
	if (ring->free_at > amdgpu->now)
		return false;
	write_due_ends(ring);
	if (ring->hung)
		return true;
	amdgpu->last_work = amdgpu->now;
	finish_job(ring, 0);
	return true;
}

static void
check_hang(struct ring *ring)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	uint64_t since = ring->hung ? ring->hung_at : ring->blocked_since;
	uint64_t now = ring->hung ? amdgpu->now : sim_host_now();

	if (!ring->queue || (!ring->hung && !ring->blocked_since))
		return;
	if (now < since + amdgpu->lockup_timeout)
		return;
	if (!ring->hung) {
		amdgpu->job = ring->queue;
		amdgpu_violation(amdgpu, "hang",
				 "a packet waited for what never came");
		amdgpu->job = NULL;
	}
	rings_reset(amdgpu, ring->queue->context);
}

void
rings_advance(struct amdgpu *amdgpu, uint64_t now)
{
	struct ring_list list = all_rings(amdgpu);
	bool moved = true;

	/* A moment that is served late may lie before what was done since. */
	if (now > amdgpu->now)
		amdgpu->now = now;
	while (moved) {
		moved = false;
		for (unsigned i = 0; i < list.count; i++)
			moved |= step(list.at[i]);
	}
	amdgpu->die = amdgpu->dies[0];
	for (unsigned i = 0; i < list.count; i++)
		check_hang(list.at[i]);
}

/* All counters and their registers are lost when the power goes. */
void
rings_wake(struct amdgpu *amdgpu)
{
	uint64_t now = sim_now(amdgpu->gpu->sim);
	uint64_t delay = amdgpu->chip.gfxoff_ns;
	struct ring_list list = all_rings(amdgpu);

	for (unsigned i = 0; i < list.count; i++)
		if (list.at[i]->queue || list.at[i]->free_at > now)
			return;
	if (!delay || amdgpu->pstate || now < amdgpu->last_work + delay)
		return;
	sim_log(amdgpu->gpu->sim, "gpu%u: back from GFXOFF",
		amdgpu->gpu->index);
	perfmon_sync(amdgpu, now);
	perfmon_power_up(amdgpu);
	amdgpu->last_work = now;
}

void
ring_submit(struct amdgpu *amdgpu, struct job *job)
{
	struct job **link = &job->ring->queue;

	rings_wake(amdgpu);
	while (*link)
		link = &(*link)->next;
	*link = job;
	rings_advance(amdgpu, sim_now(amdgpu->gpu->sim));
}

static uint64_t
earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
ring_next(const struct amdgpu *amdgpu, const struct ring *ring)
{
	uint64_t next = SIM_NEVER;

	/* nothing comes out of the pipe of a ring that hangs */
	if (ring->hung)
		return ring->hung_at + amdgpu->lockup_timeout;
	if (ring->ends)
		next = ring->ends->time;
	if (!ring->queue)
		return next;
	if (ring->blocked_until)
		return earlier(next, ring->blocked_until);
	if (ring->is_done)
		next = earlier(next, ring->free_at);
	return next;
}

uint64_t
rings_next(const struct amdgpu *amdgpu)
{
	struct ring_list list = all_rings(amdgpu);
	uint64_t next = SIM_NEVER;

	for (unsigned i = 0; i < list.count; i++)
		next = earlier(next, ring_next(amdgpu, list.at[i]));
	return next;
}

bool
rings_poll(const struct amdgpu *amdgpu)
{
	struct ring_list list = all_rings(amdgpu);

	for (unsigned i = 0; i < list.count; i++)
		if (list.at[i]->queue && !list.at[i]->hung &&
		    list.at[i]->blocked_since)
			return true;
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

/* The kernel lets jobs of a dead process end; nobody sees how. */
void
rings_forget(struct amdgpu *amdgpu, struct client *client)
{
	struct ring_list list = all_rings(amdgpu);

	perfmon_sync(amdgpu, sim_now(amdgpu->gpu->sim));
	for (unsigned i = 0; i < list.count; i++)
		drop_jobs(list.at[i], client, -ESRCH);
}

void
rings_reset(struct amdgpu *amdgpu, struct context *guilty)
{
	struct ring_list list = all_rings(amdgpu);
	uint64_t now = sim_now(amdgpu->gpu->sim);

	sim_log(amdgpu->gpu->sim, "gpu%u: reset", amdgpu->gpu->index);
	perfmon_sync(amdgpu, now);
	amdgpu->reset_count++;
	if (amdgpu->reset_loses_vram)
		amdgpu->vram_lost_count++;
	if (guilty)
		guilty->guilty = true;
	for (unsigned i = 0; i < list.count; i++) {
		drop_jobs(list.at[i], NULL, -ECANCELED);
		restart_processor(list.at[i]);
		list.at[i]->free_at = list.at[i]->busy_from = now;
		list.at[i]->eop_pending = false;
		memset(list.at[i]->shader_registers, 0,
		       sizeof(list.at[i]->shader_registers));
	}
	perfmon_power_up(amdgpu);
	sim_wake(amdgpu->gpu->sim);
}
