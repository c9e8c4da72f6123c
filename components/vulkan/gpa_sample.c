/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_sample.h"

#include <errno.h>
#include <stdlib.h>

#include "gpa_counters.h"
#include "gpa_places.h"
#include "gpa_tell.h"

static const char where[] = "vkCmdBeginGpaSampleAMD";

/* ------------------------------------------------------------------ */
/* Cumulative                                                           */

/*
 * Limit counting to the shader stages of a sample. DRMPERF_STAGE_* has the
 * registry's bits; what a GPU does not have is ignored. Where no stage is left,
 * there is nothing to count.
 */
static void
group_limit_instances(const VkGpaSampleBeginInfoAMD *info,
		      const struct drmperf_group *group,
		      struct drmperf_selection *selection, uint64_t *stages)
{
	const uint64_t its = drmperf_group_stages(group);
	const uint64_t left =
		info->sqShaderMaskEnable ? its & info->sqShaderMask : its;

	if (left)
		*stages = left;
	else if (its)
		selection->event = NULL;
}

/*
 * Check the queue, in which the driver would have to set
 * COMPUTE_PERFCOUNT_ENABLE.
 */
static VkResult
check_queue(const struct gpa_commands *commands,
	    const struct drmperf_event *event)
{
	const VkQueueFlags kinds = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;

	if ((commands->flags & kinds) != VK_QUEUE_COMPUTE_BIT ||
	    drmperf_event_scope(event) != DRMPERF_SCOPE_QUEUE)
		return VK_SUCCESS;
	return gpa_refuse(
		where, VK_ERROR_FEATURE_NOT_PRESENT,
		"%s counts nothing on queues for compute alone, since "
		"their driver does not allow it there; sample the "
		"commands on a queue for graphics",
		drmperf_group_name(drmperf_event_group(event)));
}

static VkResult
find_counter(const struct gpa_commands *commands,
	     const VkGpaPerfCounterAMD *counter,
	     struct drmperf_selection *selection)
{
	struct drmperf_error error;
	int rc = gpa_blocks_find(&commands->device->gpu->blocks, counter,
				 selection, &error);

	return rc ? gpa_fail(where, rc, &error)
		  : check_queue(commands, selection->event);
}

static VkResult
find_counters(const struct gpa_commands *commands,
	      const VkGpaSampleBeginInfoAMD *info, struct gpa_sample *sample)
{
	VkResult result = VK_SUCCESS;

	for (uint32_t i = 0; i < info->perfCounterCount; i++) {
		struct drmperf_selection *selection = &sample->selections[i];

		result = find_counter(commands, &info->pPerfCounters[i],
				      selection);
		if (result != VK_SUCCESS)
			break;
		group_limit_instances(info,
				      drmperf_event_group(selection->event),
				      selection, &sample->stages);
	}
	return result;
}

/*
 * Check that all counters that the command buffer has fit together with those
 * of a sample. Most samples count the same: that is not looked at again.
 */
static VkResult
check_fit(struct gpa_commands *commands, const struct gpa_sample *sample)
{
	struct gpa_counters *counted = &commands->counted;
	const size_t before = counted->count;
	struct drmperf_session *session = NULL;
	struct drmperf_error error = { 0 };
	int rc = gpa_counters_add(counted, sample, &error);

	if (!rc && counted->count > before)
		rc = gpa_counters_session(counted, commands->device, &session,
					  &error);
	drmperf_session_destroy(session);
	return gpa_fail(where, rc, &error);
}

static VkResult
fill_cumulative(struct gpa_commands *commands,
		const VkGpaSampleBeginInfoAMD *info, struct gpa_sample *sample)
{
	VkResult result;

	sample->selections = calloc(info->perfCounterCount + 1u,
				    sizeof(*sample->selections));
	if (!sample->selections)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	sample->count = info->perfCounterCount;
	result = find_counters(commands, info, sample);
	if (result == VK_SUCCESS)
		result = gpa_places_can_begin(commands, where);
	return result == VK_SUCCESS ? check_fit(commands, sample) : result;
}

/* ------------------------------------------------------------------ */
/* Timing                                                               */

/*
 * Choose the one stage that a timestamp can be written behind: that of a mask
 * of one, the usual one for an empty mask, and all commands for several, which
 * have all been passed then.
 */
static VkPipelineStageFlagBits
choose_stage(VkPipelineStageFlags mask, VkPipelineStageFlagBits usual)
{
	if (!mask)
		return usual;
	return mask & (mask - 1) ? VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
				 : (VkPipelineStageFlagBits)mask;
}

