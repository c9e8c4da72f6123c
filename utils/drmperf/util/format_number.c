/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/format_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Put commas between the digits of a number that begins the text. */
static void
group_digits(const char *digits, char text[FORMAT_NUMBER_SIZE])
{
	int length = (int)strspn(digits, "0123456789");

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*text++ = ',';
		*text++ = digits[i];
	}
	strcpy(text, digits + length);
}

void
format_count(uint64_t value, char text[FORMAT_NUMBER_SIZE])
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	group_digits(digits, text);
}

/*
 * Print doubles that add up, no larger than a count can be. Values of millions
 * have no thousandths.
 */
static void
print_decimal(double value, char text[FORMAT_NUMBER_SIZE])
{
	char digits[FORMAT_NUMBER_SIZE / 2];
	const double size = fabs(value);
	const char *sign = value < 0 ? "-" : "";

	if (size < 1e15)
		snprintf(digits, sizeof(digits), "%.*f", size < 1e6 ? 3 : 0,
			 size);
	else
		snprintf(digits, sizeof(digits), "%.6g", size);
	strcpy(text, sign);
	group_digits(digits, text + strlen(sign));
}

/* ------------------------------------------------------------------ */
/* With a prefix                                                        */

static const struct prefix {
	double factor;
	const char *name;
} prefixes[] = {
	{ 1e12, "T" }, { 1e9, "G" },  { 1e6, "M" },  { 1e3, "k" },
	{ 1, "" },     { 1e-3, "m" }, { 1e-6, "u" }, { 1e-9, "n" },
};
#define NO_PREFIX 4

/* Print three digits of a value: 45.2. */
static void
print_three_digits(double value, char text[FORMAT_NUMBER_SIZE])
{
	double size = fabs(value);
	int decimals = size >= 99.95 || size == 0 ? 0 : (size >= 9.995 ? 1 : 2);

	snprintf(text, FORMAT_NUMBER_SIZE, "%.*f", decimals, value);
}

static void
print_scaled(double value, const char *unit, char text[FORMAT_NUMBER_SIZE],
	     char scaled[FORMAT_NUMBER_SIZE])
{
	const size_t count = sizeof(prefixes) / sizeof(prefixes[0]);
	size_t i = 0;

	/* 999.6 is 1.00 of the next */
	while (i + 1 < count && fabs(value) < 0.9995 * prefixes[i].factor)
		i++;
	if (value == 0)
		i = NO_PREFIX;
	print_three_digits(value / prefixes[i].factor, text);
	snprintf(scaled, FORMAT_NUMBER_SIZE, "%s%s", prefixes[i].name, unit);
}

/* ------------------------------------------------------------------ */

/* Return the unit that takes prefixes, and its factor; NULL: there is none. */
static const char *
base_unit(enum drmperf_unit unit, double *factor)
{
	*factor = 1;
	switch (unit) {
	case DRMPERF_UNIT_HERTZ:
		return "Hz";
	case DRMPERF_UNIT_MEGAHERTZ:
		*factor = 1e6;
		return "Hz";
	case DRMPERF_UNIT_BYTES:
		return "B";
	case DRMPERF_UNIT_KIBIBYTES:
		*factor = 1024;
		return "B";
	case DRMPERF_UNIT_BYTES_PER_SECOND:
		return "B/s";
	case DRMPERF_UNIT_NANOSECONDS:
		*factor = 1e-9;
		return "s";
	case DRMPERF_UNIT_MICROSECONDS:
		*factor = 1e-6;
		return "s";
	case DRMPERF_UNIT_WATTS:
		return "W";
	case DRMPERF_UNIT_MILLIWATTS:
		*factor = 1e-3;
		return "W";
	case DRMPERF_UNIT_JOULES:
		return "J";
	case DRMPERF_UNIT_MICROJOULES:
		*factor = 1e-6;
		return "J";
	case DRMPERF_UNIT_MILLIVOLTS:
		*factor = 1e-3;
		return "V";
	case DRMPERF_UNIT_MILLIAMPERES:
		*factor = 1e-3;
		return "A";
	case DRMPERF_UNIT_MEGATRANSFERS_PER_SECOND:
		*factor = 1e6;
		return "T/s";
	default:
		return NULL;
	}
}

/* Return true of units whose states are whole numbers. */
static bool
is_whole(enum drmperf_unit unit)
{
	return unit == DRMPERF_UNIT_FLAG || unit == DRMPERF_UNIT_LANES ||
	       unit == DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE;
}

static void
print_state(enum drmperf_unit unit, double value, char text[FORMAT_NUMBER_SIZE],
	    char name[FORMAT_NUMBER_SIZE])
{
	double factor;
	const char *base = base_unit(unit, &factor);

	snprintf(name, FORMAT_NUMBER_SIZE, "%s",
		 unit == DRMPERF_UNIT_PERCENT ? "%" : drmperf_unit_name(unit));
	if (isnan(value)) {
		strcpy(text, "n/a");
	} else if (base) {
		print_scaled(value * factor, base, text, name);
	} else if (unit == DRMPERF_UNIT_PERCENT) {
		snprintf(text, FORMAT_NUMBER_SIZE, "%.1f", value);
	} else if (unit == DRMPERF_UNIT_MILLIDEGREES_CELSIUS) {
		snprintf(text, FORMAT_NUMBER_SIZE, "%.1f", value / 1000);
		strcpy(name, "degC");
	} else if (is_whole(unit)) {
		snprintf(text, FORMAT_NUMBER_SIZE, "%.0f", value);
	} else {
		print_decimal(value, text);
	}
}

void
format_value(enum drmperf_unit of, enum drmperf_kind kind, double value,
	     char text[FORMAT_NUMBER_SIZE], char unit[FORMAT_NUMBER_SIZE])
{
	if (kind != DRMPERF_KIND_CUMULATIVE) {
		print_state(of, value, text, unit);
		return;
	}
	snprintf(unit, FORMAT_NUMBER_SIZE, "%s", drmperf_unit_name(of));
	if (isnan(value))
		strcpy(text, "n/a");
	else
		print_decimal(value, text);
}

void
format_rate(enum drmperf_unit of, enum drmperf_kind kind, double value,
	    double seconds, char text[FORMAT_NUMBER_SIZE])
{
	char number[FORMAT_NUMBER_SIZE], name[FORMAT_NUMBER_SIZE / 2],
		scaled[FORMAT_NUMBER_SIZE];
	double factor;
	const char *base = base_unit(of, &factor);

	text[0] = '\0';
	if (kind != DRMPERF_KIND_CUMULATIVE || isnan(value) || seconds <= 0)
		return;
	value *= factor / seconds;
	if (base && !strcmp(base, "s")) {
		snprintf(text, FORMAT_NUMBER_SIZE, "%.1f %%", 100 * value);
		return;
	}
	if (of == DRMPERF_UNIT_CYCLES)
		strcpy(name, "Hz");
	else if (base && !strcmp(base, "J"))
		strcpy(name, "W");
	else
		snprintf(name, sizeof(name), "%s/s", base ? base : "");
	print_scaled(value, name, number, scaled);
	/* what is less than one a second is not made of millirequests */
	if (value == 0)
		snprintf(text, FORMAT_NUMBER_SIZE, "0 %s", name);
	else if (!base && fabs(value) < 1)
		snprintf(text, FORMAT_NUMBER_SIZE, "%.3f %s", value, name);
	else
		snprintf(text, FORMAT_NUMBER_SIZE, "%.20s %.20s", number,
			 scaled);
}
