/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of Vulkan's that uses VK_AMD_gpa_interface, for the tests. What
 * must not fail fails the test.
 */
#ifndef DRMPERF_TESTS_VULKAN_WORLD_H
#define DRMPERF_TESTS_VULKAN_WORLD_H

#include <drmperf/vk_amd_gpa_interface.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* DRMPERF_VK_DEADLINE: no machine is so slow that it passes. */
#define WORLD_DEADLINE_MS "600000"

#define WORLD_SESSIONS 256
#define WORLD_EVENTS 256

/* The extension's commands: X(name without vk and AMD). */
#define GPA_COMMANDS(X)                                                        \
	X(CreateGpaSession)                                                    \
	X(DestroyGpaSession)                                                   \
	X(SetGpaDeviceClockMode)                                               \
	X(GetGpaDeviceClockInfo)                                               \
	X(CmdBeginGpaSession)                                                  \
	X(CmdEndGpaSession)                                                    \
	X(CmdBeginGpaSample)                                                   \
	X(CmdEndGpaSample)                                                     \
	X(GetGpaSessionStatus)                                                 \
	X(GetGpaSessionResults)                                                \
	X(ResetGpaSession)                                                     \
	X(CmdCopyGpaSessionResults)

struct world {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	uint32_t family;
	VkQueueFlags flags; /* of the family */
	VkQueue queue;
	VkCommandPool pool;
	VkPipelineLayout layout;
	VkPipeline pipeline; /* an empty shader, 64 threads a group */
	pthread_t submitter; /* of world_submit_beside() */
	VkCommandBuffer submitted;
	VkResult submit_result;
	PFN_vkQueueSubmit2 submit2; /* submits instead, unless NULL */
	VkDebugUtilsMessengerEXT messenger; /* or none */
	_Atomic unsigned complaints; /* of the validation layer */
	/*
	 * The host sets events for which commands wait, by gates:
	 * the validation layer complains of that from Vulkan 1.4 on, and of
	 * nothing else.
	 */
	bool has_waits;
	_Atomic unsigned waits; /* times that it did */
	/* what world_end() destroys */
	VkGpaSessionAMD sessions[WORLD_SESSIONS];
	unsigned session_count;
	VkEvent events[WORLD_EVENTS];
	unsigned event_count;
#define X(name) PFN_vk##name##AMD name;
	GPA_COMMANDS(X)
#undef X
};

/* Choose the layer of this build, and no state of the user's. */
void
world_set_environment(void);
/*
 * Keep drivers after their instances, so that it can be told which memory is
 * theirs that they never give back.
 */
void
world_keep_drivers(void);

/*
 * Begin with the instance and its first physical device of that type; with
 * validation if that layer is installed. False: there is none.
 */
bool
world_begin(struct world *world, VkPhysicalDeviceType type, bool is_validated);
/*
 * Choose another one of that type, by number from 0, before there is a device.
 */
bool
world_choose(struct world *world, VkPhysicalDeviceType type, unsigned number);
bool
world_has_extension(const struct world *world);
/*
 * Open the device, with the extension, and a queue of a family with these
 * flags.
 */
void
world_open(struct world *world, VkQueueFlags flags, VkQueueFlags unwanted);
/*
 * End the world. Nothing is left; what validation had to say fails the test,
 * unless it is what it has to say of waits.
 */
void
world_end(struct world *world);

VkCommandBuffer
world_commands(const struct world *world, VkCommandBufferLevel level);
/*
 * Record a new command buffer of the first level. It acts before what the test
 * records, and world_submit() behind that: it is cut for the samples.
 */
VkCommandBuffer
world_record(const struct world *world);
/* Record a command that acts, and does nothing. */
void
world_act(VkCommandBuffer commands);
/* End recording, and submit; without waiting. */
void
world_submit(const struct world *world, VkCommandBuffer commands);
/*
 * Submit by a thread of its own, while the test opens gates: vkQueueSubmit()
 * waits for what lies before counters that are read. world_join() returns its
 * result; world_wait() waits for the queue, too.
 */
void
world_submit_beside(struct world *world, VkCommandBuffer commands);
VkResult
world_join(struct world *world);
void
world_wait(struct world *world);
void
world_run(const struct world *world, VkCommandBuffer commands);
void
world_dispatch(const struct world *world, VkCommandBuffer commands,
	       uint32_t groups);

/* Create a session, which world_end() destroys unless it was before. */
VkGpaSessionAMD
world_session(struct world *world);
/* Create one for the results of another one, which is a secondary's. */
VkGpaSessionAMD
world_copy_session(struct world *world, VkGpaSessionAMD source);
void
world_destroy_session(struct world *world, VkGpaSessionAMD session);
/* Begin a cumulative sample of these counters. Returns its id. */
uint32_t
world_sample(struct world *world, VkCommandBuffer commands,
	     VkGpaSessionAMD session, const VkGpaPerfCounterAMD *counters,
	     uint32_t count);
/* Get the results of a sample that has that many values. */
void
world_results(const struct world *world, VkGpaSessionAMD session, uint32_t id,
	      uint64_t *values, size_t count);

/*
 * A place in commands where the device waits for the test: reached by it,
 * and left by it. The world destroys it at its end.
 */
struct gate {
	VkEvent reached, left;
};

void
gate_create(struct world *world, struct gate *gate);
void
gate_record(const struct gate *gate, VkCommandBuffer commands);
void
gate_wait(const struct world *world, const struct gate *gate);
void
gate_open(const struct world *world, const struct gate *gate);

#endif /* DRMPERF_TESTS_VULKAN_WORLD_H */
