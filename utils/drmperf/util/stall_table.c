/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/stall_table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64
#define COUNT_MAX (UINT32_MAX / 4)

static size_t
hash_address(const struct stall_table *table, uint64_t address)
{
	return (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
	       (table->slot_count - 1);
}

/* Return the slot that has the address, or the free one where it belongs. */
static uint32_t *
find_slot(const struct stall_table *table, uint64_t address)
{
	size_t at = hash_address(table, address);

	while (table->slots[at] &&
	       table->addresses[table->slots[at] - 1] != address)
		at = (at + 1) & (table->slot_count - 1);
	return &table->slots[at];
}

/* Resize the slots, half of which stay free. */
static int
resize_slots(struct stall_table *table, size_t capacity)
{
	const size_t count = 2 * capacity;
	uint32_t *slots = calloc(count, sizeof(*slots));

	if (!slots)
		return -1;
	free(table->slots);
	table->capacity = capacity;
	table->slots = slots;
	table->slot_count = count;
	for (size_t i = 0; i < table->count; i++)
		*find_slot(table, table->addresses[i]) = (uint32_t)i + 1;
	return 0;
}

static int
grow_table(struct stall_table *table)
{
	const size_t capacity =
		table->capacity ? 2 * table->capacity : FIRST_CAPACITY;
	uint64_t *addresses, *samples;

	if (capacity > COUNT_MAX)
		return -1;
	addresses =
		reallocarray(table->addresses, capacity, sizeof(*addresses));
	if (addresses)
		table->addresses = addresses;
	samples = reallocarray(table->samples, capacity,
			       table->reason_count * sizeof(*samples));
	if (samples)
		table->samples = samples;
	if (!addresses || !samples)
		return -1;
	return resize_slots(table, capacity);
}

uint64_t *
stall_table_get(struct stall_table *table, uint64_t address)
{
	const unsigned reasons = table->reason_count;
	uint32_t *slot;

	if (table->count == table->capacity && grow_table(table))
		return NULL;
	slot = find_slot(table, address);
	if (!*slot) {
		table->addresses[table->count] = address;
		memset(&table->samples[table->count * reasons], 0,
		       reasons * sizeof(*table->samples));
		*slot = (uint32_t)++table->count;
	}
	return &table->samples[(*slot - 1) * (size_t)reasons];
}

void
stall_table_clear(struct stall_table *table)
{
	table->count = 0;
	if (table->slots)
		memset(table->slots, 0,
		       table->slot_count * sizeof(*table->slots));
}

void
stall_table_finish(struct stall_table *table)
{
	free(table->addresses);
	free(table->samples);
	free(table->slots);
	*table = (struct stall_table){ 0 };
}
