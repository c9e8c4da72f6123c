/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hot paths of Intel counters, beside libi915_perf (intel-gpu-tools) in
 * the same run: summing a million reports, evaluating a metric set, and
 * listing the events of each platform.
 *
 *	bench_oa		all of them, by turns; medians
 *	bench_oa ours|theirs	evaluates the set once, for callgrind to count
 *				evaluate_ours() or evaluate_theirs()
 *	bench_oa drained	takes in 1000 records, for callgrind to count
 *				drain_all()
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/lazy_load.h"
#include "catalog/resolve.h"
#include "driver/intel/oa/records.h"
#include "driver/intel/oa/accumulate.h"
#include "driver/intel/oa/reports.h"
#include "expr/batch.h"
#include "tests/bench/row.h"
#include "tests/driver/i915/peer.h"
#include "tests/driver/i915/table.h"

#define REPORT 256
#define HEADER 8

/* What a stream's thread reads at most at a time. */
#define READ ((size_t)128 << 10)

/* dev.i915.oa_max_sample_rate as kernels come: no stream may be faster. */
#define FASTEST_KHZ 100

#define RUNS_MAX 11

static size_t reports_count = 1000000;
static unsigned runs = RUNS_MAX, evaluations = 20000;

/* How long one thing took, each time. */
struct times {
	double ms[RUNS_MAX];
	unsigned count;
};

static void
add_time(struct times *times, double ms)
{
	times->ms[times->count++] = ms;
}

static double
median_ms(struct times *times)
{
	return bench_median(times->ms, times->count);
}

static void
print_row(const char *what, double ms, const char *note)
{
	printf("%-44s %9.3f ms%s%s\n", what, ms, *note ? "  " : "", note);
}

static void
give_up(const char *why)
{
	printf("bench_oa: %s\n", why);
	exit(EXIT_FAILURE);
}

/* ------------------------------------------------------------------ */
/* Sums                                                                 */

