/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's event sets of events that have a name, as the low level counts them.
 */
#ifndef EXAMPLES_NAMED_EVENTS_H
#define EXAMPLES_NAMED_EVENTS_H

#define NAMED_EVENTS_MAX 64

/* Says on standard error what PAPI did not do. Returns 1. */
int named_events_fail(const char *what, int code);

/* Starts PAPI and makes a set. Returns 0, or 1 if that is not possible. */
int named_events_add(const char *const *names, int count, int *set);

/*
 * Print a line with name, value and unit. Values with fractions lie in its
 * bits.
 */
void named_events_print(const char *name, long long value);

#endif /* EXAMPLES_NAMED_EVENTS_H */
