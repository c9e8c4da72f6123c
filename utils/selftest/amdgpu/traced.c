/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/traced.h"

#include <errno.h>
#include <inttypes.h>

#include "driver/amdgpu/trace/table.h"
#include "driver/amdgpu/trace/trace.h"
#include "selftest/amdgpu/tokens.h"
#include "selftest/amdgpu/waves.h"

/* Room for the waves in one engine; a trace that is full has twice as much. */
#define BUFFER_SIZE (UINT64_C(1) << 20)

#define TRIES 6

static const char expected[] = "every wave begins and ends in the trace";

struct traced {
	struct harness *harness;
	const char *check;
	struct traced_waves waves;
	struct drmperf_error error;
};

/* ------------------------------------------------------------------ */
/* What is off                                                          */

static const struct element *
trace_element(const struct core *core)
{
	return element_named(core->table->root->child, "trace");
}

bool
traced_is_hidden(const struct core *core)
{
	const struct element *trace = trace_element(core);

	return trace && element_attribute(trace, "hidden");
}

bool
traced_has_all(const struct core *core)
{
	const struct element *write = trace_element(core);

	while (write && (write = element_named(write->next, "trace_write")))
		if (element_attribute(write, "all-programs"))
			return true;
	return false;
}

/* ------------------------------------------------------------------ */
/* Waves                                                                */

/*
 * Report a failure. The GPU is lost if it was reset, and if it does not end a
 * trace.
 */
static int
traced_fail(const struct traced *traced, int ret)
{
	struct harness *harness = traced->harness;
	const char *cause = traced->error.cause;
	const bool was_reset = amd_context_was_reset(harness->ctx);
	const bool is_lost = was_reset || ret == -ETIME;

	harness_check(harness, is_lost ? SELFTEST_FAIL : SELFTEST_UNKNOWN,
		      traced->check, expected, "%s", cause);
	return is_lost ? error_set(harness->error,
				   was_reset ? -ECANCELED : -ETIME, "%s", cause)
		       : 1;
}

static int
launch_elsewhere(const struct traced *traced)
{
	const struct selftest_waves waves = { .graphics = true };
	struct harness *harness = traced->harness;
	int ret = harness->host->elsewhere(harness->host->data, &waves);

	if (!ret)
		return 0;
	harness_check(harness,
		      ret == -ECANCELED ? SELFTEST_FAIL : SELFTEST_UNKNOWN,
		      traced->check, expected, "the other process has failed");
	return ret == -ECANCELED
		       ? error_set(harness->error, ret,
				   "another process has failed to launch waves")
		       : 1;
}

static int
launch_waves(const struct traced *traced)
{
	return traced->waves.is_of_all
		       ? launch_elsewhere(traced)
		       : waves_launch_from(traced->harness, traced->check,
					   expected, PM4_ENGINE_GFX, false);
}

/*
 * Add an engine's waves. A token that is not known ends the count, so that
 * waves are missing.
 */
static void
add_engine(void *data, const struct drmperf_trace_engine *engine)
{
	struct traced *traced = data;
	struct traced_waves *waves = &traced->waves;
	struct token_counts counts;

	tokens_count(traced->harness->gpu->core.level, engine->data,
		     engine->size, &counts);
	waves->starts += counts.starts;
	waves->ends += counts.ends;
	waves->is_full |= engine->is_full;
	waves->is_cut |= engine->has_failed || engine->is_unfinished;
}

static int
trace_waves(struct traced *traced, void *trace)
{
	int ret = launch_waves(traced), end;

	traced->waves =
		(struct traced_waves){ .is_of_all = traced->waves.is_of_all };
	end = gfx_trace_ops.end(trace, add_engine, traced, &traced->error);
	if (ret)
		return ret;
	return end ? traced_fail(traced, end) : 0;
}

/* Trace again where what else is in a trace has filled it. */
static int
trace_until_whole(struct traced *traced, void *trace)
{
	int ret = trace_waves(traced, trace);

	for (unsigned i = 1; !ret && traced->waves.is_full && i < TRIES; i++) {
		ret = gfx_trace_ops.restart(trace, &traced->error);
		ret = ret ? traced_fail(traced, ret)
			  : trace_waves(traced, trace);
	}
	return ret;
}

/* ------------------------------------------------------------------ */

enum selftest_verdict
traced_verdict(const struct traced_waves *waves, const char **remark)
{
	*remark = "";
	if (waves->is_of_all && waves->starts > WAVES_COUNT)
		*remark = ": other programs use the GPU";
	else if (waves->is_full)
		*remark = ": a buffer was full";
	if (**remark)
		return SELFTEST_UNKNOWN;
	if (waves->is_cut)
		*remark = ": an engine has not written all";
	return harness_answer(!waves->is_cut && waves->starts == WAVES_COUNT &&
			      waves->ends == WAVES_COUNT);
}

static void
check_waves(const struct traced *traced)
{
	const struct traced_waves *waves = &traced->waves;
	const char *remark;
	const enum selftest_verdict verdict = traced_verdict(waves, &remark);

	harness_check(traced->harness, verdict, traced->check, expected,
		      "%" PRIu64 " begin and %" PRIu64 " end, of %u%s",
		      waves->starts, waves->ends, WAVES_COUNT, remark);
}

int
traced_try(struct harness *harness, const char *check, bool is_of_all)
{
	const struct drmperf_trace_options options = {
		.size = sizeof(options),
		.buffer_size = BUFFER_SIZE,
		.omit_instructions = true,
		.all_programs = is_of_all,
		.supervise = true,
	};
	const struct drmperf_trace_info *info;
	struct traced traced = { .harness = harness,
				 .check = check,
				 .waves.is_of_all = is_of_all };
	void *trace;
	int ret = harness_announce(harness, check, expected,
				   "waves traced by the library");

	if (ret)
		return ret;
	harness->gpu->topology.untested = TRACE_NAME " " GPU_TRACES_ALL;
	ret = gfx_trace_ops.open(harness->gpu, &options, &trace, &info,
				 &traced.error);
	if (ret)
		return traced_fail(&traced, ret);
	ret = trace_until_whole(&traced, trace);
	gfx_trace_ops.close(trace, false);
	if (!ret)
		check_waves(&traced);
	return ret;
}
