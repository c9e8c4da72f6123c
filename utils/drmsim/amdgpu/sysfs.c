/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * [Linux 6.1 amdgpu_pm.c, amdgpu_vram_mgr.c, amdgpu_gtt_mgr.c, smu_v11_0's way
 * to list clocks]
 */
#include "amdgpu/sysfs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/gpu.h"
#include "base/array.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"

#define MHZ 1000000u
#define MICROWATT 1000000u

static void
put_number(const struct amdgpu *amdgpu, const char *name, uint64_t value)
{
	sim_gpu_file(amdgpu->gpu, name, "%" PRIu64 "\n", value);
}

/* ---- clocks */

/*
 * Put the lowest, the present and the highest clock, as of chips with clocks of
 * any frequency: each once, and a star at the present one.
 */
static void
put_clock_levels(const struct amdgpu *amdgpu, const char *name,
		 const struct clocks *clocks, unsigned now)
{
	unsigned mhz[] = { clocks->min, now, clocks->max };
	char text[128];
	unsigned count = 0;
	int length = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(mhz); i++) {
		if (i != 1 && mhz[i] == now)
			continue;
		length += snprintf(text + length, sizeof(text) - (size_t)length,
				   "%u: %uMhz %s\n", count++, mhz[i],
				   i == 1 ? "*" : "");
	}
	sim_gpu_file(amdgpu->gpu, name, "%s", text);
}

static void
put_clock(const struct amdgpu *amdgpu, unsigned channel, const char *label,
	  unsigned mhz)
{
	char name[32];

	snprintf(name, sizeof(name), "freq%u_input", channel);
	sim_gpu_hwmon_file(amdgpu->gpu, name, "%" PRIu64 "\n",
			   (uint64_t)mhz * MHZ);
	snprintf(name, sizeof(name), "freq%u_label", channel);
	sim_gpu_hwmon_file(amdgpu->gpu, name, "%s\n", label);
}

static void
put_clocks(const struct amdgpu *amdgpu)
{
	const struct chip *chip = &amdgpu->chip;
	unsigned sclk = amdgpu_sclk(amdgpu), mclk = amdgpu_mclk(amdgpu);

	sim_gpu_file(amdgpu->gpu, "power_dpm_force_performance_level", "%s\n",
		     amdgpu_pstate_name(amdgpu->pstate));
	put_clock_levels(amdgpu, "pp_dpm_sclk", &chip->sclk, sclk);
	put_clock_levels(amdgpu, "pp_dpm_mclk", &chip->mclk, mclk);
	put_clock(amdgpu, 1, "sclk", sclk);
	put_clock(amdgpu, 2, "mclk", mclk);
}

/* ---- sensors */

static void
put_sensor(const struct amdgpu *amdgpu, const struct chip_sensor *sensor)
{
	static const struct {
		const char *name, *file, *label_file, *label;
		uint64_t factor;
	} files[] = {
		{ "temp", "temp1_input", "temp1_label", "edge", 1 },
		{ "power", "power1_average", NULL, NULL, MICROWATT },
		{ "input-power", "power1_input", NULL, NULL, MICROWATT },
		{ "vddgfx", "in0_input", "in0_label", "vddgfx", 1 },
		{ "vddnb", "in1_input", "in1_label", "vddnb", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (strcmp(files[i].name, sensor->name) != 0)
			continue;
		/* no file of ours can fail to be read, as the kernel's does */
		if (sensor->is_silent) {
			sim_gpu_hwmon_remove(amdgpu->gpu, files[i].file);
			continue;
		}
		sim_gpu_hwmon_file(amdgpu->gpu, files[i].file, "%" PRIu64 "\n",
				   sensor->value * files[i].factor);
		if (files[i].label)
			sim_gpu_hwmon_file(amdgpu->gpu, files[i].label_file,
					   "%s\n", files[i].label);
	}
	if (strcmp(sensor->name, "load") != 0)
		return;
	if (sensor->is_silent)
		sim_gpu_remove_file(amdgpu->gpu, "gpu_busy_percent");
	else
		put_number(amdgpu, "gpu_busy_percent", sensor->value);
}

/* ---- settings of the kernel */

static void
put_text(const struct amdgpu *amdgpu, const char *name, const char *text)
{
	if (*text)
		sim_gpu_file(amdgpu->gpu, name, "%s\n", text);
	else
		sim_gpu_remove_file(amdgpu->gpu, name);
}

/* Chips whose kernel code has a file unique_id. */
static bool
has_unique_id(const struct chip *chip)
{
	static const unsigned versions[][3] = {
		{ 9, 0, 1 },  { 9, 4, 0 },  { 9, 4, 1 },  { 9, 4, 2 },
		{ 9, 4, 3 },  { 9, 4, 4 },  { 9, 5, 0 },  { 10, 3, 0 },
		{ 11, 0, 0 }, { 11, 0, 1 }, { 11, 0, 2 }, { 11, 0, 3 },
		{ 12, 0, 0 }, { 12, 0, 1 }, { 12, 1, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(versions); i++) {
		if (!memcmp(chip->gfx_version, versions[i],
			    sizeof(versions[i])))
			return true;
	}
	return false;
}

uint64_t
sysfs_unique_id(const struct amdgpu *amdgpu)
{
	const struct sim_gpu *gpu = amdgpu->gpu;

	return has_unique_id(&amdgpu->chip)
		       ? UINT64_C(0x1000000000000000) |
				 (uint64_t)gpu->pci.device_id << 16 |
				 (gpu->index + 1)
		       : 0;
}

static void
put_unique_id(const struct amdgpu *amdgpu)
{
	const uint64_t id = sysfs_unique_id(amdgpu);

	if (id)
		sim_gpu_file(amdgpu->gpu, "unique_id", "%016llx\n",
			     (unsigned long long)id);
}

/* ---- all of them */

void
sysfs_show_memory(const struct amdgpu *amdgpu)
{
	if (amdgpu->gpu->gone)
		return;
	put_number(amdgpu, "mem_info_vram_used", amdgpu_vram_used(amdgpu));
	put_number(amdgpu, "mem_info_vis_vram_used", amdgpu->visible_vram_used);
	put_number(amdgpu, "mem_info_gtt_used", amdgpu_gtt_used(amdgpu));
}

void
sysfs_show(const struct amdgpu *amdgpu)
{
	const struct chip *chip = &amdgpu->chip;

	if (amdgpu->gpu->gone)
		return;
	put_unique_id(amdgpu);
	put_number(amdgpu, "mem_info_vram_total", chip->vram);
	put_number(amdgpu, "mem_info_vis_vram_total", chip->visible_vram);
	put_number(amdgpu, "mem_info_gtt_total", chip->gtt);
	sysfs_show_memory(amdgpu);
	put_clocks(amdgpu);
	for (unsigned i = 0; i < chip->sensor_count; i++)
		put_sensor(amdgpu, &chip->sensors[i]);
	metrics_file_show(amdgpu);
	put_text(amdgpu, "ptl/ptl_enable", chip->ptl);
	put_text(amdgpu, "enforce_isolation", chip->isolation);
}
