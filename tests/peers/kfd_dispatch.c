/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of HSA without code for any GPU: on each GPU it dispatches a kernel
 * of 391 groups of 256 work-items, and prints "done".
 *
 * usage: kfd_dispatch LAUNCHES
 */
#include <hsa/hsa.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS 391
#define GROUP 256
#define QUEUE_SIZE 64
#define DESCRIPTOR_BYTES 64

/* hsa.h has no prototypes of these for C */
hsa_status_t
hsa_init(void);
hsa_status_t
hsa_shut_down(void);

struct work {
	unsigned launches;
	void *kernel; /* its descriptor */
};

static void
require_success(hsa_status_t status)
{
	if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
		return;
	fprintf(stderr, "kfd_dispatch: HSA fails with 0x%x\n",
		(unsigned)status);
	exit(1);
}

static bool
is_gpu(hsa_agent_t agent)
{
	hsa_device_type_t type;

	require_success(
		hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	return type == HSA_DEVICE_TYPE_GPU;
}

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

	if (!is_gpu(agent) && !work->kernel)
		require_success(
			hsa_agent_iterate_regions(agent, alloc_kernel, data));
	return HSA_STATUS_SUCCESS;
}

static void
queue_dispatch(hsa_queue_t *queue, void *kernel)
{
	const uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
	hsa_kernel_dispatch_packet_t *slot =
		(hsa_kernel_dispatch_packet_t *)queue->base_address +
		(index & (queue->size - 1));
	hsa_kernel_dispatch_packet_t packet = {
		.setup = 1,
		.workgroup_size_x = GROUP,
		.workgroup_size_y = 1,
		.workgroup_size_z = 1,
		.grid_size_x = GROUPS * GROUP,
		.grid_size_y = 1,
		.grid_size_z = 1,
		.kernel_object = (uintptr_t)kernel,
	};

	require_success(
		hsa_signal_create(1, 0, NULL, &packet.completion_signal));
	memcpy((char *)slot + 2, (const char *)&packet + 2, sizeof(packet) - 2);
	__atomic_store_n(&slot->header, HSA_PACKET_TYPE_KERNEL_DISPATCH,
			 __ATOMIC_RELEASE);
	hsa_signal_store_screlease(queue->doorbell_signal,
				   (hsa_signal_value_t)index);
	hsa_signal_wait_scacquire(packet.completion_signal,
				  HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX,
				  HSA_WAIT_STATE_BLOCKED);
	hsa_signal_destroy(packet.completion_signal);
}

static hsa_status_t
dispatch_all(hsa_agent_t agent, void *data)
{
	const struct work *work = data;
	hsa_queue_t *queue;

	if (!is_gpu(agent))
		return HSA_STATUS_SUCCESS;
	require_success(hsa_queue_create(agent, QUEUE_SIZE,
					 HSA_QUEUE_TYPE_MULTI, NULL, NULL,
					 UINT32_MAX, UINT32_MAX, &queue));
	for (unsigned i = 0; i < work->launches; i++)
		queue_dispatch(queue, work->kernel);
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
