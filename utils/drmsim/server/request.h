/* SPDX-License-Identifier: BSD-3-Clause */
/* Dispatch of a process's requests to the parts of the simulator. */
#ifndef DRMSIM_SERVER_REQUEST_H
#define DRMSIM_SERVER_REQUEST_H

struct sim_call;

/* Handle call->request, and answer unless it sleeps. */
void sim_request_begin(struct sim_call *call);

#endif /* DRMSIM_SERVER_REQUEST_H */
