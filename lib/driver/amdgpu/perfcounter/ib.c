/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/perfcounter/ib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cold.h"
#include "driver/amdgpu/selection/selection.h"

/* Attempts to reach a certain XCC: the kernel chooses one for each buffer. */
#define MOST_TRIES 64

/* Most repetitions of an IB whose reads were steered to wrong instances. */
#define MOST_AGAIN 3

/*
 * Limit of a brief wait, while samples of other GPUs are still to be waited
 * for.
 */
#define BRIEFLY_NS UINT64_C(100000000)

typedef void (*ib_writer)(struct pm4 *pm4, const struct commands *commands);

static const ib_writer writers[IB_KINDS] = {
	[IB_START] = commands_start,	[IB_SAMPLE] = commands_sample,
	[IB_CLEAR] = commands_clear,	[IB_CHANGE] = commands_change,
	[IB_STOP] = commands_stop,	[IB_GFX_START] = commands_open,
	[IB_GFX_STOP] = commands_close,
};

/* The reads of the IBs. */
struct ib_reads {
	struct commands_read *all; /* the selection */
	struct commands_read *changed; /* then cells that moved, too */
	struct commands_read *again; /* saturating cells, read a second time */
	size_t all_count, changed_count, again_count;
};

static void
add_read(struct commands_read *reads, size_t *count, size_t result,
	 const struct selection *selection, const struct value_cell *cell)
{
	const struct counter *counter = &selection->counters[cell->counter];

	reads[(*count)++] = (struct commands_read){
		.block = (uint32_t)counter->block,
		.instance = cell->instance,
		.slot = cell->slot,
		.result = (uint32_t)result,
	};
}

static void
list_changed(struct ib_reads *reading, const struct selection *selection,
	     const struct selection *moved)
{
	memcpy(reading->changed, reading->all,
	       reading->all_count * sizeof(*reading->all));
	reading->changed_count = reading->all_count;
	if (!moved)
		return;
	for (size_t i = 0; i < moved->cell_count; i++)
		add_read(reading->changed, &reading->changed_count,
			 selection->cell_count + i, moved, &moved->cells[i]);
	qsort(reading->changed, reading->changed_count,
	      sizeof(*reading->changed), commands_read_compare);
}

static void
list_reads(struct ib_reads *reading, const struct selection *selection,
	   const struct selection *moved)
{
	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct value_cell *cell = &selection->cells[i];
		size_t block = selection->counters[cell->counter].block;

		add_read(reading->all, &reading->all_count, i, selection, cell);
		if (selection->core->blocks[block].saturates)
			add_read(reading->again, &reading->again_count,
				 selection->cell_count + reading->again_count,
				 selection, cell);
	}
	qsort(reading->all, reading->all_count, sizeof(*reading->all),
	      commands_read_compare);
	qsort(reading->again, reading->again_count, sizeof(*reading->again),
	      commands_read_compare);
	list_changed(reading, selection, moved);
}

static void
reading_finish(struct ib_reads *reading)
{
	free(reading->all);
	free(reading->changed);
	free(reading->again);
}

/* List the reads. Returns 0, or -ENOMEM with nothing allocated. */
static int
reading_init(struct ib_reads *reading, const struct selection *selection,
	     const struct selection *moved)
{
	size_t count = selection->cell_count;
	size_t size = sizeof(*reading->all);

	*reading = (struct ib_reads){
		.all = calloc(count + 1, size),
		.changed = calloc(count + (moved ? moved->cell_count : 0) + 1,
				  size),
		.again = calloc(count + 1, size),
	};
	if (!reading->all || !reading->changed || !reading->again) {
		reading_finish(reading);
		return -ENOMEM;
	}
	list_reads(reading, selection, moved);
	return 0;
}

static size_t
result_count(const struct ib_reads *reading)
{
	size_t cleared = reading->all_count + reading->again_count;

	return cleared > reading->changed_count ? cleared
						: reading->changed_count;
}

