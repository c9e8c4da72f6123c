/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A map from a handle of Vulkan to a value. May be used by several threads at
 * once; the values are the caller's.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_MAP_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_MAP_H

#include <pthread.h>
#include <stdint.h>

#define GPA_MAP_BUCKETS 256

struct gpa_map_entry;

struct gpa_map {
	pthread_rwlock_t lock;
	struct gpa_map_entry *buckets[GPA_MAP_BUCKETS];
};

#define GPA_MAP_INITIALIZER                                                    \
	{                                                                      \
		.lock = PTHREAD_RWLOCK_INITIALIZER                             \
	}

/* A handle, dispatchable or not, as a key. */
#define GPA_KEY(handle) ((uint64_t)(uintptr_t)(handle))

void
gpa_map_init(struct gpa_map *map);
/* Forgets what is left; release, unless NULL, is called for each value. */
void
gpa_map_finish(struct gpa_map *map, void (*release)(void *value));

/*
 * Put a value under a key; one that is there gets the new value. Returns 0, or
 * -ENOMEM.
 */
int
gpa_map_put(struct gpa_map *map, uint64_t key, void *value);
/* Get the value of a key; NULL: it is not there. */
void *
gpa_map_get(struct gpa_map *map, uint64_t key);
/* Remove and return the key's value, or NULL. */
void *
gpa_map_take(struct gpa_map *map, uint64_t key);
void
gpa_map_each(struct gpa_map *map, void (*visit)(void *value, const void *data),
	     const void *data);
/* Take out a value that is wanted; NULL: there is none. */
void *
gpa_map_take_if(struct gpa_map *map,
		int (*is_wanted)(const void *value, const void *data),
		const void *data);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_MAP_H */
