/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values as people read them.
 */
#include <math.h>

#include "drmperf/util/format_number.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define SUM DRMPERF_KIND_CUMULATIVE
#define NOW DRMPERF_KIND_MOMENTARY
#define MEAN DRMPERF_KIND_AVERAGE

static const struct {
	uint64_t value;
	const char *text;
} counts[] = {
	{ 0, "0" },
	{ 999, "999" },
	{ 1000, "1,000" },
	{ 1234567, "1,234,567" },
	{ UINT64_MAX, "18,446,744,073,709,551,615" },
};

TEST_CASE(all, NULL, NULL, "tool_figures");

TEST_LOOP(all, counts_have_commas, ARRAY_SIZE(counts))
{
	char text[FORMAT_NUMBER_SIZE];

	format_count(counts[_i].value, text);
	ck_assert_str_eq(text, counts[_i].text);
}

static const struct {
	enum drmperf_unit unit;
	enum drmperf_kind kind;
	double value;
	const char *text, *of;
} values[] = {
	/* what adds up stays as it is */
	{ DRMPERF_UNIT_KIBIBYTES, SUM, 2568700.375, "2,568,700", "KiB" },
	{ DRMPERF_UNIT_KIBIBYTES, SUM, 999999.5, "999,999.500", "KiB" },
	{ DRMPERF_UNIT_KIBIBYTES, SUM, -1234.5, "-1,234.500", "KiB" },
	{ DRMPERF_UNIT_REQUESTS, SUM, 1e300, "1e+300", "requests" },
	{ DRMPERF_UNIT_REQUESTS, SUM, NAN, "n/a", "requests" },
	{ DRMPERF_UNIT_NONE, SUM, 7, "7.000", "" },
	/* the rest has the prefix that suits it */
	{ DRMPERF_UNIT_MEGAHERTZ, NOW, 1138, "1.14", "GHz" },
	{ DRMPERF_UNIT_MEGAHERTZ, NOW, 800, "800", "MHz" },
	{ DRMPERF_UNIT_HERTZ, MEAN, 999949, "1.00", "MHz" },
	{ DRMPERF_UNIT_HERTZ, MEAN, 999400, "999", "kHz" },
	{ DRMPERF_UNIT_HERTZ, MEAN, 99960, "100", "kHz" },
	{ DRMPERF_UNIT_HERTZ, MEAN, 9996, "10.0", "kHz" },
	{ DRMPERF_UNIT_BYTES, NOW, 0, "0", "B" },
	{ DRMPERF_UNIT_BYTES, NOW, 8589934592, "8.59", "GB" },
	{ DRMPERF_UNIT_KIBIBYTES, NOW, 1, "1.02", "kB" },
	{ DRMPERF_UNIT_BYTES_PER_SECOND, MEAN, 45.2e9, "45.2", "GB/s" },
	{ DRMPERF_UNIT_NANOSECONDS, NOW, 1500, "1.50", "us" },
	{ DRMPERF_UNIT_NANOSECONDS, NOW, 2, "2.00", "ns" },
	{ DRMPERF_UNIT_MICROSECONDS, NOW, 2, "2.00", "us" },
	{ DRMPERF_UNIT_MILLIVOLTS, NOW, 850, "850", "mV" },
	{ DRMPERF_UNIT_MILLIWATTS, NOW, 57000, "57.0", "W" },
	{ DRMPERF_UNIT_WATTS, NOW, 57, "57.0", "W" },
	{ DRMPERF_UNIT_MILLIDEGREES_CELSIUS, NOW, 45000, "45.0", "degC" },
	{ DRMPERF_UNIT_MILLIDEGREES_CELSIUS, NOW, -5500, "-5.5", "degC" },
	{ DRMPERF_UNIT_PERCENT, MEAN, 38.24, "38.2", "%" },
	{ DRMPERF_UNIT_PERCENT, MEAN, NAN, "n/a", "%" },
	{ DRMPERF_UNIT_FLAG, NOW, 1, "1", "flag" },
	{ DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE, NOW, 1234, "1234", "rpm" },
	{ DRMPERF_UNIT_LANES, NOW, 16, "16", "lanes" },
	{ DRMPERF_UNIT_MEGATRANSFERS_PER_SECOND, NOW, 16000, "16.0", "GT/s" },
	{ DRMPERF_UNIT_MILLIAMPERES, NOW, 12500, "12.5", "A" },
	{ DRMPERF_UNIT_RATIO, MEAN, 0.125, "0.125", "ratio" },
	{ DRMPERF_UNIT_WAVES, MEAN, 12345.5, "12,345.500", "waves" },
};

TEST_LOOP(all, values_of_units, ARRAY_SIZE(values))
{
	char text[FORMAT_NUMBER_SIZE], of[FORMAT_NUMBER_SIZE];

	format_value(values[_i].unit, values[_i].kind, values[_i].value, text,
		     of);
	ck_assert_str_eq(text, values[_i].text);
	ck_assert_str_eq(of, values[_i].of);
}

static const struct {
	enum drmperf_unit unit;
	enum drmperf_kind kind;
	double value, seconds;
	const char *text;
} rates[] = {
	{ DRMPERF_UNIT_REQUESTS, SUM, 32000, 2, "16.0 k/s" },
	{ DRMPERF_UNIT_REQUESTS, SUM, 0, 2, "0 /s" },
	{ DRMPERF_UNIT_REQUESTS, SUM, 1, 4, "0.250 /s" },
	{ DRMPERF_UNIT_CYCLES, SUM, 1138e6, 1, "1.14 GHz" },
	{ DRMPERF_UNIT_BYTES, SUM, 90.4e9, 2, "45.2 GB/s" },
	{ DRMPERF_UNIT_KIBIBYTES, SUM, 1000, 1, "1.02 MB/s" },
	{ DRMPERF_UNIT_NANOSECONDS, SUM, 191e6, 0.5, "38.2 %" },
	{ DRMPERF_UNIT_MICROSECONDS, SUM, 191e3, 0.5, "38.2 %" },
	{ DRMPERF_UNIT_JOULES, SUM, 30, 2, "15.0 W" },
	{ DRMPERF_UNIT_MICROJOULES, SUM, 30e6, 2, "15.0 W" },
	/* none */
	{ DRMPERF_UNIT_REQUESTS, SUM, 7, 0, "" },
	{ DRMPERF_UNIT_KIBIBYTES, SUM, NAN, 1, "" },
	{ DRMPERF_UNIT_REQUESTS, MEAN, 7, 1, "" },
	{ DRMPERF_UNIT_MEGAHERTZ, NOW, 7, 1, "" },
};

TEST_LOOP(all, rates_of_units, ARRAY_SIZE(rates))
{
	char text[FORMAT_NUMBER_SIZE];

	format_rate(rates[_i].unit, rates[_i].kind, rates[_i].value,
		    rates[_i].seconds, text);
	ck_assert_str_eq(text, rates[_i].text);
}
