/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libi915_perf of intel-gpu-tools 1.27.1 (Debian 12) or 2.0 (Debian 13), which
 * knows the same metric sets by tables and functions of its own: loaded at run
 * time where it is installed. Debian ships no header; the structures are
 * written down here from what the library does. Those of counters differ
 * between the two, although their file has one name: see peer_counter_at().
 */
#ifndef DRMPERF_TESTS_DRIVER_I915_PEER_H
#define DRMPERF_TESTS_DRIVER_I915_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/driver/i915/table.h"

struct peer_list {
	struct peer_list *previous, *next;
};

/* A counter; double unless storage is PEER_UINT64. */
#define PEER_UINT64 0
#define PEER_UNIT_GBPS 17

struct peer;
struct peer_set;

struct peer_counter {
	const struct peer_set *set;
	const char *symbol, *description;
	int storage, unit;
	union {
		uint64_t (*u64)(const struct peer *peer,
				const struct peer_set *set, uint64_t *deltas);
		double (*f64)(const struct peer *peer,
			      const struct peer_set *set, uint64_t *deltas);
	} read;
};

/* In lists of registers: address and value, 32 bits each. */
#define PEER_REGISTER_SIZE 8

struct peer_set {
	const char *name, *symbol, *guid;
	const char *counters; /* an array: see peer_counter_at() */
	int counter_count;
	uint64_t id;
	int format, report_size;
	/* where the banks are in deltas */
	int time, clock, a, b, c, perfcnt;
	const void *boolean;
	uint32_t boolean_count;
	const void *mux;
	uint32_t mux_count;
	const void *flex;
	uint32_t flex_count;
	struct peer_list link;
};

/* The beginning of the library's own struct. */
struct peer {
	const char *name;
	void *root;
	struct peer_list sets;
};

#define PEER_DELTAS 64

/*
 * Return NULL where the library is not installed or does not know the platform.
 * topology: the kernel's answer to the query.
 */
struct peer *peer_open(uint32_t device_id, const struct i915_gpu *gpu,
		       const void *topology);
struct peer *peer_open_shape(const struct i915_shape *shape,
			     const struct i915_gpu *gpu);
void peer_close(struct peer *peer);

/* Return whether it is installed at all. */
bool peer_is_installed(void);

/* Return the set of this symbol, or the one behind set; NULL at the end. */
const struct peer_set *peer_set_find(const struct peer *peer,
				     const char *symbol);
const struct peer_set *peer_set_next(const struct peer *peer,
				     const struct peer_set *set);

/* Describe a counter of a set, by its index; false behind the last one. */
bool peer_counter_at(const struct peer_set *set, int index,
		     struct peer_counter *counter);
/* Find a counter by its symbol; false if the set has none of it. */
bool peer_counter_find(const struct peer_set *set, const char *symbol,
		       struct peer_counter *counter);

/*
 * Return whether our table has the set under the same GUID. Else ours is a
 * newer one, with other registers; of Alder Lake S and N the library knows none
 * but those of Alder Lake P.
 */
bool peer_set_is_ours(const struct peer_set *set, struct i915_gpu *gpu);

/* How many sets only the library has, and how many only we. */
struct peer_differences {
	unsigned older, newer;
};

struct peer_differences peer_differences(const char *platform);

/* Add what passed between two samples: records with their headers. */
void peer_accumulate(uint64_t deltas[PEER_DELTAS], const struct peer *peer,
		     const struct peer_set *set, const void *from,
		     const void *to);

/*
 * Return false where it is known to be wrong: Meteor Lake's EUs taken to have 7
 * threads, sums over the XeCores of slices that it believes absent, and sets
 * whose counters our source has changed since under the same GUID.
 */
bool peer_is_right(const struct i915_gpu *gpu, const char *set,
		   const char *counter);

/*
 * Return a share of all EUs' clocks, or what is left of 100 %, as the library
 * would give it, did it not drop the fraction of events per EU: from that many
 * times the A counters that nothing is left to drop.
 */
double
peer_whole_share(const struct peer *peer, const struct peer_counter *counter,
		 const struct i915_gpu *gpu,
		 const uint64_t values[OA_SLOT_COUNT]);

/*
 * The lists that route events to B and C, by which the simulator counts: the
 * library's, or ours where a source that both had has changed them since under
 * the same GUID, or where the library loads alternative lists all together.
 */
struct peer_routing {
	const void *mux, *boolean;
	size_t mux_count, boolean_count; /* registers */
};

struct peer_routing
peer_routing_of(const struct peer_set *set, const struct i915_gpu *gpu,
		const struct oa_config *ours);

/* Compute deltas in the library's order, from ours by slot. */
void peer_deltas(const struct peer_set *set,
		 const uint64_t values[OA_SLOT_COUNT],
		 uint64_t deltas[PEER_DELTAS]);

#endif /* DRMPERF_TESTS_DRIVER_I915_PEER_H */
