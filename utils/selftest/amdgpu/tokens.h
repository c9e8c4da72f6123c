/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waves in what a shader engine has written to its trace (SQTT). Layouts of
 * tokens: AMD's rocprof-trace-decoder and, where that says nothing else,
 * tinygrad's sqtt.py; of gfx9 Linux gc_9_0_sh_mask.h, and those of gfx10 as of
 * gfx11.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_TOKENS_H
#define DRMPERF_SELFTEST_AMDGPU_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct token_counts {
	unsigned version; /* of the header; 0: none, as of gfx9 */
	uint64_t starts, ends; /* of waves */
};

/*
 * Count the waves in a stream of a major version of the graphics core. Returns
 * false if a token is not known, or the last one is cut off.
 */
bool
tokens_count(unsigned level, const void *data, size_t size,
	     struct token_counts *out);

#endif /* DRMPERF_SELFTEST_AMDGPU_TOKENS_H */
