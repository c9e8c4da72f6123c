/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of PMUs in the folder of a test, which stands for "/". */
#ifndef DRMPERF_TESTS_DRIVER_PERF_EVENT_SYSFS_H
#define DRMPERF_TESTS_DRIVER_PERF_EVENT_SYSFS_H

/* Write a file of a PMU, "i915/type", and the folders that it needs. */
void sysfs_put(const char *file, const char *text);

#endif /* DRMPERF_TESTS_DRIVER_PERF_EVENT_SYSFS_H */
