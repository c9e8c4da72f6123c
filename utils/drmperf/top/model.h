/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents of top, without a terminal: GPUs with their rows and notes on
 * missing values, and the processes that use them.
 *
 * A GPU that sleeps is not opened, read or counted: power/runtime_status of
 * its sysfs is all that is looked at.
 */
#ifndef DRMPERF_TOOL_TOP_MODEL_H
#define DRMPERF_TOOL_TOP_MODEL_H

#include "select/selection_list.h"
#include "top/clients.h"
#include "top/row.h"

struct top_rows {
	struct top_row *list;
	size_t count;
};

struct top_device {
	struct drmperf_device *device;
	char product[40]; /* or "" */
	bool asleep;
	bool open; /* its events are known */
	struct drmperf_error problem; /* why they are not, or not all */
	struct top_rows rows; /* of what the kernel tells */
	/* hardware counters: a row each, in one pass */
	struct selection_list chosen;
	char left_out[400]; /* what was asked for and is not counted, or "" */
	struct top_rows counters;
	struct top_source source;
	bool counts; /* the source is open */
	/* sums over its clients, where the kernel tells of no engines */
	struct top_rows sums;
};

/* Note on values that a GPU, or the machine, does not show, with the remedy. */
struct top_note {
	const struct top_device *device; /* or NULL */
	char text[1200];
};

struct top_model {
	const struct tool *tool;
	struct top_device *devices;
	unsigned device_count;
	struct top_clients *clients;
	int clients_error; /* of the last look, or 0 */
	struct top_note *notes;
	size_t note_count;
	bool events_wait; /* -e is not looked up yet: that would wake a GPU */
	unsigned long samples;
};

/*
 * Create the model. Returns 0, or the exit status after a complaint; the caller
 * calls top_model_finish() either way.
 */
int
top_model_init(const struct tool *tool, struct top_model *model);
void
top_model_finish(struct top_model *model);

/*
 * Count these selections of a GPU, in place of others. 0, or TOOL_FAILED after
 * a complaint: they do not fit one pass.
 */
int
top_model_count(struct top_model *model, struct top_device *device,
		const struct selection_list *chosen);

/*
 * Find GPUs that sleep, and open those that do not, if need be. Returns 0, or
 * TOOL_FAILED after a complaint: no memory.
 */
int
top_model_wake(struct top_model *model);

/*
 * Read everything that the next frame shows. Returns 0, or TOOL_FAILED after a
 * complaint: no memory.
 */
int
top_model_sample(struct top_model *model);

#endif /* DRMPERF_TOOL_TOP_MODEL_H */
