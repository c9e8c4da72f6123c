/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.12, amdgpu_gfx.c, amdgpu_xcp.c, aqua_vanjaram.c. */
#include "amdgpu/partition.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "amdgpu/gfx/gpu.h"
#include "base/array.h"
#include "base/word.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "machine/log.h"
#include "machine/machine.h"

#define MODE_FILE "current_compute_partition"

/* parts 0: as many as there are dies. */
static const struct mode {
	const char *name;
	unsigned parts;
	unsigned dies; /* has to divide the number of dies */
} modes[] = {
	{ "SPX", 1, 1 }, { "DPX", 2, 4 }, { "TPX", 3, 3 },
	{ "QPX", 4, 4 }, { "CPX", 0, 1 },
};

static unsigned
count_parts(const struct amdgpu *amdgpu, const struct mode *mode)
{
	return mode->parts ? mode->parts : amdgpu->chip.die_count;
}

static bool
has_mode(const struct amdgpu *amdgpu, const struct mode *mode)
{
	return amdgpu->chip.die_count > 1 &&
	       amdgpu->chip.die_count % mode->dies == 0;
}

static const struct mode *
find_mode(const struct amdgpu *amdgpu, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (has_mode(amdgpu, &modes[i]) &&
		    strcasecmp(modes[i].name, name) == 0)
			return &modes[i];
	return NULL;
}

static const struct mode *
current_mode(const struct amdgpu *amdgpu)
{
	size_t i = 0;

	while (count_parts(amdgpu, &modes[i]) != amdgpu->partitions ||
	       !has_mode(amdgpu, &modes[i]))
		i++;
	return &modes[i];
}

/* ---- sysfs */

static void
announce_change(const struct amdgpu *amdgpu)
{
	struct sim *sim = amdgpu->gpu->sim;

	if (sim->partitions_changed)
		sim->partitions_changed(sim);
}

static void
put_available_modes(const struct amdgpu *amdgpu)
{
	char text[64] = "";
	int length = 0;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (has_mode(amdgpu, &modes[i]))
			length += snprintf(text + length,
					   sizeof(text) - (size_t)length,
					   "%s%s", length ? ", " : "",
					   modes[i].name);
	sim_gpu_file(amdgpu->gpu, "available_compute_partition", "%s\n", text);
}

void
partition_show(struct amdgpu *amdgpu)
{
	if (amdgpu->chip.die_count < 2) {
		announce_change(amdgpu);
		return;
	}
	sim_gpu_file(amdgpu->gpu, MODE_FILE, "%s\n",
		     current_mode(amdgpu)->name);
	put_available_modes(amdgpu);
	sim_gpu_file(amdgpu->gpu, "current_memory_partition", "NPS1\n");
	announce_change(amdgpu);
}

/*
 * Refresh the mode of partitions. The kernel would have refused to take other
 * words.
 */
void
partition_refresh(struct amdgpu *amdgpu)
{
	const struct mode *mode;
	char text[32] = "";

	announce_change(amdgpu);
	if (amdgpu->chip.die_count < 2 || amdgpu->gpu->gone ||
	    sim_gpu_read_file(amdgpu->gpu, MODE_FILE, text, sizeof(text)) < 0)
		return;
	text[strcspn(text, "\n")] = '\0';
	mode = find_mode(amdgpu, text);
	if (mode && count_parts(amdgpu, mode) == amdgpu->partitions)
		return;
	if (mode)
		amdgpu->partitions = count_parts(amdgpu, mode);
	sim_log(amdgpu->gpu->sim, "gpu%u: '%s' was written, partition mode %s",
		amdgpu->gpu->index, text, current_mode(amdgpu)->name);
	partition_show(amdgpu);
}

/* ---- settings */

int
partition_set(struct amdgpu *amdgpu, const struct sim_words *words)
{
	const struct mode *mode =
		words->count == 1 ? find_mode(amdgpu, words->word[0]) : NULL;

	if (!mode)
		return -EINVAL;
	amdgpu->partitions = count_parts(amdgpu, mode);
	partition_show(amdgpu);
	return 0;
}

int
partition_set_dies(struct amdgpu *amdgpu, const struct sim_words *words)
{
	uint64_t count;

	if (words->count != 1 || sim_word_u64(words->word[0], &count) ||
	    count < 2 || count > DIES_MAX || !amdgpu->dies[count - 1])
		return -EINVAL;
	amdgpu->chip.die_count = (unsigned)count;
	amdgpu->partitions = 1;
	partition_show(amdgpu);
	return 0;
}

int
partition_set_kfd(struct amdgpu *amdgpu, const struct sim_words *words)
{
	int on = words->count == 1 ? sim_word_bool(words->word[0]) : -1;

	if (on < 0)
		return -EINVAL;
	amdgpu->has_no_kfd = !on;
	partition_show(amdgpu);
	return 0;
}

/* ---- whose dies these are */

bool
partition_has_die(const struct amdgpu *amdgpu, unsigned partition, unsigned die)
{
	return die < amdgpu->chip.die_count &&
	       die / amdgpu_dies_per_partition(amdgpu) == partition;
}
