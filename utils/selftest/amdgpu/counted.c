/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/counted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/amdgpu/perfcounter/domain.h"

void
counted_init(struct counted *counted, struct harness *harness)
{
	memset(counted, 0, sizeof(*counted));
	counted->harness = harness;
}

int
counted_add_id(struct counted *counted, size_t block, uint32_t id)
{
	const struct core *core = &counted->harness->gpu->core;
	uint64_t slots = block_slots_for(&core->blocks[block], id);
	size_t at = counted->count;

	if (at == COUNTED_MAX)
		return -ENOSPC;
	if (slots == block_all_slots(&core->blocks[block]))
		slots = SLOTS_ANY;
	counted->requests[at] = (struct counter_request){
		.group =
			counted->harness->gpu->first_group + (group_index)block,
		.selector = id,
		.slots = slots,
		.instance = DRMPERF_ALL_INSTANCES,
	};
	counted->first[at] = counted->values;
	counted->values += core->blocks[block].instance_count;
	counted->count++;
	return 0;
}

int
counted_add(struct counted *counted, const char *block, const char *event)
{
	const struct core *core = &counted->harness->gpu->core;
	const struct block *found = core_block(core, block);
	size_t index;
	uint32_t id;
	int ret;

	if (!found)
		return -ENOENT;
	index = (size_t)(found - core->blocks);
	ret = core_event_id(core, index, event, counted->harness->arena, &id);
	return ret ? ret : counted_add_id(counted, index, id);
}

int
counted_start(struct counted *counted)
{
	const struct run_options options = { .clock = DRMPERF_CLOCK_AUTO };
	struct drmperf_error *error = &counted->error;
	int ret;

	counted->raw = calloc(counted->values + 1, sizeof(*counted->raw));
	if (!counted->raw)
		return error_set(error, -ENOMEM, "no memory");
	ret = gfx_domain_ops.arm(counted->harness->gpu, &options,
				 counted->requests, counted->count,
				 &counted->run, error);
	if (!ret)
		ret = gfx_domain_ops.start(counted->run, error);
	return ret;
}

int
counted_sample(struct counted *counted)
{
	uint64_t time_ns;

	return gfx_domain_ops.sample(counted->run, DRMPERF_READ_FENCED,
				     counted->raw, &time_ns, &counted->error);
}

uint64_t
counted_sum(const struct counted *counted, size_t request)
{
	size_t end = request + 1 < counted->count ? counted->first[request + 1]
						  : counted->values;
	uint64_t sum = 0;

	for (size_t i = counted->first[request]; i < end; i++)
		sum += counted->raw[i];
	return sum;
}

void
counted_finish(struct counted *counted)
{
	if (counted->run)
		gfx_domain_ops.disarm(counted->run);
	counted->run = NULL;
	free(counted->raw);
	counted->raw = NULL;
}

bool
counted_was_reset(const struct counted *counted)
{
	return amd_context_was_reset(counted->harness->ctx);
}
