/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog_name.h"

#include <string.h>

/* ROCm has capitals throughout, whatever the case of the event's name. */
static char
rocm_spelling(char c)
{
	if (c == '.')
		return '_';
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* FNV-1a */
static uint32_t
hash_more(uint32_t hash, const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		hash ^= (unsigned char)rocm_spelling(text[i]);
		hash *= 16777619u;
	}
	return hash;
}

uint32_t
catalog_name_hash(const char *group, const char *name, size_t length)
{
	uint32_t hash = 2166136261u;

	if (group) {
		hash = hash_more(hash, group, strlen(group));
		hash = hash_more(hash, ".", 1);
	}
	return hash_more(hash, name, length);
}

bool
catalog_name_is(const char *ours, const char *name, size_t length)
{
	return !strncmp(ours, name, length) && !ours[length];
}

bool
catalog_name_is_rocm(const char *ours, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!ours[i] || rocm_spelling(ours[i]) != name[i])
			return false;
	return !ours[length];
}

bool
catalog_name_is_legal(const char *name)
{
	const char *c = name;

	while ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
	       (*c >= '0' && *c <= '9') || *c == '_' || *c == '-' || *c == '.')
		c++;
	return c != name && !*c;
}
