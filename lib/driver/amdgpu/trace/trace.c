/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each shader engine writes tokens to a buffer of its own, in the address space
 * that armed it and by default only of waves that have that. It stops where the
 * buffer is full.
 */
#include "driver/amdgpu/trace/trace.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/amdgpu/trace/commands.h"

#define SIZE_DEFAULT (UINT64_C(32) << 20)
#define SIZE_MOST (UINT64_C(2) << 30)

/* The end of tokens is awaited for so long, by looking every millisecond. */
#define AWAIT_MS 1000

static const struct solo_words words = { "waves", "traced", "trace" };

struct gfx_trace {
	/* its buffer: cells, what the start stores, commands, and the data */
	struct solo solo;
	bool is_open; /* solo is */
	struct trace_commands commands;
	size_t offsets[TRACE_STEPS], dwords[TRACE_STEPS];
	size_t data; /* of the first engine, in the buffer */
	bool has_ended; /* what was written can be handed on */
	bool is_unfinished; /* tokens may be missing in the end */
	struct drmperf_trace_info info;
};

/* ------------------------------------------------------------------ */
/* Refusals                                                             */

static int
check_all_programs(const struct gpu *gpu, const struct trace_table *table,
		   struct drmperf_error *error)
{
	const char *reason = "it can trace one program at a time";
	uint32_t bits = 0;

	for (size_t i = 0; i < table->write_count; i++)
		bits |= table->writes[i].all_programs;
	if (bits && chip_lists(gpu->topology.untested, GPU_TRACES_ALL))
		return 0;
	if (bits)
		reason = topology_hidden_reason(&gpu->topology, GPU_TRACES_ALL,
						"it has not been tested");
	error_set(error, -ENOTSUP,
		  "waves of other programs are not traced on %s: %s",
		  gpu->chip.name, reason);
	error_remedy(
		error,
		bits ? "\"drmperf selftest --stage 9 --again\" tries it; or "
		       "trace within the program, or set "
		       "DRMPERF_UNTESTED=" GPU_TRACES_ALL
		       ": at worst the GPU hangs"
		     : "trace within the program");
	return -ENOTSUP;
}

static int
check_gpu(const struct gpu *gpu, const struct drmperf_trace_options *options,
	  struct trace_table *table, struct drmperf_error *error)
{
	int ret = solo_check_gpu(gpu, &words, error);

	if (!ret)
		ret = trace_table_read(gpu, table, error);
	if (ret)
		return ret;
	if (!amd_device_info(gpu->dev)->has_ring[PM4_ENGINE_GFX])
		return error_set(error, -ENOTSUP,
				 "waves are traced on GPUs with a ring of "
				 "graphics, which %s has not",
				 gpu->chip.name);
	return options->all_programs ? check_all_programs(gpu, table, error)
				     : 0;
}

static int
choose_size(uint64_t wanted, uint64_t *out, struct drmperf_error *error)
{
	if (!wanted)
		wanted = SIZE_DEFAULT;
	*out = (wanted + TRACE_PAGE - 1) / TRACE_PAGE * TRACE_PAGE;
	if (wanted <= SIZE_MOST)
		return 0;
	error_set(error, -EINVAL,
		  "a shader engine's buffer has 2 GiB at most, not %llu bytes",
		  (unsigned long long)wanted);
	error_remedy(error, "trace for a shorter time, or without tokens of "
			    "instructions");
	return -EINVAL;
}

/* ------------------------------------------------------------------ */
/* Memory and commands                                                  */

static void *
buffer_at(const struct gfx_trace *trace, size_t offset)
{
	return (char *)trace->solo.buffer.memory + offset;
}

static size_t
write_step(const struct gfx_trace *trace, enum trace_step step,
	   uint32_t *dwords, size_t *marked)
{
	const struct core *core = trace->commands.core;
	const struct amd_device_info *info = amd_context_info(trace->solo.ctx);
	struct pm4 pm4 = {
		.dwords = dwords,
		.engine = PM4_ENGINE_GFX,
		.level = core->level,
		.source = core->commands.source,
		.window = core_window_open(core, PM4_ENGINE_GFX,
					   info->firmware[PM4_ENGINE_GFX]),
	};

	trace_commands_write(&pm4, &trace->commands, step);
	*marked = pm4.marked;
	pm4_pad(&pm4,
		amd_context_alignment(trace->solo.ctx) / sizeof(uint32_t));
	return pm4.count;
}

