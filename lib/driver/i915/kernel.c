/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/kernel.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "driver/i915/uapi.h"

/* Long for a GPU's recovery, short for a user that waits. */
#define PATIENCE_NS UINT64_C(5000000000)
#define PAUSE_NS 1000000

/* Wait a bit. Returns false if it has taken too long already. */
static bool
wait_a_bit(uint64_t *until)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	uint64_t now = monotonic_ns();

	if (!*until)
		*until = now + PATIENCE_NS;
	if (now >= *until)
		return false;
	nanosleep(&pause, NULL);
	return true;
}

/*
 * Call the driver again for as long as it is to be asked again. The driver
 * answers EAGAIN while it recovers from a hang.
 */
static int
kernel_call(int fd, unsigned long request, void *argument)
{
	uint64_t until = 0;
	int ret;

	do
		ret = ioctl(fd, request, argument);
	while (ret < 0 &&
	       (errno == EINTR || (errno == EAGAIN && wait_a_bit(&until))));
	return ret < 0 ? -errno : ret;
}

int
i915_explain_busy(int code, struct drmperf_error *error)
{
	error_set(error, code,
		  "the kernel's driver does not answer: it has been recovering "
		  "the GPU from a hang for 5 seconds");
	error_remedy(error, "try again later; the kernel's log (dmesg) shows "
			    "which program hung the GPU");
	return code;
}

int
i915_getparam(int fd, int32_t param, int *value)
{
	struct drm_i915_getparam getparam = { .param = param, .value = value };

	return kernel_call(fd, DRM_IOCTL_I915_GETPARAM, &getparam);
}

/* Query one item; a failure of the item alone is a negative length. */
static int
query_item(int fd, struct drm_i915_query_item *item)
{
	struct drm_i915_query query = {
		.num_items = 1,
		.items_ptr = (uintptr_t)item,
	};
	int ret = kernel_call(fd, DRM_IOCTL_I915_QUERY, &query);

	if (ret < 0)
		return ret;
	return item->length < 0 ? item->length : 0;
}

int
i915_query(int fd, uint64_t id, void **data, size_t *length)
{
	struct drm_i915_query_item item = { .query_id = id };
	void *answer;
	int ret;

	ret = query_item(fd, &item);
	if (ret < 0)
		return ret;
	if (!item.length)
		return -ENODATA;
	answer = calloc(1, (size_t)item.length);
	if (!answer)
		return -ENOMEM;
	item.data_ptr = (uintptr_t)answer;
	ret = query_item(fd, &item);
	if (ret < 0) {
		free(answer);
		return ret;
	}
	*data = answer;
	*length = (size_t)item.length;
	return 0;
}

/* Query into a buffer, zeroed and of the largest size. */
static int
query_into(int fd, uint64_t id, void *answer, size_t size)
{
	struct drm_i915_query_item item = {
		.query_id = id,
		.length = (int32_t)size,
		.data_ptr = (uintptr_t)answer,
	};

	return query_item(fd, &item);
}

/*
 * More than any GPU has; the answer ends with as many as there are.
 * [Linux 6.12 i915_query.c, query_memregion_info]
 */
#define REGIONS_MAX 32
#define MEMORY_ANSWER_SIZE                                                     \
	(sizeof(struct drm_i915_query_memory_regions) +                        \
	 REGIONS_MAX * sizeof(struct drm_i915_memory_region_info))

int
i915_memory_read(int node, struct memory_regions *out)
{
	union {
		unsigned char room[MEMORY_ANSWER_SIZE];
		struct drm_i915_query_memory_regions header;
	} answer = { .room = { 0 } };
	struct memory_regions regions = { 0 };
	int ret = query_into(node, DRM_I915_QUERY_MEMORY_REGIONS, &answer,
			     sizeof(answer));

	if (ret < 0)
		return ret;
	if (answer.header.num_regions > REGIONS_MAX)
		return -EPROTO;
	for (uint32_t i = 0; i < answer.header.num_regions; i++) {
		const struct drm_i915_memory_region_info *region =
			&answer.header.regions[i];

		if (region->region.memory_class != I915_MEMORY_CLASS_DEVICE)
			continue;
		if (region->unallocated_size > region->probed_size)
			return -EPROTO;
		regions.vram_total += region->probed_size;
		regions.vram_used +=
			region->probed_size - region->unallocated_size;
	}
	*out = regions;
	return 0;
}

