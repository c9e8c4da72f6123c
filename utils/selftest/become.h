/* SPDX-License-Identifier: BSD-3-Clause */
/* Child processes of the self-test, which are this program once more. */
#ifndef DRMPERF_SELFTEST_BECOME_H
#define DRMPERF_SELFTEST_BECOME_H

/* The option that makes this program a working process: the GPU's node. */
#define WORK_OPTION "work-for"

/*
 * Execute this program again, in a child process, as a working process for the
 * GPU with that node. The option selects a task other than computing, or is
 * NULL.
 */
_Noreturn void
become_worker(const char *node, const char *option);

#endif /* DRMPERF_SELFTEST_BECOME_H */
