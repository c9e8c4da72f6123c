/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/xe_query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/intel/xe_uapi.h"

/* More than any GPU has; an answer beyond is nonsense. */
#define PARTS_MAX 4096

int
xe_ioctl(int fd, unsigned long request, void *argument)
{
	int ret;

	do
		ret = ioctl(fd, request, argument);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

int
xe_query_ask(int fd, uint32_t id, void **data, size_t *length)
{
	struct xe_uapi_query query = { .query = id };
	void *answer;
	int ret;

	ret = xe_ioctl(fd, XE_UAPI_IOCTL_QUERY, &query);
	if (ret < 0)
		return ret;
	if (!query.size)
		return -ENODATA;
	answer = calloc(1, query.size);
	if (!answer)
		return -ENOMEM;
	query.data = (uintptr_t)answer;
	ret = xe_ioctl(fd, XE_UAPI_IOCTL_QUERY, &query);
	if (ret < 0) {
		free(answer);
		return ret;
	}
	*data = answer;
	*length = query.size;
	return 0;
}

int
xe_query_into(int fd, uint32_t id, void *answer, size_t size)
{
	struct xe_uapi_query query = { .query = id };
	int ret = xe_ioctl(fd, XE_UAPI_IOCTL_QUERY, &query);

	if (ret < 0)
		return ret;
	if (query.size > size)
		return -EPROTO;
	query.data = (uintptr_t)answer;
	return xe_ioctl(fd, XE_UAPI_IOCTL_QUERY, &query);
}

int
xe_engines_decode(const void *data, size_t length, struct xe_engine **out,
		  size_t *count)
{
	const struct xe_uapi_engines *answer = data;
	struct xe_engine *engines;

	if (length < sizeof(*answer) || answer->count > PARTS_MAX ||
	    length < sizeof(*answer) + answer->count * sizeof(*answer->list))
		return -EPROTO;
	engines = calloc(answer->count + 1, sizeof(*engines));
	if (!engines)
		return -ENOMEM;
	for (uint32_t i = 0; i < answer->count; i++) {
		engines[i].engine_class = answer->list[i].id.engine_class;
		engines[i].instance = answer->list[i].id.instance;
		engines[i].gt = answer->list[i].id.gt;
	}
	*out = engines;
	*count = answer->count;
	return 0;
}

int
xe_gts_decode(const void *data, size_t length, struct xe_gt **out,
	      size_t *count)
{
	const struct xe_uapi_gts *answer = data;
	struct xe_gt *gts;

	if (length < sizeof(*answer) || answer->count > PARTS_MAX ||
	    length < sizeof(*answer) + answer->count * sizeof(*answer->list))
		return -EPROTO;
	gts = calloc(answer->count + 1, sizeof(*gts));
	if (!gts)
		return -ENOMEM;
	for (uint32_t i = 0; i < answer->count; i++) {
		const struct xe_uapi_gt *gt = &answer->list[i];

		gts[i].id = gt->id;
		gts[i].type = gt->type;
		gts[i].ip_major = gt->ip_major;
		gts[i].ip_minor = gt->ip_minor;
		gts[i].reference_hz = gt->reference_hz;
	}
	*out = gts;
	*count = answer->count;
	return 0;
}

static int
read_engines(int fd, struct xe_parts *parts)
{
	size_t length;
	void *data;
	int ret = xe_query_ask(fd, XE_UAPI_QUERY_ENGINES, &data, &length);

	if (ret)
		return ret;
	ret = xe_engines_decode(data, length, &parts->engines,
				&parts->engine_count);
	free(data);
	return ret;
}

static int
read_gts(int fd, struct xe_parts *parts)
{
	size_t length;
	void *data;
	int ret = xe_query_ask(fd, XE_UAPI_QUERY_GT_LIST, &data, &length);

	if (ret)
		return ret;
	ret = xe_gts_decode(data, length, &parts->gts, &parts->gt_count);
	free(data);
	return ret;
}

int
xe_parts_read(int fd, struct xe_parts *out)
{
	struct xe_parts parts = { 0 };
	int ret = read_engines(fd, &parts);

	if (!ret)
		ret = read_gts(fd, &parts);
	if (ret)
		xe_parts_free(&parts);
	else
		*out = parts;
	return ret;
}

void
xe_parts_free(struct xe_parts *parts)
{
	free(parts->engines);
	free(parts->gts);
	memset(parts, 0, sizeof(*parts));
}

const char *
xe_class_name(unsigned engine_class)
{
	static const char *const names[XE_UAPI_CLASS_COUNT] = {
		[XE_UAPI_CLASS_RENDER] = "rcs",
		[XE_UAPI_CLASS_COPY] = "bcs",
		[XE_UAPI_CLASS_VIDEO_DECODE] = "vcs",
		[XE_UAPI_CLASS_VIDEO_ENHANCE] = "vecs",
		[XE_UAPI_CLASS_COMPUTE] = "ccs",
	};

	return engine_class < XE_UAPI_CLASS_COUNT ? names[engine_class] : NULL;
}
