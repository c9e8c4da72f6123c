/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/device/context.h"

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
#include "driver/amdgpu/device/aql.h"
#include "driver/amdgpu/device/device_private.h"

/*
 * After this time a wait is logged: none of our command buffers takes that
 * long, but work of other programs may hold the ring. The kernel ends what
 * hangs.
 */
#define ANSWER_NS UINT64_C(5000000000)

/*
 * Commands in the compute driver's queue are given up after this time, since
 * the kernel does not end those that hang.
 */
#define HANG_NS UINT64_C(60000000000)
#define RESET_CHECK_NS UINT64_C(1000000000)

/* Larger idle buffers are freed instead of kept. */
#define IDLE_MOST (1 << 20)

/*
 * The least time that one check of a fence's number takes. Spinning is limited
 * to a number of checks as well, since the clock of a virtual machine may stand
 * still.
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

struct amd_context {
	struct amd_device *dev;
	/* of this context: another one begins again with 1 */
	struct user_fence fence;
	uint32_t id;
	unsigned renewals; /* how often id and fence have been replaced */
	bool is_on_xccs; /* commands run in the queue of all XCCs */
	enum stable_pstate clock; /* that it holds */
	bool failed; /* commands failed: it is not used again */
	/*
	 * A stable state was set when the context was made, which Linux 6.1
	 * puts back when it ends: it does not outlive its user.
	 */
	bool is_dirty;
	bool is_silent; /* writes no log */
	uint64_t ran_ns; /* when the last commands did */
};

