/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/stream_recorder.h"

#include <errno.h>
#include <stdlib.h>

#include "rgp/rgp_machine.h"

/* Before the second sample nothing tells how long an interval takes. */
#define INTERVAL_NS 1000

int
stream_recorder_start(struct stream_recorder *stream, struct drmperf *drmperf,
		      const struct columns *columns, unsigned period_cycles,
		      struct recorder *recorder, struct drmperf_error *error)
{
	const struct drmperf_stream_options options = {
		.size = sizeof(options),
		.period_cycles = period_cycles,
		.supervise = 1,
	};
	const struct selection_list *choice = &columns->choice;

	stream->recorder = recorder;
	stream->columns = columns;
	stream->totals = calloc(choice->count + 1, sizeof(*stream->totals));
	if (!stream->totals) {
		*error = (struct drmperf_error){ .code = -ENOMEM,
						 .cause = "no memory" };
		return -ENOMEM;
	}
	return drmperf_stream_create(drmperf, choice->selections, choice->count,
				     &options, &stream->stream, error);
}

int
stream_recorder_write_head(const struct stream_recorder *stream)
{
	const struct selection_list *choice = &stream->columns->choice;
	const struct drmperf_device *device =
		drmperf_event_device(choice->selections[0].event);
	struct recording_stream head = {
		.device = (int)drmperf_device_index(device),
		.period_cycles =
			drmperf_stream_info(stream->stream)->period_cycles,
		.numbers = calloc(choice->count, sizeof(*head.numbers)),
		.count = choice->count,
	};
	struct rgp_own_machine machine;

	if (!head.numbers)
		return -ENOMEM;
	for (size_t i = 0; i < choice->count; i++) {
		uint32_t number;

		if (!drmperf_event_id(choice->selections[i].event, &number))
			head.numbers[i] = number + 1;
	}
	recorder_add_stream(stream->recorder, &head);
	rgp_machine_read(device, &machine);
	recorder_add_machine(stream->recorder, &machine.facts);
	recording_stream_finish(&head);
	return 0;
}

static void
add_sample(struct stream_recorder *stream, uint64_t time_ns)
{
	const struct recording_sample sample = { .time_ns = time_ns,
						 .values = stream->totals };

	for (size_t i = 0; i < stream->columns->choice.count; i++) {
		stream->totals[i].end_ns = time_ns;
		stream->totals[i].die = -1;
	}
	recorder_add_sample(stream->recorder, &sample);
	stream->last_ns = time_ns;
}

/* Add what was counted in an interval to what was counted before. */
static void
add_values(struct stream_recorder *stream, const union drmperf_value *values)
{
	const struct selection_list *choice = &stream->columns->choice;

	for (size_t i = 0; i < choice->count; i++) {
		const struct drmperf_event *event = choice->selections[i].event;
		union drmperf_value *total = &stream->totals[i].value;

		if (drmperf_event_kind(event) != DRMPERF_KIND_CUMULATIVE)
			*total = values[i];
		else if (drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE)
			total->f64 += values[i].f64;
		else
			total->u64 += values[i].u64;
	}
}

/*
 * Begin the samples. The first interval begins with one in which nothing is
 * counted.
 */
static void
begin_samples(struct stream_recorder *stream,
	      const struct drmperf_stream_batch *batch)
{
	stream->first_ns =
		batch->times_ns[0] -
		(batch->count > 1 ? batch->times_ns[1] - batch->times_ns[0]
				  : INTERVAL_NS);
	add_sample(stream, stream->first_ns);
}

static void
take_batch(void *data, const struct drmperf_stream_batch *batch)
{
	struct stream_recorder *stream = data;
	const size_t columns = stream->columns->choice.count;

	if (!stream->samples)
		begin_samples(stream, batch);
	for (size_t i = 0; i < batch->count; i++) {
		add_values(stream, &batch->values[i * columns]);
		add_sample(stream, batch->times_ns[i]);
	}
	stream->samples += batch->count;
	stream->saturated += batch->saturated;
	stream->losses += batch->losses;
}

int
stream_recorder_write(struct stream_recorder *stream,
		      struct drmperf_error *error)
{
	return drmperf_stream_read(stream->stream, take_batch, stream, error);
}

void
stream_recorder_report(const struct stream_recorder *stream,
		       const struct tool *tool, const char *path)
{
	const double span = (double)(stream->last_ns - stream->first_ns);

	fprintf(stderr, "drmperf record: %llu intervals",
		(unsigned long long)stream->samples);
	if (stream->samples)
		fprintf(stderr, " of %.4g us",
			span / (double)stream->samples / 1000);
	fprintf(stderr, ", of all programs, in %s (drmperf report %s)\n", path,
		path);
	if (stream->losses)
		tool_warn(tool,
			  "%llu times intervals are missing: they were "
			  "overwritten before they were read; longer ones "
			  "(--every) or fewer events need less",
			  (unsigned long long)stream->losses);
	if (stream->saturated)
		tool_warn(tool,
			  "%llu values are too low: a counter had no room for "
			  "more in an interval; take shorter ones (--every), "
			  "or fewer events of a block",
			  (unsigned long long)stream->saturated);
}

void
stream_recorder_finish(struct stream_recorder *stream)
{
	drmperf_stream_destroy(stream->stream);
	free(stream->totals);
	*stream = (struct stream_recorder){ 0 };
}
