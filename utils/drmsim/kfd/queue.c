/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.12, kfd_chardev.c, kfd_queue.c, kfd_doorbell.c. */
#include "kfd/queue.h"

#include <errno.h>
#include <stdlib.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/vm.h"
#include "kernel/bo.h"
#include "kernel/call.h"
#include "kfd/memory.h"
#include "kfd/process.h"
#include "kfd/state.h"
#include "kfd/uapi.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "machine/note.h"
#include "machine/power.h"

#define PAGE 4096u
#define USER_END (1ull << 47)
#define EOP_SIZE 4096u
/* Limit for a process on a GPU; twice as many on one with several dies. */
#define QUEUES_MAX 127u
/* Doorbells that are kept for other engines, in both halves of the page. */
#define RESERVED_FIRST 0x100u
#define RESERVED_LAST 0x1ffu
#define MIRROR 0x200u
/* Linux's "not supported", which no other header has. */
#define ENOTSUPP 524

/* ---- checks */

static int
check_properties(struct kfd_create_queue *args)
{
	if ((args->percentage & KFD_PERCENT_MASK) > KFD_PERCENT_MAX ||
	    args->priority > KFD_PRIORITY_MAX)
		return -EINVAL;
	if (args->ring >= USER_END)
		return -EFAULT;
	if (args->ring_size & (args->ring_size - 1))
		return -EINVAL;
	if (args->ring_size < KFD_RING_MIN)
		args->ring_size = KFD_RING_MIN;
	if (args->read_pointer >= USER_END || args->write_pointer >= USER_END ||
	    args->eop >= USER_END || args->save >= USER_END)
		return -EFAULT;
	return args->type == KFD_QUEUE_COMPUTE ||
			       args->type > KFD_QUEUE_SDMA_ENGINE
		       ? -ENOTSUPP
		       : 0;
}

/* Return whether the queue names no copy engine that is not there. */
static bool
has_engine(const struct kfd_device *device, const struct kfd_create_queue *args)
{
	const struct kfd_node *node = &device->node;

	return args->type != KFD_QUEUE_SDMA_ENGINE ||
	       args->engine <
		       amdgpu_of(node->gpu)->chip.sdma_engines * node->dies;
}

static bool
hold_buffer(struct kfd_queue *queue, uint64_t address, uint64_t size)
{
	if (!memory_hold(queue->device, address, size))
		return false;
	queue->held[queue->held_count++] = address;
	return true;
}

/* Hold the buffers that the kernel requires, of exactly its sizes. */
static int
hold_buffers(struct kfd_queue *queue, const struct kfd_create_queue *args)
{
	struct kfd_save_sizes sizes;

	kfd_node_save_sizes(&queue->device->node, &sizes);
	if (!hold_buffer(queue, args->write_pointer, PAGE) ||
	    !hold_buffer(queue, args->read_pointer, PAGE) ||
	    !hold_buffer(queue, args->ring, args->ring_size))
		return -EINVAL;
	/* copy engines have neither waves nor an end of the pipe */
	if (queue_is_sdma(queue))
		return 0;
	if (args->eop && (args->eop_size != EOP_SIZE ||
			  !hold_buffer(queue, args->eop, EOP_SIZE)))
		return -EINVAL;
	if (args->ctl_stack_size != sizes.ctl_stack ||
	    args->save_size < sizes.one_die ||
	    !hold_buffer(queue, args->save, sizes.total))
		return -EINVAL;
	return 0;
}

/* ---- numbers */

bool
queue_is_sdma(const struct kfd_queue *queue)
{
	return queue->type == KFD_QUEUE_SDMA ||
	       queue->type == KFD_QUEUE_SDMA_XGMI ||
	       queue->type == KFD_QUEUE_SDMA_ENGINE;
}

static struct kfd_queue *
find_queue(const struct kfd_process *process, uint32_t id)
{
	for (unsigned i = 0; i < process->device_count; i++)
		for (struct kfd_queue *queue = process->devices[i].queues;
		     queue; queue = queue->next)
			if (queue->id == id)
				return queue;
	return NULL;
}

static uint32_t
free_id(const struct kfd_process *process)
{
	uint32_t id = 0;

	while (find_queue(process, id))
		id++;
	return id;
}

static bool
is_reserved(unsigned doorbell)
{
	const unsigned half = doorbell % MIRROR;

	return half >= RESERVED_FIRST && half <= RESERVED_LAST;
}

/*
 * Find the lowest doorbell that no queue has; those of copy engines lie apart.
 */
