/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parameters, their limits, and what is handed out are those of ROCm's
 * aqlprofile: hsa_ven_amd_aqlprofile.h, core/aql_profile.cpp, which of a stream
 * hands out the buffer as the GPU wrote it. The layout of result_bytes: ROCm's
 * rocprofiler, src/core/context.h.
 */
#include "roc_trace.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "roc_error.h"
#include "roc_list.h"

#define ENGINES 32u /* that SE_MASK can name */
#define TOTAL_DEFAULT (UINT32_C(3) << 26) /* bytes, of all engines */
#define ENGINE_LEAST (UINT32_C(128) << 10)
#define PAGE 4096u

/* AMD's library samples a counter every 1600 clocks by default. */
#define RATE_DEFAULT 1600
#define RING_DEFAULT (UINT32_C(16) << 20) /* bytes */
/*
 * find_samples() polls the stream up to LOOKS_MOST times, LOOK_MS each time. A
 * stream tells every few milliseconds that it is time: that makes ten seconds.
 */
#define LOOKS_MOST 2000
#define LOOKS_NEW 2
#define LOOK_MS 100

struct roc_trace {
	rocprofiler_feature_t *feature;
	struct drmperf_device *device;
	struct drmperf_trace_options options;
	struct drmperf_trace *running; /* or NULL */
	/* instead, a counter and its stream; event NULL: waves are traced */
	struct drmperf *drmperf;
	struct drmperf_selection counter;
	struct drmperf_stream_options stream_options;
	struct drmperf_stream *stream; /* or NULL */
	uint64_t samples, losses; /* of it */
	uint32_t wanted; /* mask of engines */
	/* for each engine its size, in 32 bits, and as many bytes */
	char *bytes;
	uint32_t size;
	uint32_t numbers[ENGINES]; /* of the engines */
	uint32_t count;
	bool lacks_memory;
	bool is_full, has_failed, is_unfinished;
};

/* ------------------------------------------------------------------ */
/* Parameters                                                           */

enum place {
	ENGINE_MASK,
	WITHOUT_INSTRUCTIONS,
	TOTAL_SIZE,
	RATE,
	IGNORED,
	PLACES
};

/* Newer ones of aqlprofile's have no name in older headers. */
static const struct parameter {
	uint32_t code;
	const char *name;
	uint32_t wrong; /* bits that AMD's library refuses */
	uint32_t least,
		most; /* that are possible here; least above most: none */
	enum place place;
	const char *remedy;
} parameters[] = {
	{ 0, "COMPUTE_UNIT_TARGET", ~15u, 1, 0, IGNORED,
	  "leave it out: the library chooses a unit that is there" },
	{ 1, "VM_ID_MASK", ~3u, 1, 1, IGNORED,
	  "set it to 1: waves of all programs are traced" },
	{ 2, "MASK", 0x50, 1, 0, IGNORED, "leave it out" },
	{ 3, "TOKEN_MASK", 0xff000000, 1, 0, IGNORED,
	  "leave it out, or set OCCUPANCY_MODE for fewer tokens" },
	{ 4, "TOKEN_MASK2", 0, 1, 0, IGNORED,
	  "leave it out, or set OCCUPANCY_MODE for fewer tokens" },
	{ 5, "SE_MASK", 0, 1, UINT32_MAX, ENGINE_MASK, "name a shader engine" },
	{ 6, "SAMPLE_RATE", 0, 32, UINT16_MAX, RATE,
	  "set it to 32 to 65535, or leave it out for 1600" },
	{ 7, "K_CONCURRENT", 0, 0, 0, IGNORED,
	  "leave it out: kernels take turns" },
	{ 8, "SIMD_SELECTION", 0, 1, 0, IGNORED, "leave it out" },
	{ 9, "OCCUPANCY_MODE", 0, 0, UINT32_MAX, WITHOUT_INSTRUCTIONS, "" },
	{ 10, "ATT_BUFFER_SIZE", 0, 1, UINT32_MAX, TOTAL_SIZE,
	  "leave it out for 192 MiB" },
};

