/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/submit/queue.h"

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xf86drm.h>

#include "base/monotonic.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Linux 4.20: everything used here is there, but stable power states. */
#define DRM_MINOR_NEEDED 27

/* Long for any command buffer of ours, short for a person who waits. */
#define ANSWER_NS UINT64_C(5000000000)

struct queue {
	amdgpu_device_handle device;
	int fd;
	struct queue_info info;
	uint32_t ip_type;
	uint32_t ring;
	uint32_t ib_alignment;
	bool dump; /* DRMPERF_DEBUG=ib */
	char node[64];
};

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
/* Opening                                                              */

static int
say_denied(const char *node, struct drmperf_error *error)
{
	char buffer[1024];
	struct group group, *found = NULL;
	struct stat info;

	error_set(error, -EACCES, "no permission to open %s", node);
	if (stat(node, &info))
		return -EACCES;
	if ((info.st_mode & 060) != 060) {
		error_remedy(error,
			     "ask the administrator to let a group of "
			     "yours read and write %s",
			     node);
		return -EACCES;
	}
	getgrgid_r(info.st_gid, &group, buffer, sizeof(buffer), &found);
	if (found)
		error_remedy(error,
			     "join the group \"%s\" (as root: usermod "
			     "-aG %s USER) and log in again",
			     found->gr_name, found->gr_name);
	else
		error_remedy(error,
			     "join the group with the number %u, which "
			     "owns %s, and log in again",
			     (unsigned)info.st_gid, node);
	return -EACCES;
}

static int
open_node(const char *node, int *out, struct drmperf_error *error)
{
	int fd, ret;

	if (!*node) {
		error_set(error, -ENODEV, "the GPU has no render node");
		error_remedy(error, "see that the kernel's amdgpu driver has "
				    "been loaded and /dev/dri exists");
		return -ENODEV;
	}
	fd = open(node, O_RDWR | O_CLOEXEC);
	if (fd >= 0) {
		*out = fd;
		return 0;
	}
	ret = -errno;
	if (ret == -EACCES || ret == -EPERM)
		return say_denied(node, error);
	if (ret == -ENOENT || ret == -ENXIO)
		ret = -ENODEV;
	return error_set(error, ret, "cannot open %s: %s", node,
			 strerror(-ret));
}

/* libdrm would complain on standard error, hence before it. */
static int
check_version(int fd, const char *node, struct drmperf_error *error)
{
	drmVersionPtr version = drmGetVersion(fd);
	int major, minor;

	if (!version)
		return error_set(error, -ENODEV, "%s does not answer", node);
	major = version->version_major;
	minor = version->version_minor;
	drmFreeVersion(version);
	if (major == 3 && minor >= DRM_MINOR_NEEDED)
		return 0;
	error_set(error, -ENOTSUP,
		  "the kernel's amdgpu driver has interface version %d.%d, "
		  "drmperf needs 3.%d",
		  major, minor, DRM_MINOR_NEEDED);
	if (major < 3 || (major == 3 && minor < DRM_MINOR_NEEDED))
		error_remedy(error, "use Linux 4.20 or newer");
	else
		error_remedy(error, "use a newer drmperf");
	return -ENOTSUP;
}

/*
 * libdrm keeps one open file per GPU and process, which survives fork(): a
 * child that opens the GPU gets the file, and with it the address space and
 * the contexts, of its parent. The pid kept with the file (nobody else uses
 * that of a DRM file) tells; the child then puts its own file in its place.
 */
static int
own_file(int fd, amdgpu_device_handle device)
{
	int used = amdgpu_device_get_fd(device);
	pid_t owner = fcntl(used, F_GETOWN);

	if (owner > 0 && owner != getpid() && dup3(fd, used, O_CLOEXEC) < 0)
		return -errno;
	fcntl(used, F_SETOWN, getpid());
	return 0;
}

