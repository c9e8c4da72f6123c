/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define KFD "/dev/kfd"

/* The interface asks for the last failure later, in the thread that had it. */
static _Thread_local struct {
	int number;
	char text[sizeof(((struct drmperf_error *)0)->cause) +
		  sizeof(((struct drmperf_error *)0)->remedy) + 2];
} last;

int
roc_last_errno(void)
{
	return last.number;
}

const char *
roc_last_text(void)
{
	return last.text;
}

/*
 * Return the remedy if HSA is not initialised. hsa_init() may have been called:
 * without this device it fails and gives no reason.
 */
static const char *
how_to_begin(void)
{
	if (!access(KFD, R_OK | W_OK))
		return "call hsa_init() first";
	if (errno == EACCES)
		return "call hsa_init() first; it needs " KFD
		       ", whose group this user has to join (mostly render)";
	return "call hsa_init() first; it needs " KFD
	       ", which the kernel's driver amdgpu makes, and cannot open it";
}

int
roc_fail_hsa(struct drmperf_error *error, const char *function,
	     hsa_status_t status)
{
	const char *text = NULL;

	if (hsa_status_string(status, &text) != HSA_STATUS_SUCCESS || !text)
		text = "unknown status";
	return fe_fail(error, -EIO,
		       status == HSA_STATUS_ERROR_NOT_INITIALIZED
			       ? how_to_begin()
			       : "",
		       "%s: status 0x%x: %s", function, (unsigned)status, text);
}

int
roc_check_pointer(const void *pointer, const char *what,
		  struct drmperf_error *error)
{
	return pointer ? 0 : fe_fail(error, -EINVAL, "", "%s is NULL", what);
}

static hsa_status_t
status_of(int rc)
{
	switch (rc) {
	case -EINVAL:
	case -ENOENT:
	case -ERANGE:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	case -ENOMEM:
	case -ENOBUFS:
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	default:
		return HSA_STATUS_ERROR;
	}
}

hsa_status_t
roc_end(const char *function, int rc, const struct drmperf_error *error)
{
	if (!rc)
		return HSA_STATUS_SUCCESS;
	last.number = -rc;
	snprintf(last.text, sizeof(last.text), "%s%s%s",
		 error->cause[0] ? error->cause : strerror(-rc),
		 error->remedy[0] ? "; " : "", error->remedy);
	fe_report(ROC_LIBRARY, function, rc, error);
	return status_of(rc);
}
