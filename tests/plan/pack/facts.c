/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/pack/facts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 24
#define LINE_MAX_BYTES 65536

/* The stage mask of the shader sequencer: the value that masks nothing. */
#define STAGE_ALL 0

/* ------------------------------------------------------------------ */
/* Tables                                                               */

int
facts_path(const char *name, char *path, size_t size)
{
	const char *folder = getenv("DRMPERF_FACTS");
	const char *top = getenv("TOP_DIR");
	FILE *file;

	if (folder)
		snprintf(path, size, "%s/%s", folder, name);
	else
		snprintf(path, size, "%s/../shared/facts/%s", top ? top : ".",
			 name);
	file = fopen(path, "r");
	if (!file)
		return -errno;
	fclose(file);
	return 0;
}

/* Called for each line that is no comment; fields beyond the last are "". */
typedef int (*line_fn)(void *data, char **fields);

static int
read_table(const char *name, line_fn line, void *data)
{
	char path[1024], *buffer, *fields[FIELDS_MAX];
	FILE *file;
	int ret = facts_path(name, path, sizeof(path));

	if (ret)
		return ret;
	file = fopen(path, "r");
	buffer = malloc(LINE_MAX_BYTES);
	if (!file || !buffer)
		ret = -ENOMEM;
	while (!ret && fgets(buffer, LINE_MAX_BYTES, file)) {
		char *rest = buffer;

		buffer[strcspn(buffer, "\n")] = '\0';
		if (*buffer == '#')
			continue;
		for (int i = 0; i < FIELDS_MAX; i++) {
			fields[i] = rest ? strsep(&rest, "\t") : "";
		}
		ret = line(data, fields);
	}
	free(buffer);
	if (file)
		fclose(file);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Names seen so far                                                    */

struct names {
	char **all;
	uint32_t count, room;
};

static void
names_finish(struct names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->all[i]);
	free(names->all);
}

static uint32_t
names_find(const struct names *names, const char *name)
{
	uint32_t i = 0;

	while (i < names->count && strcmp(names->all[i], name) != 0)
		i++;
	return i < names->count ? i : PACK_NONE;
}

/*
 * Return the number of a name, a new one if it is new; PACK_NONE without
 * memory.
 */
static uint32_t
names_add(struct names *names, const char *name)
{
	uint32_t known = names_find(names, name);
	char *copy;

	if (known != PACK_NONE)
		return known;
	if (names->count == names->room) {
		uint32_t room = names->room ? 2 * names->room : 64;
		char **all = reallocarray(names->all, room, sizeof(*all));

		if (!all)
			return PACK_NONE;
		names->all = all;
		names->room = room;
	}
	copy = strdup(name);
	if (!copy)
		return PACK_NONE;
	names->all[names->count] = copy;
	return names->count++;
}

/* ------------------------------------------------------------------ */
/* AMD's counter blocks                                                 */

struct block {
	bool masked; /* obeys the stage mask */
	uint64_t wide; /* slots that can hold any event */
	uint32_t narrow; /* ids below this fit every slot */
};

struct blocks {
	struct pack_problem *problem;
	struct names names; /* number = pool */
	struct block all[64];
	uint32_t stage; /* setting */
};

/*
 * Read slots and their id widths from a layout such as "0-3: PERF_SEL[9:0],...
 * | 4-5: PERF_SEL[7:0]". The widest is what the ids of the block need at most.
 */
static void
read_layout(struct block *block, char *layout, uint32_t slots)
{
	uint32_t widest = 0, narrowest = 64, width_of[64] = { 0 };
	char *part;

	while ((part = strsep(&layout, "|")) != NULL) {
		unsigned first = 0, last = slots - 1, width;
		char *colon = strchr(part, ':'), *bracket;

		bracket = strchr(part, '[');
		if (colon && bracket && colon < bracket) {
			int found = sscanf(part, " %u-%u:", &first, &last);

			if (found == 1)
				last = first;
		}
		width = bracket ? (unsigned)atoi(bracket + 1) + 1 : 32;
		for (unsigned i = first; i <= last && i < slots; i++)
			width_of[i] = width;
		widest = width > widest ? width : widest;
		narrowest = width < narrowest ? width : narrowest;
	}
	for (uint32_t i = 0; i < slots; i++) {
		if (width_of[i] == widest)
			block->wide |= UINT64_C(1) << i;
	}
	block->narrow = narrowest < 31 ? 1u << narrowest : UINT32_MAX;
}

