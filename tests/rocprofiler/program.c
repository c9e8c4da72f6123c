/* SPDX-License-Identifier: BSD-3-Clause */
#include "program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hsa_standin.h"
#include "roc_tool.h"
#include "tests/support/check.h"

#define QUEUE_SIZE 64

hsa_agent_t gpu_agent;
uint64_t kernel;
hsa_executable_t executable;

const char *
error_text(void)
{
	const char *text;

	rocprofiler_error_string(&text);
	return text;
}

void
must_succeed(hsa_status_t status)
{
	ck_assert_msg(status == HSA_STATUS_SUCCESS, "0x%x: %s", status,
		      error_text());
}

void
must_fail(hsa_status_t status, int number, const char *words)
{
	ck_assert_int_ne(status, HSA_STATUS_SUCCESS);
	ck_assert_int_eq(rocprofiler_errno(), number);
	ck_assert_msg(strstr(error_text(), words) != NULL, "%s lacks %s",
		      error_text(), words);
}

static hsa_status_t
find_gpu(hsa_agent_t agent, void *data)
{
	hsa_device_type_t type;

	(void)data;
	must_succeed(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	if (type != HSA_DEVICE_TYPE_GPU)
		return HSA_STATUS_SUCCESS;
	gpu_agent = agent;
	return HSA_STATUS_INFO_BREAK;
}

void
begin_hsa(void)
{
	must_succeed(hsa_init());
	ck_assert_int_eq(hsa_iterate_agents(find_gpu, NULL),
			 HSA_STATUS_INFO_BREAK);
}

void
load_profiler(const char *intercept)
{
	setenv("ROCP_HSA_INTERCEPT", intercept, 1);
	ck_assert_msg(OnLoad(standin_tables(), 1, 0, NULL), "%s", error_text());
	standin_obey_tables();
}

void
unload_profiler(void)
{
	OnUnload();
	standin_obey_tables();
	ck_assert(standin_tables_are_own());
}

static hsa_status_t
take_kernel(hsa_executable_t of, hsa_executable_symbol_t symbol, void *data)
{
	(void)of;
	(void)data;
	hsa_executable_symbol_get_info(
		symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel);
	return HSA_STATUS_INFO_BREAK;
}

void
load_kernel(void)
{
	must_succeed(hsa_executable_create_alt(
		HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
		&executable));
	must_succeed(hsa_executable_freeze(executable, NULL));
	hsa_executable_iterate_symbols(executable, take_kernel, NULL);
}

hsa_queue_t *
make_queue(void)
{
	hsa_queue_t *queue;

	must_succeed(hsa_queue_create(gpu_agent, QUEUE_SIZE,
				      HSA_QUEUE_TYPE_MULTI, NULL, NULL,
				      UINT32_MAX, UINT32_MAX, &queue));
	return queue;
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

	must_succeed(hsa_signal_create(1, 0, NULL, &signal));
	return signal;
}

void
dispatch_waves(hsa_queue_t *queue, uint32_t waves, hsa_signal_t completion)
{
	const hsa_kernel_dispatch_packet_t packet = {
		.header = HSA_PACKET_TYPE_KERNEL_DISPATCH,
		.setup = 1,
		.workgroup_size_x = WAVE,
		.workgroup_size_y = 1,
		.workgroup_size_z = 1,
		.grid_size_x = waves * WAVE,
		.grid_size_y = 1,
		.grid_size_z = 1,
		.kernel_object = kernel,
		.completion_signal = completion,
	};

	put_packet(queue, &packet);
}

void
put_barrier(hsa_queue_t *queue, hsa_signal_t after, hsa_signal_t completion)
{
	const hsa_barrier_and_packet_t packet = {
		.header = HSA_PACKET_TYPE_BARRIER_AND |
			  1 << HSA_PACKET_HEADER_BARRIER,
		.dep_signal = { after },
		.completion_signal = completion,
	};

	put_packet(queue, &packet);
}

void
wait_for(hsa_signal_t signal)
{
	hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1,
				  UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
	hsa_signal_destroy(signal);
}

void
run_waves(hsa_queue_t *queue, uint32_t waves)
{
	const hsa_signal_t signal = make_signal();

	dispatch_waves(queue, waves, signal);
	wait_for(signal);
}

void
delete_record(const rocprofiler_dispatch_record_t *record)
{
	static void (*delete)(void *memory, size_t size);
	void *library;

	if (!delete) {
		/* a sanitizer's, or that of the library */
		*(void **)&delete = dlsym(RTLD_DEFAULT, "_ZdlPvm");
		library = delete ? NULL : dlopen("libstdc++.so.6", RTLD_NOW);
		if (library)
			*(void **)&delete = dlsym(library, "_ZdlPvm");
	}
	if (delete)
		delete ((void *)record, sizeof(*record));
	else
		free((void *)record);
}

void
use_own_metrics(void)
{
	const char *top = getenv("TOP_DIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/rocprofiler/metrics.xml",
		 top ? top : ".");
	setenv("ROCP_METRICS", path, 1);
}
