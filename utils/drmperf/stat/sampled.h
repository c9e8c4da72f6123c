/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors while a command runs: momentary values are read again and again,
 * since the last value alone says little of the whole run.
 */
#ifndef DRMPERF_TOOL_STAT_SAMPLED_H
#define DRMPERF_TOOL_STAT_SAMPLED_H

#include "select/selection_list.h"
#include "util/tool.h"

/* Interval of reading sensors. */
#define SAMPLED_MS 100

struct stat_range;
struct sampled;

/*
 * Open a session for those selections that are sensors. NULL: there are none,
 * or they cannot be read next to the others.
 */
struct sampled *
sampled_create(struct drmperf *drmperf,
	       const struct drmperf_selection *selections, size_t count);
void
sampled_destroy(struct sampled *sampled);

/* Begin again with no values. */
void
sampled_start(struct sampled *sampled);

/* Read all sensors; those that give no value now are left out. */
void
sampled_read(struct sampled *sampled);

/*
 * Return the values, in the event's unit, of the selection with that index at
 * creation: none if it is no sensor.
 */
const struct stat_range *
sampled_of(const struct sampled *sampled, size_t index);

#endif /* DRMPERF_TOOL_STAT_SAMPLED_H */
