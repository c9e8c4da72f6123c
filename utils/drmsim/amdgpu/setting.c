/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/operations.h"

#include <errno.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/doubt.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/rates.h"
#include "amdgpu/partition.h"
#include "amdgpu/pmu.h"
#include "amdgpu/pstate.h"
#include "amdgpu/sysfs.h"
#include "amdgpu/usage.h"
#include "base/array.h"
#include "base/word.h"
#include "machine/clock.h"

/* AMDGPU_IDS_FLAGS_MODE_MASK, and AMDGPU_IDS_FLAGS_MODE_VF in its place. */
#define IDS_FLAGS_MODE 0x300u
#define IDS_FLAGS_VIRTUAL 0x100u

static int
set_busy(struct amdgpu *amdgpu, const struct sim_words *words)
{
	struct chip *chip = &amdgpu->chip;
	uint64_t micro;

	if (words->count != 2 || sim_word_micro(words->word[1], &micro) ||
	    micro > 100000000)
		return -EINVAL;
	for (unsigned i = 0; i < chip->busy_count; i++) {
		if (strcmp(chip->busy[i].name, words->word[0]) == 0) {
			/* millionths of a percent are shares of 10^-8 */
			chip->busy[i].share = micro;
			chip->busy[i].is_set = true;
			return 0;
		}
	}
	return -EINVAL;
}

static int
set_clock(struct amdgpu *amdgpu, const struct sim_words *words)
{
	struct chip *chip = &amdgpu->chip;
	const struct {
		const char *name;
		unsigned *to;
	} names[] = {
		{ "sclk", &chip->sclk.now },
		{ "sclk-min", &chip->sclk.min },
		{ "sclk-max", &chip->sclk.max },
		{ "sclk-stable", &chip->sclk.stable },
		{ "sclk-told", &chip->sclk.told },
		{ "mclk", &chip->mclk.now },
		{ "mclk-min", &chip->mclk.min },
		{ "mclk-max", &chip->mclk.max },
		{ "mclk-stable", &chip->mclk.stable },
	};
	uint64_t mhz;

	if (words->count != 2 || sim_word_u64(words->word[1], &mhz) ||
	    mhz > 100000)
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i].name, words->word[0]) == 0) {
			*names[i].to = (unsigned)mhz;
			return 0;
		}
	}
	return -EINVAL;
}

/* Set "temp 45000"; "temp none": the sensor does not answer. */
static int
set_sensor(struct amdgpu *amdgpu, const struct sim_words *words)
{
	struct chip_sensor *sensor;
	uint64_t value = 0;
	bool none;

	if (words->count != 2)
		return -EINVAL;
	none = strcmp(words->word[1], "none") == 0;
	if (!none &&
	    (sim_word_u64(words->word[1], &value) || value > UINT32_MAX))
		return -EINVAL;
	sensor = chip_sensor(&amdgpu->chip, words->word[0]);
	if (!sensor)
		return -EINVAL;
	sensor->is_silent = none;
	sensor->value = (uint32_t)value;
	return 0;
}

/* Set "user-queues-only on": as with the kernel's parameter user_queue=2. */
static int
set_user_queues_only(struct amdgpu *amdgpu, const struct sim_words *words)
{
	int flag = words->count == 1 ? sim_word_bool(words->word[0]) : -1;

	if (flag < 0)
		return -EINVAL;
	amdgpu->chip.user_queues_only = flag;
	return 0;
}

/*
 * Set "virtual on": the GPU is a virtual function, as Linux reports it from 6.9
 * on.
 */
static int
set_virtual(struct amdgpu *amdgpu, const struct sim_words *words)
{
	int flag = words->count == 1 ? sim_word_bool(words->word[0]) : -1;

	if (flag < 0)
		return -EINVAL;
	amdgpu->chip.asic_flags &= ~IDS_FLAGS_MODE;
	if (flag)
		amdgpu->chip.asic_flags |= IDS_FLAGS_VIRTUAL;
	return 0;
}

static int
set_file(char *to, size_t size, const struct sim_words *words)
{
	size_t length = 0;

	to[0] = '\0';
	if (words->count == 1 && !strcmp(words->word[0], "none"))
		return 0;
	for (size_t i = 0; i < words->count && length < size; i++)
		length += (size_t)snprintf(to + length, size - length, "%s%s",
					   i ? " " : "", words->word[i]);
	return length && length < size ? 0 : -EINVAL;
}

/*
 * Set "ptl enabled", "ptl disabled", "ptl none" for a kernel without the file.
 */
static int
set_ptl(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return set_file(amdgpu->chip.ptl, sizeof(amdgpu->chip.ptl), words);
}

/* Set "enforce-isolation 1 0": a number for each partition, or "none". */
static int
set_isolation(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return set_file(amdgpu->chip.isolation, sizeof(amdgpu->chip.isolation),
			words);
}

