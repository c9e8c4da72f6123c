/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One line of what is shown of a GPU: a value, how much of the possible that
 * is, and what it has been.
 */
#ifndef DRMPERF_TOOL_TOP_ROW_H
#define DRMPERF_TOOL_TOP_ROW_H

#include "util/format_number.h"
#include "top/source.h"

enum top_kind {
	TOP_BUSY,
	TOP_CLOCK,
	TOP_POWER,
	TOP_TEMPERATURE,
	TOP_MEMORY,
	TOP_SLEEP,
	TOP_COUNTER,
	TOP_KINDS
};

/* Length of a history: the columns that a wide terminal has. */
#define TOP_HISTORY 64

/* The last values, a ring; NaN where there was none. */
struct top_history {
	double values[TOP_HISTORY];
	size_t count, next;
};

#define TOP_LABEL_SIZE 96

struct top_row {
	enum top_kind kind;
	char label[TOP_LABEL_SIZE];
	/* value and limit, in a source of its own, but for counters */
	struct drmperf_selection selections[2];
	bool has_limit;
	struct top_source own;
	/* of this frame */
	bool known;
	char figure[2 * FORMAT_NUMBER_SIZE]; /* "1.14 GHz" */
	char most[2 * FORMAT_NUMBER_SIZE]; /* its limit, "4.00 GB", or "" */
	double share; /* of the limit, from 0 to 1; NaN: there is none */
	struct top_history history; /* of shares, or else of values */
};

/* Take what a source has as a value, and perhaps a limit behind it. */
void
top_row_take(struct top_row *row, const struct top_source *source, size_t index,
	     bool has_limit);

/* Take a value that no source has: a share, or with a limit of 0 bytes. */
void
top_row_take_share(struct top_row *row, double share);
void
top_row_take_bytes(struct top_row *row, double bytes);

/* Note that there is no value in this frame. */
void
top_row_skip(struct top_row *row);

/*
 * Return the value that many frames ago, 0 being the last one, as a part of the
 * limit or, where there is none, of the greatest; NaN if it is not known.
 */
double
top_row_level(const struct top_row *row, size_t age);

#endif /* DRMPERF_TOOL_TOP_ROW_H */
