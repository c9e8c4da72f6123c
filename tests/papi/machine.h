/* SPDX-License-Identifier: BSD-3-Clause */
/* What does the work that is counted. */
#ifndef TESTS_PAPI_MACHINE_H
#define TESTS_PAPI_MACHINE_H

/* Let all counters grow by amount times their rates. 0, or -1. */
int machine_work(unsigned amount);

#endif /* TESTS_PAPI_MACHINE_H */
