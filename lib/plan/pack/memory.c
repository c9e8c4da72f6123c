/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/memory.h"

#include <stdalign.h>
#include <stdlib.h>

struct pack_block {
	struct pack_block *next;
	alignas(max_align_t) char bytes[];
};

void *
pack_memory_take(struct pack_memory *memory, size_t count, size_t size)
{
	struct pack_block *block = NULL;
	size_t bytes;

	if (!memory->is_short && !__builtin_mul_overflow(count, size, &bytes) &&
	    !__builtin_add_overflow(bytes, sizeof(*block) + 1, &bytes))
		block = calloc(1, bytes);
	if (!block) {
		memory->is_short = true;
		return NULL;
	}
	block->next = memory->blocks;
	memory->blocks = block;
	return block->bytes;
}

void
pack_memory_release(struct pack_memory *memory)
{
	while (memory->blocks) {
		struct pack_block *block = memory->blocks;

		memory->blocks = block->next;
		free(block);
	}
	memory->is_short = false;
}
