/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events as Prometheus names them: cases, the rules for all names, and values
 * in base units. What is listed of every GPU is named, too.
 */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf/serve/metric_names.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define SUM DRMPERF_KIND_CUMULATIVE
#define NOW DRMPERF_KIND_MOMENTARY
#define MEAN DRMPERF_KIND_AVERAGE

static const struct {
	const char *event;
	enum drmperf_unit unit;
	enum drmperf_kind kind;
	const char *family;
	enum metric_type type;
} names[] = {
	{ "amdgpu::SQ.INSTS_VALU", DRMPERF_UNIT_INSTRUCTIONS, SUM,
	  "drmperf_amdgpu_sq_insts_valu_instructions", METRIC_COUNTER },
	/* the unit is said once */
	{ "amdgpu::SQ.WAVES", DRMPERF_UNIT_WAVES, SUM,
	  "drmperf_amdgpu_sq_waves", METRIC_COUNTER },
	/* words of mixed letters */
	{ "amdgpu::metric.GPUBusy", DRMPERF_UNIT_PERCENT, MEAN,
	  "drmperf_amdgpu_metric_gpu_busy_ratio", METRIC_SUMMARY },
	{ "amdgpu::metric.L2CacheHit", DRMPERF_UNIT_PERCENT, MEAN,
	  "drmperf_amdgpu_metric_l2_cache_hit_ratio", METRIC_SUMMARY },
	{ "i915::RenderBasic.Gpu3DBusy", DRMPERF_UNIT_RATIO, MEAN,
	  "drmperf_i915_render_basic_gpu3d_busy_ratio", METRIC_SUMMARY },
	{ "i915::oa.AvgGpuCoreFrequency", DRMPERF_UNIT_HERTZ, MEAN,
	  "drmperf_i915_oa_avg_gpu_core_frequency_hertz", METRIC_SUMMARY },
	{ "i915::RenderBasic.A7", DRMPERF_UNIT_NONE, SUM,
	  "drmperf_i915_render_basic_a7", METRIC_COUNTER },
	/* what is no letter */
	{ "i915::pmu.rcs0-busy", DRMPERF_UNIT_NANOSECONDS, SUM,
	  "drmperf_i915_pmu_rcs0_busy_seconds", METRIC_COUNTER },
	{ "perf::TASK-CLOCK:u", DRMPERF_UNIT_NANOSECONDS, SUM,
	  "drmperf_perf_task_clock_u_seconds", METRIC_COUNTER },
	{ "amdgpu::X.A__B-", DRMPERF_UNIT_EVENTS, SUM,
	  "drmperf_amdgpu_x_a_b_events", METRIC_COUNTER },
	/* endings that mean something else */
	{ "amdgpu::GRBM.COUNT", DRMPERF_UNIT_CYCLES, SUM,
	  "drmperf_amdgpu_grbm_count_cycles", METRIC_COUNTER },
	{ "amdgpu::X.COUNT", DRMPERF_UNIT_NONE, NOW,
	  "drmperf_amdgpu_x_count_value", METRIC_GAUGE },
	{ "amdgpu::X.TOTAL", DRMPERF_UNIT_NONE, SUM,
	  "drmperf_amdgpu_x_total_value", METRIC_COUNTER },
};

TEST_CASE(metric_names, NULL, NULL, "metric_names");

TEST_LOOP(metric_names, names_of_events, ARRAY_SIZE(names))
{
	struct metric_name name;

	metric_name_make(names[_i].event, names[_i].unit, names[_i].kind,
			 &name);
	ck_assert_str_eq(name.family, names[_i].family);
	ck_assert_int_eq(name.type, names[_i].type);
}

TEST(metric_names, long_names_are_cut)
{
	char event[2 * METRIC_NAME_SIZE];
	struct metric_name name;
	size_t length;

	memset(event, 'x', sizeof(event) - 1);
	event[sizeof(event) - 1] = '\0';
	metric_name_make(event, DRMPERF_UNIT_BYTES_PER_SECOND, MEAN, &name);
	length = strlen(name.family);
	ck_assert_uint_lt(length, METRIC_NAME_SIZE);
	ck_assert_str_eq(name.family + length - 17, "_bytes_per_second");
}

