/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small HSA runtime for tests: a CPU and the AMD GPUs that libdrm finds are
 * its agents, kernels are launched on these, and the tool that HSA_TOOLS_LIB
 * names gets the tables of functions that real ones get, in whose slots it may
 * put its own. It knows nothing of drmperf. What it has not is NULL there.
 *
 * The real runtime runs below drmsim, too: in tests/peers/kfd.sh, and where
 * tests/papi needs HSA. The stand-in is for what only it has:
 * - virtual time, which runs while threads of the real one wait for the GPU;
 * - tables of releases that are not installed, and of none;
 * - GPUs that Debian's runtimes do not know, partitions, one without a driver;
 * - kernels with names and registers, which else take a compiler for the GPU;
 * - sanitizers and valgrind without complaints of the runtime itself;
 * - an abort where a signal is destroyed of which a handler is still to hear.
 *
 * A kernel is one of hsa_standin_code.c: all are the shader that ends at once;
 * what a dispatch asks for is waves and no more. Packets are executed one after
 * another, each queue in a thread of its own.
 *
 * HSA_STANDIN_STRANGER=1: one more GPU, which no DRM driver has.
 * HSA_STANDIN_TABLES=5.6: tables as long as that release's, one of those in
 * hsa_standin_table.cpp; hollow: without functions for intercepting; alien: of
 * a version that does not exist.
 */
#ifndef DRMPERF_TESTS_ROCPROFILER_HSA_STANDIN_H
#define DRMPERF_TESTS_ROCPROFILER_HSA_STANDIN_H

#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STANDIN_EXPORT __attribute__((visibility("default")))
#define STANDIN_HZ 100000000u /* of its clock, as of real ones */

struct standin_agent {
	hsa_device_type_t type;
	uint32_t domain, place, node;
	char path[64]; /* of its render node */
};

/* Return NULL: it is none. */
const struct standin_agent *standin_agent_of(hsa_agent_t handle);

/* Return the clock in ticks. */
uint64_t standin_clock(void);

/* One lock for all signals; the condition: one of them has changed. */
extern pthread_mutex_t standin_lock;
extern pthread_cond_t standin_changed;

/* End the threads that call handlers of signals. */
void standin_end_handlers(void);

/* ---- the tables */

/* Return what OnLoad() is given, HsaApiTable of hsa_api_trace.h. */
STANDIN_EXPORT void *standin_tables(void);

/*
 * Obey the tables after OnLoad() and OnUnload(): what stands there holds from
 * now on.
 */
STANDIN_EXPORT void standin_obey_tables(void);

/* Return whether the tables are as they were made. */
STANDIN_EXPORT bool standin_tables_are_own(void);

/* Return how many functions its loader's extension has. */
size_t standin_loader_functions(void);

/* ---- what the runtime itself does, and tools may do otherwise */

hsa_status_t standin_queue_create(
	hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
	void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data),
	void *data, uint32_t private_segment_size, uint32_t group_segment_size,
	hsa_queue_t **queue);
hsa_status_t standin_queue_destroy(hsa_queue_t *queue);
hsa_status_t standin_executable_freeze(hsa_executable_t executable,
				       const char *options);
hsa_status_t standin_executable_destroy(hsa_executable_t executable);
hsa_status_t standin_pool_allocate(hsa_amd_memory_pool_t pool, size_t size,
				   uint32_t flags, void **ptr);
hsa_status_t standin_pool_free(void *ptr);
hsa_status_t standin_allow_access(uint32_t count, const hsa_agent_t *agents,
				  const uint32_t *flags, const void *ptr);

typedef void (*standin_packet_writer)(const void *packets, uint64_t count);
typedef void (*standin_packet_handler)(const void *packets, uint64_t count,
				       uint64_t index, void *data,
				       standin_packet_writer writer);
/*
 * Create a queue for tools only: such functions are in the tables, and not
 * exported.
 */
hsa_status_t standin_intercept_create(
	hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
	void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data),
	void *data, uint32_t private_segment_size, uint32_t group_segment_size,
	hsa_queue_t **queue);
hsa_status_t standin_intercept_register(hsa_queue_t *queue,
					standin_packet_handler handler,
					void *data);

/* A doorbell is a signal that does something: NULL if the signal is none. */
typedef void (*standin_doorbell)(void *data, hsa_signal_value_t value);
hsa_status_t standin_doorbell_create(standin_doorbell ring, void *data,
				     hsa_signal_t *out);

/*
 * Complete a signal, whose value nothing else changes. Caller holds
 * standin_lock.
 */
void standin_complete(hsa_signal_t signal, uint64_t start, uint64_t end);
int64_t standin_value(hsa_signal_t signal);

/* ---- the GPUs */

struct standin_gpu;

/* Return NULL: libdrm does not open it. */
struct standin_gpu *standin_gpu_open(const struct standin_agent *agent);
void standin_gpu_close(struct standin_gpu *gpu);

/* What a queue's packet of PM4 does to registers of shaders stays with it. */
#define STANDIN_REGISTERS 1024
struct standin_state {
	bool is_set[STANDIN_REGISTERS];
	uint32_t values[STANDIN_REGISTERS];
};

/* Return whether all words are packets that set registers of shaders. */
bool standin_run_commands(struct standin_state *state, const uint32_t *words,
			  uint32_t count);

/* Launch, and wait for the end. False: it did not come to one. */
bool standin_launch(struct standin_gpu *gpu, const struct standin_state *state,
		    const hsa_kernel_dispatch_packet_t *packet);

#ifdef __cplusplus
}
#endif

#endif /* DRMPERF_TESTS_ROCPROFILER_HSA_STANDIN_H */
