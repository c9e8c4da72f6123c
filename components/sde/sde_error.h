/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's codes, and the text that they cannot carry, on standard error.
 */
#ifndef SDE_ERROR_H
#define SDE_ERROR_H

#include <drmperf.h>

/* Numbers of PAPI's header, which need not be here to build this. */
enum sde_code {
	SDE_OK = 0,
	SDE_EINVAL = -1,
	SDE_ENOMEM = -2,
	SDE_ESYS = -3,
	SDE_ECMP = -4,
	SDE_ECLOST = -5,
	SDE_ENOEVNT = -7,
	SDE_ECNFLCT = -8,
	SDE_ENOTRUN = -9,
	SDE_EPERM = -15,
	SDE_ENOSUPP = -18,
};

/*
 * Set an error of this library, "CAUSE", "REMEDY" or "". Returns code, a
 * negative errno.
 */
int sde_fail(struct drmperf_error *error, int code, const char *remedy,
	     const char *cause, ...) __attribute__((format(printf, 4, 5)));

/* Print what went wrong, each cause once, and return PAPI's code; 0 is none. */
int sde_report(int rc, const struct drmperf_error *error);

/* Print a message of the library's log. */
void sde_log(void *data, enum drmperf_log_level level, const char *message);

#endif /* SDE_ERROR_H */
