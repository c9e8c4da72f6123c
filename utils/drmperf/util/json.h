/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writing JSON: keeps track of commas and of what has to be escaped.
 */
#ifndef DRMPERF_TOOL_UTIL_JSON_H
#define DRMPERF_TOOL_UTIL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	bool comma; /* something stands before the next value */
};

/* Open an object or an array; key is NULL in arrays and at the top. */
void
json_open(struct json *json, const char *key, char bracket);
void
json_close(struct json *json, char bracket);
void
json_text(struct json *json, const char *key, const char *value);
void
json_uint(struct json *json, const char *key, uint64_t value);
void
json_double(struct json *json, const char *key, double value);
/* The shortest number that is read as this one; not for NaN and infinity. */
#define JSON_NUMBER_SIZE 32
void
json_format_double(double value, char text[JSON_NUMBER_SIZE]);
void
json_bool(struct json *json, const char *key, bool value);

#endif /* DRMPERF_TOOL_UTIL_JSON_H */