static int
open_device(struct queue *queue, const char *node, struct drmperf_error *error)
{
	uint32_t major, minor;
	int ret;

	ret = open_node(node, &queue->fd, error);
	if (ret)
		return ret;
	ret = check_version(queue->fd, node, error);
	if (ret)
		goto close;
	ret = amdgpu_device_initialize(queue->fd, &major, &minor,
				       &queue->device);
	if (ret) {
		error_set(error, ret, "libdrm cannot use %s: %s", node,
			  strerror(-ret));
		error_remedy(error, "look for messages of amdgpu in the "
				    "kernel's log (dmesg)");
		goto close;
	}
	ret = own_file(queue->fd, queue->device);
	if (!ret)
		return 0;
	error_set(error, ret, "cannot use %s: %s", node, strerror(-ret));
	amdgpu_device_deinitialize(queue->device);
close:
	close(queue->fd);
	return ret;
}

/* ------------------------------------------------------------------ */
/* What the kernel says                                                 */

static unsigned
count_rings(struct queue *queue, unsigned type,
	    struct drm_amdgpu_info_hw_ip *info)
{
	memset(info, 0, sizeof(*info));
	if (amdgpu_query_hw_ip_info(queue->device, type, 0, info))
		return 0;
	return (unsigned)__builtin_popcount(info->available_rings);
}

/*
 * The version of the graphics core stands behind available_rings since Linux
 * 6.0 (DRM 3.48); older headers call that padding, older kernels leave it 0.
 */
static uint32_t
core_version(const struct drm_amdgpu_info_hw_ip *info)
{
	uint32_t version;

	memcpy(&version, &info->available_rings + 1, sizeof(version));
	return version;
}

static int
choose_ring(struct queue *queue, struct drmperf_error *error)
{
	static const struct {
		unsigned type;
		enum pm4_engine engine;
	} choices[] = {
		{ AMDGPU_HW_IP_COMPUTE, PM4_ENGINE_COMPUTE },
		{ AMDGPU_HW_IP_GFX, PM4_ENGINE_GFX },
	};
	struct drm_amdgpu_info_hw_ip info;

	for (size_t i = 0; i < ARRAY_SIZE(choices); i++) {
		if (!count_rings(queue, choices[i].type, &info))
			continue;
		queue->ip_type = choices[i].type;
		queue->ring = (uint32_t)__builtin_ctz(info.available_rings);
		queue->info.engine = choices[i].engine;
		queue->info.identity.core = core_version(&info);
		queue->ib_alignment = info.ib_size_alignment;
		if (info.ib_start_alignment > queue->ib_alignment)
			queue->ib_alignment = info.ib_start_alignment;
		return 0;
	}
	return error_set(error, -ENOTSUP, "%s has no ring for commands",
			 queue->node);
}

/* Of the prefetch parser in front of graphics, or of the compute engine. */
static uint32_t
firmware_version(struct queue *queue)
{
	static const unsigned types[PM4_ENGINES] = {
		[PM4_ENGINE_GFX] = AMDGPU_INFO_FW_GFX_PFP,
		[PM4_ENGINE_COMPUTE] = AMDGPU_INFO_FW_GFX_MEC,
	};
	uint32_t version, feature;

	if (amdgpu_query_firmware_version(queue->device,
					  types[queue->info.engine], 0, 0,
					  &version, &feature))
		return 0;
	return version;
}

static void
take_shape(struct topology_source *shape,
	   const struct drm_amdgpu_info_device *info)
{
	shape->engines = info->num_shader_engines;
	shape->arrays = info->num_shader_arrays_per_engine;
	memcpy(shape->cu_bitmap, info->cu_bitmap, sizeof(shape->cu_bitmap));
	shape->rb_mask = info->enabled_rb_pipes_mask;
	shape->channels = info->num_tcc_blocks;
	shape->channels_off = info->tcc_disabled_mask;
}

static int
read_info(struct queue *queue, struct drmperf_error *error)
{
	struct drm_amdgpu_info_device device = { 0 };
	struct drm_amdgpu_info_hw_ip sdma;
	struct queue_info *info = &queue->info;
	int ret;

	ret = amdgpu_query_info(queue->device, AMDGPU_INFO_DEV_INFO,
				sizeof(device), &device);
	if (ret)
		return error_set(error, ret, "%s does not tell what it is: %s",
				 queue->node, strerror(-ret));
	info->identity.family = device.family;
	info->identity.revision = device.external_rev;
	info->timestamp_khz = device.gpu_counter_freq;
	info->engine_khz = device.max_engine_clock;
	info->memory_khz = device.max_memory_clock;
	info->wave_size = device.wave_front_size;
	take_shape(&info->shape, &device);
	info->shape.sdma_engines = count_rings(queue, AMDGPU_HW_IP_DMA, &sdma);
	ret = choose_ring(queue, error);
	if (!ret)
		info->firmware = firmware_version(queue);
	return ret;
}

