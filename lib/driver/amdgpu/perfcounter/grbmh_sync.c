/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/perfcounter/grbmh_sync.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "driver/amdgpu/selection/select_regs.h"
#include "driver/amdgpu/device/pm4.h"

/* Values that the GPU stores, by engine; the commands stand behind them. */
struct sync_answer {
	uint32_t before[TOPOLOGY_ENGINES];
	uint32_t after[TOPOLOGY_ENGINES];
};

struct sync_trial {
	struct amd_context *ctx;
	const struct core *core;
	struct buffer buffer;
	uint32_t before; /* in the first engine */
};

typedef void (*step_writer)(struct pm4 *pm4,
			    const struct sync_trial *sync_trial);

static const struct core_control *
control_of(const struct core *core)
{
	return &core->controls[CORE_SQG_PERFCOUNTER_CTRL];
}

bool
grbmh_sync_is_unknown(const struct core *core)
{
	const struct core_control *control = control_of(core);

	return core->engines && control->sync && !control->sync_is_kept;
}

/* ------------------------------------------------------------------ */
/* Commands; reads may overtake writes that are not of an earlier buffer. */

static void
read_engines(struct pm4 *pm4, const struct sync_trial *sync_trial, size_t where)
{
	const struct core *core = sync_trial->core;

	pm4_counter_window(pm4, true);
	for (uint32_t i = 0; i < TOPOLOGY_ENGINES; i++) {
		if (!(core->engines >> i & 1))
			continue;
		write_index(pm4, core, BLOCK_ENGINE(i));
		pm4_copy_register(pm4, control_of(core)->reg,
				  sync_trial->buffer.address + where +
					  i * sizeof(uint32_t));
	}
	write_index(pm4, core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
}

static void
trial_read_registers(struct pm4 *pm4, const struct sync_trial *sync_trial)
{
	read_engines(pm4, sync_trial, offsetof(struct sync_answer, before));
}

static void
flip_bit(struct pm4 *pm4, const struct sync_trial *sync_trial)
{
	const struct core_control *control = control_of(sync_trial->core);

	write_index(pm4, sync_trial->core, BLOCK_BROADCAST);
	write_register(pm4, control->reg, sync_trial->before ^ control->sync);
}

static void
read_and_restore(struct pm4 *pm4, const struct sync_trial *sync_trial)
{
	read_engines(pm4, sync_trial, offsetof(struct sync_answer, after));
	write_register(pm4, control_of(sync_trial->core)->reg,
		       sync_trial->before);
}

static size_t
write_step(const struct sync_trial *sync_trial, step_writer write,
	   uint32_t *dwords)
{
	const struct amd_device_info *info = amd_context_info(sync_trial->ctx);
	struct pm4 pm4 = { .dwords = dwords,
			   .engine = info->engine,
			   .level = sync_trial->core->level,
			   .source = sync_trial->core->commands.source,
			   .window = core_window_open(
				   sync_trial->core, info->engine,
				   info->firmware[info->engine]) };

	write(&pm4, sync_trial);
	pm4_pad(&pm4,
		amd_context_alignment(sync_trial->ctx) / sizeof(uint32_t));
	return pm4.count;
}

/* Return where commands begin in the buffer. */
static size_t
offset_of(const struct sync_trial *sync_trial)
{
	size_t align = amd_context_alignment(sync_trial->ctx);

	return (sizeof(struct sync_answer) + align - 1) / align * align;
}

static int
run_step(const struct sync_trial *sync_trial, step_writer write,
	 struct drmperf_error *error)
{
	size_t offset = offset_of(sync_trial);
	size_t dwords = write_step(
		sync_trial, write,
		(uint32_t *)((char *)sync_trial->buffer.memory + offset));

	return amd_context_run(sync_trial->ctx,
			       amd_context_info(sync_trial->ctx)->engine,
			       &sync_trial->buffer, offset, dwords, error);
}

/* ------------------------------------------------------------------ */

/* Return the mask of the engines that have the bit. */
static uint32_t
engines_with(const struct core *core, const uint32_t *values)
{
	uint32_t engines = 0;

	for (uint32_t i = 0; i < TOPOLOGY_ENGINES; i++)
		if (values[i] & control_of(core)->sync)
			engines |= UINT32_C(1) << i;
	return engines & core->engines;
}

static int
try_bit(struct sync_trial *sync_trial, bool *kept, struct drmperf_error *error)
{
	const struct core *core = sync_trial->core;
	const struct sync_answer *answer = sync_trial->buffer.memory;
	uint32_t engines;
	int ret = run_step(sync_trial, trial_read_registers, error);

	*kept = false;
	if (ret)
		return ret;
	/* Another process that counts may have set it. */
	engines = engines_with(core, answer->before);
	sync_trial->before = answer->before[__builtin_ctz(core->engines)];
	ret = run_step(sync_trial, flip_bit, error);
	if (!ret)
		ret = run_step(sync_trial, read_and_restore, error);
	*kept = (engines ^ engines_with(core, answer->after)) == core->engines;
	return ret;
}

int
grbmh_sync_find(struct amd_context *ctx, struct core *core,
		struct drmperf_error *error)
{
	static const step_writer steps[] = { trial_read_registers, flip_bit,
					     read_and_restore };
	struct core_control *control =
		&core->controls[CORE_SQG_PERFCOUNTER_CTRL];
	struct sync_trial sync_trial = { .ctx = ctx, .core = core };
	size_t dwords, most = 0;
	bool kept;
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		dwords = write_step(&sync_trial, steps[i], NULL);
		most = dwords > most ? dwords : most;
	}
	ret = buffer_create(ctx,
			    offset_of(&sync_trial) + most * sizeof(uint32_t),
			    &sync_trial.buffer, error);
	if (ret)
		return ret;
	memset(sync_trial.buffer.memory, 0, sizeof(struct sync_answer));
	ret = try_bit(&sync_trial, &kept, error);
	buffer_destroy(&sync_trial.buffer);
	if (ret)
		return ret;
	if (kept)
		control->sync_is_kept = true;
	else
		control->sync = 0;
	return 0;
}
