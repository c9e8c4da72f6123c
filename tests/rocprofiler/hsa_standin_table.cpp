/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of the stand-in for HSA, as the real header declares them: in C++.
 */
#define AMD_INTERNAL_BUILD
#include <hsa/hsa_api_trace.h>

#include <stdlib.h>
#include <string.h>

#include "hsa_standin.h"

/* ROCm 6 has two functions behind this one, and its tables another version. */
#define BEFORE_INSERTED                                           \
	((offsetof(AmdExtTable, hsa_amd_memory_async_copy_fn) +   \
	  sizeof(void *) - sizeof(ApiTableVersion)) /             \
	 sizeof(void *))
#define INSERTED 2
#define SLOTS                                                \
	((sizeof(AmdExtTable) - sizeof(ApiTableVersion)) / sizeof(void *))
/* ROCm 6 has more behind: a table is that long at least, with the two. */
#define LONG_SLOTS 67

struct long_table {
	ApiTableVersion version;
	void *slots[LONG_SLOTS];
};

static HsaApiTableContainer own, made;
static struct long_table longer, long_made;
static bool is_made, is_long;

static void
fill_core(CoreApiTable *core)
{
	core->hsa_queue_create_fn = standin_queue_create;
	core->hsa_queue_destroy_fn = standin_queue_destroy;
	core->hsa_memory_allocate_fn = standin_memory_allocate;
	core->hsa_memory_copy_fn = standin_memory_copy;
	core->hsa_memory_assign_agent_fn = standin_memory_assign_agent;
	core->hsa_executable_freeze_fn = standin_executable_freeze;
	core->hsa_executable_destroy_fn = standin_executable_destroy;
}

static void
fill_amd(AmdExtTable *amd)
{
	amd->hsa_amd_memory_pool_allocate_fn = standin_pool_allocate;
	amd->hsa_amd_memory_pool_free_fn = standin_pool_free;
	amd->hsa_amd_memory_async_copy_fn = standin_async_copy;
	amd->hsa_amd_memory_async_copy_rect_fn = standin_async_copy_rect;
	amd->hsa_amd_agents_allow_access_fn = standin_allow_access;
	amd->hsa_amd_queue_intercept_create_fn = standin_intercept_create;
	amd->hsa_amd_queue_intercept_register_fn = standin_intercept_register;
}

/* Between the table that this header has and that of ROCm 6. */
static void
move(bool to_long)
{
	void **slots = (void **)((char *)&own.amd_ext +
				 sizeof(ApiTableVersion));

	for (size_t i = 0; i < SLOTS; i++) {
		void **there = &longer.slots[i < BEFORE_INSERTED ? i
								 : i + INSERTED];

		if (to_long)
			*there = slots[i];
		else
			slots[i] = *there;
	}
}

static void
make(void)
{
	const char *kind = getenv("HSA_STANDIN_TABLES");

	is_made = true;
	own.root.version.major_id = HSA_API_TABLE_MAJOR_VERSION;
	own.root.amd_ext_ = &own.amd_ext;
	own.core.version.major_id = HSA_CORE_API_TABLE_MAJOR_VERSION;
	own.amd_ext.version.major_id = HSA_AMD_EXT_API_TABLE_MAJOR_VERSION;
	fill_core(&own.core);
	fill_amd(&own.amd_ext);
	is_long = kind && !strcmp(kind, "long");
	if (is_long) {
		move(true);
		longer.version = { 2, sizeof(longer), 0, 0 };
		own.core.version.major_id = 2;
		own.root.version.major_id = 3;
		own.root.amd_ext_ = (AmdExtTable *)&longer;
	}
	if (kind && !strcmp(kind, "alien"))
		own.amd_ext.version.major_id = 77;
	memcpy((void *)&made, (void *)&own, sizeof(own));
	long_made = longer;
}

void *
standin_tables(void)
{
	make();
	return &own.root;
}

void
standin_obey_tables(void)
{
	if (is_long)
		move(false);
}

