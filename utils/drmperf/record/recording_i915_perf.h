/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of i915-perf-recorder of intel-gpu-tools: OA reports of one metric set,
 * whose events are all in the recording.
 */
#ifndef DRMPERF_TOOL_RECORD_RECORDING_I915_PERF_H
#define DRMPERF_TOOL_RECORD_RECORDING_I915_PERF_H

#include "record/recording.h"

/* Return whether the mapped file is one of i915-perf-recorder. */
bool
recording_is_i915_perf(const struct recording *recording);
/* Open such a recording. Returns 0, or the exit status after a complaint. */
int
recording_open_i915_perf(const struct tool *tool, const char *path,
			 struct recording *recording);
void
recording_close_i915_perf(struct recording *recording);

#endif /* DRMPERF_TOOL_RECORD_RECORDING_I915_PERF_H */
