/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_blocks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* More wires than any block has. */
#define STREAMED_MOST 64

/* Types of blocks by our tables' names, which are those of AMD's registers. */
static const struct block_type {
	const char *group;
	VkGpaPerfBlockAMD type;
} block_types[] = {
	{ "CB", VK_GPA_PERF_BLOCK_CB_AMD },
	{ "CHA", VK_GPA_PERF_BLOCK_CHA_AMD },
	{ "CHC", VK_GPA_PERF_BLOCK_CHC_AMD },
	{ "CHCG", VK_GPA_PERF_BLOCK_CHCG_AMD },
	{ "CPC", VK_GPA_PERF_BLOCK_CPC_AMD },
	{ "CPF", VK_GPA_PERF_BLOCK_CPF_AMD },
	{ "CPG", VK_GPA_PERF_BLOCK_CPG_AMD },
	{ "DB", VK_GPA_PERF_BLOCK_DB_AMD },
	{ "EA", VK_GPA_PERF_BLOCK_EA_AMD },
	{ "EA_CPWD", VK_GPA_PERF_BLOCK_EACPWD_AMD },
	{ "EA_SE", VK_GPA_PERF_BLOCK_EASE_AMD },
	{ "GCR", VK_GPA_PERF_BLOCK_GCR_AMD },
	{ "GDS", VK_GPA_PERF_BLOCK_GDS_AMD },
	{ "GE", VK_GPA_PERF_BLOCK_GE_AMD },
	{ "GE_DIST", VK_GPA_PERF_BLOCK_GE_DIST_AMD },
	{ "GE_SE", VK_GPA_PERF_BLOCK_GE_SE_AMD },
	{ "GL1A", VK_GPA_PERF_BLOCK_GL1A_AMD },
	{ "GL1C", VK_GPA_PERF_BLOCK_GL1C_AMD },
	{ "GL1XA", VK_GPA_PERF_BLOCK_GL1XA_AMD },
	{ "GL1XC", VK_GPA_PERF_BLOCK_GL1XC_AMD },
	{ "GL2A", VK_GPA_PERF_BLOCK_GL2A_AMD },
	{ "GL2C", VK_GPA_PERF_BLOCK_GL2C_AMD },
	{ "GRBM", VK_GPA_PERF_BLOCK_GRBM_AMD },
	{ "GRBMSE", VK_GPA_PERF_BLOCK_GRBM_SE_AMD },
	{ "IA", VK_GPA_PERF_BLOCK_IA_AMD },
	{ "MC_VM_L2", VK_GPA_PERF_BLOCK_MC_VM_L2_AMD },
	{ "PA_PH", VK_GPA_PERF_BLOCK_PH_AMD },
	{ "PA_SC", VK_GPA_PERF_BLOCK_SC_AMD },
	{ "PA_SU", VK_GPA_PERF_BLOCK_PA_AMD },
	{ "PC", VK_GPA_PERF_BLOCK_PC_AMD },
	{ "RLC", VK_GPA_PERF_BLOCK_RLC_AMD },
	{ "RMI", VK_GPA_PERF_BLOCK_RMI_AMD },
	{ "SDMA", VK_GPA_PERF_BLOCK_DMA_AMD },
	{ "SPI", VK_GPA_PERF_BLOCK_SPI_AMD },
	{ "SQ", VK_GPA_PERF_BLOCK_SQ_AMD },
	{ "SQ_WGP", VK_GPA_PERF_BLOCK_SQ_WGP_AMD },
	{ "SX", VK_GPA_PERF_BLOCK_SX_AMD },
	{ "TA", VK_GPA_PERF_BLOCK_TA_AMD },
	{ "TCA", VK_GPA_PERF_BLOCK_TCA_AMD },
	{ "TCC", VK_GPA_PERF_BLOCK_TCC_AMD },
	{ "TCP", VK_GPA_PERF_BLOCK_TCP_AMD },
	{ "TCS", VK_GPA_PERF_BLOCK_TCS_AMD },
	{ "TD", VK_GPA_PERF_BLOCK_TD_AMD },
	{ "UTCL1", VK_GPA_PERF_BLOCK_UTCL1_AMD },
	{ "VGT", VK_GPA_PERF_BLOCK_VGT_AMD },
	{ "WD", VK_GPA_PERF_BLOCK_WD_AMD },
	{ "WGS", VK_GPA_PERF_BLOCK_WGS_AMD },
};

