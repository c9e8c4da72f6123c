/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/device_table.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "device/device.h"

int
device_table_open(struct device_table *out, struct drmperf_device *device,
		  const char *kind, struct drmperf_error *error)
{
	const struct driver_target *target = &device->target;
	const char *folder;
	int err;

	*out = (struct device_table){ .device = device };
	err = drmperf_device_open(device, error);
	if (err)
		return err;
	out->arena = arena_create();
	if (!out->arena)
		return error_set(error, -ENOMEM, "no memory");
	folder = device_description(device)->tables;
	err = table_find(&target->tables, folder ? folder : target->driver,
			 kind, &out->table, error);
	return err == -ENOENT ? 0 : err;
}

void
device_table_close(struct device_table *table)
{
	table_destroy(table->table);
	arena_destroy(table->arena);
}

bool
device_table_names_generation(const struct device_table *table,
			      const char *names)
{
	const char *generation = drmperf_device_generation(table->device);
	size_t length = strlen(generation);

	for (const char *at = names; *at; at += strspn(at, " ")) {
		size_t word = strcspn(at, " ");

		if (word == length && !strncmp(at, generation, length))
			return true;
		at += word;
	}
	return false;
}
