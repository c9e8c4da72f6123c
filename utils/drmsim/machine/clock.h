/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time. In real time it is the host's; in fast time, which is real time in all
 * else, it runs as many times as fast, for the processes as well
 * (speed/speed.c); in virtual time it stands still until something moves it
 * (server/time.h). Nothing else may ask the host's clock.
 */
#ifndef DRMSIM_MACHINE_CLOCK_H
#define DRMSIM_MACHINE_CLOCK_H

#include <stdint.h>

struct sim;

#define SIM_NEVER UINT64_MAX

/*
 * Return the simulated time in ns since the start; what GPU clocks derive from.
 */
uint64_t sim_now(const struct sim *sim);
/*
 * Return the host's monotonic clock in ns: for waiting for a process, which
 * knows no simulated time.
 */
uint64_t sim_host_now(void);
/*
 * Return CLOCK_MONOTONIC in ns as processes see it: the host's, but in fast
 * time.
 */
uint64_t
sim_process_now(const struct sim *sim);
/*
 * Compute the reading of a clock of clock_gettime() at that simulated time: 0,
 * or -EINVAL if perf takes no such clock.
 */
int sim_clock_time(const struct sim *sim, int clock, uint64_t ns,
		   uint64_t *out);

#endif /* DRMSIM_MACHINE_CLOCK_H */