static size_t
round_up(size_t size, size_t unit)
{
	return (size + unit - 1) / unit * unit;
}

/* Lay the buffer out, from behind what the GPU stores. Returns its size. */
static size_t
lay_out_buffer(struct gfx_trace *trace, size_t end)
{
	const size_t align = amd_context_alignment(trace->solo.ctx);
	size_t marked;

	for (enum trace_step step = TRACE_START; step < TRACE_STEPS; step++) {
		trace->dwords[step] = write_step(trace, step, NULL, &marked);
		trace->offsets[step] = round_up(end, align);
		end = trace->offsets[step] +
		      trace->dwords[step] * sizeof(uint32_t);
	}
	trace->data = round_up(end, TRACE_PAGE);
	return trace->data +
	       trace->commands.engine_count * trace->commands.size;
}

static int
make_buffer(struct gfx_trace *trace, struct drmperf_error *error)
{
	struct trace_commands *commands = &trace->commands;
	struct solo *solo = &trace->solo;
	const size_t begun = TOPOLOGY_ENGINES * sizeof(struct trace_cell);
	const size_t armed = begun + sizeof(struct solo_begun);
	const size_t size = lay_out_buffer(trace, armed + sizeof(uint32_t));
	size_t marked;
	int ret = buffer_create(solo->ctx, size, &solo->buffer, error);

	if (ret)
		return ret;
	memset(solo->buffer.memory, 0, trace->data);
	solo->begun = buffer_at(trace, begun);
	solo->armed = buffer_at(trace, armed);
	commands->cells = solo->buffer.address;
	commands->begun = solo->buffer.address + begun;
	commands->data = solo->buffer.address + trace->data;
	for (enum trace_step step = TRACE_START; step < TRACE_STEPS; step++)
		write_step(trace, step, buffer_at(trace, trace->offsets[step]),
			   &marked);
	return 0;
}

/* ------------------------------------------------------------------ */
/* The end                                                              */

static int
run_step(struct gfx_trace *trace, enum trace_step step)
{
	return solo_run_last(&trace->solo, PM4_ENGINE_GFX, trace->offsets[step],
			     trace->dwords[step]);
}

/*
 * Read what was found, so that it can be put back, which is known once the
 * trace has begun.
 */
static int
run_read(struct gfx_trace *trace)
{
	uint32_t *dwords = buffer_at(trace, trace->offsets[TRACE_READ]);
	size_t marked;

	write_step(trace, TRACE_READ, dwords, &marked);
	if (marked)
		dwords[marked] = trace->solo.begun->clock;
	return run_step(trace, TRACE_READ);
}

static const struct trace_cell *
cell_at(const struct gfx_trace *trace, size_t engine)
{
	return (const struct trace_cell *)trace->solo.buffer.memory + engine;
}

/* Return whether the bits are set in the status of all engines, or are not. */
static bool
has_status(const struct gfx_trace *trace, uint32_t bits, bool set)
{
	for (size_t i = 0; i < trace->commands.engine_count; i++) {
		const _Atomic uint32_t *status =
			(const void *)&cell_at(trace, i)->status;

		if (!(atomic_load(status) & bits) == set)
			return false;
	}
	return true;
}

/* Returns 0; -ETIME if that did not come; what else the kernel returns. */
static int
await_status(struct gfx_trace *trace, uint32_t bits, bool set)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < AWAIT_MS; i++) {
		int ret = run_step(trace, TRACE_LOOK);

		if (ret || has_status(trace, bits, set))
			return ret;
		nanosleep(&pause, NULL);
	}
	return -ETIME;
}

/*
 * Finish the engines. Tokens of engines that never finish are missing, and the
 * trace is ended.
 */
static int
finish_engines(struct gfx_trace *trace)
{
	const uint32_t finished = trace->commands.table.finished;
	int ret;

	/* Nothing finishes that the commands of the start have not begun. */
	if (trace->solo.begun->timestamp == SOLO_NOT_BEGUN)
		return 0;
	ret = run_step(trace, TRACE_FINISH);
	if (!ret && finished)
		ret = await_status(trace, finished, true);
	trace->is_unfinished = ret == -ETIME;
	return ret == -ETIME ? 0 : ret;
}

static int
disarm_engines(struct gfx_trace *trace)
{
	int ret = finish_engines(trace);

	if (!ret)
		ret = run_step(trace, TRACE_DISARM);
	return ret ? ret
		   : await_status(trace, trace->commands.table.busy, false);
}

