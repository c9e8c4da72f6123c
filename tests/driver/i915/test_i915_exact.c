/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every counter of every metric set, counted on a simulated GPU in virtual
 * time, has exactly the value that follows from what the simulator says it
 * counts (utils/drmsim/i915/README.md): raw counters from those rates and the
 * time that passed, and from them the counter by libi915_perf's functions. The
 * library's own sums and expressions are not used on this way.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/i915/kernel.h"
#include "driver/i915/oa_config.h"
#include "driver/i915/uapi.h"
#include "driver/intel/oa/stream/driver.h"
#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/driver/i915/peer.h"
#include "tests/driver/i915/table.h"
#include "tests/support/suite.h"

#define MOST_EVENTS 128
#define ADVANCE_NS UINT64_C(123456789)

/* ------------------------------------------------------------------ */
/* What the simulator counts                                            */

struct expectation {
	struct i915_gpu *gpu;
	struct peer *peer;
	uint64_t clocks_per_tick; /* of the GPU per tick of the timestamp */
};

static uint32_t
fnv1a(uint32_t hash, const void *bytes, size_t count)
{
	const uint8_t *byte = bytes;

	while (count--)
		hash = (hash ^ *byte++) * 16777619u;
	return hash;
}

/* Return the rate of a B or C counter: that many 256ths per tick. */
static uint64_t
routed_rate(const struct expectation *expectation,
	    const struct peer_routing *routing, char bank, unsigned index)
{
	const uint8_t counter[4] = { (uint8_t)index, (uint8_t)bank };
	uint64_t clocks = expectation->clocks_per_tick;
	uint32_t hash = 2166136261u;

	if (clocks < 2)
		clocks = 2;
	hash = fnv1a(hash, routing->mux,
		     routing->mux_count * PEER_REGISTER_SIZE);
	hash = fnv1a(hash, routing->boolean,
		     routing->boolean_count * PEER_REGISTER_SIZE);
	hash = fnv1a(hash, counter, sizeof(counter));
	return 256 + hash % (256 * (clocks - 1));
}

/* Return the event selector that feeds A7 + index, from the FLEX registers. */
static unsigned
selector_of(const struct oa_config *config, unsigned index)
{
	static const uint32_t registers[] = { 0xe458, 0xe558, 0xe658, 0xe758,
					      0xe45c, 0xe55c, 0xe65c };
	uint32_t address = registers[index / 2];
	uint32_t value = 0;

	for (size_t i = 0; i < config->flex.count; i++) {
		if (config->flex.pairs[2 * i] == address)
			value = config->flex.pairs[2 * i + 1];
	}
	return (value >> (index % 2 ? 12 : 0) & 0xfff) |
	       (value >> (index % 2 ? 25 : 24) & 1) << 12;
}

static bool
is_haswell(const struct expectation *expectation)
{
	return expectation->gpu->oa.platform.generation == OA_GEN7;
}

/* Convert ticks to counts of A0 to A44. */
static uint64_t
expected_a(const struct expectation *expectation,
	   const struct oa_config *config, unsigned index, uint64_t ticks)
{
	if (is_haswell(expectation))
		return index == 41 ? ticks * expectation->clocks_per_tick
				   : ticks * (index + 1);
	if (index == 0)
		return ticks * expectation->clocks_per_tick;
	if (index >= 7 && index <= 20)
		return ticks * (64 + selector_of(config, index - 7)) / 16;
	return ticks * index;
}

/* The self-test: parts of the clock, in 6ths. */
static const uint64_t test_sixths[] = { 0, 6, 6, 3, 2, 2, 1, 4 };

