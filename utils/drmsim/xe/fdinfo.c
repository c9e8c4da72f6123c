/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * [Linux xe_drm_client.c] Time is reported in ticks of the engines' timestamp:
 * the ticks of a client, and that timestamp. The contexts of a client's queues
 * have its ticks in 32 bits: a reading adds what their difference from the last
 * reading says. [Linux 6.12 xe_exec_queue.c]
 */
#include "xe/operations.h"

#include <inttypes.h>

#include "intel/load.h"
#include "intel/platform.h"
#include "kernel/fdinfo.h"
#include "kernel/file.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "xe/device.h"

static void
put_region(FILE *out, const char *region, uint64_t bytes, bool purgeable)
{
	sim_fdinfo_put_memory(out, "total", region, bytes);
	sim_fdinfo_put_memory(out, "shared", region, 0);
	sim_fdinfo_put_memory(out, "active", region, 0);
	sim_fdinfo_put_memory(out, "resident", region, bytes);
	if (purgeable)
		sim_fdinfo_put_memory(out, "purgeable", region, 0);
}

/* Extend 32 bits at a reading; from 0 if a scenario took time back. */
static uint64_t
extend_count(struct sim_file_count *count, uint64_t real)
{
	if (real < count->real)
		count->told = count->real = 0;
	count->told += (uint32_t)(real - count->real);
	count->real = real;
	return count->told;
}

void
sim_xe_fdinfo(struct sim_file *file, FILE *out)
{
	const struct sim_xe *device = sim_xe_of(file->gpu);
	uint64_t now = sim_now(file->gpu->sim);
	uint64_t bytes = device->loads[0].client_memory;

	_Static_assert(SIM_ENGINE_CLASSES <=
			       sizeof(file->counts) / sizeof(file->counts[0]),
		       "each class has a count");

	put_region(out, "system", 0, true);
	put_region(out, "gtt", device->platform.vram ? 0 : bytes, false);
	if (device->platform.vram)
		put_region(out, "vram0", bytes, false);
	put_region(out, "stolen", 0, false);
	for (unsigned c = 0; c < SIM_ENGINE_CLASSES; c++) {
		unsigned count = device->platform.engines[c];
		const char *name = sim_engine_name(c);
		uint64_t ns = sim_load_client(&device->loads[0], c,
					      file->opened, now);

		if (count == 0)
			continue;
		fprintf(out, "drm-cycles-%s:\t%" PRIu64 "\n", name,
			extend_count(&file->counts[c],
				     sim_xe_engine_tick(device, ns)));
		fprintf(out, "drm-total-cycles-%s:\t%" PRIu64 "\n", name,
			sim_xe_cycles(device, now));
		if (count > 1)
			fprintf(out, "drm-engine-capacity-%s:\t%u\n", name,
				count);
	}
}
