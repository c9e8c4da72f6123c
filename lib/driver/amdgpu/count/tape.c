/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/tape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/seldom.h"
#include "driver/amdgpu/count/ring.h"

/* The kernel deals command buffers out to the dies as it sees fit. */
#define MOST_TRIES 64

/* What was read of other instances is read again so often. */
#define MOST_AGAIN 3

typedef void (*track_writer)(struct pm4 *pm4, const struct commands *commands);

static const track_writer writers[TAPE_TRACKS] = {
	[TAPE_START] = commands_start,
	[TAPE_SAMPLE] = commands_sample,
	[TAPE_CLEAR] = commands_clear,
	[TAPE_CHANGE] = commands_change,
	[TAPE_STOP] = commands_stop,
	[TAPE_OPEN] = commands_open,
	[TAPE_CLOSE] = commands_close,
};

/* What the tracks read, and how much room all of it takes. */
struct reading {
	struct commands_read *all;     /* the selection */
	struct commands_read *changed; /* ... and behind it what is moved */
	struct commands_read *again;   /* cells that saturate, stored so, too */
	size_t all_count, changed_count, again_count;
};

static void
add_read(struct commands_read *reads, size_t *count, size_t result,
	 const struct selection *selection, const struct cell *cell)
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
list_changed(struct reading *reading, const struct selection *selection,
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
list_reads(struct reading *reading, const struct selection *selection,
	   const struct selection *moved)
{
	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct cell *cell = &selection->cells[i];
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
reading_finish(struct reading *reading)
{
	free(reading->all);
	free(reading->changed);
	free(reading->again);
}

/* -ENOMEM leaves nothing behind. */
static int
reading_init(struct reading *reading, const struct selection *selection,
	     const struct selection *moved)
{
	size_t count = selection->cell_count;
	size_t size = sizeof(*reading->all);

	*reading = (struct reading){
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
result_count(const struct reading *reading)
{
	size_t cleared = reading->all_count + reading->again_count;

	return cleared > reading->changed_count ? cleared
						: reading->changed_count;
}

static size_t
write_track(struct tape *tape, enum tape_track track,
	    const struct commands *all, uint32_t *dwords)
{
	const struct queue_info *info = channel_info(tape->channel);
	enum pm4_engine engine = tape->tracks[track].engine;
	struct commands_watch watch = watch_reads(&tape->watch);
	struct commands own = *all;
	struct pm4 pm4 = { .dwords = dwords,
			   .engine = engine,
			   .level = own.core->level,
			   .dies = tape->dies,
			   .source = own.core->commands.source,
			   .window = core_window_open(own.core, engine,
						      info->firmware[engine]) };

	own.watch = track == TAPE_SAMPLE ? &watch : NULL;
	own.written = &tape->tracks[track].written;
	own.written->index_count = 0;
	commands_begin(&pm4, &own);
	if (info->has_ring[engine])
		writers[track](&pm4, &own);
	if (track == TAPE_STOP)
		tape->at_clock = pm4.marked;
	if (track == TAPE_START || track == TAPE_CHANGE)
		watch_write_all(&tape->watch, &pm4, &own,
				own.sample + tape->selects);
	commands_end(&pm4, &own);
	return pm4.count;
}

/* Return the most indices that one command buffer of the tape stores. */
static size_t
most_indices(const struct tape *tape)
{
	size_t most = 0;

	for (int i = 0; i < TAPE_TRACKS; i++) {
		const struct commands_written *written =
			&tape->tracks[i].written;

		for (unsigned k = 0; k < written->count; k++)
			if (written->buffers[k].index_count > most)
				most = written->buffers[k].index_count;
	}
	return most;
}

/* Find out where everything goes; the sample comes first. */
static size_t
lay_out(struct tape *tape, struct commands *commands, struct commands *change,
	size_t results)
{
	size_t align = channel_alignment(tape->channel);
	size_t end = sizeof(struct commands_sample) +
		     results * sizeof(struct commands_result);

	tape->selects = end;
	end += tape->watch.listed * sizeof(uint32_t);
	for (int i = 0; i < TAPE_TRACKS; i++)
		tape->tracks[i].dwords =
			write_track(tape, (enum tape_track)i,
				    i == TAPE_CHANGE ? change : commands, NULL);
	commands->shown = change->shown = end;
	end += sizeof(struct commands_shown) +
	       most_indices(tape) * sizeof(uint32_t);
	for (int i = 0; i < TAPE_TRACKS; i++) {
		end = (end + align - 1) / align * align;
		tape->tracks[i].offset = end;
		end += tape->tracks[i].dwords * sizeof(uint32_t);
	}
	return end;
}

/* -ENOMEM; they are filled when the tracks are written. */
static int
make_indices(struct tape *tape)
{
	size_t count = 0;

	for (int i = 0; i < TAPE_TRACKS; i++)
		count += tape->tracks[i].written.index_count;
	tape->indices = calloc(count + 1, sizeof(*tape->indices));
	if (!tape->indices)
		return -ENOMEM;
	count = 0;
	for (int i = 0; i < TAPE_TRACKS; i++) {
		tape->tracks[i].written.indices = &tape->indices[count];
		count += tape->tracks[i].written.index_count;
	}
	return 0;
}

static uint32_t *
track_dwords(const struct tape *tape, enum tape_track track)
{
	return (uint32_t *)((char *)tape->buffer.memory +
			    tape->tracks[track].offset);
}

void
tape_turn(struct tape *tape)
{
	const struct commands_written *written =
		&tape->tracks[TAPE_SAMPLE].written;
	const struct watch_select *select = watch_turn(&tape->watch);
	uint32_t *dwords = track_dwords(tape, TAPE_SAMPLE);

	if (!select)
		return;
	dwords[written->watch_index] = select->index;
	dwords[written->watch_select] = select->dword;
	written->indices[written->watch_shown] = select->index;
}

static int
make_sample(struct tape *tape, struct drmperf_error *error)
{
	const struct commands_written *written =
		&tape->tracks[TAPE_SAMPLE].written;
	int ret = 0;

	for (unsigned i = 0; !ret && i < written->count; i++) {
		const struct commands_buffer *buffer = &written->buffers[i];

		ret = job_create(
			tape->channel, tape->tracks[TAPE_SAMPLE].engine,
			&tape->buffer,
			tape->tracks[TAPE_SAMPLE].offset +
				buffer->begin * sizeof(uint32_t),
			buffer->end - buffer->begin, &tape->sample[i], error);
	}
	tape->samples_at_once =
		written->count == 1 && !written->buffers[0].sync && !tape->dies;
	tape->expected_indices = written->indices;
	tape->index_count = written->buffers[0].index_count;
	return ret;
}

static int
record(struct tape *tape, struct commands *commands,
       const struct reading *reading, struct drmperf_error *error)
{
	struct commands change;
	size_t size;
	int ret;

	commands->reads = reading->all;
	commands->read_count = reading->all_count;
	commands->again = reading->again;
	commands->again_count = reading->again_count;
	commands->alignment =
		channel_alignment(tape->channel) / sizeof(uint32_t);
	change = *commands;
	change.reads = reading->changed;
	change.read_count = reading->changed_count;
	size = lay_out(tape, commands, &change, result_count(reading));
	if (make_indices(tape))
		return error_set(error, -ENOMEM, "no memory");
	ret = buffer_create(tape->channel, size, &tape->buffer, error);
	if (ret)
		return ret;
	memset(tape->buffer.memory, 0, tape->tracks[0].offset);
	tape->shown =
		(const struct commands_shown *)((const char *)
							tape->buffer.memory +
						commands->shown);
	tape->shown_indices = tape->shown->indices;
	commands->sample = change.sample = tape->buffer.address;
	commands->shown += tape->buffer.address;
	change.shown = commands->shown;
	for (int i = 0; i < TAPE_TRACKS; i++)
		write_track(tape, (enum tape_track)i,
			    i == TAPE_CHANGE ? &change : commands,
			    track_dwords(tape, (enum tape_track)i));
	tape_turn(tape);
	return make_sample(tape, error);
}

static int
choose_rings(struct tape *tape, const struct selection *selection,
	     struct drmperf_error *error)
{
	enum pm4_engine engine, other;
	int ret;

	ret = ring_choose(selection, channel_info(tape->channel), &engine,
			  error);
	if (ret)
		return ret;
	other = engine == PM4_ENGINE_GFX ? PM4_ENGINE_COMPUTE : PM4_ENGINE_GFX;
	for (int i = 0; i < TAPE_TRACKS; i++)
		tape->tracks[i].engine = i < TAPE_OPEN ? engine : other;
	return 0;
}

int
tape_create(struct channel *channel, uint32_t dies,
	    const struct selection *selection, const struct selection *moved,
	    const struct commands_selects *selects,
	    const struct commands_marker *marker, const struct pulses *pulses,
	    uint32_t *sync, struct tape **out, struct drmperf_error *error)
{
	struct commands commands = { .core = selection->core,
				     .selects = selects,
				     .unused = selects_unused(selection->core,
							      selects),
				     .marker = *marker,
				     .pulses = pulses->all,
				     .pulse_count = pulses->count,
				     .stages = selection->stages,
				     .needs = selection->also_needs };
	struct tape *tape = calloc(1, sizeof(*tape));
	struct reading reading;
	int ret;

	if (!tape || reading_init(&reading, selection, moved)) {
		free(tape);
		return error_set(error, -ENOMEM, "no memory");
	}
	commands.needs |= commands_needs(&commands);
	tape->channel = channel;
	tape->core = selection->core;
	tape->sync = sync;
	tape->dies = dies;
	tape->again = selection->cell_count;
	tape->marker = *marker;
	tape->pulses = *pulses;
	ret = choose_rings(tape, selection, error);
	if (!ret && watch_init(&tape->watch, &commands, selection))
		ret = error_set(error, -ENOMEM, "no memory");
	if (!ret)
		ret = record(tape, &commands, &reading, error);
	reading_finish(&reading);
	if (!ret) {
		*out = tape;
		return 0;
	}
	tape_destroy(tape);
	return ret;
}

/* What is not the kernel's. */
static void
free_tape(struct tape *tape)
{
	for (unsigned i = 0; i < COMMANDS_BUFFERS; i++)
		job_destroy(tape->sample[i]);
	watch_finish(&tape->watch);
	free(tape->indices);
	free(tape);
}

void
tape_destroy(struct tape *tape)
{
	if (!tape)
		return;
	buffer_destroy(&tape->buffer);
	free_tape(tape);
}

void
tape_abandon(struct tape *tape)
{
	if (!tape)
		return;
	buffer_abandon(&tape->buffer);
	free_tape(tape);
}

/* ------------------------------------------------------------------ */
/* Command buffers                                                      */

/* A command buffer of a track, by its number. */
struct place {
	enum tape_track track;
	unsigned number;
};

static const struct commands_buffer *
buffer_at(const struct tape *tape, struct place at)
{
	return &tape->tracks[at.track].written.buffers[at.number];
}

static int
run_once(struct tape *tape, struct place at, struct drmperf_error *error)
{
	const struct commands_buffer *buffer = buffer_at(tape, at);

	if (at.track == TAPE_SAMPLE)
		return job_run(tape->sample[at.number], error);
	return channel_run(tape->channel, tape->tracks[at.track].engine,
			   &tape->buffer,
			   tape->tracks[at.track].offset +
				   buffer->begin * sizeof(uint32_t),
			   buffer->end - buffer->begin, error);
}

static int
say_elsewhere(struct drmperf_error *error)
{
	error_set(error, -EIO,
		  "the kernel runs the commands on other dies than the one "
		  "that counts");
	error_remedy(error, "partition the GPU so that every die is a device "
			    "(as root: echo CPX > current_compute_partition "
			    "in its folder of sysfs)");
	return -EIO;
}

static int
run_on_die(struct tape *tape, struct place at, struct drmperf_error *error)
{
	volatile struct commands_sample *sample = tape->buffer.memory;
	int ret = 0;

	if (!tape->dies)
		return run_once(tape, at, error);
	sample->done = 0;
	for (int i = 0; !ret && i < MOST_TRIES; i++) {
		ret = run_once(tape, at, error);
		if (sample->done)
			return ret;
	}
	return ret ? ret : say_elsewhere(error);
}

/* The next sample is known by a bit that is other than before. */
static void
flip_sync(struct tape *tape, struct place at)
{
	const size_t dword = buffer_at(tape, at)->sync;
	const uint32_t bit =
		tape->core->controls[CORE_SQG_PERFCOUNTER_CTRL].sync;
	uint32_t *value = &track_dwords(tape, at.track)[dword];

	if (!dword)
		return;
	*tape->sync = !*tape->sync;
	*value = (*value & ~bit) | (*tape->sync ? bit : 0);
}

/*
 * The command processor shows a ring that did not write the register last
 * nothing of it: then the fence between a sample and its reads has to do.
 */
static bool
has_lost_owner(const struct tape *tape)
{
	const struct core_control *sqg =
		&tape->core->controls[CORE_SQG_PERFCOUNTER_CTRL];

	if (tape->core->sq_control == CORE_SQ_KEPT)
		return false;
	for (uint32_t i = 0; i < TOPOLOGY_ENGINES; i++)
		if (tape->core->engines >> i & 1 &&
		    tape->shown->sync[i] != sqg->reset)
			return false;
	return true;
}

static bool
engines_hold(const struct tape *tape, struct place at)
{
	const struct core_control *controls = tape->core->controls;
	const uint32_t bit = controls[CORE_SQG_PERFCOUNTER_CTRL].sync;
	const uint32_t state = controls[CORE_GRBMH_SYNC].value;
	const struct commands_buffer *buffer = buffer_at(tape, at);
	const bool shows_sync = buffer->shows_sync && !has_lost_owner(tape);
	const uint32_t sync = *tape->sync ? bit : 0;

	if (!shows_sync && !buffer->shows_state)
		return true;
	for (uint32_t i = 0; i < TOPOLOGY_ENGINES; i++) {
		if (!(tape->core->engines >> i & 1))
			continue;
		if (shows_sync && (tape->shown->sync[i] ^ sync) & bit)
			return false;
		if (buffer->shows_state && ~tape->shown->state[i] & state)
			return false;
	}
	return true;
}

static bool
indices_hold(const struct tape *tape, struct place at)
{
	const struct commands_buffer *buffer = buffer_at(tape, at);
	const uint32_t *indices = tape->tracks[at.track].written.indices;

	return tape->index_is_unread ||
	       !memcmp(tape->shown->indices, &indices[buffer->first_index],
		       buffer->index_count * sizeof(*indices));
}

static bool
holds(const struct tape *tape, struct place at)
{
	return indices_hold(tape, at) && engines_hold(tape, at);
}

/* Whether one value is shown whatever was written: it does not read back. */
static bool
shows_only(const struct tape *tape, struct place at, uint32_t value)
{
	for (size_t i = 0; i < buffer_at(tape, at)->index_count; i++)
		if (tape->shown->indices[i] != value)
			return false;
	return true;
}

static int
say_lost_reads(const struct tape *tape, struct place at,
	       struct drmperf_error *error)
{
	if (!indices_hold(tape, at)) {
		error_set(
			error, -EBUSY,
			"other instances of the counters were read than those "
			"meant: something else keeps writing GRBM_GFX_INDEX");
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

/* What was found before anything was written is found the first time only. */
static int
run_once_more(struct tape *tape, struct place at, struct drmperf_error *error)
{
	struct commands_sample *sample = tape->buffer.memory;
	const uint32_t clock = sample->clock;
	int ret = run_on_die(tape, at, error);

	sample->clock = clock;
	return ret;
}

/*
 * Where the first reads of all show nothing but one value each time, that is no
 * other program: the register does not read back.
 */
static SELDOM int
run_again(struct tape *tape, struct place at, struct drmperf_error *error)
{
	const uint32_t value = tape->shown->indices[0];
	bool same = at.track == TAPE_START || at.track == TAPE_CHANGE;
	int ret;

	for (int i = 0; i < MOST_AGAIN; i++) {
		same = same && shows_only(tape, at, value);
		ret = run_once_more(tape, at, error);
		if (ret || holds(tape, at))
			return ret;
	}
	if (!indices_hold(tape, at))
		tape->index_is_unread = same && shows_only(tape, at, value);
	if (tape->index_is_unread) {
		tape->index_count = 0;
		if (holds(tape, at))
			return 0;
	}
	return say_lost_reads(tape, at, error);
}

int
tape_sample_again(struct tape *tape, struct drmperf_error *error)
{
	return run_again(tape, (struct place){ TAPE_SAMPLE, 0 }, error);
}

int
tape_run_alone(struct tape *tape, enum tape_track track,
	       struct drmperf_error *error)
{
	struct place at = { .track = track };
	int ret = 0;

	if (!tape->tracks[track].dwords)
		return 0;
	for (; !ret && at.number < tape->tracks[track].written.count;
	     at.number++) {
		flip_sync(tape, at);
		ret = run_on_die(tape, at, error);
		if (!ret && !holds(tape, at))
			ret = run_again(tape, at, error);
	}
	return ret;
}

static const uint32_t *
shown_selects(const struct tape *tape)
{
	return (const uint32_t *)((const char *)tape->buffer.memory +
				  tape->selects);
}

static int
start(struct tape *tape, struct drmperf_error *error)
{
	int ret;

	*tape->sync = 0;
	ret = tape_run_alone(tape, TAPE_START, error);
	if (!ret)
		ret = tape_run_alone(tape, TAPE_OPEN, error);
	if (ret)
		return ret;
	watch_begin(&tape->watch, tape_sample(tape), shown_selects(tape));
	pulses_begin(&tape->pulses, tape_sample(tape));
	tape_turn(tape);
	return 0;
}

static int
change(struct tape *tape, struct drmperf_error *error)
{
	int ret = tape_run_alone(tape, TAPE_CHANGE, error);

	if (!ret)
		pulses_begin(&tape->pulses, tape_sample(tape));
	return ret;
}

static int
stop(struct tape *tape, struct drmperf_error *error)
{
	int ret = tape_run_alone(tape, TAPE_CLOSE, error);
	int stopped = tape_run_alone(tape, TAPE_STOP, ret ? NULL : error);

	return ret ? ret : stopped;
}

int
tape_run(struct tape *tape, enum tape_track track, struct drmperf_error *error)
{
	switch (track) {
	case TAPE_START:
		return start(tape, error);
	case TAPE_CHANGE:
		return change(tape, error);
	case TAPE_STOP:
		return stop(tape, error);
	case TAPE_SAMPLE:
		return tape_take_sample(tape, error);
	default:
		return tape_run_alone(tape, track, error);
	}
}

bool
tape_found(const struct tape *tape, uint32_t *clock)
{
	const struct commands_sample *sample = tape_sample(tape);

	if (!tape->at_clock)
		return true;
	if (watch_was_counting(sample->state_found))
		return false;
	*clock = sample->clock;
	return true;
}

void
tape_put_back(struct tape *tape, uint32_t clock)
{
	char *commands = (char *)tape->buffer.memory +
			 tape->tracks[TAPE_STOP].offset;

	if (tape->at_clock)
		((uint32_t *)commands)[tape->at_clock] = clock;
}

bool
tape_is_ours(struct tape *tape, const struct tape *before)
{
	if (!watch_go_on(&tape->watch, &before->watch, tape_sample(tape),
			 shown_selects(tape)))
		return false;
	tape_turn(tape);
	return true;
}
