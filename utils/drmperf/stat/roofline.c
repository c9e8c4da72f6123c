/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofline of stat, below the table or in the document of JSON.
 */
#include <math.h>

#include "stat/text.h"
#include "stat/values.h"
#include "verdict/roofline.h"

struct roofline_report {
	const struct stat_options *options;
	struct stat_values values;
	struct roofline roofline;
	bool names_gpu;
	struct json *json; /* NULL: for people */
};

/* Count the passes whose values make the roofline of a GPU. */
static size_t
count_passes(const struct roofline_report *report, int device)
{
	const struct stat_values *values = &report->values;
	size_t count = 0;

	for (size_t i = 0; i < values->passes; i++) {
		const struct verdict_value *of_pass =
			stat_values_of_pass(values, i);
		bool any = false;

		for (size_t k = 0; k < report->roofline.count; k++) {
			const struct roof *roof = &report->roofline.list[k];

			if (roof->device == device &&
			    !isnan(roof_rate(roof, of_pass)))
				any = true;
		}
		count += any;
	}
	return count;
}

static void
report_point(const struct roofline_report *report, int device)
{
	static const char unlike[] =
		"the runs of the passes were not alike: try a command that "
		"does the same each time";
	const bool is_joined = stat_values_of_all(&report->values) != NULL;
	const struct verdict_value *values =
		stat_values_of_pass(&report->values, report->values.passes);
	const size_t passes = count_passes(report, device);
	struct roofline_point point;

	if (!roofline_compute(&report->roofline, device, values, &point))
		return;
	if (!is_joined) {
		point.reason = unlike;
		point.limit = NULL;
		point.percent = point.intensity = NAN;
	}
	if (report->json)
		roofline_write(report->json, &report->roofline, device, &point,
			       values, passes);
	else
		roofline_print(report->options->out, &report->roofline, device,
			       &point, values, passes, report->names_gpu);
}

static void
report_rooflines(const struct tool *tool, const struct stat_options *options,
		 const struct stat_result *result, struct json *json)
{
	const unsigned count = drmperf_device_count(tool->drmperf);
	struct roofline_report report = { .options = options,
					  .names_gpu = count > 1,
					  .json = json };

	/* Peaks are read if metric groups were asked for. */
	if (!options->peaks.devices)
		return;
	if (!stat_values_find(result, &report.values) &&
	    !roofline_find(tool, &report.values.choice, &options->peaks,
			   &report.roofline)) {
		for (unsigned i = 0; i < count; i++)
			report_point(&report, (int)i);
	}
	roofline_finish(&report.roofline);
	stat_values_finish(&report.values);
}

void
stat_print_rooflines(const struct tool *tool,
		     const struct stat_options *options,
		     const struct stat_result *result)
{
	report_rooflines(tool, options, result, NULL);
}

void
stat_write_rooflines(const struct tool *tool,
		     const struct stat_options *options,
		     const struct stat_result *result, struct json *json)
{
	json_open(json, "rooflines", '[');
	report_rooflines(tool, options, result, json);
	json_close(json, ']');
}
