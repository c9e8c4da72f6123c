/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine with GPUs of a kernel driver of the test's, as sysfs shows it.
 */
#ifndef DRMPERF_TESTS_SESSION_MACHINE_H
#define DRMPERF_TESTS_SESSION_MACHINE_H

/*
 * Begin a machine of that many GPUs of "fake"; what goes before /sys, until the
 * end.
 */
const char *
machine_begin(unsigned gpus);
void
machine_end(void);

#endif /* DRMPERF_TESTS_SESSION_MACHINE_H */
