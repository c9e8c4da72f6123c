/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's state: made, ended, and what it has devices of.
 */
#ifndef DRMPERF_LIB_DEVICE_STATE_H
#define DRMPERF_LIB_DEVICE_STATE_H

#include "device/device.h"

/*
 * Create a state, for drmperf_create(). drivers is a list that ends with NULL
 * and must live as long as *out; root goes before /sys and /dev: "" but in
 * tests.
 */
int state_create(const struct drmperf_options *options,
		 const struct driver *const *drivers, const char *root,
		 struct drmperf **out, struct drmperf_error *error);

/* Create a state of a recorded GPU, for drmperf_create_replay(). */
int
state_create_recorded(const struct drmperf_options *options,
		      const struct driver *const *drivers, const void *header,
		      size_t size, struct drmperf **out,
		      struct drmperf_error *error);

/* Release a state, even within a call that a signal handler interrupted. */
void
state_destroy(struct drmperf *drmperf);

#endif /* DRMPERF_LIB_DEVICE_STATE_H */
