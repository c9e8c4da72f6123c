/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/hwmon.h"

#include <errno.h>
#include <string.h>

#include "base/word.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"

/* Put one that is there if a scenario has set it. */
static void
put_set(struct sim_gpu *gpu, const char *file, uint64_t value)
{
	if (file && value)
		sim_gpu_hwmon_file(gpu, file, "%llu\n",
				   (unsigned long long)value);
}

int
sim_hwmon_set(const struct sim_hwmon *hwmon, struct sim_load *load,
	      const char *value)
{
	size_t length = strcspn(value, " ");
	uint64_t number;

	if (!value[length] || sim_word_u64(value + length + 1, &number))
		return -EINVAL;
	for (unsigned i = 0; i < hwmon->other_count; i++) {
		const char *name = hwmon->others[i];

		if (strlen(name) != length || strncmp(name, value, length))
			continue;
		load->hwmon_others[i] = number;
		load->hwmon_set |= UINT64_C(1) << i;
		load->has_hwmon = true;
		return 0;
	}
	return -EINVAL;
}

void
sim_hwmon_put(struct sim_gpu *gpu, const struct sim_hwmon *hwmon,
	      struct sim_load *load)
{
	uint64_t energy = sim_meter_at(&load->energy, sim_now(gpu->sim));

	if (!load->has_hwmon || gpu->gone)
		return;
	if (!load->shows_hwmon)
		sim_gpu_add_hwmon(gpu, hwmon->driver);
	load->shows_hwmon = true;
	sim_gpu_hwmon_file(gpu, hwmon->energy, "%llu\n",
			   (unsigned long long)energy);
	sim_gpu_hwmon_file(gpu, hwmon->temperature, "%llu\n",
			   (unsigned long long)load->temperature);
	put_set(gpu, hwmon->vram_temperature, load->vram_temperature);
	put_set(gpu, hwmon->fan, load->fan_rpm);
	put_set(gpu, hwmon->power_limit, load->power_limit * 1000000);
	for (unsigned i = 0; i < hwmon->other_count; i++) {
		if (load->hwmon_set >> i & 1)
			sim_gpu_hwmon_file(
				gpu, hwmon->others[i], "%llu\n",
				(unsigned long long)load->hwmon_others[i]);
	}
}
