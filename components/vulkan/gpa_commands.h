/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command buffers: what of the extension has been recorded in them, in order,
 * as operations that are carried out on the host while the device executes
 * them.
 *
 * Where the device has to wait for the host, it sets an event, "reached", and
 * waits for another one, "released", which the host sets when it has done its
 * part. The host resets both: the first at once, the second at the next such
 * place, when the device has gone on. So two places that follow each other
 * need a pair each, and no more than three are needed of however many there
 * are: the first has a pair of its own, the others take turns. Then a command
 * buffer with two places or more can be executed again at once, too. (The
 * device could reset the second by itself, but that comes to pass some time
 * after the next commands have been read.)
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_COMMANDS_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_COMMANDS_H

#include "gpa_counters.h"

/* Pairs of events of a command buffer. */
#define GPA_SYNCS 3

enum gpa_op_kind {
	GPA_STEP_BEGIN_SESSION,
	GPA_STEP_END_SESSION,
	GPA_STEP_BEGIN_SAMPLE,
	GPA_STEP_END_SAMPLE,
	GPA_STEP_COPY,
	GPA_STEP_EXECUTE,
};

struct gpa_sync {
	VkEvent reached, released;
};

/* Place where the host does its part of an operation. */
enum gpa_place {
	GPA_PLACE_NONE, /* there is no part to do, or no place for it */
	GPA_PLACE_PENDING, /* known at the next command that acts, or AFTER */
	GPA_PLACE_BEFORE, /* the command buffer */
	GPA_PLACE_INSIDE, /* while the device waits for an event */
	GPA_PLACE_AFTER, /* the command buffer */
};

struct gpa_op {
	enum gpa_op_kind kind;
	enum gpa_place place;
	struct gpa_sync sync; /* of INSIDE */
	size_t cut; /* where or behind which it is, see gpa_parts.h */
	/* the operation has a reference to each; not of EXECUTE */
	struct gpa_session *session;
	struct gpa_sample *sample; /* of samples */
	uint32_t id; /* of the sample */
	VkCommandBuffer executed; /* of EXECUTE alone */
};

/* Used by the one thread that records in it, which Vulkan makes sure of. */
struct gpa_commands {
	struct gpa_device *device;
	VkCommandBuffer handle;
	VkCommandPool pool;
	bool is_primary;
	VkQueueFlags flags; /* of the family it is for */
	uint32_t valid_bits; /* of its timestamps */
	bool in_render_pass;
	bool suspends; /* the render pass: what goes on is in it still */
	bool resumes; /* a render pass of the command buffer before */
	bool has_acted; /* some command did */
	size_t pending; /* the first operation whose place is not known */
	bool is_incomplete; /* memory was short: it must not be executed */
	struct gpa_op *ops;
	size_t count;
	struct gpa_counters counted; /* by its samples; they fit together */
	size_t syncs_used;
	/* kept when the command buffer is recorded again */
	struct gpa_sync syncs[GPA_SYNCS];
	size_t sync_count;
};

struct gpa_commands *
gpa_commands_of(struct gpa_device *device, VkCommandBuffer handle);
/* Forget all operations, which no submission may need any more. */
void
gpa_commands_forget(struct gpa_commands *commands);
/*
 * Destroy the command buffer, whose operations no submission may need any more.
 */
void
gpa_commands_destroy(struct gpa_commands *commands);

/* References are taken. -ENOMEM. */
int
gpa_commands_add(struct gpa_commands *commands, const struct gpa_op *op);

/*
 * Make sure that a sample can begin here. Returns VK_SUCCESS,
 * VK_ERROR_FEATURE_NOT_PRESENT where it cannot, with the reason, or the errors
 * of vkCreateEvent().
 */
VkResult
gpa_commands_can_begin(struct gpa_commands *commands,
		       const struct gpa_sample *sample, const char *where);
/*
 * Add an operation for which the counters are read where the next command acts.
 * -ENOMEM.
 */
int
gpa_commands_add_sync(struct gpa_commands *commands, struct gpa_op *op);
/* Note that a command acts, before it is recorded. */
void
gpa_commands_act(struct gpa_commands *commands);
/* Note that a render pass begins, before it is recorded, or has ended. */
void
gpa_commands_begin_pass(struct gpa_commands *commands, bool resumes);
void
gpa_commands_end_pass(struct gpa_commands *commands);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_COMMANDS_H */
