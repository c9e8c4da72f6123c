/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All registers that are no counter's: most just keep what is written.
 */
#include "amdgpu.h"

uint32_t
registers_read(struct amdgpu *amdgpu, uint32_t dword)
{
	uint32_t value;

	if (dword >= REGISTERS_MAX)
		return 0;
	if (perfmon_read(amdgpu, dword, &value))
		return value;
	if (dword == amdgpu->chip.reg.grbm_status)
		return registers_status(amdgpu, NULL);
	return amdgpu->registers[dword];
}

void
registers_write(struct amdgpu *amdgpu, uint32_t dword, uint32_t value)
{
	const struct chip_register *reg = &amdgpu->chip.reg;

	if (dword >= REGISTERS_MAX || dword == reg->grbm_status ||
	    dword == reg->grbm_status2)
		return;
	if (perfmon_write(amdgpu, dword, value))
		return;
	if (dword == reg->cp_perfmon_cntl)
		perfmon_set_state(amdgpu, value);
	else if (dword == reg->rlc_perfmon_cntl && reg->rlc_perfmon_cntl)
		perfmon_set_rlc_state(amdgpu, value);
	else if (dword == reg->sq_perfcounter_ctrl ||
		 dword == reg->sq_perfcounter_ctrl2 ||
		 dword == reg->sq_perfcounter_mask)
		perfmon_sync(amdgpu, amdgpu->now);
	else if (dword == reg->rlc_perfmon_clk_cntl)
		perfmon_switch_clock(amdgpu);
	amdgpu->registers[dword] = value;
}

/*
 * A bit is set in its share of the readings, spread evenly: each reading adds
 * the share, and where the sum passes a whole the bit shows. phase holds the
 * sums of one reader; NULL for a reader that is not followed.
 */
uint32_t
registers_status(struct amdgpu *amdgpu, uint64_t phase[32])
{
	const struct chip *chip = &amdgpu->chip;
	uint64_t now = sim_now(amdgpu->gpu->sim);
	uint32_t value = 0;

	for (unsigned i = 0; i < chip->busy_count; i++) {
		const struct busy_bit *busy = &chip->busy[i];

		if (!phase) {
			if (busy->share >= 50000000)
				value |= 1u << busy->bit;
			continue;
		}
		phase[busy->bit] += busy->share;
		if (phase[busy->bit] >= 100000000) {
			phase[busy->bit] -= 100000000;
			value |= 1u << busy->bit;
		}
	}
	if (chip->busy_count && rings_busy(amdgpu, now, now + 1))
		value |= 1u << 31;
	return value;
}
