/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that are read together, and fail together: those of a domain of a GPU;
 * of its sensors each by itself.
 *
 * Averages are two sums that only grow, whose differences make the average of
 * any time: of the numerator and the denominator of its formula, or, where it
 * has no such formula, of its value in each nanosecond and of the nanoseconds.
 */
#ifndef DRMPERF_TOOL_SERVE_EXPORTER_SOURCE_H
#define DRMPERF_TOOL_SERVE_EXPORTER_SOURCE_H

#include "record/columns.h"
#include "select/selection_list.h"
#include "util/held_clocks.h"

/* An average, as sum / count. */
struct exporter_mean {
	double sum, count;
};

struct exporter_source {
	const struct tool *tool;
	struct drmperf_device *device;
	char name[NAME_SIZE]; /* "gfx", "sensor.gpu-temp" */
	struct selection_list events; /* that are shown, own */
	struct columns series; /* what is counted for them */
	struct selection_list averages; /* that have no formula */
	/* of the series; of the averages between two readings, or NULL */
	struct drmperf_session *session, *window;
	struct held_clocks_list clocks;
	bool yields; /* to processes that ask for its counters */
	bool is_started;
	bool is_up; /* values are those of the last reading */
	/* per series: in the last reading, and in the one before */
	union drmperf_value *now, *before;
	/* per event: before the session began, and all together */
	union drmperf_value *base, *values;
	struct exporter_mean *means; /* per event */
	uint64_t *elapsed_ns; /* per event: the session has counted it for */
	int *dies; /* per event, or -1 */
	union drmperf_value *window_values; /* per average */
	uint64_t errors;
	struct drmperf_error error; /* unless it is up */
};

/* Return whether the event belongs to the source. */
bool
exporter_source_takes(const struct exporter_source *source,
		      const struct drmperf_event *event);
void
exporter_source_init(struct exporter_source *source, const struct tool *tool,
		     const struct drmperf_event *event);
/*
 * Open the sources, when all events are in it. 0, or the exit status after a
 * complaint.
 */
int
exporter_source_open(struct exporter_source *source);
void
exporter_source_finish(struct exporter_source *source);

/* Start, or read, a source. Failures are reported once, and kept. */
void
exporter_source_start(struct exporter_source *source);
void
exporter_source_read(struct exporter_source *source);
/*
 * Stop it if another process asks for its counters; a later reading starts it
 * again, as soon as that is possible.
 */
void
exporter_source_yield(struct exporter_source *source);
/* Stop the source. Returns 0, or a negative errno after a complaint. */
int
exporter_source_stop(struct exporter_source *source);

/* Read the value of an event as read last. Returns false if there is none. */
bool
exporter_source_value(const struct exporter_source *source, size_t event,
		      union drmperf_value *out);
/* Read the sums of an average as read last. Returns false if there are none. */
bool
exporter_source_mean(const struct exporter_source *source, size_t event,
		     struct exporter_mean *out);

#endif /* DRMPERF_TOOL_SERVE_EXPORTER_SOURCE_H */