#define U64(value) { .u64 = (value) }
#define F64(value) { .f64 = (value) }

static const struct {
	enum drmperf_unit unit;
	enum drmperf_type type;
	union drmperf_value value;
	const char *text;
} values[] = {
	{ DRMPERF_UNIT_CYCLES, DRMPERF_TYPE_UINT64, U64(UINT64_MAX),
	  "18446744073709551615" },
	{ DRMPERF_UNIT_KIBIBYTES, DRMPERF_TYPE_UINT64, U64(3), "3072" },
	/* too large to be whole */
	{ DRMPERF_UNIT_KIBIBYTES, DRMPERF_TYPE_UINT64, U64(1ULL << 60),
	  "1.1805916207174113e+21" },
	{ DRMPERF_UNIT_KIBIBYTES, DRMPERF_TYPE_DOUBLE, F64(0.5), "512" },
	{ DRMPERF_UNIT_MEGAHERTZ, DRMPERF_TYPE_UINT64, U64(1138),
	  "1138000000" },
	{ DRMPERF_UNIT_NANOSECONDS, DRMPERF_TYPE_UINT64, U64(1500000000),
	  "1.5" },
	{ DRMPERF_UNIT_MICROSECONDS, DRMPERF_TYPE_UINT64, U64(250),
	  "0.00025" },
	{ DRMPERF_UNIT_PERCENT, DRMPERF_TYPE_DOUBLE, F64(38.2), "0.382" },
	{ DRMPERF_UNIT_PERCENT, DRMPERF_TYPE_UINT64, U64(37), "0.37" },
	{ DRMPERF_UNIT_MILLIDEGREES_CELSIUS, DRMPERF_TYPE_DOUBLE,
	  F64(-5500), "-5.5" },
	{ DRMPERF_UNIT_MILLIVOLTS, DRMPERF_TYPE_UINT64, U64(850), "0.85" },
	{ DRMPERF_UNIT_MILLIWATTS, DRMPERF_TYPE_UINT64, U64(57000), "57" },
	{ DRMPERF_UNIT_RATIO, DRMPERF_TYPE_DOUBLE, F64(NAN), "NaN" },
	{ DRMPERF_UNIT_RATIO, DRMPERF_TYPE_DOUBLE, F64(INFINITY), "+Inf" },
	{ DRMPERF_UNIT_RATIO, DRMPERF_TYPE_DOUBLE, F64(-INFINITY), "-Inf" },
};

TEST_LOOP(metric_names, values_in_base_units, ARRAY_SIZE(values))
{
	char text[METRIC_VALUE_SIZE];

	metric_value_format(values[_i].unit, values[_i].type, values[_i].value,
			    text);
	ck_assert_str_eq(text, values[_i].text);
}

/* ------------------------------------------------------------------ */
/* Every GPU                                                            */

#define EVENTS_MOST 40000

/* What is named, of one GPU. */
static struct metric_name *named;
static char (*events)[256];
static size_t named_count;

static bool
ends_in(const char *text, const char *ending)
{
	size_t length = strlen(text), n = strlen(ending);

	return length > n && !strcmp(text + length - n, ending) &&
	       text[length - n - 1] == '_';
}

static enum drmperf_unit
unit_of(const char *name)
{
	unsigned unit = 0;

	while (unit < DRMPERF_UNIT_COUNT &&
	       strcmp(drmperf_unit_name((enum drmperf_unit)unit), name))
		unit++;
	if (unit == DRMPERF_UNIT_COUNT)
		ck_abort_msg("no unit %s", name);
	return (enum drmperf_unit)unit;
}

static bool
is_legal(const char *family)
{
	if (strncmp(family, "drmperf_", 8))
		return false;
	for (const char *at = family; *at; at++) {
		if (!islower((unsigned char)*at) &&
		    !isdigit((unsigned char)*at) &&
		    (*at != '_' || at[1] == '_' || !at[1]))
			return false;
	}
	return true;
}

