/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Telling a tool what a program asks of HSA: memory, copies, packets, code.
 */
#ifndef ROC_HOOKS_H
#define ROC_HOOKS_H

#include <rocprofiler/rocprofiler.h>

#include "common/frontend.h"

/* Look at calls from now on; the tables are taken. */
void roc_hooks_begin(void);

/* Set the callbacks. Returns 0, or -ENOTSUP if calls are not looked at. */
int roc_hooks_set(const rocprofiler_hsa_callbacks_t *callbacks, void *data,
		  struct drmperf_error *error);

/*
 * Pass on what other files see of it: these call nothing where no callback is
 * set.
 */
void roc_hooks_tell_kernel(uint64_t object, const char *name /* NULL: gone */);
void roc_hooks_tell_code(hsa_executable_t executable, bool is_unloaded);
void roc_hooks_tell_packet(const void *packet, const char *kernel,
			   hsa_queue_t *queue, uint32_t node);

void roc_hooks_end(void);

#endif /* ROC_HOOKS_H */
