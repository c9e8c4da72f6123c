/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "papi_drm_error.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papi.h"
#include "papi_internal.h"

static bool is_verbose;

void
papi_drm_error_ask_environment(void)
{
	const char *verbose = secure_getenv("PAPI_DRM_VERBOSE");

	is_verbose = verbose && verbose[0] && strcmp(verbose, "0");
}

int
papi_drm_code(int error)
{
	switch (error) {
	case 0:
		return PAPI_OK;
	case -ENOENT:
	case -ERANGE:
		return PAPI_ENOEVNT;
	case -EINVAL:
		return PAPI_EINVAL;
	case -ENOMEM:
		return PAPI_ENOMEM;
	case -ENAMETOOLONG:
		return PAPI_EBUF;
	case -ENOSPC:
	case -E2BIG:
	case -EBUSY:
		return PAPI_ECNFLCT;
	case -EACCES:
	case -EPERM:
		return PAPI_EPERM;
	case -ENOTSUP:
		return PAPI_ENOSUPP;
	case -ENODEV:
	case -ECANCELED:
	case -EIO:
	case -ETIME:
	case -ENODATA:
		return PAPI_ECLOST;
	case -EBADMSG: /* a malformed table */
		return PAPI_ECMP;
	case -ECHILD: /* nothing runs in this process */
		return PAPI_ENOTRUN;
	default:
		return PAPI_ESYS;
	}
}

bool
papi_drm_is_transient(int error)
{
	switch (error) {
	case -EAGAIN:
	case -EINTR:
	case -EMFILE:
	case -ENFILE:
	case -ENOMEM:
		return true;
	}
	return false;
}

void
papi_drm_error_init(struct drmperf_error *error)
{
	error->cause[0] = '\0';
	error->remedy[0] = '\0';
}

void
papi_drm_error_text(const struct drmperf_error *error, char *text, size_t size)
{
	if (error->remedy[0])
		snprintf(text, size, "%s; %s", error->cause, error->remedy);
	else
		snprintf(text, size, "%s", error->cause);
}

int
papi_drm_report(int rc, const struct drmperf_error *error)
{
	char text[sizeof(error->cause) + sizeof(error->remedy) + 2];

	if (!rc)
		return PAPI_OK;
	papi_drm_error_text(error, text, sizeof(text));
	if (!text[0])
		snprintf(text, sizeof(text), "%s", strerror(-rc));
	SUBDBG("%s\n", text);
	if (is_verbose)
		fprintf(stderr, "drm: %s\n", text);
	return papi_drm_code(rc);
}

void
papi_drm_log(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	SUBDBG("%s\n", message);
	if (is_verbose &&
	    (level == DRMPERF_LOG_WARNING || level == DRMPERF_LOG_INFO))
		fprintf(stderr, "drm: %s\n", message);
}
