/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of one GPU that are read together, once a frame: each time, what has
 * been counted since the time before.
 */
#ifndef DRMPERF_TOOL_TOP_SOURCE_H
#define DRMPERF_TOOL_TOP_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "drmperf.h"
#include "util/held_clocks.h"

struct top_source {
	struct drmperf *drmperf;
	struct drmperf_session *session;
	size_t count;
	const struct drmperf_selection *selections; /* the caller's */
	union drmperf_value *values;
	double *seconds; /* that each was counted for */
	int die; /* that counters were of last, or -1 */
	struct held_clocks_list clocks; /* as found at the first start */
	bool momentary; /* no value in it needs a restart */
	bool running;
	bool fresh; /* values are those of the last frame */
	struct drmperf_error problem; /* why they are not, if its code is one */
};

/*
 * Open a source of selections that fit one pass, which have to outlive it.
 * Nothing is counted yet. Returns 0, or what drmperf_session_create() returns.
 */
int
top_source_open(struct drmperf *drmperf,
		const struct drmperf_selection *selections, size_t count,
		struct top_source *out, struct drmperf_error *error);

/* Read, and start again; the first read has only momentary values. */
void
top_source_read(struct top_source *source);

/* Stop, so that the GPU may sleep; the next read starts it again. */
void
top_source_rest(struct top_source *source);

void
top_source_close(struct top_source *source);

/* Return a fresh value, of whatever type. */
double
top_source_number(const struct top_source *source, size_t index);

#endif /* DRMPERF_TOOL_TOP_SOURCE_H */
