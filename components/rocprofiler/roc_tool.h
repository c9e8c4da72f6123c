/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that HSA calls in the library that HSA_TOOLS_LIB names. */
#ifndef ROC_TOOL_H
#define ROC_TOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/frontend.h"

#define ROC_EXPORT __attribute__((visibility("default")))

/* Among HSA's tools, those with higher numbers are loaded later. */
extern ROC_EXPORT const uint32_t HSA_AMD_TOOL_PRIORITY;

/*
 * Find out whether ROCP_HSA_INTERCEPT asks for interception. Returns 0, or
 * -EINVAL if it has another value.
 */
int roc_tool_intercepts(bool *out, struct drmperf_error *error);

/* HSA starts. False: it goes on without this library. */
ROC_EXPORT bool OnLoad(void *table, uint64_t runtime_version,
		       uint64_t failed_tool_count,
		       const char *const *failed_tool_names);

/* HSA ends. */
ROC_EXPORT void OnUnload(void);

#endif /* ROC_TOOL_H */
