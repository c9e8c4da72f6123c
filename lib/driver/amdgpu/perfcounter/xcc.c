/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/perfcounter/xcc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/amdgpu/device/pm4.h"
#include "driver/amdgpu/device/device.h"

/*
 * Write commands that store which XCC runs them. The result lies before the
 * commands, in one unit of alignment.
 */
static size_t
write_question(struct amd_context *ctx, unsigned xccs, uint64_t answer,
	       uint32_t *dwords)
{
	struct pm4 pm4 = { .dwords = dwords,
			   .engine = amd_context_info(ctx)->engine };

	for (unsigned xcc = 0; xcc < xccs; xcc++) {
		pm4.xccs = UINT32_C(1) << xcc;
		pm4_store(&pm4, pm4.xccs, answer);
	}
	pm4_pad(&pm4, amd_context_alignment(ctx) / sizeof(uint32_t));
	return pm4.count;
}

static int
context_read_xccs(struct amd_context *ctx, unsigned xccs, uint32_t *out,
		  struct drmperf_error *error)
{
	size_t align = amd_context_alignment(ctx), dwords;
	struct buffer buffer;
	int ret;

	dwords = write_question(ctx, xccs, 0, NULL);
	ret = buffer_create(ctx, align + dwords * sizeof(uint32_t), &buffer,
			    error);
	if (ret)
		return ret;
	memset(buffer.memory, 0, align);
	write_question(ctx, xccs, buffer.address,
		       (uint32_t *)((char *)buffer.memory + align));
	ret = amd_context_run(ctx, amd_context_info(ctx)->engine, &buffer,
			      align, dwords, error);
	if (!ret)
		memcpy(out, buffer.memory, sizeof(*out));
	buffer_destroy(&buffer);
	return ret;
}

#define OTHER_CURES                                                            \
	"count one die with DRMPERF_DIES=one, or make every die a device (as " \
	"root: echo CPX > current_compute_partition in the GPU's folder of "   \
	"sysfs)"

/* Refuse to count: without the compute driver only one XCC would be counted. */
static int
refuse_part(const struct gpu *gpu, struct drmperf_error *error)
{
	const bool lacks_helper =
		gpu->kfd.id && !gpu->uses_kfd && !gpu->kfd_helper;

	error_set(error, -ENOTSUP,
		  "up to %u dies are behind this node, and %s: values would "
		  "look complete, and lack the other dies",
		  gpu->core.xccs,
		  lacks_helper ? "the program drmperf-kfd, which reaches them "
				 "all, is not installed"
			       : "the kernel has no compute driver (KFD) to "
				 "reach them all");
	error_remedy(error, "%s" OTHER_CURES,
		     lacks_helper ? "install it, or count from outside "
				    "(drmperf stat -- PROGRAM), or "
				  : "");
	return -ENOTSUP;
}

int
xcc_choose(const struct gpu *gpu, bool *all, struct drmperf_error *error)
{
	const char *text = secure_getenv("DRMPERF_DIES");
	const unsigned xccs = gpu->core.xccs;

	*all = false;
	if (xccs < 2)
		return 0;
	if (text && *text && strcmp(text, "one")) {
		error_set(error, -EINVAL, "DRMPERF_DIES is \"%s\"", text);
		error_remedy(error, "set it to one, or unset it");
		return -EINVAL;
	}
	if (text && *text)
		return 0;
	*all = gpu_counted_xccs(gpu) > 1;
	if (*all)
		return amd_device_open_xccs(gpu->dev, &gpu->kfd,
					    gpu->kfd_helper, error);
	return refuse_part(gpu, error);
}

int
xcc_find(struct amd_context *ctx, unsigned xccs, uint32_t *out,
	 struct drmperf_error *error)
{
	int ret;

	*out = 0;
	if (xccs < 2)
		return 0;
	ret = context_read_xccs(ctx, xccs, out, error);
	if (!ret && !*out)
		ret = error_set(error, -EIO,
				"none of %u dies took the commands", xccs);
	return ret;
}
