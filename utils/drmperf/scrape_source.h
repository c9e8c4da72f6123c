/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that are read together, and fail together: those of a domain of a GPU;
 * of its sensors each by itself.
 *
 * Averages are of the time since the reading before: they have a session of
 * their own, which begins anew with each.
 */
#ifndef DRMPERF_TOOL_SCRAPE_SOURCE_H
#define DRMPERF_TOOL_SCRAPE_SOURCE_H

#include "choose.h"
#include "held_clocks.h"

struct scrape_source {
	const struct tool *tool;
	struct drmperf_device *device;
	char name[NAME_SIZE]; /* "gfx", "sensor.gpu-temp" */
	/* what is counted, own, and what of it are averages */
	struct choice events, averages;
	struct drmperf_session *session, *window; /* window may be NULL */
	struct held_clocks_list clocks;
	bool is_started;
	bool has_window; /* there is a time for averages to be of */
	bool is_up; /* values are those of the last reading */
	/* per event: as the session has it, before that, and all together */
	union drmperf_value *now, *base, *values;
	int *dies; /* per event, or -1 */
	union drmperf_value *window_values; /* per average */
	uint64_t errors;
	struct drmperf_error error; /* unless it is up */
};

/* Does the event belong to it? */
bool
scrape_source_takes(const struct scrape_source *source,
		    const struct drmperf_event *event);
void
scrape_source_init(struct scrape_source *source, const struct tool *tool,
		   const struct drmperf_event *event);
/* When all events are in it. 0, or the exit status after a complaint. */
int
scrape_source_open(struct scrape_source *source);
void
scrape_source_finish(struct scrape_source *source);

/* Failures are told once, and kept. */
void
scrape_source_start(struct scrape_source *source);
void
scrape_source_read(struct scrape_source *source);
/* 0, or a negative errno after a complaint. */
int
scrape_source_stop(struct scrape_source *source);

/* The value of an event as read last; false: there is none. */
bool
scrape_source_value(const struct scrape_source *source, size_t event,
		    union drmperf_value *out);

#endif /* DRMPERF_TOOL_SCRAPE_SOURCE_H */
