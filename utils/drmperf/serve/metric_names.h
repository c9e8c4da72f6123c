/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events as Prometheus and OpenMetrics name them, in base units.
 *
 *   amdgpu::metric.FetchSize, KiB -> drmperf_amdgpu_metric_fetch_size_bytes
 */
#ifndef DRMPERF_TOOL_SERVE_METRIC_NAMES_H
#define DRMPERF_TOOL_SERVE_METRIC_NAMES_H

#include "drmperf.h"

enum metric_type {
	METRIC_COUNTER, /* its samples end in _total */
	METRIC_GAUGE,
	METRIC_SUMMARY, /* two samples: they end in _sum and _count */
	METRIC_INFO, /* its labels tell; they end in _info */
};

#define METRIC_NAME_SIZE 320

struct metric_name {
	char family[METRIC_NAME_SIZE]; /* without _total */
	const char *unit; /* which the family ends in, or "" */
	enum metric_type type;
};

/* Make the metric name of an event whose name is as by drmperf_event_name(). */
void
metric_name_make(const char *event, enum drmperf_unit unit,
		 enum drmperf_kind kind, struct metric_name *out);

/* A value in the base unit, as text. */
#define METRIC_VALUE_SIZE 32
void
metric_value_format(enum drmperf_unit unit, enum drmperf_type type,
		    union drmperf_value value, char text[METRIC_VALUE_SIZE]);

#endif /* DRMPERF_TOOL_SERVE_METRIC_NAMES_H */
