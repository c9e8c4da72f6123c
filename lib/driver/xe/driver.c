/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/driver.h"

#include "driver/oa/recorded.h"
#include "driver/oa/stream/domain.h"
#include "driver/oa/stream/replay.h"
#include "driver/xe/gpu.h"
#include "driver/xe/source.h"

/* A recording is one of a unit that was there. */
static int
add_domains(struct xe_gpu *gpu, const struct domain_ops *ops,
	    struct description *description)
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
			.ops = ops,
			.device = &gpu->oa,
			.exclusive = true,
		};

		gpu->oa.sets.without[i] =
			gpu->oa.source && !gpu->units[i].present;
		if (!gpu->oa.sets.without[i])
			ret = description_add_domain(description, &domain,
						     &gpu->oa.sets.domains[i]);
	}
	return ret;
}

/* Takes the GPU. */
static int
describe(struct xe_gpu *gpu, const struct domain_ops *ops,
	 const struct driver_target *target, struct description *description,
	 void **out, struct drmperf_error *error)
{
	int ret;

	if (gpu->facts->tiles > 1)
		gpu->oa.sets.note = "Counts the first tile of the GPU: work on "
				    "the others is not seen.";
	ret = add_domains(gpu, ops, description);
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
	return describe(gpu, &oa_domain_ops, target, description, out, error);
}

static int
recorded_describe(const struct driver_target *target,
		  struct description *description, void **out,
		  struct drmperf_error *error)
{
	struct xe_gpu *gpu;
	int ret;

	ret = xe_gpu_open_recorded(target, &gpu, error);
	if (ret)
		return ret;
	return describe(gpu, &replay_domain_ops, target, description, out,
			error);
}

static bool
recognizes(const void *head, size_t size)
{
	return recorded_facts_are_of(RECORDED_XE, head, size);
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

const struct driver xe_recorded_driver = {
	.name = "xe",
	.describe = recorded_describe,
	.recognizes = recognizes,
	.release = xe_release,
	.abandon = xe_release,
};