int
i915_register_read(int fd, uint64_t offset, uint64_t *value)
{
	struct drm_i915_reg_read read = { .offset = offset };
	int ret = kernel_call(fd, DRM_IOCTL_I915_REG_READ, &read);

	if (ret >= 0)
		*value = read.val;
	return ret;
}

int
i915_reset_count(int fd, uint64_t *count)
{
	struct drm_i915_reset_stats stats = { 0 };
	int ret = kernel_call(fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats);

	if (ret >= 0)
		*count = stats.reset_count;
	return ret;
}

int
i915_config_add(int fd, const char *guid, const struct oa_config *config)
{
	struct drm_i915_perf_oa_config argument = {
		.n_mux_regs = (uint32_t)config->mux.count,
		.n_boolean_regs = (uint32_t)config->boolean.count,
		.n_flex_regs = (uint32_t)config->flex.count,
		.mux_regs_ptr = (uintptr_t)config->mux.pairs,
		.boolean_regs_ptr = (uintptr_t)config->boolean.pairs,
		.flex_regs_ptr = (uintptr_t)config->flex.pairs,
	};

	if (strlen(guid) != sizeof(argument.uuid))
		return -EINVAL;
	memcpy(argument.uuid, guid, sizeof(argument.uuid));
	return kernel_call(fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &argument);
}

/*
 * struct drm_i915_query_perf_config with its data, which the kernel takes to
 * stand behind the struct's size, not where its member says (i915_query.c).
 */
struct config_query {
	char uuid[40]; /* 36 are used */
	uint32_t flags;
	uint32_t unused;
	struct drm_i915_perf_oa_config config;
};

#define GUID_LENGTH 36

static_assert(offsetof(struct config_query, config) ==
		      sizeof(struct drm_i915_query_perf_config),
	      "as the kernel has it");

static int
query_config(int fd, const char *guid, struct config_query *query)
{
	struct drm_i915_query_item item = {
		.query_id = DRM_I915_QUERY_PERF_CONFIG,
		.flags = DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID,
		.length = (int32_t)sizeof(*query),
		.data_ptr = (uintptr_t)query,
	};

	memcpy(query->uuid, guid, GUID_LENGTH);
	return query_item(fd, &item);
}

static int
make_room(struct oa_registers *registers, uint32_t count, uint64_t *pointer)
{
	registers->count = count;
	registers->pairs = calloc(count + 1, 2 * sizeof(uint32_t));
	*pointer = (uintptr_t)registers->pairs;
	return registers->pairs ? 0 : -ENOMEM;
}

int
i915_config_read(int fd, const char *guid, struct oa_config *out)
{
	struct oa_config config = { 0 };
	struct config_query query = { 0 };
	int ret;

	if (strlen(guid) != GUID_LENGTH)
		return -EINVAL;
	/* The first call, with counts of 0, tells the counts. */
	ret = query_config(fd, guid, &query);
	if (ret < 0)
		return ret;
	ret = make_room(&config.mux, query.config.n_mux_regs,
			(uint64_t *)&query.config.mux_regs_ptr);
	if (!ret)
		ret = make_room(&config.boolean, query.config.n_boolean_regs,
				(uint64_t *)&query.config.boolean_regs_ptr);
	if (!ret)
		ret = make_room(&config.flex, query.config.n_flex_regs,
				(uint64_t *)&query.config.flex_regs_ptr);
	if (!ret)
		ret = query_config(fd, guid, &query);
	if (ret < 0) {
		oa_config_free(&config);
		return ret;
	}
	*out = config;
	return 0;
}

int
i915_stream_open(int fd, const struct i915_property *properties, size_t count)
{
	struct drm_i915_perf_open_param open = {
		.flags = I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_DISABLED,
		.num_properties = (uint32_t)count,
		.properties_ptr = (uintptr_t)properties,
	};

	return kernel_call(fd, DRM_IOCTL_I915_PERF_OPEN, &open);
}

int
i915_stream_enable(int stream)
{
	return kernel_call(stream, I915_PERF_IOCTL_ENABLE, NULL);
}

int
i915_stream_disable(int stream)
{
	return kernel_call(stream, I915_PERF_IOCTL_DISABLE, NULL);
}

long
i915_stream_read(int stream, void *buffer, size_t size)
{
	ssize_t length = read(stream, buffer, size);

	return length < 0 ? -errno : length;
}
