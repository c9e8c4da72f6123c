/* SPDX-License-Identifier: BSD-3-Clause */
#include "kfd/window.h"

#include <amdgpu_drm.h>
#include <stdlib.h>

#include "kfd/access.h"
#include "kfd/queue.h"

struct kfd_window {
	struct kfd_window *next;
	uint64_t address, size;
	bool is_written;
	bool is_stale; /* another copy has taken its place */
	uint8_t bytes[];
};

static void
write_back(struct kfd_queue *queue, struct kfd_window *window)
{
	if (window->is_written && !window->is_stale)
		access_write(queue, window->address, window->bytes,
			     window->size);
	window->is_stale = true;
}

static bool
window_overlaps(const struct kfd_window *window, uint64_t address,
		uint64_t size)
{
	return !window->is_stale && address < window->address + window->size &&
	       window->address < address + size;
}

/*
 * Find a copy that has all of it, after others that have a part were written.
 */
static struct kfd_window *
find_window(struct kfd_engine *engine, uint64_t address, uint64_t size)
{
	for (struct kfd_window *window = engine->windows; window;
	     window = window->next) {
		if (!window_overlaps(window, address, size))
			continue;
		if (address >= window->address &&
		    address + size <= window->address + window->size)
			return window;
		write_back(engine->queue, window);
	}
	return NULL;
}

static struct kfd_window *
make_window(struct kfd_engine *engine, uint64_t address, uint64_t size)
{
	struct kfd_window *window = calloc(1, sizeof(*window) + size);

	if (!window)
		return NULL;
	if (!access_read(engine->queue, address, window->bytes, size)) {
		free(window);
		return NULL;
	}
	window->address = address;
	window->size = size;
	window->next = engine->windows;
	engine->windows = window;
	return window;
}

uint8_t *
window_open(struct ring *ring, uint64_t address, uint32_t access, uint64_t size)
{
	/* it is the first member */
	struct kfd_engine *engine = (struct kfd_engine *)ring;
	struct kfd_window *window;

	if (!access_is_of_process(engine->queue, address, size, access))
		return NULL;
	window = find_window(engine, address, size);
	if (!window)
		window = make_window(engine, address, size);
	if (!window)
		return NULL;
	window->is_written |= (access & AMDGPU_VM_PAGE_WRITEABLE) != 0;
	return window->bytes + (address - window->address);
}

void
engine_close_windows(struct kfd_engine *engine)
{
	while (engine->windows) {
		struct kfd_window *window = engine->windows;

		engine->windows = window->next;
		write_back(engine->queue, window);
		free(window);
	}
}
