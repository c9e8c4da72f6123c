/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts for programs: records of one schema, as CSV, as lines of JSON, or in a
 * document of JSON. drmperf(1) says what the columns mean.
 */
#ifndef DRMPERF_TOOL_UTIL_RECORDS_H
#define DRMPERF_TOOL_UTIL_RECORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "drmperf.h"
#include "util/held_clocks.h"
#include "util/json.h"
#include "util/tool.h"

/* Goes up when a column changes its meaning or goes; new ones come last. */
#define RECORDS_SCHEMA 1

enum records_format {
	RECORDS_CSV,
	RECORDS_JSON,
	RECORDS_JSON_LINES,
};

/* Description of an event, of a device or of a recording. */
struct record_event {
	const char *name; /* without device and instance */
	enum drmperf_unit unit;
	enum drmperf_type type;
	enum drmperf_kind kind;
	enum drmperf_scope scope;
	int device; /* its number, or -1: CPUs */
	int instance; /* as that of struct drmperf_selection */
};

/* One value. */
struct record {
	struct record_event event;
	union drmperf_value value;
	unsigned run; /* of its pass, from 1 */
	size_t pass; /* from 1 */
	int die; /* or -1 */
	uint64_t start_ns; /* since counting began, by the GPU's time */
	uint64_t length_ns; /* what the value is counted over, or 0 */
	bool control;
	const struct held_clocks *clocks; /* NULL: counting holds none */
	const char *reason; /* why there is no value; NULL: there is one */
};

struct records {
	FILE *out;
	enum records_format format;
	const char *separator; /* of CSV: one character */
	bool goes_on; /* in a file that has a head already */
	const char *const *command; /* of the document: NULL terminated */
	/* own */
	struct json json;
	bool begun, events_ended;
};

/* Open a document of JSON, which begins with the schema and the command. */
void
records_open_document(struct json *json, const char *const *command);

/*
 * Describe the event of a selection; its name lives as long as the library's
 * state.
 */
struct record_event
record_event_of(const struct drmperf_selection *selection);

/*
 * Write a record. The first one begins the stream: where nothing counts,
 * nothing is written.
 */
void
records_write(struct records *records, const struct record *record);
/*
 * End the list of events. Returns the document, which may get more members
 * before records_end(); NULL if there is none.
 */
struct json *
records_end_events(struct records *records);
/*
 * End the stream once all records are written; seconds: mean of the runs, by
 * the wall's clock.
 */
void
records_end(struct records *records, size_t passes, size_t runs,
	    double seconds);

/* Write a text of CSV, between quotes if it holds what would end it. */
void
records_write_csv_text(const struct records *records, const char *text);

/*
 * Read the argument of -x, or NULL as of --csv, into a const char *, as a
 * command_reader. Returns 0, or TOOL_USAGE after a complaint.
 */
int
records_read_separator(struct tool *tool, const char *text, void *separator);

/*
 * Return the value per second of the GPU's time; NaN where that means nothing.
 */
double
records_rate(const struct record *record);

#endif /* DRMPERF_TOOL_UTIL_RECORDS_H */
