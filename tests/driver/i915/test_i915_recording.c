/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording that i915-perf-recorder makes on a simulated GPU, decoded by our
 * library from the file alone, gives what i915-perf-reader prints: every
 * counter of the set, for every stretch of a context.
 *
 * A recording is a sequence of records as the kernel's, with types of its own
 * for what is known of the GPU (IGT tools/i915-perf).
 */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/lazy_load.h"
#include "catalog/find.h"
#include "catalog/resolve.h"
#include "driver/intel/oa/records.h"
#include "driver/intel/oa/accumulate.h"
#include "drmsim/control.h"
#include "expr/program.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/i915/table.h"
#include "tests/support/suite.h"

#define HEADER 8

enum {
	RECORD_SAMPLE = 1,
	RECORD_DEVICE_INFO = 0x10001,
	RECORD_TOPOLOGY = 0x10002,
};

struct device_info {
	uint64_t timestamp_hz;
	uint32_t device_id, revision, min_hz, max_hz;
	uint32_t engine_class, engine_instance, format;
	char set[256];
	char guid[40];
};

struct recording {
	uint8_t *data;
	size_t length;
	struct device_info info;
	uint8_t topology[I915_TOPOLOGY_MAX];
	size_t topology_length;
	struct i915_table table;
	const struct metric_set *set;
};

/* ------------------------------------------------------------------ */
/* The file                                                             */

static void
take_record(void *data, const void *record, size_t size)
{
	struct recording *recording = data;
	uint32_t type;

	memcpy(&type, record, sizeof(type));
	if (type == RECORD_DEVICE_INFO) {
		ck_assert_uint_ge(size, HEADER + sizeof(recording->info));
		memcpy(&recording->info, (const char *)record + HEADER,
		       sizeof(recording->info));
	} else if (type == RECORD_TOPOLOGY) {
		recording->topology_length = size - HEADER;
		ck_assert_uint_le(recording->topology_length,
				  sizeof(recording->topology));
		memcpy(recording->topology, (const char *)record + HEADER,
		       recording->topology_length);
	}
}

static void
read_file(struct recording *recording, const char *path)
{
	FILE *file = fopen(path, "rb");
	long length;

	ck_assert_ptr_nonnull(file);
	fseek(file, 0, SEEK_END);
	length = ftell(file);
	ck_assert_int_gt(length, 0);
	rewind(file);
	recording->length = (size_t)length;
	recording->data = malloc(recording->length);
	ck_assert_uint_eq(fread(recording->data, 1, recording->length, file),
			  recording->length);
	fclose(file);
}

static void
open_recording(struct recording *recording, const char *path)
{
	struct i915_facts facts;

	memset(recording, 0, sizeof(*recording));
	read_file(recording, path);
	oa_records_visit(recording->data, recording->length, take_record,
			 recording);
	facts = (struct i915_facts){
		.device_id = recording->info.device_id,
		.topology = recording->topology,
		.topology_length = recording->topology_length,
		.revision = (int)recording->info.revision,
		.timestamp_hz = recording->info.timestamp_hz,
		.min_hz = recording->info.min_hz,
		.max_hz = recording->info.max_hz,
	};
	i915_table_open_facts(&recording->table, &facts);
	for (size_t i = 0; i < recording->table.gpu.oa.sets.count; i++) {
		const struct metric_set *set =
			&recording->table.gpu.oa.sets.sets[i];

		if (!strcmp(set->name, recording->info.set))
			recording->set = set;
	}
	ck_assert_ptr_nonnull(recording->set);
	ck_assert_uint_eq(recording->set->format->number,
			  recording->info.format);
}

