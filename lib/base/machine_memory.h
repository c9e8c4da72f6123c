/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the machine, as its firmware describes the modules: the table of
 * SMBIOS (DMTF DSP0134, "Memory Device", type 17), which root can read.
 */
#ifndef DRMPERF_LIB_BASE_MACHINE_MEMORY_H
#define DRMPERF_LIB_BASE_MACHINE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/*
 * Return the bytes per second of all modules together: width times configured
 * speed. 0 if the table cannot be read, or lacks a number of a module.
 */
uint64_t
machine_memory_rate(void);

/* Return the rate by a table that has been read. */
uint64_t
machine_memory_rate_of(const uint8_t *table, size_t size);

#endif /* DRMPERF_LIB_BASE_MACHINE_MEMORY_H */
