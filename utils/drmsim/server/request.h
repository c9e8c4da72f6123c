/* SPDX-License-Identifier: BSD-3-Clause */
/* Which part of the simulator handles what a process asks for. */
#ifndef DRMSIM_SERVER_REQUEST_H
#define DRMSIM_SERVER_REQUEST_H

struct sim_call;

/* Handle call->request, and answer unless it sleeps. */
void sim_request_begin(struct sim_call *call);

#endif /* DRMSIM_SERVER_REQUEST_H */
