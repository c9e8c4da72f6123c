/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file that drmperf record writes and drmperf report reads. Its format is
 * in drmperf-recording(5).
 */
#ifndef DRMPERF_TOOL_RECORD_RECORDING_H
#define DRMPERF_TOOL_RECORD_RECORDING_H

#include <sys/types.h>

#include "process/queue_access.h"
#include "record/recording_stream.h"
#include "util/bytes.h"
#include "util/held_clocks.h"
#include "util/records.h"
#include "util/stall_table.h"
#include "verdict/roofline.h"
#include "verdict/verdict.h"

/* An event that was recorded, or is computed from some that were. */
struct recording_event {
	struct record_event event;
	const char *address; /* of its GPU; "" for CPUs */
	const char *chip;
	const char *description;
	bool asked; /* and not just part of one that was */
	size_t series; /* its place in the samples, where steps is NULL */
	/* how it is computed; parts are places in the samples */
	const struct drmperf_step *steps;
	size_t step_count;
};

/* Since counting began; and up to when, by the clock of the counter. */
struct recording_value {
	union drmperf_value value;
	uint64_t end_ns;
	int die; /* or -1; or RECORDING_NEVER: it was not read, or not yet */
};

#define RECORDING_NEVER (-2)

struct recording_sample {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	const struct recording_value *values; /* one of each series */
};

enum recording_task_kind {
	RECORDING_TASK_FORK,
	RECORDING_TASK_NAME, /* of a thread that changed it, or of an exec */
	RECORDING_TASK_EXIT,
};

/* Linux numbers no process higher. */
#define RECORDING_MOST_PROCESS 4194304

/*
 * A begin, name or end of a thread; a thread is a process if its numbers are
 * alike.
 */
struct recording_task {
	enum recording_task_kind kind;
	uint64_t time_ns;
	pid_t process, thread;
	pid_t parent; /* of a fork: the process that did it; else 0 */
	const char *name; /* or "" */
};

enum recording_mark_kind {
	RECORDING_MARK_PUSH, /* a region of a thread begins */
	RECORDING_MARK_POP, /* the innermost region of the thread ends */
	RECORDING_MARK_START, /* a range of a process begins */
	RECORDING_MARK_STOP,
	RECORDING_MARK_INSTANT,
};

/* What a program said of itself. */
struct recording_mark {
	enum recording_mark_kind kind;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	pid_t process, thread;
	uint64_t range; /* tells ranges of a process apart; else 0 */
	const char *name; /* of what begins, and of an instant; else "" */
};

/* Why there are no samples, from here to the next. */
struct recording_gap {
	uint64_t time_ns;
	const char *cause;
};

/* A device whose instructions were sampled, as struct drmperf_sampling_info. */
struct recording_sampling {
	int device; /* its number */
	const char *address; /* of the GPU */
	const char *chip;
	uint64_t period_cycles;
	unsigned address_bits;
	bool of_all_programs;
	const struct drmperf_sample_reason *reasons;
	unsigned reason_count;
};

/* Samples of a device that came since the last such record. */
struct recording_stalls {
	uint64_t time_ns;
	int device;
	uint64_t losses; /* as struct drmperf_sample_batch has it */
	const struct stall_table *table;
};

/* ------------------------------------------------------------------ */
/* Writing                                                              */

/* An error of writing shows in ferror(out); of memory in bytes.failed. */
struct recorder {
	FILE *out;
	/* own */
	struct bytes bytes;
	enum drmperf_type *types; /* of the series */
	struct recording_value *before;
	size_t series_count;
	uint64_t time_ns; /* of the last sample */
};

/*
 * Write the head of the recording; command is NULL terminated, and may be
 * empty.
 */
void
recorder_begin(struct recorder *recorder, FILE *out,
	       const char *const *command);
/*
 * Add an event, before heads and the first sample. Series are numbered in this
 * order from 0.
 */
void
recorder_add_event(struct recorder *recorder,
		   const struct recording_event *event);
/* Add a rule on what the events mean together; behind heads. */
void
recorder_add_verdict(struct recorder *recorder,
		     const struct verdict_rule *rule);
/* Add a roof of a GPU; behind the verdicts. */
void
recorder_add_roof(struct recorder *recorder, const struct roof *roof);
/*
 * Write which queues events with DRMPERF_SCOPE_QUEUE see, as far as that is
 * known; call it after the roofs, and before the end.
 */
