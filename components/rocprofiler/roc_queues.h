/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The queues that programs make of HSA: each is made to count; where dispatches
 * are intercepted it is one that shows this library its packets first.
 */
#ifndef ROC_QUEUES_H
#define ROC_QUEUES_H

#include <rocprofiler/rocprofiler.h>

#include "frontend/frontend.h"

/*
 * Check that packets can be seen. Returns 0, or -ENOTSUP if the running HSA
 * cannot show them.
 */
int roc_queues_check_intercept(struct drmperf_error *error);

/*
 * Take the tables; intercept says that packets are seen. Returns 0, or -ENOTSUP
 * if the running HSA cannot show them.
 */
int roc_queues_begin(bool intercept, struct drmperf_error *error);

/*
 * Apply a tool's settings: whether it wants times, and little of each dispatch.
 */
void
roc_queues_apply_settings(const rocprofiler_settings_t *settings);

/* Return whether packets are seen. */
bool roc_queues_intercept(void);

/*
 * Create a queue as hsa_queue_create() does, with packets that are seen in any
 * case.
 */
hsa_status_t roc_queue_create_seen(
	hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
	void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data),
	void *data, uint32_t private_segment_size, uint32_t group_segment_size,
	hsa_queue_t **queue);

/*
 * Set callbacks for dispatches, and queues; the former are called at once, and
 * unless they are paused. -EBUSY: there are others already.
 */
int roc_queues_set_callbacks(const rocprofiler_queue_callbacks_t *callbacks,
			     void *data, struct drmperf_error *error);
void roc_queues_remove_callbacks(void);
void roc_queues_pause(bool pause);

/*
 * Forget all, since HSA ends. The memory of queues stays with those that the
 * program has not destroyed.
 */
void roc_queues_end(void);

#endif /* ROC_QUEUES_H */