static size_t
write_ib(struct ibs *ibs, enum ib_kind ib, const struct commands *all,
	 uint32_t *dwords)
{
	const struct amd_device_info *info = amd_context_info(ibs->ctx);
	enum pm4_engine engine = ibs->list[ib].engine;
	struct commands_readback readback = readback_of_sample(&ibs->readback);
	struct commands own = *all;
	struct pm4 pm4 = { .dwords = dwords,
			   .engine = engine,
			   .level = own.core->level,
			   .xccs = ibs->all_xccs ? 0 : ibs->xccs,
			   .all_xccs = ibs->all_xccs,
			   .xcc_stride = ibs->xcc_stride,
			   .source = own.core->commands.source,
			   .window = core_window_open(own.core, engine,
						      info->firmware[engine]) };

	own.readback = ib == IB_SAMPLE ? &readback : NULL;
	own.written = &ibs->list[ib].written;
	own.written->index_count = 0;
	commands_begin(&pm4, &own);
	if (info->has_ring[engine])
		writers[ib](&pm4, &own);
	if (ib == IB_STOP)
		ibs->at_clock = pm4.marked;
	if (ib == IB_START || ib == IB_CHANGE)
		readback_write_all(&ibs->readback, &pm4, &own,
				   own.sample + ibs->selects);
	commands_end(&pm4, &own);
	return pm4.count;
}

/* Return whether an IB is ever run, and so has to be written. */
static bool
is_run(const struct ibs *ibs, enum ib_kind ib)
{
	switch (ib) {
	case IB_CLEAR:
		return ibs->clears;
	case IB_CHANGE:
		return !ibs->begins;
	default:
		return true;
	}
}

/* Return the most indices that one command buffer of the IBs stores. */
static size_t
most_indices(const struct ibs *ibs)
{
	size_t most = 0;

	for (int i = 0; i < IB_KINDS; i++) {
		const struct commands_written *written = &ibs->list[i].written;

		for (unsigned k = 0; k < written->count; k++)
			if (written->buffers[k].index_count > most)
				most = written->buffers[k].index_count;
	}
	return most;
}

/* Lay out the buffer: the sample, the values that are shown, then the IBs. */
static size_t
lay_out_ibs(struct ibs *ibs, struct commands *commands, struct commands *change,
	    size_t results)
{
	size_t align = amd_context_alignment(ibs->ctx);
	size_t end = sizeof(struct commands_sample) +
		     results * sizeof(struct commands_result);

	ibs->selects = end;
	end += ibs->readback.listed * sizeof(uint32_t);
	for (int i = 0; i < IB_KINDS; i++) {
		if (is_run(ibs, (enum ib_kind)i))
			ibs->list[i].dwords = write_ib(
				ibs, (enum ib_kind)i,
				i == IB_CHANGE ? change : commands, NULL);
	}
	commands->shown = change->shown = end;
	end += sizeof(struct commands_shown) +
	       most_indices(ibs) * sizeof(uint32_t);
	ibs->xcc_stride = (end + align - 1) / align * align;
	if (ibs->all_xccs)
		end = ibs->all_xccs * ibs->xcc_stride;
	for (int i = 0; i < IB_KINDS; i++) {
		end = (end + align - 1) / align * align;
		ibs->list[i].offset = end;
		end += ibs->list[i].dwords * sizeof(uint32_t);
	}
	return end;
}

/*
 * Make room for the indices, which are filled when the IBs are written. Returns
 * 0, or -ENOMEM.
 */
static int
make_indices(struct ibs *ibs)
{
	size_t count = 0;

	for (int i = 0; i < IB_KINDS; i++)
		count += ibs->list[i].written.index_count;
	ibs->indices = calloc(count + 1, sizeof(*ibs->indices));
	if (!ibs->indices)
		return -ENOMEM;
	count = 0;
	for (int i = 0; i < IB_KINDS; i++) {
		ibs->list[i].written.indices = &ibs->indices[count];
		count += ibs->list[i].written.index_count;
	}
	return 0;
}

static uint32_t *
ib_dwords(const struct ibs *ibs, enum ib_kind ib)
{
	return (uint32_t *)((char *)ibs->buffer.memory + ibs->list[ib].offset);
}

void
ibs_turn(struct ibs *ibs)
{
	const struct commands_written *written = &ibs->list[IB_SAMPLE].written;
	const struct readback_select *select = readback_next(&ibs->readback);
	uint32_t *dwords = ib_dwords(ibs, IB_SAMPLE);

	if (!select)
		return;
	dwords[written->readback_index] = select->index;
	for (size_t i = 0; i < (ibs->all_xccs ? ibs->all_xccs : 1); i++)
		dwords[written->readback_select - i * PM4_XCC_COPY_DWORDS] =
			select->dword;
	written->indices[written->readback_shown] = select->index;
}

