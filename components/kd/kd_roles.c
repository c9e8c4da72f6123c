/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>

#include "kd_roles.h"

#define LEVEL KD_QUANTITY_LEVEL /* percent of itself, if it is that */
#define SHARE KD_QUANTITY_SHARE

/*
 * The kernel's PMU goes before the OA unit: it keeps no GPU awake, and leaves
 * the choice of the metric set to others.
 */
const struct kd_role kd_roles[] = {
	{ "utilization",
	  true,
	  NULL,
	  {
		  { "amdgpu::metric.GPUBusy", LEVEL },
		  { "amdgpu::sensor.gpu-load", LEVEL },
		  { "i915::pmu.rcs0-busy", SHARE },
		  { "i915::oa.GpuBusy", LEVEL },
		  { "xe::pmu.rcs0-busy", LEVEL },
		  { "xe::oa.GpuBusy", LEVEL },
	  } },
	{ "vertex processors utilization",
	  true,
	  NULL,
	  {
		  { "amdgpu::metric.VsGsBusy", LEVEL },
		  { "i915::oa.VsEuActive", LEVEL },
		  { "i915::oa.VsFpu0Active", LEVEL },
		  { "i915::oa.VsFpuActive", LEVEL },
		  { "xe::oa.XVE_INST_EXECUTED_ALU0_VS_UTILIZATION", LEVEL },
	  } },
	{ "fragment processors utilization",
	  true,
	  NULL,
	  {
		  { "amdgpu::metric.PSBusy", LEVEL },
		  { "i915::oa.PsEuActive", LEVEL },
		  { "i915::oa.PsFpu0Active", LEVEL },
		  { "i915::oa.PsFpuActive", LEVEL },
		  { "xe::oa.XVE_INST_EXECUTED_ALU0_PS_UTILIZATION", LEVEL },
	  } },
	{ "GPU memory usage",
	  false,
	  "amdgpu::sensor.vram-total",
	  { { "amdgpu::sensor.vram-usage", LEVEL } } },
	{ "Primitive count",
	  false,
	  NULL,
	  {
		  { "amdgpu::metric.PrimitivesIn", LEVEL },
		  { "xe::oa.IA_PRIMITIVE", LEVEL },
	  } },
	{ "Culled primitive count",
	  false,
	  NULL,
	  {
		  { "amdgpu::PA_SU.PAPC_SU_CULLED_PRIM", LEVEL },
		  { "amdgpu::PA_SU.PAB_PAPC_SU_CULLED_PRIM", LEVEL },
		  { "xe::oa.STRIPSFAN_OBJECT_CULL", LEVEL },
	  } },
	{ NULL, false, NULL, { { NULL, LEVEL } } },
};
