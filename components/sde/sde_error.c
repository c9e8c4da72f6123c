/* SPDX-License-Identifier: BSD-3-Clause */
#include "sde_error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * Hashes of causes that were printed; a cause that finds no room is printed
 * again.
 */
static _Atomic uint64_t told[64];

static uint64_t
hash_of(const char *text)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return hash ? hash : 1;
}

static bool
is_new(const char *cause)
{
	const uint64_t hash = hash_of(cause);

	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		uint64_t there = 0;

		if (atomic_compare_exchange_strong(&told[i], &there, hash))
			return true;
		if (there == hash)
			return false;
	}
	return true;
}

static void
error_print(const char *cause, const char *remedy)
{
	if (is_new(cause))
		fprintf(stderr, "libdrmperf-sde: %s%s%s\n", cause,
			remedy[0] ? "; " : "", remedy);
}

static int
code_of(int rc)
{
	switch (rc) {
	case -ENOENT:
	case -ERANGE:
		return SDE_ENOEVNT;
	case -EINVAL:
		return SDE_EINVAL;
	case -ENOMEM:
		return SDE_ENOMEM;
	case -ENOSPC:
	case -E2BIG:
	case -EBUSY:
		return SDE_ECNFLCT;
	case -EACCES:
	case -EPERM:
		return SDE_EPERM;
	case -ENOTSUP:
		return SDE_ENOSUPP;
	case -ENODEV:
	case -ECANCELED:
	case -EIO:
	case -ETIME:
	case -ENODATA:
		return SDE_ECLOST;
	case -EBADMSG:
		return SDE_ECMP;
	case -ECHILD:
		return SDE_ENOTRUN;
	default:
		return SDE_ESYS;
	}
}

int
sde_fail(struct drmperf_error *error, int code, const char *remedy,
	 const char *cause, ...)
{
	va_list arguments;

	error->code = code;
	va_start(arguments, cause);
	vsnprintf(error->cause, sizeof(error->cause), cause, arguments);
	va_end(arguments);
	snprintf(error->remedy, sizeof(error->remedy), "%s", remedy);
	return code;
}

int
sde_report(int rc, const struct drmperf_error *error)
{
	if (!rc)
		return SDE_OK;
	error_print(error->cause[0] ? error->cause : strerror(-rc),
		    error->remedy);
	return code_of(rc);
}

void
sde_log(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	if (level == DRMPERF_LOG_WARNING)
		error_print(message, "");
}
