/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "papi_drm_error.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "papi.h"
#include "papi_internal.h"

/*
 * Most hashes of causes that were printed; a cause beyond that is printed
 * again.
 */
#define TOLD_MAX 256

static struct {
	bool is_verbose;
	pthread_mutex_t lock; /* of what follows */
	pid_t pid; /* of the process that has printed them */
	uint64_t told[TOLD_MAX];
	size_t count;
} verbosity = { .lock = PTHREAD_MUTEX_INITIALIZER };

void
papi_drm_error_read_environment(void)
{
	const char *verbose = secure_getenv("PAPI_DRM_VERBOSE");

	verbosity.is_verbose = verbose && verbose[0] && strcmp(verbose, "0");
	/* another thread of a forked child's parent may have had the lock */
	if (verbosity.pid == getpid())
		return;
	verbosity.pid = getpid();
	verbosity.count = 0;
	pthread_mutex_init(&verbosity.lock, NULL);
}

static uint64_t
hash_of(const char *text)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return hash;
}

/* Return whether an error has been reported. Caller holds the lock. */
static bool
is_reported(uint64_t hash)
{
	size_t i;

	for (i = 0; i < verbosity.count; i++) {
		if (verbosity.told[i] == hash)
			return true;
	}
	return false;
}

/*
 * Print the text, if messages are wanted, once for each cause. An error with a
 * remedy is printed even if the log has printed its cause without one.
 */
static void
error_print(const char *text, const char *cause, bool is_logged)
{
	const uint64_t hash = hash_of(cause);
	const uint64_t mark = is_logged ? ~hash : hash;
	bool is_new;

	SUBDBG("%s\n", text);
	if (!verbosity.is_verbose)
		return;
	pthread_mutex_lock(&verbosity.lock);
	is_new = !is_reported(hash) && !is_reported(mark);
	if (is_new && verbosity.count < TOLD_MAX)
		verbosity.told[verbosity.count++] = mark;
	pthread_mutex_unlock(&verbosity.lock);
	if (is_new)
		fprintf(stderr, "drm: %s\n", text);
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
	error_print(text, error->cause[0] ? error->cause : text, false);
	return papi_drm_code(rc);
}

void
papi_drm_report_lack(const struct drmperf_error *error)
{
	char text[sizeof(error->cause) + sizeof(error->remedy) + 2];

	papi_drm_error_text(error, text, sizeof(text));
	SUBDBG("no value: %s\n", text);
	if (verbosity.is_verbose)
		fprintf(stderr,
			"drm: an event has no value and reads as %lld, or as "
			"NaN with :double: %s\n",
			LLONG_MIN, text);
}

void
papi_drm_log(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	if (level == DRMPERF_LOG_WARNING || level == DRMPERF_LOG_INFO)
		error_print(message, message, true);
	else
		SUBDBG("%s\n", message);
}
