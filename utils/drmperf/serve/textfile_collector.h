/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file that is replaced as a whole: a reader finds the old text or the new
 * one, never a part.
 */
#ifndef DRMPERF_TOOL_SERVE_TEXTFILE_COLLECTOR_H
#define DRMPERF_TOOL_SERVE_TEXTFILE_COLLECTOR_H

#include <limits.h>
#include <stdio.h>

/* The next text, written into the folder of the file. */
struct textfile_collector {
	const char *path;
	char draft[PATH_MAX];
	FILE *out;
};

/* Returns 0, or a negative errno. */
int
textfile_collector_begin(const char *path, struct textfile_collector *file);
/* Put it in place, or, where it could not be written, away. The same. */
int
textfile_collector_commit(struct textfile_collector *file);
/* Remove the file, which may be gone already. */
int
textfile_collector_remove(const char *path);

#endif /* DRMPERF_TOOL_SERVE_TEXTFILE_COLLECTOR_H */
