/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers of the INFO ioctl about the GPU. */
#ifndef DRMSIM_AMDGPU_INFO_H
#define DRMSIM_AMDGPU_INFO_H

struct sim_call;
struct sim_file;

int info_ioctl(struct sim_call *call, struct sim_file *file, void *arg);

#endif /* DRMSIM_AMDGPU_INFO_H */
