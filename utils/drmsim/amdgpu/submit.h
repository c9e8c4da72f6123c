/* SPDX-License-Identifier: BSD-3-Clause */
/* Command submission. */
#ifndef DRMSIM_AMDGPU_SUBMIT_H
#define DRMSIM_AMDGPU_SUBMIT_H

struct sim_call;
struct sim_file;

int submit_cs(struct sim_call *call, struct sim_file *file, void *arg);

#endif /* DRMSIM_AMDGPU_SUBMIT_H */
