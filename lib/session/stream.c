/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams: values of events, one for each short interval, computed from what
 * the counters of one domain have counted in it.
 */
#include "drmperf.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cancellation.h"
#include "catalog/resolve.h"
#include "device/device.h"
#include "expr/batch.h"
#include "session/session_domain.h"

/* Samples that are handed on at a time. */
#define BATCH 256

/* An event of the stream, and the requests of its counters. */
struct stream_event {
	const struct catalog_value *value;
	enum drmperf_type type;
	size_t *requests; /* like value->counters */
	struct expr_input *inputs; /* of the batch, as long as it lives */
};

struct drmperf_stream {
	struct drmperf *drmperf;
	const struct stream_ops *ops;
	void *stream; /* the driver's; NULL: it has not begun */
	const struct drmperf_stream_info *info;
	struct session_domain domain;
	struct stream_event *events;
	size_t event_count;
	uint64_t *raw; /* that the driver fills, in the order of the requests */
	struct expr_batch *batch;
	/* samples that are to be handed on */
	uint64_t times_ns[BATCH], timestamps[BATCH];
	union drmperf_value *values;
	struct drmperf_stream_batch pending;
	drmperf_stream_fn receive; /* while it is read */
	void *receiver;
};

/* ------------------------------------------------------------------ */
/* Events                                                               */

static int
explain_several(struct drmperf_error *error)
{
	error_set(error, -EINVAL, "a stream has events of one GPU");
	error_remedy(error, "name one, as by :device= in names or by -d of the "
			    "tool; another GPU can stream at the same time");
	return -EINVAL;
}

static int
add_counter(struct drmperf_stream *stream, struct drmperf_device *device,
	    const struct catalog_value *value, uint32_t counter, int instance,
	    size_t *request, struct drmperf_error *error)
{
	const struct description *description = device_description(device);
	const group_index group = value->counters[counter].group;
	struct domain *domain =
		&device->domains[description->groups[group].domain];

	if (!domain->info->stream) {
		error_set(error, -ENOTSUP, "%s cannot be streamed",
			  drmperf_event_name(value->counters[counter].event));
		error_remedy(error,
			     "leave events of the domain %s out: "
			     "counters of AMD GPUs are streamed",
			     domain->info->name);
		return -ENOTSUP;
	}
	if (stream->domain.domain && stream->domain.domain != domain)
		return explain_several(error);
	stream->domain.device = device;
	stream->domain.domain = domain;
	if (session_domain_add(&stream->domain, value, counter, instance,
			       request))
		return error_set(error, -ENOMEM, "no memory");
	return 0;
}

/*
 * Resolve an event; if it stands for any of several, take the first of those.
 */
static int
resolve_event(const struct drmperf_event *event,
	      const struct catalog_value **out, struct drmperf_error *error)
{
	int ret = catalog_resolve(event, out, error);

	if (!ret && (*out)->alternative_count)
		ret = catalog_resolve((*out)->alternatives[0], out, error);
	return ret;
}

static int
add_event(struct drmperf_stream *stream,
	  const struct drmperf_selection *selection,
	  struct drmperf_error *error)
{
	struct stream_event *event = &stream->events[stream->event_count];
	size_t count;
	int ret = resolve_event(selection->event, &event->value, error);

	if (ret)
		return ret;
	count = event->value->counter_count;
	event->type = drmperf_event_type(selection->event);
	event->requests = calloc(count + 1, sizeof(*event->requests));
	event->inputs = calloc(count + 1, sizeof(*event->inputs));
	stream->event_count++;
	if (!event->requests || !event->inputs)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; !ret && i < count; i++)
		ret = add_counter(
			stream, drmperf_event_device(selection->event),
			event->value, (uint32_t)i, selection->instance,
			&event->requests[i], error);
	return ret;
}

static int
add_events(struct drmperf_stream *stream,
	   const struct drmperf_selection *selections, size_t count,
	   struct drmperf_error *error)
{
	int ret = 0;

	stream->events = calloc(count, sizeof(*stream->events));
	if (!stream->events)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; !ret && i < count; i++)
		ret = add_event(stream, &selections[i], error);
	if (!ret && !stream->domain.domain)
		ret = error_set(error, -EINVAL,
				"a stream needs an event that has counters");
	return ret;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

