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
#include "tests/rocprofiler/hsa_calls.h"

#define WAVE 64

struct work {
	hsa_agent_t gpu;
	uint64_t kernel;
	unsigned dispatches, waves, step;
	bool hurries;
};

/* Threads wait here until both have dispatched. */
static pthread_barrier_t dispatched;

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
	hsa_kernel_dispatch_packet_t packet =
		make_dispatch(kernel, waves, WAVE);

	packet.group_segment_size = 512;
	packet.completion_signal = make_signal();
	put_packet(queue, &packet);
	return packet.completion_signal;
}

static void *
do_work(void *data)
{
	const struct work *work = data;
	hsa_queue_t *queue = open_queue(work->gpu);

	for (unsigned i = 0; i < work->dispatches; i++) {
		const hsa_signal_t end = queue_dispatch(
			queue, work->kernel, work->waves + i * work->step);

		if (!work->hurries)
			wait_for(end);
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
	add.gpu = find_gpu();
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