static int
set_gpu_metrics(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return gpu_metrics_set(&amdgpu->chip.gpu_metrics, words);
}

static int
set_memory(struct amdgpu *amdgpu, const struct sim_words *words)
{
	const struct {
		const char *name;
		uint64_t *to;
	} names[] = {
		{ "vram-used", &amdgpu->vram_used },
		{ "vis-vram-used", &amdgpu->visible_vram_used },
		{ "gtt-used", &amdgpu->gtt_used },
	};
	uint64_t micro;

	if (words->count != 2 || sim_word_micro(words->word[1], &micro))
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i].name, words->word[0]) == 0) {
			*names[i].to = micro / 1000000;
			return 0;
		}
	}
	return -EINVAL;
}

static int
set_start_value(struct amdgpu *amdgpu, const struct sim_words *words)
{
	struct block *block;
	uint64_t value;

	if (words->count != 2 || sim_word_u64(words->word[1], &value))
		return -EINVAL;
	block = chip_block(&amdgpu->chip, words->word[0],
			   strlen(words->word[0]));
	if (!block)
		return -EINVAL;
	block->start_value = value;
	return 0;
}

/*
 * Set "gated-block TCC": its clock stands still; "none": that of no block does.
 */
static int
set_gated_block(struct amdgpu *amdgpu, const struct sim_words *words)
{
	struct chip *chip = &amdgpu->chip;
	struct block *block;

	if (words->count != 1)
		return -EINVAL;
	block = chip_block(chip, words->word[0], strlen(words->word[0]));
	if (!block && strcmp(words->word[0], "none") != 0)
		return -EINVAL;
	for (unsigned i = 0; i < chip->block_count; i++)
		chip->blocks[i].is_gated = &chip->blocks[i] == block;
	return 0;
}

static int
set_harvest(struct amdgpu *amdgpu, const struct sim_words *words)
{
	int error = chip_harvest(&amdgpu->chip, words);

	/* which tells of units */
	partition_show(amdgpu);
	return error;
}

static int
set_time(uint64_t *to, const struct sim_words *words)
{
	return words->count == 1 ? sim_word_time(words->word[0], to) : -EINVAL;
}

static int
set_lockup_timeout(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return set_time(&amdgpu->lockup_timeout, words);
}

/* Set "job-timeout 10s 60s": of graphics and compute, or of both. */
static int
set_job_timeout(struct amdgpu *amdgpu, const struct sim_words *words)
{
	uint64_t gfx, compute;

	if (words->count < 1 || words->count > 2 ||
	    sim_word_time(words->word[0], &gfx) ||
	    sim_word_time(words->word[words->count - 1], &compute))
		return -EINVAL;
	amdgpu->job_timeout[0] = compute;
	amdgpu->job_timeout[1] = gfx;
	return 0;
}

static int
set_wave_time(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return set_time(&amdgpu->wave_time, words);
}

static int
set_reset_loses_vram(struct amdgpu *amdgpu, const struct sim_words *words)
{
	int flag = words->count == 1 ? sim_word_bool(words->word[0]) : -1;

	if (flag < 0)
		return -EINVAL;
	amdgpu->reset_loses_vram = flag;
	return 0;
}

static int
set_firmware(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return chip_set_firmware(&amdgpu->chip, words);
}

/* Set "packet-time 20ns": what each packet takes. */
static int
set_packet_time(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return set_time(&amdgpu->chip.packet_ns, words);
}

/* Set "clock-behind 5s": the GPU's timestamps are too small by that. */
static int
set_clock_behind(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return set_time(&amdgpu->chip.behind_ns, words);
}

/* Set "gfxoff 100ms" of idleness, 0 for never. */
static int
set_gfxoff(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return set_time(&amdgpu->chip.gfxoff_ns, words);
}

/*
 * Set "die 3": jobs go there, as if the others were busier; or an assumption's
 * word.
 */
static int
set_die(struct amdgpu *amdgpu, const struct sim_words *words)
{
	uint64_t number;

	if (words->count != 1)
		return -EINVAL;
	if (sim_word_u64(words->word[0], &number)) {
		amdgpu->forced_die = -1;
		return doubt_set(amdgpu->chip.doubts, "die", words);
	}
	if (number >= amdgpu->chip.die_count)
		return -EINVAL;
	amdgpu->forced_die = (int)number;
	return 0;
}

/* Set "performance-level profile_standard": written to that file of sysfs. */
static int
set_performance_level(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return words->count == 1 ? pstate_write(amdgpu, words->word[0])
				 : -EINVAL;
}

/* Set "hold-pipe 20s": the compute rings take no job for that time. */
static int
set_hold_pipe(struct amdgpu *amdgpu, const struct sim_words *words)
{
	uint64_t ns;
	int error = set_time(&ns, words);

	if (!error)
		amdgpu->pipe_held_until = sim_now(amdgpu->gpu->sim) + ns;
	return error;
}

