/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program with two kernels on the stand-in for HSA: one thread dispatches
 * add(float*, int), with 10 waves, 11 and so on, another one plain(), with 20
 * waves each time.
 *
 * usage: kernels ADDS PLAINS [dies | nameless | dumb | hurries]
 * dies: by SIGKILL in the end. nameless: HSA's tools hear of no names. dumb: it
 * begins HSA and dispatches nothing. hurries: it ends without waiting for its
 * dispatches.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hsa_standin.h"

#define WAVE 64
#define QUEUE_SIZE 64

/* hsa.h has no prototypes of these for C */
hsa_status_t
hsa_init(void);
hsa_status_t
hsa_shut_down(void);

struct work {
	hsa_agent_t gpu;
	uint64_t kernel;
	unsigned dispatches, waves, step;
	bool hurries;
};

/* Threads wait here until both have dispatched. */
static pthread_barrier_t dispatched;

static void
require_success(hsa_status_t status)
{
	if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
		return;
	fprintf(stderr, "kernels: HSA fails with 0x%x\n", (unsigned)status);
	exit(1);
}

static hsa_status_t
find_gpu(hsa_agent_t agent, void *out)
{
	hsa_device_type_t type;

	require_success(
		hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	if (type != HSA_DEVICE_TYPE_GPU)
		return HSA_STATUS_SUCCESS;
	*(hsa_agent_t *)out = agent;
	return HSA_STATUS_INFO_BREAK;
}

/* Take the objects of both kernels, one behind the other. */
static hsa_status_t
take_kernel(hsa_executable_t of, hsa_executable_symbol_t symbol, void *out)
{
	uint64_t *objects = out, object;

	(void)of;
	if (!hsa_executable_symbol_get_info(
		    symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object))
		objects[objects[0] ? 1 : 0] = object;
	return HSA_STATUS_SUCCESS;
}

/* Queue a dispatch. Returns the signal of its end. */
static hsa_signal_t
queue_dispatch(hsa_queue_t *queue, uint64_t kernel, uint32_t waves)
{
	const uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
	hsa_kernel_dispatch_packet_t *slot =
		(hsa_kernel_dispatch_packet_t *)queue->base_address +
		(index & (queue->size - 1));
	hsa_kernel_dispatch_packet_t packet = {
		.setup = 1,
		.workgroup_size_x = WAVE,
		.workgroup_size_y = 1,
		.workgroup_size_z = 1,
		.grid_size_x = waves * WAVE,
		.grid_size_y = 1,
		.grid_size_z = 1,
		.group_segment_size = 512,
		.kernel_object = kernel,
	};

	require_success(
		hsa_signal_create(1, 0, NULL, &packet.completion_signal));
	memcpy((char *)slot + 2, (const char *)&packet + 2, sizeof(packet) - 2);
	__atomic_store_n(&slot->header, HSA_PACKET_TYPE_KERNEL_DISPATCH,
			 __ATOMIC_RELEASE);
	hsa_signal_store_screlease(queue->doorbell_signal,
				   (hsa_signal_value_t)index);
	return packet.completion_signal;
}

static void *
do_work(void *data)
{
	const struct work *work = data;
	hsa_queue_t *queue;

	require_success(hsa_queue_create(work->gpu, QUEUE_SIZE,
					 HSA_QUEUE_TYPE_MULTI, NULL, NULL,
					 UINT32_MAX, UINT32_MAX, &queue));
	for (unsigned i = 0; i < work->dispatches; i++) {
		const hsa_signal_t end = queue_dispatch(
			queue, work->kernel, work->waves + i * work->step);

		if (work->hurries)
			continue;
		hsa_signal_wait_scacquire(end, HSA_SIGNAL_CONDITION_LT, 1,
					  UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
		hsa_signal_destroy(end);
	}
	/*
	 * libdrm cannot bear that a device is opened while its last descriptor
	 * is closed: tools have it open from the first dispatch on.
	 */
	pthread_barrier_wait(&dispatched);
	if (!work->hurries)
		require_success(hsa_queue_destroy(queue));
	return NULL;
}

int
main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[3] : "";
	uint64_t kernels[2] = { 0 };
	hsa_executable_t executable;
	struct work add = { .waves = 10, .step = 1 }, plain = { .waves = 20 };
	pthread_t thread;

	if (argc < 3)
		return 2;
	add.dispatches = (unsigned)atoi(argv[1]);
	plain.dispatches = (unsigned)atoi(argv[2]);
	require_success(hsa_init());
	require_success(hsa_iterate_agents(find_gpu, &add.gpu));
	plain.gpu = add.gpu;
	add.hurries = plain.hurries = !strcmp(how, "hurries");
	require_success(hsa_executable_create_alt(
		HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
		&executable));
	if (strcmp(how, "nameless") != 0)
		require_success(hsa_executable_freeze(executable, NULL));
	require_success(hsa_executable_iterate_symbols(executable, take_kernel,
						       kernels));
	add.kernel = kernels[0];
	plain.kernel = kernels[1];
	if (strcmp(how, "dumb") != 0) {
		pthread_barrier_init(&dispatched, NULL, 2);
		if (pthread_create(&thread, NULL, do_work, &plain))
			return 1;
		do_work(&add);
		pthread_join(thread, NULL);
	}
	if (!strcmp(how, "dies"))
		raise(SIGKILL);
	if (add.hurries)
		return 0;
	require_success(hsa_executable_destroy(executable));
	require_success(hsa_shut_down());
	puts("done");
	return 0;
}
