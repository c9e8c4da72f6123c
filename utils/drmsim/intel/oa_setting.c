/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"
#include "intel/oa_format.h"
#include "intel/oa_stream.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/machine.h"

static uint64_t
setting_now(const struct sim_oa_device *oa)
{
	return sim_now(oa->gpu->sim);
}

static int
set_contexts(struct sim_oa_device *oa, const char *value)
{
	int error;

	sim_oa_streams_run(oa);
	error = sim_timeline_parse(&oa->timeline, value, oa->platform->oa_hz,
				   sim_oa_device_tick(oa, setting_now(oa)));
	if (!error)
		sim_oa_streams_retime(oa);
	return error;
}

/* Begin or end the long kernel of another process. */
static int
set_engine_held(struct sim_oa_device *oa, const char *value)
{
	uint64_t flag;

	if (sim_word_u64(value, &flag) || flag > 1)
		return -EINVAL;
	oa->engine_held = flag;
	sim_wake(oa->gpu->sim);
	return 0;
}

/* Set the masks of all slices: "0x7f", "7:3". */
static int
set_subslices(struct sim_oa_device *oa, const char *value)
{
	return sim_topology_parse(&oa->platform->topology, value);
}

/* Set "zero" or "formula" as the default. */
static int
set_default(struct sim_oa_device *oa, const char *value)
{
	bool zero;

	if (sim_rates_default_parse(value, &zero))
		return -EINVAL;
	sim_oa_streams_run(oa);
	oa->zero_rates = zero;
	sim_oa_streams_recount(oa);
	return 0;
}

/* Parse "[UUID.]SLOT RATE". */
static int
set_rate(struct sim_oa_device *oa, const char *value)
{
	int error;

	sim_oa_streams_run(oa);
	error = sim_set_rates_set(&oa->set_rates, &oa->rates, value, oa->slots,
				  sim_topology_eus(&oa->platform->topology));
	if (!error)
		sim_oa_streams_recount(oa);
	return error;
}

/* Learn by which registers a set is known: "UUID HASH". */
static int
set_registers(struct sim_oa_device *oa, const char *value)
{
	return sim_set_rates_know(&oa->set_rates, value);
}

/* Parse "SLOT VALUE", or "timestamp VALUE" for the timestamp as it is now. */
static int
set_start(struct sim_oa_device *oa, const char *value)
{
	char name[16], text[32], rest;
	uint64_t number;
	int slot;

	if (sscanf(value, "%15s %31s %c", name, text, &rest) != 2 ||
	    sim_word_u64(text, &number))
		return -EINVAL;
	if (strcmp(name, "timestamp") == 0) {
		oa->timestamp_offset =
			number - sim_oa_device_tick(oa, setting_now(oa));
		return 0;
	}
	slot = sim_oa_slot_parse(name);
	if (slot < 0 || slot >= oa->slots)
		return -EINVAL;
	oa->start[slot] = number;
	return 0;
}

/* Set, in ticks, how far ahead of the engines' the units' timestamp is. */
static int
set_clock_offset(struct sim_oa_device *oa, const char *value)
{
	return sim_word_u64(value, &oa->clock.offset);
}

static int
set_clock_drift(struct sim_oa_device *oa, const char *value)
{
	sim_oa_streams_run(oa);
	return sim_oa_clock_set_drift(&oa->clock, oa->platform->oa_hz,
				      setting_now(oa), value);
}

static int
set_settling(struct sim_oa_device *oa, const char *value)
{
	return sim_word_time(value, &oa->settle_ns);
}

/* ------------------------------------------------------------------ */
/* Mishaps of units that have a stream                                  */

static void
setting_overflow(struct sim_oa_unit *unit, uint64_t number)
{
	(void)number;
	sim_oa_unit_overflow(unit);
}

static void
setting_stall(struct sim_oa_unit *unit, uint64_t number)
{
	sim_oa_unit_stall(unit, number != 0);
}

static void
setting_trigger(struct sim_oa_unit *unit, uint64_t number)
{
	sim_oa_unit_trigger(unit, (unsigned)number);
}

static const struct {
	const char *key;
	void (*act)(struct sim_oa_unit *unit, uint64_t number);
	uint64_t most;
} mishaps[] = {
	{ "oa-lose", sim_oa_unit_lose, UINT64_MAX },
	{ "oa-hole", sim_oa_unit_hole, UINT64_MAX },
	{ "oa-late", sim_oa_unit_late, UINT64_MAX },
	{ "oa-overflow", setting_overflow, 1 },
	{ "oa-stall", setting_stall, 1 },
	{ "oa-trigger", setting_trigger, 0x7f },
};

static int
set_mishap(struct sim_oa_device *oa, const char *key, const char *value)
{
	struct sim_oa_stream *stream;
	int result = -EINVAL;
	uint64_t number;
	size_t m = 0;

	while (m < ARRAY_SIZE(mishaps) && strcmp(key, mishaps[m].key) != 0)
		m++;
	if (m == ARRAY_SIZE(mishaps))
		return -ENOENT;
	if (sim_word_u64(value, &number) || number > mishaps[m].most)
		return -EINVAL;
	sim_oa_streams_run(oa);
	for_each_oa_stream(oa, stream)
	{
		mishaps[m].act(stream->unit, number);
		result = 0;
	}
	return result;
}

int
sim_oa_set(struct sim_oa_device *oa, const char *key, const char *value)
{
	static const struct {
		const char *key;
		int (*set)(struct sim_oa_device *oa, const char *value);
	} keys[] = {
		{ "subslices", set_subslices },
		{ "contexts", set_contexts },
		{ "oa-default", set_default },
		{ "oa-rate", set_rate },
		{ "oa-set", set_registers },
		{ "oa-start", set_start },
		{ "oa-clock-offset", set_clock_offset },
		{ "oa-clock-drift", set_clock_drift },
		{ "oa-settling", set_settling },
		{ "long-kernel", set_engine_held },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(key, keys[i].key) == 0)
			return keys[i].set(oa, value);
	}
	return set_mishap(oa, key, value);
}
