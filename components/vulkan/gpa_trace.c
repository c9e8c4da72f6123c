/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_trace.h"

#include <stdlib.h>

#include "gpa_tell.h"
#include "rgp/rgp.h"

static const char where[] = "vkQueueSubmit";

struct gpa_trace {
	struct gpa_session *session; /* with a reference, as the sample */
	struct gpa_sample *sample;
	uint32_t id;
	struct drmperf_trace *running; /* NULL: it has no waves */
	struct gpa_stream *stream; /* NULL: it has no counters */
	struct rgp_facts facts;
	struct rgp_own_machine machine;
	/* the file while it is written */
	FILE *out;
	char *bytes;
	size_t size;
	uint64_t at;
	unsigned count, full, failed, unfinished; /* engines */
};

static bool
op_is_of_trace(const struct gpa_op *op)
{
	return op->sample && op->sample->type == VK_GPA_SAMPLE_TYPE_TRACE_AMD;
}

bool
gpa_trace_has_ops(const struct gpa_op_list *op_list)
{
	for (size_t i = 0; i < op_list->count; i++) {
		if (op_is_of_trace(&op_list->list[i]))
			return true;
	}
	return false;
}

bool
gpa_trace_has_end(const struct gpa_op_list *op_list)
{
	for (size_t i = 0; i < op_list->count; i++) {
		const struct gpa_op *op = &op_list->list[i];

		if (op_is_of_trace(op) && op->kind == GPA_STEP_END_SAMPLE)
			return true;
	}
	return false;
}

static bool
trace_is_of(const struct gpa_trace *trace, const struct gpa_op *op)
{
	return trace && trace->session == op->session &&
	       trace->sample == op->sample;
}

/* ------------------------------------------------------------------ */
/* Beginning                                                            */

static void
trace_destroy(struct gpa_trace *trace)
{
	if (!trace)
		return;
	gpa_stream_destroy(trace->stream);
	drmperf_trace_destroy(trace->running);
	gpa_session_release(trace->session);
	gpa_sample_release(trace->sample);
	free(trace);
}

/* Return the clock mode to hold: clocks that the application holds stay. */
static enum drmperf_clock_mode
choose_clock(struct gpa_device *device)
{
	enum drmperf_clock_mode clock;

	pthread_mutex_lock(&device->lock);
	clock = device->clocks ? device->clock_mode : DRMPERF_CLOCK_AUTO;
	pthread_mutex_unlock(&device->lock);
	return clock;
}

static int
begin_waves(struct gpa_trace *trace, const struct gpa_gpu *gpu,
	    enum drmperf_clock_mode clock, struct drmperf_error *error)
{
	struct drmperf_trace_options options = trace->sample->trace;

	options.clock = clock;
	return drmperf_trace_create(gpu->device, &options, &trace->running,
				    error);
}

static int
begin_stream(struct gpa_trace *trace, const struct gpa_gpu *gpu,
	     enum drmperf_clock_mode clock, struct drmperf_error *error)
{
	const struct gpa_streaming *streaming = &trace->sample->streaming;
	struct drmperf_stream_options options = streaming->options;

	options.clock = clock;
	options.beside_trace = trace->running != NULL;
	return gpa_stream_begin(gpu->drmperf, streaming, &options,
				&trace->stream, error);
}

VkResult
gpa_trace_start(const struct gpa_gpu *gpu, struct gpa_sample *sample,
		enum drmperf_clock_mode clock, struct gpa_trace **out)
{
	struct gpa_trace *trace = calloc(1, sizeof(*trace));
	struct drmperf_error error;
	int rc = 0;

	*out = NULL;
	if (!trace)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	trace->sample = gpa_sample_hold(sample);
	if (sample->has_waves)
		rc = begin_waves(trace, gpu, clock, &error);
	if (!rc && sample->streaming.count)
		rc = begin_stream(trace, gpu, clock, &error);
	if (rc) {
		trace_destroy(trace);
		return gpa_fail(where, rc, &error);
	}
	rgp_facts_read(gpu->device, &trace->machine, &trace->facts);
	*out = trace;
	return VK_SUCCESS;
}

static VkResult
trace_create(struct gpa_device *device, const struct gpa_op *op,
	     struct gpa_trace **out)
{
	VkResult result = gpa_trace_start(device->gpu, op->sample,
					  choose_clock(device), out);

	if (*out) {
		(*out)->session = gpa_session_hold(op->session);
		(*out)->id = op->id;
	}
	return result;
}

/* Set the state of a sample. */
static void
sample_set_state(struct gpa_device *device, const struct gpa_op *op,
		 VkResult state)
{
	struct gpa_result *result;

	pthread_mutex_lock(&device->lock);
	result = gpa_session_place_locked(op->session, op->id, op->sample);
	if (result)
		result->state = state;
	pthread_mutex_unlock(&device->lock);
}

static bool
device_is_traced(struct gpa_device *device)
{
	bool is_traced;

	pthread_mutex_lock(&device->lock);
	is_traced = device->trace != NULL;
	pthread_mutex_unlock(&device->lock);
	return is_traced;
}

static void
begin_op_trace(struct gpa_device *device, const struct gpa_op *op,
	       VkResult broken)
{
	struct gpa_trace *trace = NULL;
	VkResult result = broken;

	if (result == VK_SUCCESS && device_is_traced(device))
		result = gpa_refuse(where, VK_ERROR_NOT_PERMITTED_KHR,
				    "another trace of the device goes on, or "
				    "begins with the same submission");
	else if (result == VK_SUCCESS)
		result = trace_create(device, op, &trace);
	sample_set_state(device, op,
			 result == VK_SUCCESS ? VK_NOT_READY : result);
	if (!trace)
		return;
	pthread_mutex_lock(&device->lock);
	device->trace = trace;
	pthread_mutex_unlock(&device->lock);
}

