/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting of serve: sessions that stay started, read at each request. */
#ifndef DRMPERF_TOOL_SERVE_EXPORTER_H
#define DRMPERF_TOOL_SERVE_EXPORTER_H

#include "select/selection_list.h"
#include "serve/openmetrics.h"

struct exporter;

/*
 * Name what is chosen, which has to fit one pass, and make its sessions. 0, or
 * the exit status after a complaint. *out is released with exporter_destroy().
 * yields: other processes get counters that they ask for (exporter_yield()).
 */
int
exporter_create(const struct tool *tool, const struct selection_list *choice,
		bool yields, struct exporter **out);
void
exporter_destroy(struct exporter *exporter);

/*
 * Show a GPU that cannot be opened, and why. It stays as it is: what it could
 * count is not known. 0, or the exit status after a complaint.
 */
int
exporter_add_closed(struct exporter *exporter,
		    const struct drmperf_device *device,
		    const struct drmperf_error *error);

/* Show processes that use GPUs. 0, or TOOL_FAILED after a complaint. */
int
exporter_add_processes(struct exporter *exporter);

/*
 * Begin to count. A source that cannot be started now is reported and tried
 * again at each reading. It is a failure only if no source can be started.
 */
int
exporter_start(struct exporter *exporter);

/* Release counters that other processes need, until they are free again. */
void
exporter_yield(struct exporter *exporter);

/*
 * Look at what would be lost if nothing were read for minutes. To be called a
 * few times in a second.
 */
void
exporter_keep(struct exporter *exporter);

/* Put the GPUs back. 0, or the exit status after a complaint. */
int
exporter_stop(struct exporter *exporter);

/* Return whether anything has to be counted for some time. */
bool
exporter_needs_time(const struct exporter *exporter);

/* Read all there is and write it down. */
void
exporter_write(struct exporter *exporter,
	       const struct openmetrics *openmetrics);

#endif /* DRMPERF_TOOL_SERVE_EXPORTER_H */
