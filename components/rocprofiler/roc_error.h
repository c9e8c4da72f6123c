/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How functions of the API end: they return a status of HSA's, and record the
 * thread's last failure.
 */
#ifndef ROC_ERROR_H
#define ROC_ERROR_H

#include <hsa/hsa.h>

#include "frontend/frontend.h"

#define ROC_LIBRARY "librocprofiler64"

/*
 * Return the status for 0 or a negative errno value; a failure is kept for the
 * thread, and printed.
 */
hsa_status_t roc_end(const char *function, int rc,
		     const struct drmperf_error *error);

/*
 * Return the last failure of this thread: errno value, and words; 0 and "" if
 * none.
 */
int roc_last_errno(void);
const char *roc_last_text(void);

/* Set an error from a status of HSA's. Returns -EIO. */
int roc_fail_hsa(struct drmperf_error *error, const char *function,
		 hsa_status_t status);

/* Check an argument. Returns 0, or -EINVAL, with a cause, if it is NULL. */
int
roc_check_pointer(const void *pointer, const char *what,
		  struct drmperf_error *error);

#endif /* ROC_ERROR_H */
