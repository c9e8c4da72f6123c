/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/driver.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "amdgpu/bo_list.h"
#include "amdgpu/client.h"
#include "amdgpu/context_ioctl.h"
#include "amdgpu/gem.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/hardware.h"
#include "amdgpu/gfx/perfmon.h"
#include "amdgpu/gfx/registers.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/spm.h"
#include "amdgpu/gfx/sqtt.h"
#include "amdgpu/gfx/vm.h"
#include "amdgpu/operations.h"
#include "amdgpu/partition.h"
#include "amdgpu/pmu.h"
#include "amdgpu/pstate.h"
#include "amdgpu/scheduler.h"
#include "amdgpu/sysfs.h"
#include "amdgpu/usage.h"
#include "amdgpu/vmid.h"
#include "base/array.h"
#include "base/text.h"
#include "kernel/bo.h"
#include "kernel/ioctl.h"
#include "machine/clock.h"
#include "machine/gpu_files.h"
#include "machine/note.h"
#include "machine/power.h"

#define DEFAULT_LOCKUP_NS 500000000ull
/* Linux 6.12 amdgpu_device.c; from 7.1 on 2 s for all rings. */
#define GFX_TIMEOUT_NS 10000000000ull
#define COMPUTE_TIMEOUT_NS 60000000000ull
#define CLIENTS_MAX 256

/* ---- life of the GPU */

static void
remove_gpu(struct sim_gpu *gpu)
{
	struct amdgpu *amdgpu = amdgpu_of(gpu);

	sim_amdgpu_pmu_destroy(amdgpu->pmu);
	usage_free(amdgpu);
	hardware_free(amdgpu);
	free(amdgpu);
	gpu->data = NULL;
}

/* Make a PMU, "pmu vega20": few chips have one. */
static int
make_pmu(struct amdgpu *amdgpu, const struct sim_text *description)
{
	const struct sim_line *line = sim_text_find(description, "pmu");

	if (!line)
		return 0;
	if (line->count != 2)
		return -EINVAL;
	return sim_amdgpu_pmu_create(amdgpu->gpu, line->words[1], &amdgpu->pmu);
}

/* Write the files that lsmod and newer programs read. */
static void
put_module(struct sim_gpu *gpu)
{
	sim_gpu_file(gpu, "/sys/module/amdgpu/initstate", "live\n");
	/* a folder that is empty: no other module holds it */
	sim_gpu_file(gpu, "/sys/module/amdgpu/holders/none", "%s", "");
	sim_gpu_remove_file(gpu, "/sys/module/amdgpu/holders/none");
	sim_gpu_file(gpu, "/proc/modules",
		     "amdgpu 15000000 0 - Live 0x0000000000000000\n");
}

static int
amdgpu_probe(struct sim_gpu *gpu, const struct sim_text *description)
{
	struct amdgpu *amdgpu = calloc(1, sizeof(*amdgpu));
	int error;

	if (!amdgpu)
		return -ENOMEM;
	gpu->data = amdgpu;
	amdgpu->gpu = gpu;
	amdgpu->next_job = 1;
	amdgpu->lockup_timeout = DEFAULT_LOCKUP_NS;
	amdgpu->job_timeout[0] = COMPUTE_TIMEOUT_NS;
	amdgpu->job_timeout[1] = GFX_TIMEOUT_NS;
	amdgpu->forced_die = -1;
	amdgpu->partitions = 1;
	error = hardware_create(amdgpu, description);
	if (!error)
		error = usage_create(amdgpu);
	if (error) {
		remove_gpu(gpu);
		return error;
	}
	put_module(gpu);
	sim_gpu_add_hwmon(gpu, "amdgpu");
	/* a file, which goes with the GPU as folders do */
	sim_gpu_add_folder(gpu, ".", "gpu_metrics");
	sysfs_show(amdgpu);
	partition_show(amdgpu);
	return make_pmu(amdgpu, description);
}

static bool
amdgpu_polls(const struct sim_gpu *gpu)
{
	return scheduler_polls(amdgpu_of(gpu));
}

static uint64_t
amdgpu_next_event(const struct sim_gpu *gpu)
{
	uint64_t next = scheduler_next(amdgpu_of(gpu));
	uint64_t samples = spm_next(amdgpu_of(gpu));

	return samples < next ? samples : next;
}

