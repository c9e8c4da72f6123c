/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of processes. */
#ifndef DRMSIM_SERVER_REQUEST_H
#define DRMSIM_SERVER_REQUEST_H

struct sim_call;

/* ---- request.c: their dispatch to the parts of the simulator */
/* Handle call->request, and answer unless it sleeps. */
void sim_request_begin(struct sim_call *call);

/* ---- command.c: drmsim ctl, what programs may ask of the simulator */
/* Handle PROTOCOL_CONTROL. */
int sim_command(struct sim_call *call);

#endif /* DRMSIM_SERVER_REQUEST_H */
