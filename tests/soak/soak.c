/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that counts below drmsim for SOAK_TIME seconds, an hour by default.
 * Sessions come and go, on every kind of driver and in several threads; all the
 * while its memory and open files, and the simulator's, stay what they are.
 *
 * A line now and then tells what there is; the exit status tells if it grew.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define LINES 60
/* Memory: what allocators keep for a while; of files, what is open now. */
#define SLACK_KIB 2048
#define SLACK_FILES 24

static const char *const events[] = {
	"amdgpu::SQ.WAVES",	     "amdgpu::TCC.HIT",
	"amdgpu::sensor.gfx-sclk",   "amdgpu::fdinfo.engine-gfx",
	"i915::RenderBasic.GpuTime", "i915::pmu.rcs0-busy",
	"i915::sensor.act-freq",     "i915::fdinfo.engine-render",
};

static atomic_bool is_over;
static atomic_ulong lives, reads, refusals;

/* ------------------------------------------------------------------ */
/* Counting                                                             */

/* Count. What is refused is another thread's just then, or came too late. */
static void
count_event(struct drmperf *drmperf, const char *name)
{
	struct drmperf_selection selection;
	struct drmperf_session *session;
	union drmperf_value value;

	if (drmperf_event_find(drmperf, name, &selection, NULL) ||
	    drmperf_session_create(drmperf, &selection, 1, NULL, &session,
				   NULL)) {
		atomic_fetch_add(&refusals, 1);
		return;
	}
	if (drmperf_session_start(session, NULL))
		atomic_fetch_add(&refusals, 1);
	else
		for (int i = 0; i < 20; i++)
			if (!drmperf_session_read(session, &value, NULL, NULL,
						  NULL))
				atomic_fetch_add(&reads, 1);
	drmperf_session_destroy(session);
}

/* Live many lives, each with all that there is. */
static void *
live_lives(void *data)
{
	while (!atomic_load(&is_over)) {
		struct drmperf *drmperf;

		if (drmperf_create(NULL, &drmperf, NULL))
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(events); i++)
			count_event(drmperf, events[i]);
		drmperf_destroy(drmperf);
		atomic_fetch_add(&lives, 1);
	}
	return data;
}

/* ------------------------------------------------------------------ */
/* Measuring                                                            */

struct measure {
	long kib, files; /* of this program */
	long sim_kib, sim_files;
};

static long
entries_of(pid_t pid)
{
	char path[64];
	long count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	folder = opendir(path);
	while (folder && readdir(folder))
		count++;
	if (folder)
		closedir(folder);
	return count;
}

/* Return memory that is its own, in KiB. */
static long
memory_of(pid_t pid)
{
	char path[64], line[128];
	long kib = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && !kib && fgets(line, sizeof(line), file))
		sscanf(line, "RssAnon: %ld", &kib);
	if (file)
		fclose(file);
	return kib;
}

static struct measure
measure_process(pid_t sim)
{
	return (struct measure){ memory_of(getpid()), entries_of(getpid()),
				 memory_of(sim), entries_of(sim) };
}

static void
print_measure(long seconds, const struct measure *now)
{
	printf("%7ld s  %7lu lives  %9lu reads  program %6ld KiB %3ld files  "
	       "drmsim %6ld KiB %3ld files\n",
	       seconds, atomic_load(&lives), atomic_load(&reads), now->kib,
	       now->files, now->sim_kib, now->sim_files);
	fflush(stdout);
}

static bool
has_grown(const char *what, long first, long second, long slack)
{
	if (second <= first + slack)
		return false;
	printf("%s has grown from %ld to %ld\n", what, first, second);
	return true;
}

/* Keep the most in the second third, and in the last one. */
static void
keep_most(struct measure *most, const struct measure *now)
{
	if (now->kib > most->kib)
		most->kib = now->kib;
	if (now->files > most->files)
		most->files = now->files;
	if (now->sim_kib > most->sim_kib)
		most->sim_kib = now->sim_kib;
	if (now->sim_files > most->sim_files)
		most->sim_files = now->sim_files;
}

static int
judge_growth(const struct measure *before, const struct measure *after)
{
	/* all of them tell, not only the first that has grown */
	bool grown = has_grown("memory", before->kib, after->kib, SLACK_KIB);

	grown |= has_grown("files", before->files, after->files, SLACK_FILES);
	grown |= has_grown("drmsim's memory", before->sim_kib, after->sim_kib,
			   SLACK_KIB);
	grown |= has_grown("drmsim's files", before->sim_files,
			   after->sim_files, SLACK_FILES);

	if (!atomic_load(&reads))
		printf("nothing was counted\n");
	if (grown || !atomic_load(&reads))
		return EXIT_FAILURE;
	printf("nothing has grown in %lu lives, with %lu reads and %lu "
	       "refusals\n",
	       atomic_load(&lives), atomic_load(&reads),
	       atomic_load(&refusals));
	return EXIT_SUCCESS;
}

/* ------------------------------------------------------------------ */

static long
seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long)now.tv_sec;
}

static void
watch_lives(long length, struct measure thirds[3])
{
	const pid_t sim = getppid();
	const long step = length / LINES > 0 ? length / LINES : 1;
	const long first = seconds_now();
	long now, next = 0;

	while ((now = seconds_now() - first) < length) {
		struct measure present = measure_process(sim);

		keep_most(&thirds[3 * now / length], &present);
		if (now >= next) {
			print_measure(now, &present);
			next = now + step;
		}
		/* how often it looks */
		nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
	}
}

int
main(void)
{
	const char *wanted = getenv("SOAK_TIME");
	long length = wanted ? atol(wanted) : 3600;
	struct measure thirds[3] = { { 0 } };
	pthread_t threads[4];

	if (!drmsim_is_present() || length < 3) {
		fprintf(stderr, "soak runs below drmsim, for 3 s at least\n");
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		if (pthread_create(&threads[i], NULL, live_lives, NULL))
			return EXIT_FAILURE;
	watch_lives(length, thirds);
	atomic_store(&is_over, true);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	return judge_growth(&thirds[1], &thirds[2]);
}