void
gpa_trace_begin(struct gpa_device *device, const struct gpa_op_list *op_list,
		VkResult broken)
{
	for (size_t i = 0; i < op_list->count; i++) {
		const struct gpa_op *op = &op_list->list[i];

		if (op_is_of_trace(op) && op->kind == GPA_STEP_BEGIN_SAMPLE)
			begin_op_trace(device, op, broken);
	}
}

/* ------------------------------------------------------------------ */
/* Ending                                                               */

static void
write_engine(void *data, const struct drmperf_trace_engine *engine)
{
	struct gpa_trace *trace = data;
	const struct rgp_engine chunks = {
		.info = drmperf_trace_info(trace->running),
		.engine = engine,
		.index = trace->count,
		.at = trace->at,
	};

	trace->full += engine->is_full;
	trace->failed += engine->has_failed;
	trace->unfinished += engine->is_unfinished;
	rgp_put_engine(trace->out, &chunks);
	trace->at += rgp_engine_size(engine);
	trace->count++;
}

static void
report_losses(const struct gpa_trace *trace)
{
	if (trace->full)
		gpa_refuse(where, VK_SUCCESS,
			   "the buffers of %u of %u shader engines were full: "
			   "what came later is not in the trace; raise "
			   "sqThreadTraceDeviceMemoryLimit, or suppress "
			   "instruction tokens",
			   trace->full, trace->count);
	if (trace->failed || trace->unfinished)
		gpa_refuse(where, VK_SUCCESS,
			   "%u shader engines could not write all of their "
			   "trace, and %u did not finish it",
			   trace->failed, trace->unfinished);
}

/* End what was begun, and put it into the file. */
static int
write_parts(struct gpa_trace *trace, struct drmperf_error *error)
{
	int rc = trace->stream ? gpa_stream_end(trace->stream, error) : 0;

	if (!rc && trace->running)
		rc = drmperf_trace_end(trace->running, write_engine, trace,
				       error);
	if (!rc && trace->stream)
		gpa_stream_put(trace->out, trace->stream);
	return rc;
}

/* Write the file to trace->bytes, which are the caller's. */
static VkResult
trace_write(struct gpa_trace *trace)
{
	struct drmperf_error error = { 0 };
	bool has_failed;
	int rc;

	trace->out = open_memstream(&trace->bytes, &trace->size);
	if (!trace->out)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	trace->at = rgp_put_facts(trace->out, &trace->facts);
	rc = write_parts(trace, &error);
	has_failed = ferror(trace->out);
	has_failed |= fclose(trace->out) != 0;
	if (has_failed && !rc)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	report_losses(trace);
	return gpa_fail(where, rc, &error);
}

VkResult
gpa_trace_finish(struct gpa_trace *trace, char **bytes, size_t *size)
{
	const VkResult result = trace_write(trace);

	*bytes = trace->bytes;
	*size = trace->size;
	trace_destroy(trace);
	return result;
}

/* Move the bytes of the trace to the result, or set why there are none. */
static void
result_take(struct gpa_result *result, struct gpa_trace *trace, VkResult state)
{
	result->state = state;
	if (state != VK_SUCCESS)
		return;
	free(result->values);
	result->values = (uint64_t *)(void *)trace->bytes;
	result->size = trace->size;
	trace->bytes = NULL;
}

static void
end_op_trace(struct gpa_device *device, struct gpa_trace *trace,
	     bool is_executed)
{
	const VkResult state =
		is_executed ? trace_write(trace) : VK_ERROR_UNKNOWN;
	struct gpa_result *result;

	pthread_mutex_lock(&device->lock);
	result = gpa_session_place_locked(trace->session, trace->id,
					  trace->sample);
	if (result)
		result_take(result, trace, state);
	pthread_mutex_unlock(&device->lock);
	free(trace->bytes);
	trace_destroy(trace);
}

/* Return the trace of the device if it is that of the operation, which ends. */
static struct gpa_trace *
take_trace(struct gpa_device *device, const struct gpa_op *op)
{
	struct gpa_trace *trace = NULL;

	pthread_mutex_lock(&device->lock);
	if (trace_is_of(device->trace, op)) {
		trace = device->trace;
		device->trace = NULL;
	}
	pthread_mutex_unlock(&device->lock);
	return trace;
}

void
gpa_trace_end(struct gpa_device *device, const struct gpa_op_list *op_list,
	      bool is_executed)
{
	const enum gpa_op_kind kind =
		is_executed ? GPA_STEP_END_SAMPLE : GPA_STEP_BEGIN_SAMPLE;

	for (size_t i = 0; i < op_list->count; i++) {
		const struct gpa_op *op = &op_list->list[i];
		struct gpa_trace *trace = NULL;

		if (op_is_of_trace(op) && op->kind == kind)
			trace = take_trace(device, op);
		if (trace)
			end_op_trace(device, trace, is_executed);
	}
}

void
gpa_trace_drop_locked(struct gpa_device *device,
		      const struct gpa_session *session)
{
	struct gpa_trace *trace = device->trace;

	if (!trace || (session && trace->session != session))
		return;
	device->trace = NULL;
	trace_destroy(trace);
}
