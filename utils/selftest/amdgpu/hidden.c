/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 9: items that the tables hide until they have been tested, one in each
 * process. A block is believed if its events are counted by the library without
 * harm, and one of them moves by an amount that a GPU can reach in that time.
 */
#include "selftest/amdgpu/hidden.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "driver/amdgpu/stream/layout.h"
#include "driver/amdgpu/trace/table.h"
#include "selftest/amdgpu/counted.h"
#include "selftest/amdgpu/dies.h"
#include "selftest/amdgpu/running.h"
#include "selftest/amdgpu/stages.h"
#include "selftest/amdgpu/streamed.h"
#include "selftest/amdgpu/traced.h"
#include "selftest/amdgpu/trial.h"
#include "selftest/amdgpu/waves.h"
#include "driver/amdgpu/quirks/quirks.h"

#define WAIT_NS UINT64_C(20000000)

/* Events of a block that are tried, if none moves. */
#define MOST_EVENTS 64u

/* More than an instance can have counted since the start. */
#define IMPLAUSIBLE UINT64_C(1000000000000)

static const char expected[] = "its events count, and do no harm";

/* ------------------------------------------------------------------ */
/* Hidden items                                                         */

/* A way to read registers that AMD's profilers do not use on this GPU. */
#define SOURCE_NAME "source-4"

const char *
hidden_name(const struct core *core, unsigned item)
{
	size_t at = core->hidden_count;

	if (item < at)
		return core->hidden[item].name;
	if (core->window.hidden && item == at++)
		return CORE_WINDOW_NAME;
	if (core->commands.source == PM4_SOURCE_REGISTER && item == at++)
		return SOURCE_NAME;
	if (streamed_is_hidden(core) && item == at++)
		return STREAM_NAME;
	if (traced_is_hidden(core) && item == at++)
		return TRACE_NAME;
	return traced_has_all(core) && item == at ? GPU_TRACES_ALL : NULL;
}

unsigned
hidden_count(const struct core *core)
{
	unsigned count = 0;

	while (hidden_name(core, count))
		count++;
	return count;
}

/* ------------------------------------------------------------------ */
/* A block                                                              */

/* Add the events from *id on that fit together, and have a name. */
static void
add_events(struct counted *counted, size_t index, uint32_t *id)
{
	const struct harness *harness = counted->harness;
	const struct core *core = &harness->gpu->core;
	const struct block *block = &core->blocks[index];
	uint32_t end = UINT32_C(1) << block->id_bits;

	for (; *id < end && counted->count < block->max_active; (*id)++) {
		if (core_event_name(core, index, *id, harness->arena) &&
		    counted_add_id(counted, index, *id))
			return;
	}
}

/* Return the request that has moved, or whose values cannot be true; or -1. */
static int
find_moved(const struct counted *counted, bool *odd)
{
	int moved = -1;

	*odd = false;
	for (size_t i = 0; i < counted->count && !*odd; i++) {
		if (counted_sum(counted, i))
			moved = (int)i;
		*odd = counted_sum(counted, i) > IMPLAUSIBLE;
	}
	return moved;
}

static int
counted_fail(struct counted *counted, const char *check)
{
	struct harness *harness = counted->harness;
	bool reset = counted_was_reset(counted);
	const char *cause = reset ? "the GPU was reset" : counted->error.cause;

	harness_check(harness, reset ? SELFTEST_FAIL : SELFTEST_NO, check,
		      expected, "%s", cause);
	return reset ? error_set(harness->error, -ECANCELED, "%s", cause) : 1;
}

static int
counted_decide(struct counted *counted, const char *check, int moved, bool odd)
{
	const struct harness *harness = counted->harness;
	const struct counter_request *request = &counted->requests[moved];
	size_t index = request->group - harness->gpu->first_group;
	const struct core *core = &harness->gpu->core;

	harness_check(
		harness, harness_answer(!odd), check, expected,
		"%s.%s %s %" PRIu64, core->blocks[index].name,
		core_event_name(core, index, request->selector, harness->arena),
		odd ? "cannot have counted" : "counted",
		counted_sum(counted, (size_t)moved));
	return 1;
}

/* Return 0: none has moved; 1: the check is decided; -errno. */
static int
count_events(struct counted *counted, const char *check)
{
	struct harness *harness = counted->harness;
	int moved, ret;
	bool odd;

	ret = harness_announce(harness, check, expected,
			       "events counted by the library");
	if (ret)
		return ret;
	if (counted_start(counted))
		return counted_fail(counted, check);
	ret = waves_launch(harness, check, expected);
	if (ret)
		return ret;
	harness_wait(WAIT_NS);
	if (counted_sample(counted))
		return counted_fail(counted, check);
	moved = find_moved(counted, &odd);
	return moved < 0 ? 0 : counted_decide(counted, check, moved, odd);
}

