/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's compute driver (KFD), which ROCm's runtime uses: one device,
 * /dev/kfd, for all GPUs of AMD from gfx9 on.
 */
#ifndef DRMSIM_KFD_KFD_H
#define DRMSIM_KFD_KFD_H

struct sim;

/*
 * Start KFD when all GPUs are there; mode holds the permissions of /dev/kfd.
 * Returns 0 or -errno. Without a GPU that KFD knows there is nothing.
 */
int
kfd_start(struct sim *sim, unsigned mode);
void
kfd_stop(struct sim *sim);

#endif /* DRMSIM_KFD_KFD_H */
