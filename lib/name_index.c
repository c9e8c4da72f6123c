/* SPDX-License-Identifier: BSD-3-Clause */
#include "name_index.h"

#include <errno.h>
#include <stdlib.h>

int
name_index_init(struct name_index *index, size_t entries)
{
	size_t size = 16;

	/* at most half full: a look-up ends after one or two steps */
	while (size < 2 * entries)
		size *= 2;
	index->buckets = calloc(size, sizeof(*index->buckets));
	index->mask = size - 1;
	return index->buckets ? 0 : -ENOMEM;
}

void
name_index_finish(struct name_index *index)
{
	free(index->buckets);
	index->buckets = NULL;
}

/* The low bits alone of a simple hash are not good enough. */
static size_t
bucket_of(const struct name_index *index, uint32_t hash, size_t step)
{
	return ((hash ^ hash >> 15) + step) & index->mask;
}

void
name_index_insert(struct name_index *index, uint32_t hash, uint32_t number)
{
	size_t step = 0;

	while (index->buckets[bucket_of(index, hash, step)])
		step++;
	index->buckets[bucket_of(index, hash, step)] = number + 1;
}

uint32_t
name_index_next(const struct name_index *index, uint32_t hash, size_t *cursor)
{
	uint32_t entry = index->buckets[bucket_of(index, hash, *cursor)];

	if (!entry)
		return NAME_INDEX_END;
	++*cursor;
	return entry - 1;
}

void
name_index_map(struct name_index *index, const uint32_t *numbers)
{
	size_t i;

	for (i = 0; i <= index->mask; i++)
		if (index->buckets[i])
			index->buckets[i] = numbers[index->buckets[i] - 1] + 1;
}
