/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/driver.h"

#include <errno.h>

#include "driver/i915/gpu.h"
#include "driver/i915/oa_domain.h"
#include "driver/oa/raw_counters.h"

static int
add_domains(struct i915_gpu *gpu, struct description *description)
{
	static const char *const names[] = {
		[OA_UNIT_RENDER] = "oa",
		[OA_UNIT_MEDIA] = "oam",
	};
	int ret = 0;

	for (unsigned i = 0; i < OA_UNIT_COUNT && !ret; i++) {
		const struct description_domain domain = {
			.name = names[i],
			.ops = &oa_domain_ops,
			.device = gpu,
			.exclusive = true,
		};

		/* Only Meteor Lake and later have a unit of media engines. */
		if (i == OA_UNIT_MEDIA && gpu->platform.generation < OA_XELPG)
			break;
		ret = description_add_domain(description, &domain,
					     &gpu->sets.domains[i]);
	}
	return ret;
}

static int
describe_set(void *device, group_index group, struct description *description,
	     struct drmperf_error *error)
{
	struct i915_gpu *gpu = device;

	return metric_sets_describe(&gpu->sets, group, description, error);
}

static int
describe_gpu(struct i915_gpu *gpu, const struct driver_target *target,
	     struct description *description, struct drmperf_error *error)
{
	int ret;

	description->chip = gpu->platform.chip;
	description->generation = gpu->platform.name;
	description->target = gpu->platform.name;
	gpu->sets.log = &gpu->log;
	/* The user's tables may add to sets, or replace them. */
	if (!target->user_table_count)
		gpu->sets.describe = describe_set;
	ret = add_domains(gpu, description);
	for (size_t i = 0; i < gpu->constants.count && !ret; i++)
		ret = description_add_constant(description,
					       gpu->constants.list[i].name,
					       gpu->constants.list[i].value);
	if (!ret)
		ret = raw_counters_add(description,
				       gpu->sets.domains[OA_UNIT_RENDER],
				       &gpu->sets.raw_group);
	if (ret)
		return error_set(error, ret, "no memory");
	ret = metric_sets_read(&gpu->sets, gpu->table, &gpu->platform,
			       &gpu->constants, description, error);
	for (size_t i = 0; i < target->user_table_count && !ret; i++) {
		if (table_is_for(target->user_tables[i], "i915",
				 gpu->platform.name, gpu->platform.name))
			ret = metric_sets_read(&gpu->sets,
					       target->user_tables[i],
					       &gpu->platform, &gpu->constants,
					       description, error);
	}
	return ret;
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
	ret = describe_gpu(gpu, target, description, error);
	if (ret) {
		i915_gpu_close(gpu);
		return ret;
	}
	*out = gpu;
	return 0;
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
