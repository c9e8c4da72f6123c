/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver/intel/xe_query.h"

uint64_t
xe_property_chain(struct xe_uapi_property *chain,
		  const struct xe_property *properties, size_t count)
{
	memset(chain, 0, count * sizeof(*chain));
	for (size_t i = 0; i < count; i++) {
		chain[i].property = properties[i].id;
		chain[i].value = properties[i].value;
		if (i + 1 < count)
			chain[i].next = (uintptr_t)&chain[i + 1];
	}
	return count ? (uintptr_t)chain : 0;
}

static int
kernel_observe(int fd, enum xe_uapi_observation_type type, uint64_t op,
	       uint64_t param)
{
	struct xe_uapi_observation observation = { .type = type,
						   .op = op,
						   .param = param };

	return xe_ioctl(fd, XE_UAPI_IOCTL_OBSERVATION, &observation);
}

int
xe_config_add(int fd, const char *guid, const struct oa_registers *registers)
{
	struct xe_uapi_config config = {
		.count = (uint32_t)registers->count,
		.pairs = (uintptr_t)registers->pairs,
	};

	if (strlen(guid) != sizeof(config.uuid))
		return -EINVAL;
	memcpy(config.uuid, guid, sizeof(config.uuid));
	return kernel_observe(fd, XE_UAPI_OBSERVE_OA, XE_UAPI_OP_ADD_CONFIG,
			      (uintptr_t)&config);
}

int
xe_config_remove(int fd, uint64_t id)
{
	return kernel_observe(fd, XE_UAPI_OBSERVE_OA, XE_UAPI_OP_REMOVE_CONFIG,
			      (uintptr_t)&id);
}

int
xe_stream_open(int fd, enum xe_uapi_observation_type type,
	       const struct xe_property *properties, size_t count)
{
	struct xe_uapi_property chain[XE_UAPI_PROPERTIES_MAX];
	int stream, ret;

	if (count > XE_UAPI_PROPERTIES_MAX)
		return -E2BIG;
	stream = kernel_observe(fd, type, XE_UAPI_OP_OPEN,
				xe_property_chain(chain, properties, count));
	if (stream < 0)
		return stream;
	/* The kernel takes no flags with the properties. */
	if (!fcntl(stream, F_SETFD, FD_CLOEXEC) &&
	    !fcntl(stream, F_SETFL, O_NONBLOCK))
		return stream;
	ret = -errno;
	close(stream);
	return ret;
}

int
xe_stream_enable(int stream)
{
	return xe_ioctl(stream, XE_UAPI_IOCTL_ENABLE, NULL);
}

int
xe_stream_disable(int stream)
{
	return xe_ioctl(stream, XE_UAPI_IOCTL_DISABLE, NULL);
}

int
xe_stream_status(int stream, uint64_t *status)
{
	struct xe_uapi_status answer = { 0 };
	int ret = xe_ioctl(stream, XE_UAPI_IOCTL_STATUS, &answer);

	if (ret >= 0)
		*status = answer.status;
	return ret;
}

long
xe_stream_read(int stream, void *buffer, size_t size)
{
	ssize_t length = read(stream, buffer, size);

	return length < 0 ? -errno : length;
}

int
xe_engine_cycles(int fd, const struct xe_uapi_engine_id *engine,
		 uint64_t *cycles)
{
	struct xe_uapi_cycles answer = { .engine = *engine,
					 .clock = CLOCK_MONOTONIC };
	struct xe_uapi_query query = {
		.query = XE_UAPI_QUERY_ENGINE_CYCLES,
		.size = sizeof(answer),
		.data = (uintptr_t)&answer,
	};
	int ret = xe_ioctl(fd, XE_UAPI_IOCTL_QUERY, &query);

	if (ret >= 0)
		*cycles = answer.cycles;
	return ret;
}

/* More than any GPU has. [Linux 6.12 xe_query.c, query_mem_regions] */
#define REGIONS_MAX 32

int
xe_memory_read(int node, struct memory_regions *out)
{
	struct {
		struct xe_uapi_regions header;
		struct xe_uapi_region list[REGIONS_MAX];
	} answer = { 0 };
	struct memory_regions regions = { 0 };
	int ret = xe_query_into(node, XE_UAPI_QUERY_MEM_REGIONS, &answer,
				sizeof(answer));

	if (ret)
		return ret;
	if (answer.header.count > REGIONS_MAX)
		return -EPROTO;
	for (uint32_t i = 0; i < answer.header.count; i++) {
		const struct xe_uapi_region *region = &answer.list[i];

		if (region->mem_class == XE_UAPI_MEM_CLASS_VRAM) {
			regions.vram_total += region->total;
			regions.vram_used += region->used;
		} else if (region->mem_class == XE_UAPI_MEM_CLASS_SYSTEM) {
			regions.system_total += region->total;
			regions.system_used += region->used;
		}
	}
	*out = regions;
	return 0;
}
