/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How events are spelled: our names, and what ROCm's tools make of them.
 */
#ifndef DRMPERF_LIB_BASE_SPELLING_H
#define DRMPERF_LIB_BASE_SPELLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Names of groups, of events, and their aliases have so many characters at
 * most: with all that may stand round it, a name can still be looked up, in
 * programs that use PAPI as well, whose names have 255.
 */
#define SPELLING_MAX 95

/* The hash of a name; all spellings of it have the same. */
uint32_t spelling_hash(const char *name, size_t length);

/* What stands before the names of a group's events: "GROUP." */
struct spelling_prefix {
	uint32_t hash; /* its own */
	uint32_t factor; /* of the hash of what stands behind it */
};

struct spelling_prefix spelling_prefix(const char *group, size_t length);

/* The hash of the prefix with a name behind it, from the name's. */
static inline uint32_t
spelling_join(struct spelling_prefix prefix, uint32_t name)
{
	return prefix.hash + prefix.factor * name;
}

/*
 * Length and hash of a terminated name; false if it is empty, too long or has a
 * character that names may not have.
 */
bool spelling_measure(const char *name, size_t *length, uint32_t *hash);

bool spelling_is_legal(const char *name);

/* What is wrong with a name that is not legal: "is too long", for one. */
const char *
spelling_fault(const char *name);

/* True if the first length bytes of name are ours. */
bool spelling_is(const char *ours, const char *name, size_t length);

/* True if they are ours but for the case of letters, in any spelling. */
bool spelling_is_in_any_case(const char *ours, const char *name, size_t length);

/* True if they are ROCm's spelling of it: "SQ_WAVES" for "SQ.Waves". */
bool spelling_is_rocm(const char *ours, const char *name, size_t length);

/*
 * ROCm's spelling of an event of a group, as snprintf() writes: "SQ_WAVES".
 * What names may not have stays as it is.
 */
int spelling_rocm(const char *group, const char *name, char *text, size_t size);

#endif /* DRMPERF_LIB_BASE_SPELLING_H */
