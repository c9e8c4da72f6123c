/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the process itself (userptr) that commands reach: the simulator
 * has a copy of it while they run.
 */
#ifndef DRMSIM_KFD_WINDOW_H
#define DRMSIM_KFD_WINDOW_H

#include <stdint.h>

struct kfd_engine;
struct ring;

/*
 * Open a window, for ring->reach. Returns NULL if nothing of the process is
 * there.
 */
uint8_t *
window_open(struct ring *ring, uint64_t address, uint32_t access,
	    uint64_t size);
/* Write back what commands may have written, and forget the copies. */
void
engine_close_windows(struct kfd_engine *engine);

#endif /* DRMSIM_KFD_WINDOW_H */
