/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A made-up folder that stands for "/", with files of PMUs in it. What must not
 * fail fails the test.
 */
#ifndef DRMPERF_TESTS_DRIVER_PERF_EVENT_SYSFS_H
#define DRMPERF_TESTS_DRIVER_PERF_EVENT_SYSFS_H

/* Return where it is, until it is removed. */
const char *sysfs_root(void);

void sysfs_make(void);
void sysfs_remove(void);

/* Write a file of a PMU, "i915/type", and the folders that it needs. */
void sysfs_put(const char *file, const char *text);

#endif /* DRMPERF_TESTS_DRIVER_PERF_EVENT_SYSFS_H */
