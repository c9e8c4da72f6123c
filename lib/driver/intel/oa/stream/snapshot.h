/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A page of shared memory in which the process that reads a stream publishes a
 * snapshot of its sums to all processes that count by the stream. The writer
 * may die at any point: what it published before stays. Readers wait for no
 * lock.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_SNAPSHOT_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_SNAPSHOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "driver/intel/oa/format.h"
#include "driver/intel/oa/reports.h"
#include "driver/intel/oa/requests.h"

/*
 * All that another process needs to go on reading after this report. The
 * members needed to compute values come first.
 */
struct oa_snapshot {
	uint64_t report_ns; /* when the newest one was taken */
	uint64_t late;
	uint32_t lost;
	uint32_t loss; /* enum oa_loss */
	int32_t failure; /* of the stream, or 0 */
	uint32_t proved; /* see oa_clock */
	uint64_t sums[OA_SLOT_COUNT];
	uint64_t count, time;
	uint8_t last[OA_REPORT_SIZE_MAX];
};

#define OA_SNAPSHOT_WORDS (sizeof(struct oa_snapshot) / sizeof(uint64_t))

/* Requests for the latest values, without a fence. */
struct oa_attention {
	_Atomic uint32_t looked; /* not 0: requested since the last check */
	_Atomic uint32_t is_idle; /* 1: the leader reads at the long period */
};

struct oa_snapshot_page {
	_Atomic uint64_t published; /* states published; slot of the last */
	_Atomic uint64_t beat_ns; /* heartbeat of the leader */
	_Atomic uint32_t requested, completed; /* fences wanted, and passed */
	struct oa_attention attention;
	_Atomic uint64_t words[2][OA_SNAPSHOT_WORDS];
};

/* Clear the page for another stream. No other process reads it by then. */
void
oa_snapshot_clear(struct oa_snapshot_page *page);

void
oa_snapshot_publish(struct oa_snapshot_page *page,
		    const struct oa_snapshot *state);
void
oa_snapshot_heartbeat(struct oa_snapshot_page *page);

/* Copy the state. Returns false if writers kept changing it. */
bool
oa_snapshot_copy(const struct oa_snapshot_page *page, struct oa_snapshot *out);

/*
 * Copy the state. An impossible one becomes a failure of the stream, -EBADMSG.
 */
bool
oa_snapshot_read(const struct oa_snapshot_page *page, struct oa_snapshot *out);

/*
 * Copy only the members before the sums, the time, and the sums of the
 * requests; the rest of *out stays undefined.
 */
bool
oa_snapshot_read_sums(const struct oa_snapshot_page *page,
		      const struct oa_requests *requests,
		      struct oa_snapshot *out);

/*
 * Request a fence. The caller then wakes the leader, and waits until the fence
 * is completed.
 */
uint32_t
oa_snapshot_request_fence(struct oa_snapshot_page *page);
static inline bool
oa_snapshot_is_fenced(const struct oa_snapshot_page *page, uint32_t ticket)
{
	return (int32_t)(page->completed - ticket) >= 0;
}
void
oa_snapshot_wait_fence(struct oa_snapshot_page *page, uint32_t ticket,
		       uint64_t ns);

/*
 * Return the number of fences requested. The leader calls this, and completes
 * them.
 */
uint32_t
oa_snapshot_requests(const struct oa_snapshot_page *page);
void
oa_snapshot_complete_fences(struct oa_snapshot_page *page, uint32_t requested);

/* Fill a state from reports' sums. */
void
oa_snapshot_fill(struct oa_snapshot *state, const struct oa_reports *reports);
void
oa_snapshot_restore(const struct oa_snapshot *state,
		    struct oa_reports *reports);

static inline bool
oa_snapshot_is_end(const struct oa_snapshot *state)
{
	return state->failure || state->loss;
}

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_SNAPSHOT_H */
