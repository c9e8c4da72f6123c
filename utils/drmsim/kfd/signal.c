/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: amd_hsa_signal.h of Debian's libhsa-runtime-dev 5.2.3. */
#include "kfd/signal.h"

#include <amdgpu_drm.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/vm.h"
#include "kfd/event.h"
#include "kfd/process.h"
#include "kfd/queue.h"
#include "machine/gpu.h"
#include "machine/note.h"

/* A signal, as the command processor knows it. */
struct signal {
	int64_t kind;
	_Atomic int64_t value;
	uint64_t mailbox;
	uint32_t event, reserved;
	uint64_t start, end;
	uint64_t queue, reserved1;
};

_Static_assert(sizeof(struct signal) == 64, "a signal has 64 bytes");

void
queue_break(struct kfd_queue *queue, const char *format, ...)
{
	char text[160];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	queue->is_broken = true;
	sim_note_violation(queue->device->node.gpu, queue->device->process->pid,
			   "queue", "%s", text);
}

void *
queue_memory(struct kfd_queue *queue, uint64_t address, uint64_t size,
	     bool is_written)
{
	const uint32_t access = AMDGPU_VM_PAGE_READABLE |
				(is_written ? AMDGPU_VM_PAGE_WRITEABLE : 0);
	struct sim_bo *bo;
	uint64_t there = 0;
	uint8_t *at = vm_at(&queue->device->vm, address, access, &there, &bo);

	if (at && there >= size)
		return at;
	queue_break(queue, "memory fault at 0x%llx",
		    (unsigned long long)address);
	event_report_fault(queue->device, address);
	return NULL;
}

bool
signal_read(struct kfd_queue *queue, uint64_t address, int64_t *value)
{
	struct signal *signal =
		queue_memory(queue, address, sizeof(*signal), false);

	if (signal)
		*value = signal->value;
	return signal != NULL;
}

/* Complete a signal. The process may free it as soon as its value is there. */
void
signal_complete(struct kfd_queue *queue, const struct kfd_flight *flight)
{
	const struct amdgpu *amdgpu = amdgpu_of(queue->device->node.gpu);
	struct signal *signal;
	uint64_t mailbox, *slot;
	uint32_t event;

	if (!flight->signal)
		return;
	signal = queue_memory(queue, flight->signal, sizeof(*signal), true);
	if (!signal)
		return;
	mailbox = signal->mailbox;
	event = signal->event;
	signal->start = amdgpu_timestamp(amdgpu, flight->start);
	signal->end = amdgpu_timestamp(amdgpu, flight->end);
	signal->value--;
	if (!mailbox)
		return;
	slot = queue_memory(queue, mailbox, sizeof(*slot), true);
	if (!slot)
		return;
	*slot = event;
	event_interrupt(queue->device->process, event);
}
