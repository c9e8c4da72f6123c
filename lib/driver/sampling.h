/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of the instructions that a GPU runs: what a driver does for
 * drmperf_sampling_create() and the functions behind it.
 */
#ifndef DRMPERF_LIB_DRIVER_SAMPLING_H
#define DRMPERF_LIB_DRIVER_SAMPLING_H

#include "drmperf.h"

/* Functions return 0 or -errno, as those of drmperf.h that they serve. */
struct sampling_ops {
	/*
	 * Begin to sample, with this period or, if it is 0, the longest. *out
	 * is the driver's until close(), *info lives as long.
	 */
	int (*open)(void *device, uint64_t period_cycles, void **out,
		    const struct drmperf_sampling_info **info,
		    struct drmperf_error *error);
	/* The descriptor for poll(); -1 in a forked child. */
	int (*fd)(const void *samples);
	int (*read)(void *samples, drmperf_samples_fn receive, void *data,
		    struct drmperf_error *error);
	/* In a forked child it only frees memory. */
	void (*close)(void *samples);
};

#endif /* DRMPERF_LIB_DRIVER_SAMPLING_H */
