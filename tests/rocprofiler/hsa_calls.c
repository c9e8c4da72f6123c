/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/rocprofiler/hsa_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_SIZE 64

void
require_success(hsa_status_t status)
{
	if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
		return;
	fprintf(stderr, "HSA fails with 0x%x\n", (unsigned)status);
	exit(1);
}

bool
agent_is_gpu(hsa_agent_t agent)
{
	hsa_device_type_t type;

	require_success(
		hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	return type == HSA_DEVICE_TYPE_GPU;
}

static hsa_status_t
take_gpu(hsa_agent_t agent, void *out)
{
	if (!agent_is_gpu(agent))
		return HSA_STATUS_SUCCESS;
	*(hsa_agent_t *)out = agent;
	return HSA_STATUS_INFO_BREAK;
}

hsa_agent_t
find_gpu(void)
{
	hsa_agent_t gpu = { 0 };

	if (hsa_iterate_agents(take_gpu, &gpu) != HSA_STATUS_INFO_BREAK)
		require_success(HSA_STATUS_ERROR_INVALID_AGENT);
	return gpu;
}

hsa_queue_t *
open_queue(hsa_agent_t gpu)
{
	hsa_queue_t *queue;

	require_success(hsa_queue_create(gpu, QUEUE_SIZE, HSA_QUEUE_TYPE_MULTI,
					 NULL, NULL, UINT32_MAX, UINT32_MAX,
					 &queue));
	return queue;
}

hsa_kernel_dispatch_packet_t
make_dispatch(uint64_t kernel, uint32_t groups, uint16_t size)
{
	return (hsa_kernel_dispatch_packet_t){
		.header = HSA_PACKET_TYPE_KERNEL_DISPATCH,
		.setup = 1,
		.workgroup_size_x = size,
		.workgroup_size_y = 1,
		.workgroup_size_z = 1,
		.grid_size_x = groups * size,
		.grid_size_y = 1,
		.grid_size_z = 1,
		.kernel_object = kernel,
	};
}

void
put_packet(hsa_queue_t *queue, const void *packet)
{
	const uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
	char *slot =
		(char *)queue->base_address + 64 * (index & (queue->size - 1));
	uint16_t header;

	memcpy(&header, packet, sizeof(header));
	memcpy(slot + 2, (const char *)packet + 2, 62);
	__atomic_store_n((uint16_t *)(void *)slot, header, __ATOMIC_RELEASE);
	hsa_signal_store_screlease(queue->doorbell_signal,
				   (hsa_signal_value_t)index);
}

hsa_signal_t
make_signal(void)
{
	hsa_signal_t signal;

	require_success(hsa_signal_create(1, 0, NULL, &signal));
	return signal;
}

void
wait_for(hsa_signal_t signal)
{
	hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1,
				  UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
	hsa_signal_destroy(signal);
}