static int
make_sample(struct ibs *ibs, struct drmperf_error *error)
{
	const struct commands_written *written = &ibs->list[IB_SAMPLE].written;
	int ret = 0;

	for (unsigned i = 0; !ret && i < written->count; i++) {
		const struct commands_buffer *buffer = &written->buffers[i];

		ret = amd_submission_create(
			ibs->ctx, ibs->list[IB_SAMPLE].engine, &ibs->buffer,
			ibs->list[IB_SAMPLE].offset +
				buffer->begin * sizeof(uint32_t),
			buffer->end - buffer->begin, &ibs->sample[i], error);
	}
	/*
	 * reads behind another buffer's writes need proof that these have
	 * arrived
	 */
	if (!ret)
		amd_submission_spin(ibs->sample[written->count - 1]);
	ibs->samples_at_once =
		written->count == 1 && !written->buffers[0].sync && !ibs->xccs;
	ibs->expected_indices = written->indices;
	ibs->index_count = written->buffers[0].index_count;
	return ret;
}

static int
record_commands(struct ibs *ibs, struct commands *commands,
		const struct ib_reads *reading, struct drmperf_error *error)
{
	struct commands change;
	size_t size;
	int ret;

	commands->reads = reading->all;
	commands->read_count = reading->all_count;
	commands->again = reading->again;
	commands->again_count = reading->again_count;
	commands->alignment =
		amd_context_alignment(ibs->ctx) / sizeof(uint32_t);
	change = *commands;
	change.reads = reading->changed;
	change.read_count = reading->changed_count;
	size = lay_out_ibs(ibs, commands, &change, result_count(reading));
	if (make_indices(ibs))
		return error_set(error, -ENOMEM, "no memory");
	if (ibs->all_xccs)
		ibs->sum = calloc(ibs->keeps_xccs ? 1 + ibs->all_xccs : 1,
				  ibs->xcc_stride);
	if (ibs->all_xccs && !ibs->sum)
		return error_set(error, -ENOMEM, "no memory");
	ret = buffer_create(ibs->ctx, size, &ibs->buffer, error);
	if (ret)
		return ret;
	ibs->taken = ibs->sum ? ibs->sum : ibs->buffer.memory;
	memset(ibs->buffer.memory, 0, ibs->list[0].offset);
	ibs->shown =
		(const struct commands_shown *)((const char *)
							ibs->buffer.memory +
						commands->shown);
	ibs->shown_indices = ibs->shown->indices;
	commands->sample = change.sample = ibs->buffer.address;
	commands->shown += ibs->buffer.address;
	change.shown = commands->shown;
	for (int i = 0; i < IB_KINDS; i++) {
		if (is_run(ibs, (enum ib_kind)i))
			write_ib(ibs, (enum ib_kind)i,
				 i == IB_CHANGE ? &change : commands,
				 ib_dwords(ibs, (enum ib_kind)i));
	}
	ibs_turn(ibs);
	return make_sample(ibs, error);
}

static int
choose_rings(struct ibs *ibs, const struct selection *selection,
	     struct drmperf_error *error)
{
	enum pm4_engine engine, other;
	int ret;

	ret = ring_select(selection, amd_context_info(ibs->ctx), &engine,
			  error);
	if (ret)
		return ret;
	other = engine == PM4_ENGINE_GFX ? PM4_ENGINE_COMPUTE : PM4_ENGINE_GFX;
	for (int i = 0; i < IB_KINDS; i++)
		ibs->list[i].engine = i < IB_GFX_START ? engine : other;
	return 0;
}

int
ibs_create(struct amd_context *ctx, uint32_t xccs,
	   const struct selection *selection, const struct selection *moved,
	   const struct select_regs *selects,
	   const struct commands_reset_check *reset_check,
	   const struct block_clocks *block_clocks, bool begins, uint32_t *sync,
	   struct ibs **out, struct drmperf_error *error)
{
	struct commands commands = { .core = selection->core,
				     .selects = selects,
				     .unused = select_regs_unused(
					     selection->core, selects),
				     .reset_check = *reset_check,
				     .block_clocks = block_clocks->all,
				     .block_clock_count = block_clocks->count,
				     .stages = selection->stages,
				     .needs = selection->also_needs };
	struct ibs *ibs = calloc(1, sizeof(*ibs));
	struct ib_reads reading;
	int ret;

