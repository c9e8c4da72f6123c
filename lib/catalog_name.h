/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How events are spelled: our names, and what ROCm's tools make of them.
 */
#ifndef DRMPERF_LIB_CATALOG_NAME_H
#define DRMPERF_LIB_CATALOG_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The hash of a name; all spellings of it have the same. */
uint32_t catalog_name_hash(const char *name, size_t length);

/* The same of "GROUP.", which stands before the names of its events. */
uint32_t catalog_name_hash_group(const char *group, size_t length);

/*
 * The hash of two texts, one behind the other, from theirs; length is that of
 * the second.
 */
uint32_t catalog_name_join(uint32_t before, uint32_t name, size_t length);

/*
 * Length and hash of a terminated name; false if it is empty or has a character
 * that names may not have.
 */
bool catalog_name_measure(const char *name, size_t *length, uint32_t *hash);

bool catalog_name_is_legal(const char *name);

/* True if the first length bytes of name are ours. */
bool catalog_name_is(const char *ours, const char *name, size_t length);

/* True if they are ROCm's spelling of it: "SQ_WAVES" for "SQ.Waves". */
bool catalog_name_is_rocm(const char *ours, const char *name, size_t length);

#endif /* DRMPERF_LIB_CATALOG_NAME_H */
