/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of HSA without code for any GPU: on each GPU it dispatches a kernel
 * of 391 groups of 256 work-items, and prints "done".
 *
 * usage: kfd_dispatch LAUNCHES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/rocprofiler/hsa_calls.h"

#define GROUPS 391
#define GROUP 256
#define DESCRIPTOR_BYTES 64

struct work {
	unsigned launches;
	void *kernel; /* its descriptor */
};

/* Take memory of the machine, which all GPUs can read. */
static hsa_status_t
alloc_kernel(hsa_region_t region, void *data)
{
	struct work *work = data;
	uint32_t flags = 0;

	hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
	if (!(flags & HSA_REGION_GLOBAL_FLAG_KERNARG))
		return HSA_STATUS_SUCCESS;
	require_success(
		hsa_memory_allocate(region, DESCRIPTOR_BYTES, &work->kernel));
	memset(work->kernel, 0, DESCRIPTOR_BYTES);
	return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t
find_memory(hsa_agent_t agent, void *data)
{
	const struct work *work = data;

	if (!agent_is_gpu(agent) && !work->kernel)
		require_success(
			hsa_agent_iterate_regions(agent, alloc_kernel, data));
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
dispatch_all(hsa_agent_t agent, void *data)
{
	const struct work *work = data;
	hsa_kernel_dispatch_packet_t packet =
		make_dispatch((uintptr_t)work->kernel, GROUPS, GROUP);
	hsa_queue_t *queue;

	if (!agent_is_gpu(agent))
		return HSA_STATUS_SUCCESS;
	queue = open_queue(agent);
	for (unsigned i = 0; i < work->launches; i++) {
		packet.completion_signal = make_signal();
		put_packet(queue, &packet);
		wait_for(packet.completion_signal);
	}
	require_success(hsa_queue_destroy(queue));
	return HSA_STATUS_SUCCESS;
}

int
main(int argc, char **argv)
{
	struct work work = { .launches =
				     argc > 1 ? (unsigned)atoi(argv[1]) : 1 };

	require_success(hsa_init());
	require_success(hsa_iterate_agents(find_memory, &work));
	require_success(hsa_iterate_agents(dispatch_all, &work));
	require_success(hsa_memory_free(work.kernel));
	require_success(hsa_shut_down());
	puts("done");
	return 0;
}
