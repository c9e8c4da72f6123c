/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf gl --print and drmperf vk --print: what is counted in each frame of a
 * program. A library in the program marks the ends of frames
 * (components/frontend/frame_marks.h). frames.c reads options and runs the
 * program, frames_count.c answers the marks and counts, frames_print.c prints.
 */
#ifndef DRMPERF_TOOL_FRAMES_FRAMES_H
#define DRMPERF_TOOL_FRAMES_FRAMES_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "select/event_lists.h"
#include "util/held_clocks.h"
#include "util/tool.h"

enum frames_option {
	FRAMES_PRINT = 512,
	FRAMES_CSV,
	FRAMES_JSON,
};

/* The options of both commands: their letters, and their long names. */
#define FRAMES_SHORT_OPTIONS "e:M:o:"
#define FRAMES_LONG_OPTIONS                                                    \
	{ "print", no_argument, NULL, FRAMES_PRINT },                          \
		{ "event", required_argument, NULL, 'e' },                     \
		{ "metric-groups", required_argument, NULL, 'M' },             \
		{ "output", required_argument, NULL, 'o' },                    \
		{ "csv", no_argument, NULL, FRAMES_CSV },                      \
	{                                                                      \
		"json", no_argument, NULL, FRAMES_JSON                         \
	}

/* The options' part of --help. */
#define FRAMES_USAGE                                                           \
	"      --print     count each frame of the program, and print "        \
	"a table at the\n"                                                     \
	"                  end; the GPU is waited for at the end of "          \
	"each\n"                                                               \
	"  -e, --event EVENTS\n"                                               \
	"                  with --print: what to count\n"                      \
	"  -M, --metric-groups GROUPS\n"                                       \
	"                  with --print: events of metric groups; "            \
	"without -e and -M:\n"                                                 \
	"                  of \"default\"\n"                                   \
	"  -o, --output FILE\n"                                                \
	"                  with --print: write to a file\n"                    \
	"      --csv       with --print: for scripts, on standard "            \
	"output\n"                                                             \
	"      --json      with --print: the same as JSON\n"

/* All zero: no option was given. */
struct frames_options {
	bool print, csv, json;
	const char *output; /* file, or NULL */
	struct event_lists lists;
	const char *ends; /* what ends a frame: "a swap of buffers" */
};

/* Read one of these options. 0, or the exit status after a complaint. */
int
frames_read_option(struct tool *tool, struct frames_options *options,
		   int option);

/* Check the options together. 0, or TOOL_USAGE after a complaint. */
int
frames_check_options(const struct tool *tool,
		     const struct frames_options *options);

/*
 * Run the command, and count its frames if --print was given. Returns the exit
 * code to pass on.
 */
int
frames_run(struct tool *tool, const struct frames_options *options,
	   const char *const *command);
void
frames_finish_options(struct frames_options *options);

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
