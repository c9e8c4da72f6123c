/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How soon the catalog of a GPU is ready, for every GPU that drmsim has: from
 * nothing to the first event that is found, and to the list of all. The first
 * time is that of a fresh process. All times have the simulator's share in
 * them, each ioctl a message to it and back, each file of sysfs opened by way
 * of its preload; the processor's time has it without the waiting. With them,
 * what it costs to find events by name, and to read other people's tables. For
 * comparison, what libi915_perf (intel-gpu-tools) takes for its compiled-in
 * tables in the same run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catalog/lazy_load.h"
#include "drmperf.h"
#include "tests/bench/row.h"
#include "tests/driver/i915/peer.h"
#include "tests/driver/i915/table.h"
#include "tests/table/foreign/files.h"

static unsigned runs = 7, processes = 5;

/*
 * In the environment of the program below drmsim: the event to be found first,
 * or "" for it to say one.
 */
#define VARIABLE "BENCH_CATALOG_EVENT"

static int
print_failure(const struct drmperf_error *error)
{
	fprintf(stderr, "bench_catalog: %s\n", error->cause);
	return EXIT_FAILURE;
}

/* ------------------------------------------------------------------ */
/* Below drmsim                                                         */

/*
 * Find every event by its name; ns for each. At the first time their
 * expressions are compiled.
 */
static double
time_finding(struct drmperf *drmperf, struct drmperf_device *device)
{
	size_t count = drmperf_event_count(device);
	struct drmperf_selection selection;
	double begin = bench_ms();

	for (size_t i = 0; i < count; i++) {
		const char *name =
			drmperf_event_name(drmperf_event_at(device, i));

		if (drmperf_event_find(drmperf, name, &selection, NULL))
			exit(EXIT_FAILURE);
	}
	return (bench_ms() - begin) * 1e6 / (double)count;
}

/* What it takes from an unopened device on. */
struct start {
	double ready_ms, cpu_ms; /* to an event that is found */
	double list_ms; /* to the list of all */
};

/* What a GPU's events cost. */
struct costs {
	size_t count;
	struct start cold, warm;
	double first_ns, again_ns; /* to find an event */
};

/* Find the first event, which Callgrind counts, as the next function. */
static __attribute__((noinline)) int
find_first(struct drmperf *drmperf, const char *name,
	   struct drmperf_error *error)
{
	struct drmperf_selection selection;

	return drmperf_event_find(drmperf, name, &selection, error);
}

static __attribute__((noinline)) size_t
list_all(struct drmperf_device *device)
{
	return drmperf_event_count(device);
}

static int
start_once(const char *name, struct start *start, struct costs *costs)
{
	struct drmperf_device *device;
	struct drmperf_error error;
	struct drmperf *drmperf;
	double begin, cpu_begin;

	if (drmperf_create(NULL, &drmperf, &error))
		return print_failure(&error);
	device = drmperf_device_at(drmperf, 0);
	begin = bench_ms();
	cpu_begin = bench_cpu_ms();
	if (find_first(drmperf, name, &error))
		return print_failure(&error);
	start->ready_ms = bench_ms() - begin;
	start->cpu_ms = bench_cpu_ms() - cpu_begin;
	costs->count = list_all(device);
	start->list_ms = bench_ms() - begin;
	costs->first_ns = time_finding(drmperf, device);
	costs->again_ns = time_finding(drmperf, device);
	drmperf_destroy(drmperf);
	return 0;
}

/* Print an event. Any will do; one from the middle of the list. */
static int
say_event(void)
{
	struct drmperf_device *device;
	struct drmperf_error error;
	struct drmperf *drmperf;

	if (drmperf_create(NULL, &drmperf, &error))
		return print_failure(&error);
	device = drmperf_device_at(drmperf, 0);
	if (drmperf_device_open(device, &error))
		return print_failure(&error);
	puts(drmperf_event_name(
		drmperf_event_at(device, drmperf_event_count(device) / 2)));
	drmperf_destroy(drmperf);
	return EXIT_SUCCESS;
}

static void
keep_least(struct start *best, const struct start *start)
{
	best->ready_ms = fmin(best->ready_ms, start->ready_ms);
	best->cpu_ms = fmin(best->cpu_ms, start->cpu_ms);
	best->list_ms = fmin(best->list_ms, start->list_ms);
}

