/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 2: the registers that govern counting, read in all ways; and their way
 * back in the end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "selftest/amdgpu/stages.h"

/* A register that commands may both read and write. */
struct control {
	enum core_register name;
	struct pm4_register reg;
	uint32_t value; /* by the table's source, on the first ring */
};

struct controls {
	struct control list[CORE_REGISTERS];
	unsigned count;
	bool are_known; /* their values */
};

static void
list_controls(const struct core *core, struct controls *out)
{
	out->count = 0;
	out->are_known = false;
	for (int i = 0; i < CORE_REGISTERS; i++) {
		struct pm4_register reg = core->controls[i].reg;

		if (reg.byte && pm4_in_uconfig(reg))
			out->list[out->count++] = (struct control){
				.name = (enum core_register)i,
				.reg = reg,
			};
	}
}

static void
write_read(struct pm4 *pm4, const struct core *core, uint64_t results,
	   const void *data)
{
	const struct pm4_register *reg = data;

	(void)core;
	pm4_copy_register(pm4, *reg, results);
}

/* Read each by a command buffer of its own: 0 if all went well. */
static int
read_controls(struct harness *harness, struct controls *controls,
	      enum pm4_engine engine, enum pm4_source source,
	      uint32_t values[CORE_REGISTERS])
{
	char name[HARNESS_NAME_SIZE], word[16], what[80];
	struct experiment experiment = {
		.expected = "registers can be read",
		.what = what,
		.engine = engine,
		.source = source,
		.write = write_read,
		.results = 1,
	};
	int ret = 0;

	snprintf(word, sizeof(word), "source-%d", (int)source);
	experiment.check = harness_name(name, engine, word);
	for (unsigned i = 0; !ret && i < controls->count; i++) {
		const struct control *control = &controls->list[i];

		snprintf(what, sizeof(what), "%s read by source %d",
			 core_register_name(control->name), (int)source);
		experiment.data = &control->reg;
		ret = harness_run(harness, &experiment, &values[i]);
	}
	return ret;
}

/* Check a source: it shows what the first reading has shown. */
static void
check_equal(const struct harness *harness, const struct controls *controls,
	    enum pm4_engine engine, enum pm4_source source, bool asks,
	    const uint32_t values[CORE_REGISTERS])
{
	char name[HARNESS_NAME_SIZE], word[16], expected[48], first[96] = "";
	unsigned same = 0;

	for (unsigned i = 0; i < controls->count; i++) {
		const struct control *control = &controls->list[i];

		if (values[i] == control->value && values[i] != HARNESS_NOTHING)
			same++;
		else if (!*first)
			snprintf(first, sizeof(first),
				 "; %s was 0x%" PRIx32 ", is 0x%" PRIx32,
				 core_register_name(control->name),
				 control->value, values[i]);
	}
	snprintf(word, sizeof(word), "source-%d", (int)source);
	snprintf(expected, sizeof(expected), "the same in %u registers",
		 controls->count);
	harness_check(harness,
		      same == controls->count ? SELFTEST_PASS
		      : asks		      ? SELFTEST_NO
					      : SELFTEST_FAIL,
		      harness_name(name, engine, word), expected,
		      "the same in %u%s", same, first);
}

/* Return the value that the library leaves in the register after counting. */
static uint32_t
idle_value(const struct core *core, enum core_register name)
{
	return name == CORE_GRBM_GFX_INDEX ? BLOCK_BROADCAST
					   : core->controls[name].reset;
}

static void
check_defaults(const struct harness *harness, const struct controls *controls)
{
	const struct core *core = &harness->gpu->core;
	char name[HARNESS_NAME_SIZE], expected[48];

	for (unsigned i = 0; i < controls->count; i++) {
		const struct control *control = &controls->list[i];
		uint32_t idle = idle_value(core, control->name);

		snprintf(name, sizeof(name), "default.%s",
			 core_register_name(control->name));
		snprintf(expected, sizeof(expected),
			 "0x%" PRIx32 " as drmperf leaves it", idle);
		/* It is not known whether it has been so from the beginning. */
		harness_check(harness,
			      control->value == idle ? SELFTEST_PASS
						     : SELFTEST_UNKNOWN,
			      name, expected, "0x%" PRIx32, control->value);
	}
}

/*
 * Save the registers to be restored, without bits that the kernel changes with
 * the power state: those are not ours to write back.
 */
