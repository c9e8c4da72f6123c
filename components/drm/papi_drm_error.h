/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's codes, which say little, and messages with the rest if the environment
 * has PAPI_DRM_VERBOSE.
 */
#ifndef PAPI_DRM_ERROR_H
#define PAPI_DRM_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "drmperf.h"

/*
 * Read from the environment whether messages are wanted; at PAPI_library_init.
 */
void
papi_drm_error_read_environment(void);

/* Return PAPI's code for 0 or a negative errno value. */
int papi_drm_code(int error);

/*
 * Return whether the error is transient: the same call may succeed the next
 * time.
 */
bool papi_drm_is_transient(int error);

/* Initialize an error without a text. */
static inline void
papi_drm_error_init(struct drmperf_error *error)
{
	error->cause[0] = '\0';
	error->remedy[0] = '\0';
}

/* Write "CAUSE; REMEDY" */
void papi_drm_error_text(const struct drmperf_error *error, char *text,
			 size_t size);

/*
 * Print the error, if messages are wanted, and return the code. A cause is
 * printed once in a process.
 */
int papi_drm_report(int rc, const struct drmperf_error *error);

/* Print why an event has no value, if that is wanted. */
void papi_drm_report_lack(const struct drmperf_error *error);

/*
 * Print a message of the library's log. Errors come back from calls, and are
 * printed there.
 */
void papi_drm_log(void *data, enum drmperf_log_level level,
		  const char *message);

#endif /* PAPI_DRM_ERROR_H */
