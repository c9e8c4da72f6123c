/* SPDX-License-Identifier: BSD-3-Clause */
/* DEVICE_QUERY: the driver's answers about the GPU. */
#ifndef DRMSIM_XE_QUERY_H
#define DRMSIM_XE_QUERY_H

struct sim_call;
struct sim_file;

int
sim_xe_query(struct sim_call *call, struct sim_file *file, void *arg);

#endif /* DRMSIM_XE_QUERY_H */