static bool
wants_dump(void)
{
	const char *at = secure_getenv("DRMPERF_DEBUG");
	size_t length;

	while (at && *at) {
		length = strcspn(at, ",");
		if (length == 2 && !strncmp(at, "ib", 2))
			return true;
		at += length + (at[length] == ',');
	}
	return false;
}

int
queue_open(const struct driver_target *target, struct queue **out,
	   struct drmperf_error *error)
{
	struct queue *queue = calloc(1, sizeof(*queue));
	int ret;

	if (!queue)
		return error_set(error, -ENOMEM, "no memory");
	snprintf(queue->node, sizeof(queue->node), "%s", target->render);
	queue->dump = wants_dump();
	ret = open_device(queue, target->render, error);
	if (ret) {
		free(queue);
		return ret;
	}
	ret = read_info(queue, error);
	if (ret)
		queue_close(queue);
	else
		*out = queue;
	return ret;
}

void
queue_close(struct queue *queue)
{
	amdgpu_device_deinitialize(queue->device);
	close(queue->fd);
	free(queue);
}

void
queue_abandon(struct queue *queue)
{
	/* Frees memory and closes files: no request reaches the kernel. */
	queue_close(queue);
}

const struct queue_info *
queue_info(const struct queue *queue)
{
	return &queue->info;
}

const char *
queue_node(const struct queue *queue)
{
	return queue->node;
}

/* ------------------------------------------------------------------ */
/* Sensors                                                              */

/* Of kernels after 6.1 (amdgpu_drm.h); libdrm's header may be older. */
#define SENSOR_PEAK_PSTATE_GFX_SCLK 0xa
#define SENSOR_PEAK_PSTATE_GFX_MCLK 0xb
#define SENSOR_GPU_INPUT_POWER 0xc

/* Numbers of AMDGPU_INFO_SENSOR; the rest has questions of its own. */
static const unsigned sensor_numbers[] = {
	[QUEUE_GFX_SCLK] = AMDGPU_INFO_SENSOR_GFX_SCLK,
	[QUEUE_GFX_MCLK] = AMDGPU_INFO_SENSOR_GFX_MCLK,
	[QUEUE_STABLE_PSTATE_GFX_SCLK] =
		AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_SCLK,
	[QUEUE_STABLE_PSTATE_GFX_MCLK] =
		AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_MCLK,
	[QUEUE_PEAK_PSTATE_GFX_SCLK] = SENSOR_PEAK_PSTATE_GFX_SCLK,
	[QUEUE_PEAK_PSTATE_GFX_MCLK] = SENSOR_PEAK_PSTATE_GFX_MCLK,
	[QUEUE_GPU_LOAD] = AMDGPU_INFO_SENSOR_GPU_LOAD,
	[QUEUE_GPU_TEMP] = AMDGPU_INFO_SENSOR_GPU_TEMP,
	[QUEUE_GPU_AVG_POWER] = AMDGPU_INFO_SENSOR_GPU_AVG_POWER,
	[QUEUE_GPU_INPUT_POWER] = SENSOR_GPU_INPUT_POWER,
	[QUEUE_VDDNB] = AMDGPU_INFO_SENSOR_VDDNB,
	[QUEUE_VDDGFX] = AMDGPU_INFO_SENSOR_VDDGFX,
};

static int
ask_memory(const struct queue *queue, enum queue_sensor sensor, uint64_t *out)
{
	struct drm_amdgpu_memory_info info;
	int ret = amdgpu_query_info(queue->device, AMDGPU_INFO_MEMORY,
				    sizeof(info), &info);

	if (ret)
		return ret;
	if (sensor == QUEUE_VRAM_TOTAL)
		*out = info.vram.total_heap_size;
	else if (sensor == QUEUE_VIS_VRAM_TOTAL)
		*out = info.cpu_accessible_vram.total_heap_size;
	else
		*out = info.gtt.total_heap_size;
	return 0;
}