static void
expect_raw(const struct expectation *expectation, const struct peer_set *set,
	   const struct oa_config *config, uint64_t ticks,
	   uint64_t values[OA_SLOT_COUNT])
{
	const struct peer_routing routing =
		peer_routing_of(set, expectation->gpu, config);
	uint64_t clocks = ticks * expectation->clocks_per_tick;

	values[OA_SLOT_TIME] = ticks;
	values[OA_SLOT_CLOCK] = is_haswell(expectation) ? 0 : clocks;
	for (unsigned i = 0; i < OA_SLOT_B - OA_SLOT_A; i++)
		values[OA_SLOT_A + i] =
			expected_a(expectation, config, i, ticks);
	for (unsigned i = 0; i < 8; i++) {
		values[OA_SLOT_B + i] =
			ticks * routed_rate(expectation, &routing, 'B', i) /
			256;
		values[OA_SLOT_C + i] =
			ticks * routed_rate(expectation, &routing, 'C', i) /
			256;
		if (!strcmp(set->symbol, "TestOa"))
			values[OA_SLOT_B + i] = clocks * test_sixths[i] / 6;
	}
}

/*
 * Expect the clock in a slot of B or C, from which the tables take it on
 * Haswell.
 */
static void
expect_clock_slot(const struct expectation *expectation, const char *set,
		  uint64_t clocks, uint64_t values[OA_SLOT_COUNT])
{
	static const struct {
		const char *set;
		unsigned slot;
	} slots[] = {
		{ "RenderBasic", OA_SLOT_C + 2 },
		{ "ComputeBasic", OA_SLOT_C + 2 },
		{ "MemoryReads", OA_SLOT_C + 7 },
		{ "MemoryWrites", OA_SLOT_C + 7 },
		{ "SamplerBalance", OA_SLOT_B + 7 },
	};

	if (!is_haswell(expectation))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(slots); i++) {
		if (!strcmp(slots[i].set, set))
			values[slots[i].slot] = clocks;
	}
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

struct counted {
	struct drmperf_selection selections[MOST_EVENTS];
	union drmperf_value values[MOST_EVENTS];
	size_t count;
};

/* Select all events of the group but the age of reports. */
static void
select_events(const struct drmperf_device *device,
	      const struct drmperf_group *group, struct counted *counted)
{
	size_t first = drmperf_group_first_event(group);

	counted->count = 0;
	for (size_t i = 0; i < drmperf_group_event_count(group); i++) {
		const struct drmperf_event *event =
			drmperf_event_at(device, first + i);

		if (strstr(drmperf_event_name(event), ".ReportAge"))
			continue;
		ck_assert_uint_lt(counted->count, MOST_EVENTS);
		counted->selections[counted->count++] =
			(struct drmperf_selection){ event,
						    DRMPERF_ALL_INSTANCES };
	}
}

static const char *
counter_name(const struct counted *counted, size_t i)
{
	return strrchr(drmperf_event_name(counted->selections[i].event), '.') +
	       1;
}

static void
count_events(struct counted *counted, uint64_t advance_ns)
{
	struct drmperf_session *session = NULL;

	counting_succeeded(drmperf_session_create(
		counting.drmperf, counted->selections, counted->count, NULL,
		&session, &counting.error));
	counting_succeeded(drmperf_session_start(session, &counting.error));
	ck_assert_int_eq(drmsim_advance(advance_ns), 0);
	counting_succeeded(drmperf_session_read(session, counted->values, NULL,
						NULL, &counting.error));
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	drmperf_session_destroy(session);
}

