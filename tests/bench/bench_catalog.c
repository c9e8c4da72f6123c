/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How soon the events of a GPU are there: from nothing to a catalog that finds
 * every name, for every GPU that drmsim has. The first time is that of a fresh
 * process. All times have the simulator's share in them, each ioctl a message
 * to it and back, each file of sysfs opened by way of its preload: about half a
 * millisecond. With them, what it costs to find events by name, and to read
 * other people's tables. For comparison, what libi915_perf (intel-gpu-tools)
 * takes for its compiled-in tables in the same run.
 *
 * Ends with an error if a goal is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "drmperf.h"
#include "foreign_files.h"
#include "i915_peer.h"
#include "i915_table.h"

#define RUNS 7
#define PROCESSES 5

/* In the environment of the program below drmsim. */
#define VARIABLE "BENCH_CATALOG_GPU"

static unsigned missed;

static double
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void
hold(const char *goal, bool met)
{
	printf("%-44s %s\n", goal, met ? "yes" : "NO");
	missed += !met;
}

static int
fail(const struct drmperf_error *error)
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
	double begin = now_ms();

	for (size_t i = 0; i < count; i++) {
		const char *name =
			drmperf_event_name(drmperf_event_at(device, i));

		if (drmperf_event_find(drmperf, name, &selection, NULL))
			exit(EXIT_FAILURE);
	}
	return (now_ms() - begin) * 1e6 / (double)count;
}

/* What a GPU's events cost. */
struct costs {
	size_t count;
	double cold_ms, warm_ms;
	double first_ns, again_ns; /* to find an event */
};

static int
open_once(struct costs *costs, double *ms)
{
	struct drmperf_device *device;
	struct drmperf_error error;
	struct drmperf *drmperf;
	double begin;

	if (drmperf_create(NULL, &drmperf, &error))
		return fail(&error);
	device = drmperf_device_at(drmperf, 0);
	begin = now_ms();
	if (drmperf_device_open(device, &error))
		return fail(&error);
	*ms = now_ms() - begin;
	costs->count = drmperf_event_count(device);
	costs->first_ns = time_finding(drmperf, device);
	costs->again_ns = time_finding(drmperf, device);
	drmperf_destroy(drmperf);
	return 0;
}

static int
below(void)
{
	struct costs costs = { 0 };
	double ms;

	if (open_once(&costs, &costs.cold_ms))
		return EXIT_FAILURE;
	costs.warm_ms = costs.cold_ms;
	for (unsigned run = 1; run < RUNS; run++) {
		if (open_once(&costs, &ms))
			return EXIT_FAILURE;
		if (ms < costs.warm_ms)
			costs.warm_ms = ms;
	}
	printf("%zu %f %f %f %f\n", costs.count, costs.cold_ms, costs.warm_ms,
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

static double
least(double a, double b)
{
	return a < b ? a : b;
}

/* The best of some processes. */
static void
measure(const char *gpu, struct costs *best)
{
	char command[4400];

	*best = (struct costs){ 0, 1e9, 1e9, 1e9, 1e9 };
	setenv(VARIABLE, gpu, 1);
	snprintf(command, sizeof(command),
		 "%s/bin/drmsim --gpu %s -- %s/bench/bench_catalog",
		 build_folder(), gpu, build_folder());
	for (unsigned i = 0; i < PROCESSES; i++) {
		FILE *output = popen(command, "r");
		struct costs costs;

		if (!output ||
		    fscanf(output, "%zu %lf %lf %lf %lf", &costs.count,
			   &costs.cold_ms, &costs.warm_ms, &costs.first_ns,
			   &costs.again_ns) != 5) {
			printf("%s: no result\n", gpu);
			exit(EXIT_FAILURE);
		}
		pclose(output);
		best->count = costs.count;
		best->cold_ms = least(best->cold_ms, costs.cold_ms);
		best->warm_ms = least(best->warm_ms, costs.warm_ms);
		best->first_ns = least(best->first_ns, costs.first_ns);
		best->again_ns = least(best->again_ns, costs.again_ns);
	}
	unsetenv(VARIABLE);
}

/*
 * Skylake GT2, whose tables libi915_perf has compiled in, without a simulator:
 * from the file to the catalog.
 */
static void
bench_skylake(void)
{
	const struct i915_shape *shape = &i915_shapes[3];
	double ours = 1e9, theirs = 1e9;
	struct i915_table table;

	for (unsigned run = 0; run < 10 * RUNS; run++) {
		double begin = now_ms();

		i915_table_open(&table, shape, 4);
		ours = least(ours, now_ms() - begin);
		begin = now_ms();
		peer_close(peer_open_shape(shape, &table.gpu));
		theirs = least(theirs, now_ms() - begin);
		i915_table_close(&table);
	}
	printf("  Skylake's tables alone %.3f ms", ours);
	if (peer_is_installed())
		printf(", libi915_perf's %.3f ms: %.1f times that\n", theirs,
		       ours / theirs);
	else
		puts("; skip libi915_perf: intel-gpu-tools is not installed");
	hold("  Skylake's tables within 1 ms", ours <= 1);
}

static void
tell(const char *gpu, const struct costs *costs)
{
	printf("  %-10s %6zu events %8.3f ms %8.3f ms %6.0f ns %6.0f ns\n", gpu,
	       costs->count, costs->cold_ms, costs->warm_ms, costs->first_ns,
	       costs->again_ns);
}

static void
bench_all(void)
{
	double cold = 0, warm = 0, finding = 0;
	char command[4200], gpu[32];
	struct costs costs;
	FILE *list;

	puts("the events of a GPU: at first, then, and finding one at first, "
	     "then");
	snprintf(command, sizeof(command), "%s/bin/drmsim --list",
		 build_folder());
	list = popen(command, "r");
	while (list && fscanf(list, "%31s", gpu) == 1) {
		measure(gpu, &costs);
		tell(gpu, &costs);
		cold = cold > costs.cold_ms ? cold : costs.cold_ms;
		warm = warm > costs.warm_ms ? warm : costs.warm_ms;
		finding = finding > costs.again_ns ? finding : costs.again_ns;
	}
	if (list)
		pclose(list);
	hold("  all within 5 ms, at the first time", cold > 0 && cold <= 5);
	hold("  all within 5 ms, then", warm <= 5);
	hold("  an event is found within 1 us", finding <= 1000);
}

/* ------------------------------------------------------------------ */
/* Other people's tables                                                */

/* What a GPU's events cost with such a file beside our tables. */
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
	measure(gpu, &costs);
	unsetenv("DRMPERF_EVENTS");
	unlink(path);
	tell(gpu, &costs);
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
	if (getenv(VARIABLE))
		return below();
	bench_all();
	bench_files();
	bench_skylake();
	return missed ? EXIT_FAILURE : EXIT_SUCCESS;
}
