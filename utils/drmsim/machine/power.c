/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/power.h"

#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "machine/log.h"

void
sim_gpu_resume(struct sim_gpu *gpu)
{
	if (!gpu->suspended)
		return;
	gpu->suspended = false;
	gpu->resumes++;
	sim_gpu_file(gpu, "power/runtime_status", "active\n");
	sim_log(gpu->sim, "gpu%u: resumed", gpu->index);
}

void
sim_gpu_suspend(struct sim_gpu *gpu)
{
	if (gpu->suspended)
		return;
	gpu->suspended = true;
	sim_gpu_file(gpu, "power/runtime_status", "suspended\n");
	sim_log(gpu->sim, "gpu%u: suspended", gpu->index);
}

void
sim_gpu_set_gone(struct sim_gpu *gpu, bool gone)
{
	if (gpu->gone == gone)
		return;
	gpu->gone = gone;
	gpu->removals += gone;
	sim_gpu_hide_folders(gpu, gone);
	if (gone)
		gpu->driver->reset(gpu);
}

bool
sim_gpu_is_gone(const struct sim_gpu *gpu, unsigned removals)
{
	return gpu->gone || gpu->removals != removals;
}

void
sim_gpu_reset(struct sim_gpu *gpu, bool engine)
{
	if (engine && gpu->driver->reset_engine)
		gpu->driver->reset_engine(gpu);
	else
		gpu->driver->reset(gpu);
}
