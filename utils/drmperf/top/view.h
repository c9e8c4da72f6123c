/* SPDX-License-Identifier: BSD-3-Clause */
/* The visible part of a model, and the keys that change it. */
#ifndef DRMPERF_TOOL_TOP_VIEW_H
#define DRMPERF_TOOL_TOP_VIEW_H

#include <stdbool.h>
#include <stddef.h>

enum top_sort {
	TOP_SORT_BUSY,
	TOP_SORT_MEMORY,
	TOP_SORT_PID,
	TOP_SORT_COMMAND,
	TOP_SORT_GPU,
	TOP_SORTS
};

/* The amount that is shown of each of several GPUs. */
enum top_detail {
	TOP_DETAIL_AS_FITS,
	TOP_DETAIL_LINE,
	TOP_DETAIL_ALL,
	TOP_DETAILS
};

/* Keys that are no characters. */
enum top_key {
	TOP_KEY_UP = 256,
	TOP_KEY_DOWN,
	TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME,
	TOP_KEY_END,
	TOP_KEY_LEFT,
	TOP_KEY_RIGHT,
	TOP_KEY_HELP,
	TOP_KEY_QUIT,
};

#define TOP_ALL_DEVICES (-1)

struct top_view {
	int device; /* which one, or TOP_ALL_DEVICES */
	unsigned device_count;
	enum top_sort sort;
	bool reversed;
	enum top_detail detail;
	bool idle; /* clients that do nothing are shown, too */
	bool paused;
	bool help; /* in place of everything else */
	bool quit;
	size_t scroll; /* lines above the first that is seen */
};

/*
 * Handle a key, on a screen that shows height of the lines. Returns false if
 * the key has no meaning.
 */
bool
top_view_key(struct top_view *view, int key, size_t lines, size_t height);

/* Limit the scrolling, so that it does not pass the last line. */
void
top_view_clamp(struct top_view *view, size_t lines, size_t height);

const char *
top_sort_name(enum top_sort sort);

/* Return a line of the keys' help; NULL behind the last. */
const char *
top_view_help(size_t line);

#endif /* DRMPERF_TOOL_TOP_VIEW_H */
