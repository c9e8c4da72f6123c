/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dispatches that are intercepted: they take turns, one at a time on each GPU,
 * and what a turn counts is what its dispatch did.
 *
 * Counting is begun and ended by this library, on the CPU, so the queue has to
 * wait for it. In place of a dispatch it gets four packets:
 *
 *     barrier    ends when all before it has:        `reached`, whereupon the
 *                turn is waited for, and counting begun
 *     barrier    waits for that:                     `begun`
 *     dispatch   with a completion signal of ours:   `ended`, whereupon
 *                counting is ended, the tool called, and the program's own
 *                signal completed
 *     barrier    keeps back what follows until then: `told`
 *
 * HSA reports `reached` in a thread of its own, and each GPU has one here, in
 * which its dispatches take turns. A thread that submits is kept waiting only
 * where its queue is full of such packets.
 */
#ifndef ROC_DISPATCH_H
#define ROC_DISPATCH_H

#include <rocprofiler/rocprofiler.h>

#include "frontend/frontend.h"

#define ROC_DISPATCH_PACKETS 4

struct roc_dispatch;

/* Any packet of HSA's. */
union roc_packet {
	uint16_t header;
	hsa_kernel_dispatch_packet_t dispatch;
	hsa_barrier_and_packet_t barrier;
	uint8_t bytes[64];
};

/*
 * Make a dispatch of a queue; the queue serves to distinguish dispatches.
 * Returns 0; -ENOMEM; -EIO if HSA has no signals; a negative errno value of
 * pthread_create(). The caller submits or destroys it, with the group that the
 * tool wants.
 */
int roc_dispatch_create(hsa_agent_t agent, const void *queue, bool with_times,
			struct roc_dispatch **out, struct drmperf_error *error);
void roc_dispatch_destroy(struct roc_dispatch *dispatch,
			  const rocprofiler_group_t *group);

/*
 * Return its times, or NULL. They are the tool's to free if that gave a group
 * with a context; else they stay until roc_dispatch_end().
 */
const rocprofiler_dispatch_record_t *
roc_dispatch_record(const struct roc_dispatch *dispatch);

/*
 * Fill in the packets in place of this one, for a group to count, or none if it
 * has no context. They have to be given to the queue then, from that place on;
 * the dispatch is no longer the caller's. On failure, -EIO, it still is, and so
 * is the packet.
 */
int
roc_dispatch_submit(struct roc_dispatch *dispatch,
		    const rocprofiler_group_t *group, uint64_t place,
		    const union roc_packet *packet, union roc_packet *out,
		    struct drmperf_error *error);

/*
 * Wait until the queue has no dispatch before a place, or so long, and not at
 * all in the thread by which dispatches end. Returns the place of the oldest
 * one that it has, or UINT64_MAX.
 */
uint64_t
roc_dispatch_await(const void *queue, uint64_t place, unsigned seconds);

/*
 * Forget a context that is about to be destroyed: no turn uses it from now on.
 */
void roc_dispatch_forget(const rocprofiler_t *context);

/*
 * Cancel the dispatches of a queue that is no more: none of them comes to an
 * end.
 */
void roc_dispatch_cancel(const void *queue);

/* Cancel all dispatches and end the threads, when HSA ends. */
void roc_dispatch_end(void);

#endif /* ROC_DISPATCH_H */
