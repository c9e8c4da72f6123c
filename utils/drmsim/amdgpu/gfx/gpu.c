/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/gpu.h"

#include <amdgpu_drm.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/array.h"
#include "machine/note.h"

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
	now -= now < amdgpu->chip.behind_ns ? now : amdgpu->chip.behind_ns;
	return (uint64_t)((unsigned __int128)now * amdgpu->chip.reference_khz /
			  1000000);
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
	sim_note_violation(amdgpu->gpu, amdgpu->running.pid, kind, "%s", text);
}

const char *
amdgpu_pstate_name(uint32_t pstate)
{
	static const char *const levels[] = {
		[AMDGPU_CTX_STABLE_PSTATE_NONE] = "auto",
		[AMDGPU_CTX_STABLE_PSTATE_STANDARD] = "profile_standard",
		[AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK] = "profile_min_sclk",
		[AMDGPU_CTX_STABLE_PSTATE_MIN_MCLK] = "profile_min_mclk",
		[AMDGPU_CTX_STABLE_PSTATE_PEAK] = "profile_peak",
	};

	return pstate < ARRAY_SIZE(levels) ? levels[pstate] : NULL;
}
