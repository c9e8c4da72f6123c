/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Prometheus reads: which format, and how it is written.
 */
#include <stdlib.h>

#include "drmperf/serve/openmetrics.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define OPEN OPENMETRICS_1_0
#define TEXT OPENMETRICS_0_0_4

static const struct {
	const char *accept;
	enum openmetrics_format format;
} accepts[] = {
	{ NULL, TEXT },
	{ "", TEXT },
	{ "*/*", TEXT },
	{ "text/html", TEXT },
	{ "text/plain", TEXT },
	{ "application/openmetrics-text", OPEN },
	{ "APPLICATION/OpenMetrics-Text", OPEN },
	{ "application/openmetrics-text; version=1.0.0; charset=utf-8", OPEN },
	{ "application/openmetrics-text;version=\"1.0.0\"", OPEN },
	/* what it is not */
	{ "application/openmetrics-text;version=0.0.1", TEXT },
	{ "application/openmetrics-texts", TEXT },
	{ "application/openmetrics", TEXT },
	/* as Prometheus 2.42 asks, and 3.0 */
	{ "application/openmetrics-text;version=1.0.0,"
	  "application/openmetrics-text;version=0.0.1;q=0.75,"
	  "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
	  OPEN },
	{ "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;"
	  "q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,"
	  "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,"
	  "text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
	  OPEN },
	/* what is liked better */
	{ "text/plain, application/openmetrics-text;q=0.9", TEXT },
	{ "text/plain;q=0.9, application/openmetrics-text ; q=0.95", OPEN },
	{ "text/plain;q=0.5,application/openmetrics-text;q=0.5", OPEN },
	{ "application/openmetrics-text;q=0", TEXT },
	{ "application/openmetrics-text;", OPEN },
	{ ", ,;q=,application/openmetrics-text;version=", TEXT },
};

TEST_CASE(openmetrics, NULL, NULL, "openmetrics");

TEST_LOOP(openmetrics, the_best_accepted_format_is_taken, ARRAY_SIZE(accepts))
{
	ck_assert_int_eq(openmetrics_accepted(accepts[_i].accept),
			 accepts[_i].format);
}

/* Write what a family with two samples looks like. */
static void
write_family(enum openmetrics_format format, const struct metric_name *name,
	     char **text)
{
	static const struct openmetrics_label labels[] = {
		{ "device", "0" }, { "cause", "a \"b\"\n\\c" }
	};
	size_t size;
	struct openmetrics openmetrics = { .out = open_memstream(text, &size),
					   .format = format };

	ck_assert_ptr_nonnull(openmetrics.out);
	openmetrics_family(&openmetrics, name, "A \"b\"\n\\c.");
	openmetrics_sample(&openmetrics, name, NULL, 0, "1");
	openmetrics_sample(&openmetrics, name, labels, 2, "0.5");
	openmetrics_end(&openmetrics);
	fclose(openmetrics.out);
}

static const struct {
	enum openmetrics_format format;
	struct metric_name name;
	const char *text;
} texts[] = {
	{ TEXT,
	  { "x_bytes", "bytes", METRIC_COUNTER },
	  "# HELP x_bytes_total A \"b\"\\n\\\\c.\n"
	  "# TYPE x_bytes_total counter\n"
	  "x_bytes_total 1\n"
	  "x_bytes_total{device=\"0\",cause=\"a \\\"b\\\"\\n\\\\c\"} 0.5\n" },
	{ OPEN,
	  { "x_bytes", "bytes", METRIC_COUNTER },
	  "# HELP x_bytes A \\\"b\\\"\\n\\\\c.\n"
	  "# TYPE x_bytes counter\n"
	  "# UNIT x_bytes bytes\n"
	  "x_bytes_total 1\n"
	  "x_bytes_total{device=\"0\",cause=\"a \\\"b\\\"\\n\\\\c\"} 0.5\n"
	  "# EOF\n" },
	{ OPEN,
	  { "x", "", METRIC_GAUGE },
	  "# HELP x A \\\"b\\\"\\n\\\\c.\n"
	  "# TYPE x gauge\n"
	  "x 1\n"
	  "x{device=\"0\",cause=\"a \\\"b\\\"\\n\\\\c\"} 0.5\n"
	  "# EOF\n" },
	{ TEXT,
	  { "x", "", METRIC_INFO },
	  "# HELP x_info A \"b\"\\n\\\\c.\n"
	  "# TYPE x_info gauge\n"
	  "x_info 1\n"
	  "x_info{device=\"0\",cause=\"a \\\"b\\\"\\n\\\\c\"} 0.5\n" },
	{ OPEN,
	  { "x", "", METRIC_INFO },
	  "# HELP x A \\\"b\\\"\\n\\\\c.\n"
	  "# TYPE x info\n"
	  "x_info 1\n"
	  "x_info{device=\"0\",cause=\"a \\\"b\\\"\\n\\\\c\"} 0.5\n"
	  "# EOF\n" },
};

TEST_LOOP(openmetrics, samples_are_written_in_their_format, ARRAY_SIZE(texts))
{
	char *text;

	write_family(texts[_i].format, &texts[_i].name, &text);
	ck_assert_str_eq(text, texts[_i].text);
	free(text);
}