static int
read_block(void *data, char **fields)
{
	struct blocks *blocks = data;
	struct pack_pool pool = { .setting = PACK_NONE };
	struct block *block;
	uint32_t number;

	if (!strcmp(fields[0], "block"))
		return 0;
	pool.slots = (uint32_t)atoi(fields[2]);
	number = names_add(&blocks->names, fields[0]);
	if (number != pack_problem_add_pool(blocks->problem, &pool) ||
	    number >= 64)
		return -ENOMEM;
	block = &blocks->all[number];
	block->masked = atoi(fields[7]) || atoi(fields[8]);
	read_layout(block, fields[16], pool.slots);
	/* odd counters of SQ_WGP: see the notes beside the table */
	if (!strcmp(fields[0], "SQ_WGP")) {
		block->wide = 0x55;
		block->narrow = 474;
	}
	return 0;
}

static int
read_blocks(struct blocks *blocks, const char *generation,
	    struct pack_problem *problem)
{
	char name[64];

	blocks->problem = problem;
	blocks->stage = pack_problem_add_setting(problem);
	snprintf(name, sizeof(name), "amdgpu/blocks-%s.tsv", generation);
	return read_table(name, read_block, blocks);
}

/* ------------------------------------------------------------------ */
/* GPU Performance API                                                  */

struct gpa {
	const char *generation;
	struct blocks blocks;
	struct names stages; /* number + 1 = value of the setting */
	struct names counters; /* number = counter */
	char *derived; /* name of the one being read */
};

static void
gpa_end_item(struct gpa *gpa)
{
	if (!gpa->derived)
		return;
	pack_problem_end_alternative(gpa->blocks.problem);
	pack_problem_end_item(gpa->blocks.problem);
}

/* Find block:stage:id, once for each. */
static int
gpa_demand(struct gpa *gpa, const char *block, const char *stage, int id)
{
	struct pack_counter counter = {
		.slots = PACK_ANY_SLOT,
		.after = PACK_NONE,
		.setting = PACK_NONE,
	};
	uint32_t count = gpa->counters.count, number;
	char key[128];

	counter.pool = names_find(&gpa->blocks.names, block);
	if (counter.pool == PACK_NONE)
		return -EBADMSG;
	snprintf(key, sizeof(key), "%s:%s:%d", block, stage, id);
	number = names_add(&gpa->counters, key);
	if (number == PACK_NONE)
		return -ENOMEM;
	if (number == count) {
		const struct block *of = &gpa->blocks.all[counter.pool];

		if ((uint32_t)id >= of->narrow)
			counter.slots = of->wide;
		if (of->masked) {
			counter.setting = gpa->blocks.stage;
			counter.value = STAGE_ALL;
		}
		if (strcmp(stage, "-") != 0)
			counter.value = 1 + names_add(&gpa->stages, stage);
		pack_problem_add_counter(gpa->blocks.problem, &counter);
	}
	pack_problem_add_demand(gpa->blocks.problem, number);
	return 0;
}

static int
gpa_line(void *data, char **fields)
{
	struct gpa *gpa = data;

	if (strcmp(fields[0], gpa->generation) != 0)
		return 0;
	if (!gpa->derived || strcmp(gpa->derived, fields[1]) != 0) {
		gpa_end_item(gpa);
		free(gpa->derived);
		gpa->derived = strdup(fields[1]);
		if (!gpa->derived)
			return -ENOMEM;
	}
	/* a timestamp, not a counter */
	if (!strcmp(fields[2], "GPUTIME"))
		return 0;
	return gpa_demand(gpa, fields[2], fields[3], atoi(fields[4]));
}