static void
close_recording(struct recording *recording)
{
	i915_table_close(&recording->table);
	free(recording->data);
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

struct span {
	struct oa_accumulator accumulator;
	uint32_t begin, end; /* timestamps of the first and last report */
	size_t reports;
};

static void
take_sample(void *data, const void *record, size_t size)
{
	struct span *span = data;
	const uint8_t *report = (const uint8_t *)record + HEADER;
	uint32_t type, time;

	memcpy(&type, record, sizeof(type));
	if (type != RECORD_SAMPLE)
		return;
	ck_assert_uint_eq(size, HEADER + span->accumulator.format->size);
	time = (uint32_t)oa_format_time(span->accumulator.format, report);
	if (oa_time_distance(time, span->begin) < 0 ||
	    oa_time_distance(time, span->end) > 0)
		return;
	oa_accumulator_add(&span->accumulator, report, size, 1);
	span->reports++;
}

static union drmperf_value
evaluate_counter(const struct recording *recording, const char *counter,
		 const uint64_t sums[OA_SLOT_COUNT], bool *is_double)
{
	struct drmperf_error error = { .cause = "" };
	struct expr_input inputs[OA_SLOT_COUNT];
	const struct drmperf_event *event;
	const struct catalog_value *value;
	char name[512];

	snprintf(name, sizeof(name), "%s.%s", recording->set->name, counter);
	ck_assert_msg(!catalog_find(recording->table.catalog, name,
				    strlen(name), &event, &error),
		      "%s", error.cause);
	ck_assert_int_eq(catalog_resolve(event, &value, &error), 0);
	for (size_t i = 0; i < value->counter_count; i++)
		inputs[i] =
			(struct expr_input){ &sums[value->counters[i].selector],
					     1 };
	*is_double = catalog_event_record(event)->type == DRMPERF_TYPE_DOUBLE;
	return expr_eval(value->program, inputs);
}

/* Print it as they do. */
static bool
is_printed(double ours, double theirs)
{
	return fabs(ours - theirs) <= 5.1e-7;
}

/*
 * Return whether a fraction was dropped. The reader drops the fraction of an
 * event in a share of all EUs' clocks; what is left of 100 % lacks two shares.
 */
static bool
has_dropped_fraction(const char *counter, double ours, double theirs,
		     double clocks)
{
	const double events = ours * clocks / 100;

	if (!strcmp(counter, "EuIdle"))
		return theirs > ours &&
		       theirs - ours < 2 * 100 / clocks + 5.1e-7;
	return is_printed(floor(events + 1e-6) / clocks * 100, theirs);
}

static void
compare_counter(const struct recording *recording, const struct span *span,
		const char *counter, const char *printed)
{
	bool is_double;
	const union drmperf_value clocks = evaluate_counter(
		recording, "GpuCoreClocks", span->accumulator.sums, &is_double);
	union drmperf_value ours = evaluate_counter(
		recording, counter, span->accumulator.sums, &is_double);
	double theirs = strtod(printed, NULL);

	/* the reader has 0 where it would divide by 0 */
	if (is_double && isnan(ours.f64))
		ours.f64 = 0;
	if (is_double)
		ck_assert_msg(is_printed(ours.f64, theirs) ||
				      has_dropped_fraction(
					      counter, ours.f64, theirs,
					      (double)clocks.u64),
			      "%s: %f, not %s", counter, ours.f64, printed);
	else
		ck_assert_msg(ours.u64 == strtoull(printed, NULL, 10),
			      "%s: %llu, not %s", counter,
			      (unsigned long long)ours.u64, printed);
}

static size_t
listed_counters(const struct recording *recording)
{
	const struct catalog_list *list =
		catalog_list(recording->table.catalog);
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct description_event *record =
			catalog_event_record(list->events[i]);

		count += record->group == recording->set->group &&
			 strcmp(record->name, "ReportAge");
	}
	return count;
}

/* ------------------------------------------------------------------ */
/* What the reader prints                                               */