static unsigned
free_doorbell(const struct kfd_device *device, bool is_sdma)
{
	unsigned doorbell = 0;
	const struct kfd_queue *queue = device->queues;

	while (queue || is_reserved(doorbell) != is_sdma) {
		if (queue && queue->doorbell != doorbell &&
		    is_reserved(doorbell) == is_sdma) {
			queue = queue->next;
			continue;
		}
		doorbell++;
		queue = device->queues;
	}
	return doorbell;
}

static unsigned
count_queues(const struct kfd_device *device)
{
	unsigned count = 0;

	for (const struct kfd_queue *queue = device->queues; queue;
	     queue = queue->next)
		count++;
	return count;
}

/* ---- life */

static int
make_engines(struct kfd_queue *queue)
{
	const struct kfd_node *node = &queue->device->node;
	struct amdgpu *amdgpu = amdgpu_of(node->gpu);

	queue->engines = calloc(node->dies, sizeof(*queue->engines));
	if (!queue->engines)
		return -ENOMEM;
	for (unsigned i = 0; i < node->dies; i++) {
		struct kfd_engine *engine = &queue->engines[i];
		const unsigned number = node->first_die + i;
		struct stretch *busy = &amdgpu->user_busy[number];

		busy->die = amdgpu->dies[number];
		engine->queue = queue;
		engine->ring.amdgpu = amdgpu;
		engine->ring.die = amdgpu->dies[number];
		engine->ring.busy = busy;
		engine->ring.index = queue->id;
		engine->ring.writes = &queue->writes;
		engine->job.vm = &queue->device->vm;
		engine->job.file = queue->device->file;
		engine->job.pid = queue->device->process->pid;
		engine->job.ring = &engine->ring;
		engine->job.number = amdgpu->next_job++;
		engine->ring.queue = &engine->job;
	}
	return 0;
}

void
queue_allow_counting(struct kfd_queue *queue, bool allow)
{
	const struct kfd_node *node = &queue->device->node;
	const uint32_t enable =
		amdgpu_of(node->gpu)->chip.reg.compute_perfcount_enable;

	for (unsigned i = 0; i < node->dies && enable; i++)
		queue->engines[i].ring.shader_registers[enable - SHADER_START] =
			allow;
}

/*
 * Leave a die. Nothing in the kernel writes GRBM_GFX_INDEX of a die back: what
 * comes next on that die has to. Return whether it was left otherwise.
 */
static bool
leave_die(const struct kfd_engine *engine)
{
	const struct chip *chip = &engine->ring.amdgpu->chip;
	struct die *die = engine->ring.die;

	if (engine->is_through || die->index_is_left ||
	    die->registers[chip->reg.grbm_gfx_index] == GRBM_BROADCAST)
		return false;
	die->index_is_left = true;
	return true;
}

/* Leave the dies as the queue ends, perhaps in the middle of a packet. */
static void
leave_dies(const struct kfd_queue *queue)
{
	const struct kfd_device *device = queue->device;
	unsigned count = 0;

	for (unsigned i = 0; queue->runs_commands && i < device->node.dies; i++)
		count += leave_die(&queue->engines[i]);
	if (!count)
		return;
	if (device->process->has_ended)
		sim_note_cleanup(device->node.gpu, device->process->pid,
				 "grbm-index",
				 "ended in the middle of a packet: "
				 "GRBM_GFX_INDEX of %u dies names not all",
				 count);
	else
		sim_note_violation(device->node.gpu, device->process->pid,
				   "grbm-index",
				   "a queue was destroyed in the middle of a "
				   "packet: GRBM_GFX_INDEX of %u dies names "
				   "not all",
				   count);
}

static void
free_queue(struct kfd_queue *queue)
{
	const struct kfd_node *node = &queue->device->node;

	if (queue->engines)
		leave_dies(queue);
	while (queue->flights) {
		struct kfd_flight *flight = queue->flights;

		queue->flights = flight->next;
		free(flight);
	}
	for (unsigned i = 0; queue->engines && i < node->dies; i++) {
		struct ring *ring = &queue->engines[i].ring;

		ring_forget_ends(ring, &queue->engines[i].job);
		if (ring->die->sq_owner == ring)
			ring->die->sq_owner = NULL;
	}
	while (queue->held_count)
		memory_release(queue->device, queue->held[--queue->held_count]);
	write_log_free(&queue->writes);
	free(queue->engines);
	free(queue);
}

static void
remove_queue(struct kfd_queue *queue)
{
	struct kfd_queue **p = &queue->device->queues;

	while (*p != queue)
		p = &(*p)->next;
	*p = queue->next;
	queue->device->process->sim->kfd->queues--;
	free_queue(queue);
}

/*
 * Free all queues. GPUs whose device has gone are there until the machine ends.
 */
void
queue_free_all(struct kfd_device *device)
{
	while (device->queues)
		remove_queue(device->queues);
}

