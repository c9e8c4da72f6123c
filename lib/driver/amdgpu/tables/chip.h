/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which chip a GPU is, by what the kernel calls it, and what chips.xml knows
 * of it that the kernel does not say.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_TABLES_CHIP_H
#define DRMPERF_LIB_DRIVER_AMDGPU_TABLES_CHIP_H

#include <stdbool.h>

#include "driver/amdgpu/device/device_info.h"
#include "table/table.h"

/* Numbers are maxima before harvesting; 0: not known. */
struct chip {
	const char *name;	/* "Vega 10" */
	const char *generation; /* "gfx9" */
	const char *target;	/* what compilers call it: "gfx900" */
	unsigned cus_per_array;
	unsigned rbs_per_engine; /* render backends */
	unsigned channels;	 /* of the L2 cache */
	unsigned arbiters;	 /* of the L2 cache */
	unsigned interfaces;	 /* to memory */
	unsigned wgps_above_spi;
	unsigned xccs; /* compute XCCs that may share a render node */
	/* blocks of the generation that it lacks, or NULL */
	const char *without;
	bool gfxoff; /* may be powered down while idle */
};

/*
 * Return whether the word is one of a list with blanks between; NULL is empty.
 */
bool chip_lists(const char *list, const char *word);

/*
 * Find the chip in chips.xml. Its strings live as long as the table.
 *
 * Returns 0; -ENOTSUP if the table has no such chip; -EBADMSG if the table is
 * malformed.
 */
int
chip_find(const struct table *table, const struct amd_device_identity *identity,
	  struct chip *out, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_TABLES_CHIP_H */
