/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of a device's driver (DRIVER/KIND.xml), from which lists are made for
 * the user: metric groups, peaks, verdicts.
 */
#ifndef DRMPERF_LIB_DEVICE_DEVICE_TABLE_H
#define DRMPERF_LIB_DEVICE_DEVICE_TABLE_H

#include <stdbool.h>

#include "base/arena.h"
#include "drmperf.h"
#include "table/table.h"

struct device_table {
	struct drmperf_device *device;
	struct table *table; /* or NULL: the driver has none */
	struct arena *arena; /* for lists; it ends with the table */
};

/*
 * Open the device, if it is not, and read the table. 0, or the errors of
 * drmperf_device_open(), -EBADMSG, -ENOMEM; device_table_close() follows in any
 * case.
 */
int
device_table_open(struct device_table *out, struct drmperf_device *device,
		  const char *kind, struct drmperf_error *error);
void
device_table_close(struct device_table *table);

/* Return whether blank separated names have the device's generation. */
bool
device_table_names_generation(const struct device_table *table,
			      const char *names);

#endif /* DRMPERF_LIB_DEVICE_DEVICE_TABLE_H */
