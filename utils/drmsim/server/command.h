/* SPDX-License-Identifier: BSD-3-Clause */
/* drmsim ctl: what programs below the simulator may ask of it. */
#ifndef DRMSIM_SERVER_COMMAND_H
#define DRMSIM_SERVER_COMMAND_H

struct sim_call;

/* PROTOCOL_CONTROL. */
int sim_command(struct sim_call *call);

#endif /* DRMSIM_SERVER_COMMAND_H */
