/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines "block" and "slot" of a description. */
#ifndef DRMSIM_AMDGPU_GFX_DESCRIBE_BLOCKS_H
#define DRMSIM_AMDGPU_GFX_DESCRIBE_BLOCKS_H

struct chip;
struct sim_line;

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

#endif /* DRMSIM_AMDGPU_GFX_DESCRIBE_BLOCKS_H */
