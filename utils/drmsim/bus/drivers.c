/* SPDX-License-Identifier: BSD-3-Clause */
#include "bus/drivers.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "machine/driver.h"

static const struct sim_driver *const drivers[] = {
	&sim_driver_amdgpu,
	&sim_driver_i915,
	&sim_driver_xe,
};

const struct sim_driver *
sim_driver_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++)
		if (strcmp(drivers[i]->name, name) == 0)
			return drivers[i];
	return NULL;
}
