/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PMUs that amdgpu registers with perf: the data fabric's counters, which
 * only Vega 20 and Arcturus have.
 *
 *   amdgpu_df_N   Vega 20: any event of the fabric
 *   amdgpu_N      both: data sent over the links to other GPUs
 *
 * N is the number of the card's node. Four counters serve both. An event that
 * finds none stays enabled without running until another gives one back; the
 * kernel's rotation is not simulated.
 */
#ifndef DRMSIM_AMDGPU_PMU_H
#define DRMSIM_AMDGPU_PMU_H

struct sim_gpu;
struct sim_amdgpu_pmu;

/*
 * Create the PMU of chip "vega20" or "mi100"; any other has none: 0 with *out
 * NULL. Call from probe, before anybody can open an event.
 */
int sim_amdgpu_pmu_create(struct sim_gpu *gpu, const char *chip,
			  struct sim_amdgpu_pmu **out);
void sim_amdgpu_pmu_destroy(struct sim_amdgpu_pmu *pmu);

/*
 * Set "df-rate NAME RATE": events per second of an event as sysfs names it.
 * What has no rate counts 1000 * (1 + event + 16 * umask + 256 * (instance %
 * 16)) a second. -ENOENT if the key is not ours, or there is no PMU.
 */
int sim_amdgpu_pmu_set(struct sim_amdgpu_pmu *pmu, const char *key,
		       const char *value);

#endif /* DRMSIM_AMDGPU_PMU_H */
