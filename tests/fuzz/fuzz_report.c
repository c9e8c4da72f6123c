/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings of drmperf record, as rubbish, in all that drmperf report makes of
 * them.
 *
 * Whatever comes: a status of the tool's, the same values each time the file is
 * read, and parts of counts that add up to the whole.
 */
#include <assert.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "utils/drmperf/report/outputs.h"
#include "utils/drmperf/report/stalls.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Open no file but the recording. */
FILE *
fuzz_fopen(const char *path, const char *mode);

FILE *
fuzz_fopen(const char *path, const char *mode)
{
	(void)path;
	return fopen("/dev/null", mode);
}

/* Replace the tool's open(): the recording is a file in memory. */
int
fuzz_open(const char *path, int flags, ...);

int
fuzz_open(const char *path, int flags, ...)
{
	assert(!(flags & O_CREAT));
	return open(path, flags);
}

/* Replace the tool's execv(): no command of the recording's is a program. */
int
fuzz_execv(const char *path, char **argv);

int
fuzz_execv(const char *path, char **argv)
{
	(void)path, (void)argv;
	abort();
}

/* Make a file in memory, and the path that leads to it. */
static int
make_file(const uint8_t *data, size_t size, char path[64])
{
	int fd = memfd_create("recording", MFD_CLOEXEC);

	assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

/*
 * Sum values. Those of every event that adds up are integers; wraps as counters
 * do.
 */
static uint64_t
sum_values(struct recording *recording, uint64_t length_ns, int *last)
{
	struct interval_walk walk = { .recording = recording,
				      .length_ns = length_ns };
	struct interval interval;
	uint64_t total = 0;

	while ((*last = interval_walk_next(&walk, &interval)) > 0) {
		for (size_t i = 0; i < recording->event_count; i++) {
			const struct recording_event *event =
				&recording->events[i];

			if (!event->steps &&
			    event->event.type == DRMPERF_TYPE_UINT64 &&
			    event->event.kind == DRMPERF_KIND_CUMULATIVE)
				total += interval_record(&interval, event)
						 .value.u64;
		}
	}
	interval_walk_finish(&walk);
	return total;
}

static void
check_sums(struct recording *recording)
{
	int parts_end, whole_end;
	uint64_t parts = sum_values(recording, 1, &parts_end);
	uint64_t whole = sum_values(recording, UINT64_MAX, &whole_end);

	assert(parts_end == whole_end);
	/* time that does not go on makes no part */
	if (!parts_end && parts != whole)
		assert(sum_values(recording, 1, &parts_end) == parts);
}

static void
report_recording(struct recording *recording)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct records records = { .out = out,
				   .format = RECORDS_JSON,
				   .separator = ",",
				   .command = recording->command };

	assert(out);
	report_summary(recording, out);
	report_intervals(recording, 1000, out);
	report_processes(recording, out);
	report_records(recording, UINT64_MAX, &records);
	report_perfetto(recording, out);
	report_html(recording, out);
	report_rgp(recording, out);
	fclose(out);
	free(text);
}

/* Report stalls: what was sampled is there in what could be read, too. */
static void
report_stalls(struct recording *recording)
{
	const struct kernel_names names = { 0 };
	struct stalls_report report = { .separator = ",", .names = &names };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert(out);
	stalls_read(recording);
	for (int format = STALLS_TABLE; format <= STALLS_FLAME; format++) {
		report.format = (enum stalls_format)format;
		stalls_write(recording, &report, out);
	}
	fclose(out);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct tool tool = { .command = "report" };
	struct recording recording;
	char path[64];
	int fd = make_file(data, size, path);
	int status = recording_open(&tool, path, &recording);

	assert(status == 0 || status == TOOL_FAILED);
	if (!status) {
		check_sums(&recording);
		report_recording(&recording);
		report_stalls(&recording);
	}
	recording_close(&recording);
	close(fd);
	return 0;
}
