/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How events are spelled: our names, and what ROCm's tools make of them.
 */
#ifndef DRMPERF_LIB_CATALOG_NAME_H
#define DRMPERF_LIB_CATALOG_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The hash of "GROUP.NAME", or of NAME alone where group is NULL. All
 * spellings of a name have the same hash.
 */
uint32_t catalog_name_hash(const char *group, const char *name, size_t length);

/* True if the first length bytes of name are ours. */
bool catalog_name_is(const char *ours, const char *name, size_t length);

/* True if they are ROCm's spelling of it: "SQ_WAVES" for "SQ.Waves". */
bool catalog_name_is_rocm(const char *ours, const char *name, size_t length);

/* True if only the characters occur that names may have. */
bool catalog_name_is_legal(const char *name);

#endif /* DRMPERF_LIB_CATALOG_NAME_H */
