/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, amdgpu_ctx.c. */
#include "amdgpu/context_ioctl.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/context.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/pstate.h"
#include "base/array.h"
#include "kernel/call.h"

static int
check_priority(struct sim_call *call, const struct sim_file *file, int priority)
{
	static const int known[] = {
		AMDGPU_CTX_PRIORITY_UNSET, AMDGPU_CTX_PRIORITY_VERY_LOW,
		AMDGPU_CTX_PRIORITY_LOW,   AMDGPU_CTX_PRIORITY_NORMAL,
		AMDGPU_CTX_PRIORITY_HIGH,  AMDGPU_CTX_PRIORITY_VERY_HIGH,
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (priority != known[i])
			continue;
		if (priority > AMDGPU_CTX_PRIORITY_NORMAL && !file->master &&
		    !sim_call_is_privileged(call))
			return -EACCES;
		return 0;
	}
	/* unknown ones count as normal, for old programs */
	return 0;
}

static int
context_allocate(struct sim_call *call, struct sim_file *file,
		 union drm_amdgpu_ctx *args)
{
	struct context *context;
	int error;

	error = check_priority(call, file, args->in.priority);
	if (error)
		return error;
	context = context_create(client_of(file));
	if (!context)
		return -ENOMEM;
	memset(args, 0, sizeof(*args));
	args->out.alloc.ctx_id = context->id;
	return 0;
}

static void
context_end(struct context *context, bool is_closed)
{
	context_remove(context);
	pstate_drop(context->client->amdgpu, context, is_closed);
	context_put(context);
}

void
contexts_close(struct client *client)
{
	while (client->contexts)
		context_end(client->contexts, true);
}

static void
query_state(const struct amdgpu *amdgpu, struct context *context,
	    union drm_amdgpu_ctx *args)
{
	uint32_t status = AMDGPU_CTX_NO_RESET;

	if (context->reset_count_query != amdgpu->reset_count)
		status = context->guilty ? AMDGPU_CTX_GUILTY_RESET
					 : AMDGPU_CTX_UNKNOWN_RESET;
	context->reset_count_query = amdgpu->reset_count;
	memset(args, 0, sizeof(*args));
	args->out.state.reset_status = status;
}

static void
query_state2(const struct amdgpu *amdgpu, const struct context *context,
	     union drm_amdgpu_ctx *args)
{
	uint64_t flags = 0;

	if (context->reset_count != amdgpu->reset_count)
		flags |= AMDGPU_CTX_QUERY2_FLAGS_RESET;
	if (context->vram_lost_count != amdgpu->vram_lost_count)
		flags |= AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST;
	if (context->guilty)
		flags |= AMDGPU_CTX_QUERY2_FLAGS_GUILTY;
	memset(args, 0, sizeof(*args));
	args->out.state.flags = flags;
}

int
context_ioctl(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_ctx *args = arg;
	struct client *client = client_of(file);
	struct amdgpu *amdgpu = client->amdgpu;
	struct context *context = context_find(client, args->in.ctx_id);

	if (args->in.op == AMDGPU_CTX_OP_ALLOC_CTX)
		return args->in.flags ? -EINVAL
				      : context_allocate(call, file, args);
	switch (args->in.op) {
	case AMDGPU_CTX_OP_FREE_CTX:
	case AMDGPU_CTX_OP_QUERY_STATE:
	case AMDGPU_CTX_OP_QUERY_STATE2:
	case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
	case AMDGPU_CTX_OP_SET_STABLE_PSTATE:
		break;
	default:
		return -EINVAL;
	}
	if (!context)
		return -EINVAL;
	switch (args->in.op) {
	case AMDGPU_CTX_OP_FREE_CTX:
		context_end(context, false);
		memset(args, 0, sizeof(*args));
		return 0;
	case AMDGPU_CTX_OP_QUERY_STATE:
		query_state(amdgpu, context, args);
		return 0;
	case AMDGPU_CTX_OP_QUERY_STATE2:
		query_state2(amdgpu, context, args);
		return 0;
	case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
		if (args->in.flags)
			return -EINVAL;
		memset(args, 0, sizeof(*args));
		args->out.pstate.flags = amdgpu->pstate;
		return 0;
	}
	if (args->in.flags & ~(uint32_t)AMDGPU_CTX_STABLE_PSTATE_FLAGS_MASK)
		return -EINVAL;
	return pstate_set(amdgpu, context, args->in.flags);
}
