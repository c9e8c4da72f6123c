/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What people call things, and what our tables call them.
 */
#ifndef DRMPERF_TOOL_SELECT_ALIASES_H
#define DRMPERF_TOOL_SELECT_ALIASES_H

/*
 * What else to look for where this is looked for, in any case: parts of names
 * or descriptions, up to NULL; or NULL.
 */
const char *const *
aliases_of(const char *word);

#endif /* DRMPERF_TOOL_SELECT_ALIASES_H */
