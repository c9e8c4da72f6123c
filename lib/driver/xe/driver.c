/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/driver.h"

#include "driver/oa/stream/domain.h"
#include "driver/xe/gpu.h"
#include "driver/xe/source.h"

static int
add_domains(struct xe_gpu *gpu, struct description *description)
{
	static const char *const names[OA_UNIT_COUNT] = {
		[OA_UNIT_RENDER] = "oa",
		[OA_UNIT_MEDIA] = "oam",
		[OA_UNIT_MEDIA_SECOND] = "oam2",
		[OA_UNIT_MEDIA_GT] = "oamg",
	};
	int ret = 0;

	for (unsigned i = 0; i < OA_UNIT_COUNT && !ret; i++) {
		const struct description_domain domain = {
			.name = names[i],
			.ops = &oa_domain_ops,
			.device = &gpu->oa,
			.exclusive = true,
		};

		gpu->oa.sets.without[i] = !gpu->units[i].present;
		if (gpu->units[i].present)
			ret = description_add_domain(description, &domain,
						     &gpu->oa.sets.domains[i]);
	}
	return ret;
}

static int
xe_describe(const struct driver_target *target, struct description *description,
	    void **out, struct drmperf_error *error)
{
	struct xe_gpu *gpu;
	int ret;

	ret = xe_gpu_open(target, &gpu, error);
	if (ret)
		return ret;
	gpu->oa.source = &xe_source;
	if (gpu->tiles > 1)
		gpu->oa.sets.note = "Counts the first tile of the GPU: work on "
				    "the others is not seen.";
	ret = add_domains(gpu, description);
	if (ret)
		error_set(error, ret, "no memory");
	else
		ret = oa_gpu_describe(&gpu->oa, target, description, error);
	if (ret) {
		xe_gpu_close(gpu);
		return ret;
	}
	*out = gpu;
	return 0;
}

static void
xe_release(void *device)
{
	xe_gpu_close(device);
}

const struct driver xe_driver = {
	.name = "xe",
	.describe = xe_describe,
	.release = xe_release,
	/* Closing a descriptor of the node has no effect on others of it. */
	.abandon = xe_release,
};