static void
controls_save(const struct harness *harness, const struct controls *controls)
{
	const struct core *core = &harness->gpu->core;
	struct selftest_memory *memory = harness->memory;

	memory->saved_count = 0;
	for (unsigned i = 0; i < controls->count; i++) {
		unsigned at;

		if (core->controls[controls->list[i].name].put_back)
			continue;
		at = memory->saved_count++;
		memory->saved[at].byte = controls->list[i].reg.byte;
		memory->saved[at].value = controls->list[i].value;
	}
	memory->has_saved = true;
}

static void
keep_first(const struct harness *harness, struct controls *controls,
	   const uint32_t values[CORE_REGISTERS])
{
	for (unsigned i = 0; i < controls->count; i++)
		controls->list[i].value = values[i];
	controls->are_known = true;
	if (harness->memory->has_saved)
		return;
	controls_save(harness, controls);
	check_defaults(harness, controls);
}

/*
 * Read all controls by a source on each ring. Whether one that drmperf does not
 * use works as well is a question.
 */
static int
try_source(struct harness *harness, struct controls *controls,
	   enum pm4_source source, bool asks)
{
	/* compute first: it does not delay the screen's work */
	static const enum pm4_engine engines[] = { PM4_ENGINE_COMPUTE,
						   PM4_ENGINE_GFX };
	const struct amd_device_info *info = amd_context_info(harness->ctx);
	uint32_t values[CORE_REGISTERS];
	int ret = 0;

	for (int i = 0; ret >= 0 && i < PM4_ENGINES; i++) {
		if (!info->has_ring[engines[i]])
			continue;
		ret = read_controls(harness, controls, engines[i], source,
				    values);
		if (ret)
			continue;
		if (!controls->are_known)
			keep_first(harness, controls, values);
		check_equal(harness, controls, engines[i], source, asks,
			    values);
	}
	return ret < 0 ? ret : 0;
}

int
stage_controls(struct harness *harness)
{
	_Static_assert(SELFTEST_SAVED_MAX >= CORE_REGISTERS, "all find room");
	enum pm4_source source = harness->gpu->core.commands.source;
	struct controls controls;
	int ret;

	list_controls(&harness->gpu->core, &controls);
	ret = try_source(harness, &controls, source, false);
	if (!ret && source != PM4_SOURCE_REGISTER)
		ret = try_source(harness, &controls, PM4_SOURCE_REGISTER, true);
	return ret;
}

/*
 * Read by the source that the table does not name, and expect the values that
 * the table's source shows.
 */
int
controls_try_counter_source(struct harness *harness)
{
	struct controls controls;
	int ret;

	list_controls(&harness->gpu->core, &controls);
	ret = try_source(harness, &controls, PM4_SOURCE_REGISTER, false);
	if (!ret && controls.are_known)
		ret = try_source(harness, &controls, PM4_SOURCE_COUNTER, true);
	return ret;
}

/* ------------------------------------------------------------------ */

static void
write_back(struct pm4 *pm4, const struct core *core, uint64_t results,
	   const void *data)
{
	const struct selftest_memory *memory = data;

	harness_set_index(pm4, core, BLOCK_BROADCAST);
	for (unsigned i = 0; i < memory->saved_count; i++)
		harness_set(pm4, (struct pm4_register){ memory->saved[i].byte },
			    memory->saved[i].value);
	for (unsigned i = 0; i < memory->saved_count; i++)
		pm4_copy_register(
			pm4, (struct pm4_register){ memory->saved[i].byte },
			results + i * sizeof(uint32_t));
}

int
stage_restore(struct harness *harness)
{
	const struct selftest_memory *memory = harness->memory;
	char expected[48];
	const struct experiment experiment = {
		.check = "registers.restored",
		.expected = expected,
		.what = "registers written back and read",
		.engine = harness->gpu->core.commands.samples,
		.source = harness->gpu->core.commands.source,
		.write = write_back,
		.data = memory,
		.results = memory->saved_count,
	};
	uint32_t values[SELFTEST_SAVED_MAX];
	unsigned same = 0;
	int ret;

	snprintf(expected, sizeof(expected), "%u as stage 2 has found them",
		 memory->saved_count);
	ret = harness_run(harness, &experiment, values);
	if (ret)
		return ret < 0 ? ret : 0;
	for (unsigned i = 0; i < memory->saved_count; i++)
		same += values[i] == memory->saved[i].value;
	harness_check(harness,
		      same == memory->saved_count ? SELFTEST_PASS
						  : SELFTEST_FAIL,
		      experiment.check, expected, "%u", same);
	return 0;
}
