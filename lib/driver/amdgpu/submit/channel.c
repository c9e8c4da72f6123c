/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/submit/channel.h"

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include "base/array.h"
#include "base/fork_close.h"
#include "base/monotonic.h"
#include "base/cold.h"
#include "driver/amdgpu/submit/aql.h"
#include "driver/amdgpu/submit/queue_private.h"

/*
 * Long for any command buffer of ours: the log says so. A ring may be held by
 * work of other programs, and the kernel ends what hangs.
 */
#define ANSWER_NS UINT64_C(5000000000)

/* In the compute driver's queue nothing else ends what hangs. */
#define HANG_NS UINT64_C(60000000000)
#define RESET_CHECK_NS UINT64_C(1000000000)

/* An idle buffer that is greater is given back. */
#define IDLE_MOST (1 << 20)

/*
 * A check of a fence's number takes longer than this. So a number of checks
 * bounds the time, should the clock stand still as that of a virtual machine
 * may.
 */
#define SPIN_CHECK_NS 8

/* Bytes between numbers of two rings, which the CPU caches apart. */
#define FENCE_STRIDE 64

/*
 * A page where the kernel has the GPU write the number of a submission behind
 * everything else of it: a user fence (AMDGPU_CHUNK_ID_FENCE).
 */
struct user_fence {
	void *memory; /* NULL: there is none */
	int fd; /* the file in which the handle names the page */
	uint32_t handle;
};

struct channel {
	struct queue *queue;
	/* of this context: numbers begin anew in another one */
	struct user_fence fence;
	uint32_t context;
	bool is_on_dies; /* commands run in the queue of all dies */
	enum channel_clock clock; /* that it holds */
	bool failed; /* at running something: it is not used afterwards */
	/*
	 * A stable state was set when the context was made, which Linux 6.1
	 * puts back when it ends: it does not outlive its user.
	 */
	bool is_dirty;
	bool is_silent; /* writes no log */
	uint64_t ran_ns; /* when the last commands did */
};

struct buffer_object {
	struct queue *queue;
	amdgpu_bo_handle bo;
	amdgpu_va_handle va;
	uint32_t list; /* the buffer list of submissions, with this alone */
	bool failed; /* commands in it, which may still run some day */
	uint64_t address;
	void *memory;
	size_t size;
	/* on all dies: the same memory, with the signal of commands behind */
	struct aql_memory on_dies;
	struct aql_signal *signal; /* NULL: they run elsewhere */
};

/* ------------------------------------------------------------------ */
/* Errors of a GPU in use                                               */

