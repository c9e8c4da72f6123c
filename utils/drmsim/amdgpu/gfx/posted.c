/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/posted.h"

#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/job.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/vm.h"
#include "kernel/bo.h"
#include "machine/clock.h"

static struct posted *
posted_create(struct sim_bo *bo, uint8_t *to, const void *data, size_t size)
{
	struct posted *write = malloc(sizeof(*write) + size);

	if (!write)
		return NULL;
	*write = (struct posted){ .bo = sim_bo_get(bo),
				  .to = to,
				  .size = size };
	memcpy(write->data, data, size);
	return write;
}

static void
posted_free(struct posted *write)
{
	sim_bo_put(write->bo);
	free(write);
}

static void
append_posted(struct posted **link, struct posted *write)
{
	while (*link)
		link = &(*link)->next;
	write->next = NULL;
	*link = write;
}

/* Do the writes that are due by then, in their order. */
static void
write_until(struct posted **link, uint64_t now)
{
	while (*link) {
		struct posted *write = *link;

		if (write->due > now) {
			link = &write->next;
			continue;
		}
		memcpy(write->to, write->data, write->size);
		*link = write->next;
		posted_free(write);
	}
}

static void
drop_all(struct posted **link)
{
	while (*link) {
		struct posted *write = *link;

		*link = write->next;
		posted_free(write);
	}
}

/* ---- of a ring */

bool
ring_post_write(struct ring *ring, uint64_t address, uint8_t *to,
		const void *data, size_t size)
{
	struct posted *write = NULL;
	struct sim_bo *bo = NULL;
	uint64_t there;

	if (vm_at(ring->queue->vm, address & ~3ull, 0, &there, &bo) && bo)
		write = posted_create(bo, to, data, size);
	if (!write)
		return false;
	append_posted(&ring->posted, write);
	return true;
}

void
ring_write_posted(struct ring *ring)
{
	write_until(&ring->posted, 0);
}

void
ring_release_posted(struct ring *ring)
{
	const uint64_t due = ring->amdgpu->now + POSTED_NS;

	while (ring->posted) {
		struct posted *write = ring->posted;

		ring->posted = write->next;
		write->due = due;
		append_posted(&ring->amdgpu->posted, write);
	}
}

void
ring_drop_posted(struct ring *ring)
{
	drop_all(&ring->posted);
}

/* ---- of jobs that have ended */

void
posted_write_at(struct amdgpu *amdgpu, uint64_t due, struct sim_bo *bo,
		uint64_t offset, const void *data, size_t size)
{
	struct posted *write =
		posted_create(bo, bo->memory + offset, data, size);

	if (!write)
		return;
	write->due = due;
	append_posted(&amdgpu->posted, write);
}

void
posted_write_due(struct amdgpu *amdgpu)
{
	write_until(&amdgpu->posted, amdgpu->now);
}

uint64_t
posted_next(const struct amdgpu *amdgpu)
{
	uint64_t next = SIM_NEVER;

	for (const struct posted *write = amdgpu->posted; write;
	     write = write->next)
		if (write->due < next)
			next = write->due;
	return next;
}

void
posted_drop(struct amdgpu *amdgpu)
{
	for (unsigned i = 0; amdgpu->rings && i < amdgpu->ring_count; i++)
		ring_drop_posted(&amdgpu->rings[i]);
	drop_all(&amdgpu->posted);
}
