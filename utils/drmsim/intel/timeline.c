/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/word.h"

#define FOREVER UINT64_MAX

void
sim_timeline_init(struct sim_timeline *timeline, uint32_t context)
{
	*timeline = (struct sim_timeline){ .count = 1 };
	timeline->phases[0] = (struct sim_phase){ .context = context,
						  .weight = 1,
						  .ticks = FOREVER };
}

/* Parse "2ms*3": the first part as a time, the second as a weight. */
static int
parse_span(char *text, uint64_t frequency, struct sim_phase *phase)
{
	char *star = strchr(text, '*');
	uint64_t ns, weight;
	unsigned __int128 ticks;

	if (star) {
		*star = '\0';
		if (sim_word_u64(star + 1, &weight) || weight > 1000000)
			return -EINVAL;
		phase->weight = (uint32_t)weight;
	}
	if (sim_word_time(text, &ns) || ns == 0)
		return -EINVAL;
	ticks = (unsigned __int128)ns * frequency / 1000000000;
	phase->ticks = ticks ? (uint64_t)ticks : 1;
	return 0;
}

static int
parse_phase(char *text, uint64_t frequency, struct sim_phase *phase)
{
	char *span = strchr(text, ':');
	uint64_t context;

	*phase = (struct sim_phase){ .weight = 1, .ticks = FOREVER };
	if (span)
		*span++ = '\0';
	if (strcmp(text, "idle") == 0) {
		phase->idle = true;
		phase->weight = 0;
	} else if (sim_word_u64(text, &context) || context > UINT32_MAX) {
		return -EINVAL;
	} else {
		phase->context = (uint32_t)context;
	}
	return span ? parse_span(span, frequency, phase) : 0;
}

int
sim_timeline_parse(struct sim_timeline *timeline, const char *text,
		   uint64_t frequency, uint64_t origin)
{
	struct sim_timeline new = { .origin = origin };
	char *copy = strdup(text);
	char *rest = copy, *item;
	int error = copy ? 0 : -ENOMEM;

	while (!error && (item = strsep(&rest, ","))) {
		if (new.count == SIM_PHASES_MAX)
			error = -EINVAL;
		else
			error = parse_phase(item, frequency,
					    &new.phases[new.count++]);
	}
	/* nothing comes after a phase without end */
	for (size_t i = 0; !error && i + 1 < new.count; i++) {
		if (new.phases[i].ticks == FOREVER)
			error = -EINVAL;
	}
	if (!error)
		*timeline = new;
	free(copy);
	return error;
}

const struct sim_phase *
sim_cursor_phase(const struct sim_cursor *cursor)
{
	return &cursor->timeline->phases[cursor->phase];
}

uint64_t
sim_cursor_end(const struct sim_cursor *cursor)
{
	uint64_t ticks = sim_cursor_phase(cursor)->ticks;

	return ticks == FOREVER ? FOREVER : cursor->start + ticks;
}

/* Move within the phase. */
static void
cursor_move(struct sim_cursor *cursor, uint64_t tick)
{
	const struct sim_phase *phase = sim_cursor_phase(cursor);
	uint64_t ticks = tick - cursor->tick;

	if (!phase->idle) {
		cursor->busy += ticks;
		if (!cursor->only || cursor->only == phase->context)
			cursor->weighted += ticks * phase->weight;
	}
	cursor->tick = tick;
}

void
sim_cursor_advance(struct sim_cursor *cursor, uint64_t tick)
{
	while (sim_cursor_end(cursor) <= tick) {
		cursor_move(cursor, sim_cursor_end(cursor));
		cursor->start = cursor->tick;
		cursor->phase = (cursor->phase + 1) % cursor->timeline->count;
	}
	cursor_move(cursor, tick);
}

/* Find the phase at tick without walking all cycles since the origin. */
static void
cursor_place(struct sim_cursor *cursor, uint64_t tick)
{
	const struct sim_timeline *timeline = cursor->timeline;
	uint64_t length = 0;

	cursor->phase = 0;
	cursor->start = timeline->origin;
	cursor->tick = timeline->origin;
	if (timeline->phases[timeline->count - 1].ticks != FOREVER) {
		for (size_t i = 0; i < timeline->count; i++)
			length += timeline->phases[i].ticks;
		cursor->start += (tick - timeline->origin) / length * length;
		cursor->tick = cursor->start;
	}
	sim_cursor_advance(cursor, tick);
}

void
sim_cursor_init(struct sim_cursor *cursor, const struct sim_timeline *timeline,
		uint32_t only, uint64_t tick)
{
	*cursor = (struct sim_cursor){ .timeline = timeline, .only = only };
	cursor_place(cursor, tick);
	cursor->busy = 0;
	cursor->weighted = 0;
}

void
sim_cursor_restart(struct sim_cursor *cursor)
{
	uint64_t busy = cursor->busy, weighted = cursor->weighted;

	cursor_place(cursor, cursor->tick);
	cursor->busy = busy;
	cursor->weighted = weighted;
}
