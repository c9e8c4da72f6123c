/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes below the simulator: how they do, and what they may. */
#ifndef DRMSIM_KERNEL_PROCESS_H
#define DRMSIM_KERNEL_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

struct sim;

/* State of a process as far as it has been seen. */
enum sim_fate {
	SIM_FATE_LIVES,
	SIM_FATE_ENDING, /* of itself, or it does not show yet that it is not */
	SIM_FATE_ENDED,
	SIM_FATE_KILLED,
};

/*
 * Return what has become of a process; before is what it was when it was last
 * asked, SIM_FATE_LIVES at first.
 */
enum sim_fate sim_process_fate(const struct sim *sim, pid_t pid,
			       enum sim_fate before);
/* Note that the process announced its end, by exit() or return from main(). */
void sim_process_announce_end(struct sim *sim, pid_t pid);
/* Note that a process opens a file: one of its number that ended is another. */
void
sim_process_note_life(struct sim *sim, pid_t pid);

/*
 * Return whether the process has the capabilities that a driver may ask for:
 * the machine's setting, regardless of the user that runs the simulator.
 */
bool sim_process_is_privileged(const struct sim *sim, pid_t pid);

/*
 * Drop the privileges of the calling process and of what it executes, as
 * /proc/PID/status shows, as far as the host lets it give them up.
 */
void sim_process_drop_privileges(void);

#endif /* DRMSIM_KERNEL_PROCESS_H */
