/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting for the kernel to put a GPU to sleep, without waking it, and for the
 * machine to sleep as a whole.
 */
#ifndef DRMPERF_SELFTEST_CHECKS_SLEEP_H
#define DRMPERF_SELFTEST_CHECKS_SLEEP_H

#include <stdbool.h>

#include "selftest/checks/check.h"

/* Return whether the GPU may sleep; sysfs is the folder of its PCI device. */
bool
sleep_is_allowed(const char *sysfs);

/*
 * Wait as long as the kernel has been told to wait, and some seconds, but no
 * more than this. False: it does not fall asleep.
 */
bool
sleep_wait(const char *sysfs, unsigned seconds);

/*
 * Return NULL: it has, and is awake; or why not, after no more seconds than
 * this.
 */
const char *
sleep_with_machine(const struct selftest_host *host, unsigned seconds);

#endif /* DRMPERF_SELFTEST_CHECKS_SLEEP_H */
