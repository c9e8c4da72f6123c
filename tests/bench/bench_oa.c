/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hot paths of Intel counters, beside libi915_perf (intel-gpu-tools) in
 * the same run: summing a million reports, evaluating a metric set, and
 * listing the events of each platform.
 *
 * Ends with an error if a goal is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "catalog/resolve.h"
#include "driver/oa/accumulate.h"
#include "expr/batch.h"
#include "i915_peer.h"
#include "i915_table.h"

#define REPORTS ((size_t)1000000)
#define REPORT 256
#define HEADER 8
#define RUNS 7
#define EVALUATIONS 20000

static unsigned missed;

/* The processor's time: what else runs on the machine is left out. */
static double
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void
keep_best(double *best, double ms)
{
	if (ms < *best)
		*best = ms;
}

static void
tell(const char *what, double ms, const char *note)
{
	printf("%-44s %9.3f ms%s%s\n", what, ms, *note ? "  " : "", note);
}

static void
hold(const char *goal, bool met)
{
	printf("%-44s %s\n", goal, met ? "yes" : "NO");
	missed += !met;
}

/* How often the one goes into the other: at least, or at most. */
static void
hold_ratio(const char *goal, double ratio, bool met)
{
	printf("%-44s %9.2f times: %s\n", goal, ratio, met ? "yes" : "NO");
	missed += !met;
}

/* ------------------------------------------------------------------ */
/* Sums                                                                 */

/* Records of a GPU at work: counters that go on evenly, at their own pace. */
static uint8_t *
make_records(void)
{
	uint8_t *records = calloc(REPORTS, HEADER + REPORT);
	const uint32_t header[2] = { 1, (HEADER + REPORT) << 16 };

	for (size_t n = 0; records && n < REPORTS; n++) {
		uint8_t *record = records + n * (HEADER + REPORT);
		uint8_t *report = record + HEADER;

		memcpy(record, header, HEADER);
		for (unsigned i = 0; i < REPORT / 4; i++) {
			uint64_t value = n * (977 * i + 13) * 3;

			memcpy(report + 4 * i, &value, 4);
			if (i >= OA_HIGH_WORD &&
			    i < OA_HIGH_WORD + OA_HIGH_COUNT)
				report[OA_HIGH_BYTE + i - OA_HIGH_WORD] =
					(uint8_t)(value >> 32);
		}
		memset(report, 1, 4);
	}
	return records;
}

/* Only the reports, one behind the other. */
static uint8_t *
cut_headers(const uint8_t *records)
{
	uint8_t *reports = malloc(REPORTS * REPORT);

	for (size_t n = 0; reports && n < REPORTS; n++)
		memcpy(reports + n * REPORT,
		       records + n * (HEADER + REPORT) + HEADER, REPORT);
	return reports;
}

/*
 * Merely read the memory, by turns in so many parts; a sum of it keeps the
 * compiler from skipping it.
 */
static double
time_reading(const uint8_t *reports, size_t parts)
{
	typedef uint64_t lanes __attribute__((vector_size(64), may_alias));
	const size_t size = REPORTS / parts * REPORT;
	lanes sum[4] = { 0 };
	volatile uint64_t sink;
	double begin = now_ms();

	for (size_t at = 0; at < size * parts; at += REPORT) {
		const size_t turn = at / REPORT;
		const uint8_t *report =
			reports + turn % parts * size + turn / parts * REPORT;

		for (unsigned i = 0; i < 4; i++) {
			lanes part;

			memcpy(&part, report + 64 * i, sizeof(part));
			sum[i] += part;
		}
	}
	sum[0] += sum[1] + sum[2] + sum[3];
	sink = sum[0][0] + sum[0][7];
	(void)sink;
	return now_ms() - begin;
}

static double
time_scan(const uint8_t *reports, enum oa_scan scan,
	  uint64_t sums[OA_SLOT_COUNT])
{
	struct oa_accumulator accumulator;
	double begin;

	oa_accumulator_init(&accumulator, oa_format_find(10, OA_GEN9), scan);
	begin = now_ms();
	oa_accumulator_add(&accumulator, reports, REPORT, REPORTS);
	begin = now_ms() - begin;
	memcpy(sums, accumulator.sums, sizeof(accumulator.sums));
	return begin;
}

/* The library's function tells what passed between two records. */
static double
time_peer(const struct peer *peer, const struct peer_set *set,
	  const uint8_t *records)
{
	const size_t record = HEADER + REPORT;
	uint64_t deltas[PEER_DELTAS];
	double begin = now_ms();

	for (size_t n = 1; peer && n < REPORTS; n++)
		peer_accumulate(deltas, peer, set, records + (n - 1) * record,
				records + n * record);
	return now_ms() - begin;
}