static void
amdgpu_advance(struct sim_gpu *gpu, uint64_t now)
{
	scheduler_advance(amdgpu_of(gpu), now);
	if (spm_next(amdgpu_of(gpu)) != SIM_NEVER)
		counting_sync(amdgpu_of(gpu), now);
	sqtt_advance(amdgpu_of(gpu), now);
}

/*
 * Settle samples and traces, which lie in memory that programs read without a
 * call.
 */
static void
update_streams(struct sim_gpu *gpu)
{
	if (spm_next(amdgpu_of(gpu)) != SIM_NEVER)
		counting_sync(amdgpu_of(gpu), sim_now(gpu->sim));
	sqtt_advance(amdgpu_of(gpu), sim_now(gpu->sim));
}

static void
amdgpu_reset(struct sim_gpu *gpu)
{
	scheduler_reset(amdgpu_of(gpu), NULL);
	/* a level outlives a reset, but not the device */
	if (gpu->gone)
		pstate_clear(amdgpu_of(gpu));
}

static void
amdgpu_strike_profiler(struct sim_gpu *gpu, enum sim_foreign what)
{
	other_profiler_strike(amdgpu_of(gpu), what);
}

static void
amdgpu_report(struct sim_gpu *gpu, FILE *out)
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

static void
amdgpu_refresh(struct sim_gpu *gpu)
{
	partition_refresh(amdgpu_of(gpu));
}

/* ---- files */

static int
open_file(struct sim_file *file)
{
	struct amdgpu *amdgpu = amdgpu_of(file->gpu);
	struct client *client;

	partition_refresh(amdgpu);
	/* a primary node is of no partition, and gets one that exists */
	if (file->primary)
		file->partition = 0;
	if (file->partition >= amdgpu->partitions)
		return -ENOENT;
	if (amdgpu->client_count == CLIENTS_MAX)
		return -ENOMEM;
	client = calloc(1, sizeof(*client));
	if (!client)
		return -ENOMEM;
	client->file = file;
	client->amdgpu = amdgpu;
	file->data = client;
	amdgpu->client_count++;
	return 0;
}

/*
 * Report counters that a process left running. A killed process could not stop
 * them, nor can any process where the GPU has gone: no violation.
 */
static void
amdgpu_inspect_file(struct amdgpu *amdgpu, const struct sim_file *file)
{
	char what[80];

	if (sim_gpu_is_gone(file->gpu, file->removals))
		return;
	if (perfmon_is_running(amdgpu, file->id, what, sizeof(what))) {
		if (file->killed)
			sim_note_cleanup(amdgpu->gpu, file->pid, "counters",
					 "killed while counting: %s", what);
		else
			sim_note_violation(amdgpu->gpu, file->pid,
					   "counters-running", "%s", what);
	}
	for (unsigned i = 0; i < amdgpu->ring_count && !file->killed; i++)
		if (ring_may_count(&amdgpu->rings[i]) &&
		    amdgpu->rings[i].enabled_by == file->id)
			sim_note_violation(amdgpu->gpu, file->pid,
					   "perfcount-enable",
					   "COMPUTE_PERFCOUNT_ENABLE was left "
					   "set on a %s ring",
					   amdgpu->rings[i].is_gfx ? "graphics"
								   : "compute");
	/* nothing else can stop it: whatever ended the process, it writes on */
	if (spm_is_armed(amdgpu, file->id, &client_of(file)->vm))
		sim_note_violation(amdgpu->gpu, file->pid, "spm-armed",
				   "streaming counters were left armed");
	if (sqtt_is_armed(amdgpu, file->id, &client_of(file)->vm))
		sim_note_violation(amdgpu->gpu, file->pid, "sqtt-armed",
				   "a thread trace was left armed");
	if (!amdgpu->clock_bit || amdgpu->clock_user != file->id)
		return;
	if (file->killed) {
		sim_note_cleanup(amdgpu->gpu, file->pid, "clock-bit",
				 "killed before RLC_PERFMON_CLK_CNTL was put "
				 "back");
		/*
		 * Where the kernel writes it as well, the next cannot know
		 * whose value it finds, and may leave it so.
		 */
		amdgpu->clock_is_left =
			amdgpu->chip.perfmon_clock == CLOCK_REGISTER;
		amdgpu->clock_bit = !amdgpu->clock_is_left;
	} else {
		sim_note_violation(amdgpu->gpu, file->pid, "clock-bit",
				   "RLC_PERFMON_CLK_CNTL was not put back");
	}
}