struct buffer_object {
	struct amd_device *dev;
	amdgpu_bo_handle bo;
	amdgpu_va_handle va;
	uint32_t list; /* the buffer list of submissions, with this alone */
	bool failed; /* commands in it failed, and may still run */
	uint64_t address;
	void *memory;
	size_t size;
	/* for commands on all XCCs: the memory, and behind it a signal */
	struct aql_memory on_xccs;
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
amd_device_error(const struct amd_device *dev, int code, const char *doing,
		 struct drmperf_error *error)
{
	for (size_t i = 0; i < ARRAY_SIZE(failures); i++) {
		if (failures[i].code != code)
			continue;
		error_set(error, code, "%s: %s", dev->node, failures[i].cause);
		error_remedy(error, "%s", failures[i].remedy);
		return code;
	}
	error_set(error, code, "%s: %s: %s", dev->node, doing,
		  strerrordesc_np(-code));
	error_remedy(error,
		     "look for messages of amdgpu in the kernel's log (dmesg)");
	return code;
}

/* ------------------------------------------------------------------ */
/* In a forked child                                                    */

/*
 * Hide the GPU's file from libdrm. libdrm's records of buffers are freed
 * together with what they stand for, by numbers which in a child mean the
 * parent's. For that moment another file takes the place of the GPU's, one that
 * knows no such request. Returns the GPU's file, for show_file(); -1: there is
 * no way but to keep the records.
 */
static int
hide_file(const struct amd_device *dev)
{
	int used = dev->used_fd;
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
show_file(const struct amd_device *dev, int hidden)
{
	dup3(hidden, dev->used_fd, O_CLOEXEC);
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
user_fence_init(struct user_fence *fence, const struct amd_device *dev)
{
	union drm_amdgpu_gem_create request = {
		.in = { .bo_size = user_fence_size(),
			.alignment = user_fence_size(),
			.domains = AMDGPU_GEM_DOMAIN_GTT },
	};
	struct drm_gem_close unused;

	fence->memory = NULL;
	fence->fd = fcntl(dev->used_fd, F_DUPFD_CLOEXEC, 0);
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
/* Contexts                                                             */

static int
make_context(struct amd_context *ctx, uint32_t *out,
	     struct drmperf_error *error)
{
	const struct amd_device *dev = ctx->dev;
	enum stable_pstate clock = STABLE_PSTATE_NONE;
	int ret = context_ioctl_create(dev->used_fd, out);

	if (ret)
		return amd_device_error(dev, ret, "cannot make a context",
					error);
	/* Kernels before 5.17 have no such states. */
	context_ioctl_get_pstate(dev->used_fd, *out, &clock);
	ctx->is_dirty = clock != STABLE_PSTATE_NONE;
	return 0;
}

static int
query_reset(const struct amd_context *ctx, bool *out)
{
	return context_ioctl_was_reset(ctx->dev->used_fd, ctx->id, out);
}

bool
amd_context_was_reset(struct amd_context *ctx)
{
	bool was_reset;

	query_reset(ctx, &was_reset);
	return was_reset;
}

static void
end_context(struct amd_context *ctx)
{
	context_ioctl_destroy(ctx->dev->used_fd, ctx->id);
	user_fence_finish(&ctx->fence);
	free(ctx);
}

/* Take the idle context, if nothing went wrong in it. */
static struct amd_context *
take_idle_context(struct amd_device *dev)
{
	struct amd_context *ctx = atomic_exchange(&dev->idle_context, NULL);
	bool was_reset;

	if (ctx && (query_reset(ctx, &was_reset) || was_reset)) {
		end_context(ctx);
		ctx = NULL;
	}
	return ctx;
}

int
amd_context_create(struct amd_device *dev, struct amd_context **out,
		   struct drmperf_error *error)
{
	*out = take_idle_context(dev);
	return *out ? 0 : amd_context_create_fresh(dev, out, error);
}

int
amd_context_create_fresh(struct amd_device *dev, struct amd_context **out,
			 struct drmperf_error *error)
{
	struct amd_context *ctx = calloc(1, sizeof(*ctx));
	int ret;

	if (!ctx)
		return error_set(error, -ENOMEM, "no memory");
	ctx->dev = dev;
	ctx->clock = STABLE_PSTATE_NONE;
	ret = make_context(ctx, &ctx->id, error);
	if (ret)
		free(ctx);
	else
		*out = ctx;
	return ret;
}

int
amd_context_create_on_xccs(struct amd_device *dev, struct amd_context **out,
			   struct drmperf_error *error)
{
	int ret = amd_context_create(dev, out, error);

	if (!ret)
		(*out)->is_on_xccs = true;
	return ret;
}

void
amd_context_destroy(struct amd_context *ctx)
{
	struct amd_context *none = NULL;

	ctx->is_on_xccs = ctx->is_silent = false;
	if (ctx->failed || ctx->is_dirty || ctx->clock != STABLE_PSTATE_NONE ||
	    !atomic_compare_exchange_strong(&ctx->dev->idle_context, &none,
					    ctx))
		end_context(ctx);
}

void
amd_context_abandon(struct amd_context *ctx)
{
	user_fence_abandon(&ctx->fence);
	free(ctx);
}

const struct amd_device_info *
amd_context_info(const struct amd_context *ctx)
{
	return &ctx->dev->info;
}

int
amd_context_renew(struct amd_context *ctx, struct drmperf_error *error)
{
	uint32_t fresh = 0;
	int ret = make_context(ctx, &fresh, error);

	if (ret)
		return ret;
	if (ctx->is_on_xccs && ctx->failed)
		ret = aql_renew(ctx->dev->aql);
	context_ioctl_destroy(ctx->dev->used_fd, ctx->id);
	ctx->id = fresh;
	ctx->renewals++;
	/* commands of the old one may still write to its fence */
	if (ctx->fence.memory) {
		user_fence_finish(&ctx->fence);
		user_fence_init(&ctx->fence, ctx->dev);
	}
	ctx->clock = STABLE_PSTATE_NONE;
	ctx->failed = false;
	return ret ? amd_device_error(ctx->dev, ret, "cannot make a queue",
				      error)
		   : 0;
}

int
amd_context_get_pstate(struct amd_context *ctx, enum stable_pstate *out)
{
	return context_ioctl_get_pstate(ctx->dev->used_fd, ctx->id, out);
}

/*
 * Set a stable pstate. Asking for the state that is set takes no ownership;
 * what this context does not own it must not end (Linux amdgpu_ctx.c).
 */
int
amd_context_set_pstate(struct amd_context *ctx, enum stable_pstate clock)
{
	const bool is_owner = ctx->clock != STABLE_PSTATE_NONE;
	enum stable_pstate now = STABLE_PSTATE_NONE;
	int ret = 0;

	if (!is_owner && clock == STABLE_PSTATE_NONE)
		return 0;
	if (!is_owner)
		ret = amd_context_get_pstate(ctx, &now);
	if (!ret && now != STABLE_PSTATE_NONE)
		return now == clock ? 0 : -EBUSY;
	if (!ret)
		ret = context_ioctl_set_pstate(ctx->dev->used_fd, ctx->id,
					       clock);
	if (!ret)
		ctx->clock = clock;
	return ret;
}

const char *
amd_context_node(const struct amd_context *ctx)
{
	return ctx->dev->node;
}

size_t
amd_context_alignment(const struct amd_context *ctx)
{
	/* Some kernels say 1, meaning dwords. */
	return ctx->dev->ib_alignment < 32 ? 32 : ctx->dev->ib_alignment;
}

/* ------------------------------------------------------------------ */
/* Buffers                                                              */

static int
map_object(struct buffer_object *object)
{
	struct drm_amdgpu_bo_list_entry entry = { 0 };
	int ret;

	ret = amdgpu_va_range_alloc(object->dev->device,
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
	ret = amdgpu_bo_list_create_raw(object->dev->device, 1, &entry,
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

/*
 * Make a buffer object. libdrm locks its tables, which a child has to take the
 * buffer out of.
 */
static int
make_object(struct amd_device *dev, size_t size, struct buffer_object **out,
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
	object->dev = dev;
	object->size = request.alloc_size;
	fork_bar();
	ret = amdgpu_bo_alloc(dev->device, &request, &object->bo);
	if (!ret) {
		ret = map_object(object);
		if (ret)
			amdgpu_bo_free(object->bo);
	}
	fork_unbar();
	if (ret) {
		free(object);
		return amd_device_error(dev, ret, "cannot get a buffer", error);
	}
	*out = object;
	return 0;
}

static int
make_object_on_xccs(struct amd_device *dev, size_t size,
		    struct buffer_object **out, struct drmperf_error *error)
{
	struct buffer_object *object = calloc(1, sizeof(*object));
	int ret;

	if (!object)
		return error_set(error, -ENOMEM, "no memory");
	size = (size + AQL_SIGNAL_SIZE - 1) / AQL_SIGNAL_SIZE * AQL_SIGNAL_SIZE;
	ret = aql_alloc(dev->aql, size + AQL_SIGNAL_SIZE, &object->on_xccs);
	if (ret) {
		free(object);
		amd_device_error(dev, ret, "cannot get a buffer", error);
		return ret;
	}
	object->dev = dev;
	object->memory = object->on_xccs.at;
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
		aql_free(object->dev->aql, &object->on_xccs, false);
		free(object);
		return;
	}
	fork_bar();
	amdgpu_bo_list_destroy_raw(object->dev->device, object->list);
	amdgpu_bo_cpu_unmap(object->bo);
	amdgpu_bo_va_op(object->bo, 0, object->size, object->address, 0,
			AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(object->va);
	amdgpu_bo_free(object->bo);
	fork_unbar();
	free(object);
}

static struct buffer_object *
take_idle_object(struct amd_device *dev, size_t size)
{
	struct buffer_object *object = atomic_exchange(&dev->idle_object, NULL);

	if (object && object->size < size) {
		end_object(object);
		object = NULL;
	}
	return object;
}

int
buffer_create(struct amd_context *ctx, size_t size, struct buffer *out,
	      struct drmperf_error *error)
{
	struct buffer_object *object =
		ctx->is_on_xccs ? NULL : take_idle_object(ctx->dev, size);
	int ret = 0;

	if (ctx->is_on_xccs)
		ret = make_object_on_xccs(ctx->dev, size, &object, error);
	else if (!object)
		ret = make_object(ctx->dev, size, &object, error);
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
	    !atomic_compare_exchange_strong(&object->dev->idle_object, &none,
					    object))
		end_object(object);
}

static void
abandon_object(struct buffer_object *object)
{
	int hidden;

	if (object->signal) {
		aql_free(object->dev->aql, &object->on_xccs, true);
		free(object);
		return;
	}
	hidden = hide_file(object->dev);
	if (hidden >= 0) {
		amdgpu_bo_free(object->bo);
		show_file(object->dev, hidden);
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
amd_context_end_idle(struct amd_device *dev)
{
	struct amd_context *ctx = atomic_exchange(&dev->idle_context, NULL);
	struct buffer_object *object = atomic_exchange(&dev->idle_object, NULL);

	if (ctx)
		end_context(ctx);
	if (object)
		end_object(object);
}

void
amd_context_abandon_idle(struct amd_device *dev)
{
	if (dev->idle_context)
		amd_context_abandon(dev->idle_context);
	if (dev->idle_object)
		abandon_object(dev->idle_object);
}

/* ------------------------------------------------------------------ */
/* Submitting                                                           */

/* Write a paragraph of hexadecimal dwords, as umr's disassembler takes them. */
COLD static void
dump_commands(const uint32_t *dwords, size_t count)
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
amd_context_silence(struct amd_context *ctx, bool on)
{
	ctx->is_silent = on;
}

bool
amd_context_is_shown(const struct amd_context *ctx)
{
	return ctx->dev->dump;
}

struct amd_submission {
	struct amd_context *ctx;
	enum pm4_engine engine;
	const struct buffer *buffer;
	size_t offset, dwords;
	bool spins; /* see amd_submission_spin() */
	unsigned renewals; /* of the context whose numbers it has */
	struct drm_amdgpu_cs_chunk_ib commands;
	struct drm_amdgpu_cs_chunk_fence fence; /* if shown is not NULL */
	struct drm_amdgpu_cs_chunk chunk, fence_chunk;
	uint64_t chunks[2]; /* their addresses */
	union drm_amdgpu_cs cs; /* copied for each ioctl, which changes it */
	/*
	 * memory that holds the number of the last submission that ended, or
	 * NULL
	 */
	const _Atomic uint32_t *shown;
	/* of the commands that the kernel has taken last */
	uint64_t number, began_ns;
};

/* Take the numbers of the context and its fence. */
static void
take_numbers(struct amd_submission *submission)
{
	const struct amd_context *ctx = submission->ctx;
	const char *fences = submission->spins ? ctx->fence.memory : NULL;

	submission->renewals = ctx->renewals;
	submission->cs.in.ctx_id = ctx->id;
	submission->cs.in.num_chunks = fences ? 2 : 1;
	submission->fence.handle = ctx->fence.handle;
	submission->shown = NULL;
	if (fences)
		submission->shown =
			(const _Atomic uint32_t *)(fences +
						   submission->fence.offset);
}

static void
submission_prepare(struct amd_submission *submission, struct amd_context *ctx,
		   enum pm4_engine engine, const struct buffer *buffer,
		   size_t offset, size_t dwords)
{
	const struct amd_device *dev = ctx->dev;

	*submission = (struct amd_submission){
		.ctx = ctx,
		.engine = engine,
		.buffer = buffer,
		.offset = offset,
		.dwords = dwords,
		.commands = { .va_start = buffer->address + offset,
			      .ib_bytes = (uint32_t)(dwords * sizeof(uint32_t)),
			      .ip_type = dev->ip_types[engine],
			      .ring = dev->rings[engine] },
		.chunk = { .chunk_id = AMDGPU_CHUNK_ID_IB,
			   .length_dw = sizeof(submission->commands) /
					sizeof(uint32_t),
			   .chunk_data = (uintptr_t)&submission->commands },
		/* a ring has its own numbers, and so its own place */
		.fence = { .offset = (uint32_t)engine * FENCE_STRIDE },
		.fence_chunk = { .chunk_id = AMDGPU_CHUNK_ID_FENCE,
				 .length_dw = sizeof(submission->fence) /
					      sizeof(uint32_t),
				 .chunk_data = (uintptr_t)&submission->fence },
		.chunks = { (uintptr_t)&submission->chunk,
			    (uintptr_t)&submission->fence_chunk },
		.cs.in = { .bo_list_handle = buffer->object->list,
			   .chunks = (uintptr_t)submission->chunks },
	};
	take_numbers(submission);
}

int
amd_submission_create(struct amd_context *ctx, enum pm4_engine engine,
		      const struct buffer *buffer, size_t offset, size_t dwords,
		      struct amd_submission **out, struct drmperf_error *error)
{
	struct amd_submission *submission = malloc(sizeof(*submission));

	if (!submission)
		return error_set(error, -ENOMEM, "no memory");
	submission_prepare(submission, ctx, engine, buffer, offset, dwords);
	*out = submission;
	return 0;
}

void
amd_submission_spin(struct amd_submission *submission)
{
	struct amd_context *ctx = submission->ctx;

	if (!ctx->dev->spin_ns || ctx->is_on_xccs || ctx->dev->submit_hook)
		return;
	if (!ctx->fence.memory)
		user_fence_init(&ctx->fence, ctx->dev);
	submission->spins = true;
	take_numbers(submission);
}

void
amd_submission_destroy(struct amd_submission *submission)
{
	free(submission);
}

COLD static int
explain_failure(const struct amd_submission *submission, int ret,
		struct drmperf_error *error)
{
	struct amd_context *ctx = submission->ctx;
	bool was_reset;

	ctx->failed = true;
	submission->buffer->object->failed = true;
	/* a file in the old one's place does not know the context */
	if (query_reset(ctx, &was_reset) == -EINVAL)
		ret = -ENODEV;
	else if (was_reset)
		ret = -ECANCELED;
	return amd_device_error(ctx->dev, ret, "the kernel refuses commands",
				error);
}

/* Write the commands to standard error, and give them to the hook. */
COLD static int
show_commands(const struct amd_submission *submission,
	      struct drmperf_error *error)
{
	const struct amd_device *dev = submission->ctx->dev;
	const uint32_t *dwords =
		(const uint32_t *)((const char *)submission->buffer->memory +
				   submission->offset);
	int ret = 0;

	if (dev->dump)
		dump_commands(dwords, submission->dwords);
	if (dev->submit_hook)
		ret = dev->submit_hook->submitting(dev->submit_hook->data,
						   submission->engine, dwords,
						   submission->dwords);
	if (ret)
		error_set(error, ret, "commands were not submitted: %s",
			  strerrordesc_np(-ret));
	return ret;
}

static inline void
note_end(const struct amd_submission *submission)
{
	const uint64_t began_ns = submission->began_ns;

	submission->ctx->ran_ns = began_ns + (monotonic_ns() - began_ns) / 2;
}

/* Wait until the time comes, and see whether the commands run on. */
static int
wait_in_kernel(const struct amd_submission *submission, uint64_t until_ns,
	       bool *runs)
{
	union drm_amdgpu_wait_cs wait = {
		.in = { .handle = submission->number,
			.timeout = until_ns,
			.ip_type = submission->commands.ip_type,
			.ring = submission->commands.ring,
			.ctx_id = submission->cs.in.ctx_id },
	};

	if (drmIoctl(submission->ctx->dev->used_fd, DRM_IOCTL_AMDGPU_WAIT_CS,
		     &wait))
		return -errno;
	*runs = wait.out.status;
	return 0;
}

/*
 * Wait longer for commands on all XCCs, until the kernel resets the GPU. If
 * they still hang after HANG_NS, replace their queue.
 */
COLD static int
wait_on_xccs(const struct amd_submission *submission,
	     struct drmperf_error *error)
{
	struct amd_context *ctx = submission->ctx;
	const struct amd_device *dev = ctx->dev;
	const uint64_t end = submission->began_ns + HANG_NS;
	uint64_t now = monotonic_ns();
	bool was_reset = false;
	int ret = 0;

	if (!ctx->is_silent)
		log_write(&dev->log, DRMPERF_LOG_WARNING,
			  "%s: the GPU has not answered for 5 seconds: other "
			  "work holds its queues, or it hangs; waiting",
			  dev->node);
	while (!ret && !was_reset && now < end) {
		if (aql_wait(submission->buffer->object->signal,
			     now + RESET_CHECK_NS)) {
			note_end(submission);
			return 0;
		}
		now = monotonic_ns();
		ret = query_reset(ctx, &was_reset);
	}
	aql_renew(dev->aql);
	return explain_failure(submission, ret ? ret : -ETIME, error);
}

/*
 * Wait on after the commands have not run in time. A submission cannot be taken
 * back; the kernel ends it by a reset if it hangs. A hook has seen each
 * command and decides for itself what hangs.
 */
COLD static int
wait_past_timeout(const struct amd_submission *submission,
		  struct drmperf_error *error)
{
	struct amd_context *ctx = submission->ctx;
	const struct amd_device *dev = ctx->dev;
	bool runs = false;
	int ret;

	if (dev->submit_hook)
		return explain_failure(submission, -ETIME, error);
	if (ctx->is_on_xccs)
		return wait_on_xccs(submission, error);
	if (!ctx->is_silent)
		log_write(&dev->log, DRMPERF_LOG_WARNING,
			  "%s: the GPU has not answered for 5 seconds: other "
			  "work holds its ring, or it hangs; waiting until it "
			  "answers or the kernel resets it",
			  dev->node);
	ret = wait_in_kernel(submission, AMDGPU_TIMEOUT_INFINITE, &runs);
	if (ret || runs)
		return explain_failure(submission, ret ? ret : -ETIME, error);
	note_end(submission);
	return 0;
}

COLD static int
submit_on_xccs(const struct amd_submission *submission,
	       struct drmperf_error *error)
{
	int ret = aql_submit(
		submission->ctx->dev->aql,
		(const char *)submission->buffer->memory + submission->offset,
		submission->dwords, submission->buffer->object->signal);

	return ret ? explain_failure(submission, ret, error) : 0;
}

ALWAYS_INLINE int
amd_submission_submit(struct amd_submission *submission,
		      struct drmperf_error *error)
{
	const struct amd_context *ctx = submission->ctx;
	const struct amd_device *dev = ctx->dev;
	union drm_amdgpu_cs cs;

	if (submission->renewals != ctx->renewals)
		take_numbers(submission);
	cs = submission->cs;
	if (dev->dump || dev->submit_hook) {
		int ret = show_commands(submission, error);

		if (ret)
			return ret;
	}
	submission->began_ns = monotonic_ns();
	if (ctx->is_on_xccs)
		return submit_on_xccs(submission, error);
	if (drmIoctl(dev->used_fd, DRM_IOCTL_AMDGPU_CS, &cs))
		return explain_failure(submission, -errno, error);
	submission->number = cs.out.handle;
	return 0;
}

/* Yield to the other hardware thread of the CPU core. */
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
 * Return whether the submission's number has arrived in memory. Only its lower
 * half is compared, which any CPU reads atomically; until then an earlier
 * submission's number stands there. The GPU writes the number after the
 * results, which may be read then.
 */
static inline bool
shows_end(const struct amd_submission *submission)
{
	return atomic_load_explicit(submission->shown, memory_order_acquire) ==
	       (uint32_t)submission->number;
}

/* Poll memory for the end of the submission, for up to the spin time. */
static bool
spin_until_end(const struct amd_submission *submission)
{
	const uint64_t spin_ns = submission->ctx->dev->spin_ns;
	const uint64_t until = submission->began_ns + spin_ns;
	const uint64_t checks = spin_ns / SPIN_CHECK_NS;

	for (uint64_t i = 1; i < checks && monotonic_ns() < until; i++) {
		cpu_relax();
		if (shows_end(submission))
			return true;
	}
	return false;
}

/*
 * Wait so long at most from the submission on for one whose end is not in
 * memory yet. As amd_submission_wait_briefly().
 */
static __attribute__((noinline)) int
wait_while_running(const struct amd_submission *submission, uint64_t ns,
		   struct drmperf_error *error)
{
	const uint64_t until = submission->began_ns + ns;
	bool runs = false;
	int ret = 0;

	if (submission->ctx->is_on_xccs)
		runs = !aql_wait(submission->buffer->object->signal, until);
	else if (!submission->shown || !spin_until_end(submission))
		ret = wait_in_kernel(submission, until, &runs);
	if (ret)
		return explain_failure(submission, ret, error);
	if (runs)
		return SUBMISSION_RUNS;
	note_end(submission);
	return 0;
}

ALWAYS_INLINE int
amd_submission_wait_briefly(const struct amd_submission *submission,
			    uint64_t ns, struct drmperf_error *error)
{
	if (!submission->shown || !shows_end(submission))
		return wait_while_running(submission, ns, error);
	note_end(submission);
	return 0;
}

ALWAYS_INLINE int
amd_submission_wait(const struct amd_submission *submission,
		    struct drmperf_error *error)
{
	int ret = amd_submission_wait_briefly(submission, ANSWER_NS, error);

	return ret == SUBMISSION_RUNS ? wait_past_timeout(submission, error)
				      : ret;
}

/*
 * Run a submission. Neither takes a lock nor allocates: a signal's handler may
 * submit.
 */
int
amd_submission_run(struct amd_submission *submission,
		   struct drmperf_error *error)
{
	int ret = amd_submission_submit(submission, error);

	return ret ? ret : amd_submission_wait(submission, error);
}

int
amd_context_run(struct amd_context *ctx, enum pm4_engine engine,
		const struct buffer *buffer, size_t offset, size_t dwords,
		struct drmperf_error *error)
{
	struct amd_submission submission;

	submission_prepare(&submission, ctx, engine, buffer, offset, dwords);
	return amd_submission_run(&submission, error);
}

uint64_t
amd_context_ran_ns(const struct amd_context *ctx)
{
	return ctx->ran_ns;
}
