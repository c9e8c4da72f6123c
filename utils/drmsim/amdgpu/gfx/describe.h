/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a GPU's description file; the keys are explained in it. */
#ifndef DRMSIM_AMDGPU_GFX_DESCRIBE_H
#define DRMSIM_AMDGPU_GFX_DESCRIBE_H

struct chip;
struct sim_text;

/*
 * Read the chip from the description. Returns 0, -EINVAL, or -ENOMEM; the
 * caller calls chip_free() in any case.
 */
int describe_chip(struct chip *chip, const struct sim_text *description);

#endif /* DRMSIM_AMDGPU_GFX_DESCRIBE_H */
