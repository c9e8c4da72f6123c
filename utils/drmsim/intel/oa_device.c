/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/oa_device.h"

#include <errno.h>

#include "machine/gpu.h"
#include "machine/gpu_files.h"

/* ID of an everlasting context, for scenarios without contexts. */
#define DEFAULT_CONTEXT 0x20
/* Time that the kernel waits for a metric set that was written. */
#define SETTLING_NS 500000

uint64_t
sim_oa_whole_clock(const struct sim_platform *platform, unsigned mhz)
{
	const uint64_t hz = mhz * UINT64_C(1000000);

	return hz - hz % platform->oa_hz;
}

void
sim_oa_device_init(struct sim_oa_device *oa, struct sim_gpu *gpu,
		   struct sim_platform *platform, int slots)
{
	oa->gpu = gpu;
	oa->platform = platform;
	oa->slots = slots;
	oa->settle_ns = SETTLING_NS;
	oa->clock_hz = sim_oa_whole_clock(platform, platform->max_mhz);
	sim_timeline_init(&oa->timeline, DEFAULT_CONTEXT);
	/* as after some time of use: not at 0, and no two alike */
	for (unsigned i = 0; i < SIM_OA_SLOTS; i++)
		oa->start[i] = 0x10000 * (i + 1);
	oa->timestamp_offset = 0x1000000;
}

void
sim_oa_device_finish(struct sim_oa_device *oa)
{
	sim_oa_configs_clear(&oa->configs);
	sim_set_rates_free(&oa->set_rates);
}

uint64_t
sim_oa_device_tick(const struct sim_oa_device *oa, uint64_t ns)
{
	return sim_oa_clock_tick(&oa->clock, oa->platform->oa_hz, ns);
}

/* ------------------------------------------------------------------ */
/* Metric sets                                                          */

void
sim_oa_put_metrics(struct sim_oa_device *oa)
{
	char path[64];

	/* an empty directory, which a file comes with */
	snprintf(path, sizeof(path), "drm/card%u/metrics/id", oa->gpu->card);
	sim_gpu_file(oa->gpu, path, " ");
	sim_gpu_remove_file(oa->gpu, path);
}

int
sim_oa_load_config(struct sim_oa_device *oa, struct sim_oa_config *config)
{
	char path[96];

	if (sim_oa_config_find_uuid(&oa->configs, config->uuid)) {
		sim_oa_config_put(config);
		return -EADDRINUSE;
	}
	sim_oa_configs_insert(&oa->configs, config);
	oa->configs_added++;
	if (!oa->gpu->gone) {
		snprintf(path, sizeof(path), "drm/card%u/metrics/%s/id",
			 oa->gpu->card, config->uuid);
		sim_gpu_number_file(oa->gpu, path, config->id);
	}
	return (int)config->id;
}

int
sim_oa_unload_config(struct sim_oa_device *oa, uint64_t id)
{
	struct sim_oa_config *config = sim_oa_config_find(&oa->configs, id);
	char path[96];

	if (!config)
		return -ENOENT;
	snprintf(path, sizeof(path), "drm/card%u/metrics/%s/id", oa->gpu->card,
		 config->uuid);
	sim_gpu_remove_file(oa->gpu, path);
	snprintf(path, sizeof(path), "drm/card%u/metrics/%s", oa->gpu->card,
		 config->uuid);
	sim_gpu_remove_file(oa->gpu, path);
	sim_oa_configs_remove(&oa->configs, config);
	oa->configs_removed++;
	return 0;
}

void
sim_oa_report_configs(const struct sim_oa_device *oa, FILE *out)
{
	fprintf(out, "gpu%u: configurations added %u, removed %u, left %u\n",
		oa->gpu->index, oa->configs_added, oa->configs_removed,
		oa->configs.count);
}
