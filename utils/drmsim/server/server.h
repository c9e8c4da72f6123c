/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine's life, and the loop that serves the processes below it. */
#ifndef DRMSIM_SERVER_SERVER_H
#define DRMSIM_SERVER_SERVER_H

#include <sys/types.h>

struct sim;

/*
 * Create a machine without GPUs. Returns NULL on failure. SIGCHLD, SIGTERM and
 * SIGHUP are blocked from here on: the loop takes them.
 */
struct sim *sim_server_create(void);
void sim_server_destroy(struct sim *sim);
/* Serve until the child has ended, with its status as waitpid() has it. */
int sim_server_run(struct sim *sim, pid_t child, int *status);

#endif /* DRMSIM_SERVER_SERVER_H */