static int
finish_trace(void *data)
{
	struct gfx_trace *trace = data;
	int ret = disarm_engines(trace), read = run_read(trace);

	if (!ret)
		ret = read;
	trace->has_ended = !ret && !amd_context_was_reset(trace->solo.ctx);
	return ret;
}

static void
trace_stop(void *data)
{
	struct gfx_trace *trace = data;

	if (trace->is_open)
		solo_end(&trace->solo);
}

/* ------------------------------------------------------------------ */
/* The begin                                                            */

/* Caller holds the lock of the slot table. */
static int
start_solo(struct gfx_trace *trace, struct drmperf_error *error)
{
	struct solo *solo = &trace->solo;
	int ret = solo_take(solo, error);

	if (!ret)
		ret = make_buffer(trace, error);
	if (!ret)
		ret = solo_start(solo, error);
	if (!ret)
		ret = amd_context_run(solo->ctx, PM4_ENGINE_GFX, &solo->buffer,
				      trace->offsets[TRACE_START],
				      trace->dwords[TRACE_START], error);
	if (!ret)
		solo_commit(solo);
	return ret;
}

static int
begin_trace(struct gfx_trace *trace, struct drmperf_error *error)
{
	int ret = solo_open(&trace->solo, error);

	if (ret)
		return ret;
	trace->is_open = true;
	trace->has_ended = false;
	ret = slot_table_lock(trace->solo.table, error);
	if (ret)
		return ret;
	ret = start_solo(trace, error);
	slot_table_unlock(trace->solo.table);
	return ret;
}

static void
close_solo(struct gfx_trace *trace, bool is_child)
{
	if (trace->is_open)
		solo_close(&trace->solo, is_child);
	trace->is_open = false;
}

static void
trace_close(void *data, bool is_child)
{
	close_solo(data, is_child);
	free(data);
}

static void
find_engines(struct trace_commands *commands, const struct topology *topology)
{
	for (unsigned i = 0; i < topology->engines; i++) {
		int unit = trace_table_unit(&commands->table, topology, i);

		if (unit < 0)
			continue;
		commands->engines[commands->engine_count++] =
			(struct trace_engine){ i, (unsigned)unit };
	}
}

static void
prepare_solo(struct gfx_trace *trace, const struct solo *wanted)
{
	trace->solo = (struct solo){
		.words = &words,
		.gpu = wanted->gpu,
		.is_supervised = wanted->is_supervised,
		.clock_wanted = wanted->clock_wanted,
		.finish = finish_trace,
		.data = trace,
	};
}

static int
prepare_trace(struct gfx_trace *trace, struct gpu *gpu,
	      const struct drmperf_trace_options *options,
	      struct drmperf_error *error)
{
	const struct solo wanted = {
		.gpu = gpu,
		.is_supervised = options->supervise,
		.clock_wanted = options->clock,
	};
	struct trace_commands *commands = &trace->commands;
	int ret = check_gpu(gpu, options, &commands->table, error);

	if (!ret && options->clock > DRMPERF_CLOCK_PEAK)
		ret = error_set(error, -EINVAL, "there is no clock mode %d",
				(int)options->clock);
	if (!ret)
		ret = choose_size(options->buffer_size, &commands->size, error);
	if (ret)
		return ret;
	commands->core = &gpu->core;
	commands->is_brief = options->omit_instructions;
	commands->is_of_all = options->all_programs;
	find_engines(commands, &gpu->topology);
	trace->info = (struct drmperf_trace_info){
		.buffer_size = commands->size,
		.engine_count = (unsigned)commands->engine_count,
		.core_level = gpu->core.level,
	};
	prepare_solo(trace, &wanted);
	return 0;
}

static void *
trace_place(void *data)
{
	struct gfx_trace *trace = data;

	return &trace->solo;
}

static int
trace_check(void *device, const struct drmperf_trace_options *options,
	    struct drmperf_error *error)
{
	struct gfx_trace trace = { 0 };

	return prepare_trace(&trace, device, options, error);
}

static int
trace_open(void *device, const struct drmperf_trace_options *options,
	   void **out, const struct drmperf_trace_info **info,
	   struct drmperf_error *error)
{
	struct gfx_trace *trace = calloc(1, sizeof(*trace));
	int ret;

	if (!trace)
		return error_set(error, -ENOMEM, "no memory");
	ret = prepare_trace(trace, device, options, error);
	if (!ret)
		ret = begin_trace(trace, error);
	if (ret) {
		trace_close(trace, false);
		return ret;
	}
	*out = trace;
	*info = &trace->info;
	return 0;
}