	if (!ibs || reading_init(&reading, selection, moved)) {
		free(ibs);
		return error_set(error, -ENOMEM, "no memory");
	}
	commands.needs |= commands_needs(&commands);
	ibs->ctx = ctx;
	ibs->core = selection->core;
	ibs->sync = sync;
	ibs->xccs = xccs;
	if (xccs & (xccs - 1))
		ibs->all_xccs = (unsigned)__builtin_popcount(xccs);
	ibs->keeps_xccs = selection->xccs;
	ibs->again = selection->cell_count;
	ibs->clears = reading.again_count;
	ibs->begins = begins;
	ibs->reset_check = *reset_check;
	ibs->block_clocks = *block_clocks;
	ret = choose_rings(ibs, selection, error);
	if (!ret && readback_init(&ibs->readback, &commands, selection))
		ret = error_set(error, -ENOMEM, "no memory");
	if (!ret)
		ret = record_commands(ibs, &commands, &reading, error);
	reading_finish(&reading);
	if (!ret) {
		*out = ibs;
		return 0;
	}
	ibs_destroy(ibs);
	return ret;
}

/* Free memory of this process, not of the kernel. */
static void
free_ibs(struct ibs *ibs)
{
	for (unsigned i = 0; i < COMMANDS_BUFFERS; i++)
		amd_submission_destroy(ibs->sample[i]);
	readback_finish(&ibs->readback);
	free(ibs->indices);
	free(ibs->sum);
	free(ibs);
}

void
ibs_destroy(struct ibs *ibs)
{
	if (!ibs)
		return;
	buffer_destroy(&ibs->buffer);
	free_ibs(ibs);
}

void
ibs_abandon(struct ibs *ibs)
{
	if (!ibs)
		return;
	buffer_abandon(&ibs->buffer);
	free_ibs(ibs);
}

/* ------------------------------------------------------------------ */
/* Command buffers                                                      */

/* A command buffer of an IB, by its number. */
struct place {
	enum ib_kind ib;
	unsigned number;
};

static const struct commands_buffer *
buffer_at(const struct ibs *ibs, struct place at)
{
	return &ibs->list[at.ib].written.buffers[at.number];
}

static int
run_buffer_once(struct ibs *ibs, struct place at, struct drmperf_error *error)
{
	const struct commands_buffer *buffer = buffer_at(ibs, at);

	if (at.ib == IB_SAMPLE)
		return amd_submission_run(ibs->sample[at.number], error);
	return amd_context_run(ibs->ctx, ibs->list[at.ib].engine, &ibs->buffer,
			       ibs->list[at.ib].offset +
				       buffer->begin * sizeof(uint32_t),
			       buffer->end - buffer->begin, error);
}

static int
explain_elsewhere(struct drmperf_error *error)
{
	error_set(error, -EIO,
		  "the kernel runs the commands on other dies than the one "
		  "that counts");
	error_remedy(error, "partition the GPU so that every die is a device "
			    "(as root: echo CPX > current_compute_partition "
			    "in its folder of sysfs)");
	return -EIO;
}

/* ------------------------------------------------------------------ */
/* Samples of all XCCs                                                  */

static struct commands_sample *
sample_of_xcc(const struct ibs *ibs, unsigned xcc)
{
	return (struct commands_sample *)((char *)ibs->buffer.memory +
					  xcc * ibs->xcc_stride);
}

static void
clear_done(struct ibs *ibs)
{
	for (unsigned xcc = 0; xcc < ibs->all_xccs; xcc++)
		*(volatile uint32_t *)&sample_of_xcc(ibs, xcc)->done = 0;
}

/*
 * Copy the registers of an XCC that differ from the first one's, so that the
 * checks see any deviation.
 */
static void
show_registers(uint32_t *shown, const uint32_t *first, const uint32_t *other,
	       size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (other[i] != first[i])
			shown[i] = other[i];
}

