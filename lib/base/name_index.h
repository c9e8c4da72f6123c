/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash table that tells which records may have a name. It holds neither
 * names nor records, only numbers by hash; whoever looks up compares.
 */
#ifndef DRMPERF_LIB_BASE_NAME_INDEX_H
#define DRMPERF_LIB_BASE_NAME_INDEX_H

#include <stddef.h>
#include <stdint.h>

#define NAME_INDEX_END UINT32_MAX

struct name_bucket {
	uint32_t hash;
	uint32_t number; /* + 1; 0: free */
};

struct name_index {
	struct name_bucket *buckets;
	size_t mask;
	size_t count;
};

/* Room for so many entries. -ENOMEM. */
int name_index_init(struct name_index *index, size_t entries);
void name_index_finish(struct name_index *index);

/* Room for so many entries beside those that are there. -ENOMEM. */
int name_index_reserve(struct name_index *index, size_t entries);

/*
 * There must be room. Each costs as many steps as there are entries with this
 * hash already: whoever reads what others wrote sees to it that they are few.
 */
void name_index_insert(struct name_index *index, uint32_t hash,
		       uint32_t number);

/*
 * The numbers inserted with this hash, one by one: *cursor begins as 0.
 * NAME_INDEX_END after the last.
 */
uint32_t name_index_next(const struct name_index *index, uint32_t hash,
			 size_t *cursor);

/* Give the entry that was told last another number. */
void name_index_renumber(struct name_index *index, uint32_t hash,
			 size_t cursor, uint32_t number);

#endif /* DRMPERF_LIB_BASE_NAME_INDEX_H */
