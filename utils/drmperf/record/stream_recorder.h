/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of a stream in a recording: each interval of the GPU's clock becomes
 * one, as if a session had been read at its end.
 */
#ifndef DRMPERF_TOOL_RECORD_STREAM_RECORDER_H
#define DRMPERF_TOOL_RECORD_STREAM_RECORDER_H

#include "record/columns.h"
#include "record/recording.h"

/* All zero: nothing is streamed. */
struct stream_recorder {
	struct drmperf_stream *stream;
	struct recorder *recorder;
	const struct columns *columns;
	struct recording_value *totals; /* what was counted up to a sample */
	uint64_t samples, saturated, losses;
	uint64_t first_ns, last_ns;
};

/*
 * Begin to stream the columns, one sample every period_cycles; 0: every 4096.
 * Returns 0, or -errno with the error.
 */
int
stream_recorder_start(struct stream_recorder *stream, struct drmperf *drmperf,
		      const struct columns *columns, unsigned period_cycles,
		      struct recorder *recorder, struct drmperf_error *error);

/*
 * Write what is streamed, and where, before the first sample. Returns 0 or
 * -ENOMEM.
 */
int
stream_recorder_write_head(const struct stream_recorder *stream);

/* Write the samples that are there. The errors of drmperf_stream_read(). */
int
stream_recorder_write(struct stream_recorder *stream,
		      struct drmperf_error *error);

/* Print how many samples there are, and how many are missing. */
void
stream_recorder_report(const struct stream_recorder *stream,
		       const struct tool *tool, const char *path);
void
stream_recorder_finish(struct stream_recorder *stream);

#endif /* DRMPERF_TOOL_RECORD_STREAM_RECORDER_H */
