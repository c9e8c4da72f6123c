/* SPDX-License-Identifier: BSD-3-Clause */
/* Connections of the processes to the server: framing, no meaning. */
#ifndef DRMSIM_SERVER_CONNECTION_H
#define DRMSIM_SERVER_CONNECTION_H

struct sim;

/* Be there for processes; 0 or -errno. */
int sim_connections_listen(struct sim *sim);
void sim_connections_close(struct sim *sim);

#endif /* DRMSIM_SERVER_CONNECTION_H */
