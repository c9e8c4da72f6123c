/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls counted by kind, and the mishaps that --fault asks for. */
#ifndef DRMSIM_SCENE_FAULT_H
#define DRMSIM_SCENE_FAULT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sim;
struct sim_gpu;

/* Add a fault of a spec as drmsim --help has it. Returns 0 or -errno. */
int sim_fault_add(struct sim *sim, const char *spec);
void sim_faults_free(struct sim *sim);

/*
 * End all faults: nothing goes wrong any more, but for a counter clock that is
 * gated.
 */
void sim_faults_mend(struct sim *sim);

/* In the place of an error: the process is killed before the call does it. */
#define SIM_FAULT_KILL 4096

/*
 * Count one more call of this kind, lower case. Returns what it shall answer, 0
 * or -errno, or -SIM_FAULT_KILL. gpu may be NULL.
 */
int sim_fault_call(struct sim *sim, struct sim_gpu *gpu, const char *kind);
/* Return 0 or -errno for the n-th call of a kind of PROTOCOL_OUTSIDE_*. */
int sim_fault_outside(struct sim *sim, unsigned kind, uint64_t n);
/* Return how many calls of the kind there were. */
uint64_t sim_fault_calls(const struct sim *sim, const char *kind);
/* Write lines of the report. */
void sim_faults_write_calls(const struct sim *sim, FILE *out);

enum sim_fault_action {
	SIM_FAULT_NONE,
	SIM_FAULT_HANG,
	SIM_FAULT_RESET,
	SIM_FAULT_ENGINE_RESET,
	SIM_FAULT_GONE,
	SIM_FAULT_FOREIGN,
};
/* Count one more submission. Returns what shall happen to it. */
enum sim_fault_action sim_fault_submission(struct sim_gpu *gpu);

/* Return the next moment at which a fault happens by itself. */
uint64_t sim_faults_next(const struct sim *sim);
void sim_faults_advance(struct sim *sim, uint64_t now);

#endif /* DRMSIM_SCENE_FAULT_H */