static const struct block_type *
type_of(const struct drmperf_group *group)
{
	for (size_t i = 0; i < sizeof(block_types) / sizeof(block_types[0]);
	     i++) {
		if (!strcmp(block_types[i].group, drmperf_group_name(group)))
			return &block_types[i];
	}
	return NULL;
}

/* Add a group. Nothing is kept back for streams, which are alone. */
static void
blocks_add_group(struct gpa_blocks *blocks, const struct drmperf_group *group)
{
	const struct block_type *type = type_of(group);
	const uint32_t counters = drmperf_group_max_active(group);
	uint32_t max_id;

	if (!type || blocks->count == GPA_BLOCKS_MAX ||
	    drmperf_group_max_id(group, &max_id))
		return;
	blocks->list[blocks->count++] = (struct gpa_block){
		.group = group,
		.properties = {
			.blockType = type->type,
			.instanceCount = drmperf_group_instances(group),
			.maxEventID = max_id,
			.maxGlobalOnlyCounters = counters,
			.maxGlobalSharedCounters = counters,
		},
	};
}

void
gpa_blocks_fill(struct gpa_blocks *blocks, const struct drmperf_device *device)
{
	const struct drmperf_group *group;

	blocks->count = 0;
	for (size_t i = 0; (group = drmperf_group_at(device, i)); i++)
		blocks_add_group(blocks, group);
}

/*
 * Return how many events of an instance can be streamed at once. Any will do:
 * how many wires there are is the block's.
 */
static uint32_t
count_streamed(const struct gpa_block *block, struct drmperf *drmperf)
{
	const VkGpaPerfBlockPropertiesAMD *properties = &block->properties;
	struct drmperf_selection selections[STREAMED_MOST];
	struct drmperf_error error;
	uint32_t count = 0;

	while (count < STREAMED_MOST && count <= properties->maxEventID) {
		struct drmperf_selection *next = &selections[count];

		next->instance = properties->instanceCount > 1
					 ? 0
					 : DRMPERF_ALL_INSTANCES;
		if (drmperf_group_event(block->group, count, &next->event,
					&error) ||
		    drmperf_stream_check(drmperf, selections, count + 1, NULL,
					 &error))
			break;
		count++;
	}
	return count;
}

bool
gpa_blocks_look_for_streams(struct gpa_blocks *blocks, struct drmperf *drmperf)
{
	bool has_any = false;

	for (size_t i = 0; i < blocks->count; i++) {
		struct gpa_block *block = &blocks->list[i];

		block->properties.maxStreamingCounters =
			count_streamed(block, drmperf);
		has_any |= block->properties.maxStreamingCounters > 0;
	}
	return has_any;
}

static const struct gpa_block *
block_of(const struct gpa_blocks *blocks, VkGpaPerfBlockAMD type)
{
	for (size_t i = 0; i < blocks->count; i++) {
		if (blocks->list[i].properties.blockType == type)
			return &blocks->list[i];
	}
	return NULL;
}

static int
blocks_complain(struct drmperf_error *error, int code, const char *what,
		const VkGpaPerfCounterAMD *counter)
{
	*error = (struct drmperf_error){ .code = code };
	snprintf(error->cause, sizeof(error->cause),
		 "there is no %s (block type %d, instance %u, event %u)", what,
		 (int)counter->blockType, counter->blockInstance,
		 counter->eventID);
	snprintf(error->remedy, sizeof(error->remedy),
		 "see VkPhysicalDeviceGpaPropertiesAMD");
	return code;
}

int
gpa_blocks_find(const struct gpa_blocks *blocks,
		const VkGpaPerfCounterAMD *counter,
		struct drmperf_selection *out, struct drmperf_error *error)
{
	const struct gpa_block *block = block_of(blocks, counter->blockType);
	struct drmperf_selection found;
	int rc;

	if (!block)
		return blocks_complain(error, -ENOENT, "such block", counter);
	if (counter->blockInstance >= block->properties.instanceCount)
		return blocks_complain(error, -ERANGE, "such instance",
				       counter);
	rc = drmperf_group_event(block->group, counter->eventID, &found.event,
				 error);
	if (rc)
		return rc;
	/* what there is once has no instances to choose from */
	found.instance = block->properties.instanceCount > 1
				 ? (int)counter->blockInstance
				 : DRMPERF_ALL_INSTANCES;
	*out = found;
	return 0;
}
