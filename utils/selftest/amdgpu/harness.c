/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/harness.h"

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
harness_check(const struct harness *harness, enum selftest_verdict verdict,
	      const char *name, const char *expected, const char *seen, ...)
{
	va_list arguments;

	va_start(arguments, seen);
	selftest_decide(harness->host, name, verdict, expected, seen,
			arguments);
	va_end(arguments);
}

enum selftest_verdict
harness_answer(bool yes)
{
	return yes ? SELFTEST_PASS : SELFTEST_NO;
}

const char *
harness_name(char name[HARNESS_NAME_SIZE], enum pm4_engine engine,
	     const char *what)
{
	snprintf(name, HARNESS_NAME_SIZE, "%s.%s", pm4_engine_name(engine),
		 what);
	return name;
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

void
harness_set(struct pm4 *pm4, struct pm4_register reg, uint32_t value)
{
	if (pm4_in_uconfig(reg))
		pm4_set_uconfig(pm4, pm4_uconfig(reg), value);
	else
		pm4_copy_value(pm4, reg, value);
}

void
harness_set_index(struct pm4 *pm4, const struct core *core, uint32_t index)
{
	harness_set(pm4, core->controls[CORE_GRBM_GFX_INDEX].reg, index);
}

static size_t
write_commands(const struct harness *harness,
	       const struct experiment *experiment, uint64_t results,
	       uint32_t *dwords)
{
	const struct core *core = &harness->gpu->core;
	const struct amd_device_info *info = amd_context_info(harness->ctx);
	enum pm4_engine engine = experiment->engine;
	struct pm4 pm4 = { .dwords = dwords,
			   .engine = engine,
			   .level = core->level,
			   .xccs = harness->die,
			   .source = experiment->source,
			   .window = core_window_open(core, engine,
						      info->firmware[engine]) };

	experiment->write(&pm4, core, results, experiment->data);
	pm4_pad(&pm4, amd_context_alignment(harness->ctx) / sizeof(uint32_t));
	return pm4.count;
}

void
harness_wait(uint64_t ns)
{
	struct timespec time = { .tv_sec = (time_t)(ns / 1000000000),
				 .tv_nsec = (long)(ns % 1000000000) };

	nanosleep(&time, NULL);
}

uint64_t
harness_beside_ns(const struct harness *harness)
{
	unsigned seconds = harness->memory->seconds;

	if (seconds > SELFTEST_BESIDE_SECONDS)
		seconds = SELFTEST_BESIDE_SECONDS;
	return seconds * UINT64_C(1000000000);
}

/* ------------------------------------------------------------------ */
/* Running                                                              */

static int
harness_announce_commands(struct harness *harness,
			  const struct experiment *experiment,
			  const uint32_t *dwords, size_t count)
{
	const struct selftest_commands commands = {
		.number = ++harness->submitted,
		.check = experiment->check,
		.what = experiment->what,
		.ring = pm4_engine_name(experiment->engine),
		.dwords = dwords,
		.count = count,
	};

	int ret = harness->host->submitting(harness->host->data, &commands);

	if (ret > 0)
		harness_check(harness, SELFTEST_FAIL, experiment->check,
			      experiment->expected,
			      "left out: it hung the GPU in an earlier run");
	if (ret < 0)
		error_set(harness->error, ret, "the log cannot be written: %s",
			  strerrordesc_np(-ret));
	if (!ret)
		snprintf(harness->check, sizeof(harness->check), "%s",
			 experiment->check);
	return ret;
}

static int
harness_overhear_submission(void *data, enum pm4_engine engine,
			    const uint32_t *dwords, size_t count)
{
	struct harness *harness = data;
	struct selftest_commands commands = {
		.check = harness->check,
		.what = "counting by the library",
		.ring = pm4_engine_name(engine),
		.dwords = dwords,
		.count = count,
		.may_repeat = true,
	};
	int ret;

	if (harness->announced)
		return 0;
	commands.number = ++harness->submitted;
	ret = harness->host->submitting(harness->host->data, &commands);
	return ret < 0 ? ret : 0;
}

void
harness_observe(struct harness *harness)
{
	harness->submit_hook =
		(struct amd_submit_hook){ harness_overhear_submission,
					  harness };
	amd_device_set_submit_hook(harness->gpu->dev, &harness->submit_hook);
}

int
harness_announce(struct harness *harness, const char *check,
		 const char *expected, const char *what)
{
	const struct experiment experiment = {
		.check = check,
		.expected = expected,
		.what = what,
		.engine = harness->gpu->core.commands.samples,
	};

	return harness_announce_commands(harness, &experiment, NULL, 0);
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
run_in_buffer(struct harness *harness, const struct experiment *experiment,
	      const struct buffer *buffer, struct clock_moments *moments,
	      uint32_t *out)
{
	size_t align = amd_context_alignment(harness->ctx);
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
							 : HARNESS_NOTHING;
	count = write_commands(harness, experiment, buffer->address, dwords);
	ret = harness_announce_commands(harness, experiment, dwords, count);
	if (ret)
		return ret;
	harness->announced = true;
	moments->before_ns = monotonic_ns();
	ret = amd_context_run(harness->ctx, experiment->engine, buffer, at,
			      count, &error);
	moments->after_ns = monotonic_ns();
	harness->announced = false;
	if (!ret) {
		memcpy(out, results, size);
		return 0;
	}
	harness_check(harness, SELFTEST_FAIL, experiment->check,
		      experiment->expected, "command buffer %u: %s",
		      harness->submitted, what_happened(ret, &error));
	return error_set(harness->error, ret, "%s", what_happened(ret, &error));
}

static int
explain_elsewhere(const struct harness *harness,
		  const struct experiment *experiment)
{
	harness_check(harness, SELFTEST_FAIL, experiment->check,
		      experiment->expected,
		      "another die takes the commands, %d times", MOST_TRIES);
	return 1;
}

int
harness_run_timed(struct harness *harness, const struct experiment *experiment,
		  uint32_t *out, struct clock_moments *moments)
{
	size_t align = amd_context_alignment(harness->ctx);
	size_t dwords = experiment->results + experiment->room;
	size_t size = dwords * sizeof(uint32_t) + align;
	struct buffer buffer;
	int ret, tries = 0;

	size += write_commands(harness, experiment, 0, NULL) * sizeof(uint32_t);
	ret = buffer_create(harness->ctx, size, &buffer, harness->error);
	if (ret)
		return ret;
	do
		ret = run_in_buffer(harness, experiment, &buffer, moments, out);
	while (!ret && harness->die && ++tries < MOST_TRIES &&
	       out[experiment->done] == HARNESS_NOTHING);
	if (!ret && tries == MOST_TRIES)
		ret = explain_elsewhere(harness, experiment);
	buffer_destroy(&buffer);
	return ret;
}

int
harness_run(struct harness *harness, const struct experiment *experiment,
	    uint32_t *out)
{
	struct clock_moments moments;

	return harness_run_timed(harness, experiment, out, &moments);
}

int
harness_run_commands(struct harness *harness, const char *check,
		     const char *expected, const char *what,
		     void (*write)(struct pm4 *pm4, const struct core *core,
				   uint64_t results, const void *data))
{
	const struct experiment experiment = {
		.check = check,
		.expected = expected,
		.what = what,
		.engine = harness->gpu->core.commands.samples,
		.write = write,
		.results = 1,
	};
	uint32_t done;

	return harness_run(harness, &experiment, &done);
}
