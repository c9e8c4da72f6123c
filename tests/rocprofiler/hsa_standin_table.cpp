/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of the stand-in for HSA, as the real header declares them: in C++.
 */
#define AMD_INTERNAL_BUILD
#include <hsa/hsa_api_trace.h>

#include <stdlib.h>
#include <string.h>

#include "hsa_standin.h"

/* The length of this header's table, and what stands there since 2023. */
#define SLOT_OF(function)                                                 \
	((offsetof(AmdExtTable, function) - sizeof(ApiTableVersion)) /    \
	 sizeof(void *))
#define SLOTS ((sizeof(AmdExtTable) - sizeof(ApiTableVersion)) / sizeof(void *))
#define BEFORE_INSERTED (SLOT_OF(hsa_amd_memory_async_copy_fn) + 1)
#define INSERTED \
	(SLOT_OF(hsa_amd_agent_memory_pool_get_info_fn) - BEFORE_INSERTED)
#define MOST_SLOTS 128

/*
 * AMD's tables as they were released, whatever this header's are: their lengths
 * as counted in hsa_api_trace.h of the tags of ROCR-Runtime.
 */
static const struct release {
	const char *name;
	size_t slots, inserted;
	uint32_t root, core, amd; /* major versions */
	size_t loader; /* functions of its extension */
	bool is_hollow; /* functions for intercepting are NULL */
} releases[] = {
	{ "1.6", 34, 0, 1, 1, 1, 3, false },
	{ "1.7", 37, 0, 1, 1, 1, 5, false },
	{ "4.5", 48, 0, 1, 1, 1, 5, false },
	{ "5.6", 55, 2, 1, 1, 1, 5, false },
	{ "6.0", 67, 2, 3, 2, 2, 5, false },
	{ "6.2", 70, 2, 3, 2, 2, 5, false },
	{ "7.1", 85, 2, 3, 2, 2, 5, false },
	{ "hollow", 70, 2, 3, 2, 2, 5, true },
	{ "alien", 70, 2, 3, 2, 77, 5, false },
};

struct made_table {
	ApiTableVersion version;
	void *slots[MOST_SLOTS];
};

static HsaApiTableContainer own, made;
static struct made_table released, released_made;
static const struct release *release; /* NULL: that of this header */
static bool is_made;

static void
fill_core(CoreApiTable *core)
{
	core->hsa_queue_create_fn = standin_queue_create;
	core->hsa_queue_destroy_fn = standin_queue_destroy;
	core->hsa_executable_freeze_fn = standin_executable_freeze;
	core->hsa_executable_destroy_fn = standin_executable_destroy;
}

static void
fill_amd(AmdExtTable *amd)
{
	amd->hsa_amd_memory_pool_allocate_fn = standin_pool_allocate;
	amd->hsa_amd_memory_pool_free_fn = standin_pool_free;
	amd->hsa_amd_agents_allow_access_fn = standin_allow_access;
	amd->hsa_amd_queue_intercept_create_fn = standin_intercept_create;
	amd->hsa_amd_queue_intercept_register_fn = standin_intercept_register;
}

/* NULL: the release's table has it not. */
static void **
slot_in_release(size_t slot)
{
	if (slot >= BEFORE_INSERTED + INSERTED)
		slot += release->inserted - INSERTED;
	else if (slot >= BEFORE_INSERTED)
		return NULL;
	return slot < release->slots ? &released.slots[slot] : NULL;
}

/* Between this header's table and that of the release. */
static void
move(bool to_release)
{
	void **slots = (void **)((char *)&own.amd_ext +
				 sizeof(ApiTableVersion));

	for (size_t i = 0; i < SLOTS; i++) {
		void **there = slot_in_release(i);

		if (there && to_release)
			*there = slots[i];
		else if (there)
			slots[i] = *there;
	}
}

static const struct release *
find_release(const char *name)
{
	for (const struct release &each : releases) {
		if (name && !strcmp(each.name, name))
			return &each;
	}
	if (name)
		abort();
	return NULL;
}

static void
make_release(void)
{
	if (release->is_hollow) {
		own.amd_ext.hsa_amd_queue_intercept_create_fn = NULL;
		own.amd_ext.hsa_amd_queue_intercept_register_fn = NULL;
	}
	memset((void *)&released, 0, sizeof(released));
	move(true);
	/* what is behind the table is nobody's business */
	memset(released.slots + release->slots, 0xa5,
	       (MOST_SLOTS - release->slots) * sizeof(void *));
	released.version = { release->amd,
			     (uint32_t)(sizeof(ApiTableVersion) +
					release->slots * sizeof(void *)),
			     0, 0 };
	own.core.version.major_id = release->core;
	own.root.version.major_id = release->root;
	own.root.amd_ext_ = (AmdExtTable *)&released;
}

static void
make(void)
{
	is_made = true;
	release = find_release(getenv("HSA_STANDIN_TABLES"));
	own.root.version.major_id = HSA_API_TABLE_MAJOR_VERSION;
	own.root.amd_ext_ = &own.amd_ext;
	own.core.version.major_id = HSA_CORE_API_TABLE_MAJOR_VERSION;
	own.amd_ext.version.major_id = HSA_AMD_EXT_API_TABLE_MAJOR_VERSION;
	fill_core(&own.core);
	fill_amd(&own.amd_ext);
	if (release)
		make_release();
	memcpy((void *)&made, (void *)&own, sizeof(own));
	released_made = released;
}

size_t
standin_loader_functions(void)
{
	return release ? release->loader : 5;
}

void *
standin_tables(void)
{
	make();
	return &own.root;
}

/* Whether a tool has put nothing behind the table's end. */
static bool
end_is_intact(void)
{
	return !memcmp(released.slots + release->slots,
		       released_made.slots + release->slots,
		       (MOST_SLOTS - release->slots) * sizeof(void *));
}

void
standin_obey_tables(void)
{
	if (!release)
		return;
	if (!end_is_intact())
		abort();
	move(false);
}

bool
standin_tables_are_own(void)
{
	return !memcmp((void *)&own, (void *)&made, sizeof(own)) &&
	       !memcmp((void *)&released, (void *)&released_made,
		       sizeof(released));
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
hsa_amd_agents_allow_access(uint32_t count, const hsa_agent_t *agents,
			    const uint32_t *flags, const void *ptr)
{
	return amd()->hsa_amd_agents_allow_access_fn(count, agents, flags, ptr);
}
}
