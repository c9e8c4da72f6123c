/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a GPU's description file; the keys are explained in it. */
#ifndef DRMSIM_AMDGPU_GFX_DESCRIBE_H
#define DRMSIM_AMDGPU_GFX_DESCRIBE_H

struct chip;
struct sim_line;
struct sim_text;

/*
 * Read the chip from the description. Returns 0, -EINVAL, or -ENOMEM; the
 * caller calls chip_free() in any case.
 */
int describe_chip(struct chip *chip, const struct sim_text *description);

/* ---- describe_blocks.c: lines "block", "slot" and "stream" */
/*
 * Describe a block, a slot of the block described last, or how a block that was
 * described streams. Return 0 or -EINVAL.
 */
int describe_block(struct chip *chip, const struct sim_line *line);
int describe_slot(struct chip *chip, const struct sim_line *line);
int
describe_stream(struct chip *chip, const struct sim_line *line);
/* Create the instances, after all lines: 0 or -ENOMEM. */
int describe_instances(struct chip *chip);

#endif /* DRMSIM_AMDGPU_GFX_DESCRIBE_H */
