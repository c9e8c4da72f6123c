/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct gpa_map_entry {
	struct gpa_map_entry *next;
	uint64_t key;
	void *value;
};

void
gpa_map_init(struct gpa_map *map)
{
	memset(map, 0, sizeof(*map));
	pthread_rwlock_init(&map->lock, NULL);
}

void
gpa_map_finish(struct gpa_map *map, void (*release)(void *value))
{
	for (size_t i = 0; i < GPA_MAP_BUCKETS; i++) {
		struct gpa_map_entry *entry = map->buckets[i];

		while (entry) {
			struct gpa_map_entry *next = entry->next;

			if (release)
				release(entry->value);
			free(entry);
			entry = next;
		}
		map->buckets[i] = NULL;
	}
	pthread_rwlock_destroy(&map->lock);
}

/* Handles are addresses: the low bits say nothing. */
static struct gpa_map_entry **
bucket_of(struct gpa_map *map, uint64_t key)
{
	return &map->buckets[(key >> 4 ^ key >> 12) % GPA_MAP_BUCKETS];
}

static struct gpa_map_entry **
map_find(struct gpa_map *map, uint64_t key)
{
	struct gpa_map_entry **at = bucket_of(map, key);

	while (*at && (*at)->key != key)
		at = &(*at)->next;
	return at;
}

int
gpa_map_put(struct gpa_map *map, uint64_t key, void *value)
{
	struct gpa_map_entry **at, *entry = malloc(sizeof(*entry));

	if (!entry)
		return -ENOMEM;
	*entry = (struct gpa_map_entry){ .key = key, .value = value };
	pthread_rwlock_wrlock(&map->lock);
	at = map_find(map, key);
	if (*at) {
		(*at)->value = value;
		free(entry);
	} else {
		*at = entry;
	}
	pthread_rwlock_unlock(&map->lock);
	return 0;
}

void *
gpa_map_get(struct gpa_map *map, uint64_t key)
{
	struct gpa_map_entry *entry;
	void *value;

	pthread_rwlock_rdlock(&map->lock);
	entry = *map_find(map, key);
	value = entry ? entry->value : NULL;
	pthread_rwlock_unlock(&map->lock);
	return value;
}

static void *
unlink_entry(struct gpa_map_entry **at)
{
	struct gpa_map_entry *entry = *at;
	void *value = entry->value;

	*at = entry->next;
	free(entry);
	return value;
}

void *
gpa_map_take(struct gpa_map *map, uint64_t key)
{
	struct gpa_map_entry **at;
	void *value;

	pthread_rwlock_wrlock(&map->lock);
	at = map_find(map, key);
	value = *at ? unlink_entry(at) : NULL;
	pthread_rwlock_unlock(&map->lock);
	return value;
}

void
gpa_map_each(struct gpa_map *map, void (*visit)(void *value, const void *data),
	     const void *data)
{
	pthread_rwlock_rdlock(&map->lock);
	for (size_t i = 0; i < GPA_MAP_BUCKETS; i++) {
		const struct gpa_map_entry *entry = map->buckets[i];

		for (; entry; entry = entry->next)
			visit(entry->value, data);
	}
	pthread_rwlock_unlock(&map->lock);
}

void *
gpa_map_take_if(struct gpa_map *map,
		int (*is_wanted)(const void *value, const void *data),
		const void *data)
{
	void *value = NULL;

	pthread_rwlock_wrlock(&map->lock);
	for (size_t i = 0; !value && i < GPA_MAP_BUCKETS; i++) {
		struct gpa_map_entry **at = &map->buckets[i];

		while (*at && !is_wanted((*at)->value, data))
			at = &(*at)->next;
		if (*at)
			value = unlink_entry(at);
	}
	pthread_rwlock_unlock(&map->lock);
	return value;
}
