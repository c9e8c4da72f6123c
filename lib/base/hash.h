/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hashes of texts, for base/name_index.h.
 */
#ifndef DRMPERF_LIB_BASE_HASH_H
#define DRMPERF_LIB_BASE_HASH_H

#include <stdint.h>

/* FNV-1a; hash_byte() goes on from HASH_BEGIN or the last hash. */
#define HASH_BEGIN 2166136261u

static inline uint32_t
hash_byte(uint32_t hash, char c)
{
	return (hash ^ (uint8_t)c) * 16777619u;
}

static inline uint32_t
hash_text(const char *text)
{
	uint32_t hash = HASH_BEGIN;

	for (; *text; text++)
		hash = hash_byte(hash, *text);
	return hash;
}

#endif /* DRMPERF_LIB_BASE_HASH_H */
