/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command buffers: what of the extension has been recorded in them, in order,
 * as operations that are carried out on the host while the device executes
 * them.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_COMMANDS_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_COMMANDS_H

#include "gpa_counters.h"
#include "gpa_pass.h"

enum gpa_op_kind {
	GPA_STEP_BEGIN_SESSION,
	GPA_STEP_END_SESSION,
	GPA_STEP_BEGIN_SAMPLE,
	GPA_STEP_END_SAMPLE,
	GPA_STEP_COPY,
};

/* Place where the host does its part of an operation. */
enum gpa_place {
	GPA_PLACE_NONE, /* there is no part to do, or no place for it */
	GPA_PLACE_PENDING, /* known at the next command that acts, or AFTER */
	GPA_PLACE_BEFORE, /* the part of the command buffer */
	GPA_PLACE_AFTER, /* the command buffer */
};

struct gpa_op {
	enum gpa_op_kind kind;
	enum gpa_place place;
	size_t part; /* in which, or before which of BEFORE */
	size_t cut; /* where or behind which it is, see gpa_parts.h */
	/* the operation has a reference to each */
	struct gpa_session *session;
	struct gpa_sample *sample; /* of samples */
	uint32_t id; /* of the sample */
	bool is_in_pass; /* its queries are reset before the command buffer */
};

/* Mesa has no more attachments for colors. */
#define GPA_COLORS 8

/* Used by the one thread that records in it, which Vulkan makes sure of. */
struct gpa_commands {
	struct gpa_device *device;
	VkCommandBuffer handle;
	VkCommandPool pool;
	bool is_primary;
	VkQueueFlags flags; /* of the family it is for */
	uint32_t valid_bits; /* of its timestamps */
	VkCommandBufferUsageFlags usage;
	VkCommandBufferInheritanceInfo inheritance; /* of secondary ones */
	/* of passes without an object, in pNext of the former */
	VkCommandBufferInheritanceRenderingInfo rendering;
	VkFormat formats[GPA_COLORS];
	/* what is recorded goes there: handle, or the last part */
	VkCommandBuffer current;
	VkCommandBuffer front; /* see gpa_cut.h; or NULL */
	VkCommandBuffer *parts; /* behind the cuts, see gpa_cut.h */
	size_t part_count;
	VkResult failure; /* of a part that has ended */
	struct gpa_state_call *state; /* see gpa_state.h */
	const char *foreign; /* set some state that is not kept, or NULL */
	unsigned open_scopes; /* queries and such that have begun */
	bool in_render_pass;
	struct gpa_open_pass pass;
	bool suspends; /* the render pass: what goes on is in it still */
	bool is_suspended; /* a render pass, which goes on later */
	bool resumes; /* a render pass of the command buffer before */
	bool has_acted; /* some command of the part did */
	size_t pending; /* the first operation whose place is not known */
	bool is_incomplete; /* memory was short: it must not be executed */
	struct gpa_op *ops;
	size_t count;
	struct gpa_counters counted; /* by its samples; they fit together */
};

struct gpa_commands *
gpa_commands_of(struct gpa_device *device, VkCommandBuffer handle);
/* Return where commands are recorded; commands may be NULL. */
VkCommandBuffer
gpa_commands_current(const struct gpa_commands *commands,
		     VkCommandBuffer handle);
/* Forget all operations, which no submission may need any more. */
void
gpa_commands_forget(struct gpa_commands *commands);
/* Add an operation, whose references are taken. Returns 0, or -ENOMEM. */
int
gpa_commands_add(struct gpa_commands *commands, const struct gpa_op *op);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_COMMANDS_H */
