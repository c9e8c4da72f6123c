/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs of HSA do. A call of it that fails ends the program.
 */
#ifndef DRMPERF_TESTS_ROCPROFILER_HSA_CALLS_H
#define DRMPERF_TESTS_ROCPROFILER_HSA_CALLS_H

#include <hsa/hsa.h>
#include <stdbool.h>
#include <stdint.h>

/* hsa.h has no prototypes of these for C */
hsa_status_t
hsa_init(void);
hsa_status_t
hsa_shut_down(void);

/* End the program unless a call succeeded, or found what it looked for. */
void
require_success(hsa_status_t status);

bool
agent_is_gpu(hsa_agent_t agent);
/* Return the first one. */
hsa_agent_t
find_gpu(void);

hsa_queue_t *
open_queue(hsa_agent_t gpu);

/* Return a dispatch of groups of a size, in one dimension. */
hsa_kernel_dispatch_packet_t
make_dispatch(uint64_t kernel, uint32_t groups, uint16_t size);
void
put_packet(hsa_queue_t *queue, const void *packet);

hsa_signal_t
make_signal(void);
/* Wait for a signal, which is destroyed then. */
void
wait_for(hsa_signal_t signal);

#endif /* DRMPERF_TESTS_ROCPROFILER_HSA_CALLS_H */
