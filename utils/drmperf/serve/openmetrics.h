/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats of Prometheus: its own text format, and OpenMetrics.
 *
 * Sources: prometheus.io/docs, "Exposition formats", version 0.0.4;
 * OpenMetrics 1.0.0, "Text format".
 */
#ifndef DRMPERF_TOOL_SERVE_OPENMETRICS_H
#define DRMPERF_TOOL_SERVE_OPENMETRICS_H

#include <stddef.h>
#include <stdio.h>

#include "serve/metric_names.h"

enum openmetrics_format {
	OPENMETRICS_0_0_4,
	OPENMETRICS_1_0,
};

#define OPENMETRICS_FORMATS 2

struct openmetrics {
	FILE *out;
	enum openmetrics_format format;
};

struct openmetrics_label {
	const char *name;
	const char *value;
};

/* Pick the best format that the client accepts (header Accept, or NULL). */
enum openmetrics_format
openmetrics_accepted(const char *accept);

/* Return the value of the header Content-Type. */
const char *
openmetrics_content_type(enum openmetrics_format format);

/* Begin a family. All of its samples follow on it, before the next one. */
void
openmetrics_family(const struct openmetrics *openmetrics,
		   const struct metric_name *name, const char *help);
void
openmetrics_sample(const struct openmetrics *openmetrics,
		   const struct metric_name *name,
		   const struct openmetrics_label *labels, size_t label_count,
		   const char *value);
/* Write both samples of a METRIC_SUMMARY. */
void
openmetrics_summary(const struct openmetrics *openmetrics,
		    const struct metric_name *name,
		    const struct openmetrics_label *labels, size_t label_count,
		    const char *sum, const char *count);
void
openmetrics_end(const struct openmetrics *openmetrics);

#endif /* DRMPERF_TOOL_SERVE_OPENMETRICS_H */
