/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/driver.h"

#include "driver/i915/gpu.h"
#include "driver/i915/source.h"
#include "driver/oa/recorded.h"
#include "driver/oa/stream/domain.h"
#include "driver/oa/stream/replay.h"

static int
add_domains(struct i915_gpu *gpu, const struct domain_ops *ops,
	    struct description *description)
{
	static const char *const names[] = {
		[OA_UNIT_RENDER] = "oa",
		[OA_UNIT_MEDIA] = "oam",
	};
	int ret = 0;

	for (unsigned i = 0; i <= OA_UNIT_MEDIA && !ret; i++) {
		const struct description_domain domain = {
			.name = names[i],
			.ops = ops,
			.device = &gpu->oa,
			.exclusive = true,
		};

		/* Only Meteor Lake and later have a unit of media engines. */
		if (i == OA_UNIT_MEDIA &&
		    gpu->oa.platform.generation < OA_XELPG)
			break;
		ret = description_add_domain(description, &domain,
					     &gpu->oa.sets.domains[i]);
	}
	return ret;
}

/* Takes the GPU. */
static int
describe(struct i915_gpu *gpu, const struct domain_ops *ops,
	 const struct driver_target *target, struct description *description,
	 void **out, struct drmperf_error *error)
{
	int ret = add_domains(gpu, ops, description);

	if (ret)
		error_set(error, ret, "no memory");
	else
		ret = oa_gpu_describe(&gpu->oa, target, description, error);
	if (ret) {
		i915_gpu_close(gpu);
		return ret;
	}
	*out = gpu;
	return 0;
}

static int
i915_describe(const struct driver_target *target,
	      struct description *description, void **out,
	      struct drmperf_error *error)
{
	struct i915_gpu *gpu;
	int ret;

	ret = i915_gpu_open(target, &gpu, error);
	if (ret)
		return ret;
	gpu->oa.source = &i915_source;
	return describe(gpu, &oa_domain_ops, target, description, out, error);
}

static int
recorded_describe(const struct driver_target *target,
		  struct description *description, void **out,
		  struct drmperf_error *error)
{
	struct i915_gpu *gpu;
	int ret;

	ret = i915_gpu_open_recorded(target, &gpu, error);
	if (ret)
		return ret;
	return describe(gpu, &replay_domain_ops, target, description, out,
			error);
}

static bool
recognizes(const void *head, size_t size)
{
	return recorded_facts_are_of(RECORDED_TOPOLOGY, head, size);
}

static void
i915_release(void *device)
{
	i915_gpu_close(device);
}

const struct driver i915_driver = {
	.name = "i915",
	.describe = i915_describe,
	.release = i915_release,
	/* Closing a descriptor of the node has no effect on others of it. */
	.abandon = i915_release,
};

const struct driver i915_recorded_driver = {
	.name = "i915",
	.describe = recorded_describe,
	.recognizes = recognizes,
	.release = i915_release,
	.abandon = i915_release,
};
