/* SPDX-License-Identifier: BSD-3-Clause */
/* Log of violations of driver interfaces, and of cleanup after processes. */
#ifndef DRMSIM_MACHINE_NOTE_H
#define DRMSIM_MACHINE_NOTE_H

#include <stdio.h>
#include <sys/types.h>

#include "base/printf.h"

struct sim;
struct sim_gpu;

/*
 * Note something that no well-behaved user of the hardware does. kind is a
 * fixed word, "broadcast-read"; repeated ones are counted, the first few keep
 * their text. pid 0: unknown.
 */
void sim_note_violation(struct sim_gpu *gpu, pid_t pid, const char *kind,
			const char *format, ...) SIM_PRINTF(4, 5);
/* Log what the kernel side cleaned up after a process. */
void sim_note_cleanup(struct sim_gpu *gpu, pid_t pid, const char *kind,
		      const char *format, ...) SIM_PRINTF(4, 5);

/* Return how many kinds of violations there were. */
unsigned sim_notes_violations(const struct sim *sim);
/* Write lines of the report. */
void sim_notes_write(const struct sim *sim, FILE *out);
void sim_notes_clear(struct sim *sim);

#endif /* DRMSIM_MACHINE_NOTE_H */
