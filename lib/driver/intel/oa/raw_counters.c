/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/raw_counters.h"

#include <errno.h>

#include "base/arena.h"
#include "driver/intel/oa/format.h"

static int
add_raw(struct description *description, group_index group, const char *name,
	uint32_t selector, enum drmperf_kind kind)
{
	const struct description_event event = {
		.name = name,
		.description = "Raw counter of an OA report.",
		.group = group,
		.unit = DRMPERF_UNIT_NONE,
		.type = DRMPERF_TYPE_UINT64,
		.kind = kind,
		.hidden = true,
		.slots = SLOTS_ANY,
		.selector = selector,
	};

	return name ? description_add_event(description, &event) : -ENOMEM;
}

static int
add_bank(struct description *description, group_index group, const char *bank,
	 uint32_t first, unsigned count)
{
	int ret = 0;

	for (unsigned i = 0; i < count && !ret; i++)
		ret = add_raw(description, group,
			      arena_printf(description->arena, "%s%u", bank, i),
			      first + i, DRMPERF_KIND_CUMULATIVE);
	return ret;
}

int
raw_counters_add(struct description *description, enum oa_generation generation,
		 domain_index domain, group_index *out)
{
	const struct description_group group = {
		.name = "report",
		.description = "Raw counters of OA reports, for expressions.",
		.domain = domain,
		.max_active = RAW_COUNTERS_MAX(generation),
		.instances = 1,
		.instances_per_engine = 1,
		.scope = DRMPERF_SCOPE_DEVICE,
	};
	group_index raw;
	int ret;

	ret = description_add_group(description, &group, &raw);
	if (!ret)
		ret = add_raw(description, raw, "TIME", OA_SLOT_TIME,
			      DRMPERF_KIND_CUMULATIVE);
	if (!ret)
		ret = add_raw(description, raw, "CLOCK", OA_SLOT_CLOCK,
			      DRMPERF_KIND_CUMULATIVE);
	/* Their names in Intel's equations: "GPU_TIME 0 READ". */
	if (!ret)
		ret = add_raw(description, raw, "GPU_TIME0", OA_SLOT_TIME,
			      DRMPERF_KIND_CUMULATIVE);
	if (!ret)
		ret = add_raw(description, raw, "GPU_CLOCK0", OA_SLOT_CLOCK,
			      DRMPERF_KIND_CUMULATIVE);
	if (!ret)
		ret = add_bank(description, raw, "A", OA_SLOT_A,
			       OA_SLOT_B - OA_SLOT_A);
	if (!ret)
		ret = add_bank(description, raw, "B", OA_SLOT_B,
			       OA_SLOT_C - OA_SLOT_B);
	if (!ret)
		ret = add_bank(description, raw, "C", OA_SLOT_C,
			       OA_SLOT_PEC - OA_SLOT_C);
	if (!ret && generation >= OA_XE2)
		ret = add_bank(description, raw, "PEC", OA_SLOT_PEC,
			       OA_SLOT_COUNT - OA_SLOT_PEC);
	if (!ret)
		ret = add_raw(description, raw, "REPORT_AGE",
			      RAW_COUNTER_REPORT_AGE, DRMPERF_KIND_MOMENTARY);
	if (!ret)
		*out = raw;
	return ret;
}
