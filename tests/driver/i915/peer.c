/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/i915/peer.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define LIBRARY "libi915_perf.so.1.5"

typedef struct peer *(*open_fn)(uint32_t device_id, uint32_t revision,
				uint64_t timestamp_hz, uint64_t min_hz,
				uint64_t max_hz, const void *topology);
typedef void (*close_fn)(struct peer *peer);
typedef void (*accumulate_fn)(uint64_t *deltas, const struct peer *peer,
			      const struct peer_set *set, const void *from,
			      const void *to);

/*
 * Name leaks to ignore: the library itself forgets the registers of its metric
 * sets.
 */
__attribute__((visibility("default"))) const char *
__lsan_default_suppressions(void);

const char *
__lsan_default_suppressions(void)
{
	return "leak:" LIBRARY "\n";
}

/*
 * Return a function of the library, which stays loaded; NULL if there is none.
 */
static void *
find_symbol(const char *name)
{
	void *library = dlopen(LIBRARY, RTLD_NOW);

	return library ? dlsym(library, name) : NULL;
}

bool
peer_is_installed(void)
{
	return find_symbol("intel_perf_for_devinfo");
}

/*
 * Where the members of a counter are, and how long it is: 1.27.1, and 2.0,
 * which has a group and a test for availability behind the description.
 */
static const struct layout {
	size_t symbol, description, storage, unit, read, size;
} layouts[] = { { 16, 24, 32, 40, 56, 80 }, { 16, 24, 48, 56, 72, 96 } };

/* That of the library that is loaded. */
static const struct layout *layout;

/*
 * Find the layout. Each counter begins with a pointer to its set: the second
 * one tells.
 */
static void
find_layout(const struct peer *peer)
{
	const struct peer_set *set = NULL, *second;

	while (!layout && (set = peer_set_next(peer, set))) {
		for (size_t i = 0;
		     set->counter_count > 1 && i < ARRAY_SIZE(layouts); i++) {
			memcpy(&second, set->counters + layouts[i].size,
			       sizeof(second));
			if (second == set)
				layout = &layouts[i];
		}
	}
	if (layout)
		return;
	/* benchmarks come here, too, which have no assertions */
	fputs("counters of this libi915_perf are laid out in no way that is "
	      "known\n",
	      stderr);
	abort();
}

struct peer *
peer_open(uint32_t device_id, const struct i915_gpu *gpu, const void *topology)
{
	open_fn open = (open_fn)find_symbol("intel_perf_for_devinfo");

	struct peer *peer;

	if (!open)
		return NULL;
	peer = open(device_id, (uint32_t)gpu->revision, gpu->oa.timestamp_hz,
		    gpu->oa.min_hz, gpu->oa.max_hz, topology);
	if (peer)
		find_layout(peer);
	return peer;
}

struct peer *
peer_open_shape(const struct i915_shape *shape, const struct i915_gpu *gpu)
{
	_Alignas(8) uint8_t topology[I915_TOPOLOGY_MAX];

	i915_shape_topology(shape, topology);
	return peer_open(shape->device_id, gpu, topology);
}

void
peer_close(struct peer *peer)
{
	close_fn close = (close_fn)find_symbol("intel_perf_free");

	if (peer)
		close(peer);
}

const struct peer_set *
peer_set_next(const struct peer *peer, const struct peer_set *set)
{
	const struct peer_list *link = set ? set->link.next : peer->sets.next;

	if (link == &peer->sets)
		return NULL;
	return (const void *)((const char *)link -
			      offsetof(struct peer_set, link));
}

const struct peer_set *
peer_set_find(const struct peer *peer, const char *symbol)
{
	const struct peer_set *set = NULL;

	while ((set = peer_set_next(peer, set))) {
		if (!strcmp(set->symbol, symbol))
			break;
	}
	return set;
}

bool
peer_counter_at(const struct peer_set *set, int index,
		struct peer_counter *counter)
{
	const char *at;