static int
try_event(struct harness *harness, const char *name, const char *event,
	  const char *check)
{
	const char *block =
		arena_strndup(harness->arena, name, (size_t)(event - 1 - name));
	struct counted counted;
	bool is_there;
	int ret = 0;

	counted_init(&counted, harness);
	is_there = block && !counted_add(&counted, block, event);
	if (is_there)
		ret = count_events(&counted, check);
	counted_finish(&counted);
	if (!ret)
		harness_check(harness, SELFTEST_UNKNOWN, check, expected,
			      is_there ? "it has not moved"
				       : "this GPU has none");
	return ret;
}

static int
try_block(struct harness *harness, const char *name, const char *check)
{
	const struct core *core = &harness->gpu->core;
	const struct block *block = core_block(core, name);
	struct counted counted;
	uint32_t id = 1;
	unsigned tried = 0;
	int ret = 0;

	while (!ret && block && tried < MOST_EVENTS) {
		counted_init(&counted, harness);
		add_events(&counted, (size_t)(block - core->blocks), &id);
		if (!counted.count)
			break;
		tried += (unsigned)counted.count;
		ret = count_events(&counted, check);
		counted_finish(&counted);
	}
	if (!ret)
		harness_check(harness, SELFTEST_UNKNOWN, check, expected,
			      block ? "none of %u events moved"
				    : "this GPU has none",
			      tried);
	return ret;
}

/* ------------------------------------------------------------------ */
/* The window                                                           */

static void
check_window(const struct trial *trial, const char *check)
{
	unsigned count = 0, of = 0;

	for (int i = 0; i < (int)trial->commands.read_count; i++) {
		if (trial_is_graphics(trial, i))
			continue;
		of++;
		count += trial_moved(trial, i);
	}
	harness_check(trial->harness, harness_answer(count == of), check,
		      "counters move with it", "%u of %u moved", count, of);
}

static int
try_window(struct harness *harness, const char *check)
{
	const struct core *core = &harness->gpu->core;
	enum pm4_engine engine = core->commands.samples;
	uint32_t firmware = amd_context_info(harness->ctx)->firmware[engine];
	struct trial trial;
	int ret;

	if (!core_window_open(core, engine, firmware)) {
		harness_check(harness, SELFTEST_UNKNOWN, check,
			      "a firmware that knows it", "%" PRIu32, firmware);
		return 0;
	}
	ret = trial_init(&trial, harness);
	if (ret)
		return ret;
	ret = trial_start(&trial, check, engine, true);
	if (!ret)
		ret = trial_sample(&trial, check, engine, TRIAL_AS_LIBRARY);
	if (!ret)
		check_window(&trial, check);
	ret = trial_stop(&trial, check, engine, true, ret);
	trial_finish(&trial);
	return ret;
}

/* ------------------------------------------------------------------ */

static int
try_running(struct harness *harness, const char *name)
{
	const struct core *core = &harness->gpu->core;
	const struct block *block = core_block(core, name);

	return block ? running_try_block(harness,
					 (size_t)(block - core->blocks))
		     : 0;
}

/*
 * Try with the self-test's own commands, which do not look after the clock, in
 * a stable power state.
 */
static int
try_with_clock(struct harness *harness, const char *what,
	       int (*try)(struct harness *harness, const char *what))
{
	int refused =
		amd_context_set_pstate(harness->ctx, STABLE_PSTATE_STANDARD);
	int ret = try(harness, what);

	if (!refused)
		amd_context_set_pstate(harness->ctx, STABLE_PSTATE_NONE);
	return ret;
}

static int
try_counting(struct harness *harness, const char *name, const char *check)
{
	const char *dot = strchr(name, '.');
	int ret = dot ? try_event(harness, name, dot + 1, check)
		      : try_block(harness, name, check);

	/* of an event that is hidden, other stages try the block */
	return ret >= 0 && !dot ? try_with_clock(harness, name, try_running)
				: ret;
}

static int
try_hidden(struct harness *harness, const char *name)
{
	char check[HARNESS_NAME_SIZE];

	snprintf(check, sizeof(check), QUIRK_HIDDEN "%s", name);
	if (!strcmp(name, SOURCE_NAME))
		return controls_try_counter_source(harness);
	if (!strcmp(name, CORE_WINDOW_NAME))
		return try_with_clock(harness, check, try_window);
	if (!strcmp(name, STREAM_NAME))
		return streamed_try(harness, check);
	if (!strcmp(name, TRACE_NAME))
		return traced_try(harness, check, false);
	if (!strcmp(name, GPU_TRACES_ALL))
		return traced_try(harness, check, true);
	return try_counting(harness, name, check);
}

int
stage_hidden(struct harness *harness)
{
	int ret;

	if (!stage_may_count(harness))
		return 0;
	if (!harness->hidden) {
		harness_check(harness, SELFTEST_PASS, "hidden",
			      "what is off until tested", "nothing is");
		return 0;
	}
	ret = dies_choose(harness);
	if (!ret)
		ret = try_hidden(harness, harness->hidden);
	return ret < 0 ? ret : 0;
}