static VkResult
fill_timing(struct gpa_commands *commands, const VkGpaSampleBeginInfoAMD *info,
	    struct gpa_sample *sample)
{
	const VkQueryPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_TIMESTAMP,
		.queryCount = 2 * GPA_VIEWS,
	};
	struct gpa_device *device = commands->device;
	VkResult result;

	if (!commands->valid_bits)
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "queues of this family have no timestamps");
	result = gpa_places_can_reset(commands, where);
	if (result != VK_SUCCESS)
		return result;
	sample->begin_stage = choose_stage(info->timingPreSample,
					   VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
	sample->end_stage = choose_stage(info->timingPostSample,
					 VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
	sample->valid_bits =
		commands->valid_bits >= 64
			? UINT64_MAX
			: (UINT64_C(1) << commands->valid_bits) - 1;
	return device->next.CreateQueryPool(device->handle, &pool, NULL,
					    &sample->queries);
}

/* ------------------------------------------------------------------ */
/* Traces                                                               */

/* Streams count all shader stages. */
static VkResult
check_stages(const VkGpaSampleBeginInfoAMD *info,
	     const struct drmperf_event *event)
{
	const struct drmperf_group *group = drmperf_event_group(event);

	if (!info->sqShaderMaskEnable ||
	    !(drmperf_group_stages(group) & ~(uint64_t)info->sqShaderMask))
		return VK_SUCCESS;
	return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
			  "counters of %s that are streamed count all shader "
			  "stages: unset sqShaderMaskEnable",
			  drmperf_group_name(group));
}

static VkResult
find_streamed(const struct gpa_commands *commands,
	      const VkGpaSampleBeginInfoAMD *info,
	      const struct gpa_streaming *streaming)
{
	VkResult result = VK_SUCCESS;

	for (uint32_t i = 0; result == VK_SUCCESS && i < info->perfCounterCount;
	     i++) {
		struct drmperf_selection *selection = &streaming->selections[i];

		result = find_counter(commands, &info->pPerfCounters[i],
				      selection);
		if (result == VK_SUCCESS)
			result = check_stages(info, selection->event);
	}
	return result;
}

/* Refuse what cannot be streamed on the GPU, or not together. */
static int
check_streaming(const struct gpa_gpu *gpu,
		const struct gpa_streaming *streaming,
		struct drmperf_error *error)
{
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };
	int rc = drmperf_stream_check(gpu->drmperf, streaming->selections,
				      streaming->count, &streaming->options,
				      error);

	return rc ? rc : drmperf_device_clocks(gpu->device, &clocks, error);
}

static VkResult
fill_streaming(const struct gpa_commands *commands,
	       const VkGpaSampleBeginInfoAMD *info, struct gpa_sample *sample)
{
	struct gpa_streaming *streaming = &sample->streaming;
	struct drmperf_error error;
	VkResult result;

	if (gpa_streaming_make(streaming, info))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	result = find_streamed(commands, info, streaming);
	return result == VK_SUCCESS
		       ? gpa_fail(where,
				  check_streaming(commands->device->gpu,
						  streaming, &error),
				  &error)
		       : result;
}

static VkResult
fill_waves(const struct gpa_commands *commands,
	   const VkGpaSampleBeginInfoAMD *info, struct gpa_sample *sample)
{
	const struct gpa_tracing *tracing = &commands->device->gpu->tracing;
	struct drmperf_error error;

	if (!tracing->is_possible)
		return gpa_fail(where, -ENOTSUP, &tracing->why_not);
	if (!(commands->flags & VK_QUEUE_GRAPHICS_BIT))
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "a trace has no waves of queues without "
				  "graphics, since their driver does not allow "
				  "it there");
	sample->has_waves = true;
	return gpa_fail(
		where,
		gpa_tracing_choose(tracing, info, &sample->trace, &error),
		&error);
}

static VkResult
fill_trace(const struct gpa_commands *commands,
	   const VkGpaSampleBeginInfoAMD *info, struct gpa_sample *sample)
{
	VkResult result = VK_SUCCESS;

	if (!info->sqThreadTraceEnable && !info->perfCounterCount)
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "a trace has waves, counters or both: set "
				  "sqThreadTraceEnable or perfCounterCount");
	if (info->sqThreadTraceEnable)
		result = fill_waves(commands, info, sample);
	if (result == VK_SUCCESS && info->perfCounterCount)
		result = fill_streaming(commands, info, sample);
	return result;
}

/* ------------------------------------------------------------------ */
/* All types                                                            */

static VkResult
sample_fill(struct gpa_commands *commands, const VkGpaSampleBeginInfoAMD *info,
	    struct gpa_sample *sample)
{
	if (info->sqThreadTraceEnable &&
	    info->sampleType != VK_GPA_SAMPLE_TYPE_TRACE_AMD)
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "samples that are no traces have no thread "
				  "trace");
	switch (info->sampleType) {
	case VK_GPA_SAMPLE_TYPE_CUMULATIVE_AMD:
		return fill_cumulative(commands, info, sample);
	case VK_GPA_SAMPLE_TYPE_TIMING_AMD:
		return fill_timing(commands, info, sample);
	case VK_GPA_SAMPLE_TYPE_TRACE_AMD:
		return fill_trace(commands, info, sample);
	default:
		return gpa_refuse(where, GPA_VALIDATION_FAILED,
				  "there is no sample type %d",
				  (int)info->sampleType);
	}
}

VkResult
gpa_sample_create(struct gpa_commands *commands,
		  const VkGpaSampleBeginInfoAMD *info, struct gpa_sample **out)
{
	struct gpa_sample *sample = calloc(1, sizeof(*sample));
	VkResult result;

	if (!sample)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	atomic_init(&sample->references, 1);
	sample->device = commands->device;
	sample->type = info->sampleType;
	result = sample_fill(commands, info, sample);
	if (result == VK_SUCCESS)
		*out = sample;
	else
		gpa_sample_release(sample);
	return result;
}
