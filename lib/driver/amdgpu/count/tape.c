/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/tape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/amdgpu/count/ring.h"

/* The kernel deals command buffers out to the dies as it sees fit. */
#define MOST_TRIES 64

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
	    const struct commands *commands, uint32_t *dwords)
{
	const struct queue_info *info = channel_info(tape->channel);
	enum pm4_engine engine = tape->tracks[track].engine;
	struct pm4 pm4 = { .dwords = dwords,
			   .engine = engine,
			   .level = commands->core->level,
			   .dies = tape->dies,
			   .source = commands->core->commands.source,
			   .window = core_window_open(commands->core, engine,
						      info->firmware[engine]) };

	if (track == TAPE_SAMPLE)
		watch_write(&tape->watch, &pm4, commands->sample);
	if (info->has_ring[engine])
		writers[track](&pm4, commands);
	if (track == TAPE_STOP)
		tape->at_clock = pm4.marked;
	if (track == TAPE_START || track == TAPE_CHANGE)
		watch_write_all(&tape->watch, &pm4, commands->sample,
				commands->sample + tape->selects);
	pm4_pad(&pm4, channel_alignment(tape->channel) / sizeof(uint32_t));
	return pm4.count;
}

/* Find out where everything goes; the sample comes first. */
static size_t
lay_out(struct tape *tape, const struct commands *commands,
	const struct commands *change, size_t results)
{
	size_t align = channel_alignment(tape->channel);
	size_t end = sizeof(struct commands_sample) +
		     results * sizeof(struct commands_result);

	tape->selects = end;
	end += tape->watch.listed * sizeof(uint32_t);
	for (int i = 0; i < TAPE_TRACKS; i++) {
		end = (end + align - 1) / align * align;
		tape->tracks[i].offset = end;
		tape->tracks[i].dwords =
			write_track(tape, (enum tape_track)i,
				    i == TAPE_CHANGE ? change : commands, NULL);
		end += tape->tracks[i].dwords * sizeof(uint32_t);
	}
	return end;
}

void
tape_turn(struct tape *tape)
{
	watch_turn(&tape->watch,
		   (uint32_t *)((char *)tape->buffer.memory +
				tape->tracks[TAPE_SAMPLE].offset));
}

static int
record(struct tape *tape, struct commands *commands,
       const struct reading *reading, struct drmperf_error *error)
{
	struct commands change;
	int ret;

	commands->reads = reading->all;
	commands->read_count = reading->all_count;
	commands->again = reading->again;
	commands->again_count = reading->again_count;
	change = *commands;
	change.reads = reading->changed;
	change.read_count = reading->changed_count;
	ret = buffer_create(
		tape->channel,
		lay_out(tape, commands, &change, result_count(reading)),
		&tape->buffer, error);
	if (ret)
		return ret;
	memset(tape->buffer.memory, 0, tape->tracks[0].offset);
	commands->sample = tape->buffer.address;
	change.sample = tape->buffer.address;
	for (int i = 0; i < TAPE_TRACKS; i++)
		write_track(tape, (enum tape_track)i,
			    i == TAPE_CHANGE ? &change : commands,
			    (uint32_t *)((char *)tape->buffer.memory +
					 tape->tracks[i].offset));
	tape_turn(tape);
	return job_create(tape->channel, tape->tracks[TAPE_SAMPLE].engine,
			  &tape->buffer, tape->tracks[TAPE_SAMPLE].offset,
			  tape->tracks[TAPE_SAMPLE].dwords, &tape->sample,
			  error);
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
	    struct tape **out, struct drmperf_error *error)
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

void
tape_destroy(struct tape *tape)
{
	if (!tape)
		return;
	job_destroy(tape->sample);
	buffer_destroy(&tape->buffer);
	watch_finish(&tape->watch);
	free(tape);
}

void
tape_abandon(struct tape *tape)
{
	if (!tape)
		return;
	job_destroy(tape->sample);
	buffer_abandon(&tape->buffer);
	watch_finish(&tape->watch);
	free(tape);
}

static int
run_once(struct tape *tape, enum tape_track track, struct drmperf_error *error)
{
	if (!tape->tracks[track].dwords)
		return 0;
	return channel_run(tape->channel, tape->tracks[track].engine,
			   &tape->buffer, tape->tracks[track].offset,
			   tape->tracks[track].dwords, error);
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

int
tape_run_on_die(struct tape *tape, enum tape_track track,
		struct drmperf_error *error)
{
	volatile struct commands_sample *sample = tape->buffer.memory;
	int ret = 0;

	if (!tape->dies)
		return run_once(tape, track, error);
	sample->done = 0;
	for (int i = 0; !ret && i < MOST_TRIES; i++) {
		ret = run_once(tape, track, error);
		if (sample->done)
			return ret;
	}
	return ret ? ret : say_elsewhere(error);
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
	int ret = tape_run_on_die(tape, TAPE_START, error);

	if (!ret)
		ret = run_once(tape, TAPE_OPEN, error);
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
	int ret = tape_run_on_die(tape, TAPE_CHANGE, error);

	if (!ret)
		pulses_begin(&tape->pulses, tape_sample(tape));
	return ret;
}

static int
stop(struct tape *tape, struct drmperf_error *error)
{
	int ret = run_once(tape, TAPE_CLOSE, error);
	int stopped = tape_run_on_die(tape, TAPE_STOP, ret ? NULL : error);

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
		return tape_run_on_die(tape, track, error);
	}
}

void
tape_found(const struct tape *tape, uint32_t *clock)
{
	if (tape->at_clock)
		*clock = tape_sample(tape)->clock;
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
