/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks that the processes of a command write into memory which they share with
 * the tool: components/marker has the library that is loaded into them.
 */
#ifndef DRMPERF_TOOL_RECORD_MARK_READER_H
#define DRMPERF_TOOL_RECORD_MARK_READER_H

#include <stdint.h>

#include "record/recording.h"
#include "util/tool.h"

struct mark_memory;

/* Places of marks that were reserved, but not written yet when looked at. */
#define MARK_READER_LATE 64

/* All zero: no marks are read. */
struct mark_reader {
	/* own */
	int file;
	struct mark_memory *memory;
	uint64_t read; /* marks looked at, in the order of their places */
	uint64_t freed; /* bytes of the file given back */
	uint64_t late[MARK_READER_LATE];
	unsigned late_count;
};

/*
 * Have a program that is started from now on write marks. Returns 0, or
 * TOOL_FAILED after a complaint; mark_reader_finish() either way.
 */
int
mark_reader_begin(const struct tool *tool, const char *program,
		  struct mark_reader *reader);

typedef void (*mark_fn)(void *data, const struct recording_mark *mark);

/* Hand on the marks that were written since the last call. */
void
mark_reader_drain(struct mark_reader *reader, mark_fn receive, void *data);

/* Return how many marks there was no room for. */
uint64_t
mark_reader_lost(const struct mark_reader *reader);

void
mark_reader_finish(struct mark_reader *reader);

#endif /* DRMPERF_TOOL_RECORD_MARK_READER_H */
