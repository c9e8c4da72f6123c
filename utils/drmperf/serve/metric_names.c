/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/metric_names.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "util/json.h"

/* ------------------------------------------------------------------ */
/* Units                                                                */

/*
 * The name of a unit at the end of a metric's name, and what a value is to be
 * multiplied with and divided by, to be in it. Sources: prometheus.io/docs,
 * "Metric and label naming", base units; OpenMetrics 1.0.0, "Units and Base
 * Units". What counts things has their plural.
 */
struct base_unit {
	const char *name;
	unsigned factor, divisor; /* 0: 1 */
};

static const struct base_unit base_units[DRMPERF_UNIT_COUNT] = {
	[DRMPERF_UNIT_NONE] = { .name = "" },
	[DRMPERF_UNIT_CYCLES] = { .name = "cycles" },
	[DRMPERF_UNIT_BYTES] = { .name = "bytes" },
	[DRMPERF_UNIT_KIBIBYTES] = { .name = "bytes", .factor = 1024 },
	[DRMPERF_UNIT_NANOSECONDS] = { .name = "seconds",
				       .divisor = 1000000000 },
	[DRMPERF_UNIT_MICROSECONDS] = { .name = "seconds", .divisor = 1000000 },
	[DRMPERF_UNIT_HERTZ] = { .name = "hertz" },
	[DRMPERF_UNIT_MEGAHERTZ] = { .name = "hertz", .factor = 1000000 },
	[DRMPERF_UNIT_PERCENT] = { .name = "ratio", .divisor = 100 },
	[DRMPERF_UNIT_RATIO] = { .name = "ratio" },
	[DRMPERF_UNIT_WAVES] = { .name = "waves" },
	[DRMPERF_UNIT_THREADS] = { .name = "threads" },
	[DRMPERF_UNIT_INSTRUCTIONS] = { .name = "instructions" },
	[DRMPERF_UNIT_REQUESTS] = { .name = "requests" },
	[DRMPERF_UNIT_EVENTS] = { .name = "events" },
	[DRMPERF_UNIT_PIXELS] = { .name = "pixels" },
	[DRMPERF_UNIT_TEXELS] = { .name = "texels" },
	[DRMPERF_UNIT_PRIMITIVES] = { .name = "primitives" },
	[DRMPERF_UNIT_VERTICES] = { .name = "vertices" },
	[DRMPERF_UNIT_MESSAGES] = { .name = "messages" },
	[DRMPERF_UNIT_CACHE_LINES] = { .name = "cache_lines" },
	[DRMPERF_UNIT_BYTES_PER_SECOND] = { .name = "bytes_per_second" },
	[DRMPERF_UNIT_WATTS] = { .name = "watts" },
	[DRMPERF_UNIT_MILLIWATTS] = { .name = "watts", .divisor = 1000 },
	[DRMPERF_UNIT_JOULES] = { .name = "joules" },
	[DRMPERF_UNIT_MILLIVOLTS] = { .name = "volts", .divisor = 1000 },
	[DRMPERF_UNIT_MILLIDEGREES_CELSIUS] = { .name = "celsius",
						.divisor = 1000 },
	[DRMPERF_UNIT_QUADS] = { .name = "quads" },
	[DRMPERF_UNIT_TILES] = { .name = "tiles" },
	[DRMPERF_UNIT_FRAGMENTS] = { .name = "fragments" },
	[DRMPERF_UNIT_SAMPLES] = { .name = "samples" },
	[DRMPERF_UNIT_EXPORTS] = { .name = "exports" },
	[DRMPERF_UNIT_GROUPS] = { .name = "groups" },
	[DRMPERF_UNIT_NODES] = { .name = "nodes" },
	[DRMPERF_UNIT_PACKETS] = { .name = "packets" },
	[DRMPERF_UNIT_OPERATIONS] = { .name = "operations" },
	[DRMPERF_UNIT_DWORDS] = { .name = "dwords" },
	[DRMPERF_UNIT_SECTORS] = { .name = "sectors" },
	[DRMPERF_UNIT_TAGS] = { .name = "tags" },
	[DRMPERF_UNIT_BEATS] = { .name = "beats" },
	[DRMPERF_UNIT_ENTRIES] = { .name = "entries" },
	[DRMPERF_UNIT_WAVE_CYCLES] = { .name = "wave_cycles" },
	[DRMPERF_UNIT_INSTRUCTION_CYCLES] = { .name = "instruction_cycles" },
	[DRMPERF_UNIT_REQUEST_CYCLES] = { .name = "request_cycles" },
	[DRMPERF_UNIT_ENTRY_CYCLES] = { .name = "entry_cycles" },
	[DRMPERF_UNIT_MICROJOULES] = { .name = "joules", .divisor = 1000000 },
	[DRMPERF_UNIT_RAYS] = { .name = "rays" },
	[DRMPERF_UNIT_FLAG] = { .name = "flag" },
	[DRMPERF_UNIT_LANES] = { .name = "lanes" },
	[DRMPERF_UNIT_MEGATRANSFERS_PER_SECOND] = {
		.name = "transfers_per_second",
		.factor = 1000000,
	},
	[DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE] = { .name = "rpm" },
	[DRMPERF_UNIT_MILLIAMPERES] = { .name = "amperes", .divisor = 1000 },
	[DRMPERF_UNIT_STEPS] = { .name = "steps" },
};

