/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/gpu.h"

#include <amdgpu_drm.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/array.h"
#include "machine/note.h"

/* Return a clock, of which `min_pstate` asks for the lowest. */
static unsigned
clock_now(const struct amdgpu *amdgpu, const struct clocks *clocks,
	  uint32_t min_pstate)
{
	if (amdgpu->pstate == AMDGPU_CTX_STABLE_PSTATE_NONE)
		return clocks->now;
	if (amdgpu->pstate == AMDGPU_CTX_STABLE_PSTATE_PEAK)
		return clocks->max;
	return amdgpu->pstate == min_pstate ? clocks->min : clocks->stable;
}

unsigned
amdgpu_sclk(const struct amdgpu *amdgpu)
{
	return clock_now(amdgpu, &amdgpu->chip.sclk,
			 AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK);
}

unsigned
amdgpu_mclk(const struct amdgpu *amdgpu)
{
	return clock_now(amdgpu, &amdgpu->chip.mclk,
			 AMDGPU_CTX_STABLE_PSTATE_MIN_MCLK);
}

bool
amdgpu_compares(unsigned function, uint64_t value, uint64_t reference)
{
	switch (function) {
	case 1:
		return value < reference;
	case 2:
		return value <= reference;
	case 3:
		return value == reference;
	case 4:
		return value != reference;
	case 5:
		return value >= reference;
	case 6:
		return value > reference;
	}
	return true;
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
