/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A shader of straight-line code: followed from its first instruction to
 * s_endpgm if all between them are known, else not at all.
 */
#ifndef DRMSIM_AMDGPU_SHADER_PROGRAM_H
#define DRMSIM_AMDGPU_SHADER_PROGRAM_H

#include <stdint.h>

struct dispatch;
struct ring;

struct launch {
	uint32_t groups[3], threads[3]; /* threads: of a group */
	unsigned wave;			/* lanes of one */
};

/*
 * Run the compute shader of the ring's registers, if there is one, and add what
 * its waves do to *work. Returns 0, or -EFAULT if the ring hangs.
 */
int program_run(struct ring *ring, const struct launch *launch,
		struct dispatch *work);

#endif /* DRMSIM_AMDGPU_SHADER_PROGRAM_H */