/* Counts stay whole as long as they can be. */
void
metric_value_format(enum drmperf_unit unit, enum drmperf_type type,
		    union drmperf_value value, char text[METRIC_VALUE_SIZE])
{
	const struct base_unit *base = &base_units[unit];
	unsigned factor = base->factor ? base->factor : 1;
	uint64_t whole;
	double number;

	if (type == DRMPERF_TYPE_UINT64 && !base->divisor &&
	    !__builtin_mul_overflow(value.u64, factor, &whole)) {
		snprintf(text, METRIC_VALUE_SIZE, "%" PRIu64, whole);
		return;
	}
	number = type == DRMPERF_TYPE_UINT64 ? (double)value.u64 : value.f64;
	number = number * factor / (base->divisor ? base->divisor : 1);
	if (isnan(number))
		snprintf(text, METRIC_VALUE_SIZE, "NaN");
	else if (isinf(number))
		snprintf(text, METRIC_VALUE_SIZE, "%cInf",
			 number > 0 ? '+' : '-');
	else
		json_format_double(number, text);
}

/* ------------------------------------------------------------------ */
/* Names                                                                */

/*
 * Endings that samples of other types have: a family may have none of them.
 * Source: OpenMetrics 1.0.0, "Suffixes".
 */
static const char *const reserved[] = {
	"_total", "_created", "_count", "_sum", "_bucket", "_info", "_gcount",
	"_gsum",
};

static bool
ends_in(const char *text, const char *ending)
{
	size_t length = strlen(text), n = strlen(ending);

	return length >= n && !strcmp(text + length - n, ending);
}

/*
 * Return whether a word begins there. Of "GPUBusy" one is at "B", of "gpuBusy",
 * too.
 */
static bool
begins_word(const char *at, const char *start)
{
	if (at == start || !isupper((unsigned char)at[0]) ||
	    !isalnum((unsigned char)at[-1]))
		return false;
	return islower((unsigned char)at[-1]) ||
	       islower((unsigned char)at[1]);
}

/* Lower case, and '_' for what is neither letter nor digit, never two. */
static size_t
put_words(const char *text, char *out, size_t size)
{
	size_t length = strlen(out);

	for (const char *at = text; *at && length + 3 < size; at++) {
		bool is_plain = isalnum((unsigned char)*at);

		if ((!is_plain || begins_word(at, text)) &&
		    out[length - 1] != '_')
			out[length++] = '_';
		if (is_plain)
			out[length++] = (char)tolower((unsigned char)*at);
	}
	while (length && out[length - 1] == '_')
		length--;
	out[length] = '\0';
	return length;
}

static bool
is_reserved(const char *family)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		if (ends_in(family, reserved[i]))
			return true;
	}
	return false;
}

/* Add the unit to the name, unless the name ends in it already. */
static void
put_unit(const char *unit, struct metric_name *out)
{
	char ending[32];
	size_t length = strlen(out->family);

	snprintf(ending, sizeof(ending), "_%s", unit);
	if (*unit && !ends_in(out->family, ending))
		snprintf(out->family + length, sizeof(out->family) - length,
			 "%s", ending);
	length = strlen(out->family);
	if (is_reserved(out->family))
		snprintf(out->family + length, sizeof(out->family) - length,
			 "_value");
}

void
metric_name_make(const char *event, enum drmperf_unit unit,
		 enum drmperf_kind kind, struct metric_name *out)
{
	snprintf(out->family, sizeof(out->family), "drmperf_");
	/* with room for unit and ending */
	put_words(event, out->family, sizeof(out->family) - 64);
	out->unit = base_units[unit].name;
	out->type = kind == DRMPERF_KIND_CUMULATIVE ? METRIC_COUNTER
		    : kind == DRMPERF_KIND_AVERAGE  ? METRIC_SUMMARY
						    : METRIC_GAUGE;
	put_unit(out->unit, out);
}
