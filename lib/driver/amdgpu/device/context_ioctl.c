/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/device/context_ioctl.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stddef.h>
#include <xf86drm.h>

#include "base/array.h"

/*
 * Make a request about contexts. Contexts are made without libdrm, whose
 * records of them have to be locked for each submission, and are in the way of
 * a forked child.
 */
static int
query_context(int fd, union drm_amdgpu_ctx *request)
{
	return drmIoctl(fd, DRM_IOCTL_AMDGPU_CTX, request) ? -errno : 0;
}

int
context_ioctl_create(int fd, uint32_t *out)
{
	union drm_amdgpu_ctx
		request = { .in = {
				    .op = AMDGPU_CTX_OP_ALLOC_CTX,
				    .priority = AMDGPU_CTX_PRIORITY_NORMAL,
			    } };
	int ret = query_context(fd, &request);

	if (!ret)
		*out = request.out.alloc.ctx_id;
	return ret;
}

int
context_ioctl_destroy(int fd, uint32_t context)
{
	union drm_amdgpu_ctx request = { .in = {
						 .op = AMDGPU_CTX_OP_FREE_CTX,
						 .ctx_id = context,
					 } };

	return query_context(fd, &request);
}

static const uint32_t stable_states[] = {
	[STABLE_PSTATE_NONE] = AMDGPU_CTX_STABLE_PSTATE_NONE,
	[STABLE_PSTATE_STANDARD] = AMDGPU_CTX_STABLE_PSTATE_STANDARD,
	[STABLE_PSTATE_MIN_SCLK] = AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK,
	[STABLE_PSTATE_MIN_MCLK] = AMDGPU_CTX_STABLE_PSTATE_MIN_MCLK,
	[STABLE_PSTATE_PEAK] = AMDGPU_CTX_STABLE_PSTATE_PEAK,
};

int
context_ioctl_get_pstate(int fd, uint32_t context, enum stable_pstate *out)
{
	union drm_amdgpu_ctx
		request = { .in = {
				    .op = AMDGPU_CTX_OP_GET_STABLE_PSTATE,
				    .ctx_id = context,
			    } };
	int ret = query_context(fd, &request);

	if (ret)
		return ret;
	for (size_t i = 0; i < ARRAY_SIZE(stable_states); i++) {
		if (stable_states[i] == request.out.pstate.flags) {
			*out = (enum stable_pstate)i;
			return 0;
		}
	}
	return -EINVAL;
}

int
context_ioctl_set_pstate(int fd, uint32_t context, enum stable_pstate clock)
{
	union drm_amdgpu_ctx
		request = { .in = {
				    .op = AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				    .flags = stable_states[clock],
				    .ctx_id = context,
			    } };

	return query_context(fd, &request);
}

int
context_ioctl_was_reset(int fd, uint32_t context, bool *out)
{
	union drm_amdgpu_ctx
		request = { .in = {
				    .op = AMDGPU_CTX_OP_QUERY_STATE2,
				    .ctx_id = context,
			    } };
	int ret = query_context(fd, &request);

	*out = !ret &&
	       request.out.state.flags & (AMDGPU_CTX_QUERY2_FLAGS_RESET |
					  AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST |
					  AMDGPU_CTX_QUERY2_FLAGS_GUILTY);
	return ret;
}
