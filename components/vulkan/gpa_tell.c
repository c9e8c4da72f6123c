/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_tell.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static const struct {
	int code;
	VkResult result;
} results[] = {
	{ 0, VK_SUCCESS },
	{ -ENOMEM, VK_ERROR_OUT_OF_HOST_MEMORY },
	{ -EMFILE, VK_ERROR_OUT_OF_HOST_MEMORY },
	{ -ENFILE, VK_ERROR_OUT_OF_HOST_MEMORY },
	{ -ENODEV, VK_ERROR_DEVICE_LOST },
	{ -ECANCELED, VK_ERROR_DEVICE_LOST },
	{ -EACCES, VK_ERROR_NOT_PERMITTED_KHR },
	{ -EBUSY, VK_ERROR_NOT_PERMITTED_KHR },
	{ -ENOTSUP, VK_ERROR_FEATURE_NOT_PRESENT },
	{ -ENOSPC, VK_ERROR_TOO_MANY_OBJECTS },
	{ -E2BIG, VK_ERROR_TOO_MANY_OBJECTS },
	{ -ENOENT, GPA_VALIDATION_FAILED },
	{ -ERANGE, GPA_VALIDATION_FAILED },
	{ -EINVAL, GPA_VALIDATION_FAILED },
};

VkResult
gpa_refuse(const char *where, VkResult result, const char *format, ...)
{
	va_list arguments;
	char text[512];

	if (!fe_is_verbose())
		return result;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fprintf(stderr, GPA_LAYER ": %s: %s\n", where, text);
	return result;
}

static VkResult
result_of(int code)
{
	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
		if (results[i].code == code)
			return results[i].result;
	}
	return VK_ERROR_UNKNOWN;
}

VkResult
gpa_fail(const char *where, int code, const struct drmperf_error *error)
{
	const VkResult result = result_of(code);

	if (code)
		fe_report(GPA_LAYER, where, code, error);
	return result;
}
