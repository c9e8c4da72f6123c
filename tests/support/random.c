/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/random.h"

uint64_t
random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

uint32_t
random_between(uint64_t *state, uint32_t least, uint32_t most)
{
	return least +
	       (uint32_t)((random_next(state) >> 32) % (most - least + 1));
}