/* ------------------------------------------------------------------ */
/* What was written                                                     */

/* Return how many bytes an engine has written, wherever its pointer counts. */
static uint64_t
count_written(const struct gfx_trace *trace, size_t engine)
{
	const struct trace_commands *commands = &trace->commands;
	const struct trace_table *table = &commands->table;
	uint64_t pointer = cell_at(trace, engine)->pointer;

	if (table->is_absolute)
		pointer -=
			(commands->data + engine * commands->size) / TRACE_UNIT;
	return (pointer & table->pointer_mask) * TRACE_UNIT;
}

static void
describe_loss(const struct gfx_trace *trace, size_t i,
	      struct drmperf_trace_engine *out)
{
	const struct trace_table *table = &trace->commands.table;
	const struct trace_cell *cell = cell_at(trace, i);

	if (table->written.byte) {
		out->dropped =
			cell->dropped - (uint32_t)(out->size / TRACE_UNIT);
		out->is_full = out->dropped > 0;
	} else {
		out->dropped = cell->dropped;
		out->is_full = out->size + TRACE_UNIT >= trace->commands.size;
	}
}

static void
describe_engine(const struct gfx_trace *trace, size_t i,
		struct drmperf_trace_engine *out)
{
	const struct trace_commands *commands = &trace->commands;

	*out = (struct drmperf_trace_engine){
		.engine = commands->engines[i].number,
		.unit = commands->engines[i].unit,
		.data = buffer_at(trace, trace->data + i * commands->size),
		.size = count_written(trace, i),
		.has_failed =
			cell_at(trace, i)->status & commands->table.failed,
		.is_unfinished = trace->is_unfinished,
	};
	describe_loss(trace, i, out);
	out->has_failed = out->has_failed || out->size > commands->size;
	if (out->size > commands->size)
		out->size = 0;
}

static int
explain_lost(const struct gfx_trace *trace, struct drmperf_error *error)
{
	if (!trace->is_open) {
		error_set(error, -ECANCELED, "the trace was not begun again");
		error_remedy(error, "try drmperf_trace_restart() again, which "
				    "has failed");
		return -ECANCELED;
	}
	if (trace->solo.is_left_on) {
		error_set(error, -ETIME,
			  "the trace was not ended: shader engines stayed busy "
			  "for a second, or the GPU took no commands");
		error_remedy(error, "its memory is kept until this process "
				    "ends; end what else traces the GPU");
		return -ETIME;
	}
	error_set(error, -ECANCELED,
		  "the GPU was reset, which ended the trace");
	error_remedy(error, "trace again; the kernel's log (dmesg) shows why "
			    "it was reset");
	return -ECANCELED;
}

static int
trace_end(void *data, drmperf_trace_fn receive, void *receiver,
	  struct drmperf_error *error)
{
	struct gfx_trace *trace = data;
	struct drmperf_trace_engine engine;

	if (trace->is_open)
		solo_end(&trace->solo);
	if (!trace->is_open || !trace->has_ended)
		return explain_lost(trace, error);
	for (size_t i = 0; receive && i < trace->commands.engine_count; i++) {
		describe_engine(trace, i, &engine);
		receive(receiver, &engine);
	}
	return 0;
}

static bool
buffer_was_full(const struct gfx_trace *trace)
{
	struct drmperf_trace_engine engine;

	for (size_t i = 0; i < trace->commands.engine_count; i++) {
		describe_engine(trace, i, &engine);
		if (engine.is_full)
			return true;
	}
	return false;
}

static int
trace_restart(void *data, struct drmperf_error *error)
{
	struct gfx_trace *trace = data;
	const struct solo *solo = &trace->solo, before = *solo;
	int ret = 0;

	trace_stop(trace);
	if (solo->is_left_on)
		return explain_lost(trace, error);
	if (trace->is_open && trace->has_ended && buffer_was_full(trace))
		ret = choose_size(2 * trace->commands.size,
				  &trace->commands.size, error);
	if (ret)
		return ret;
	trace->info.buffer_size = trace->commands.size;
	close_solo(trace, false);
	prepare_solo(trace, &before);
	ret = begin_trace(trace, error);
	if (ret)
		close_solo(trace, false);
	return ret;
}

const struct trace_ops gfx_trace_ops = {
	.check = trace_check,
	.open = trace_open,
	.end = trace_end,
	.restart = trace_restart,
	.place = trace_place,
	.stop = trace_stop,
	.close = trace_close,
};
