/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_device.h"

#include <string.h>

PFN_vkVoidFunction
gpa_function_find(const struct gpa_function *list, size_t count,
		  const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(list[i].name, name))
			return list[i].function;
	}
	return NULL;
}

/*
 * Devices by the pointer that the loader puts first into each handle of a
 * device.
 */
static struct gpa_map devices = GPA_MAP_INITIALIZER;

static uint64_t
key_of(void *handle)
{
	return GPA_KEY(*(void **)handle);
}

struct gpa_device *
gpa_device_of(void *handle)
{
	return gpa_map_get(&devices, key_of(handle));
}

int
gpa_device_add(struct gpa_device *device)
{
	return gpa_map_put(&devices, key_of(device->handle), device);
}

struct gpa_device *
gpa_device_take(VkDevice handle)
{
	return gpa_map_take(&devices, key_of(handle));
}
