/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

#include <inttypes.h>
#include <math.h>

static void
write_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void
begin(struct json *json, const char *key)
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
	begin(json, key);
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
	begin(json, key);
	write_string(json->out, value);
}

void
json_uint(struct json *json, const char *key, uint64_t value)
{
	begin(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void
json_double(struct json *json, const char *key, double value)
{
	begin(json, key);
	if (isfinite(value))
		fprintf(json->out, "%.17g", value);
	else
		fputs("null", json->out);
}

void
json_bool(struct json *json, const char *key, bool value)
{
	begin(json, key);
	fputs(value ? "true" : "false", json->out);
}
