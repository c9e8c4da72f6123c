/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf gl --print and drmperf vk --print: what is counted in each frame of a
 * program. A library in the program marks the ends of frames
 * (components/frontend/frame_marks.h). frames.c reads options and runs the
 * program, frames_count.c answers the marks and counts, frames_print.c prints.
 */
#ifndef DRMPERF_TOOL_FRAMES_FRAMES_H
#define DRMPERF_TOOL_FRAMES_FRAMES_H

#include <stdbool.h>
#include <stdio.h>

#include "select/event_lists.h"
#include "select/selection_list.h"
#include "util/command.h"
#include "util/held_clocks.h"

/* All zero: no option was given. */
struct frames_options {
	bool print, csv, json;
	const char *output; /* file, or NULL */
	struct event_lists lists;
	const char *ends; /* what ends a frame: "a swap of buffers" */
};

/* Rows of both commands, for a struct frames_options; others stand between. */
/* clang-format off */
#define FRAMES_OPTIONS(...)                                                    \
	{ "device", 'd', "DEVICE", COMMAND_CALL(choose_device_of_program),     \
	  .help = "the GPU, by number or PCI address, for drivers that do "    \
		  "not say which they use; sets DRMPERF_GPU" },                \
	__VA_ARGS__                                                            \
	{ "print", 0, NULL, COMMAND_FLAG(struct frames_options, print),        \
	  .help = "count each frame of the program, and print a table at "     \
		  "the end; the GPU is waited for at the end of each" },       \
	{ "event", 'e', "EVENTS",                                              \
	  COMMAND_READ(struct frames_options, lists, event_lists_add_events),  \
	  .help = "with --print: what to count" },                             \
	{ "metric-groups", 'M', "GROUPS",                                      \
	  COMMAND_READ(struct frames_options, lists, event_lists_add_groups),  \
	  .help = "with --print: events of metric groups; without -e and "     \
		  "-M: of \"default\"" },                                      \
	{ "output", 'o', "FILE", COMMAND_TEXT(struct frames_options, output),  \
	  .help = "with --print: write to a file" },                           \
	{ "csv", 0, NULL, COMMAND_FLAG(struct frames_options, csv),            \
	  .help = "with --print: for scripts, on standard output" },           \
	{ "json", 0, NULL, COMMAND_FLAG(struct frames_options, json),          \
	  .help = "with --print: the same as JSON" },                          \
	{ 0 }
/* clang-format on */

/*
 * Run one of both commands; what ends a frame is named in messages. The
 * function has the program load our library. Returns the exit code to pass on.
 */
int
frames_main(struct tool *tool, const struct tool_command *command, int argc,
	    char **argv, const char *ends,
	    int (*enable)(const struct tool *tool));

/* ------------------------------------------------------------------ */
/* What was counted                                                     */

struct frames_values {
	uint64_t count;
	double sum, min, max;
};

/* Room for the PCI address of a GPU, or what else the program calls it. */
#define FRAMES_GPU_SIZE 300

struct frames_result {
	const struct selection_list *events;
	uint64_t frames;
	struct frames_values time; /* ns; reading the counters takes no part */
	struct frames_values *values; /* of each event */
	unsigned processes; /* that have marked frames */
	/* a GPU that drew frames, and is not that of the events; or "" */
	char other_gpu[FRAMES_GPU_SIZE];
	struct drmperf_error reason; /* of the first value that is missing */
	struct held_clocks_list clocks;
	double seconds;
};

void
frames_print(FILE *out, const struct frames_options *options,
	     const char *const *command, const struct frames_result *result);

/* ------------------------------------------------------------------ */
/* Counting                                                             */

struct frame_counter;

/*
 * How the events of a result are chosen again, for the GPU that draws: choose
 * returns 0, or the exit status after a complaint. Where the user has chosen
 * the GPU it is NULL.
 */
struct frames_choice {
	int (*choose)(void *data, const struct drmperf_device *device);
	void *data;
};

/*
 * Start to count, and to listen in a thread for marks: DRMPERF_FRAMES of the
 * environment says where. Returns 0, or TOOL_FAILED after a complaint.
 */
int
frame_counter_start(const struct tool *tool, struct frames_result *result,
		    const struct frames_choice *choice,
		    struct frame_counter **out);
/* End both; the result is complete. NULL is allowed. */
void
frame_counter_stop(struct frame_counter *counter);

/*
 * Have programs of Vulkan load our layer, by the environment. Returns 0, or
 * TOOL_FAILED after a complaint.
 */
int
vk_layer_enable(const struct tool *tool);

#endif /* DRMPERF_TOOL_FRAMES_FRAMES_H */