/* Add the counters of an XCC; the accumulator knows how wide they are. */
static void
add_xcc(struct ibs *ibs, unsigned xcc)
{
	const struct commands_sample *first = ibs->buffer.memory;
	const struct commands_sample *other = sample_of_xcc(ibs, xcc);
	struct commands_sample *sum = ibs->sum;
	const size_t results =
		(ibs->selects - sizeof(*sum)) / sizeof(sum->results[0]);

	for (size_t i = 0; i < results; i++)
		sum->results[i].value += other->results[i].value;
	for (size_t i = 0; i < COMMANDS_BLOCK_CLOCKS; i++)
		sum->block_clocks[i] += other->block_clocks[i];
	for (size_t i = 0; i < 2; i++)
		sum->reset_check[i] += other->reset_check[i];
	show_registers(sum->seen, first->seen, other->seen, COMMANDS_SEEN);
	show_registers(&sum->stale, &first->stale, &other->stale, 1);
	show_registers(&sum->clock, &first->clock, &other->clock, 1);
	show_registers(&sum->clock_now, &first->clock_now, &other->clock_now,
		       1);
	show_registers(&sum->state_found, &first->state_found,
		       &other->state_found, 1);
	show_registers((uint32_t *)((char *)sum + ibs->selects),
		       (const uint32_t *)((const char *)first + ibs->selects),
		       (const uint32_t *)((const char *)other + ibs->selects),
		       ibs->readback.listed);
}

static int
sum_xccs(struct ibs *ibs, struct drmperf_error *error)
{
	const size_t size = (size_t)((const char *)ibs->shown -
				     (const char *)ibs->buffer.memory);

	for (unsigned xcc = 0; xcc < ibs->all_xccs; xcc++) {
		if (sample_of_xcc(ibs, xcc)->done)
			continue;
		error_set(error, -EIO,
			  "die %u has not run the commands that the others "
			  "have run",
			  xcc);
		error_remedy(error, "count one die with DRMPERF_DIES=one");
		return -EIO;
	}
	memcpy(ibs->sum, ibs->buffer.memory, size);
	for (unsigned xcc = 1; xcc < ibs->all_xccs; xcc++)
		add_xcc(ibs, xcc);
	if (ibs->keeps_xccs)
		memcpy((char *)ibs->sum + ibs->xcc_stride, ibs->buffer.memory,
		       ibs->all_xccs * ibs->xcc_stride);
	return 0;
}

static int
run_on_all_xccs(struct ibs *ibs, struct place at, struct drmperf_error *error)
{
	int ret;

	clear_done(ibs);
	ret = run_buffer_once(ibs, at, error);
	return ret ? ret : sum_xccs(ibs, error);
}

static int
run_on_xcc(struct ibs *ibs, struct place at, struct drmperf_error *error)
{
	volatile struct commands_sample *sample = ibs->buffer.memory;
	int ret = 0;

	if (ibs->all_xccs)
		return run_on_all_xccs(ibs, at, error);
	if (!ibs->xccs)
		return run_buffer_once(ibs, at, error);
	sample->done = 0;
	for (int i = 0; !ret && i < MOST_TRIES; i++) {
		ret = run_buffer_once(ibs, at, error);
		if (sample->done)
			return ret;
	}
	return ret ? ret : explain_elsewhere(error);
}

/* Flip the sync bit, which tells the next sample from earlier ones. */
static void
flip_sync(struct ibs *ibs, struct place at)
{
	const size_t dword = buffer_at(ibs, at)->sync;
	const uint32_t bit =
		ibs->core->controls[CORE_SQG_PERFCOUNTER_CTRL].sync;
	uint32_t *value = &ib_dwords(ibs, at.ib)[dword];

	if (!dword)
		return;
	*ibs->sync = !*ibs->sync;
	*value = (*value & ~bit) | (*ibs->sync ? bit : 0);
}

/*
 * Return whether another ring owns the SQ's control registers. The command
 * processor hides them from all other rings, so the sync bit cannot be read:
 * the fence between a sample and its reads has to suffice.
 */
static bool
has_lost_owner(const struct ibs *ibs)
{
	const struct core_control *sqg =
		&ibs->core->controls[CORE_SQG_PERFCOUNTER_CTRL];

	if (ibs->core->sq_control == CORE_SQ_KEPT)
		return false;
	for (uint32_t i = 0; i < TOPOLOGY_ENGINES; i++)
		if (ibs->core->engines >> i & 1 &&
		    ibs->shown->sync[i] != sqg->reset)
			return false;
	return true;
}