bool
standin_tables_are_own(void)
{
	return !memcmp((void *)&own, (void *)&made, sizeof(own)) &&
	       !memcmp((void *)&longer, (void *)&long_made, sizeof(longer));
}

/* ------------------------------------------------------------------ */
/* What programs call                                                   */

static const CoreApiTable *
core(void)
{
	if (!is_made)
		make();
	return &own.core;
}

static const AmdExtTable *
amd(void)
{
	if (!is_made)
		make();
	return &own.amd_ext;
}

extern "C" {

STANDIN_EXPORT hsa_status_t
hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
		 void (*callback)(hsa_status_t status, hsa_queue_t *source,
				  void *data),
		 void *data, uint32_t private_segment_size,
		 uint32_t group_segment_size, hsa_queue_t **queue)
{
	return core()->hsa_queue_create_fn(agent, size, type, callback, data,
					   private_segment_size,
					   group_segment_size, queue);
}

STANDIN_EXPORT hsa_status_t
hsa_queue_destroy(hsa_queue_t *queue)
{
	return core()->hsa_queue_destroy_fn(queue);
}

STANDIN_EXPORT hsa_status_t
hsa_memory_allocate(hsa_region_t region, size_t size, void **ptr)
{
	return core()->hsa_memory_allocate_fn(region, size, ptr);
}

STANDIN_EXPORT hsa_status_t
hsa_memory_copy(void *to, const void *from, size_t size)
{
	return core()->hsa_memory_copy_fn(to, from, size);
}

STANDIN_EXPORT hsa_status_t
hsa_memory_assign_agent(void *ptr, hsa_agent_t agent,
			hsa_access_permission_t access)
{
	return core()->hsa_memory_assign_agent_fn(ptr, agent, access);
}

STANDIN_EXPORT hsa_status_t
hsa_executable_freeze(hsa_executable_t executable, const char *options)
{
	return core()->hsa_executable_freeze_fn(executable, options);
}

STANDIN_EXPORT hsa_status_t
hsa_executable_destroy(hsa_executable_t executable)
{
	return core()->hsa_executable_destroy_fn(executable);
}

STANDIN_EXPORT hsa_status_t
hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t pool, size_t size,
			     uint32_t flags, void **ptr)
{
	return amd()->hsa_amd_memory_pool_allocate_fn(pool, size, flags, ptr);
}

STANDIN_EXPORT hsa_status_t
hsa_amd_memory_pool_free(void *ptr)
{
	return amd()->hsa_amd_memory_pool_free_fn(ptr);
}

STANDIN_EXPORT hsa_status_t
hsa_amd_memory_async_copy(void *to, hsa_agent_t to_agent, const void *from,
			  hsa_agent_t from_agent, size_t size,
			  uint32_t signal_count, const hsa_signal_t *signals,
			  hsa_signal_t completion)
{
	return amd()->hsa_amd_memory_async_copy_fn(to, to_agent, from,
						   from_agent, size,
						   signal_count, signals,
						   completion);
}

STANDIN_EXPORT hsa_status_t
hsa_amd_memory_async_copy_rect(
	const hsa_pitched_ptr_t *to, const hsa_dim3_t *to_offset,
	const hsa_pitched_ptr_t *from, const hsa_dim3_t *from_offset,
	const hsa_dim3_t *range, hsa_agent_t agent,
	hsa_amd_copy_direction_t direction, uint32_t signal_count,
	const hsa_signal_t *signals, hsa_signal_t completion)
{
	return amd()->hsa_amd_memory_async_copy_rect_fn(
		to, to_offset, from, from_offset, range, agent, direction,
		signal_count, signals, completion);
}

STANDIN_EXPORT hsa_status_t
hsa_amd_agents_allow_access(uint32_t count, const hsa_agent_t *agents,
			    const uint32_t *flags, const void *ptr)
{
	return amd()->hsa_amd_agents_allow_access_fn(count, agents, flags, ptr);
}
}
