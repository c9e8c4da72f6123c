/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/submit/channel.h"

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fork_close.h"
#include "base/monotonic.h"
#include "driver/amdgpu/submit/queue_private.h"

/* Long for any command buffer of ours, short for a person who waits. */
#define ANSWER_NS UINT64_C(5000000000)

struct channel {
	struct queue *queue;
	amdgpu_context_handle context;
};

struct buffer_object {
	struct queue *queue;
	amdgpu_bo_handle bo;
	amdgpu_va_handle va;
	uint32_t list; /* the buffer list of submissions, with this alone */
};

/* ------------------------------------------------------------------ */
/* Errors of a GPU in use                                               */

static const struct failure {
	int code;
	const char *cause;
	const char *remedy;
} failures[] = {
	{ -ECANCELED, "the GPU was reset while it counted",
	  "stop the session and start it again; the kernel's log (dmesg) tells "
	  "which program hung the GPU" },
	{ -ETIME, "the GPU did not answer within 5 seconds",
	  "see whether the work being measured hangs; the kernel resets a GPU "
	  "that stands still" },
	{ -ENODEV, "the GPU has gone",
	  "it was unplugged or its driver was unloaded: run the program again "
	  "once it is back" },
	{ -ENOMEM, "the kernel has no memory for the GPU's commands",
	  "free memory of the GPU or of the system" },
	{ -EHWPOISON, "the GPU has memory errors that cannot be corrected",
	  "reset the GPU or reboot, and have the hardware looked at" },
	{ -EBUSY, "the kernel does not take commands for the GPU",
	  "look for messages of amdgpu in the kernel's log (dmesg)" },
	{ -EACCES, "the kernel does not allow commands for the GPU",
	  "see that this program may use the GPU (groups, container)" },
};

static int
say(const struct queue *queue, int code, const char *doing,
    struct drmperf_error *error)
{
	for (size_t i = 0; i < ARRAY_SIZE(failures); i++) {
		if (failures[i].code != code)
			continue;
		error_set(error, code, "%s: %s", queue->node,
			  failures[i].cause);
		error_remedy(error, "%s", failures[i].remedy);
		return code;
	}
	error_set(error, code, "%s: %s: %s", queue->node, doing,
		  strerrordesc_np(-code));
	error_remedy(error,
		     "look for messages of amdgpu in the kernel's log (dmesg)");
	return code;
}

/* ------------------------------------------------------------------ */
/* In a forked child                                                    */

/*
 * libdrm's records of contexts and buffers are freed together with what they
 * stand for, by numbers which in a child mean the parent's. For that moment
 * another file takes the place of the GPU's, one that knows no such request.
 * Returns the GPU's file, for show_file(); -1: there is no way but to keep
 * the records.
 */
static int
hide_file(const struct queue *queue)
{
	int used = amdgpu_device_get_fd(queue->device);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int hidden = fcntl(used, F_DUPFD_CLOEXEC, 0);

	if (hidden >= 0 && (null < 0 || dup3(null, used, O_CLOEXEC) < 0)) {
		close(hidden);
		hidden = -1;
	}
	if (null >= 0)
		close(null);
	return hidden;
}

static void
show_file(const struct queue *queue, int hidden)
{
	dup3(hidden, amdgpu_device_get_fd(queue->device), O_CLOEXEC);
	close(hidden);
}

/* ------------------------------------------------------------------ */
/* Channels                                                             */

int
channel_create(struct queue *queue, struct channel **out,
	       struct drmperf_error *error)
{
	struct channel *channel = calloc(1, sizeof(*channel));
	int ret;

	if (!channel)
		return error_set(error, -ENOMEM, "no memory");
	channel->queue = queue;
	ret = amdgpu_cs_ctx_create2(queue->device, AMDGPU_CTX_PRIORITY_NORMAL,
				    &channel->context);
	if (ret) {
		free(channel);
		return say(queue, ret, "cannot make a context", error);
	}
	*out = channel;
	return 0;
}

void
channel_destroy(struct channel *channel)
{
	amdgpu_cs_ctx_free(channel->context);
	free(channel);
}

void
channel_abandon(struct channel *channel)
{
	int hidden = hide_file(channel->queue);

	if (hidden >= 0) {
		amdgpu_cs_ctx_free(channel->context);
		show_file(channel->queue, hidden);
	}
	free(channel);
}

const struct queue_info *
channel_info(const struct channel *channel)
{
	return &channel->queue->info;
}

