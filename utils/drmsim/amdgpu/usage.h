/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fdinfo of a client: engine time since its file was opened and memory, as
 * the scenario sets them, regardless of its submissions.
 */
#ifndef DRMSIM_AMDGPU_USAGE_H
#define DRMSIM_AMDGPU_USAGE_H

#include <stdio.h>

struct amdgpu;
struct sim_file;
struct sim_words;

/* Create the state of usage. Returns 0 or -ENOMEM. */
int usage_create(struct amdgpu *amdgpu);
void usage_free(struct amdgpu *amdgpu);
/* Set "gfx 12" in percent, "vram 16777216" in bytes. Returns 0 or -EINVAL. */
int usage_set_busy(struct amdgpu *amdgpu, const struct sim_words *words);
int usage_set_memory(struct amdgpu *amdgpu, const struct sim_words *words);
void usage_fdinfo(struct sim_file *file, FILE *out);

#endif /* DRMSIM_AMDGPU_USAGE_H */