static const struct parameter *
find_parameter(uint32_t code)
{
	for (size_t i = 0; i < sizeof(parameters) / sizeof(*parameters); i++) {
		if (parameters[i].code == code)
			return &parameters[i];
	}
	return NULL;
}

/* Return whether a parameter is one of traces of counters, or of waves. */
static bool
is_taken(const struct parameter *parameter, bool is_counter)
{
	return parameter->place == TOTAL_SIZE ||
	       (parameter->place == RATE) == is_counter;
}

static int
take_parameter(const rocprofiler_parameter_t *given, bool is_counter,
	       uint32_t *values, struct drmperf_error *error)
{
	const uint32_t code = given->parameter_name, value = given->value;
	const struct parameter *parameter = find_parameter(code);

	if (!parameter)
		return fe_fail(error, -ENOTSUP, "leave it out",
			       "traces have no parameter %u here", code);
	if (!is_taken(parameter, is_counter))
		return fe_fail(error, -ENOTSUP, "leave it out",
			       "a trace's %s is for %s", parameter->name,
			       is_counter ? "waves" : "counters");
	if (value & parameter->wrong)
		return fe_fail(error, -EINVAL, parameter->remedy,
			       "a trace's %s cannot be 0x%x", parameter->name,
			       value);
	if (value < parameter->least || value > parameter->most)
		return fe_fail(error, -ENOTSUP, parameter->remedy,
			       "a trace's %s 0x%x is not possible here",
			       parameter->name, value);
	values[parameter->place] = value;
	return 0;
}

/* Divide the size of a trace among the engines that are wanted. */
static int
take_size(struct roc_trace *trace, uint32_t total, struct drmperf_error *error)
{
	struct drmperf_hardware hardware = { .size = sizeof(hardware) };
	unsigned engines = (unsigned)__builtin_popcount(trace->wanted);
	uint32_t size;

	if (!drmperf_device_hardware(trace->device, &hardware) &&
	    hardware.shader_engines && hardware.shader_engines < engines)
		engines = hardware.shader_engines;
	size = total / engines / PAGE * PAGE;
	trace->options.buffer_size = size;
	return size >= ENGINE_LEAST
		       ? 0
		       : fe_fail(error, -EINVAL, "raise ATT_BUFFER_SIZE (10)",
				 "a trace has 128 KiB at least for each of %u "
				 "shader engines, not %u bytes in all",
				 engines, total);
}

static int
take_parameters(struct roc_trace *trace, struct drmperf_error *error)
{
	const rocprofiler_feature_t *feature = trace->feature;
	const bool is_counter = trace->counter.event != NULL;
	uint32_t values[PLACES] = {
		[ENGINE_MASK] = UINT32_MAX,
		[TOTAL_SIZE] = is_counter ? RING_DEFAULT : TOTAL_DEFAULT,
		[RATE] = RATE_DEFAULT,
	};
	int rc = 0;

	if (feature->parameter_count && !feature->parameters)
		return fe_fail(error, -EINVAL, "", "parameters is NULL");
	for (uint32_t i = 0; !rc && i < feature->parameter_count; i++)
		rc = take_parameter(&feature->parameters[i], is_counter, values,
				    error);
	if (rc)
		return rc;
	trace->stream_options.period_cycles = values[RATE];
	trace->stream_options.buffer_size = values[TOTAL_SIZE];
	if (is_counter)
		return drmperf_stream_check(trace->drmperf, &trace->counter, 1,
					    &trace->stream_options, error);
	trace->wanted = values[ENGINE_MASK];
	trace->options.omit_instructions = values[WITHOUT_INSTRUCTIONS] != 0;
	return take_size(trace, values[TOTAL_SIZE], error);
}

/* ------------------------------------------------------------------ */
/* Making                                                               */

/* Find the counter that a feature names; without an event it names none. */
static int
find_counter(struct roc_trace *trace, struct drmperf_error *error)
{
	const char *name = trace->feature->name;
	const struct drmperf_event *event;
	long instance;

	if (!name)
		return fe_fail(error, -EINVAL, "", "a feature has no name");
	if (roc_list_find(trace->drmperf, trace->device, name, &event,
			  &instance, NULL))
		return 0;
	if (instance != -1 || drmperf_event_is_metric(event))
		return fe_fail(error, -ENOTSUP,
			       "name a counter without an instance; for waves "
			       "use a name that is no counter's",
			       "%.64s is not a counter of a whole block, of "
			       "which there are traces",
			       name);
	trace->counter.event = event;
	trace->counter.instance = DRMPERF_ALL_INSTANCES;
	return 0;
}