/*
 * Check the rules. libcheck writes down each assertion, and there are many
 * names.
 */
static void
check_rules(const struct metric_name *name)
{
	if (!is_legal(name->family) ||
	    (*name->unit && !ends_in(name->family, name->unit)) ||
	    ends_in(name->family, "total") || ends_in(name->family, "count") ||
	    ends_in(name->family, "info"))
		ck_abort_msg("%s", name->family);
}

/* Parse "NAME:device=0<TAB>UNIT<TAB>..." */
static void
name_line(char *line)
{
	struct metric_name *name = &named[named_count];
	char *unit = strchr(line, '\t') + 1;
	char *device = strstr(line, ":device=");

	if (named_count >= EVENTS_MOST || !device)
		ck_abort_msg("%s", line);
	*device = '\0';
	unit[strcspn(unit, "\t\n")] = '\0';
	snprintf(events[named_count], sizeof(events[0]), "%s", line);
	metric_name_make(line, unit_of(unit), SUM, name);
	check_rules(name);
	named_count++;
}

static int
compare_texts(const void *a, const void *b)
{
	const struct metric_name *of_a = &named[*(const size_t *)a];
	const struct metric_name *of_b = &named[*(const size_t *)b];

	return strcmp(of_a->family, of_b->family);
}

/*
 * Return whether "XveActive" and "XVE_ACTIVE" differ in spelling only: such
 * names are all that become one.
 */
static bool
differ_in_spelling(const char *a, const char *b)
{
	for (;;) {
		a += *a == '_';
		b += *b == '_';
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (!*a)
			return true;
		a++;
		b++;
	}
}

static void
check_that_all_differ(const char *gpu)
{
	size_t *order = calloc(named_count, sizeof(*order));

	ck_assert_ptr_nonnull(order);
	for (size_t i = 0; i < named_count; i++)
		order[i] = i;
	qsort(order, named_count, sizeof(*order), compare_texts);
	for (size_t i = 1; i < named_count; i++) {
		const char *a = events[order[i - 1]], *b = events[order[i]];

		if (!compare_texts(&order[i - 1], &order[i]) &&
		    !differ_in_spelling(a, b))
			ck_abort_msg("%s: %s and %s", gpu, a, b);
	}
	free(order);
}

static FILE *
run_tool(const char *arguments)
{
	const char *build = getenv("BUILD_DIR");
	char command[1024];
	FILE *out;

	if (!build)
		build = "build";
	snprintf(command, sizeof(command), "B=%s; %s 2>/dev/null", build,
		 arguments);
	out = popen(command, "r");
	ck_assert_ptr_nonnull(out);
	return out;
}

static void
check_gpu(const char *gpu)
{
	char arguments[512], *line = NULL;
	size_t size = 0;
	FILE *list;

	snprintf(arguments, sizeof(arguments),
		 "env -u LD_PRELOAD ${B%%/asan}/bin/drmsim --gpu %s -- "
		 "${B%%/asan}/bin/drmperf list -a",
		 gpu);
	list = run_tool(arguments);
	named_count = 0;
	while (getline(&line, &size, list) > 0)
		name_line(line);
	free(line);
	pclose(list);
	ck_assert_msg(named_count, "%s has no events", gpu);
	check_that_all_differ(gpu);
}

TEST(metric_names, names_of_every_gpu)
{
	FILE *list = run_tool("${B%/asan}/bin/drmsim --list");
	char gpu[64];
	size_t count = 0;

	named = calloc(EVENTS_MOST, sizeof(*named));
	events = calloc(EVENTS_MOST, sizeof(*events));
	ck_assert(named && events);
	while (fscanf(list, "%63s", gpu) == 1) {
		check_gpu(gpu);
		count++;
	}
	pclose(list);
	ck_assert_uint_gt(count, 10);
	free(named);
	free(events);
}
