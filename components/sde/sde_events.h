/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The GPU events that DRMPERF_SDE_EVENTS names, and what they count.
 *
 * Nothing is looked up before PAPI asks for the events, and no GPU counts
 * before one of them is reset, which is what PAPI_start does; then all of them
 * count until the thread ends, PAPI_shutdown() is called, or the process ends.
 * They are one pass, or there is none of them.
 *
 * Functions may be called from several threads at once. Codes returned are
 * PAPI's; causes are printed on standard error.
 */
#ifndef SDE_EVENTS_H
#define SDE_EVENTS_H

#include <stdbool.h>

/* Return the number of events, the same for the life of the process. */
unsigned sde_events_count(void);

/*
 * Return the event's text, which lives as long as the process; NULL if there is
 * no event of that number.
 */
char *sde_events_name(unsigned index);
char *sde_events_description(unsigned index);

/* Return whether the name begins with a driver that this library knows. */
bool sde_events_owns(const char *name);

int sde_events_find(const char *name, unsigned *index);
int sde_events_reset(unsigned index);
int sde_events_read(unsigned index, long long *value);

/* Stop counting, and close what is open; the next reset begins again. */
void sde_events_stop(void);

#endif /* SDE_EVENTS_H */
