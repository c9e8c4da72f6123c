/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time. In real time it is the host's; in virtual time it stands still until
 * something moves it (server/time.h). Nothing else may ask the host's clock.
 */
#ifndef DRMSIM_MACHINE_CLOCK_H
#define DRMSIM_MACHINE_CLOCK_H

#include <stdint.h>

struct sim;

#define SIM_NEVER UINT64_MAX

/* Simulated time in ns since the start; what GPU clocks derive from. */
uint64_t sim_now(const struct sim *sim);
/*
 * The host's monotonic clock in ns: for what a process may be about to do,
 * which knows no simulated time.
 */
uint64_t sim_host_now(void);

#endif /* DRMSIM_MACHINE_CLOCK_H */
