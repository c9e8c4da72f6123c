/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash table that finds the records which may have a name. It holds neither
 * names nor records, only numbers by hash; the caller compares the names.
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

/* Make an index with room for entries. Returns 0, or -ENOMEM. */
int name_index_init(struct name_index *index, size_t entries);
void name_index_finish(struct name_index *index);

/* Make room for more entries than there are. Returns 0, or -ENOMEM. */
int name_index_reserve(struct name_index *index, size_t entries);

/*
 * Insert a number; there must be room. It takes as many steps as there are
 * entries with this hash already: a caller that reads files of users has to
 * make sure that they are few.
 */
void name_index_insert(struct name_index *index, uint32_t hash,
		       uint32_t number);

/*
 * Return the numbers inserted with this hash, one by one: *cursor begins as 0.
 * NAME_INDEX_END after the last.
 */
uint32_t name_index_next(const struct name_index *index, uint32_t hash,
			 size_t *cursor);

/* Change the number of the entry that name_index_next() returned last. */
void name_index_renumber(struct name_index *index, uint32_t hash,
			 size_t cursor, uint32_t number);

#endif /* DRMPERF_LIB_BASE_NAME_INDEX_H */
