/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's component rocm with ROCP_HSA_INTERCEPT=1 over librocprofiler64: what
 * kernels count that a program dispatches through HSA, and the component drm
 * beside, in the same run.
 */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/papi/harness.h"
#include "tests/rocprofiler/hsa_calls.h"

#define WAVE 64 /* threads, and bytes of what describes a kernel */
#define COUNT 2

static const char *const drm[COUNT] = {
	"drm:::amdgpu::SQ.WAVES:device=0",
	"drm:::amdgpu::SQ.ITEMS:device=0",
};
static const char *const rocm[COUNT] = {
	"rocm:::SQ_WAVES:device=0",
	"rocm:::SQ_ITEMS:device=0",
};

static void *kernel; /* what describes it; GPUs can read it */

static hsa_status_t
alloc_kernel(hsa_region_t region, void *data)
{
	uint32_t flags = 0;

	(void)data;
	hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
	if (!(flags & HSA_REGION_GLOBAL_FLAG_KERNARG))
		return HSA_STATUS_SUCCESS;
	require_success(hsa_memory_allocate(region, WAVE, &kernel));
	memset(kernel, 0, WAVE);
	return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t
find_memory(hsa_agent_t agent, void *data)
{
	(void)data;
	if (!agent_is_gpu(agent) && !kernel)
		hsa_agent_iterate_regions(agent, alloc_kernel, NULL);
	return HSA_STATUS_SUCCESS;
}

static void
dispatch_waves(hsa_queue_t *queue, uint32_t waves)
{
	hsa_kernel_dispatch_packet_t packet =
		make_dispatch((uintptr_t)kernel, waves, WAVE);

	packet.completion_signal = make_signal();
	put_packet(queue, &packet);
	wait_for(packet.completion_signal);
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
	require_success(hsa_init());
	require_success(hsa_iterate_agents(find_memory, NULL));
	queue = open_queue(find_gpu());
	for (uint32_t i = 1; i <= 10; i++)
		dispatch_waves(queue, 100 * i);
	must(PAPI_read(first, ours));
	must(PAPI_read(second, theirs));
	bad = compare_values("read", ours, theirs, 5500);
	dispatch_waves(queue, 7);
	must(PAPI_stop(second, theirs));
	must(PAPI_stop(first, ours));
	bad |= compare_values("stop", ours, theirs, 5507);
	require_success(hsa_queue_destroy(queue));
	hsa_memory_free(kernel);
	PAPI_shutdown();
	return bad;
}
