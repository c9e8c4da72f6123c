/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/bench.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/monotonic.h"

/* The kernel deals command buffers out to the dies as it sees fit. */
#define MOST_TRIES 64

/* ------------------------------------------------------------------ */
/* Checks                                                               */

void
bench_check(const struct bench *bench, enum selftest_verdict verdict,
	    const char *name, const char *expected, const char *seen, ...)
{
	char text[256];
	const struct selftest_check check = { .name = name,
					      .verdict = verdict,
					      .expected = expected,
					      .seen = text };
	va_list arguments;

	va_start(arguments, seen);
	vsnprintf(text, sizeof(text), seen, arguments);
	va_end(arguments);
	bench->host->decided(bench->host->data, &check);
}

enum selftest_verdict
bench_answer(bool yes)
{
	return yes ? SELFTEST_PASS : SELFTEST_NO;
}

const char *
bench_name(char name[BENCH_NAME_SIZE], enum pm4_engine engine, const char *what)
{
	snprintf(name, BENCH_NAME_SIZE, "%s.%s", pm4_engine_name(engine), what);
	return name;
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

void
bench_set(struct pm4 *pm4, struct pm4_register reg, uint32_t value)
{
	if (pm4_in_uconfig(reg))
		pm4_set_uconfig(pm4, pm4_uconfig(reg), value);
	else
		pm4_copy_value(pm4, reg, value);
}

void
bench_set_index(struct pm4 *pm4, const struct core *core, uint32_t index)
{
	bench_set(pm4, core->controls[CORE_GRBM_GFX_INDEX].reg, index);
}

static size_t
write_commands(const struct bench *bench, const struct experiment *experiment,
	       uint64_t results, uint32_t *dwords)
{
	const struct core *core = &bench->gpu->core;
	const struct amd_device_info *info = amd_context_info(bench->ctx);
	enum pm4_engine engine = experiment->engine;
	struct pm4 pm4 = { .dwords = dwords,
			   .engine = engine,
			   .level = core->level,
			   .xccs = bench->die,
			   .source = experiment->source,
			   .window = core_window_open(core, engine,
						      info->firmware[engine]) };

	experiment->write(&pm4, core, results, experiment->data);
	pm4_pad(&pm4, amd_context_alignment(bench->ctx) / sizeof(uint32_t));
	return pm4.count;
}

void
bench_wait(uint64_t ns)
{
	struct timespec time = { .tv_sec = (time_t)(ns / 1000000000),
				 .tv_nsec = (long)(ns % 1000000000) };

	nanosleep(&time, NULL);
}

uint64_t
bench_beside_ns(const struct bench *bench)
{
	unsigned seconds = bench->memory->seconds;

	if (seconds > SELFTEST_BESIDE_SECONDS)
		seconds = SELFTEST_BESIDE_SECONDS;
	return seconds * UINT64_C(1000000000);
}

/* ------------------------------------------------------------------ */
/* Running                                                              */

static int
bench_announce_commands(struct bench *bench,
			const struct experiment *experiment,
			const uint32_t *dwords, size_t count)
{
	const struct selftest_commands commands = {
		.number = ++bench->submitted,
		.check = experiment->check,
		.what = experiment->what,
		.ring = pm4_engine_name(experiment->engine),
		.dwords = dwords,
		.count = count,
	};

	int ret = bench->host->submitting(bench->host->data, &commands);

	if (ret > 0)
		bench_check(bench, SELFTEST_FAIL, experiment->check,
			    experiment->expected,
			    "left out: it hung the GPU in an earlier run");
	if (ret < 0)
		error_set(bench->error, ret, "the log cannot be written: %s",
			  strerrordesc_np(-ret));
	if (!ret)
		snprintf(bench->check, sizeof(bench->check), "%s",
			 experiment->check);
	return ret;
}

static int
bench_overhear_submission(void *data, enum pm4_engine engine,
			  const uint32_t *dwords, size_t count)
{
	struct bench *bench = data;
	struct selftest_commands commands = {
		.check = bench->check,
		.what = "counting by the library",
		.ring = pm4_engine_name(engine),
		.dwords = dwords,
		.count = count,
		.may_repeat = true,
	};
	int ret;

	if (bench->announced)
		return 0;
	commands.number = ++bench->submitted;
	ret = bench->host->submitting(bench->host->data, &commands);
	return ret < 0 ? ret : 0;
}

void
bench_observe(struct bench *bench)
{
	bench->submit_hook =
		(struct amd_submit_hook){ bench_overhear_submission, bench };
	amd_device_set_submit_hook(bench->gpu->dev, &bench->submit_hook);
}

int
bench_announce(struct bench *bench, const char *check, const char *expected,
	       const char *what)
{
	const struct experiment experiment = {
		.check = check,
		.expected = expected,
		.what = what,
		.engine = bench->gpu->core.commands.samples,
	};

	return bench_announce_commands(bench, &experiment, NULL, 0);
}

static const char *
what_happened(int ret, const struct drmperf_error *error)
{
	switch (ret) {
	case -ECANCELED:
		return "the GPU was reset";
	case -ETIME:
		return "the GPU does not answer";
	default:
		return error->cause;
	}
}

static int
run_in(struct bench *bench, const struct experiment *experiment,
       const struct buffer *buffer, struct clock_moments *moments,
       uint32_t *out)
{
	size_t align = amd_context_alignment(bench->ctx);
	size_t size = experiment->results * sizeof(uint32_t);
	size_t room = experiment->room * sizeof(uint32_t);
	size_t at = (size + room + align - 1) / align * align;
	uint32_t *dwords = (uint32_t *)((char *)buffer->memory + at);
	uint32_t *results = buffer->memory;
	struct drmperf_error error;
	size_t count;
	int ret;

	for (size_t i = 0; i < experiment->results; i++)
		results[i] = i < experiment->given_count ? experiment->given[i]
							 : BENCH_NOTHING;
	count = write_commands(bench, experiment, buffer->address, dwords);
	ret = bench_announce_commands(bench, experiment, dwords, count);
	if (ret)
		return ret;
	bench->announced = true;
	moments->before_ns = monotonic_ns();
	ret = amd_context_run(bench->ctx, experiment->engine, buffer, at, count,
			      &error);
	moments->after_ns = monotonic_ns();
	bench->announced = false;
	if (!ret) {
		memcpy(out, results, size);
		return 0;
	}
	bench_check(bench, SELFTEST_FAIL, experiment->check,
		    experiment->expected, "command buffer %u: %s",
		    bench->submitted, what_happened(ret, &error));
	return error_set(bench->error, ret, "%s", what_happened(ret, &error));
}

static int
explain_elsewhere(const struct bench *bench,
		  const struct experiment *experiment)
{
	bench_check(bench, SELFTEST_FAIL, experiment->check,
		    experiment->expected,
		    "another die takes the commands, %d times", MOST_TRIES);
	return 1;
}

int
bench_run_timed(struct bench *bench, const struct experiment *experiment,
		uint32_t *out, struct clock_moments *moments)
{
	size_t align = amd_context_alignment(bench->ctx);
	size_t dwords = experiment->results + experiment->room;
	size_t size = dwords * sizeof(uint32_t) + align;
	struct buffer buffer;
	int ret, tries = 0;

	size += write_commands(bench, experiment, 0, NULL) * sizeof(uint32_t);
	ret = buffer_create(bench->ctx, size, &buffer, bench->error);
	if (ret)
		return ret;
	do
		ret = run_in(bench, experiment, &buffer, moments, out);
	while (!ret && bench->die && ++tries < MOST_TRIES &&
	       out[experiment->done] == BENCH_NOTHING);
	if (!ret && tries == MOST_TRIES)
		ret = explain_elsewhere(bench, experiment);
	buffer_destroy(&buffer);
	return ret;
}

int
bench_run(struct bench *bench, const struct experiment *experiment,
	  uint32_t *out)
{
	struct clock_moments moments;

	return bench_run_timed(bench, experiment, out, &moments);
}
