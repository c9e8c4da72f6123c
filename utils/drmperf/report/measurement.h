/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of a measurement that was written to a file: by record, or by stat
 * --json.
 */
#ifndef DRMPERF_TOOL_REPORT_MEASUREMENT_H
#define DRMPERF_TOOL_REPORT_MEASUREMENT_H

#include <stddef.h>

#include "util/tool.h"

/* An event, with the mean, the least and the greatest value of all runs. */
struct measurement_value {
	char *name; /* "amdgpu::SQ.WAVES:device=0:instance=3" */
	enum drmperf_unit unit;
	bool adds_up;
	double sum, min, max;
	size_t runs; /* that have a value */
	/* what 95 % of a recording's samples do not exceed; NaN: not known */
	double p95;
};

struct measurement {
	char *command; /* with its arguments, or "" */
	double seconds; /* of a run; NaN: not known */
	struct measurement_value *list;
	size_t count;
};

/*
 * Read a file. 0, or TOOL_FAILED after a complaint. *out is released with
 * measurement_finish() in any case.
 */
int
measurement_read(const struct tool *tool, const char *path,
		 struct measurement *out);
void
measurement_finish(struct measurement *measurement);

double
measurement_mean(const struct measurement_value *value);

/* Return the value of that name, or NULL. */
const struct measurement_value *
measurement_find(const struct measurement *measurement, const char *name);

#endif /* DRMPERF_TOOL_REPORT_MEASUREMENT_H */
