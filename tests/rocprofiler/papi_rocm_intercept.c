/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's component rocm with ROCP_HSA_INTERCEPT=1 over librocprofiler64: what
 * kernels count that a program dispatches through HSA, and the component drm
 * beside, in the same run.
 */
#include <hsa/hsa.h>
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/papi/harness.h"

#define WAVE 64 /* threads, and bytes of what describes a kernel */
#define COUNT 2

/* hsa.h has no prototypes of these for C */
hsa_status_t
hsa_init(void);

static const char *const drm[COUNT] = {
	"drm:::amdgpu::SQ.WAVES:device=0",
	"drm:::amdgpu::SQ.ITEMS:device=0",
};
static const char *const rocm[COUNT] = {
	"rocm:::SQ_WAVES:device=0",
	"rocm:::SQ_ITEMS:device=0",
};

static hsa_agent_t gpu;
static void *kernel; /* what describes it; GPUs can read it */

static hsa_status_t
alloc_kernel(hsa_region_t region, void *data)
{
	uint32_t flags = 0;

	(void)data;
	hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
	if (!(flags & HSA_REGION_GLOBAL_FLAG_KERNARG))
		return HSA_STATUS_SUCCESS;
	must_hold(!hsa_memory_allocate(region, WAVE, &kernel));
	memset(kernel, 0, WAVE);
	return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t
find_agents(hsa_agent_t agent, void *data)
{
	hsa_device_type_t type;

	(void)data;
	must_hold(!hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	if (type == HSA_DEVICE_TYPE_GPU)
		gpu = agent;
	else if (!kernel)
		hsa_agent_iterate_regions(agent, alloc_kernel, NULL);
	return HSA_STATUS_SUCCESS;
}

static void
dispatch_waves(hsa_queue_t *queue, uint32_t waves)
{
	const uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
	hsa_kernel_dispatch_packet_t *packet =
		(hsa_kernel_dispatch_packet_t *)queue->base_address +
		(index & (queue->size - 1));
	hsa_signal_t signal;

	must_hold(!hsa_signal_create(1, 0, NULL, &signal));
	packet->setup = 1;
	packet->workgroup_size_x = WAVE;
	packet->workgroup_size_y = 1;
	packet->workgroup_size_z = 1;
	packet->grid_size_x = waves * WAVE;
	packet->grid_size_y = 1;
	packet->grid_size_z = 1;
	packet->kernel_object = (uintptr_t)kernel;
	packet->completion_signal = signal;
	__atomic_store_n(&packet->header, HSA_PACKET_TYPE_KERNEL_DISPATCH,
			 __ATOMIC_RELEASE);
	hsa_signal_store_screlease(queue->doorbell_signal,
				   (hsa_signal_value_t)index);
	hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1,
				  UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
	hsa_signal_destroy(signal);
}

static int
compare_values(const char *when, const long long *ours, const long long *theirs,
	       long long waves)
{
	const int bad = ours[0] != waves || theirs[0] != waves ||
			ours[1] != waves * WAVE || theirs[1] != waves * WAVE;

	for (int i = 0; bad && i < COUNT; i++)
		printf("    | %s: %lld, %s: %lld, of %lld waves\n", drm[i],
		       ours[i], rocm[i], theirs[i], waves);
	printf("%s kernels that are intercepted: %s\n", bad ? "not ok" : "ok",
	       when);
	return bad;
}

int
main(void)
{
	long long ours[COUNT], theirs[COUNT];
	hsa_queue_t *queue;
	int first, second, bad;

	must_hold(!drmsim_set("force-en", "ignored"));
	must_be(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	first = make_named_set(drm, COUNT);
	second = make_named_set(rocm, COUNT);
	must(PAPI_start(first));
	must(PAPI_start(second));
	must_hold(!hsa_init());
	must_hold(!hsa_iterate_agents(find_agents, NULL));
	must_hold(!hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL,
				    UINT32_MAX, UINT32_MAX, &queue));
	for (uint32_t i = 1; i <= 10; i++)
		dispatch_waves(queue, 100 * i);
	must(PAPI_read(first, ours));
	must(PAPI_read(second, theirs));
	bad = compare_values("read", ours, theirs, 5500);
	dispatch_waves(queue, 7);
	must(PAPI_stop(second, theirs));
	must(PAPI_stop(first, ours));
	bad |= compare_values("stop", ours, theirs, 5507);
	must_hold(!hsa_queue_destroy(queue));
	hsa_memory_free(kernel);
	PAPI_shutdown();
	return bad;
}
