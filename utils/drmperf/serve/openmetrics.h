/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Prometheus reads: its own text format, and OpenMetrics.
 *
 * Sources: prometheus.io/docs, "Exposition formats", version 0.0.4;
 * OpenMetrics 1.0.0, "Text format".
 */
#ifndef DRMPERF_TOOL_SERVE_OPENMETRICS_H
#define DRMPERF_TOOL_SERVE_OPENMETRICS_H

#include <stddef.h>
#include <stdio.h>

#include "serve/metric_names.h"

enum exposition_format {
	EXPOSITION_TEXT,
	EXPOSITION_OPENMETRICS,
};

#define EXPOSITION_FORMATS 2

struct exposition {
	FILE *out;
	enum exposition_format format;
};

struct exposition_label {
	const char *name;
	const char *value;
};

/* What a reader takes who sends this header, NULL if none: the better one. */
enum exposition_format
exposition_accepted(const char *accept);

/* The value of the header Content-Type. */
const char *
exposition_content_type(enum exposition_format format);

/* All samples of a family follow on it, before the next one. */
void
exposition_family(const struct exposition *exposition,
		  const struct metric_name *name, const char *help);
void
exposition_sample(const struct exposition *exposition,
		  const struct metric_name *name,
		  const struct exposition_label *labels, size_t label_count,
		  const char *value);
/* Write both samples of a METRIC_SUMMARY. */
void
exposition_summary(const struct exposition *exposition,
		   const struct metric_name *name,
		   const struct exposition_label *labels, size_t label_count,
		   const char *sum, const char *count);
void
exposition_end(const struct exposition *exposition);

#endif /* DRMPERF_TOOL_SERVE_OPENMETRICS_H */
