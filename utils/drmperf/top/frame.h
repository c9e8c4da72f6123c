/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The model as lines of text.
 */
#ifndef DRMPERF_TOOL_TOP_FRAME_H
#define DRMPERF_TOOL_TOP_FRAME_H

#include "top/model.h"
#include "top/view.h"

enum top_style {
	TOP_PLAIN,
	TOP_TITLE, /* of the whole, and of a GPU */
	TOP_HEAD, /* of a table */
	TOP_NOTE,
};

/* The column where bars of rows begin; what stands before them is ASCII. */
#define TOP_BAR_COLUMN 51

/* Columns beyond the widest are left empty. */
#define TOP_WIDEST 250

struct top_line {
	enum top_style style;
	/* a bar: its first column, columns, and those with marks; or zeros */
	unsigned bar, bar_width, bar_full;
	unsigned history; /* its first column, or 0 */
	bool is_harmless; /* a full bar is no reason to look at it */
	char text[4 * TOP_WIDEST]; /* UTF-8 */
};

struct top_frame {
	unsigned width;
	size_t height; /* of what scrolls, below the head; 0: any */
	bool utf8; /* sparklines may be made of blocks */
	unsigned period_ms;
	/* own */
	struct top_line *lines;
	size_t count, capacity;
	size_t processes, processes_end; /* the lines of their table */
};

/* Draw the frame from the beginning. Returns 0 or -ENOMEM. */
int
top_frame_draw(struct top_frame *frame, const struct top_model *model,
	       const struct top_view *view);
/*
 * Return the line in a row below the head, NULL where there is none. The last
 * rows have the first processes, whatever has to scroll above them.
 */
const struct top_line *
top_frame_line(const struct top_frame *frame, const struct top_view *view,
	       size_t row);
void
top_frame_finish(struct top_frame *frame);

#endif /* DRMPERF_TOOL_TOP_FRAME_H */
