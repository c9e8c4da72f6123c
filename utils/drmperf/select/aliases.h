/* SPDX-License-Identifier: BSD-3-Clause */
/* Common words for quantities, and the words of our tables for them. */
#ifndef DRMPERF_TOOL_SELECT_ALIASES_H
#define DRMPERF_TOOL_SELECT_ALIASES_H

/*
 * Return further words to look for in place of this one, in any case: parts of
 * names or descriptions, up to NULL; or NULL.
 */
const char *const *
aliases_of(const char *word);

#endif /* DRMPERF_TOOL_SELECT_ALIASES_H */
