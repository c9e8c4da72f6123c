/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names under which GPUs are sold: tables DRIVER/products.xml.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cancellation.h"
#include "base/error.h"
#include "device/device.h"
#include "device/scan.h"
#include "drmperf.h"
#include "table/rows.h"
#include "table/table.h"

/* How the table writes a GPU down: "687f", or one revision, "687f:c1". */
struct product_id {
	char device[16];
	char revision[32];
};

static void
target_identify(const struct driver_target *target, struct product_id *out)
{
	uint32_t revision;

	snprintf(out->device, sizeof(out->device), "%04x", target->device_id);
	/* a device without the file has only its number */
	if (scan_read_number(target->sysfs, "revision", &revision))
		snprintf(out->revision, sizeof(out->revision), "%s",
			 out->device);
	else
		snprintf(out->revision, sizeof(out->revision), "%s:%02x",
			 out->device, revision);
}

static bool
ids_list_identity(const char *ids, const struct product_id *identity)
{
	for (; *ids; ids += strspn(ids, " ")) {
		size_t length = strcspn(ids, " ");

		if ((length == strlen(identity->device) &&
		     !strncasecmp(ids, identity->device, length)) ||
		    (length == strlen(identity->revision) &&
		     !strncasecmp(ids, identity->revision, length)))
			return true;
		ids += length;
	}
	return false;
}

/* Find the name in a table; -ENOENT if the table does not name the GPU. */
static int
find_table_name(const struct table *table, const struct product_id *identity,
		const char **name, struct drmperf_error *error)
{
	const struct element *element;
	const char *ids;
	struct rows rows;
	int err;

	if (strcmp(table->root->name, "products"))
		return element_error(table, table->root, error,
				     "is no table of products");
	rows_begin(&rows, table, table->root->child, "product", table->arena);
	while ((err = rows_next(&rows, &element, error)) > 0) {
		err = element_text(table, element, "name", name, error);
		if (!err)
			err = element_text(table, element, "ids", &ids, error);
		if (err || ids_list_identity(ids, identity))
			return err;
	}
	return err ? err : -ENOENT;
}

/*
 * Return the other driver's folder where this one has no table of the GPU, or
 * NULL.
 */
static const char *
other_folder(const struct drmperf_device *device)
{
	const struct driver *const *driver = device->drmperf->drivers;

	for (; *driver; driver++) {
		if ((*driver)->tables_of &&
		    !strcmp((*driver)->name, device->target.driver))
			return (*driver)->tables_of;
	}
	return NULL;
}

/*
 * Find the name in a folder's table. It stays as long as the table, which is
 * NULL if that is not there.
 */
static int
find_in_folder(const struct driver_target *target, const char *folder,
	       struct table **table, const char **name,
	       struct drmperf_error *error)
{
	struct product_id identity;
	int err = table_find(&target->tables, folder, "products", table, error);

	if (err) {
		*table = NULL;
		return err;
	}
	target_identify(target, &identity);
	return find_table_name(*table, &identity, name, error);
}

int
drmperf_device_product(const struct drmperf_device *device, char *text,
		       size_t size, struct drmperf_error *error)
{
	NO_CANCELLATION;
	const struct driver_target *target = &device->target;
	struct table *table = NULL;
	const char *name, *other;
	int err = -ENOENT;

	if (size)
		*text = '\0';
	if (device->is_unlisted)
		return err;
	err = find_in_folder(target, target->driver, &table, &name, error);
	other = other_folder(device);
	if (err == -ENOENT && other) {
		table_destroy(table);
		err = find_in_folder(target, other, &table, &name, error);
	}
	if (!err && strlen(name) >= size)
		err = -ENOSPC;
	if (!err)
		memcpy(text, name, strlen(name) + 1);
	table_destroy(table);
	return err;
}