int
channel_renew(struct channel *channel, struct drmperf_error *error)
{
	amdgpu_context_handle fresh;
	int ret;

	ret = amdgpu_cs_ctx_create2(channel->queue->device,
				    AMDGPU_CTX_PRIORITY_NORMAL, &fresh);
	if (ret)
		return say(channel->queue, ret, "cannot make a context", error);
	amdgpu_cs_ctx_free(channel->context);
	channel->context = fresh;
	return 0;
}

static const uint32_t stable_states[] = {
	[CHANNEL_CLOCK_NORMAL] = AMDGPU_CTX_STABLE_PSTATE_NONE,
	[CHANNEL_CLOCK_STANDARD] = AMDGPU_CTX_STABLE_PSTATE_STANDARD,
	[CHANNEL_CLOCK_MIN_ENGINE] = AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK,
	[CHANNEL_CLOCK_MIN_MEMORY] = AMDGPU_CTX_STABLE_PSTATE_MIN_MCLK,
	[CHANNEL_CLOCK_PEAK] = AMDGPU_CTX_STABLE_PSTATE_PEAK,
};

int
channel_get_clock(struct channel *channel, enum channel_clock *out)
{
	uint32_t state = 0;
	int ret;

	ret = amdgpu_cs_ctx_stable_pstate(
		channel->context, AMDGPU_CTX_OP_GET_STABLE_PSTATE, 0, &state);
	if (ret)
		return ret;
	for (size_t i = 0; i < ARRAY_SIZE(stable_states); i++) {
		if (stable_states[i] == state) {
			*out = (enum channel_clock)i;
			return 0;
		}
	}
	return -EINVAL;
}

int
channel_set_clock(struct channel *channel, enum channel_clock clock)
{
	uint32_t was;

	return amdgpu_cs_ctx_stable_pstate(channel->context,
					   AMDGPU_CTX_OP_SET_STABLE_PSTATE,
					   stable_states[clock], &was);
}

bool
channel_was_reset(struct channel *channel)
{
	uint64_t flags = 0;

	return !amdgpu_cs_query_reset_state2(channel->context, &flags) &&
	       flags & (AMDGPU_CTX_QUERY2_FLAGS_RESET |
			AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST |
			AMDGPU_CTX_QUERY2_FLAGS_GUILTY);
}

size_t
channel_alignment(const struct channel *channel)
{
	/* Some kernels say 1, meaning dwords. */
	return channel->queue->ib_alignment < 32 ? 32
						 : channel->queue->ib_alignment;
}

/* ------------------------------------------------------------------ */
/* Buffers                                                              */

static int
map_buffer(struct buffer_object *object, struct buffer *buffer)
{
	struct drm_amdgpu_bo_list_entry entry = { 0 };
	int ret;

	ret = amdgpu_va_range_alloc(object->queue->device,
				    amdgpu_gpu_va_range_general, buffer->size,
				    4096, 0, &buffer->address, &object->va, 0);
	if (ret)
		return ret;
	ret = amdgpu_bo_va_op(object->bo, 0, buffer->size, buffer->address, 0,
			      AMDGPU_VA_OP_MAP);
	if (ret)
		goto free_range;
	ret = amdgpu_bo_cpu_map(object->bo, &buffer->memory);
	if (ret)
		goto unmap;
	amdgpu_bo_export(object->bo, amdgpu_bo_handle_type_kms,
			 &entry.bo_handle);
	ret = amdgpu_bo_list_create_raw(object->queue->device, 1, &entry,
					&object->list);
	if (!ret)
		return 0;
	amdgpu_bo_cpu_unmap(object->bo);
unmap:
	amdgpu_bo_va_op(object->bo, 0, buffer->size, buffer->address, 0,
			AMDGPU_VA_OP_UNMAP);
free_range:
	amdgpu_va_range_free(object->va);
	return ret;
}

/* libdrm locks its tables, which a child has to take the buffer out of. */
int
buffer_create(struct channel *channel, size_t size, struct buffer *out,
	      struct drmperf_error *error)
{
	struct amdgpu_bo_alloc_request request = {
		.alloc_size = (size + 4095) & ~(uint64_t)4095,
		.phys_alignment = 4096,
		/* Results are read by the CPU: cached memory of the system. */
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};
	struct buffer_object *object = calloc(1, sizeof(*object));
	struct buffer buffer = { .size = request.alloc_size, .object = object };
	int ret;