static void
set_inputs(struct drmperf_stream *stream, const size_t *first, size_t total)
{
	const size_t requests = stream->domain.request_count;

	for (size_t i = 0; i < stream->event_count; i++) {
		struct stream_event *event = &stream->events[i];

		for (size_t k = 0; k < event->value->counter_count; k++) {
			const size_t at = event->requests[k];
			const size_t end =
				at + 1 < requests ? first[at + 1] : total;

			event->inputs[k] = (struct expr_input){
				.values = &stream->raw[first[at]],
				.count = end - first[at],
			};
		}
	}
}

static int
make_batch(struct drmperf_stream *stream)
{
	struct expr_batch_entry *entries =
		calloc(stream->event_count, sizeof(*entries));
	int ret;

	if (!entries)
		return -ENOMEM;
	for (size_t i = 0; i < stream->event_count; i++)
		entries[i] = (struct expr_batch_entry){
			.program = stream->events[i].value->program,
			.type = stream->events[i].type,
			.inputs = stream->events[i].inputs,
		};
	ret = expr_batch_create(entries, stream->event_count, &stream->batch);
	free(entries);
	return ret;
}

static int
make_values(struct drmperf_stream *stream, struct drmperf_error *error)
{
	const struct session_domain *domain = &stream->domain;
	size_t *first = calloc(domain->request_count + 1, sizeof(*first));
	size_t total = 0;
	int ret = -ENOMEM;

	if (first) {
		request_lay_out(domain->domain->description, domain->requests,
				domain->request_count, first, &total);
		stream->raw = calloc(total + 1, sizeof(*stream->raw));
		stream->values = calloc(BATCH * stream->event_count,
					sizeof(*stream->values));
	}
	if (first && stream->raw && stream->values) {
		set_inputs(stream, first, total);
		ret = make_batch(stream);
	}
	free(first);
	return ret ? error_set(error, ret, "no memory") : 0;
}

/* ------------------------------------------------------------------ */
/* Begin and end                                                        */

static void
stream_free(struct drmperf_stream *stream)
{
	for (size_t i = 0; i < stream->event_count; i++) {
		free(stream->events[i].requests);
		free(stream->events[i].inputs);
	}
	free(stream->events);
	free(stream->domain.requests);
	free(stream->domain.momentary);
	expr_batch_destroy(stream->batch);
	free(stream->values);
	free(stream->raw);
	free(stream);
}

/* Register the stream for drmperf_stop_all(). */
static void
set_domain_stream(const struct drmperf_stream *stream)
{
	struct domain *domain = stream->domain.domain;

	pthread_mutex_lock(&domain->lock);
	domain->stream = stream->stream;
	pthread_mutex_unlock(&domain->lock);
}

/* Unregister the stream, unless another one was registered since. */
static void
clear_domain_stream(const struct drmperf_stream *stream)
{
	struct domain *domain = stream->domain.domain;

	pthread_mutex_lock(&domain->lock);
	if (domain->stream == stream->stream)
		domain->stream = NULL;
	pthread_mutex_unlock(&domain->lock);
}

/* Find the place in a running trace at which the stream can run next to it. */
static int
find_place(const struct drmperf_stream *stream, void **out,
	   struct drmperf_error *error)
{
	struct domain *domain = stream->domain.domain;

	pthread_mutex_lock(&domain->lock);
	if (domain->trace)
		*out = domain->info->trace->place(domain->trace);
	pthread_mutex_unlock(&domain->lock);
	return *out ? 0
		    : error_set(error, -EINVAL,
				"the device is not traced, and the stream is "
				"to run with a trace");
}

static int
begin_stream(struct drmperf_stream *stream,
	     const struct drmperf_stream_options *options,
	     struct drmperf_error *error)
{
	const struct description_domain *info = stream->domain.domain->info;
	void *place = NULL;
	int ret = 0;

	if (options->beside_trace)
		ret = find_place(stream, &place, error);
	if (!ret)
		ret = stream->ops->open(info->device, stream->domain.requests,
					stream->domain.request_count, options,
					place, stream->raw, &stream->stream,
					&stream->info, error);
	if (!ret)
		set_domain_stream(stream);
	return ret;
}