/* The sums of what it tells; making them is not in the time above. */
static void
sum_peer(const struct peer *peer, const struct peer_set *set,
	 const uint8_t *records, uint64_t sums[PEER_DELTAS])
{
	const size_t record = HEADER + REPORT;
	uint64_t deltas[PEER_DELTAS] = { 0 };

	memset(sums, 0, PEER_DELTAS * sizeof(sums[0]));
	for (size_t n = 1; n < REPORTS; n++) {
		peer_accumulate(deltas, peer, set, records + (n - 1) * record,
				records + n * record);
		for (unsigned i = 0; i < PEER_DELTAS; i++)
			sums[i] += deltas[i];
	}
}

static void
bench_sums(const struct peer *peer, const struct peer_set *set)
{
	uint64_t plain[OA_SLOT_COUNT], best[OA_SLOT_COUNT];
	uint64_t sums[PEER_DELTAS], expected[PEER_DELTAS];
	uint8_t *records = make_records();
	uint8_t *reports = records ? cut_headers(records) : NULL;
	double reading = 1e9, in_parts = 1e9, with_plain = 1e9, with_best = 1e9,
	       with_peer = 1e9, least;

	if (!reports) {
		puts("no memory");
		exit(EXIT_FAILURE);
	}
	puts("a million reports of 256 bytes:");
	for (unsigned run = 0; run < RUNS; run++) {
		keep_best(&reading, time_reading(reports, 1));
		keep_best(&in_parts, time_reading(reports, 8));
		keep_best(&with_plain,
			  time_scan(reports, OA_SCAN_PLAIN, plain));
		keep_best(&with_best, time_scan(reports, OA_SCAN_BEST, best));
		keep_best(&with_peer, time_peer(peer, set, records));
	}
	least = reading < in_parts ? reading : in_parts;
	tell("  merely reading them", reading, "");
	tell("  merely reading them, in 8 places by turns", in_parts, "");
	tell("  sums, plain C", with_plain, "");
	tell("  sums, best", with_best, "");
	hold("  same sums", !memcmp(plain, best, sizeof(plain)));
	hold_ratio("  best takes at most 1.5 times of reading",
		   with_best / least, with_best <= 1.5 * least);
	if (peer) {
		sum_peer(peer, set, records, sums);
		peer_deltas(set, best, expected);
		tell("  sums, libi915_perf", with_peer, "");
		hold("  same sums as libi915_perf",
		     !memcmp(sums, expected, sizeof(expected)));
		hold_ratio("  best at least 6 times as fast",
			   with_peer / with_best, 6 * with_best <= with_peer);
		hold_ratio("  plain C at least 3 times as fast",
			   with_peer / with_plain, 3 * with_plain <= with_peer);
	}
	free(reports);
	free(records);
}

/* ------------------------------------------------------------------ */
/* Equations                                                            */

#define MOST_COUNTERS 128

/* The counters of a set as a session has them: one program for all. */
struct evaluation {
	struct expr_batch_entry entries[MOST_COUNTERS];
	struct expr_input inputs[MOST_COUNTERS][OA_SLOT_COUNT];
	size_t count;
};

static void
prepare(const struct i915_table *table, const char *set,
	const uint64_t values[OA_SLOT_COUNT], struct evaluation *evaluation)
{
	const struct catalog_list *list = catalog_list(table->catalog);
	const struct catalog_value *value;
	struct drmperf_error error;
	size_t n = 0;

	for (size_t i = 0; list && i < list->count; i++) {
		const struct drmperf_event *event = list->events[i];

		if (strcmp(catalog_group_record(event->group)->name, set) ||
		    !strcmp(catalog_event_record(event)->name, "ReportAge"))
			continue;
		if (catalog_resolve(event, &value, &error)) {
			puts(error.cause);
			exit(EXIT_FAILURE);
		}
		for (size_t k = 0; k < value->counter_count; k++)
			evaluation->inputs[n][k] = (struct expr_input){
				&values[value->counters[k].selector], 1
			};
		evaluation->entries[n] = (struct expr_batch_entry){
			.program = value->program,
			.inputs = evaluation->inputs[n],
		};
		n++;
	}
	evaluation->count = n;
}

