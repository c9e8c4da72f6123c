/* SPDX-License-Identifier: BSD-3-Clause */
#include "program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hsa_standin.h"
#include "roc_tool.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"

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

void
begin_hsa(void)
{
	must_succeed(hsa_init());
	gpu_agent = find_gpu();
}

void
end_hsa(void)
{
	scene_set("default", "formula");
	must_succeed(hsa_shut_down());
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
	return open_queue(gpu_agent);
}

void
dispatch_waves(hsa_queue_t *queue, uint32_t waves, hsa_signal_t completion)
{
	hsa_kernel_dispatch_packet_t packet =
		make_dispatch(kernel, waves, WAVE);

	packet.completion_signal = completion;
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
