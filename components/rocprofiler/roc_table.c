/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slots as counted in hsa_api_trace.h of ROCR-Runtime, in all of its versions
 * since 2017: HSA's own table is the same in each of them.
 */
#include "roc_table.h"

#include <errno.h>
#include <stddef.h>

struct version {
	uint32_t major;
	uint32_t size; /* of the table, in bytes */
	uint32_t step;
	uint32_t reserved;
};

struct table {
	struct version version;
	roc_function slots[];
};

struct tables {
	struct version version;
	struct table *core;
	struct table *amd;
};

/* AMD's extensions have grown behind the copy of memory, too. */
#define SHORT_AMD 52 /* slots: shorter tables have nothing more there */
#define MOST_INSERTED 2

static const struct place {
	bool is_amd;
	unsigned slot; /* of AMD's: where nothing was inserted */
} places[ROC_SLOTS] = {
	[ROC_QUEUE_CREATE] = { .slot = 7 },
	[ROC_QUEUE_DESTROY] = { .slot = 9 },
	[ROC_EXECUTABLE_DESTROY] = { .slot = 84 },
	[ROC_EXECUTABLE_FREEZE] = { .slot = 86 },
	[ROC_INTERCEPT_CREATE] = { .is_amd = true, .slot = 35 },
	[ROC_INTERCEPT_REGISTER] = { .is_amd = true, .slot = 36 },
};

/* HSA's, while it runs; it loads its tools in one thread. */
static struct {
	struct tables *tables;
	roc_function originals[ROC_SLOTS];
} taken;

static unsigned
slot_count(const struct table *table)
{
	return (unsigned)((table->version.size - sizeof(struct version)) /
			  sizeof(roc_function));
}

static unsigned
table_inserted(const struct table *amd)
{
	const unsigned count = slot_count(amd);

	if (count < SHORT_AMD)
		return 0;
	return count == SHORT_AMD ? 1 : MOST_INSERTED;
}

/* Return NULL: the table ends before. */
static roc_function *
slot_of(const struct tables *tables, enum roc_slot slot)
{
	const struct place *place = &places[slot];
	struct table *table = place->is_amd ? tables->amd : tables->core;
	const unsigned at =
		place->slot + (place->is_amd ? table_inserted(tables->amd) : 0);

	return at < slot_count(table) ? &table->slots[at] : NULL;
}

static bool
is_version(const struct version *version, uint32_t newest, size_t least)
{
	return version->major >= 1 && version->major <= newest &&
	       version->size >= least;
}

static bool
is_known(const struct tables *tables)
{
	return is_version(&tables->version, 3, sizeof(*tables)) &&
	       is_version(&tables->core->version, 2, sizeof(struct version)) &&
	       is_version(&tables->amd->version, 2, sizeof(struct version));
}

int
roc_table_take(void *data, struct drmperf_error *error)
{
	struct tables *tables = data;

	if (!tables || !is_known(tables))
		return fe_fail(error, -EPROTO,
			       "use a HSA runtime of ROCm 4 to 7",
			       "HSA's tables of functions are of no kind "
			       "that is known");
	for (enum roc_slot i = 0; i < ROC_SLOTS; i++) {
		const roc_function *at = slot_of(tables, i);

		taken.originals[i] = at ? *at : NULL;
	}
	taken.tables = tables;
	return 0;
}

bool
roc_table_is_taken(void)
{
	return taken.tables;
}

roc_function
roc_table_original(enum roc_slot slot)
{
	return taken.originals[slot];
}

bool
roc_table_has(enum roc_slot slot)
{
	return taken.originals[slot];
}

void
roc_table_replace(enum roc_slot slot, roc_function function)
{
	if (roc_table_has(slot))
		*slot_of(taken.tables, slot) = function;
}

void
roc_table_restore(void)
{
	if (!taken.tables)
		return;
	for (enum roc_slot i = 0; i < ROC_SLOTS; i++)
		roc_table_replace(i, taken.originals[i]);
	taken.tables = NULL;
}
