/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What drmperf report counts for programs whose times lie between samples.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmperf/record/recording.h"
#include "drmperf/report/outputs.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define MS UINT64_C(1000000)
#define BEGIN (1000 * MS)

/*
 * A count at 0, 10, 20 and 30 ms, and a sensor beside it, which is the mean of
 * the samples that a time has a part of.
 */
static const uint64_t counts[] = { 7, 1007, 3007, 3107 };

static const struct {
	unsigned begin_ms, end_ms;
	const char *count, *rate, *sensor;
} programs[] = {
	{ 0, 30, "3,100", "103 k/s", "30.0" },
	{ 0, 10, "1,000", "100 k/s", "20.0" },
	/* within one sample */
	{ 12, 13, "200", "200 k/s", "30.0" },
	/* half of the first, all of the second, a tenth of the third */
	{ 5, 21, "2,510", "157 k/s", "30.0" },
};

static void
add_events(struct recorder *recorder)
{
	struct recording_event event = {
		.event = { .name = "driver::BLOCK.WAVES",
			   .unit = DRMPERF_UNIT_WAVES,
			   .type = DRMPERF_TYPE_UINT64,
			   .kind = DRMPERF_KIND_CUMULATIVE,
			   .instance = DRMPERF_ALL_INSTANCES },
		.address = "0000:03:00.0",
		.chip = "",
		.description = "",
		.asked = true,
	};

	recorder_add_event(recorder, &event);
	event.event.name = "driver::sensor.power";
	event.event.unit = DRMPERF_UNIT_WATTS;
	event.event.kind = DRMPERF_KIND_MOMENTARY;
	event.series = 1;
	recorder_add_event(recorder, &event);
}

static void
add_sample(struct recorder *recorder, unsigned number)
{
	const struct recording_value values[] = {
		{ .value.u64 = counts[number], .end_ns = 10 * number * MS },
		{ .value.u64 = 10 * (number + 1), .end_ns = 10 * number * MS },
	};
	const struct recording_sample sample = {
		.time_ns = BEGIN + 10 * number * MS,
		.values = values,
	};

	recorder_add_sample(recorder, &sample);
}

static void
add_task(struct recorder *recorder, enum recording_task_kind kind, unsigned ms)
{
	const struct recording_task task = {
		.kind = kind,
		.time_ns = BEGIN + ms * MS,
		.process = 42,
		.thread = 42,
		.name = "program",
	};

	recorder_add_task(recorder, &task);
}

static void
write_recording(FILE *file, unsigned begin_ms, unsigned end_ms)
{
	static const char *const command[] = { "program", NULL };
	struct recorder recorder;

	recorder_begin(&recorder, file, command);
	add_events(&recorder);
	for (unsigned i = 0; i < ARRAY_SIZE(counts); i++)
		add_sample(&recorder, i);
	add_task(&recorder, RECORDING_TASK_NAME, begin_ms);
	add_task(&recorder, RECORDING_TASK_EXIT, end_ms);
	recorder_end(&recorder);
	recorder_finish(&recorder);
	ck_assert_int_eq(fclose(file), 0);
}

static void
check_line(const char *report, const char *event, const char *value,
	   const char *rate)
{
	char text[128], found_value[32], found_unit[32], found_rate[32] = "";
	const char *line = strstr(report, event);

	ck_assert_msg(line != NULL, "no %s in %s", event, report);
	while (line > report && line[-1] != '\n')
		line--;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(line, "\n"), line);
	ck_assert_int_ge(sscanf(text, "%31s %31s %31[^d\n]", found_value,
				found_unit, found_rate),
			 2);
	ck_assert_str_eq(found_value, value);
	if (rate)
		ck_assert_msg(!strncmp(found_rate, rate, strlen(rate)),
			      "%s in place of %s", found_rate, rate);
}

TEST_CASE(tool_processes, NULL, NULL, "tool_processes");

TEST_LOOP(tool_processes, parts_of_samples, ARRAY_SIZE(programs))
{
	char path[] = "/tmp/test_tool_processes.XXXXXX", *report;
	const struct tool tool = { .command = "report" };
	struct recording recording;
	FILE *out;
	size_t size;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	write_recording(fdopen(fd, "w"), programs[_i].begin_ms,
			programs[_i].end_ms);
	ck_assert_int_eq(recording_open(&tool, path, &recording), 0);
	ck_assert_int_eq(unlink(path), 0);
	out = open_memstream(&report, &size);
	ck_assert_int_eq(report_processes(&recording, out), 0);
	fclose(out);
	recording_close(&recording);
	check_line(report, "BLOCK.WAVES", programs[_i].count,
		   programs[_i].rate);
	check_line(report, "sensor.power", programs[_i].sensor, NULL);
	free(report);
}
