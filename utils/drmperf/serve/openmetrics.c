/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/openmetrics.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ */
/* Which format                                                         */

/* Return the parameter of a media range, without quotes; false: it has none. */
static bool
find_parameter(const char *range, size_t length, const char *name,
	       char value[16])
{
	const char *end = range + length, *at = range;
	size_t n = strlen(name);

	while ((at = memchr(at, ';', (size_t)(end - at)))) {
		at++;
		at += strspn(at, " \t");
		if (at >= end || strncasecmp(at, name, n) || at[n] != '=')
			continue;
		at += n + 1;
		at += *at == '"';
		n = strcspn(at, " \t;,\"");
		snprintf(value, 16, "%.*s", (int)n, at);
		return true;
	}
	return false;
}

/* Return the q of a media range; 1 if it has none. */
static double
range_quality(const char *range, size_t length)
{
	char value[16];

	return find_parameter(range, length, "q", value) ? strtod(value, NULL)
							 : 1;
}

static bool
is_type(const char *range, size_t length, const char *type)
{
	size_t n = strlen(type);

	return length >= n && !strncasecmp(range, type, n) &&
	       (length == n || strchr("; \t", range[n]));
}

/*
 * Return whether the client takes this version of OpenMetrics: there are
 * several.
 */
static bool
takes_openmetrics(const char *range, size_t length)
{
	char version[16];

	return is_type(range, length, "application/openmetrics-text") &&
	       (!find_parameter(range, length, "version", version) ||
		!strcmp(version, "1.0.0"));
}

/*
 * Return the best format for the client. OpenMetrics says more, so it wins
 * where both are as good.
 */
enum openmetrics_format
openmetrics_accepted(const char *accept)
{
	double openmetrics = 0, text = 0;

	for (const char *range = accept ? accept : ""; *range;) {
		size_t length;

		range += strspn(range, ", \t");
		length = strcspn(range, ",");
		if (takes_openmetrics(range, length))
			openmetrics = range_quality(range, length);
		else if (is_type(range, length, "text/plain"))
			text = range_quality(range, length);
		range += length;
	}
	return openmetrics > 0 && openmetrics >= text ? OPENMETRICS_1_0
						      : OPENMETRICS_0_0_4;
}

const char *
openmetrics_content_type(enum openmetrics_format format)
{
	return format == OPENMETRICS_1_0
		       ? "application/openmetrics-text; version=1.0.0; "
			 "charset=utf-8"
		       : "text/plain; version=0.0.4; charset=utf-8";
}

/* ------------------------------------------------------------------ */
/* Text                                                                 */

static const char *
type_name(enum metric_type type, enum openmetrics_format format)
{
	switch (type) {
	case METRIC_COUNTER:
		return "counter";
	case METRIC_SUMMARY:
		return "summary";
	case METRIC_INFO:
		if (format == OPENMETRICS_1_0)
			return "info";
		break;
	case METRIC_GAUGE:
		break;
	}
	return "gauge";
}

static const char *
sample_suffix(enum metric_type type)
{
	switch (type) {
	case METRIC_COUNTER:
		return "_total";
	case METRIC_INFO:
		return "_info";
	case METRIC_GAUGE:
	case METRIC_SUMMARY:
		break;
	}
	return "";
}

static void
write_escaped(FILE *out, const char *text, bool quotes)
{
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '\\' || (quotes && *text == '"'))
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
	}
}

/* Begin a family. The older format describes samples, by their whole names. */
void
openmetrics_family(const struct openmetrics *openmetrics,
		   const struct metric_name *name, const char *help)
{
	bool is_open = openmetrics->format == OPENMETRICS_1_0;
	const char *suffix = is_open ? "" : sample_suffix(name->type);
	FILE *out = openmetrics->out;

	fprintf(out, "# HELP %s%s ", name->family, suffix);
	write_escaped(out, help, is_open);
	fprintf(out, "\n# TYPE %s%s %s\n", name->family, suffix,
		type_name(name->type, openmetrics->format));
	if (is_open && *name->unit)
		fprintf(out, "# UNIT %s %s\n", name->family, name->unit);
}

static void
write_sample(const struct openmetrics *openmetrics,
	     const struct metric_name *name, const char *suffix,
	     const struct openmetrics_label *labels, size_t label_count,
	     const char *value)
{
	FILE *out = openmetrics->out;

	fprintf(out, "%s%s", name->family, suffix);
	for (size_t i = 0; i < label_count; i++) {
		fprintf(out, "%c%s=\"", i ? ',' : '{', labels[i].name);
		write_escaped(out, labels[i].value, true);
		fputc('"', out);
	}
	fprintf(out, "%s %s\n", label_count ? "}" : "", value);
}

void
openmetrics_sample(const struct openmetrics *openmetrics,
		   const struct metric_name *name,
		   const struct openmetrics_label *labels, size_t label_count,
		   const char *value)
{
	write_sample(openmetrics, name, sample_suffix(name->type), labels,
		     label_count, value);
}

void
openmetrics_summary(const struct openmetrics *openmetrics,
		    const struct metric_name *name,
		    const struct openmetrics_label *labels, size_t label_count,
		    const char *sum, const char *count)
{
	write_sample(openmetrics, name, "_sum", labels, label_count, sum);
	write_sample(openmetrics, name, "_count", labels, label_count, count);
}

void
openmetrics_end(const struct openmetrics *openmetrics)
{
	if (openmetrics->format == OPENMETRICS_1_0)
		fputs("# EOF\n", openmetrics->out);
}