	if (!object)
		return error_set(error, -ENOMEM, "no memory");
	object->queue = channel->queue;
	fork_bar();
	ret = amdgpu_bo_alloc(object->queue->device, &request, &object->bo);
	if (!ret) {
		ret = map_buffer(object, &buffer);
		if (ret)
			amdgpu_bo_free(object->bo);
	}
	fork_unbar();
	if (ret) {
		free(object);
		return say(channel->queue, ret, "cannot get a buffer", error);
	}
	memset(buffer.memory, 0, buffer.size);
	*out = buffer;
	return 0;
}

void
buffer_destroy(struct buffer *buffer)
{
	struct buffer_object *object = buffer->object;

	if (!object)
		return;
	fork_bar();
	amdgpu_bo_list_destroy_raw(object->queue->device, object->list);
	amdgpu_bo_cpu_unmap(object->bo);
	amdgpu_bo_va_op(object->bo, 0, buffer->size, buffer->address, 0,
			AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(object->va);
	amdgpu_bo_free(object->bo);
	fork_unbar();
	free(object);
	buffer->object = NULL;
}

void
buffer_abandon(struct buffer *buffer)
{
	struct buffer_object *object = buffer->object;
	int hidden;

	if (!object)
		return;
	hidden = hide_file(object->queue);
	if (hidden >= 0) {
		amdgpu_bo_free(object->bo);
		show_file(object->queue, hidden);
	} else {
		munmap(buffer->memory, buffer->size);
	}
	amdgpu_va_range_free(object->va);
	free(object);
	buffer->object = NULL;
}

/* ------------------------------------------------------------------ */
/* Submitting                                                           */

/* A paragraph of hexadecimal dwords, as umr's disassembler takes them. */
static void
dump(const uint32_t *dwords, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	ssize_t written = 0;

	if (!stream)
		return;
	for (size_t i = 0; i < count; i++)
		fprintf(stream, "%08" PRIx32 "%c", dwords[i],
			i % 8 == 7 || i + 1 == count ? '\n' : ' ');
	fputc('\n', stream);
	if (!fclose(stream)) {
		for (size_t at = 0; at < size; at += (size_t)written) {
			written = write(STDERR_FILENO, text + at, size - at);
			if (written <= 0)
				break;
		}
	}
	free(text);
}

bool
channel_is_shown(const struct channel *channel)
{
	return channel->queue->dump;
}

/*
 * Nothing from here on takes a lock of libdrm's or allocates [libdrm,
 * amdgpu_cs.c]: a handler of a signal may submit whatever it has interrupted.
 */
static int
submit(struct channel *channel, enum pm4_engine engine,
       const struct buffer *buffer, size_t offset, size_t dwords,
       uint64_t *fence)
{
	struct drm_amdgpu_cs_chunk_ib commands = {
		.va_start = buffer->address + offset,
		.ib_bytes = (uint32_t)(dwords * sizeof(uint32_t)),
		.ip_type = channel->queue->ip_types[engine],
		.ring = channel->queue->rings[engine],
	};
	struct drm_amdgpu_cs_chunk chunk = {
		.chunk_id = AMDGPU_CHUNK_ID_IB,
		.length_dw = sizeof(commands) / sizeof(uint32_t),
		.chunk_data = (uint64_t)(uintptr_t)&commands,
	};

	return amdgpu_cs_submit_raw2(channel->queue->device, channel->context,
				     buffer->object->list, 1, &chunk, fence);
}

static int
wait_for(struct channel *channel, enum pm4_engine engine, uint64_t number)
{
	struct amdgpu_cs_fence fence = {
		.context = channel->context,
		.ip_type = channel->queue->ip_types[engine],
		.ring = channel->queue->rings[engine],
		.fence = number,
	};
	uint32_t expired = 0;
	int ret;

	ret = amdgpu_cs_query_fence_status(
		&fence, monotonic_ns() + ANSWER_NS,
		AMDGPU_QUERY_FENCE_TIMEOUT_IS_ABSOLUTE, &expired);
	if (ret)
		return ret;
	return expired ? 0 : -ETIME;
}

int
channel_run(struct channel *channel, enum pm4_engine engine,
	    const struct buffer *buffer, size_t offset, size_t dwords,
	    struct drmperf_error *error)
{
	uint64_t fence;
	int ret;

	if (channel->queue->dump)
		dump((const uint32_t *)((const char *)buffer->memory + offset),
		     dwords);
	ret = submit(channel, engine, buffer, offset, dwords, &fence);
	if (!ret)
		ret = wait_for(channel, engine, fence);
	if (!ret)
		return 0;
	if (channel_was_reset(channel))
		ret = -ECANCELED;
	return say(channel->queue, ret, "the kernel refuses commands", error);
}
