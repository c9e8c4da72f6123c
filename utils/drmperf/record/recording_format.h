/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a recording: drmperf-recording(5) describes their contents. */
#ifndef DRMPERF_TOOL_RECORD_RECORDING_FORMAT_H
#define DRMPERF_TOOL_RECORD_RECORDING_FORMAT_H

#include "drmperf.h"

#define RECORDING_MAGIC "drmperf\n"
#define RECORDING_MAGIC_SIZE 8
#define RECORDING_VERSION 1

enum recording_type {
	TYPE_RUN = 1,
	TYPE_EVENT,
	TYPE_SAMPLE,
	TYPE_TASK,
	TYPE_GAP,
	TYPE_END,
	TYPE_HEAD,
	TYPE_REPORTS,
	TYPE_CLOCKS,
	TYPE_VERDICT,
	TYPE_SAMPLING,
	TYPE_STALLS,
	TYPE_MARK,
	TYPE_ROOF,
	TYPE_QUEUES,
	TYPE_STREAM,
	TYPE_MACHINE,
};

/*
 * The file's words for numbers of the library, which may change. Units go by
 * their names there.
 */
struct recording_words {
	const char *const *list;
	unsigned count;
};

extern const struct recording_words recording_types, recording_kinds,
	recording_scopes, recording_operations;

/* Return the number of a word, or -1 if it is none of them. */
int
recording_word_find(const struct recording_words *words, const char *word);
int
recording_unit_find(const char *name);

#endif /* DRMPERF_TOOL_RECORD_RECORDING_FORMAT_H */