int
roc_trace_create(struct drmperf *drmperf, struct drmperf_device *device,
		 rocprofiler_feature_t *feature, struct roc_trace **out,
		 struct drmperf_error *error)
{
	struct roc_trace *trace = calloc(1, sizeof(*trace));
	int rc;

	if (!trace)
		return fe_fail_memory(error);
	trace->drmperf = drmperf;
	trace->feature = feature;
	trace->device = device;
	trace->options = (struct drmperf_trace_options){
		.size = sizeof(trace->options),
		.all_programs = 1,
		.supervise = 1,
	};
	trace->stream_options = (struct drmperf_stream_options){
		.size = sizeof(trace->stream_options),
		.supervise = 1,
	};
	rc = find_counter(trace, error);
	if (!rc)
		rc = take_parameters(trace, error);
	if (rc)
		free(trace);
	else
		*out = trace;
	return rc;
}

/* Drop what is traced, and what was. */
static void
trace_clear(struct roc_trace *trace)
{
	drmperf_trace_destroy(trace->running);
	drmperf_stream_destroy(trace->stream);
	free(trace->bytes);
	trace->running = NULL;
	trace->stream = NULL;
	trace->samples = trace->losses = 0;
	trace->bytes = NULL;
	trace->size = trace->count = 0;
	trace->lacks_memory = false;
	trace->is_full = trace->has_failed = trace->is_unfinished = false;
}

void
roc_trace_destroy(struct roc_trace *trace)
{
	if (!trace)
		return;
	trace_clear(trace);
	free(trace);
}

/* ------------------------------------------------------------------ */
/* Tracing                                                              */

/* Fail: what could be traced otherwise is not what is to be traced. */
static int
fail_unable(struct drmperf_error *error)
{
	const struct drmperf_error why = *error;

	return fe_fail(error, -ENOTSUP, why.remedy,
		       "kernels of HSA, whose queues have another VMID, are "
		       "traced with all programs alone: %s",
		       why.cause);
}

int
roc_trace_start(struct roc_trace *trace, struct drmperf_error *error)
{
	int rc;

	trace_clear(trace);
	if (trace->counter.event)
		return drmperf_stream_create(trace->drmperf, &trace->counter, 1,
					     &trace->stream_options,
					     &trace->stream, error);
	rc = drmperf_trace_create(trace->device, &trace->options,
				  &trace->running, error);
	return rc == -ENOTSUP ? fail_unable(error) : rc;
}

static void
keep_bytes(struct roc_trace *trace, const void *data, uint32_t size)
{
	char *bytes = realloc(trace->bytes, trace->size + sizeof(size) + size);

	if (!bytes) {
		trace->lacks_memory = true;
		return;
	}
	memcpy(bytes + trace->size, &size, sizeof(size));
	memcpy(bytes + trace->size + sizeof(size), data, size);
	trace->bytes = bytes;
	trace->size += (uint32_t)sizeof(size) + size;
}

static void
keep_engine(void *data, const struct drmperf_trace_engine *engine)
{
	struct roc_trace *trace = data;

	if (engine->engine >= ENGINES || !(trace->wanted >> engine->engine & 1))
		return;
	keep_bytes(trace, engine->data, (uint32_t)engine->size);
	trace->numbers[trace->count++] = engine->engine;
	trace->is_full |= engine->is_full;
	trace->has_failed |= engine->has_failed;
	trace->is_unfinished |= engine->is_unfinished;
}

static void
count_samples(void *data, const struct drmperf_stream_batch *batch)
{
	struct roc_trace *trace = data;

	trace->samples += batch->count;
	trace->losses += batch->losses;
}

/*
 * Look what is in the buffer, behind the interval that goes on: what is new at
 * the second look that finds anything is behind it.
 */