static bool
engines_hold(const struct ibs *ibs, struct place at)
{
	const struct core_control *controls = ibs->core->controls;
	const uint32_t bit = controls[CORE_SQG_PERFCOUNTER_CTRL].sync;
	const uint32_t state = controls[CORE_GRBMH_SYNC].value;
	const struct commands_buffer *buffer = buffer_at(ibs, at);
	const bool shows_sync = buffer->shows_sync && !has_lost_owner(ibs);
	const uint32_t sync = *ibs->sync ? bit : 0;

	if (!shows_sync && !buffer->shows_state)
		return true;
	for (uint32_t i = 0; i < TOPOLOGY_ENGINES; i++) {
		if (!(ibs->core->engines >> i & 1))
			continue;
		if (shows_sync && (ibs->shown->sync[i] ^ sync) & bit)
			return false;
		if (buffer->shows_state && ~ibs->shown->state[i] & state)
			return false;
	}
	return true;
}

static const struct commands_shown *
shown_of_xcc(const struct ibs *ibs, unsigned xcc)
{
	return (const struct commands_shown *)((const char *)ibs->shown +
					       xcc * ibs->xcc_stride);
}

static bool
indices_hold(const struct ibs *ibs, struct place at)
{
	const struct commands_buffer *buffer = buffer_at(ibs, at);
	const uint32_t *indices =
		&ibs->list[at.ib].written.indices[buffer->first_index];
	unsigned xcc = 0;

	if (ibs->index_is_unread)
		return true;
	do {
		if (memcmp(shown_of_xcc(ibs, xcc)->indices, indices,
			   buffer->index_count * sizeof(*indices)))
			return false;
	} while (++xcc < ibs->all_xccs);
	return true;
}

static bool
holds_sample(const struct ibs *ibs, struct place at)
{
	return indices_hold(ibs, at) && engines_hold(ibs, at);
}

/*
 * Return whether all reads of GRBM_GFX_INDEX show value whatever was written:
 * the register does not read back.
 */
static bool
shows_only(const struct ibs *ibs, struct place at, uint32_t value)
{
	unsigned xcc = 0;

	do {
		for (size_t i = 0; i < buffer_at(ibs, at)->index_count; i++)
			if (shown_of_xcc(ibs, xcc)->indices[i] != value)
				return false;
	} while (++xcc < ibs->all_xccs);
	return true;
}

static int
explain_lost_reads(const struct ibs *ibs, struct place at,
		   struct drmperf_error *error)
{
	if (!indices_hold(ibs, at)) {
		error_set(
			error, -EBUSY,
			"the wrong instances of counters were read: something "
			"else keeps writing GRBM_GFX_INDEX");
		error_remedy(
			error,
			"do not read the occupancy of compute units "
			"(cu_occupancy of /sys/class/kfd) or memory errors "
			"of this GPU while it counts, as rocm-smi and "
			"amd-smi do");
		return -EBUSY;
	}
	error_set(error, -EIO,
		  "not all shader engines show that a sample was taken: "
		  "something else keeps writing SQG_PERFCOUNTER_CTRL");
	error_remedy(error, "see that no other profiler uses this GPU");
	return -EIO;
}

/*
 * Run the buffer again, but keep the clock register that its first run has
 * found: it was read before anything was written.
 */
static int
run_once_more(struct ibs *ibs, struct place at, struct drmperf_error *error)
{
	const uint32_t clock = ibs_sample(ibs)->clock;
	int ret = run_on_xcc(ibs, at, error);

	ibs->taken->clock = clock;
	return ret;
}

/*
 * Run the buffer again to find out whether GRBM_GFX_INDEX reads back. If all of
 * its first reads show the same value every time, no program steers it: the
 * register does not read back.
 */
static COLD int
run_buffer_again(struct ibs *ibs, struct place at, struct drmperf_error *error)
{
	const uint32_t value = ibs->shown->indices[0];
	bool same = at.ib == IB_START || at.ib == IB_CHANGE;
	int ret;

	for (int i = 0; i < MOST_AGAIN; i++) {
		same = same && shows_only(ibs, at, value);
		ret = run_once_more(ibs, at, error);
		if (ret || holds_sample(ibs, at))
			return ret;
	}
	if (!indices_hold(ibs, at))
		ibs->index_is_unread = same && shows_only(ibs, at, value);
	if (ibs->index_is_unread) {
		ibs->index_count = 0;
		if (holds_sample(ibs, at))
			return 0;
	}
	return explain_lost_reads(ibs, at, error);
}

