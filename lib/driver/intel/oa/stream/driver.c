/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/stream/driver.h"

#include <errno.h>
#include <stdlib.h>

#include "driver/intel/oa/stream/domain.h"

void
oa_driver_close(const struct oa_driver *driver, struct oa_gpu *gpu)
{
	oa_gpu_finish(gpu);
	driver->finish(gpu);
	free(gpu);
}

int
oa_driver_open(const struct oa_driver *driver,
	       const struct driver_target *target, struct oa_gpu **out,
	       struct drmperf_error *error)
{
	struct oa_gpu *gpu = calloc(1, driver->gpu_size);
	int ret;

	if (!gpu)
		return error_set(error, -ENOMEM, "no memory");
	oa_gpu_init(gpu, driver->name, target);
	ret = target->recorded ? driver->identify_recorded(gpu, target, error)
			       : driver->identify(gpu, target, error);
	if (!ret)
		ret = driver->prepare(gpu, error);
	if (!ret)
		ret = oa_gpu_find_table(gpu, error);
	if (ret)
		oa_driver_close(driver, gpu);
	else
		*out = gpu;
	return ret;
}

static int
add_domains(const struct oa_driver *driver, struct oa_gpu *gpu,
	    const struct domain_ops *ops, struct description *description)
{
	static const char *const names[OA_UNIT_COUNT] = {
		[OA_UNIT_RENDER] = "oa",	 [OA_UNIT_MEDIA] = "oam",
		[OA_UNIT_MEDIA_SECOND] = "oam2", [OA_UNIT_MEDIA_GT] = "oamg",
		[OA_UNIT_MERT] = "oamert",
	};
	int ret = 0;

	for (unsigned i = 0; !ret && i < OA_UNIT_COUNT; i++) {
		const struct description_domain domain = {
			.name = names[i],
			.ops = ops,
			.device = gpu,
			.exclusive = true,
			.paranoid = ops == &oa_domain_ops ? driver->paranoid
							  : NULL,
		};

		if (driver->has_unit(gpu, i))
			ret = description_add_domain(description, &domain,
						     &gpu->sets.domains[i]);
	}
	return ret;
}

int
oa_driver_describe(const struct oa_driver *driver,
		   const struct driver_target *target,
		   struct description *description, void **out,
		   struct drmperf_error *error)
{
	struct oa_gpu *gpu;
	int ret = oa_driver_open(driver, target, &gpu, error);

	if (ret)
		return ret;
	gpu->source = target->recorded ? NULL : driver->source;
	ret = add_domains(driver, gpu,
			  target->recorded ? &replay_domain_ops
					   : &oa_domain_ops,
			  description);
	if (ret)
		error_set(error, ret, "no memory");
	else
		ret = oa_gpu_describe(gpu, target, description, error);
	if (ret) {
		oa_driver_close(driver, gpu);
		return ret;
	}
	*out = gpu;
	return 0;
}