/* As a session reads: all counters in one evaluation. */
static double
time_ours(struct expr_batch *batch)
{
	union drmperf_value results[MOST_COUNTERS];
	volatile double sink = 0;
	double begin = now_ms();

	for (unsigned n = 0; n < EVALUATIONS; n++) {
		expr_batch_eval(batch, results);
		sink += results[n % 2].f64;
	}
	return (now_ms() - begin) / EVALUATIONS;
}

static double
time_theirs(const struct peer *peer, const struct peer_set *set,
	    uint64_t *deltas)
{
	volatile double sink = 0;
	double begin = now_ms();

	for (unsigned n = 0; n < EVALUATIONS; n++) {
		for (int i = 0; i < set->counter_count; i++) {
			const struct peer_counter *counter = &set->counters[i];

			if (counter->storage == PEER_UINT64)
				sink += (double)counter->read.u64(peer, set,
								  deltas);
			else
				sink += counter->read.f64(peer, set, deltas);
		}
	}
	return (now_ms() - begin) / EVALUATIONS;
}

static void
bench_equations(const struct i915_table *table, const struct peer *peer,
		const struct peer_set *set)
{
	static struct evaluation evaluation;
	uint64_t values[OA_SLOT_COUNT], deltas[PEER_DELTAS];
	struct expr_batch *batch;
	double ours = 1e9, theirs = 1e9;

	for (unsigned i = 0; i < OA_SLOT_COUNT; i++)
		values[i] = 1000003 * (i + 1);
	prepare(table, "RenderBasic", values, &evaluation);
	if (expr_batch_create(evaluation.entries, evaluation.count, &batch)) {
		puts("no memory");
		exit(EXIT_FAILURE);
	}
	if (peer)
		peer_deltas(set, values, deltas);
	for (unsigned run = 0; run < RUNS; run++) {
		keep_best(&ours, time_ours(batch));
		if (peer)
			keep_best(&theirs, time_theirs(peer, set, deltas));
	}
	expr_batch_destroy(batch);
	printf("the %zu counters of RenderBasic, once:\n", evaluation.count);
	printf("%-44s %9.0f ns\n", "  our expressions", ours * 1e6);
	if (!peer)
		return;
	printf("%-44s %9.0f ns\n", "  libi915_perf's functions", theirs * 1e6);
	hold_ratio("  at least as fast", theirs / ours, ours <= theirs);
}

/* ------------------------------------------------------------------ */
/* Lists                                                                */

static double
time_list(const struct i915_shape *shape, char *note, size_t size)
{
	struct i915_table table;
	double best = 1e9, begin;

	for (unsigned run = 0; run < RUNS; run++) {
		const struct catalog_list *list;

		begin = now_ms();
		i915_table_open(&table, shape, 4);
		keep_best(&best, now_ms() - begin);
		list = catalog_list(table.catalog);
		if (!list)
			exit(EXIT_FAILURE);
		snprintf(note, size, "%zu sets, %zu events",
			 table.gpu.sets.count, list->count);
		i915_table_close(&table);
	}
	return best;
}

/* From a file on disk to a catalog that finds every name. */
static void
bench_lists(void)
{
	double worst = 0, largest = 0;

	puts("listing the events of a GPU:");
	for (size_t i = 0; i < i915_shape_count; i++) {
		char what[64], note[64];
		double ms = time_list(&i915_shapes[i], note, sizeof(note));

		snprintf(what, sizeof(what), "  %s", i915_shapes[i].platform);
		tell(what, ms, note);
		if (ms > largest)
			largest = ms;
		/* not the discrete ones, and their successors */
		if (i915_shapes[i].eus * i915_shapes[i].subslices < 128 &&
		    strncmp(i915_shapes[i].platform, "mtl", 3) &&
		    strncmp(i915_shapes[i].platform, "arl", 3) && ms > worst)
			worst = ms;
	}
	hold("  usual ones within 1 ms", worst <= 1);
	hold("  largest within 5 ms", largest <= 5);
}

int
main(void)
{
	const struct i915_shape *shape = &i915_shapes[3]; /* sklgt2 */
	const struct peer_set *set = NULL;
	struct i915_table table;
	struct peer *peer;

	i915_table_open(&table, shape, 4);
	peer = peer_open_shape(shape, &table.gpu);
	if (peer)
		set = peer_set_find(peer, "RenderBasic");
	else
		puts("skip libi915_perf: intel-gpu-tools is not installed");
	bench_sums(peer, set);
	bench_equations(&table, peer, set);
	bench_lists();
	peer_close(peer);
	i915_table_close(&table);
	return missed ? EXIT_FAILURE : EXIT_SUCCESS;
}
