/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How events are spelled: our names, and their spelling in ROCm's tools.
 */
#ifndef DRMPERF_LIB_BASE_NAME_SYNTAX_H
#define DRMPERF_LIB_BASE_NAME_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The maximum length of names of groups and events, and of their aliases: with
 * all qualifiers that may be added, a full name can still be looked up, in
 * programs that use PAPI as well, whose names have 255 characters.
 */
#define NAME_SYNTAX_MAX 95

/* Return the hash of a name; all spellings of it have the same. */
uint32_t
name_syntax_hash(const char *name, size_t length);

/* The prefix of the names of a group's events: "GROUP." */
struct name_syntax_prefix {
	uint32_t hash; /* its own */
	uint32_t factor; /* multiplies the hash of the name behind it */
};

struct name_syntax_prefix
name_syntax_prefix(const char *group, size_t length);

/* Return the hash of the prefix with a name behind it, from the name's. */
static inline uint32_t
name_syntax_join(struct name_syntax_prefix prefix, uint32_t name)
{
	return prefix.hash + prefix.factor * name;
}

/*
 * Measure the length and hash of a terminated name; false if it is empty, too
 * long or has a character that names may not have.
 */
bool
name_syntax_measure(const char *name, size_t *length, uint32_t *hash);

bool
name_syntax_is_legal(const char *name);

/* Explain why a name is not legal: "is too long", for example. */
const char *
name_syntax_fault(const char *name);

/* Return true if the first length bytes of name are ours. */
bool
name_syntax_is(const char *ours, const char *name, size_t length);

/* Return true if they are ours but for the case of letters, in any spelling. */
bool
name_syntax_is_in_any_case(const char *ours, const char *name, size_t length);

/* Return true if they are ROCm's spelling of it: "SQ_WAVES" for "SQ.Waves". */
bool
name_syntax_is_rocm(const char *ours, const char *name, size_t length);

/*
 * Write ROCm's spelling of an event of a group, as snprintf() writes:
 * "SQ_WAVES". What names may not have stays as it is.
 */
int
name_syntax_rocm(const char *group, const char *name, char *text, size_t size);

#endif /* DRMPERF_LIB_BASE_NAME_SYNTAX_H */
