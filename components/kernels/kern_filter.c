/* SPDX-License-Identifier: BSD-3-Clause */
#include "kern_filter.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

static struct {
	bool has_pattern;
	regex_t pattern;
	uint64_t skip, limit; /* limit 0: none */
	uint64_t matched;
} filter;

static uint64_t
read_variable(const char *name)
{
	const char *text = secure_getenv(name);

	return text ? strtoull(text, NULL, 10) : 0;
}

bool
kern_filter_begin(void)
{
	const char *pattern = secure_getenv("DRMPERF_KERNELS_PATTERN");

	filter.skip = read_variable("DRMPERF_KERNELS_SKIP");
	filter.limit = read_variable("DRMPERF_KERNELS_LIMIT");
	filter.matched = 0;
	filter.has_pattern = pattern && *pattern;
	if (!filter.has_pattern)
		return true;
	filter.has_pattern =
		!regcomp(&filter.pattern, pattern, REG_EXTENDED | REG_NOSUB);
	return filter.has_pattern;
}

void
kern_filter_end(void)
{
	if (filter.has_pattern)
		regfree(&filter.pattern);
	filter.has_pattern = false;
}

size_t
kern_name_length(const char *kernel)
{
	static const char *const suffixes[] = { " [clone .kd]", ".kd" };
	const size_t length = strlen(kernel);

	for (unsigned i = 0; i < 2; i++) {
		const size_t end = strlen(suffixes[i]);

		if (length > end && !strcmp(kernel + length - end, suffixes[i]))
			return length - end;
	}
	return length;
}

static bool
matches_pattern(const char *kernel)
{
	regmatch_t range = { .rm_eo = (regoff_t)kern_name_length(kernel) };

	return !regexec(&filter.pattern, kernel, 0, &range, REG_STARTEND);
}

bool
kern_filter_admits(const char *kernel, uint64_t *number)
{
	if (filter.has_pattern && !matches_pattern(kernel))
		return false;
	*number = __atomic_add_fetch(&filter.matched, 1, __ATOMIC_RELAXED);
	return *number > filter.skip &&
	       (!filter.limit || *number - filter.skip <= filter.limit);
}
