/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "util/printable.h"

/*
 * Write a string. A command may hold bytes of any kind; JSON holds characters.
 */
static void
write_string(FILE *out, const char *text)
{
	fputc('"', out);
	while (*text) {
		size_t size = printable_character(text);

		if (!size)
			fputs("\\ufffd", out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if (size == 1 && (*text < 0x20 || *text == 0x7f))
			fprintf(out, "\\u%04x", *text);
		else if (size == 2 && printable_is_control(text, size))
			fprintf(out, "\\u%04x", (unsigned char)text[1]);
		else
			fwrite(text, 1, size, out);
		text += size ? size : 1;
	}
	fputc('"', out);
}

static void
json_begin_value(struct json *json, const char *key)
{
	if (json->comma)
		fputs(", ", json->out);
	json->comma = true;
	if (key) {
		write_string(json->out, key);
		fputs(": ", json->out);
	}
}

void
json_open(struct json *json, const char *key, char bracket)
{
	json_begin_value(json, key);
	fputc(bracket, json->out);
	json->comma = false;
}

void
json_close(struct json *json, char bracket)
{
	fputc(bracket, json->out);
	json->comma = true;
}

void
json_text(struct json *json, const char *key, const char *value)
{
	json_begin_value(json, key);
	write_string(json->out, value);
}

void
json_uint(struct json *json, const char *key, uint64_t value)
{
	json_begin_value(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void
json_format_double(double value, char text[JSON_NUMBER_SIZE])
{
	int digits = 15;

	do
		snprintf(text, JSON_NUMBER_SIZE, "%.*g", digits, value);
	while (digits++ < 17 && strtod(text, NULL) != value);
}

void
json_double(struct json *json, const char *key, double value)
{
	char text[JSON_NUMBER_SIZE] = "null";

	json_begin_value(json, key);
	if (isfinite(value))
		json_format_double(value, text);
	fputs(text, json->out);
}

void
json_bool(struct json *json, const char *key, bool value)
{
	json_begin_value(json, key);
	fputs(value ? "true" : "false", json->out);
}
