/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that the commands of drmperf share. */
#ifndef DRMPERF_TOOL_UTIL_TOOL_H
#define DRMPERF_TOOL_UTIL_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "drmperf.h"

/*
 * Exit codes: those of the command that was run, as env and perf pass them
 * on, and these.
 */
enum {
	TOOL_FAILED = 125, /* drmperf itself failed, as env says it */
	TOOL_CANNOT_RUN = 126,
	TOOL_NOT_FOUND = 127,
	TOOL_USAGE = 129, /* it was not understood, as perf says it */
};

/* More than any machine has, partitions included. */
#define TOOL_MOST_DEVICES 256

struct selection_list;

struct tool {
	struct drmperf *drmperf;
	const char *command; /* "stat", for messages */
	/* whose events are meant where a name has no device, or NULL */
	const struct drmperf_device *device;
	/*
	 * Several of them: bit n % 64 of word n / 64 is set for GPU n. All
	 * words are 0 if -d was not given.
	 */
	uint64_t devices[TOOL_MOST_DEVICES / 64];
	/*
	 * Where they were not chosen: they are all GPUs, and those that may be
	 * counted are meant. Here is what names mean of several, else NULL.
	 */
	struct selection_list *automatic;
	bool terminal; /* standard output is one */
	bool quiet; /* what the library logs is shown otherwise, not told */
	bool colour;
	unsigned width; /* columns of it */
};

/*
 * Print "drmperf stat: CAUSE" and "try: REMEDY" on standard error. Returns
 * TOOL_FAILED.
 */
int
tool_complain(const struct tool *tool, const struct drmperf_error *error);
int
tool_complain_of(const struct tool *tool, const char *path,
		 const struct drmperf_error *error);
int
tool_fail(const struct tool *tool, const char *message, ...)
	__attribute__((format(printf, 2, 3)));
/* Complain that the machine has no supported GPU; return TOOL_FAILED. */
int
tool_fail_no_gpu(const struct tool *tool);
void
tool_warn(const struct tool *tool, const char *message, ...)
	__attribute__((format(printf, 2, 3)));
/* Print a message of the library, with a struct tool as data. */
void
tool_log(void *tool, enum drmperf_log_level level, const char *message);

/*
 * Report wrong arguments, or NULL if getopt has reported them; points at
 * --help. Returns TOOL_USAGE.
 */
int
tool_usage_error(const struct tool *tool, const char *message, ...)
	__attribute__((format(printf, 2, 3)));

/* Read a number from 1 to most. Returns 0, or TOOL_USAGE after a complaint. */
int
tool_read_number(const struct tool *tool, const char *text, const char *option,
		 unsigned long most, unsigned *out);

/*
 * "Aqua Vanjaram (Instinct MI300X)": the chip of an opened device, and the name
 * of the product if the tables have one that differs; "unknown chip" where
 * there is neither, as of a GPU whose node may not be opened.
 */
#define TOOL_CHIP_SIZE 200

const char *
tool_chip(const struct drmperf_device *device, char text[TOOL_CHIP_SIZE]);

/*
 * Place of a device: "0000:03:00.0", or "0000:03:00.0, partition 3" where that
 * is not all of the GPU.
 */
#define TOOL_PLACE_SIZE 64

const char *
tool_place(const struct drmperf_device *device, char text[TOOL_PLACE_SIZE]);

/*
 * Read the first line of a file in the folder of a PCI device, "" if there is
 * none.
 */
void
tool_read_device_file(const char *address, const char *name, char *text,
		      size_t size);

/*
 * Return the partition that an event counts alone, or -1: sensors and the like
 * show all of the GPU.
 */
int tool_partition(const struct drmperf_event *event);

/* Return the printed word for a scope: "device", "queue" or "process". */
const char *
tool_scope_name(enum drmperf_scope scope);

/*
 * Return what goes behind the name of an event, and behind the title of a list
 * that has some of them: what counts only the work of queues that allow it is
 * not system wide.
 */
const char *
tool_scope_mark(enum drmperf_scope scope);
const char *
tool_scope_legend(bool some_are_marked);

/*
 * Return the description of an event, with the part of the GPU that it does not
 * see; for free(), NULL without memory.
 */
char *
tool_description(const struct drmperf_event *event);

/*
 * Print text in a column that begins at indent, where the first line stands
 * already if continues; broken at blanks so that it fits the terminal.
 */
void
tool_print_wrapped(const struct tool *tool, const char *text, size_t indent,
		   bool continues);

#endif /* DRMPERF_TOOL_UTIL_TOOL_H */
