/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What serve counts: sessions that stay started, read whenever somebody asks.
 */
#ifndef DRMPERF_TOOL_SERVE_EXPORTER_H
#define DRMPERF_TOOL_SERVE_EXPORTER_H

#include "select/selection_list.h"
#include "serve/openmetrics.h"

struct scrape;

/*
 * Name what is chosen, which has to fit one pass, and make its sessions. 0, or
 * the exit status after a complaint. *out is released with scrape_destroy().
 * yields: other processes get counters that they ask for (scrape_yield()).
 */
int
scrape_create(const struct tool *tool, const struct choice *choice, bool yields,
	      struct scrape **out);
void
scrape_destroy(struct scrape *scrape);

/*
 * Show a GPU that cannot be opened, and why. It stays as it is: what it could
 * count is not known. 0, or the exit status after a complaint.
 */
int
scrape_add_closed(struct scrape *scrape, const struct drmperf_device *device,
		  const struct drmperf_error *error);

/*
 * Begin to count. What cannot be started now is tried again at each reading: it
 * is told, and a failure only if nothing at all can be.
 */
int
scrape_start(struct scrape *scrape);

/* Give up counters that other processes ask for, until they are free again. */
void
scrape_yield(struct scrape *scrape);

/* Put the GPUs back. 0, or the exit status after a complaint. */
int
scrape_stop(struct scrape *scrape);

/* Is there anything that has to be counted for some time? */
bool
scrape_needs_time(const struct scrape *scrape);

/* Read all there is and write it down. */
void
scrape_write(struct scrape *scrape, const struct exposition *exposition);

#endif /* DRMPERF_TOOL_SERVE_EXPORTER_H */