/*
 * Set "late-fences 1ms": user fences are written by that later than their jobs.
 */
static int
set_late_fences(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return set_time(&amdgpu->fence_delay, words);
}

/*
 * Set "late-jobs 2": samples arrive when that number of jobs has ended; gfx12.
 */
static int
set_late_jobs(struct amdgpu *amdgpu, const struct sim_words *words)
{
	uint64_t number;

	if (words->count != 1 || !amdgpu->chip.late_samples ||
	    sim_word_u64(words->word[0], &number) || number > 1000)
		return -EINVAL;
	amdgpu->chip.late_jobs = (unsigned)number;
	return 0;
}

/*
 * Set "found-clock on": the kernel, or firmware, has set RLC_PERFMON_CLK_CNTL.
 */
static int
set_found_clock(struct amdgpu *amdgpu, const struct sim_words *words)
{
	uint32_t reg = amdgpu->chip.reg.rlc_perfmon_clk_cntl;
	int on = words->count == 1 ? sim_word_bool(words->word[0]) : -1;

	if (on < 0 || !reg)
		return -EINVAL;
	for (unsigned i = 0; i < amdgpu->chip.die_count; i++)
		amdgpu->dies[i]->registers[reg] = (uint32_t)on;
	amdgpu->kernel_clock_bit = on;
	amdgpu->clock_bit = amdgpu->clock_is_left = false;
	return 0;
}

/* Set "kfd-profiler upstream": the kernel has the call that locks counters. */
static int
set_profiler(struct amdgpu *amdgpu, const struct sim_words *words)
{
	static const char *const names[] = { "off", "upstream", "dkms",
					     "both" };

	for (unsigned i = 0; i < ARRAY_SIZE(names) && words->count == 1; i++) {
		if (strcmp(words->word[0], names[i]) == 0) {
			amdgpu->profiler = i;
			return 0;
		}
	}
	return -EINVAL;
}

static const struct setting {
	const char *key;
	int (*set)(struct amdgpu *amdgpu, const struct sim_words *words);
} settings[] = {
	{ "busy", set_busy },
	{ "clock", set_clock },
	{ "sensor", set_sensor },
	{ "gpu-metrics", set_gpu_metrics },
	{ "user-queues-only", set_user_queues_only },
	{ "virtual", set_virtual },
	{ "ptl", set_ptl },
	{ "enforce-isolation", set_isolation },
	{ "memory", set_memory },
	{ "start-value", set_start_value },
	{ "gated-block", set_gated_block },
	{ "harvest", set_harvest },
	{ "lockup-timeout", set_lockup_timeout },
	{ "wave-time", set_wave_time },
	{ "reset-loses-vram", set_reset_loses_vram },
	{ "firmware", set_firmware },
	{ "packet-time", set_packet_time },
	{ "gfxoff", set_gfxoff },
	{ "clock-behind", set_clock_behind },
	{ "die", set_die },
	{ "dies", partition_set_dies },
	{ "partition", partition_set },
	{ "kfd", partition_set_kfd },
	{ "kfd-profiler", set_profiler },
	{ "found-clock", set_found_clock },
	{ "performance-level", set_performance_level },
	{ "hold-pipe", set_hold_pipe },
	{ "job-timeout", set_job_timeout },
	{ "late-fences", set_late_fences },
	{ "late-jobs", set_late_jobs },
	{ "client-busy", usage_set_busy },
	{ "client-memory", usage_set_memory },
};

static int
set_one(struct amdgpu *amdgpu, const char *key, const struct sim_words *words)
{
	int error;

	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		if (strcmp(settings[i].key, key) == 0)
			return settings[i].set(amdgpu, words);
	error = doubt_set(amdgpu->chip.doubts, key, words);
	if (error != -ENOENT)
		return error;
	return rates_set(amdgpu, key, words);
}

/* Count up to now under the old conditions. */
static void
count_up_to_now(struct amdgpu *amdgpu)
{
	bool gated = amdgpu->gpu->gated_clock;

	amdgpu->gpu->gated_clock = amdgpu->was_gated;
	counting_sync(amdgpu, sim_now(amdgpu->gpu->sim));
	amdgpu->gpu->gated_clock = gated;
	amdgpu->was_gated = gated;
}

int
setting_set(struct sim_gpu *gpu, const char *key, const char *value)
{
	struct amdgpu *amdgpu = amdgpu_of(gpu);
	char buffer[512];
	struct sim_words words;
	int error = sim_amdgpu_pmu_set(amdgpu->pmu, key, value);

	if (error != -ENOENT)
		return error;
	if (strlen(value) >= sizeof(buffer))
		return -EINVAL;
	strcpy(buffer, value);
	if (sim_words_cut(buffer, &words))
		return -EINVAL;
	count_up_to_now(amdgpu);
	error = set_one(amdgpu, key, &words);
	sysfs_show(amdgpu);
	return error;
}