static void
close_file(struct sim_file *file)
{
	struct client *client = client_of(file);
	struct amdgpu *amdgpu = client->amdgpu;

	scheduler_forget(amdgpu, client);
	contexts_close(client);
	perfmon_hand_over(amdgpu, file->id, file->killed);
	amdgpu_inspect_file(amdgpu, file);
	bo_lists_close(client);
	vmid_close(client);
	sqtt_forget_vm(amdgpu, &client->vm);
	vm_free(&client->vm);
	free(client);
	amdgpu->client_count--;
	file->data = NULL;
}

/* Comes after close_file() as well, for what was still open then. */
static void
bo_closed(struct sim_file *file, struct sim_bo *bo)
{
	if (client_of(file)) {
		vm_forget_bo(&client_of(file)->vm, bo);
		sqtt_check_buffers(amdgpu_of(file->gpu));
	}
	if (bo->references == 1)
		gem_bo_gone(amdgpu_of(file->gpu), bo);
}

/* ---- the kernel may deny these to everybody but a DRM master */

static int
sched_ioctl(struct sim_call *call, struct sim_file *file, void *arg)
{
	(void)call;
	(void)file;
	(void)arg;
	return 0;
}

static const struct sim_ioctl ioctls[] = {
	{ DRM_IOCTL_AMDGPU_GEM_CREATE, "gem_create", SIM_AUTH | SIM_RENDER,
	  gem_create },
	{ DRM_IOCTL_AMDGPU_GEM_MMAP, "gem_mmap", SIM_AUTH | SIM_RENDER,
	  gem_mmap },
	{ DRM_IOCTL_AMDGPU_CTX, "ctx", SIM_AUTH | SIM_RENDER, context_ioctl },
	{ DRM_IOCTL_AMDGPU_BO_LIST, "bo_list", SIM_AUTH | SIM_RENDER,
	  bo_list_ioctl },
	{ DRM_IOCTL_AMDGPU_CS, "cs", SIM_AUTH | SIM_RENDER, submit_cs },
	{ DRM_IOCTL_AMDGPU_INFO, "info", SIM_AUTH | SIM_RENDER, info_ioctl },
	{ DRM_IOCTL_AMDGPU_GEM_METADATA, "gem_metadata", SIM_AUTH | SIM_RENDER,
	  gem_metadata },
	{ DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE, "gem_wait_idle",
	  SIM_AUTH | SIM_RENDER, gem_wait_idle },
	{ DRM_IOCTL_AMDGPU_GEM_VA, "gem_va", SIM_AUTH | SIM_RENDER, gem_va },
	{ DRM_IOCTL_AMDGPU_WAIT_CS, "wait_cs", SIM_AUTH | SIM_RENDER, wait_cs },
	{ DRM_IOCTL_AMDGPU_GEM_OP, "gem_op", SIM_AUTH | SIM_RENDER, gem_op },
	{ DRM_IOCTL_AMDGPU_GEM_USERPTR, "gem_userptr", SIM_AUTH | SIM_RENDER,
	  gem_userptr },
	{ DRM_IOCTL_AMDGPU_WAIT_FENCES, "wait_fences", SIM_AUTH | SIM_RENDER,
	  wait_fences },
	{ DRM_IOCTL_AMDGPU_VM, "vm", SIM_AUTH | SIM_RENDER, vmid_ioctl },
	{ DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, "fence_to_handle",
	  SIM_AUTH | SIM_RENDER, wait_fence_to_handle },
	{ DRM_IOCTL_AMDGPU_SCHED, "sched", SIM_MASTER, sched_ioctl },
};

const struct sim_driver sim_driver_amdgpu = {
	.name = "amdgpu",
	.description = "AMD GPU",
	.date = "20150101",
	.version = { 3, 49, 0 },
	.ioctls_wake = true, /* amdgpu_drv.c, amdgpu_drm_ioctl */
	.ioctls = ioctls,
	.ioctl_count = ARRAY_SIZE(ioctls),
	.probe = amdgpu_probe,
	.remove = remove_gpu,
	.set = setting_set,
	.fdinfo = usage_fdinfo,
	.open = open_file,
	.close = close_file,
	.mmap = gem_map,
	.next = amdgpu_next_event,
	.advance = amdgpu_advance,
	.settle = update_streams,
	.polls = amdgpu_polls,
	.reset = amdgpu_reset,
	.foreign = amdgpu_strike_profiler,
	.report = amdgpu_report,
	.bo_closed = bo_closed,
	.refresh = amdgpu_refresh,
};
