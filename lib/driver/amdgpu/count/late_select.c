/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/late_select.h"

#include <errno.h>
#include <stdlib.h>

#include "driver/amdgpu/count/sample.h"

/* Samples until the reset check has counted long enough to say something. */
#define MOST_LOOKS 4
/* Times that the first counter must count what the second has missed. */
#define LONG_ENOUGH 3

static bool
core_changes_selects(const struct core *core, const struct select_regs *selects)
{
	uint64_t changed = 0;

	for (size_t i = 0; i < core->instance_count; i++)
		changed |= selects[i].changed;
	return changed;
}

/*
 * Sample until the reset check has counted long enough. A reset that it shows
 * is reported by the next sample, not here.
 */
static int
look_at_reset_check(struct gfx_run *run, struct drmperf_error *error)
{
	struct ibs *ibs = run->ibs;
	struct commands_reset_check reset_check;
	int64_t missed;
	int ret;

	for (int i = 0; i < MOST_LOOKS && ibs->reset_check.block; i++) {
		missed = llabs(
			slot_table_get_reset_check(run->table, &reset_check));
		if (!missed)
			break;
		ret = run_tell(run, ibs_run(ibs, IB_SAMPLE, error));
		if (ret)
			return ret;
		if (!run_is_marked(run, ibs) ||
		    ibs_sample(ibs)->reset_check[0] / LONG_ENOUGH >= missed)
			break;
	}
	return 0;
}

static int
gfx_run_refuse(const struct gfx_run *run, const char *found_by,
	       struct drmperf_error *error)
{
	error_set(error, -EBUSY,
		  "%s: counters run, and this GPU does not select other events "
		  "meanwhile, as %s",
		  amd_device_node(run->gpu->dev), found_by);
	error_remedy(error, "begin to count all events together, while nobody "
			    "else counts");
	return -EBUSY;
}

int
late_select_check(struct gfx_run *run, const struct select_regs *selects,
		  struct drmperf_error *error)
{
	const struct core *core = &run->gpu->core;
	int ret;

	if (!core_changes_selects(core, selects))
		return 0;
	if (core->commands.selects_wait)
		return gfx_run_refuse(run, "drmperf selftest has found", error);
	ret = look_at_reset_check(run, error);
	if (ret || !slot_table_reset_check_was_wrong(run->table))
		return ret;
	return gfx_run_refuse(run, "two counters of the same clock have shown",
			      error);
}
