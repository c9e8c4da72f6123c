/* SPDX-License-Identifier: BSD-3-Clause */
#include "kd_tell.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool
is_verbose(void)
{
	const char *text = secure_getenv("DRMPERF_VERBOSE");

	return text && text[0] && strcmp(text, "0") != 0;
}

int
kd_fail(struct drmperf_error *error, int code, const char *remedy,
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

void
kd_tell(const char *where, int code, const struct drmperf_error *error)
{
	if (is_verbose())
		fprintf(stderr, "libdrmperf-kd: %s: %s%s%s\n", where,
			error->cause[0] ? error->cause : strerror(-code),
			error->remedy[0] ? "; " : "", error->remedy);
}

void
kd_log(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	if (level <= DRMPERF_LOG_WARNING && is_verbose())
		fprintf(stderr, "libdrmperf-kd: %s\n", message);
}

uint64_t
kd_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
