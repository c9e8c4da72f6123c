/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux 6.1 amdgpu_fdinfo.c] */
#include "amdgpu/usage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "base/word.h"
#include "machine/clock.h"

#define PERCENT 10000u /* in millionths */

enum usage_engine {
	USAGE_GFX,
	USAGE_COMPUTE,
	USAGE_DMA,
	USAGE_DEC,
	USAGE_ENC,
	USAGE_ENC_1,
	USAGE_JPEG,
	USAGE_ENGINES,
};

enum usage_memory {
	USAGE_VRAM,
	USAGE_GTT,
	USAGE_CPU,
	USAGE_MEMORIES,
};

struct usage {
	uint64_t shares[USAGE_ENGINES]; /* millionths of the time */
	uint64_t bytes[USAGE_MEMORIES];
};

static const char *const engines[USAGE_ENGINES] = {
	[USAGE_GFX] = "gfx",   [USAGE_COMPUTE] = "compute",
	[USAGE_DMA] = "dma",   [USAGE_DEC] = "dec",
	[USAGE_ENC] = "enc",   [USAGE_ENC_1] = "enc_1",
	[USAGE_JPEG] = "jpeg",
};

static const char *const memories[USAGE_MEMORIES] = {
	[USAGE_VRAM] = "vram",
	[USAGE_GTT] = "gtt",
	[USAGE_CPU] = "cpu",
};

int
usage_create(struct amdgpu *amdgpu)
{
	struct usage *usage = malloc(sizeof(*usage));

	if (!usage)
		return -ENOMEM;
	*usage = (struct usage){
		.shares = { [USAGE_GFX] = 10 * PERCENT,
			    [USAGE_COMPUTE] = 5 * PERCENT },
		.bytes = { [USAGE_VRAM] = 16u << 20, [USAGE_GTT] = 2u << 20 },
	};
	amdgpu->usage = usage;
	return 0;
}

void
usage_free(struct amdgpu *amdgpu)
{
	free(amdgpu->usage);
}

int
usage_set_busy(struct amdgpu *amdgpu, const struct sim_words *words)
{
	uint64_t micro;
	int engine;

	if (words->count != 2)
		return -EINVAL;
	engine = sim_word_find(words->word[0], engines, USAGE_ENGINES);
	if (engine < 0 || sim_word_micro(words->word[1], &micro) ||
	    micro > 100000000)
		return -EINVAL;
	amdgpu->usage->shares[engine] = micro / 100;
	return 0;
}

int
usage_set_memory(struct amdgpu *amdgpu, const struct sim_words *words)
{
	int memory;

	if (words->count != 2)
		return -EINVAL;
	memory = sim_word_find(words->word[0], memories, USAGE_MEMORIES);
	if (memory < 0)
		return -EINVAL;
	return sim_word_u64(words->word[1], &amdgpu->usage->bytes[memory]);
}

void
usage_fdinfo(struct sim_file *file, FILE *out)
{
	const struct usage *usage = amdgpu_of(file->gpu)->usage;
	uint64_t time = sim_now(file->gpu->sim) - file->opened;

	fprintf(out, "pasid:\t%u\n", file->client);
	/* the blanks before two of the tabs are the kernel's */
	for (unsigned i = 0; i < USAGE_MEMORIES; i++)
		fprintf(out, "drm-memory-%s:%s\t%" PRIu64 " KiB\n", memories[i],
			i == USAGE_VRAM ? "" : " ", usage->bytes[i] / 1024);
	/* engines that were never used are not listed */
	for (unsigned i = 0; i < USAGE_ENGINES; i++) {
		unsigned __int128 ns = usage->shares[i];
		if (usage->shares[i])
			fprintf(out, "drm-engine-%s:\t%" PRIu64 " ns\n",
				engines[i], (uint64_t)(ns * time / 1000000));
	}
}
