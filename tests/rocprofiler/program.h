/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that dispatches kernels by HSA, and expects of librocprofiler64
 * that calls succeed, or tell why they do not.
 */
#ifndef DRMPERF_TESTS_ROCPROFILER_PROGRAM_H
#define DRMPERF_TESTS_ROCPROFILER_PROGRAM_H

#include <rocprofiler/rocprofiler.h>

#include "tests/rocprofiler/hsa_calls.h"

#define WAVE 64 /* threads */

/* Return the text of the thread's last failure. */
const char *error_text(void);

void
must_succeed(hsa_status_t status);

/*
 * Check that it failed, with this value of errno.h, and these words in its
 * text.
 */
void
must_fail(hsa_status_t status, int number, const char *words);

/* Begin HSA, and its first GPU; and end it, with what that counts as it was. */
void begin_hsa(void);
void
end_hsa(void);
extern hsa_agent_t gpu_agent;

/* Make the library HSA's tool from now on; no more. */
void
load_profiler(const char *intercept);
void
unload_profiler(void);

/* Load two kernels; the object of the first one. */
void load_kernel(void);
extern uint64_t kernel;
extern hsa_executable_t executable;

hsa_queue_t *
make_queue(void);

void
dispatch_waves(hsa_queue_t *queue, uint32_t waves, hsa_signal_t completion);

/* Have what follows wait for a signal; or, without one, has one of its own. */
void
put_barrier(hsa_queue_t *queue, hsa_signal_t after, hsa_signal_t completion);

/* Run a kernel, to its end. */
void
run_waves(hsa_queue_t *queue, uint32_t waves);

/*
 * Use them before anything asks for events: metrics.xml is beside the tables.
 */
void use_own_metrics(void);

/* Free it as a tool in C++ does, with `delete`. */
void delete_record(const rocprofiler_dispatch_record_t *record);

#endif /* DRMPERF_TESTS_ROCPROFILER_PROGRAM_H */
