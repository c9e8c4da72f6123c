/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/tape.h"

#include <errno.h>
#include <stdlib.h>

/* The kernel deals command buffers out to the dies as it sees fit. */
#define MOST_TRIES 64

typedef void (*track_writer)(struct pm4 *pm4, const struct commands *commands);

static const track_writer writers[TAPE_TRACKS] = {
	[TAPE_START] = commands_start,
	[TAPE_SAMPLE] = commands_sample,
	[TAPE_CHANGE] = commands_change,
	[TAPE_STOP] = commands_stop,
};

/* The reads of selection and, behind them, those of moved. */
static struct commands_read *
make_reads(const struct selection *selection, const struct selection *moved,
	   size_t *count)
{
	const struct selection *from[] = { selection, moved };
	struct commands_read *reads;
	size_t most = selection->cell_count + (moved ? moved->cell_count : 0);

	reads = calloc(most + 1, sizeof(*reads));
	if (!reads)
		return NULL;
	*count = 0;
	for (size_t k = 0; k < 2 && from[k]; k++) {
		for (size_t i = 0; i < from[k]->cell_count; i++) {
			const struct cell *cell = &from[k]->cells[i];
			const struct counter *counter =
				&from[k]->counters[cell->counter];

			reads[*count] = (struct commands_read){
				.block = (uint32_t)counter->block,
				.instance = cell->instance,
				.slot = counter->slot,
				.result = (uint32_t)*count,
			};
			(*count)++;
		}
	}
	qsort(reads, *count, sizeof(*reads), commands_read_compare);
	return reads;
}

static size_t
write_track(const struct tape *tape, enum tape_track track,
	    const struct commands *commands, uint32_t *dwords)
{
	const struct queue_info *info = channel_info(tape->channel);
	struct pm4 pm4 = { .dwords = dwords,
			   .engine = info->engine,
			   .level = commands->core->level,
			   .dies = tape->dies,
			   .window = core_window_open(commands->core,
						      info->engine,
						      info->firmware) };

	writers[track](&pm4, commands);
	pm4_pad(&pm4, channel_alignment(tape->channel) / sizeof(uint32_t));
	return pm4.count;
}

/* Find out where everything goes; the sample comes first. */
static size_t
lay_out(struct tape *tape, const struct commands *commands,
	const struct commands *change)
{
	size_t align = channel_alignment(tape->channel);
	size_t end = sizeof(struct commands_sample) +
		     change->read_count * sizeof(struct commands_result);

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

static int
record(struct tape *tape, struct commands *commands, struct commands *change,
       struct drmperf_error *error)
{
	int ret;

	ret = buffer_create(tape->channel, lay_out(tape, commands, change),
			    &tape->buffer, error);
	if (ret)
		return ret;
	commands->sample = tape->buffer.address;
	change->sample = tape->buffer.address;
	for (int i = 0; i < TAPE_TRACKS; i++)
		write_track(tape, (enum tape_track)i,
			    i == TAPE_CHANGE ? change : commands,
			    (uint32_t *)((char *)tape->buffer.memory +
					 tape->tracks[i].offset));
	return 0;
}

int
tape_create(struct channel *channel, uint32_t dies,
	    const struct selection *selection, const struct selection *moved,
	    const struct commands_block *blocks, struct tape **out,
	    struct drmperf_error *error)
{
	struct commands commands = { .core = selection->core,
				     .blocks = blocks,
				     .stages = selection->stages };
	struct commands change = commands;
	struct tape *tape = calloc(1, sizeof(*tape));
	struct commands_read *reads, *change_reads;
	int ret;

	reads = make_reads(selection, NULL, &commands.read_count);
	change_reads = make_reads(selection, moved, &change.read_count);
	commands.reads = reads;
	change.reads = change_reads;
	if (!tape || !reads || !change_reads) {
		ret = error_set(error, -ENOMEM, "no memory");
	} else {
		tape->channel = channel;
		tape->dies = dies;
		ret = record(tape, &commands, &change, error);
	}
	free(reads);
	free(change_reads);
	if (ret)
		free(tape);
	else
		*out = tape;
	return ret;
}

void
tape_destroy(struct tape *tape)
{
	if (!tape)
		return;
	buffer_destroy(&tape->buffer);
	free(tape);
}

void
tape_abandon(struct tape *tape)
{
	if (!tape)
		return;
	buffer_abandon(&tape->buffer);
	free(tape);
}

static int
run_once(struct tape *tape, enum tape_track track, struct drmperf_error *error)
{
	return channel_run(tape->channel, &tape->buffer,
			   tape->tracks[track].offset,
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
tape_run(struct tape *tape, enum tape_track track, struct drmperf_error *error)
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

const struct commands_sample *
tape_sample(const struct tape *tape)
{
	return tape->buffer.memory;
}