void
recorder_add_queues(struct recorder *recorder, enum queue_access access);
/* Write what is streamed; call it after the roofs and before the clocks. */
void
recorder_add_stream(struct recorder *recorder,
		    const struct recording_stream *stream);
/* Write where it is streamed; call it after the stream. */
void
recorder_add_machine(struct recorder *recorder,
		     const struct rgp_machine *machine);
/* Write the clocks of a GPU that counting holds; call it after the roofs. */
void
recorder_add_clocks(struct recorder *recorder,
		    const struct held_clocks *clocks);
/* Write a device whose instructions are sampled; call it after the clocks. */
void
recorder_add_sampling(struct recorder *recorder,
		      const struct recording_sampling *sampling);
void
recorder_add_sample(struct recorder *recorder,
		    const struct recording_sample *sample);
void
recorder_add_task(struct recorder *recorder,
		  const struct recording_task *task);
void
recorder_add_mark(struct recorder *recorder, const struct recording_mark *mark);
void
recorder_add_gap(struct recorder *recorder, const struct recording_gap *gap);
void
recorder_add_stalls(struct recorder *recorder,
		    const struct recording_stalls *stalls);
/* Add the head of a device's reports; before the first sample. */
void
recorder_add_head(struct recorder *recorder, int device, const void *head,
		  size_t size);
void
recorder_add_reports(struct recorder *recorder, int device,
		     const struct bytes *records);
/* Write that the recording was ended, and not cut off. */
void
recorder_end(struct recorder *recorder);
void
recorder_finish(struct recorder *recorder);

/* ------------------------------------------------------------------ */
/* Reading                                                              */

enum recording_kind {
	RECORDING_SAMPLE,
	RECORDING_TASK,
	RECORDING_MARK,
	RECORDING_GAP,
};

struct recording_item {
	enum recording_kind kind;
	union {
		struct recording_sample sample; /* until the next one is read */
		struct recording_task task;
		struct recording_mark mark;
		struct recording_gap gap;
	};
};

/* All samples of instructions of a device that have been read. */
struct recording_profile {
	struct recording_sampling sampling;
	struct stall_table table;
	uint64_t losses;
};

struct recording_reports;
struct columns;

struct recording {
	const char *const *command; /* NULL terminated */
	/* when it was begun */
	uint64_t monotonic_ns, boottime_ns, realtime_ns;
	struct recording_event *events;
	size_t event_count;
	size_t series_count;
	enum drmperf_type *types; /* of the series */
	struct verdict_rules verdicts; /* their list is that of events */
	struct roofline roofline; /* its list, too */
	struct recording_stream stream;
	struct rgp_machine machine; /* of the stream */
	/* seen by events that do not see all, as far as the items read tell */
	enum queue_access queues;
	/* Reports that are closer to each other are taken as one sample. */
	uint64_t span_ns;
	/* State after the items read so far: */
	uint64_t time_ns; /* of the latest item */
	struct held_clocks_list clocks; /* that counting held */
	struct drmperf_error gap; /* why values are missing; or code 0 */
	bool goes_on; /* samples follow on the gap */
	size_t cut_off; /* bytes of a record at the end that was not finished */
	bool ended; /* by the recording program */
	struct recording_profile *profiles;
	size_t profile_count;
	/* own */
	void *map;
	size_t size;
	struct byte_reader reader;
	struct byte_reader first; /* where samples begin */
	uint64_t record_ns; /* of the last record that has a time */
	uint64_t sample_ns; /* of the last sample that was given */
	struct recording_value *recorded; /* in the last sample */
	struct recording_value *values; /* that are given */
	struct recording_reports *reports; /* of each device that has some */
	size_t reports_count;
	bool *is_of_reports; /* of the series: its samples are of no use */
	struct columns
		*i915_perf; /* has the events, if another program wrote it */
};

/*
 * Open a recording. Returns 0, or the exit status after a complaint; the caller
 * calls recording_close() either way.
 */
int
recording_open(const struct tool *tool, const char *path,
	       struct recording *recording);
/*
 * Read the next item. Returns 1, 0 behind the last, or -EBADMSG if the file is
 * damaged.
 */
int
recording_next(struct recording *recording, struct recording_item *item);
/* Go back to before the first item. */
void
recording_rewind(struct recording *recording);
/*
 * Return whether a recording has been read up to its end, or where it is
 * damaged.
 */
bool
recording_has_been_read(const struct recording *recording);
void
recording_close(struct recording *recording);

#endif /* DRMPERF_TOOL_RECORD_RECORDING_H */