int
ibs_sample_again(struct ibs *ibs, struct drmperf_error *error)
{
	return run_buffer_again(ibs, (struct place){ IB_SAMPLE, 0 }, error);
}

/* Run the buffer again if the sample of its first run is incomplete. */
static int
ibs_complete_sample(struct ibs *ibs, struct place at,
		    struct drmperf_error *error)
{
	return holds_sample(ibs, at) ? 0 : run_buffer_again(ibs, at, error);
}

/* Run this command buffer and those after it. */
static int
run_buffers_from(struct ibs *ibs, struct place at, struct drmperf_error *error)
{
	int ret = 0;

	for (; !ret && at.number < ibs->list[at.ib].written.count;
	     at.number++) {
		flip_sync(ibs, at);
		ret = run_on_xcc(ibs, at, error);
		if (!ret)
			ret = ibs_complete_sample(ibs, at, error);
	}
	return ret;
}

int
ibs_run_one(struct ibs *ibs, enum ib_kind ib, struct drmperf_error *error)
{
	return ibs->list[ib].dwords
		       ? run_buffers_from(ibs, (struct place){ .ib = ib },
					  error)
		       : 0;
}

int
ibs_submit_sample(struct ibs *ibs, struct drmperf_error *error)
{
	volatile struct commands_sample *sample = ibs->buffer.memory;

	if (ibs->readback.count > 1)
		ibs_turn(ibs);
	flip_sync(ibs, (struct place){ IB_SAMPLE, 0 });
	if (ibs->all_xccs)
		clear_done(ibs);
	else if (ibs->xccs)
		sample->done = 0;
	return amd_submission_submit(ibs->sample[0], error);
}

int
ibs_wait_sample(struct ibs *ibs, bool briefly, struct drmperf_error *error)
{
	volatile struct commands_sample *sample = ibs->buffer.memory;
	const struct place first = { IB_SAMPLE, 0 };
	int ret = briefly ? amd_submission_wait_briefly(ibs->sample[0],
							BRIEFLY_NS, error)
			  : amd_submission_wait(ibs->sample[0], error);

	if (ret)
		return ret;
	if (ibs->samples_at_once)
		return ibs_indices_hold(ibs) ? 0 : ibs_sample_again(ibs, error);
	if (ibs->all_xccs)
		ret = sum_xccs(ibs, error);
	else if (ibs->xccs && !sample->done)
		ret = run_on_xcc(ibs, first, error);
	if (!ret)
		ret = ibs_complete_sample(ibs, first, error);
	return ret ? ret
		   : run_buffers_from(ibs, (struct place){ IB_SAMPLE, 1 },
				      error);
}

const uint32_t *
ibs_selects(const struct ibs *ibs)
{
	return (const uint32_t *)((const char *)ibs_sample(ibs) + ibs->selects);
}

static int
run_start(struct ibs *ibs, struct drmperf_error *error)
{
	int ret;

	*ibs->sync = 0;
	ret = ibs_run_one(ibs, IB_START, error);
	return ret ? ret : ibs_run_one(ibs, IB_GFX_START, error);
}

static int
run_stop(struct ibs *ibs, struct drmperf_error *error)
{
	int ret = ibs_run_one(ibs, IB_GFX_STOP, error);
	int stopped = ibs_run_one(ibs, IB_STOP, ret ? NULL : error);

	return ret ? ret : stopped;
}

int
ibs_run(struct ibs *ibs, enum ib_kind ib, struct drmperf_error *error)
{
	switch (ib) {
	case IB_START:
		return run_start(ibs, error);
	case IB_STOP:
		return run_stop(ibs, error);
	case IB_SAMPLE:
		return ibs_take_sample(ibs, error);
	default:
		return ibs_run_one(ibs, ib, error);
	}
}

bool
ibs_found_clock(const struct ibs *ibs, uint32_t *clock)
{
	const struct commands_sample *sample = ibs_sample(ibs);

	if (!ibs->at_clock)
		return true;
	if (readback_was_counting(sample->state_found))
		return false;
	*clock = sample->clock;
	return true;
}

void
ibs_set_clock(struct ibs *ibs, uint32_t clock)
{
	char *commands = (char *)ibs->buffer.memory + ibs->list[IB_STOP].offset;

	if (ibs->at_clock)
		((uint32_t *)commands)[ibs->at_clock] = clock;
}
