/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Background activity of the GPU, and the amounts that submitted work adds to
 * counters. The keys are explained by drmsim --help.
 *
 * An event counts what its rule says; without one what work adds, if any work
 * adds to it, and what waves do if "default waves" was said; else, unless
 * "default zero" was said,
 *     1000 * (1 + instance + 256 * event + 262144 * block)
 * in a second.
 */
#ifndef DRMSIM_AMDGPU_GFX_RATES_H
#define DRMSIM_AMDGPU_GFX_RATES_H

#include <stdbool.h>
#include <stdint.h>

struct amdgpu;
struct block;
struct instance;
struct sim_text;
struct sim_words;

enum rule_kind {
	RULE_RATE,
	RULE_LEVEL,
	RULE_PER_WAVE,
	RULE_PER_THREAD,
	RULE_PER_GROUP,
	RULE_PER_DISPATCH,
	RULE_WHILE_BUSY, /* per clock while work is running */
	RULE_WHILE_WAVES, /* per clock and wave that is there */
	/* Operations of shaders that are followed: see struct shader_work. */
	RULE_PER_VALU,
	RULE_PER_SALU,
	RULE_PER_LOAD,
	RULE_PER_STORE,
	RULE_PER_FLAT,
	RULE_PER_LINE_READ,
	RULE_PER_LINE_WRITTEN,
	RULE_PER_L2_READ,
	RULE_PER_L2_WRITE,
};

/*
 * Create the rates from the description: 0 or -errno. rates_free() in any case.
 */
int rates_create(struct amdgpu *amdgpu, const struct sim_text *description);
void rates_free(struct amdgpu *amdgpu);
/*
 * Set a rate from a line of the description or the scenario. Returns -ENOENT if
 * the line is not about rates.
 */
int rates_set(struct amdgpu *amdgpu, const char *key,
	      const struct sim_words *words);
/*
 * Return the events in 10^6 seconds that a counter sees under present
 * conditions.
 */
uint64_t rates_of(const struct amdgpu *amdgpu, const struct block *block,
		  const struct instance *instance, unsigned slot);
/* Return whether cards were seen to count the event with the clock off. */
bool rates_are_ungated(const struct amdgpu *amdgpu, const struct block *block,
		       uint32_t event);
/*
 * Return the amount that a wave adds in a clock to what all instances of a die
 * count, in 10^-6, under present conditions: one whose queue allows counting or
 * not, and whose shader is run or not. What it does of instructions is known if
 * it is.
 */
uint64_t
rates_of_waves(const struct amdgpu *amdgpu, const struct block *block,
	       const struct instance *instance, unsigned slot, bool is_allowed,
	       bool is_run);
/* Return the amount one unit of work of this kind adds, in 10^-6. */
uint64_t rates_of_work(const struct amdgpu *amdgpu, enum rule_kind kind,
		       const struct block *block, uint32_t event,
		       int instance);

#endif /* DRMSIM_AMDGPU_GFX_RATES_H */
