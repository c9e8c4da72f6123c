/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts that a recording of a stream has beside its samples: enough to write
 * them for programs that know blocks and numbers in place of names.
 */
#ifndef DRMPERF_TOOL_RECORD_RECORDING_STREAM_H
#define DRMPERF_TOOL_RECORD_RECORDING_STREAM_H

#include "rgp/rgp_machine.h"
#include "util/bytes.h"

/* A GPU that streamed. All zero: none did. */
struct recording_stream {
	int device; /* its number */
	uint64_t period_cycles; /* clocks of an interval */
	/*
	 * Of each series, how the hardware selects its event in its block, plus
	 * 1; 0: it is of no block.
	 */
	uint32_t *numbers;
	size_t count;
};

void
recording_stream_encode(struct bytes *bytes,
			const struct recording_stream *stream);
/*
 * Returns 0, -EBADMSG or -ENOMEM; the caller calls recording_stream_finish()
 * either way.
 */
int
recording_stream_decode(struct byte_reader *reader, size_t series_count,
			struct recording_stream *stream);
void
recording_stream_finish(struct recording_stream *stream);

void
recording_machine_encode(struct bytes *bytes,
			 const struct rgp_machine *machine);
/*
 * Decode the facts, which stay where the reader's bytes are. Returns 0 or
 * -EBADMSG.
 */
int
recording_machine_decode(struct byte_reader *reader,
			 struct rgp_machine *machine);

#endif /* DRMPERF_TOOL_RECORD_RECORDING_STREAM_H */
