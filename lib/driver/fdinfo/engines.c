/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/fdinfo/engines.h"

#include <amdgpu_drm.h>
#include <string.h>
#include <xf86drm.h>

#include "base/array.h"
#include "base/error.h"

/*
 * amdgpu writes a line for engines on which the client has spent time only, by
 * these names. [Linux 6.12 amdgpu_fdinfo.c]
 */
static const struct {
	unsigned type;
	const char *key;
} amdgpu_engines[] = {
	{ AMDGPU_HW_IP_GFX, "engine-gfx" },
	{ AMDGPU_HW_IP_COMPUTE, "engine-compute" },
	{ AMDGPU_HW_IP_DMA, "engine-dma" },
	{ AMDGPU_HW_IP_UVD, "engine-dec" },
	{ AMDGPU_HW_IP_VCE, "engine-enc" },
	{ AMDGPU_HW_IP_UVD_ENC, "engine-enc_1" },
	{ AMDGPU_HW_IP_VCN_DEC, "engine-dec" },
	{ AMDGPU_HW_IP_VCN_ENC, "engine-enc" },
	{ AMDGPU_HW_IP_VCN_JPEG, "engine-jpeg" },
};

/* 1 or 0; -errno if the kernel cannot tell now. */
static int
amdgpu_has(int fd, unsigned type)
{
	uint32_t count = 0;
	struct drm_amdgpu_info request = {
		.return_pointer = (uintptr_t)&count,
		.return_size = sizeof(count),
		.query = AMDGPU_INFO_HW_IP_COUNT,
		.query_hw_ip.type = type,
	};

	int ret =
		drmCommandWrite(fd, DRM_AMDGPU_INFO, &request, sizeof(request));

	if (ret)
		return error_is_transient(ret) ? ret : 0;
	return count > 0;
}

int
fdinfo_add_engines(struct fdinfo_keys *keys, const char *driver, int fd)
{
	int ret = 0;

	if (strcmp(driver, "amdgpu"))
		return 0;
	for (size_t i = 0; !ret && i < ARRAY_SIZE(amdgpu_engines); i++) {
		ret = amdgpu_has(fd, amdgpu_engines[i].type);
		if (ret > 0)
			ret = fdinfo_keys_add(keys, amdgpu_engines[i].key);
	}
	return ret;
}
