/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated GPU under amdgpu: its state. A part that has its own file keeps
 * its state there, and the other files know it by name only.
 */
#ifndef DRMSIM_AMDGPU_GFX_GPU_H
#define DRMSIM_AMDGPU_GFX_GPU_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "amdgpu/gfx/chip.h"
#include "base/printf.h"

#define TOGETHER_MAX 64

/* Which have a call for profilers. */
#define PROFILER_UPSTREAM 1u
#define PROFILER_DKMS 2u

struct amdgpu {
	struct sim_gpu *gpu;
	struct chip chip;
	struct die *dies[DIES_MAX];
	struct die *die; /* that is executing; else the first one */
	uint64_t now;	 /* of what is being executed */
	/* The job that is being executed; number 0: none. */
	struct running {
		uint64_t number;
		uint64_t file; /* its id, 0 once it is closed */
		pid_t pid;
		struct ring *ring;
		bool is_gfx;
	} running;
	uint64_t last_work; /* when the last job ended */
	bool index_is_lost; /* the kernel has set GRBM_GFX_INDEX since */
	uint64_t resumes; /* of the GPU, when power was last looked at */
	uint64_t wave_time; /* what a round of waves takes */
	uint32_t pstate;    /* AMDGPU_CTX_STABLE_PSTATE_... */
	/* of RLC_PERFMON_CLK_CNTL: as the kernel left it, and whether a
	 * process has left it otherwise */
	bool kernel_clock_bit, clock_bit;
	bool clock_is_left; /* by a killed process: no violation */
	uint64_t clock_user; /* its file */
	/* files that count together: counters run on when one is closed */
	uint64_t together[TOGETHER_MAX];
	unsigned together_count;
	bool was_gated;	     /* gpu->gated_clock up to the last change */

	struct rates *rates;   /* gfx/rates.c */
	struct stretch *busy;  /* gfx/busy.c */
	/* of queues that programs write themselves, by die: they take turns */
	struct stretch *user_busy;
	uint64_t counted;      /* gfx/counting.c: counters are right then */
	struct perf_register *perf_registers; /* gfx/perf_registers.c */
	struct spm *spm; /* gfx/spm.c: streaming counters; or NULL */
	struct sqtt *sqtt; /* gfx/sqtt.c: thread traces; or NULL */
	struct ring *rings; /* gfx/ring.c: the one for graphics first */
	unsigned ring_count;
	struct posted *posted; /* gfx/posted.c: of jobs that have ended */

	/* ---- the kernel's */
	uint64_t next_job;
	int forced_die; /* that gets all jobs, or -1 */
	unsigned partitions; /* render nodes that the dies are divided among */
	bool has_no_kfd;
	unsigned profiler; /* PROFILER_... bits: kernels that KFD is of */
	unsigned reset_count, vram_lost_count;
	uint64_t lockup_timeout;
	uint64_t job_timeout[2]; /* of jobs that run, by is_gfx */
	uint64_t pipe_held_until; /* by work of other programs */
	uint64_t fence_delay; /* of user fences, from the end of jobs on */
	bool reset_loses_vram;
	struct context *pstate_owner;
	uint64_t vram_used, visible_vram_used, gtt_used; /* by others */
	uint64_t vram_allocated, gtt_allocated;
	unsigned client_count;
	const struct client *vmid_owner; /* of a VMID: vmid.c */
	struct usage *usage;	    /* usage.c */
	struct sim_amdgpu_pmu *pmu; /* pmu.c; or NULL */
};

/* Return the clock in MHz, with what a stable pstate makes of it. */
unsigned amdgpu_sclk(const struct amdgpu *amdgpu);
unsigned amdgpu_mclk(const struct amdgpu *amdgpu);
/*
 * Return the stable pstate's name in power_dpm_force_performance_level, or
 * NULL.
 */
const char *amdgpu_pstate_name(uint32_t pstate);
/* Return the value of the GPU's clock. */
uint64_t amdgpu_timestamp(const struct amdgpu *amdgpu, uint64_t now);
/* Compare like packets: 1 <, 2 <=, 3 ==, 4 !=, 5 >=, 6 >, others: true. */
bool
amdgpu_compares(unsigned function, uint64_t value, uint64_t reference);
/* Log a violation of the job that is being executed. */
void
amdgpu_violation(struct amdgpu *amdgpu, const char *kind, const char *format,
		 ...) SIM_PRINTF(3, 4);

static inline unsigned
amdgpu_dies_per_partition(const struct amdgpu *amdgpu)
{
	return amdgpu->chip.die_count / amdgpu->partitions;
}

/* Return the bytes used, with what processes have. */
static inline uint64_t
amdgpu_vram_used(const struct amdgpu *amdgpu)
{
	return amdgpu->vram_used + amdgpu->vram_allocated;
}

static inline uint64_t
amdgpu_gtt_used(const struct amdgpu *amdgpu)
{
	return amdgpu->gtt_used + amdgpu->gtt_allocated;
}

#endif /* DRMSIM_AMDGPU_GFX_GPU_H */
