/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: arguments of the runtimes 5.2.3 and 6.1.2, by their sources. */
#include "kfd/packets.h"

#include <amdgpu_drm.h>
#include <stdbool.h>
#include <string.h>

#include "amdgpu/gfx/vm.h"
#include "kernel/bo.h"
#include "kfd/access.h"
#include "kfd/process.h"
#include "kfd/queue.h"
#include "kfd/state.h"
#include "machine/gpu.h"

/* Offset of a kernel's code from its descriptor. */
#define ENTRY_OFFSET 16
#define ARGUMENTS_MAX 96

struct arguments {
	uint8_t bytes[ARGUMENTS_MAX];
};

static uint64_t
word_of(const struct arguments *arguments, unsigned number)
{
	uint64_t word;

	memcpy(&word, arguments->bytes + 8 * number, sizeof(word));
	return word;
}

static uint32_t
dword_at(const struct arguments *arguments, unsigned offset)
{
	uint32_t dword;

	memcpy(&dword, arguments->bytes + offset, sizeof(dword));
	return dword;
}

/* Find the buffer that holds an address of the GPU, or NULL. */
static const struct sim_bo *
buffer_at(const struct kfd_queue *queue, uint64_t address, uint64_t *size,
	  const uint8_t **at)
{
	struct sim_bo *bo = NULL;

	*at = vm_at(&queue->device->vm, address, AMDGPU_VM_PAGE_READABLE, size,
		    &bo);
	return *at ? bo : NULL;
}

/*
 * Return whether a kernel's code is the host's. Programs have their code in
 * memory of the GPU, to which such kernels have copied it; these themselves lie
 * in memory of the host.
 */
static bool
is_code_of_host(const struct kfd_queue *queue, uint64_t kernel)
{
	const struct sim_bo *bo;
	const uint8_t *at;
	uint64_t there = 0;
	int64_t entry;

	bo = buffer_at(queue, kernel, &there, &at);
	if (!bo || there < ENTRY_OFFSET + sizeof(entry))
		return false;
	memcpy(&entry, at + ENTRY_OFFSET, sizeof(entry));
	bo = buffer_at(queue, kernel + (uint64_t)entry, &there, &at);
	return bo && bo->domains == AMDGPU_GEM_DOMAIN_GTT;
}

/*
 * Check pairs of addresses, source and destination, of a number of phases and
 * of the end: each phase is as long in both, and none is negative.
 */
static bool
is_copy(const struct arguments *arguments, unsigned phases)
{
	for (unsigned i = 0; i < phases; i++) {
		const uint64_t from = word_of(arguments, 2 * i);
		const uint64_t to = word_of(arguments, 2 * i + 1);
		const uint64_t next_from = word_of(arguments, 2 * i + 2);

		if (next_from < from ||
		    next_from - from != word_of(arguments, 2 * i + 3) - to)
			return false;
	}
	return word_of(arguments, 2 * phases) > word_of(arguments, 0);
}

static bool
is_fill(const struct arguments *arguments)
{
	return word_of(arguments, 0) <= word_of(arguments, 1) &&
	       word_of(arguments, 1) <= word_of(arguments, 2) &&
	       word_of(arguments, 2) > word_of(arguments, 0);
}

static void
copy_bytes(struct kfd_queue *queue, const struct arguments *arguments,
	   unsigned phases)
{
	const uint64_t from = word_of(arguments, 0);

	access_copy(queue, word_of(arguments, 1), from,
		    word_of(arguments, 2 * phases) - from);
}

void
blit_run(struct kfd_queue *queue, uint64_t kernel, uint64_t address,
	 uint32_t items)
{
	struct kfd_seen *seen = &queue->device->process->sim->kfd
					 ->seen[queue->device->node.gpu->index];
	struct arguments arguments = { { 0 } };
	const uint8_t *at;
	uint64_t there = 0;

	if (!is_code_of_host(queue, kernel) ||
	    !buffer_at(queue, address, &there, &at))
		return;
	memcpy(arguments.bytes, at,
	       there < ARGUMENTS_MAX ? there : ARGUMENTS_MAX);
	seen->blits++;
	if (is_copy(&arguments, 4) && dword_at(&arguments, 80) == items)
		copy_bytes(queue, &arguments, 4);
	else if (is_copy(&arguments, 2) && dword_at(&arguments, 48) == items)
		copy_bytes(queue, &arguments, 2);
	else if (is_fill(&arguments) && dword_at(&arguments, 28) == items)
		access_fill(queue, word_of(&arguments, 0),
			    dword_at(&arguments, 24),
			    word_of(&arguments, 2) - word_of(&arguments, 0));
	else
		seen->blits--;
}
