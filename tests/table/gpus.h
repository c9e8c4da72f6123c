/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU of each driver, with a few events, for tables that a user names. No
 * libcheck here: fuzzers use them.
 */
#ifndef DRMPERF_TESTS_TABLE_GPUS_H
#define DRMPERF_TESTS_TABLE_GPUS_H

#include "catalog/catalog.h"
#include "catalog/user_tables.h"

/*
 * Return what the tables make of it, destroyed by the caller; NULL if they are
 * refused.
 */
struct catalog *
table_gpu_amdgpu(const struct user_tables *tables);
/* Open a GPU of i915. The registers of its sets have been read as well. */
struct catalog *
table_gpu_i915(const struct user_tables *tables);

#endif /* DRMPERF_TESTS_TABLE_GPUS_H */
