/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions and their samples. What is in them is guarded by the device's lock;
 * functions with "locked" in their name are called with it.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_SESSION_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>

#include "gpa_device.h"
#include "gpa_streaming.h"

/*
 * The queries that a timestamp takes at most: in a render pass of several views
 * it takes one for each, and views are bits of 32.
 */
#define GPA_VIEWS 32

/* Request of a sample when it began; not changed after that. */
struct gpa_sample {
	atomic_uint references;
	struct gpa_device *device;
	VkGpaSampleTypeAMD type;
	/* cumulative */
	size_t count;
	/* those without an event count no stage that there is: they are 0 */
	struct drmperf_selection *selections;
	uint64_t stages; /* DRMPERF_STAGE_*; 0: no counter distinguishes them */
	/* trace: from the beginning of a submission to the end of one */
	bool has_waves;
	struct drmperf_trace_options trace; /* of these */
	struct gpa_streaming streaming; /* beside them, or alone */
	/* timing: GPA_VIEWS queries for each of two timestamps */
	VkQueryPool queries;
	VkPipelineStageFlagBits begin_stage, end_stage;
	uint64_t valid_bits;
};

struct gpa_sample *
gpa_sample_hold(struct gpa_sample *sample);
/* Release a reference to a sample. NULL is allowed. */
void
gpa_sample_release(struct gpa_sample *sample);
/* Return the bytes of results of the sample; of a trace 0: not known yet. */
size_t
gpa_sample_size(const struct gpa_sample *sample);

/* A sample of a session, under its id. */
struct gpa_result {
	struct gpa_sample *sample;
	bool is_open; /* being recorded */
	VkResult state; /* VK_NOT_READY: not yet taken */
	uint64_t *values; /* or, of a trace, a file */
	size_t size; /* of these in bytes */
};

enum gpa_recorded {
	GPA_NOT_BEGUN,
	GPA_BEGUN,
	GPA_ENDED
};

/* Data that an application keeps with a session under a slot. */
struct gpa_private_data {
	struct gpa_private_data *next;
	VkPrivateDataSlot slot;
	uint64_t value;
};

struct gpa_session {
	struct gpa_session *next; /* of the device, while the handle lives */
	atomic_uint references;
	struct gpa_device *device;
	struct gpa_private_data *private_data;
	struct gpa_session *source; /* what it copies, or NULL */
	enum gpa_recorded recorded;
	struct gpa_result *results; /* by sample id */
	uint32_t count;
	bool is_done; /* its end has been executed */
	VkResult loss; /* of the device, else VK_SUCCESS */
};

struct gpa_session *
gpa_session_of(VkGpaSessionAMD handle);
struct gpa_session *
gpa_session_hold(struct gpa_session *session);
/* Release a reference to a session. NULL is allowed. */
void
gpa_session_release(struct gpa_session *session);

/* Add a new sample, whose id is *id. Returns 0, or -ENOMEM. */
int
gpa_session_add_locked(struct gpa_session *session, struct gpa_sample *sample,
		       uint32_t *id);
/*
 * Find the result under an id for this sample, which is put there if the
 * session has been reset since it was recorded. NULL: no memory, which the
 * session has as its loss.
 */
struct gpa_result *
gpa_session_place_locked(struct gpa_session *session, uint32_t id,
			 struct gpa_sample *sample);
/*
 * Copy the samples of another session, with or without their values. Returns 0,
 * or -ENOMEM.
 */
int
gpa_session_copy_locked(struct gpa_session *session,
			const struct gpa_session *from, bool with_values);
/* Forget all samples and values, as if it had never been recorded. */
void
gpa_session_reset_locked(struct gpa_session *session);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_SESSION_H */