/* Records of a GPU at work: counters that go on evenly, at their own pace. */
static uint8_t *
make_records(void)
{
	uint8_t *records = calloc(reports_count, HEADER + REPORT);
	const uint32_t header[2] = { 1, (HEADER + REPORT) << 16 };

	for (size_t n = 0; records && n < reports_count; n++) {
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

/* Keep only the reports, one behind the other. */
static uint8_t *
cut_headers(const uint8_t *records)
{
	uint8_t *reports = malloc(reports_count * REPORT);

	for (size_t n = 0; reports && n < reports_count; n++)
		memcpy(reports + n * REPORT,
		       records + n * (HEADER + REPORT) + HEADER, REPORT);
	return reports;
}

/*
 * Merely read the memory, by turns in that many parts; a sum of it keeps the
 * compiler from skipping it.
 */
static double
time_reading(const uint8_t *reports, size_t parts)
{
	typedef uint64_t lanes __attribute__((vector_size(64), may_alias));
	const size_t size = reports_count / parts * REPORT;
	lanes sum[4] = { 0 };
	volatile uint64_t sink;
	double begin = bench_cpu_ms();

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
	return bench_cpu_ms() - begin;
}

static double
time_scan(const uint8_t *reports, enum oa_scan scan,
	  uint64_t sums[OA_SLOT_COUNT])
{
	struct oa_accumulator accumulator;
	double begin;

	oa_accumulator_init(&accumulator, oa_format_find(10, OA_GEN9), scan);
	begin = bench_cpu_ms();
	oa_accumulator_add(&accumulator, reports, REPORT, reports_count);
	begin = bench_cpu_ms() - begin;
	memcpy(sums, accumulator.sums, sizeof(accumulator.sums));
	return begin;
}

/*
 * Do what the thread does that drains a stream, but for the kernel's share: the
 * records of each read are taken in.
 */
static __attribute__((noinline)) void
drain_all(struct oa_reports *reports, const uint8_t *records)
{
	const size_t end = reports_count * (HEADER + REPORT);
	const size_t most = READ / (HEADER + REPORT) * (HEADER + REPORT);
	size_t length;

	for (size_t at = 0; at < end; at += length) {
		length = end - at < most ? end - at : most;
		oa_records_take(reports, records + at, length);
	}
}

static double
time_draining(const uint8_t *records)
{
	struct oa_reports reports;
	double begin;

	oa_reports_init(&reports, oa_format_find(10, OA_GEN9), UINT32_MAX);
	begin = bench_cpu_ms();
	drain_all(&reports, records);
	begin = bench_cpu_ms() - begin;
	if (reports.count != reports_count || reports.loss)
		give_up("not all reports are taken in");
	return begin;
}

/*
 * Measure what the library's function takes to find what passed between two
 * records.
 */
static double
time_peer(const struct peer *peer, const struct peer_set *set,
	  const uint8_t *records)
{
	const size_t record = HEADER + REPORT;
	uint64_t deltas[PEER_DELTAS];
	double begin = bench_cpu_ms();

	for (size_t n = 1; peer && n < reports_count; n++)
		peer_accumulate(deltas, peer, set, records + (n - 1) * record,
				records + n * record);
	return bench_cpu_ms() - begin;
}

/* Sum what it returns; making the sums is not in the time above. */
static void
sum_peer(const struct peer *peer, const struct peer_set *set,
	 const uint8_t *records, uint64_t sums[PEER_DELTAS])
{
	const size_t record = HEADER + REPORT;
	uint64_t deltas[PEER_DELTAS] = { 0 };

	memset(sums, 0, PEER_DELTAS * sizeof(sums[0]));
	for (size_t n = 1; n < reports_count; n++) {
		peer_accumulate(deltas, peer, set, records + (n - 1) * record,
				records + n * record);
		for (unsigned i = 0; i < PEER_DELTAS; i++)
			sums[i] += deltas[i];
	}
}

/* What the ways to sum reports take. */
struct sum_times {
	struct times reading, in_parts, plain, best, draining, peer;
};

static void
tell_sums(struct sum_times *times, bool has_peer)
{
	double reading = median_ms(&times->reading);
	double in_parts = median_ms(&times->in_parts);
	double plain = median_ms(&times->plain), best = median_ms(&times->best);
	double draining = median_ms(&times->draining);
	double peer = median_ms(&times->peer);
	const char *whose = has_peer ? "libi915_perf" : NULL;

	printf("%zu reports of 256 bytes:\n", reports_count);
	print_row("  merely reading them", reading, "");
	print_row("  merely reading them, in 8 places by turns", in_parts, "");
	print_row("  sums, plain C", plain, "");
	print_row("  sums, best", best, "");
	print_row("  records taken in", draining, "");
	if (has_peer)
		print_row("  sums, libi915_perf", peer, "");
	row_print("sums of OA reports", best, "ms",
		  (struct row_goal){ "merely reading",
				     reading < in_parts ? reading : in_parts,
				     1.5 });
	row_print("sums of OA reports", best, "ms",
		  (struct row_goal){ whose, peer, 1.0 / 6 });
	row_print("OA reports at 100 kHz, of a core's time",
		  draining / (double)reports_count * FASTEST_KHZ * 100, "%",
		  (struct row_goal){ "a hundredth", 1, 1 });
	row_print("sums of OA reports, plain C", plain, "ms",
		  (struct row_goal){ whose, peer, 1.0 / 3 });
}

/* Drain for as long as callgrind takes. */
static void
drain_few(void)
{
	uint8_t *records;

	reports_count = 1000;
	records = make_records();
	if (!records)
		give_up("no memory");
	time_draining(records);
	free(records);
}

static void
bench_sums(const struct peer *peer, const struct peer_set *set)
{
	uint64_t plain[OA_SLOT_COUNT], best[OA_SLOT_COUNT];
	uint64_t sums[PEER_DELTAS], expected[PEER_DELTAS];
	uint8_t *records = make_records();
	uint8_t *reports = records ? cut_headers(records) : NULL;
	struct sum_times times = { 0 };

	if (!reports)
		give_up("no memory");
	for (unsigned run = 0; run < runs; run++) {
		add_time(&times.reading, time_reading(reports, 1));
		add_time(&times.in_parts, time_reading(reports, 8));
		add_time(&times.plain,
			 time_scan(reports, OA_SCAN_PLAIN, plain));
		add_time(&times.best, time_scan(reports, OA_SCAN_BEST, best));
		add_time(&times.draining, time_draining(records));
		add_time(&times.peer, time_peer(peer, set, records));
	}
	if (memcmp(plain, best, sizeof(plain)) != 0)
		give_up("the sums differ");
	if (peer) {
		sum_peer(peer, set, records, sums);
		peer_deltas(set, best, expected);
		if (memcmp(sums, expected, sizeof(expected)) != 0)
			give_up("the sums differ from those of libi915_perf");
	}
	tell_sums(&times, peer);
	free(reports);
	free(records);
}

/* ------------------------------------------------------------------ */
/* Equations                                                            */

#define MOST_COUNTERS 128

/* The counters of a set as a session has them, and as the library has. */
struct evaluation {
	uint64_t values[OA_SLOT_COUNT];
	struct expr_batch_entry entries[MOST_COUNTERS];
	struct expr_input inputs[MOST_COUNTERS][OA_SLOT_COUNT];
	size_t count;
	struct expr_batch *batch; /* one program for all */
	const struct peer *peer; /* NULL: not installed */
	const struct peer_set *set;
	struct peer_counter theirs[MOST_COUNTERS];
	size_t their_count;
	uint64_t deltas[PEER_DELTAS];
};

static void
add_counter(struct evaluation *evaluation, const struct drmperf_event *event)
{
	const size_t n = evaluation->count++;
	const struct catalog_value *value;
	struct drmperf_error error;

	if (catalog_resolve(event, &value, &error))
		give_up(error.cause);
	for (size_t k = 0; k < value->counter_count; k++)
		evaluation->inputs[n][k] = (struct expr_input){
			&evaluation->values[value->counters[k].selector], 1
		};
	evaluation->entries[n] = (struct expr_batch_entry){
		.program = value->program,
		.inputs = evaluation->inputs[n],
	};
}

static void
prepare_evaluation(struct evaluation *evaluation,
		   const struct i915_table *table, const char *set)
{
	const struct catalog_list *list = catalog_list(table->catalog);

	for (unsigned i = 0; i < OA_SLOT_COUNT; i++)
		evaluation->values[i] = 1000003 * (i + 1);
	for (size_t i = 0; list && i < list->count; i++) {
		const struct drmperf_event *event = list->events[i];

		if (!strcmp(catalog_group_record(event->group)->name, set) &&
		    strcmp(catalog_event_record(event)->name, "ReportAge") != 0)
			add_counter(evaluation, event);
	}
	if (expr_batch_create(evaluation->entries, evaluation->count,
			      &evaluation->batch))
		give_up("no memory");
	if (!evaluation->peer)
		return;
	peer_deltas(evaluation->set, evaluation->values, evaluation->deltas);
	while (evaluation->their_count < MOST_COUNTERS &&
	       peer_counter_at(evaluation->set, (int)evaluation->their_count,
			       &evaluation->theirs[evaluation->their_count]))
		evaluation->their_count++;
}

/* Read as a session does: all counters in one evaluation. */
static __attribute__((noinline)) double
evaluate_ours(struct evaluation *evaluation)
{
	union drmperf_value results[MOST_COUNTERS];

	expr_batch_eval(evaluation->batch, results);
	return results[0].f64;
}

static __attribute__((noinline)) double
evaluate_theirs(struct evaluation *evaluation)
{
	const struct peer *peer = evaluation->peer;
	const struct peer_set *set = evaluation->set;
	uint64_t *deltas = evaluation->deltas;
	double sum = 0;

	for (size_t i = 0; i < evaluation->their_count; i++) {
		const struct peer_counter *counter = &evaluation->theirs[i];

		if (counter->storage == PEER_UINT64)
			sum += (double)counter->read.u64(peer, set, deltas);
		else
			sum += counter->read.f64(peer, set, deltas);
	}
	return sum;
}

typedef double (*evaluate_fn)(struct evaluation *evaluation);

static double
time_evaluation(evaluate_fn evaluate, struct evaluation *evaluation)
{
	volatile double sink = 0;
	double begin = bench_cpu_ms();

	for (unsigned n = 0; n < evaluations; n++)
		sink += evaluate(evaluation);
	(void)sink;
	return (bench_cpu_ms() - begin) / evaluations;
}

static void
bench_equations(struct evaluation *evaluation)
{
	struct times times_ours = { 0 }, times_theirs = { 0 };
	const bool has_peer = evaluation->peer;
	double ours, theirs;

	for (unsigned run = 0; run < runs; run++) {
		add_time(&times_ours,
			 time_evaluation(evaluate_ours, evaluation));
		if (has_peer)
			add_time(&times_theirs,
				 time_evaluation(evaluate_theirs, evaluation));
	}
	ours = median_ms(&times_ours) * 1e6;
	theirs = median_ms(&times_theirs) * 1e6;
	printf("the %zu counters of RenderBasic, once:\n", evaluation->count);
	printf("%-44s %9.0f ns\n", "  our expressions", ours);
	if (has_peer)
		printf("%-44s %9.0f ns\n", "  libi915_perf's functions",
		       theirs);
	row_print("RenderBasic evaluated once", ours, "ns",
		  (struct row_goal){ has_peer ? "libi915_perf" : NULL, theirs,
				     1 });
}

/* ------------------------------------------------------------------ */
/* Lists                                                                */

/* From a file on disk to a catalog, and to the list of its events. */
struct list_times {
	double ready, listed;
};

static struct list_times
time_list(const struct i915_shape *shape)
{
	struct list_times best = { 1e9, 1e9 };
	const struct catalog_list *list;
	struct i915_table table;

	for (unsigned run = 0; run < runs; run++) {
		double begin = bench_cpu_ms();

		i915_table_open(&table, shape, 4);
		best.ready = fmin(best.ready, bench_cpu_ms() - begin);
		list = catalog_list(table.catalog);
		if (!list)
			give_up("no memory");
		best.listed = fmin(best.listed, bench_cpu_ms() - begin);
		if (run == runs - 1)
			printf("  %-10s %9.3f ms, listed %9.3f ms  %zu sets, "
			       "%zu events\n",
			       shape->platform, best.ready, best.listed,
			       table.gpu.oa.sets.count, list->count);
		i915_table_close(&table);
	}
	return best;
}

/*
 * Return whether a shape is usual: not the discrete ones, and their successors.
 */
static bool
is_usual(const struct i915_shape *shape)
{
	return shape->eus * shape->subslices < 128 &&
	       strncmp(shape->platform, "mtl", 3) != 0 &&
	       strncmp(shape->platform, "arl", 3) != 0;
}

static void
bench_lists(void)
{
	struct list_times usual = { 0 }, all = { 0 };

	puts("the tables of a GPU read, and its events listed:");
	for (size_t i = 0; i < i915_shape_count; i++) {
		struct list_times times = time_list(&i915_shapes[i]);

		all.ready = fmax(all.ready, times.ready);
		all.listed = fmax(all.listed, times.listed);
		if (is_usual(&i915_shapes[i]))
			usual.listed = fmax(usual.listed, times.listed);
	}
	row_print("tables of a usual Intel GPU, all events listed",
		  usual.listed, "ms", (struct row_goal){ "limit", 1, 1 });
	row_print("tables of the largest Intel GPU", all.ready, "ms",
		  (struct row_goal){ "limit", 5, 1 });
	row_print("tables of the largest Intel GPU, all events listed",
		  all.listed, "ms", (struct row_goal){ 0 });
}

/* ------------------------------------------------------------------ */

/* Run one evaluation that is to be counted; NULL: all, by turns. */
static void
run_evaluation(const char *whose, struct evaluation *evaluation)
{
	if (!whose) {
		bench_sums(evaluation->peer, evaluation->set);
		bench_equations(evaluation);
		bench_lists();
	} else if (!strcmp(whose, "ours")) {
		evaluate_ours(evaluation);
	} else if (!strcmp(whose, "drained")) {
		drain_few();
	} else if (evaluation->peer) {
		evaluate_theirs(evaluation);
	}
}

int
main(int argc, char **argv)
{
	const struct i915_shape *shape = &i915_shapes[3]; /* sklgt2 */
	static struct evaluation evaluation;
	struct i915_table table;
	struct peer *peer;

	if (bench_is_short()) {
		reports_count = 1000;
		evaluations = 10;
		runs = 1;
	}
	i915_table_open(&table, shape, 4);
	peer = peer_open_shape(shape, &table.gpu);
	evaluation.peer = peer;
	if (peer)
		evaluation.set = peer_set_find(peer, "RenderBasic");
	else
		puts("skip libi915_perf: intel-gpu-tools is not installed");
	prepare_evaluation(&evaluation, &table, "RenderBasic");
	run_evaluation(argc > 1 ? argv[1] : NULL, &evaluation);
	expr_batch_destroy(evaluation.batch);
	peer_close(peer);
	i915_table_close(&table);
	return EXIT_SUCCESS;
}
