/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns of processes on a GPU, by locks on bytes of its node: without them a
 * dispatch would be counted with those of other ranks.
 */
#ifndef ROC_TURN_H
#define ROC_TURN_H

#include <hsa/hsa.h>
#include <stdbool.h>

#include "frontend/frontend.h"

struct roc_turn {
	int fd; /* -1: processes do not take turns */
	bool was_refused; /* and is not waited for again */
};

/* Open the agent's node; where that fails, other processes do not matter. */
void roc_turn_open(hsa_agent_t agent, struct roc_turn *out);
void roc_turn_close(struct roc_turn *turn);

/*
 * Wait for the turn of this process. Returns 0; -EBUSY if another one has it
 * for 10 seconds, or still has it after such a wait; or if *is_cancelled is
 * set.
 */
int roc_turn_take(struct roc_turn *turn, const bool *is_cancelled,
		  struct drmperf_error *error);

/* End the turn, and let another process have the next one if any waits. */
void roc_turn_end(const struct roc_turn *turn);

#endif /* ROC_TURN_H */