	if (index >= set->counter_count)
		return false;
	at = set->counters + layout->size * (size_t)index;
	counter->set = set;
	memcpy(&counter->symbol, at + layout->symbol, sizeof(char *));
	memcpy(&counter->description, at + layout->description, sizeof(char *));
	memcpy(&counter->storage, at + layout->storage, sizeof(int));
	memcpy(&counter->unit, at + layout->unit, sizeof(int));
	memcpy(&counter->read, at + layout->read, sizeof(counter->read));
	return true;
}

bool
peer_counter_find(const struct peer_set *set, const char *symbol,
		  struct peer_counter *counter)
{
	for (int i = 0; peer_counter_at(set, i, counter); i++) {
		if (!strcmp(counter->symbol, symbol))
			return true;
	}
	return false;
}

bool
peer_set_is_ours(const struct peer_set *set, struct i915_gpu *gpu)
{
	const struct element *element = i915_set_registers(gpu, set->symbol);

	return element &&
	       !strcmp(element_attribute(element, "guid"), set->guid);
}

struct peer_differences
peer_differences(const char *platform)
{
	static const struct {
		const char *platform;
		const struct layout *only; /* of that library, or of both */
		struct peer_differences sets;
	} list[] = {
		{ "bdw", NULL, { 0, 1 } },
		{ "sklgt2", NULL, { 3, 4 } },
		{ "sklgt3", NULL, { 9, 11 } },
		{ "sklgt4", NULL, { 9, 17 } },
		{ "bxt", NULL, { 2, 3 } },
		{ "kblgt2", NULL, { 2, 2 } },
		{ "kblgt3", NULL, { 9, 11 } },
		{ "glk", NULL, { 1, 3 } },
		{ "cflgt2", NULL, { 2, 2 } },
		{ "cflgt3", NULL, { 9, 11 } },
		{ "icl", NULL, { 1, 1 } },
		{ "tglgt1", NULL, { 0, 1 } },
		{ "tglgt2", NULL, { 0, 1 } },
		{ "rkl", NULL, { 0, 1 } },
		{ "dg1", NULL, { 0, 1 } },
		{ "adl", NULL, { 0, 1 } },
		{ "adls", NULL, { 26, 17 } },
		{ "adln", NULL, { 26, 17 } },
		{ "mtlgt2", NULL, { 12, 26 } },
		{ "arlgt1", &layouts[1], { 152, 152 } },
		{ "arlgt2", &layouts[1], { 254, 254 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		if (!strcmp(list[i].platform, platform) &&
		    (!list[i].only || list[i].only == layout))
			return list[i].sets;
	return (struct peer_differences){ 0 };
}

void
peer_accumulate(uint64_t deltas[PEER_DELTAS], const struct peer *peer,
		const struct peer_set *set, const void *from, const void *to)
{
	static accumulate_fn accumulate;

	if (!accumulate)
		accumulate = (accumulate_fn)find_symbol(
			"intel_perf_accumulate_reports");
	accumulate(deltas, peer, set, from, to);
}

void
peer_deltas(const struct peer_set *set, const uint64_t values[OA_SLOT_COUNT],
	    uint64_t deltas[PEER_DELTAS])
{
	memset(deltas, 0, PEER_DELTAS * sizeof(deltas[0]));
	for (int i = set->b - set->a; i-- > 0;)
		deltas[set->a + i] = values[OA_SLOT_A + i];
	for (int i = 0; i < OA_SLOT_C - OA_SLOT_B; i++)
		deltas[set->b + i] = values[OA_SLOT_B + i];
	for (int i = 0; i < OA_SLOT_PEC - OA_SLOT_C; i++)
		deltas[set->c + i] = values[OA_SLOT_C + i];
	/* Haswell: the clock has no place of its own */
	deltas[set->clock] = set->clock != set->a ? values[OA_SLOT_CLOCK]
						  : deltas[set->clock];
	deltas[set->time] = values[OA_SLOT_TIME];
}

/*
 * Read what it gives where the A counters are that many times those of values.
 */
static double
read_times(const struct peer *peer, const struct peer_counter *counter,
	   const uint64_t values[OA_SLOT_COUNT], uint64_t times)
{
	uint64_t scaled[OA_SLOT_COUNT], deltas[PEER_DELTAS];

	memcpy(scaled, values, sizeof(scaled));
	for (int i = OA_SLOT_A; i < OA_SLOT_B; i++)
		scaled[i] *= times;
	peer_deltas(counter->set, scaled, deltas);
	return counter->read.f64(peer, counter->set, deltas);
}

double
peer_whole_share(const struct peer *peer, const struct peer_counter *counter,
		 const struct i915_gpu *gpu,
		 const uint64_t values[OA_SLOT_COUNT])
{
	const uint64_t times =
		(uint64_t)gpu->oa.topology.eus * gpu->oa.platform.eu_threads;
	const double none = read_times(peer, counter, values, 0);

	return none + (read_times(peer, counter, values, times) - none) /
			      (double)times;
}

static const struct {
	const char *platform, *set;
} changed[] = {
	{ "sklgt4", "ComputeExtra" }, { "mtlgt2", "Ext7" },
	{ "mtlgt2", "Ext17" },	      { "mtlgt2", "Ext113" },
	{ "mtlgt2", "Ext158" },	      { "mtlgt2", "Ext1010" },
	{ "mtlgt3", "Ext1" },	      { "mtlgt3", "Ext7" },
	{ "mtlgt3", "Ext17" },	      { "mtlgt3", "Ext508" },
	{ "mtlgt3", "Ext509" },	      { "mtlgt3", "Ext510" },
	{ "mtlgt3", "Ext511" },	      { "mtlgt3", "Ext512" },
	{ "mtlgt3", "Ext514" },
};

bool
peer_is_right(const struct i915_gpu *gpu, const char *set, const char *counter)
{
	static const char *const of_threads[] = { "XveThreadOccupancy",
						  "XVE_THREADS_OCCUPANCY_ALL" };
	static const char *const of_xecores[] = {
		"LOAD_STORE_CACHE_BYTE_READ",
		"LOAD_STORE_CACHE_BYTE_WRITE",
		"SLM_BYTE_READ",
		"SLM_BYTE_WRITE",
		"SLM_BANK_CONFLICT_COUNT",
	};
	const char *platform = gpu->oa.platform.name;

	for (size_t i = 0; i < ARRAY_SIZE(changed); i++) {
		if (!strcmp(changed[i].platform, platform) &&
		    !strcmp(changed[i].set, set))
			return false;
	}
	for (size_t i = 0; i < ARRAY_SIZE(of_threads); i++) {
		if (!strncmp(platform, "mtl", 3) &&
		    !strcmp(of_threads[i], counter))
			return false;
	}
	for (size_t i = 0; i < ARRAY_SIZE(of_xecores); i++) {
		if (gpu->oa.platform.shape.xecores_per_slice &&
		    !strcmp(of_xecores[i], counter))
			return false;
	}
	return true;
}

struct peer_routing
peer_routing_of(const struct peer_set *set, const struct i915_gpu *gpu,
		const struct oa_config *ours)
{
	static const struct {
		const char *platform, *set;
	} others[] = {
		{ "bdw", "ComputeExtended" }, /* joined */
		{ "mtlgt2", "Ext7" },	      { "mtlgt2", "Ext508" },
		{ "mtlgt2", "Ext509" },	      { "mtlgt2", "Ext510" },
		{ "mtlgt2", "Ext511" },	      { "mtlgt3", "Ext1" },
		{ "mtlgt3", "Ext7" },	      { "mtlgt3", "Ext508" },
		{ "mtlgt3", "Ext509" },	      { "mtlgt3", "Ext510" },
		{ "mtlgt3", "Ext511" },	      { "mtlgt3", "Ext512" },
		{ "mtlgt3", "Ext513" },	      { "mtlgt3", "Ext514" },
		{ "mtlgt3", "Ext515" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (!strcmp(others[i].platform, gpu->oa.platform.name) &&
		    !strcmp(others[i].set, set->symbol))
			return (struct peer_routing){
				.mux = ours->mux.pairs,
				.mux_count = ours->mux.count,
				.boolean = ours->boolean.pairs,
				.boolean_count = ours->boolean.count,
			};
	}
	return (struct peer_routing){ .mux = set->mux,
				      .mux_count = set->mux_count,
				      .boolean = set->boolean,
				      .boolean_count = set->boolean_count };
}
