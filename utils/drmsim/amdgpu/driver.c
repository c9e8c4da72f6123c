/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated amdgpu as the simulator sees it: which ioctls there are, what
 * can be set, and what is looked at when somebody leaves.
 */
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/pmu.h"

#include "base/array.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LOCKUP_NS 500000000ull
#define DEFAULT_WAVE_NS 10000ull

/* ---- clocks */

unsigned
amdgpu_sclk(const struct amdgpu *amdgpu)
{
	const struct clocks *clocks = &amdgpu->chip.sclk;

	switch (amdgpu->pstate) {
	case AMDGPU_CTX_STABLE_PSTATE_NONE:
		return clocks->now;
	case AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK:
		return clocks->min;
	case AMDGPU_CTX_STABLE_PSTATE_PEAK:
		return clocks->max;
	}
	return clocks->stable;
}

unsigned
amdgpu_mclk(const struct amdgpu *amdgpu)
{
	const struct clocks *clocks = &amdgpu->chip.mclk;

	switch (amdgpu->pstate) {
	case AMDGPU_CTX_STABLE_PSTATE_NONE:
		return clocks->now;
	case AMDGPU_CTX_STABLE_PSTATE_MIN_MCLK:
		return clocks->min;
	case AMDGPU_CTX_STABLE_PSTATE_PEAK:
		return clocks->max;
	}
	return clocks->stable;
}

uint64_t
amdgpu_timestamp(const struct amdgpu *amdgpu, uint64_t now)
{
	return (uint64_t)((unsigned __int128)now *
			  amdgpu->chip.reference_khz / 1000000);
}

void
amdgpu_violation(struct amdgpu *amdgpu, const char *kind, const char *format,
		 ...)
{
	char text[160];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	sim_note_violation(amdgpu->gpu, amdgpu->job ? amdgpu->job->pid : 0,
			   kind, "%s", text);
}

/* ---- settings */

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

/* "temp 45000"; "temp none": the sensor does not answer. */
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