static int
find_samples(struct roc_trace *trace, struct drmperf_error *error)
{
	struct pollfd fd = {
		.fd = drmperf_stream_fd(trace->stream),
		.events = POLLIN,
	};
	unsigned news = 0;
	int rc = 0;

	for (unsigned i = 0; !rc && i < LOOKS_MOST && news < LOOKS_NEW; i++) {
		const uint64_t before = trace->samples;

		poll(&fd, 1, LOOK_MS);
		rc = drmperf_stream_read(trace->stream, count_samples, trace,
					 error);
		news += trace->samples > before;
	}
	if (!rc && news < LOOKS_NEW)
		rc = fe_fail(error, -ETIMEDOUT, "",
			     "the GPU has stopped to write samples before the "
			     "end of the trace");
	return rc;
}

static int
stop_stream(struct roc_trace *trace, struct drmperf_error *error)
{
	int rc = find_samples(trace, error);
	const void *ring;
	uint64_t size;

	if (!rc) {
		ring = drmperf_stream_ring(trace->stream, &size);
		keep_bytes(trace, ring, (uint32_t)size);
		trace->numbers[trace->count++] = 0;
		trace->is_full = trace->losses > 0;
	}
	drmperf_stream_destroy(trace->stream);
	trace->stream = NULL;
	return !rc && trace->lacks_memory ? fe_fail_memory(error) : rc;
}

int
roc_trace_stop(struct roc_trace *trace, struct drmperf_error *error)
{
	int rc;

	if (trace->stream)
		return stop_stream(trace, error);
	rc = drmperf_trace_end(trace->running, keep_engine, trace, error);

	drmperf_trace_destroy(trace->running);
	trace->running = NULL;
	if (!rc && trace->lacks_memory)
		rc = fe_fail_memory(error);
	if (!rc && !trace->count)
		rc = fe_fail(error, -EINVAL, "leave SE_MASK out",
			     "no shader engine of SE_MASK 0x%x is there",
			     trace->wanted);
	return rc;
}

/* ------------------------------------------------------------------ */
/* Data                                                                 */

static int
fail_lost(const struct roc_trace *trace, struct drmperf_error *error)
{
	if (trace->has_failed)
		return fe_fail(error, -EIO, "trace again",
			       "a shader engine could not write its trace");
	if (trace->is_full && trace->counter.event)
		return fe_fail(error, -ENOBUFS,
			       "raise ATT_BUFFER_SIZE (10) or SAMPLE_RATE (6)",
			       "the buffer of the trace was full: old samples "
			       "have been overwritten");
	if (trace->is_full)
		return fe_fail(error, -ENOBUFS,
			       "raise ATT_BUFFER_SIZE (10), or set "
			       "OCCUPANCY_MODE (9)",
			       "a buffer of the trace was full: what came "
			       "afterwards is missing");
	if (trace->is_unfinished)
		return fe_fail(error, -ETIME, "trace again",
			       "the GPU did not finish the trace: its end may "
			       "be missing");
	return 0;
}

int
roc_trace_get_data(const struct roc_trace *trace, struct drmperf_error *error)
{
	rocprofiler_data_t *data = &trace->feature->data;

	data->kind = ROCPROFILER_DATA_KIND_BYTES;
	data->result_bytes.ptr = trace->bytes;
	data->result_bytes.size = trace->size;
	data->result_bytes.instance_count = trace->count;
	data->result_bytes.copy = false;
	return fail_lost(trace, error);
}

hsa_status_t
roc_trace_iterate(const struct roc_trace *trace,
		  rocprofiler_trace_data_callback_t callback, void *data)
{
	hsa_status_t status = HSA_STATUS_SUCCESS;
	char *bytes = trace->bytes;

	for (uint32_t i = 0; !status && i < trace->count; i++) {
		hsa_ven_amd_aqlprofile_info_data_t info = {
			.sample_id = trace->numbers[i],
		};
		uint32_t size;

		memcpy(&size, bytes, sizeof(size));
		info.trace_data.ptr = bytes + sizeof(size);
		info.trace_data.size = size;
		status = callback(HSA_VEN_AMD_AQLPROFILE_INFO_TRACE_DATA, &info,
				  data);
		bytes += sizeof(size) + size;
	}
	return status;
}