int
facts_gpa(const char *generation, struct pack_problem *out)
{
	struct gpa gpa = { .generation = generation };
	int ret;

	*out = (struct pack_problem){ 0 };
	ret = read_blocks(&gpa.blocks, generation, out);
	if (!ret)
		ret = read_table("amdgpu/gpa-derived.tsv", gpa_line, &gpa);
	if (!ret)
		gpa_end_item(&gpa);
	free(gpa.derived);
	names_finish(&gpa.blocks.names);
	names_finish(&gpa.stages);
	names_finish(&gpa.counters);
	if (ret)
		pack_problem_finish(out);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Groups of an MI200                                                   */

struct mi200 {
	struct facts_groups *groups;
	struct blocks blocks;
	struct names events; /* "SQ_WAVES" */
	struct {
		uint32_t pool, id;
	} * events_at; /* per name */
	struct names counters; /* number = counter */
	struct names items; /* number = item */
	uint32_t item_total;
};

static int
mi200_event(void *data, char **fields)
{
	struct mi200 *mi200 = data;
	uint32_t pool = names_find(&mi200->blocks.names, fields[0]);
	uint32_t number;
	char name[128];
	void *grown;

	if (pool == PACK_NONE)
		return 0;
	/* the instruction cache's events carry their own prefix already */
	if (!strncmp(fields[2], "SQC_", 4))
		snprintf(name, sizeof(name), "%s", fields[2]);
	else
		snprintf(name, sizeof(name), "%s_%s", fields[0], fields[2]);
	number = names_add(&mi200->events, name);
	if (number == PACK_NONE)
		return -ENOMEM;
	grown = reallocarray(mi200->events_at, mi200->events.count,
			     sizeof(*mi200->events_at));
	if (!grown)
		return -ENOMEM;
	mi200->events_at = grown;
	mi200->events_at[number].pool = pool;
	mi200->events_at[number].id = (uint32_t)atoi(fields[1]);
	return 0;
}

static uint32_t
mi200_counter(struct mi200 *mi200, uint32_t event, uint32_t after)
{
	uint32_t count = mi200->counters.count, number;
	const struct block *block;
	struct pack_counter counter = {
		.pool = mi200->events_at[event].pool,
		.slots = PACK_ANY_SLOT,
		.after = after,
		.setting = PACK_NONE,
	};
	char key[64];

	snprintf(key, sizeof(key), "%u:%u", event, after);
	number = names_add(&mi200->counters, key);
	if (number != count)
		return number;
	block = &mi200->blocks.all[counter.pool];
	if (mi200->events_at[event].id >= block->narrow)
		counter.slots = block->wide;
	if (block->masked) {
		counter.setting = mi200->blocks.stage;
		counter.value = STAGE_ALL;
	}
	return pack_problem_add_counter(mi200->blocks.problem, &counter);
}

static int
mi200_add_item(struct mi200 *mi200, uint32_t counter, uint32_t after)
{
	struct facts_groups *groups = mi200->groups;
	uint32_t count = mi200->items.count, item;
	uint32_t *items;
	char key[32];

	snprintf(key, sizeof(key), "%u", counter);
	item = names_add(&mi200->items, key);
	if (item == count) {
		if (after != PACK_NONE)
			pack_problem_add_demand(&groups->problem, after);
		pack_problem_add_demand(&groups->problem, counter);
		pack_problem_end_alternative(&groups->problem);
		pack_problem_end_item(&groups->problem);
	}
	/* the same counter on another instance is no other counter */
	for (uint32_t i = groups->first[groups->count]; i < mi200->item_total;
	     i++) {
		if (groups->items[i] == item)
			return 0;
	}
	items = reallocarray(groups->items, mi200->item_total + 1,
			     sizeof(*items));
	if (!items)
		return -ENOMEM;
	groups->items = items;
	items[mi200->item_total++] = item;
	return 0;
}

/*
 * Return the event of a word as rocprofiler writes it: TCC_HIT[0], TCP_X_sum.
 */
static uint32_t
mi200_find(const struct mi200 *mi200, char *word)
{
	size_t length;

	word[strcspn(word, "[")] = '\0';
	length = strlen(word);
	if (length > 4 && !strcmp(word + length - 4, "_sum"))
		word[length - 4] = '\0';
	return names_find(&mi200->events, word);
}

static int
mi200_group(void *data, char **fields)
{
	struct mi200 *mi200 = data;
	struct facts_groups *groups = mi200->groups;
	uint32_t *first, before = PACK_NONE;
	char *rest = fields[0], *word;
	int ret = 0;

	first = reallocarray(groups->first, groups->count + 2, sizeof(*first));
	if (!first)
		return -ENOMEM;
	groups->first = first;
	first[groups->count] = mi200->item_total;
	while (!ret && (word = strsep(&rest, " ")) != NULL) {
		uint32_t event = mi200_find(mi200, word);
		bool follows = strstr(word, "ACCUM_PREV") != NULL;
		uint32_t after = follows ? before : PACK_NONE;

		if (event == PACK_NONE)
			return -EBADMSG;
		before = mi200_counter(mi200, event, after);
		ret = mi200_add_item(mi200, before, after);
	}
	first[++groups->count] = mi200->item_total;
	return ret;
}

int
facts_groups(struct facts_groups *out)
{
	struct mi200 mi200 = { .groups = out };
	int ret;

	*out = (struct facts_groups){ 0 };
	ret = read_blocks(&mi200.blocks, "gfx90a", &out->problem);
	if (!ret)
		ret = read_table("amdgpu/events-gfx90a.tsv", mi200_event,
				 &mi200);
	if (!ret)
		ret = read_table("amdgpu/accepted-groups-mi200.txt",
				 mi200_group, &mi200);
	names_finish(&mi200.blocks.names);
	names_finish(&mi200.events);
	names_finish(&mi200.counters);
	names_finish(&mi200.items);
	free(mi200.events_at);
	if (ret)
		facts_groups_finish(out);
	return ret;
}

void
facts_groups_finish(struct facts_groups *groups)
{
	pack_problem_finish(&groups->problem);
	free(groups->items);
	free(groups->first);
	*groups = (struct facts_groups){ 0 };
}

/* ------------------------------------------------------------------ */
/* Intel's metric sets                                                  */

/* A symbol in a set. */
struct home {
	uint32_t symbol, set;
};

struct oa {
	struct names sets, symbols;
	struct home *homes;
	uint32_t home_count;
};

static int
oa_line(void *data, char **fields)
{
	struct oa *oa = data;
	struct home *homes;

	if (!strcmp(fields[0], "set"))
		return 0;
	homes = reallocarray(oa->homes, oa->home_count + 1, sizeof(*homes));
	if (!homes)
		return -ENOMEM;
	oa->homes = homes;
	homes[oa->home_count].set = names_add(&oa->sets, fields[0]);
	homes[oa->home_count++].symbol = names_add(&oa->symbols, fields[1]);
	return 0;
}

static void
oa_build(const struct oa *oa, struct pack_problem *out)
{
	uint32_t setting = pack_problem_add_setting(out);

	for (uint32_t i = 0; i < oa->sets.count; i++)
		pack_problem_add_pool(
			out, &(struct pack_pool){ .slots = PACK_UNLIMITED,
						  .setting = setting,
						  .value = i });
	for (uint32_t i = 0; i < oa->home_count; i++)
		pack_problem_add_counter(
			out, &(struct pack_counter){ .pool = oa->homes[i].set,
						     .slots = PACK_ANY_SLOT,
						     .after = PACK_NONE,
						     .setting = PACK_NONE });
	for (uint32_t symbol = 0; symbol < oa->symbols.count; symbol++) {
		for (uint32_t i = 0; i < oa->home_count; i++) {
			if (oa->homes[i].symbol != symbol)
				continue;
			pack_problem_add_demand(out, i);
			pack_problem_end_alternative(out);
		}
		pack_problem_end_item(out);
	}
}

int
facts_oa(const char *platform, struct pack_problem *out)
{
	struct oa oa = { 0 };
	char name[64];
	int ret;

	*out = (struct pack_problem){ 0 };
	snprintf(name, sizeof(name), "i915/counters-%s.tsv", platform);
	ret = read_table(name, oa_line, &oa);
	if (!ret)
		oa_build(&oa, out);
	names_finish(&oa.sets);
	names_finish(&oa.symbols);
	free(oa.homes);
	return ret;
}
