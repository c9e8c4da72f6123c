/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of the process: libdrmperf's, and the lists made so far.
 */
#ifndef ROC_LIBRARY_H
#define ROC_LIBRARY_H

#include "roc_list.h"

/*
 * libdrmperf's state, the same until a fork(): the child gets another one. It
 * stays, since the strings of lists do. The errors of drmperf_create().
 */
int roc_library_open(struct drmperf **out, struct drmperf_error *error);

/*
 * Find the list of a device of the library's state; it stays as long as the
 * state. Returns 0, or the errors of roc_list_create().
 */
int roc_library_list(struct drmperf_device *device,
		     const struct roc_list **out, struct drmperf_error *error);

#endif /* ROC_LIBRARY_H */