int
queue_ask(const struct queue *queue, enum queue_sensor sensor, uint64_t *out)
{
	uint32_t value;
	int ret;

	switch (sensor) {
	case QUEUE_VRAM_USAGE:
		return amdgpu_query_info(queue->device, AMDGPU_INFO_VRAM_USAGE,
					 sizeof(*out), out);
	case QUEUE_VIS_VRAM_USAGE:
		return amdgpu_query_info(queue->device,
					 AMDGPU_INFO_VIS_VRAM_USAGE,
					 sizeof(*out), out);
	case QUEUE_GTT_USAGE:
		return amdgpu_query_info(queue->device, AMDGPU_INFO_GTT_USAGE,
					 sizeof(*out), out);
	case QUEUE_VRAM_TOTAL:
	case QUEUE_VIS_VRAM_TOTAL:
	case QUEUE_GTT_TOTAL:
		return ask_memory(queue, sensor, out);
	default:
		break;
	}
	ret = amdgpu_query_sensor_info(queue->device, sensor_numbers[sensor],
				       sizeof(value), &value);
	if (!ret)
		*out = value;
	return ret;
}

uint32_t
queue_engine_mhz(const struct queue *queue)
{
	uint64_t mhz;

	return queue_ask(queue, QUEUE_GFX_SCLK, &mhz) ? 0 : (uint32_t)mhz;
}

uint32_t
queue_memory_mhz(const struct queue *queue)
{
	uint64_t mhz;

	return queue_ask(queue, QUEUE_GFX_MCLK, &mhz) ? 0 : (uint32_t)mhz;
}

/* ------------------------------------------------------------------ */
/* Errors of a GPU in use                                               */

static const struct answer {
	int code;
	const char *cause;
	const char *remedy;
} answers[] = {
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
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		if (answers[i].code != code)
			continue;
		error_set(error, code, "%s: %s", queue->node, answers[i].cause);
		error_remedy(error, "%s", answers[i].remedy);
		return code;
	}
	error_set(error, code, "%s: %s: %s", queue->node, doing,
		  strerror(-code));
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
	ret = amdgpu_bo_alloc(object->queue->device, &request, &object->bo);
	if (!ret) {
		ret = map_buffer(object, &buffer);
		if (ret)
			amdgpu_bo_free(object->bo);
	}
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
	amdgpu_bo_list_destroy_raw(object->queue->device, object->list);
	amdgpu_bo_cpu_unmap(object->bo);
	amdgpu_bo_va_op(object->bo, 0, buffer->size, buffer->address, 0,
			AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(object->va);
	amdgpu_bo_free(object->bo);
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

static int
submit(struct channel *channel, const struct buffer *buffer, size_t offset,
       size_t dwords, uint64_t *fence)
{
	struct drm_amdgpu_cs_chunk_ib commands = {
		.va_start = buffer->address + offset,
		.ib_bytes = (uint32_t)(dwords * sizeof(uint32_t)),
		.ip_type = channel->queue->ip_type,
		.ring = channel->queue->ring,
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
wait_for(struct channel *channel, uint64_t number)
{
	struct amdgpu_cs_fence fence = {
		.context = channel->context,
		.ip_type = channel->queue->ip_type,
		.ring = channel->queue->ring,
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
channel_run(struct channel *channel, const struct buffer *buffer, size_t offset,
	    size_t dwords, struct drmperf_error *error)
{
	uint64_t fence;
	int ret;

	if (channel->queue->dump)
		dump((const uint32_t *)((const char *)buffer->memory + offset),
		     dwords);
	ret = submit(channel, buffer, offset, dwords, &fence);
	if (!ret)
		ret = wait_for(channel, fence);
	if (!ret)
		return 0;
	if (channel_was_reset(channel))
		ret = -ECANCELED;
	return say(channel->queue, ret, "the kernel refuses commands", error);
}