static void
begin_span(const struct recording *recording, struct span *span,
	   const char *line)
{
	unsigned long long begin, end;

	ck_assert_int_eq(
		sscanf(strstr(line, "GPU="), "GPU=%llx-%llx", &begin, &end), 2);
	span->begin = (uint32_t)begin;
	span->end = (uint32_t)end;
	span->reports = 0;
	oa_accumulator_init(&span->accumulator, recording->set->format,
			    OA_SCAN_BEST);
	oa_records_visit(recording->data, recording->length, take_sample, span);
	ck_assert_uint_ge(span->reports, 2);
}

/*
 * Compare the output: a line "Time: CPU=... GPU=0xa-0xb" for each stretch, a
 * line of the context, and a line "   COUNTER: VALUE" for each counter.
 */
static void
compare_output(const struct recording *recording, FILE *output, size_t *spans,
	       size_t *values)
{
	struct span span = { 0 };
	char line[512], counter[256], value[64];

	while (fgets(line, sizeof(line), output)) {
		if (!strncmp(line, "Time: ", 6)) {
			begin_span(recording, &span, line);
			++*spans;
		} else if (isspace((unsigned char)line[0]) &&
			   sscanf(line, " %255[^:]: %63s", counter, value) ==
				   2) {
			ck_assert_uint_gt(*spans, 0);
			compare_counter(recording, &span, counter, value);
			++*values;
		}
	}
}

/* At least so much: 40 stretches of the contexts, at a report a millisecond. */
#define RECORDING_BYTES "200000"

/* Run a shell command, which may use the functions of tests/peers/lib.sh. */
static void __attribute__((format(printf, 1, 2))) run(const char *format, ...)
{
	char command[512] = ". tests/peers/lib.sh; ";
	size_t used = strlen(command);
	va_list list;

	va_start(list, format);
	vsnprintf(command + used, sizeof(command) - used, format, list);
	va_end(list);
	ck_assert_msg(system(command) == 0, "%s", command);
}

static void
compare_with_reader(const char *folder, const char *set)
{
	char path[64], command[128];
	struct recording recording;
	size_t spans = 0, values = 0;
	FILE *output;

	snprintf(path, sizeof(path), "%s/recording", folder);
	open_recording(&recording, path);
	ck_assert_str_eq(recording.info.set, set);
	snprintf(command, sizeof(command), "i915-perf-reader -c all %s", path);
	output = popen(command, "r");
	ck_assert_ptr_nonnull(output);
	compare_output(&recording, output, &spans, &values);
	ck_assert_int_eq(pclose(output), 0);
	/* Haswell's reports do not tell who ran. */
	if (recording.table.gpu.oa.platform.generation != OA_GEN7)
		ck_assert_uint_ge(spans, 40);
	ck_assert_uint_ge(spans, 1);
	ck_assert_uint_eq(values, spans * listed_counters(&recording));
	close_recording(&recording);
}

TEST_CASE(all, NULL, NULL, "i915_recording");

TEST_LOOP(all, reader_and_library_agree, 2)
{
	static const char *const sets[] = { "RenderBasic", "ComputeBasic" };
	char folder[] = "/tmp/drmperf-recording-XXXXXX";

	ck_assert_int_eq(drmsim_set("contexts", "0x21:20ms,0x22:10ms,idle:5ms"),
			 0);
	ck_assert_ptr_nonnull(mkdtemp(folder));
	run("record %s " RECORDING_BYTES " -m %s -c 0.2", folder, sets[_i]);
	compare_with_reader(folder, sets[_i]);
	run("rm -r %s", folder);
}

/* ------------------------------------------------------------------ */

TEST_MACHINE("i915_recording", "--gpu", "skl");
TEST_MACHINE("i915_recording", "--gpu", "tgl");
TEST_MACHINE("i915_recording", "--gpu", "adl");
TEST_MACHINE("i915_recording", "--gpu", "hsw");

int
main(void)
{
	if (system("i915-perf-recorder --help > /dev/null 2>&1") >> 8 == 127) {
		puts("skip i915_recording: intel-gpu-tools is not installed");
		return EXIT_SUCCESS;
	}
	if (!drmsim_is_present())
		return below_drmsim_all();
	return tests_run();
}
