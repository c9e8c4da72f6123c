/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How events are spelled: our names, and what ROCm's tools make of them.
 */
#ifndef DRMPERF_LIB_BASE_NAME_SYNTAX_H
#define DRMPERF_LIB_BASE_NAME_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Names of groups, of events, and their aliases have so many characters at
 * most: with all that may stand round it, a name can still be looked up, in
 * programs that use PAPI as well, whose names have 255.
 */
#define NAME_SYNTAX_MAX 95

/* The hash of a name; all spellings of it have the same. */
uint32_t
name_syntax_hash(const char *name, size_t length);

/* What stands before the names of a group's events: "GROUP." */
struct name_syntax_prefix {
	uint32_t hash; /* its own */
	uint32_t factor; /* of the hash of what stands behind it */
};

struct name_syntax_prefix
name_syntax_prefix(const char *group, size_t length);

/* The hash of the prefix with a name behind it, from the name's. */
static inline uint32_t
name_syntax_join(struct name_syntax_prefix prefix, uint32_t name)
{
	return prefix.hash + prefix.factor * name;
}

/*
 * Length and hash of a terminated name; false if it is empty, too long or has a
 * character that names may not have.
 */
bool
name_syntax_measure(const char *name, size_t *length, uint32_t *hash);

bool
name_syntax_is_legal(const char *name);

/* What is wrong with a name that is not legal: "is too long", for one. */
const char *
name_syntax_fault(const char *name);

/* True if the first length bytes of name are ours. */
bool
name_syntax_is(const char *ours, const char *name, size_t length);

/* True if they are ours but for the case of letters, in any spelling. */
bool
name_syntax_is_in_any_case(const char *ours, const char *name, size_t length);

/* True if they are ROCm's spelling of it: "SQ_WAVES" for "SQ.Waves". */
bool
name_syntax_is_rocm(const char *ours, const char *name, size_t length);

/*
 * ROCm's spelling of an event of a group, as snprintf() writes: "SQ_WAVES".
 * What names may not have stays as it is.
 */
int
name_syntax_rocm(const char *group, const char *name, char *text, size_t size);

#endif /* DRMPERF_LIB_BASE_NAME_SYNTAX_H */
