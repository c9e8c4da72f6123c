/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the suites of VK_AMD_gpa_interface do alike, in a world that each test
 * has for itself.
 */
#ifndef DRMPERF_TESTS_VULKAN_CALLS_H
#define DRMPERF_TESTS_VULKAN_CALLS_H

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/vulkan/world.h"

#define SQ_WAVES 4
#define MOST_BLOCKS 64
#define MOST_ENGINES 8

extern struct world world;

/* Open on lavapipe, which is lent a GPU, and on radv with a GPU of its own. */
void open_lavapipe(void);
void open_radv(void);
void open_radv_compute(void);
void close_world(void);

void
must_succeed(VkResult result);
void
set_clocks(VkGpaDeviceClockModeAMD mode);
VkGpaDeviceGetClockInfoAMD
read_clocks(void);
VkGpaPerfCounterAMD waves_of(uint32_t engine);
void begin_session(VkCommandBuffer commands, VkGpaSessionAMD session);
void end_session(VkCommandBuffer commands, VkGpaSessionAMD session);
/* End it in its commands, and run them. */
void
run_session(VkCommandBuffer commands, VkGpaSessionAMD session);
void destroy_session(VkGpaSessionAMD session);
VkResult try_sample(VkCommandBuffer commands, VkGpaSessionAMD session,
		    VkGpaSampleBeginInfoAMD info);

/* Read what blocks are listed, MOST_BLOCKS at most. Returns how many. */
uint32_t
read_blocks(VkGpaPerfBlockPropertiesAMD *blocks, uint32_t *engines);
/* Choose the waves of all shader engines, MOST_ENGINES at most. */
uint32_t
choose_engines(VkGpaPerfCounterAMD *counters);

/* Begin a command buffer of the first level, in which nothing acts. */
VkCommandBuffer
begin_primary(void);
/* Begin one of the second level; inherited is NULL for no render pass. */
VkCommandBuffer
begin_secondary(VkCommandBufferUsageFlags flags,
		const VkCommandBufferInheritanceInfo *inherited);
/* Submit commands as they are, and wait for them. */
void
run_commands(VkCommandBuffer commands);
/* Return what a sample of one value has, whose session is finished. */
VkResult
read_sample(VkGpaSessionAMD session, uint32_t id);
/* Measure the values of a sample of 2 ms, or why it does not begin. */
VkResult
measure_sample(const VkGpaSampleBeginInfoAMD *info, uint64_t *values);

/* Let time pass while the device stands at a gate. */
void pass_at(const struct gate *gate, uint64_t ms);

#endif /* DRMPERF_TESTS_VULKAN_CALLS_H */