/* Make a stream that has not begun, and take its options. */
static int
stream_make(struct drmperf *drmperf, const struct drmperf_selection *selections,
	    size_t count, const struct drmperf_stream_options *options,
	    struct drmperf_stream_options *taken, struct drmperf_stream **out,
	    struct drmperf_error *error)
{
	struct drmperf_stream *stream;
	int ret = fork_guard_check(&drmperf->guard, error);

	if (!ret)
		ret = options_take(options, taken, sizeof(*taken), "stream",
				   error);
	if (ret)
		return ret;
	if (!count)
		return error_set(error, -EINVAL, "a stream needs an event");
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return error_set(error, -ENOMEM, "no memory");
	stream->drmperf = drmperf;
	ret = add_events(stream, selections, count, error);
	if (ret) {
		stream_free(stream);
		return ret;
	}
	stream->ops = stream->domain.domain->info->stream;
	*out = stream;
	return 0;
}

int
drmperf_stream_check(struct drmperf *drmperf,
		     const struct drmperf_selection *selections, size_t count,
		     const struct drmperf_stream_options *options,
		     struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct drmperf_stream_options taken;
	struct drmperf_stream *stream;
	int ret = stream_make(drmperf, selections, count, options, &taken,
			      &stream, error);

	if (ret)
		return ret;
	ret = stream->ops->check(stream->domain.domain->info->device,
				 stream->domain.requests,
				 stream->domain.request_count, &taken, error);
	stream_free(stream);
	return ret;
}

int
drmperf_stream_create(struct drmperf *drmperf,
		      const struct drmperf_selection *selections, size_t count,
		      const struct drmperf_stream_options *options,
		      struct drmperf_stream **out, struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct drmperf_stream_options taken;
	struct drmperf_stream *stream;
	int ret = stream_make(drmperf, selections, count, options, &taken,
			      &stream, error);

	if (ret)
		return ret;
	ret = make_values(stream, error);
	if (!ret)
		ret = begin_stream(stream, &taken, error);
	if (ret)
		stream_free(stream);
	else
		*out = stream;
	return ret;
}

void
drmperf_stream_destroy(struct drmperf_stream *stream)
{
	NO_CANCELLATION;
	bool is_child;

	if (!stream)
		return;
	is_child = fork_guard_is_child(&stream->drmperf->guard);
	if (!is_child)
		clear_domain_stream(stream);
	stream->ops->close(stream->stream, is_child);
	stream_free(stream);
}

const struct drmperf_stream_info *
drmperf_stream_info(const struct drmperf_stream *stream)
{
	return stream->info;
}

int
drmperf_stream_fd(const struct drmperf_stream *stream)
{
	return stream->ops->fd(stream->stream);
}

const void *
drmperf_stream_ring(const struct drmperf_stream *stream, uint64_t *size)
{
	return stream->ops->ring(stream->stream, size);
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

static void
deliver_batch(struct drmperf_stream *stream)
{
	struct drmperf_stream_batch *batch = &stream->pending;

	if (!batch->count)
		return;
	batch->times_ns = stream->times_ns;
	batch->timestamps = stream->timestamps;
	batch->values = stream->values;
	stream->receive(stream->receiver, batch);
	*batch = (struct drmperf_stream_batch){ .count = 0 };
}

static void
take_sample(void *data, const struct stream_sample *sample)
{
	struct drmperf_stream *stream = data;
	struct drmperf_stream_batch *batch = &stream->pending;

	stream->times_ns[batch->count] = sample->time_ns;
	stream->timestamps[batch->count] = sample->timestamp;
	expr_batch_eval(stream->batch,
			&stream->values[batch->count * stream->event_count]);
	batch->saturated += sample->saturated;
	batch->losses += sample->follows_loss;
	if (++batch->count == BATCH)
		deliver_batch(stream);
}

int
drmperf_stream_read(struct drmperf_stream *stream, drmperf_stream_fn receive,
		    void *data, struct drmperf_error *error)
{
	NO_CANCELLATION;
	pthread_mutex_t *lock = &stream->domain.domain->lock;
	int ret = fork_guard_check(&stream->drmperf->guard, error);

	if (ret)
		return ret;
	stream->receive = receive;
	stream->receiver = data;
	pthread_mutex_lock(lock);
	ret = stream->ops->read(stream->stream, take_sample, stream, error);
	pthread_mutex_unlock(lock);
	deliver_batch(stream);
	return ret;
}
