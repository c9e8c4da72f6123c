/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf stat --kernels: what each kernel of a program has counted. The
 * library libdrmperf-kernels counts inside the program (components/kernels),
 * and writes a line per dispatch into a file. kernels.c runs the program,
 * kernels_read.c reads the file, kernels_print.c prints what it has.
 */
#ifndef DRMPERF_TOOL_STAT_KERNELS_H
#define DRMPERF_TOOL_STAT_KERNELS_H

#include "process/spawn.h"
#include "select/passes.h"
#include "stat/figures.h"
#include "util/records.h"
#include "util/tool.h"

/* Selection of the dispatches that are counted. */
struct kernels_filter {
	const char *pattern; /* of their names; NULL: any */
	unsigned skip, limit; /* of those that match; 0: none */
};

struct kernels_options {
	const char *const *command;
	struct kernels_filter filter;
	bool runs_uncounted; /* first, for the time without counting */
	FILE *out; /* of the table */
	struct records *records; /* of CSV or JSON instead, or NULL */
};

struct kernels_kernel {
	char *name;
	uint64_t calls; /* in the first pass */
	struct stat_range time; /* ns, in the first pass */
	struct stat_range *values; /* of each event */
};

struct kernels_result {
	const struct drmperf_selection **events; /* pass by pass */
	size_t event_count;
	struct kernels_kernel **kernels;
	size_t kernel_count;
	void *tree; /* the same, by name */
	size_t passes; /* that were run */
	uint64_t *dispatches; /* of each pass */
	double seconds; /* that the passes took together */
	double uncounted_seconds; /* of a run without counting, or NAN */
	bool has_begun; /* HSA has loaded the library */
	char *failure; /* why a dispatch was not counted, or NULL */
};

/* Fields of a dispatch's line, see components/kernels/README.md. */
enum kernels_field {
	KERNELS_WORD,
	KERNELS_NUMBER,
	KERNELS_PID,
	KERNELS_TID,
	KERNELS_NODE,
	KERNELS_QUEUE,
	KERNELS_GRID,
	KERNELS_WORKGROUP,
	KERNELS_LDS,
	KERNELS_SCRATCH,
	KERNELS_VGPRS,
	KERNELS_SGPRS,
	KERNELS_START,
	KERNELS_END,
	KERNELS_NAME,
	KERNELS_FIELDS, /* values follow, one for each event of the pass */
};

/* "-" is what is not known. */
struct kernels_dispatch {
	size_t pass;
	char *fields[KERNELS_FIELDS];
	char **values;
	size_t first, count; /* the events that they are of */
};

/* Read the argument of --kernel. Returns 0, or TOOL_USAGE after a complaint. */
int
kernels_read_pattern(struct tool *tool, const char *text, void *filter);
/*
 * Mean the first AMD GPU by names without a device, unless -d says which. 0, or
 * the exit status after a complaint.
 */
int
kernels_choose_device(struct tool *tool);
/* Refuse what a dispatch cannot be counted by. 0, or TOOL_FAILED. */
int
kernels_check_events(const struct tool *tool,
		     const struct selection_list *events);

/*
 * Run the command without counting if that is wanted, then once per pass, and
 * print. Returns the exit status.
 */
int
kernels_count(const struct tool *tool, const struct kernels_options *options,
	      const struct passes *passes, struct spawn_signals *signals);

/*
 * Add what a file says of a pass, whose events are those from first on, to the
 * result, and print each dispatch where there are records. 0, or -ENOMEM.
 */
int
kernels_read(FILE *file, size_t pass, size_t first, size_t count,
	     const struct kernels_options *options,
	     struct kernels_result *result);
void
kernels_finish(struct kernels_result *result);

/* Print before the first dispatch, for each of them, and in the end. */
void
kernels_print_head(const struct kernels_options *options,
		   const struct kernels_result *result);
void
kernels_print_dispatch(const struct kernels_options *options,
		       const struct kernels_result *result,
		       const struct kernels_dispatch *dispatch);
void
kernels_print_result(const struct kernels_options *options,
		     struct kernels_result *result);

#endif /* DRMPERF_TOOL_STAT_KERNELS_H */