static int
set_harvest(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return chip_harvest(&amdgpu->chip, words);
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

/* "gfxoff 100ms" of idleness, 0 for never. */
static int
set_gfxoff(struct amdgpu *amdgpu, const struct sim_words *words)
{
	return set_time(&amdgpu->chip.gfxoff_ns, words);
}

/* "die 3": jobs go there, as if the others were busier; "die any". */
static int
set_die(struct amdgpu *amdgpu, const struct sim_words *words)
{
	uint64_t number;

	if (words->count != 1)
		return -EINVAL;
	if (strcmp(words->word[0], "any") == 0) {
		amdgpu->forced_die = -1;
		return 0;
	}
	if (sim_word_u64(words->word[0], &number) ||
	    number >= amdgpu->chip.die_count)
		return -EINVAL;
	amdgpu->forced_die = (int)number;
	return 0;
}

static const struct setting {
	const char *key;
	int (*set)(struct amdgpu *amdgpu, const struct sim_words *words);
} settings[] = {
	{ "busy", set_busy },
	{ "clock", set_clock },
	{ "sensor", set_sensor },
	{ "memory", set_memory },
	{ "start-value", set_start_value },
	{ "harvest", set_harvest },
	{ "lockup-timeout", set_lockup_timeout },
	{ "wave-time", set_wave_time },
	{ "reset-loses-vram", set_reset_loses_vram },
	{ "firmware", set_firmware },
	{ "gfxoff", set_gfxoff },
	{ "die", set_die },
	{ "client-busy", usage_set_busy },
	{ "client-memory", usage_set_memory },
};

static int
set_one(struct amdgpu *amdgpu, const char *key, const struct sim_words *words)
{
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		if (strcmp(settings[i].key, key) == 0)
			return settings[i].set(amdgpu, words);
	return rates_set(amdgpu, key, words);
}

/* What has been counted so far was counted under the old conditions. */
static void
count_up_to_now(struct amdgpu *amdgpu)
{
	bool gated = amdgpu->gpu->gated_clock;

	amdgpu->gpu->gated_clock = amdgpu->was_gated;
	perfmon_sync(amdgpu, sim_now(amdgpu->gpu->sim));
	amdgpu->gpu->gated_clock = gated;
	amdgpu->was_gated = gated;
	amdgpu->perfmon.rates_changed = true;
}

static int
set(struct sim_gpu *gpu, const char *key, const char *value)
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

/* ---- life of the GPU */

static void
remove_gpu(struct sim_gpu *gpu)
{
	struct amdgpu *amdgpu = amdgpu_of(gpu);

	sim_amdgpu_pmu_destroy(amdgpu->pmu);
	rates_free(&amdgpu->rates);
	chip_free(&amdgpu->chip);
	for (unsigned d = 0; d < DIES_MAX; d++)
		free(amdgpu->dies[d]);
	free(amdgpu);
	gpu->data = NULL;
}

/* "pmu vega20": few chips have one. */
static int
make_pmu(struct amdgpu *amdgpu, const struct sim_text *description)
{
	const struct sim_line *line = sim_text_find(description, "pmu");

	if (!line)
		return 0;
	if (line->count != 2)
		return -EINVAL;
	return sim_amdgpu_pmu_create(amdgpu->gpu, line->words[1],
				     &amdgpu->pmu);
}

/* One graphics ring on the first die, and compute rings on each. */
static void
make_rings(struct amdgpu *amdgpu)
{
	const struct chip *chip = &amdgpu->chip;

	amdgpu->gfx[0].amdgpu = amdgpu;
	amdgpu->gfx[0].die = amdgpu->dies[0];
	amdgpu->gfx[0].is_gfx = true;
	for (unsigned i = 0; i < chip->compute_rings * chip->die_count; i++) {
		amdgpu->compute[i].amdgpu = amdgpu;
		amdgpu->compute[i].die = amdgpu->dies[i / chip->compute_rings];
		amdgpu->compute[i].index = i % chip->compute_rings;
	}
}

static int
probe(struct sim_gpu *gpu, const struct sim_text *description)
{
	struct amdgpu *amdgpu = calloc(1, sizeof(*amdgpu));
	int error;

	if (!amdgpu)
		return -ENOMEM;
	gpu->data = amdgpu;
	amdgpu->gpu = gpu;
	amdgpu->next_job = 1;
	amdgpu->lockup_timeout = DEFAULT_LOCKUP_NS;
	amdgpu->wave_time = DEFAULT_WAVE_NS;
	amdgpu->forced_die = -1;
	error = chip_read(amdgpu, description);
	if (!error)
		error = perfmon_init(amdgpu);
	if (error) {
		remove_gpu(gpu);
		return error;
	}
	make_rings(amdgpu);
	usage_init(&amdgpu->usage);
	sim_gpu_add_hwmon(gpu, "amdgpu");
	sysfs_show(amdgpu);
	return make_pmu(amdgpu, description);
}

static bool
polls(const struct sim_gpu *gpu)
{
	return rings_poll(amdgpu_of(gpu));
}

static uint64_t
next(const struct sim_gpu *gpu)
{
	return rings_next(amdgpu_of(gpu));
}

static void
advance(struct sim_gpu *gpu, uint64_t now)
{
	rings_advance(amdgpu_of(gpu), now);
}

static void
reset(struct sim_gpu *gpu)
{
	rings_reset(amdgpu_of(gpu), NULL);
}

static void
report(struct sim_gpu *gpu, FILE *out)
{
	struct amdgpu *amdgpu = amdgpu_of(gpu);
	const struct chip_register *reg = &amdgpu->chip.reg;
	char what[80];
	bool running = perfmon_is_running(amdgpu, 0, what, sizeof(what));

	fprintf(out,
		"state gpu=%u grbm_gfx_index=0x%08x counters=%s clock_bit=%u "
		"pstate=%u resets=%u\n",
		gpu->index, registers_read(amdgpu, reg->grbm_gfx_index),
		running ? "running" : "stopped",
		reg->rlc_perfmon_clk_cntl
			? registers_read(amdgpu, reg->rlc_perfmon_clk_cntl) & 1
			: 0,
		amdgpu->pstate, amdgpu->reset_count);
}

/* ---- files */

static int
open_file(struct sim_file *file)
{
	struct amdgpu *amdgpu = amdgpu_of(file->gpu);
	struct client *client;

	if (amdgpu->client_count == ARRAY_SIZE(amdgpu->clients))
		return -ENOMEM;
	client = calloc(1, sizeof(*client));
	if (!client)
		return -ENOMEM;
	client->file = file;
	client->amdgpu = amdgpu;
	file->data = client;
	amdgpu->clients[amdgpu->client_count++] = client;
	return 0;
}

static void
forget_client(struct amdgpu *amdgpu, const struct client *client)
{
	for (unsigned i = 0; i < amdgpu->client_count; i++) {
		if (amdgpu->clients[i] == client) {
			amdgpu->clients[i] =
				amdgpu->clients[--amdgpu->client_count];
			return;
		}
	}
}

/*
 * Who leaves has switched what is still on? A process that was killed could
 * not help it, and nobody can where the GPU has gone; for the rest it is bad
 * manners.
 */
static void
inspect(struct amdgpu *amdgpu, const struct sim_file *file)
{
	char what[80];

	if (amdgpu->gpu->gone)
		return;
	if (perfmon_is_running(amdgpu, file->id, what, sizeof(what))) {
		if (file->killed)
			sim_note_cleanup(amdgpu->gpu, file->pid, "counters",
					 "killed while counting: %s", what);
		else
			sim_note_violation(amdgpu->gpu, file->pid,
					   "counters-running", "%s", what);
	}
	if (!amdgpu->clock_bit || amdgpu->clock_user != file->id)
		return;
	if (file->killed)
		sim_note_cleanup(amdgpu->gpu, file->pid, "clock-bit",
				 "killed with RLC_PERFMON_CLK_CNTL set");
	else
		sim_note_violation(amdgpu->gpu, file->pid, "clock-bit",
				   "RLC_PERFMON_CLK_CNTL was left set");
}

static void
close_file(struct sim_file *file)
{
	struct client *client = client_of(file);
	struct amdgpu *amdgpu = client->amdgpu;

	rings_forget(amdgpu, client);
	context_close_all(client);
	inspect(amdgpu, file);
	while (client->bo_lists) {
		struct bo_list *list = client->bo_lists;

		client->bo_lists = list->next;
		bo_list_free(list);
	}
	forget_client(amdgpu, client);
	memory_close(client);
	free(client);
	file->data = NULL;
}

/* Comes after close_file() as well, for what was still open then. */
static void
bo_closed(struct sim_file *file, struct sim_bo *bo)
{
	if (client_of(file))
		memory_unmap_bo(client_of(file), bo);
	if (bo->references == 1)
		memory_bo_gone(amdgpu_of(file->gpu), bo);
}

/* ---- the kernel may deny these to everybody but a DRM master */

static int
vm(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_vm *args = arg;

	(void)call;
	(void)file;
	if (args->in.flags)
		return -EINVAL;
	switch (args->in.op) {
	case AMDGPU_VM_OP_RESERVE_VMID:
	case AMDGPU_VM_OP_UNRESERVE_VMID:
		return 0;
	}
	return -EINVAL;
}

static int
sched(struct sim_call *call, struct sim_file *file, void *arg)
{
	(void)call;
	(void)file;
	(void)arg;
	return 0;
}

static const struct sim_ioctl ioctls[] = {
	{ DRM_IOCTL_AMDGPU_GEM_CREATE, "gem_create", SIM_AUTH | SIM_RENDER,
	  memory_gem_create },
	{ DRM_IOCTL_AMDGPU_GEM_MMAP, "gem_mmap", SIM_AUTH | SIM_RENDER,
	  memory_gem_mmap },
	{ DRM_IOCTL_AMDGPU_CTX, "ctx", SIM_AUTH | SIM_RENDER, context_ioctl },
	{ DRM_IOCTL_AMDGPU_BO_LIST, "bo_list", SIM_AUTH | SIM_RENDER,
	  bo_list_ioctl },
	{ DRM_IOCTL_AMDGPU_CS, "cs", SIM_AUTH | SIM_RENDER | SIM_SUBMIT,
	  submit_cs },
	{ DRM_IOCTL_AMDGPU_INFO, "info", SIM_AUTH | SIM_RENDER, info_ioctl },
	{ DRM_IOCTL_AMDGPU_GEM_METADATA, "gem_metadata",
	  SIM_AUTH | SIM_RENDER, memory_gem_metadata },
	{ DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE, "gem_wait_idle",
	  SIM_AUTH | SIM_RENDER, memory_gem_wait_idle },
	{ DRM_IOCTL_AMDGPU_GEM_VA, "gem_va", SIM_AUTH | SIM_RENDER,
	  memory_gem_va },
	{ DRM_IOCTL_AMDGPU_WAIT_CS, "wait_cs", SIM_AUTH | SIM_RENDER,
	  submit_wait_cs },
	{ DRM_IOCTL_AMDGPU_GEM_OP, "gem_op", SIM_AUTH | SIM_RENDER,
	  memory_gem_op },
	{ DRM_IOCTL_AMDGPU_GEM_USERPTR, "gem_userptr", SIM_AUTH | SIM_RENDER,
	  memory_gem_userptr },
	{ DRM_IOCTL_AMDGPU_WAIT_FENCES, "wait_fences", SIM_AUTH | SIM_RENDER,
	  submit_wait_fences },
	{ DRM_IOCTL_AMDGPU_VM, "vm", SIM_AUTH | SIM_RENDER, vm },
	{ DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, "fence_to_handle",
	  SIM_AUTH | SIM_RENDER, submit_fence_to_handle },
	{ DRM_IOCTL_AMDGPU_SCHED, "sched", SIM_MASTER, sched },
};

const struct sim_driver sim_driver_amdgpu = {
	.name = "amdgpu",
	.description = "AMD GPU",
	.date = "20150101",
	.version = { 3, 49, 0 },
	.ioctls_wake = true, /* amdgpu_drv.c, amdgpu_drm_ioctl */
	.ioctls = ioctls,
	.ioctl_count = ARRAY_SIZE(ioctls),
	.probe = probe,
	.remove = remove_gpu,
	.set = set,
	.fdinfo = usage_fdinfo,
	.open = open_file,
	.close = close_file,
	.mmap = memory_map,
	.next = next,
	.advance = advance,
	.polls = polls,
	.reset = reset,
	.report = report,
	.bo_closed = bo_closed,
};
