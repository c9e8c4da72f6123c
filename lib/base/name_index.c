/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/name_index.h"

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
	index->count = 0;
	return index->buckets ? 0 : -ENOMEM;
}

void
name_index_finish(struct name_index *index)
{
	free(index->buckets);
	index->buckets = NULL;
}

int
name_index_reserve(struct name_index *index, size_t entries)
{
	struct name_index larger;
	size_t i;

	if (2 * (index->count + entries) <= index->mask + 1)
		return 0;
	if (name_index_init(&larger, index->count + entries))
		return -ENOMEM;
	for (i = 0; i <= index->mask; i++)
		if (index->buckets[i].number)
			name_index_insert(&larger, index->buckets[i].hash,
					  index->buckets[i].number - 1);
	name_index_finish(index);
	*index = larger;
	return 0;
}

/*
 * Find the bucket of a hash. The low bits alone of a simple hash are not good
 * enough.
 */
static struct name_bucket *
bucket_of(const struct name_index *index, uint32_t hash, size_t step)
{
	uint32_t mixed = hash * 0x9e3779b1u;

	return &index->buckets[((mixed ^ mixed >> 15) + step) & index->mask];
}

void
name_index_insert(struct name_index *index, uint32_t hash, uint32_t number)
{
	struct name_bucket *bucket = bucket_of(index, hash, 0);
	size_t step = 0;

	while (bucket->number)
		bucket = bucket_of(index, hash, ++step);
	bucket->hash = hash;
	bucket->number = number + 1;
	index->count++;
}

uint32_t
name_index_next(const struct name_index *index, uint32_t hash, size_t *cursor)
{
	const struct name_bucket *bucket;

	do {
		bucket = bucket_of(index, hash, *cursor);
		if (!bucket->number)
			return NAME_INDEX_END;
		++*cursor;
	} while (bucket->hash != hash);
	return bucket->number - 1;
}

void
name_index_renumber(struct name_index *index, uint32_t hash, size_t cursor,
		    uint32_t number)
{
	bucket_of(index, hash, cursor - 1)->number = number + 1;
}
