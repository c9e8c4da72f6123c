/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Format into a text. Callers may pass parts of the error itself as arguments,
 * to put words before what is there already; hence the detour through a buffer.
 */
static void
format_into(char *to, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

static void
format_into(char *to, size_t size, const char *format, va_list args)
{
	char text[sizeof(((struct drmperf_error *)NULL)->cause)];
	size_t length;

	vsnprintf(text, sizeof(text), format, args);
	length = strnlen(text, size - 1);
	memcpy(to, text, length);
	to[length] = '\0';
}

int
error_set(struct drmperf_error *error, int code, const char *cause, ...)
{
	va_list args;

	if (!error)
		return code;
	va_start(args, cause);
	format_into(error->cause, sizeof(error->cause), cause, args);
	va_end(args);
	error->code = code;
	error->remedy[0] = '\0';
	return code;
}

void
error_remedy(struct drmperf_error *error, const char *remedy, ...)
{
	va_list args;

	if (!error)
		return;
	va_start(args, remedy);
	format_into(error->remedy, sizeof(error->remedy), remedy, args);
	va_end(args);
}

bool
error_is_transient(int code)
{
	switch (code) {
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
log_write(const struct log_sink *sink, enum drmperf_log_level level,
	  const char *message, ...)
{
	int saved = errno;
	char line[1024];
	va_list args;

	if (!sink || !sink->log)
		return;
	va_start(args, message);
	vsnprintf(line, sizeof(line), message, args);
	va_end(args);
	sink->log(sink->data, level, line);
	errno = saved;
}
