/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1000000000.0

static bool
all_momentary(const struct drmperf_selection *selections, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (drmperf_event_kind(selections[i].event) !=
		    DRMPERF_KIND_MOMENTARY)
			return false;
	}
	return true;
}

int
top_source_open(struct drmperf *drmperf,
		const struct drmperf_selection *selections, size_t count,
		struct top_source *out, struct drmperf_error *error)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .pid = -1
	};
	struct top_source source = {
		.drmperf = drmperf,
		.count = count,
		.selections = selections,
		.values = calloc(count, sizeof(*source.values)),
		.seconds = calloc(count, sizeof(*source.seconds)),
		.die = -1,
		.momentary = all_momentary(selections, count),
	};
	int ret = -ENOMEM;

	*error = (struct drmperf_error){ .code = ret, .cause = "no memory" };
	if (source.values && source.seconds)
		ret = drmperf_session_create(drmperf, selections, count,
					     &options, &source.session, error);
	if (ret)
		top_source_close(&source);
	else
		*out = source;
	return ret;
}

static int
source_start(struct top_source *source)
{
	int ret;

	if (!source->momentary)
		held_clocks_before(source->drmperf, source->selections,
				   source->count, &source->clocks);
	ret = drmperf_session_start(source->session, &source->problem);
	if (!ret)
		held_clocks_during(&source->clocks);
	source->running = !ret;
	return ret;
}

/* Take the times for which the values were counted, where they are known. */
static void
take_lengths(struct top_source *source)
{
	struct drmperf_sample_info origin = { .size = sizeof(origin) };

	for (size_t i = 0; i < source->count; i++) {
		drmperf_session_sample_info(source->session, i, &origin);
		if (origin.die >= 0)
			source->die = origin.die;
		source->seconds[i] = (double)origin.elapsed_ns / NS_PER_S;
	}
}

/*
 * Read the values. Returns 0, or a negative errno with the problem in
 * source->problem.
 */
static int
read_values(struct top_source *source)
{
	int ret = drmperf_session_read(source->session, source->values, NULL,
				       NULL, &source->problem);

	take_lengths(source);
	if (ret || source->momentary)
		return ret;
	return drmperf_session_reset(source->session, &source->problem);
}

void
top_source_read(struct top_source *source)
{
	bool begins = !source->running;
	bool is_due = !begins || source->momentary;

	source->fresh = false;
	if (begins && source_start(source))
		return;
	if (is_due && read_values(source)) {
		top_source_rest(source);
		return;
	}
	source->problem.code = 0;
	source->fresh = is_due;
}

void
top_source_rest(struct top_source *source)
{
	if (source->running)
		drmperf_session_stop(source->session, NULL);
	source->running = false;
	source->fresh = false;
}

void
top_source_close(struct top_source *source)
{
	drmperf_session_destroy(source->session);
	held_clocks_finish(&source->clocks);
	free(source->seconds);
	free(source->values);
	memset(source, 0, sizeof(*source));
}

double
top_source_number(const struct top_source *source, size_t index)
{
	const struct drmperf_event *event = source->selections[index].event;

	return drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE
		       ? source->values[index].f64
		       : (double)source->values[index].u64;
}