static int
make_queue(struct kfd_device *device, const struct kfd_create_queue *args,
	   struct kfd_queue **out)
{
	struct kfd_queue *queue = calloc(1, sizeof(*queue));
	int error;

	if (!queue)
		return -ENOMEM;
	queue->device = device;
	queue->id = free_id(device->process);
	queue->type = args->type;
	queue->ring = args->ring;
	queue->ring_size = args->ring_size;
	queue->write_pointer = args->write_pointer;
	queue->read_pointer = args->read_pointer;
	queue->percentage = args->percentage & KFD_PERCENT_MASK;
	queue->first_die = queue->id % device->node.dies;
	queue->doorbell = free_doorbell(device, queue_is_sdma(queue));
	if (queue_is_sdma(queue))
		((uint64_t *)(void *)
			 device->doorbells->memory)[queue->doorbell] = 0;
	error = hold_buffers(queue, args);
	if (!error)
		error = make_engines(queue);
	if (error) {
		free_queue(queue);
		return error;
	}
	/* a profiler wants it of queues that come later, too */
	if (device->process->sim->kfd
		    ->locks[device->node.gpu->index][device->node.first_die]
		    .allows_counting)
		queue_allow_counting(queue, true);
	*out = queue;
	return 0;
}

int
queue_create(struct sim_call *call, struct kfd_process *process, void *arg)
{
	struct kfd_create_queue *args = arg;
	struct kfd_device *device = kfd_process_device(process, args->gpu_id);
	struct kfd_queue *queue;
	struct sim_bo *page;
	int error = check_properties(args);

	if (!error && !device)
		error = -EINVAL;
	if (!error && !device->file)
		error = -ENODEV;
	if (!error && !has_engine(device, args))
		error = -EINVAL;
	if (!error)
		error = memory_doorbells(device, &page);
	if (!error && count_queues(device) >=
			      QUEUES_MAX * (device->node.dies > 1 ? 2 : 1))
		error = -ENOSPC;
	if (!error)
		error = make_queue(device, args, &queue);
	if (error)
		return error;
	queue->next = device->queues;
	device->queues = queue;
	call->sim->kfd->queues++;
	sim_gpu_resume(device->node.gpu);
	args->id = queue->id;
	args->doorbell = KFD_MMAP_OFFSET(KFD_MMAP_DOORBELL, args->gpu_id) |
			 queue->doorbell * 8;
	return 0;
}

int
queue_destroy(struct sim_call *call, struct kfd_process *process, void *arg)
{
	const struct kfd_queue_number *args = arg;
	struct kfd_queue *queue = find_queue(process, args->id);

	(void)call;
	if (!queue)
		return -EINVAL;
	remove_queue(queue);
	return 0;
}

static bool
exchange_ring(struct kfd_queue *queue, const struct kfd_update_queue *args)
{
	if (!memory_hold(queue->device, args->ring, args->ring_size))
		return false;
	for (unsigned i = 0; i < queue->held_count; i++) {
		if (queue->held[i] != queue->ring)
			continue;
		memory_release(queue->device, queue->ring);
		queue->held[i] = args->ring;
		break;
	}
	queue->ring = args->ring;
	queue->ring_size = args->ring_size;
	return true;
}

/*
 * Update a queue. The ring may be exchanged; at 0 percent the GPU does not look
 * at it.
 */
int
queue_update(struct sim_call *call, struct kfd_process *process, void *arg)
{
	const struct kfd_update_queue *args = arg;
	struct kfd_queue *queue = find_queue(process, args->id);

	(void)call;
	if ((args->percentage & KFD_PERCENT_MASK) > KFD_PERCENT_MAX ||
	    args->priority > KFD_PRIORITY_MAX)
		return -EINVAL;
	if (args->ring >= USER_END)
		return -EFAULT;
	if (args->ring_size & (args->ring_size - 1))
		return -EINVAL;
	if (!queue)
		return -EFAULT;
	if (args->ring && !exchange_ring(queue, args))
		return -EINVAL;
	queue->percentage = args->percentage & KFD_PERCENT_MASK;
	return 0;
}

/* Set which units a queue may use, which changes nothing that is simulated. */
int
queue_set_cu_mask(struct sim_call *call, struct kfd_process *process, void *arg)
{
	const struct kfd_set_cu_mask *args = arg;
	uint32_t mask[32];

	if (!args->bits || args->bits % 32)
		return -EINVAL;
	if (sim_call_get(call, mask, args->mask,
			 args->bits / 8 < sizeof(mask) ? args->bits / 8
						       : sizeof(mask)))
		return -EFAULT;
	return find_queue(process, args->id) ? 0 : -EFAULT;
}