static uint64_t
value_of(const struct counted *counted, const char *name)
{
	for (size_t i = 0; i < counted->count; i++) {
		if (!strcmp(counter_name(counted, i), name))
			return counted->values[i].u64;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Comparing                                                            */

static void
compare_event(const struct expectation *expectation, const struct peer_set *set,
	      const struct counted *counted, size_t i,
	      const uint64_t values[OA_SLOT_COUNT],
	      uint64_t deltas[PEER_DELTAS])
{
	const struct drmperf_event *event = counted->selections[i].event;
	const char *name = counter_name(counted, i);
	struct peer_counter counter;
	const bool is_listed = peer_counter_find(set, name, &counter);

	if (!peer_is_right(expectation->gpu, set->symbol, name))
		return;
	/* It never lists what depends on a slice of DG2 or later. */
	if (!is_listed && expectation->gpu->oa.platform.shape.xecores_per_slice)
		return;
	ck_assert_msg(is_listed, "%s", drmperf_event_name(event));
	if (counter.storage == PEER_UINT64) {
		uint64_t expected =
			counter.read.u64(expectation->peer, set, deltas);

		/* their difference was below zero */
		if (expected >> 60)
			expected = 0;
		/* thirds of a clock, rounded down at both ends */
		if (!strcmp(set->symbol, "TestOa") &&
		    counted->values[i].u64 == expected + 1)
			expected++;
		ck_assert_msg(counted->values[i].u64 == expected,
			      "%s: %llu, not %llu", drmperf_event_name(event),
			      (unsigned long long)counted->values[i].u64,
			      (unsigned long long)expected);
	} else {
		double expected =
			counter.read.f64(expectation->peer, set, deltas);

		if (counter.unit == PEER_UNIT_GBPS)
			expected *= 1e9;
		/* their unsigned difference was below zero */
		if (counted->values[i].f64 == 0 && expected > 1e9)
			expected = 0;
		/* of a share of all EUs' clocks they drop a fraction */
		if (fabs(counted->values[i].f64 - expected) >
			    1e-12 * fabs(expected) &&
		    drmperf_event_unit(event) == DRMPERF_UNIT_PERCENT)
			expected = peer_whole_share(expectation->peer, &counter,
						    expectation->gpu, values);
		ck_assert_msg(fabs(counted->values[i].f64 - expected) <=
				      1e-12 * fabs(expected),
			      "%s: %.17g, not %.17g", drmperf_event_name(event),
			      counted->values[i].f64, expected);
	}
}

/*
 * Return the ticks of the time that passed. Reports are hundreds of ticks
 * apart, at multiples of that: only one whole number is near GpuTime. A set
 * without it has clocks.
 */
static uint64_t
ticks_of(const struct expectation *expectation, const struct counted *counted)
{
	const uint64_t period = 256;
	uint64_t ns = value_of(counted, "GpuTime");
	__extension__ unsigned __int128 product =
		(unsigned __int128)ns * expectation->gpu->oa.timestamp_hz;
	uint64_t ticks = (uint64_t)(product / 1000000000);

	if (!ns)
		return value_of(counted, "GpuCoreClocks") /
		       expectation->clocks_per_tick;
	return (ticks + period / 2) / period * period;
}

static void
check_set(struct expectation *expectation, const struct drmperf_device *device,
	  const struct drmperf_group *group, const struct peer_set *set)
{
	const char *name = drmperf_group_name(group);
	uint64_t values[OA_SLOT_COUNT], deltas[PEER_DELTAS], ticks;
	struct oa_config config;
	struct counted counted;

	ck_assert_int_eq(
		oa_config_registers(&expectation->gpu->oa.constants,
				    expectation->gpu->oa.registers,
				    i915_set_registers(expectation->gpu, name),
				    &config, &counting.error),
		0);
	select_events(device, group, &counted);
	count_events(&counted, ADVANCE_NS);
	ticks = ticks_of(expectation, &counted);
	ck_assert_uint_ge(ticks, expectation->gpu->oa.timestamp_hz / 1000 *
					 ADVANCE_NS / 1000000);
	expect_raw(expectation, set, &config, ticks, values);
	expect_clock_slot(expectation, name,
			  ticks * expectation->clocks_per_tick, values);
	peer_deltas(set, values, deltas);
	for (size_t i = 0; i < counted.count; i++)
		compare_event(expectation, set, &counted, i, values, deltas);
	oa_config_free(&config);
}

/* ------------------------------------------------------------------ */

static uint32_t
read_device_id(const char *folder)
{
	unsigned id = 0;
	char path[300];
	FILE *file;

	snprintf(path, sizeof(path), "%s/device", folder);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%x", &id), 1);
	fclose(file);
	return id;
}

static void
open_expectation(struct expectation *expectation,
		 const struct drmperf_device *device)
{
	const char *folder = i915_table_folder();
	struct driver_target target = {
		.address = drmperf_device_address(device),
		.render = drmperf_device_node(device),
		.primary = "/dev/dri/card0",
		.tables = { .directories = &folder, .count = 1 },
	};
	struct oa_gpu *gpu;
	char sysfs[256];
	size_t length;
	void *topology;

	snprintf(sysfs, sizeof(sysfs), "/sys/bus/pci/devices/%s",
		 target.address);
	target.sysfs = sysfs;
	target.device_id = read_device_id(sysfs);
	ck_assert_msg(!oa_driver_open(&i915_oa_driver, &target, &gpu,
				      &counting.error),
		      "%s", counting.error.cause);
	expectation->gpu = i915_gpu_of(gpu);
	expectation->clocks_per_tick =
		expectation->gpu->oa.max_hz / expectation->gpu->oa.timestamp_hz;
	ck_assert_int_eq(i915_query(expectation->gpu->oa.fd,
				    DRM_I915_QUERY_TOPOLOGY_INFO, &topology,
				    &length),
			 0);
	expectation->peer =
		peer_open(target.device_id, expectation->gpu, topology);
	free(topology);
}

static void
close_expectation(struct expectation *expectation)
{
	peer_close(expectation->peer);
	oa_driver_close(&i915_oa_driver, &expectation->gpu->oa);
}

/*
 * Return whether the library has a set: it has all but those of media engines.
 */
static bool
peer_has_set(const struct drmperf_group *group)
{
	static const char *const others[] = { "oa",	   "oam",
					      "report",	   "TestOam",
					      "MediaSet1", "MediaSet2",
					      "MediaSet3" };
	const char *name = drmperf_group_name(group);

	if (strcmp(drmperf_group_domain(group), "oa") != 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (!strcmp(name, others[i]))
			return false;
	}
	return true;
}

TEST_CASE(all, NULL, NULL, "i915_exact");

TEST(all, every_counter_of_every_set_is_exact)
{
	const unsigned step = test_step(4);
	struct expectation expectation;
	struct drmperf_device *device;
	unsigned sets = 0, newer = 0;

	counting_begin();
	device = drmperf_device_at(counting.drmperf, 0);
	counting_succeeded(drmperf_device_open(device, &counting.error));
	open_expectation(&expectation, device);
	for (size_t i = 0; expectation.peer && i < drmperf_group_count(device);
	     i++) {
		const struct drmperf_group *group = drmperf_group_at(device, i);
		const struct peer_set *set;

		if (!peer_has_set(group))
			continue;
		/* the library's may be another one */
		set = peer_set_find(expectation.peer,
				    drmperf_group_name(group));
		if (!set || !peer_set_is_ours(set, expectation.gpu)) {
			newer++;
			continue;
		}
		if (sets++ % step == 0)
			check_set(&expectation, device, group, set);
	}
	if (expectation.peer)
		ck_assert_uint_gt(sets, 5);
	if (expectation.peer)
		ck_assert_uint_eq(
			newer,
			peer_differences(drmperf_device_generation(device))
				.newer);
	else
		printf("skip i915_exact %s: no libi915_perf\n",
		       drmperf_device_generation(device));
	fflush(stdout);
	close_expectation(&expectation);
	counting_end();
}

/* Skylake also in an early stepping, with other lists. */
TEST_GPUS("i915_exact", "hsw", "bdw", "chv", "sklgt2", "sklgt3", "sklgt4",
	  "bxt", "kblgt2", "kblgt3", "glk", "cflgt2", "cflgt3", "cnl", "icl",
	  "ehl", "tglgt1", "tglgt2", "rkl", "dg1", "adl", "acmgt1", "acmgt2",
	  "acmgt3", "mtlgt2", "mtlgt3", "sklgt2,revision=4");
