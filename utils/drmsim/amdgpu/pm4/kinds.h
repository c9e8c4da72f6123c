/* SPDX-License-Identifier: BSD-3-Clause */
/* The known packets, the rings that take them, and their lengths. */
#ifndef DRMSIM_AMDGPU_PM4_KINDS_H
#define DRMSIM_AMDGPU_PM4_KINDS_H

#include "amdgpu/pm4/packet.h"

/*
 * Execute a packet, if the ring's firmware knows it in this form; else the ring
 * hangs.
 */
enum outcome pm4_execute(struct packet *packet);

#endif /* DRMSIM_AMDGPU_PM4_KINDS_H */
