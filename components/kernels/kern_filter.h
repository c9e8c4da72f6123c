/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which dispatches of the process are counted: by the names of their kernels,
 * and by their place among those that have such a name.
 */
#ifndef KERN_FILTER_H
#define KERN_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Take the filter from DRMPERF_KERNELS_PATTERN, _SKIP and _LIMIT. False: the
 * pattern is no regular expression.
 */
bool
kern_filter_begin(void);
void
kern_filter_end(void);

/*
 * Return the length of a kernel's name without the suffix that compilers append
 * for its descriptor: "kernel(int) [clone .kd]", "kernel.kd".
 */
size_t
kern_name_length(const char *kernel);

/*
 * Check whether a dispatch of this kernel is counted. *number is its place
 * among the dispatches that match, from 1.
 */
bool
kern_filter_admits(const char *kernel, uint64_t *number);

#endif /* KERN_FILTER_H */