static const struct failure {
	int code;
	const char *cause;
	const char *remedy;
} failures[] = {
	{ -ECANCELED, "the GPU was reset while it counted",
	  "stop counting and start again; the kernel log (dmesg) names the "
	  "program that hung the GPU" },
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
queue_say(const struct queue *queue, int code, const char *doing,
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
 * libdrm's records of buffers are freed together with what they stand for, by
 * numbers which in a child mean the parent's. For that moment another file
 * takes the place of the GPU's, one that knows no such request. Returns the
 * GPU's file, for show_file(); -1: there is no way but to keep the records.
 */
static int
hide_file(const struct queue *queue)
{
	int used = queue->used_fd;
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
	dup3(hidden, queue->used_fd, O_CLOEXEC);
	close(hidden);
}

/* ------------------------------------------------------------------ */
/* User fences                                                          */

/* Return the only size that the kernel takes (Linux amdgpu_cs.c). */
static size_t
user_fence_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Free the page in this process, not in the kernel. */
static void
user_fence_abandon(struct user_fence *fence)
{
	if (!fence->memory)
		return;
	munmap(fence->memory, user_fence_size());
	close(fence->fd);
	fence->memory = NULL;
}

static void
user_fence_finish(struct user_fence *fence)
{
	struct drm_gem_close request = { .handle = fence->handle };

	if (fence->memory)
		drmIoctl(fence->fd, DRM_IOCTL_GEM_CLOSE, &request);
	user_fence_abandon(fence);
}

/* Return the mapped page of the handle, or NULL. */
static void *
user_fence_map(const struct user_fence *fence)
{
	union drm_amdgpu_gem_mmap request = { .in.handle = fence->handle };
	void *memory;

	if (drmIoctl(fence->fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &request))
		return NULL;
	memory = mmap(NULL, user_fence_size(), PROT_READ | PROT_WRITE,
		      MAP_SHARED, fence->fd, (off_t)request.out.addr_ptr);
	return memory == MAP_FAILED ? NULL : memory;
}

/*
 * Make a page. The fence keeps a descriptor of the file in which its handle
 * means the page: another file may take the place of the GPU's. Leaves
 * fence->memory NULL if that fails: the kernel can be asked.
 */
static void
user_fence_init(struct user_fence *fence, const struct queue *queue)
{
	union drm_amdgpu_gem_create request = {
		.in = { .bo_size = user_fence_size(),
			.alignment = user_fence_size(),
			.domains = AMDGPU_GEM_DOMAIN_GTT },
	};
	struct drm_gem_close unused;

	fence->memory = NULL;
	fence->fd = fcntl(queue->used_fd, F_DUPFD_CLOEXEC, 0);
	if (fence->fd < 0)
		return;
	if (!drmIoctl(fence->fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &request)) {
		fence->handle = request.out.handle;
		fence->memory = user_fence_map(fence);
		if (fence->memory) {
			memset(fence->memory, 0, user_fence_size());
			return;
		}
		unused = (struct drm_gem_close){ .handle = fence->handle };
		drmIoctl(fence->fd, DRM_IOCTL_GEM_CLOSE, &unused);
	}
	close(fence->fd);
}

/* ------------------------------------------------------------------ */
/* Channels                                                             */

static int
make_context(struct channel *channel, uint32_t *out,
	     struct drmperf_error *error)
{
	const struct queue *queue = channel->queue;
	enum channel_clock clock = CHANNEL_CLOCK_NORMAL;
	int ret = context_create(queue->used_fd, out);

	if (ret)
		return queue_say(queue, ret, "cannot make a context", error);
	/* Kernels before 5.17 have no such states. */
	context_get_clock(queue->used_fd, *out, &clock);
	channel->is_dirty = clock != CHANNEL_CLOCK_NORMAL;
	return 0;
}

static int
ask_reset(const struct channel *channel, bool *out)
{
	return context_was_reset(channel->queue->used_fd, channel->context,
				 out);
}

bool
channel_was_reset(struct channel *channel)
{
	bool was_reset;

	ask_reset(channel, &was_reset);
	return was_reset;
}

static void
end_channel(struct channel *channel)
{
	context_destroy(channel->queue->used_fd, channel->context);
	user_fence_finish(&channel->fence);
	free(channel);
}

/* One that has been used before, if it is as good as new. */
static struct channel *
take_idle_channel(struct queue *queue)
{
	struct channel *channel = atomic_exchange(&queue->idle_channel, NULL);
	bool was_reset;

	if (channel && (ask_reset(channel, &was_reset) || was_reset)) {
		end_channel(channel);
		channel = NULL;
	}
	return channel;
}

int
channel_create(struct queue *queue, struct channel **out,
	       struct drmperf_error *error)
{
	*out = take_idle_channel(queue);
	return *out ? 0 : channel_create_fresh(queue, out, error);
}

int
channel_create_fresh(struct queue *queue, struct channel **out,
		     struct drmperf_error *error)
{
	struct channel *channel = calloc(1, sizeof(*channel));
	int ret;

	if (!channel)
		return error_set(error, -ENOMEM, "no memory");
	channel->queue = queue;
	channel->clock = CHANNEL_CLOCK_NORMAL;
	ret = make_context(channel, &channel->context, error);
	if (ret)
		free(channel);
	else
		*out = channel;
	return ret;
}

int
channel_create_on_dies(struct queue *queue, struct channel **out,
		       struct drmperf_error *error)
{
	int ret = channel_create(queue, out, error);

	if (!ret)
		(*out)->is_on_dies = true;
	return ret;
}

void
channel_destroy(struct channel *channel)
{
	struct channel *none = NULL;

	channel->is_on_dies = false;
	if (channel->failed || channel->is_dirty ||
	    channel->clock != CHANNEL_CLOCK_NORMAL ||
	    !atomic_compare_exchange_strong(&channel->queue->idle_channel,
					    &none, channel))
		end_channel(channel);
}

void
channel_abandon(struct channel *channel)
{
	user_fence_abandon(&channel->fence);
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
	uint32_t fresh = 0;
	int ret = make_context(channel, &fresh, error);

	if (ret)
		return ret;
	if (channel->is_on_dies && channel->failed)
		ret = aql_renew(channel->queue->aql);
	context_destroy(channel->queue->used_fd, channel->context);
	channel->context = fresh;
	/* commands of the old one may still write to its fence */
	if (channel->fence.memory) {
		user_fence_finish(&channel->fence);
		user_fence_init(&channel->fence, channel->queue);
	}
	channel->clock = CHANNEL_CLOCK_NORMAL;
	channel->failed = false;
	return ret ? queue_say(channel->queue, ret, "cannot make a queue",
			       error)
		   : 0;
}

int
channel_get_clock(struct channel *channel, enum channel_clock *out)
{
	return context_get_clock(channel->queue->used_fd, channel->context,
				 out);
}

/*
 * Asking for the state that is set takes no ownership; what this context does
 * not own it must not end (Linux amdgpu_ctx.c).
 */
int
channel_set_clock(struct channel *channel, enum channel_clock clock)
{
	const bool is_owner = channel->clock != CHANNEL_CLOCK_NORMAL;
	enum channel_clock now = CHANNEL_CLOCK_NORMAL;
	int ret = 0;

	if (!is_owner && clock == CHANNEL_CLOCK_NORMAL)
		return 0;
	if (!is_owner)
		ret = channel_get_clock(channel, &now);
	if (!ret && now != CHANNEL_CLOCK_NORMAL)
		return now == clock ? 0 : -EBUSY;
	if (!ret)
		ret = context_set_clock(channel->queue->used_fd,
					channel->context, clock);
	if (!ret)
		channel->clock = clock;
	return ret;
}

const char *
channel_node(const struct channel *channel)
{
	return channel->queue->node;
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
map_object(struct buffer_object *object)
{
	struct drm_amdgpu_bo_list_entry entry = { 0 };
	int ret;

	ret = amdgpu_va_range_alloc(object->queue->device,
				    amdgpu_gpu_va_range_general, object->size,
				    4096, 0, &object->address, &object->va, 0);
	if (ret)
		return ret;
	ret = amdgpu_bo_va_op(object->bo, 0, object->size, object->address, 0,
			      AMDGPU_VA_OP_MAP);
	if (ret)
		goto free_range;
	ret = amdgpu_bo_cpu_map(object->bo, &object->memory);
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
	amdgpu_bo_va_op(object->bo, 0, object->size, object->address, 0,
			AMDGPU_VA_OP_UNMAP);
free_range:
	amdgpu_va_range_free(object->va);
	return ret;
}

/* libdrm locks its tables, which a child has to take the buffer out of. */
static int
make_object(struct queue *queue, size_t size, struct buffer_object **out,
	    struct drmperf_error *error)
{
	struct amdgpu_bo_alloc_request request = {
		.alloc_size = (size + 4095) & ~(uint64_t)4095,
		.phys_alignment = 4096,
		/* Results are read by the CPU: cached memory of the system. */
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};
	struct buffer_object *object = calloc(1, sizeof(*object));
	int ret;

	if (!object)
		return error_set(error, -ENOMEM, "no memory");
	object->queue = queue;
	object->size = request.alloc_size;
	fork_bar();
	ret = amdgpu_bo_alloc(queue->device, &request, &object->bo);
	if (!ret) {
		ret = map_object(object);
		if (ret)
			amdgpu_bo_free(object->bo);
	}
	fork_unbar();
	if (ret) {
		free(object);
		return queue_say(queue, ret, "cannot get a buffer", error);
	}
	*out = object;
	return 0;
}

static int
make_object_on_dies(struct queue *queue, size_t size,
		    struct buffer_object **out, struct drmperf_error *error)
{
	struct buffer_object *object = calloc(1, sizeof(*object));
	int ret;

	if (!object)
		return error_set(error, -ENOMEM, "no memory");
	size = (size + AQL_SIGNAL_SIZE - 1) / AQL_SIGNAL_SIZE * AQL_SIGNAL_SIZE;
	ret = aql_alloc(queue->aql, size + AQL_SIGNAL_SIZE, &object->on_dies);
	if (ret) {
		free(object);
		queue_say(queue, ret, "cannot get a buffer", error);
		return ret;
	}
	object->queue = queue;
	object->memory = object->on_dies.at;
	object->address = (uintptr_t)object->memory;
	object->size = size;
	object->signal = (struct aql_signal *)((char *)object->memory + size);
	*out = object;
	return 0;
}

static void
end_object(struct buffer_object *object)
{
	if (object->signal) {
		aql_free(object->queue->aql, &object->on_dies, false);
		free(object);
		return;
	}
	fork_bar();
	amdgpu_bo_list_destroy_raw(object->queue->device, object->list);
	amdgpu_bo_cpu_unmap(object->bo);
	amdgpu_bo_va_op(object->bo, 0, object->size, object->address, 0,
			AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(object->va);
	amdgpu_bo_free(object->bo);
	fork_unbar();
	free(object);
}

static struct buffer_object *
take_idle_object(struct queue *queue, size_t size)
{
	struct buffer_object *object =
		atomic_exchange(&queue->idle_object, NULL);

	if (object && object->size < size) {
		end_object(object);
		object = NULL;
	}
	return object;
}

int
buffer_create(struct channel *channel, size_t size, struct buffer *out,
	      struct drmperf_error *error)
{
	struct buffer_object *object =
		channel->is_on_dies ? NULL
				    : take_idle_object(channel->queue, size);
	int ret = 0;

	if (channel->is_on_dies)
		ret = make_object_on_dies(channel->queue, size, &object, error);
	else if (!object)
		ret = make_object(channel->queue, size, &object, error);
	if (ret)
		return ret;
	*out = (struct buffer){ .address = object->address,
				.memory = object->memory,
				.size = object->size,
				.object = object };
	return 0;
}

void
buffer_destroy(struct buffer *buffer)
{
	struct buffer_object *object = buffer->object, *none = NULL;

	buffer->object = NULL;
	if (!object)
		return;
	if (object->failed || object->signal || object->size > IDLE_MOST ||
	    !atomic_compare_exchange_strong(&object->queue->idle_object, &none,
					    object))
		end_object(object);
}

static void
abandon_object(struct buffer_object *object)
{
	int hidden;

	if (object->signal) {
		aql_free(object->queue->aql, &object->on_dies, true);
		free(object);
		return;
	}
	hidden = hide_file(object->queue);
	if (hidden >= 0) {
		amdgpu_bo_free(object->bo);
		show_file(object->queue, hidden);
	} else {
		munmap(object->memory, object->size);
	}
	amdgpu_va_range_free(object->va);
	free(object);
}

void
buffer_abandon(struct buffer *buffer)
{
	if (buffer->object)
		abandon_object(buffer->object);
	buffer->object = NULL;
}

void
channel_end_idle(struct queue *queue)
{
	struct channel *channel = atomic_exchange(&queue->idle_channel, NULL);
	struct buffer_object *object =
		atomic_exchange(&queue->idle_object, NULL);

	if (channel)
		end_channel(channel);
	if (object)
		end_object(object);
}

void
channel_abandon_idle(struct queue *queue)
{
	if (queue->idle_channel)
		channel_abandon(queue->idle_channel);
	if (queue->idle_object)
		abandon_object(queue->idle_object);
}

/* ------------------------------------------------------------------ */
/* Submitting                                                           */

/* A paragraph of hexadecimal dwords, as umr's disassembler takes them. */
COLD static void
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

void
channel_silence(struct channel *channel, bool on)
{
	channel->is_silent = on;
}

bool
channel_is_shown(const struct channel *channel)
{
	return channel->queue->dump;
}

/* Commands that the kernel has taken. */
struct submitted {
	union drm_amdgpu_wait_cs wait;
	uint64_t began_ns;
};

struct job {
	struct channel *channel;
	enum pm4_engine engine;
	const struct buffer *buffer;
	size_t offset, dwords;
	bool spins; /* see job_spin() */
	struct drm_amdgpu_cs_chunk_ib commands;
	struct drm_amdgpu_cs_chunk_fence fence; /* if the channel has one */
	struct drm_amdgpu_cs_chunk chunk, fence_chunk;
	uint64_t chunks[2]; /* their addresses */
	/* to be copied, since the kernel writes its answers there */
	union drm_amdgpu_cs submission;
	union drm_amdgpu_wait_cs wait;
	struct submitted submitted; /* by job_submit() */
};

static void
job_prepare(struct job *job, struct channel *channel, enum pm4_engine engine,
	    const struct buffer *buffer, size_t offset, size_t dwords)
{
	const struct queue *queue = channel->queue;

	*job = (struct job){
		.channel = channel,
		.engine = engine,
		.buffer = buffer,
		.offset = offset,
		.dwords = dwords,
		.commands = { .va_start = buffer->address + offset,
			      .ib_bytes = (uint32_t)(dwords * sizeof(uint32_t)),
			      .ip_type = queue->ip_types[engine],
			      .ring = queue->rings[engine] },
		.chunk = { .chunk_id = AMDGPU_CHUNK_ID_IB,
			   .length_dw =
				   sizeof(job->commands) / sizeof(uint32_t),
			   .chunk_data = (uintptr_t)&job->commands },
		/* a ring has its own numbers, and so its own place */
		.fence = { .offset = (uint32_t)engine * FENCE_STRIDE },
		.fence_chunk = { .chunk_id = AMDGPU_CHUNK_ID_FENCE,
				 .length_dw =
					 sizeof(job->fence) / sizeof(uint32_t),
				 .chunk_data = (uintptr_t)&job->fence },
		.chunks = { (uintptr_t)&job->chunk,
			    (uintptr_t)&job->fence_chunk },
		.submission.in = { .num_chunks = 1,
				   .chunks = (uintptr_t)job->chunks },
		.wait.in = { .ip_type = queue->ip_types[engine],
			     .ring = queue->rings[engine] },
	};
}

int
job_create(struct channel *channel, enum pm4_engine engine,
	   const struct buffer *buffer, size_t offset, size_t dwords,
	   struct job **out, struct drmperf_error *error)
{
	struct job *job = malloc(sizeof(*job));

	if (!job)
		return error_set(error, -ENOMEM, "no memory");
	job_prepare(job, channel, engine, buffer, offset, dwords);
	*out = job;
	return 0;
}

void
job_spin(struct job *job)
{
	struct channel *channel = job->channel;

	if (!channel->queue->spin_ns || channel->is_on_dies)
		return;
	if (!channel->fence.memory)
		user_fence_init(&channel->fence, channel->queue);
	job->spins = true;
}

void
job_destroy(struct job *job)
{
	free(job);
}

COLD static int
explain(const struct job *job, int ret, struct drmperf_error *error)
{
	struct channel *channel = job->channel;
	bool was_reset;

	channel->failed = true;
	job->buffer->object->failed = true;
	/* a file in the old one's place does not know the context */
	if (ask_reset(channel, &was_reset) == -EINVAL)
		ret = -ENODEV;
	else if (was_reset)
		ret = -ECANCELED;
	return queue_say(channel->queue, ret, "the kernel refuses commands",
			 error);
}

/* Write the commands to standard error, and show them to the observer. */
COLD static int
show(const struct job *job, struct drmperf_error *error)
{
	const struct queue *queue = job->channel->queue;
	const uint32_t *dwords =
		(const uint32_t *)((const char *)job->buffer->memory +
				   job->offset);
	int ret = 0;

	if (queue->dump)
		dump(dwords, job->dwords);
	if (queue->observer)
		ret = queue->observer->submitting(queue->observer->data,
						  job->engine, dwords,
						  job->dwords);
	if (ret)
		error_set(error, ret, "commands were not submitted: %s",
			  strerrordesc_np(-ret));
	return ret;
}

static inline void
note_end(struct channel *channel, uint64_t began_ns)
{
	channel->ran_ns = began_ns + (monotonic_ns() - began_ns) / 2;
}

/*
 * Wait longer for commands on all dies, until the kernel resets the GPU. Those
 * that hang without that are given up with their queue, and another is made.
 */
COLD static int
wait_on_dies(const struct job *job, const struct submitted *submitted,
	     struct drmperf_error *error)
{
	struct channel *channel = job->channel;
	const struct queue *queue = channel->queue;
	const uint64_t end = submitted->began_ns + HANG_NS;
	uint64_t now = monotonic_ns();
	bool was_reset = false;
	int ret = 0;

	if (!channel->is_silent)
		log_write(&queue->log, DRMPERF_LOG_WARNING,
			  "%s: the GPU has not answered for 5 seconds: other "
			  "work holds its queues, or it hangs; waiting",
			  queue->node);
	while (!ret && !was_reset && now < end) {
		if (aql_wait(job->buffer->object->signal,
			     now + RESET_CHECK_NS)) {
			note_end(channel, submitted->began_ns);
			return 0;
		}
		now = monotonic_ns();
		ret = ask_reset(channel, &was_reset);
	}
	aql_renew(queue->aql);
	return explain(job, ret ? ret : -ETIME, error);
}

/*
 * Wait on after the commands have not run in time. A submission cannot be taken
 * back; the kernel ends it by a reset if it hangs. An observer has seen each
 * command and decides for itself what hangs.
 */
COLD static int
wait_on(const struct job *job, const struct submitted *submitted,
	struct drmperf_error *error)
{
	struct channel *channel = job->channel;
	const struct queue *queue = channel->queue;
	union drm_amdgpu_wait_cs wait = submitted->wait;

	if (queue->observer)
		return explain(job, -ETIME, error);
	if (channel->is_on_dies)
		return wait_on_dies(job, submitted, error);
	if (!channel->is_silent)
		log_write(&queue->log, DRMPERF_LOG_WARNING,
			  "%s: the GPU has not answered for 5 seconds: other "
			  "work holds its ring, or it hangs; waiting until it "
			  "answers or the kernel resets it",
			  queue->node);
	wait.in.timeout = AMDGPU_TIMEOUT_INFINITE;
	if (drmIoctl(queue->used_fd, DRM_IOCTL_AMDGPU_WAIT_CS, &wait))
		return explain(job, -errno, error);
	if (wait.out.status)
		return explain(job, -ETIME, error);
	note_end(channel, submitted->began_ns);
	return 0;
}

static inline int
job_submit_once(struct job *job, struct submitted *out,
		struct drmperf_error *error)
{
	struct channel *channel = job->channel;
	const struct queue *queue = channel->queue;
	union drm_amdgpu_cs submission = job->submission;
	int ret = 0;

	if (queue->dump || queue->observer) {
		ret = show(job, error);
		if (ret)
			return ret;
	}
	out->wait = job->wait;
	submission.in.ctx_id = out->wait.in.ctx_id = channel->context;
	submission.in.bo_list_handle = job->buffer->object->list;
	if (job->spins && channel->fence.memory) {
		job->fence.handle = channel->fence.handle;
		submission.in.num_chunks = 2;
	}
	out->began_ns = monotonic_ns();
	if (channel->is_on_dies) {
		ret = aql_submit(queue->aql,
				 (const char *)job->buffer->memory +
					 job->offset,
				 job->dwords, job->buffer->object->signal);
		return ret ? explain(job, ret, error) : 0;
	}
	if (drmIoctl(queue->used_fd, DRM_IOCTL_AMDGPU_CS, &submission))
		return explain(job, -errno, error);
	out->wait.in.handle = submission.out.handle;
	return 0;
}

/* Leave the core to its other thread for a moment. */
static inline void
cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/*
 * Look in memory for some time whether the job has ended. Only the lower half
 * of its number is compared, which any CPU reads at once; what stands there
 * before is of an earlier job. Results may be read once the number is there:
 * the GPU writes it behind them.
 */
static inline bool
has_ended_in_memory(const struct job *job, const struct submitted *submitted)
{
	const struct channel *channel = job->channel;
	const uint32_t number = (uint32_t)submitted->wait.in.handle;
	const uint64_t until = submitted->began_ns + channel->queue->spin_ns;
	const uint64_t checks = channel->queue->spin_ns / SPIN_CHECK_NS;
	const _Atomic uint32_t *at;

	if (!job->spins || !channel->fence.memory || channel->queue->observer)
		return false;
	at = (const _Atomic uint32_t *)((const char *)channel->fence.memory +
					job->fence.offset);
	for (uint64_t i = 0; i < checks; i++) {
		if (atomic_load_explicit(at, memory_order_acquire) == number)
			return true;
		if (monotonic_ns() >= until)
			break;
		cpu_relax();
	}
	return false;
}

/* Wait so long at most from the submission on. As job_wait_briefly(). */
static inline int
wait_for(const struct job *job, const struct submitted *submitted, uint64_t ns,
	 struct drmperf_error *error)
{
	const uint64_t began_ns = submitted->began_ns;
	union drm_amdgpu_wait_cs wait = submitted->wait;

	if (has_ended_in_memory(job, submitted)) {
		note_end(job->channel, began_ns);
		return 0;
	}
	if (job->channel->is_on_dies) {
		if (!aql_wait(job->buffer->object->signal, began_ns + ns))
			return JOB_RUNS;
		note_end(job->channel, began_ns);
		return 0;
	}
	wait.in.timeout = began_ns + ns;
	if (drmIoctl(job->channel->queue->used_fd, DRM_IOCTL_AMDGPU_WAIT_CS,
		     &wait))
		return explain(job, -errno, error);
	if (wait.out.status)
		return JOB_RUNS;
	note_end(job->channel, began_ns);
	return 0;
}

/* Wait until the job has run, without limit. */
static inline int
job_finish(const struct job *job, const struct submitted *submitted,
	   struct drmperf_error *error)
{
	int ret = wait_for(job, submitted, ANSWER_NS, error);

	return ret == JOB_RUNS ? wait_on(job, submitted, error) : ret;
}

/* Neither takes a lock nor allocates: a signal's handler may submit. */
int
job_run(struct job *job, struct drmperf_error *error)
{
	struct submitted submitted;
	int ret = job_submit_once(job, &submitted, error);

	return ret ? ret : job_finish(job, &submitted, error);
}

int
job_submit(struct job *job, struct drmperf_error *error)
{
	return job_submit_once(job, &job->submitted, error);
}

int
job_wait_briefly(struct job *job, uint64_t ns, struct drmperf_error *error)
{
	return wait_for(job, &job->submitted, ns, error);
}

int
job_wait(struct job *job, struct drmperf_error *error)
{
	return job_finish(job, &job->submitted, error);
}

int
channel_run(struct channel *channel, enum pm4_engine engine,
	    const struct buffer *buffer, size_t offset, size_t dwords,
	    struct drmperf_error *error)
{
	struct job job;

	job_prepare(&job, channel, engine, buffer, offset, dwords);
	return job_run(&job, error);
}

uint64_t
channel_ran_ns(const struct channel *channel)
{
	return channel->ran_ns;
}