static int
run_simulated(const char *name)
{
	struct costs costs = { 0 };
	struct start start;

	if (!*name)
		return say_event();
	if (start_once(name, &costs.cold, &costs))
		return EXIT_FAILURE;
	costs.warm = costs.cold;
	for (unsigned run = 1; run < runs; run++) {
		if (start_once(name, &start, &costs))
			return EXIT_FAILURE;
		keep_least(&costs.warm, &start);
	}
	printf("%zu %f %f %f %f %f %f %f %f\n", costs.count,
	       costs.cold.ready_ms, costs.cold.cpu_ms, costs.cold.list_ms,
	       costs.warm.ready_ms, costs.warm.cpu_ms, costs.warm.list_ms,
	       costs.first_ns, costs.again_ns);
	return EXIT_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* All GPUs                                                             */

static const char *
build_folder(void)
{
	const char *build = getenv("BUILD_DIR");

	return build ? build : "build";
}

/* Run this program below drmsim, with an event to find. */
static FILE *
run_below(const char *gpu, const char *event)
{
	char command[4400];
	FILE *output;

	snprintf(command, sizeof(command),
		 "%s/bin/drmsim --gpu %s -- %s/bench/bench_catalog",
		 build_folder(), gpu, build_folder());
	setenv(VARIABLE, event, 1);
	output = popen(command, "r");
	unsetenv(VARIABLE);
	return output;
}

static void
no_result(const char *gpu)
{
	printf("%s: no result\n", gpu);
	exit(EXIT_FAILURE);
}

static void
measure_once(const char *gpu, const char *event, struct costs *costs)
{
	FILE *output = run_below(gpu, event);

	if (!output ||
	    fscanf(output, "%zu %lf %lf %lf %lf %lf %lf %lf %lf", &costs->count,
		   &costs->cold.ready_ms, &costs->cold.cpu_ms,
		   &costs->cold.list_ms, &costs->warm.ready_ms,
		   &costs->warm.cpu_ms, &costs->warm.list_ms, &costs->first_ns,
		   &costs->again_ns) != 9)
		no_result(gpu);
	pclose(output);
}

/* Measure the best of some processes. */
static void
measure_gpu(const char *gpu, struct costs *best)
{
	FILE *output = run_below(gpu, "");
	struct costs costs;
	char event[512];

	if (!output || fscanf(output, "%511s", event) != 1)
		no_result(gpu);
	pclose(output);
	measure_once(gpu, event, best);
	for (unsigned i = 1; i < processes; i++) {
		measure_once(gpu, event, &costs);
		keep_least(&best->cold, &costs.cold);
		keep_least(&best->warm, &costs.warm);
		best->first_ns = fmin(best->first_ns, costs.first_ns);
		best->again_ns = fmin(best->again_ns, costs.again_ns);
	}
}

/*
 * Measure Skylake GT2, whose tables libi915_perf has compiled in, without a
 * simulator: from the file to the catalog, and to the list of all its events.
 */
static void
bench_skylake(void)
{
	const struct i915_shape *shape = &i915_shapes[3];
	double ours = 1e9, listed = 1e9, theirs = 1e9;
	struct i915_table table;

	for (unsigned run = 0; run < 10 * runs; run++) {
		double begin = bench_ms();

		i915_table_open(&table, shape, 4);
		ours = fmin(ours, bench_ms() - begin);
		if (!catalog_list(table.catalog))
			exit(EXIT_FAILURE);
		listed = fmin(listed, bench_ms() - begin);
		begin = bench_ms();
		peer_close(peer_open_shape(shape, &table.gpu));
		theirs = fmin(theirs, bench_ms() - begin);
		i915_table_close(&table);
	}
	printf("  Skylake's tables alone %.3f ms, with the list %.3f ms\n",
	       ours, listed);
	if (!peer_is_installed())
		puts("skip libi915_perf: intel-gpu-tools is not installed");
	row_print(
		"Skylake's tables", ours, "ms",
		(struct row_goal){ peer_is_installed() ? "libi915_perf" : NULL,
				   theirs, 0 });
	row_print("Skylake's tables, all events listed", listed, "ms",
		  (struct row_goal){ "limit", 1, 1 });
}

static void
print_costs(const char *gpu, const struct costs *costs)
{
	printf("  %-10s %6zu events %6.2f %6.2f %6.2f ms, then %6.2f %6.2f "
	       "%6.2f ms; %5.0f ns, %4.0f ns\n",
	       gpu, costs->count, costs->cold.ready_ms, costs->cold.cpu_ms,
	       costs->cold.list_ms, costs->warm.ready_ms, costs->warm.cpu_ms,
	       costs->warm.list_ms, costs->first_ns, costs->again_ns);
}

static void
bench_all(void)
{
	double cold = 0, warm = 0, finding = 0;
	char command[4200], gpu[32];
	struct costs costs;
	FILE *list;

	puts("the events of a GPU, first use in a process: an event is found "
	     "after, processor's\ntime of that, all are listed; the same for "
	     "later uses; finding one, and again");
	snprintf(command, sizeof(command), "%s/bin/drmsim --list",
		 build_folder());
	list = popen(command, "r");
	while (list && fscanf(list, "%31s", gpu) == 1) {
		measure_gpu(gpu, &costs);
		print_costs(gpu, &costs);
		cold = fmax(cold, costs.cold.cpu_ms);
		warm = fmax(warm, costs.warm.cpu_ms);
		finding = fmax(finding, costs.again_ns);
	}
	if (list)
		pclose(list);
	if (cold <= 0)
		no_result("drmsim --list");
	row_print("an event found by first use of a GPU, processor's time",
		  cold, "ms", (struct row_goal){ "limit", 2, 1 });
	row_print("an event found by a later use, processor's time", warm, "ms",
		  (struct row_goal){ "limit", 2, 1 });
	row_print("an event found once more", finding, "ns",
		  (struct row_goal){ "limit", 1000, 1 });
}

/* ------------------------------------------------------------------ */
/* Other people's tables                                                */

/* Measure what a GPU's events cost with such a file next to our tables. */
static void
bench_file(const char *gpu, const char *what, void (*write)(const char *path))
{
	char path[] = "/tmp/bench_catalog.XXXXXX";
	int fd = mkstemp(path);
	struct costs costs;
	struct stat st;

	if (fd < 0 || close(fd))
		exit(EXIT_FAILURE);
	write(path);
	if (stat(path, &st))
		exit(EXIT_FAILURE);
	printf("with %s of %.0f KiB\n", what, (double)st.st_size / 1024);
	setenv("DRMPERF_EVENTS", path, 1);
	measure_gpu(gpu, &costs);
	unsetenv("DRMPERF_EVENTS");
	unlink(path);
	print_costs(gpu, &costs);
}

static void
bench_files(void)
{
	bench_file("vega10", "a file of ROC profiler", foreign_write_rocm);
	bench_file("sklgt2", "an OA file of Intel", foreign_write_oa);
}

int
main(void)
{
	const char *event = getenv(VARIABLE);

	if (bench_is_short())
		runs = processes = 1;
	if (event)
		return run_simulated(event);
	bench_all();
	bench_files();
	bench_skylake();
	return EXIT_SUCCESS;
}
