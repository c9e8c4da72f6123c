/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The packet is a jump to a buffer of PM4 (ROCR-Runtime, amd_aql_queue.cpp),
 * from gfx9 on. The buffer lies in memory of the CPU that GPUs read, as that
 * for arguments of kernels does.
 */
#include "roc_enable.h"

#include <errno.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "roc_agent.h"
#include "roc_error.h"
#include "roc_library.h"

#define FORMAT_PM4_IB 1
#define INDIRECT_BUFFER 0xc0023f00u /* type 3, opcode 0x3f, 3 dwords follow */
#define BUFFER_IS_VALID (1u << 23)
#define DWORDS_LEFT 10 /* of the packet behind the jump */
#define BUFFER_SIZE 4096
#define EXECUTABLE (1u << 2) /* newer runtimes want it of commands */

struct enabling {
	struct enabling *next;
	hsa_agent_t agent;
	uint32_t *commands; /* HSA's; NULL: there are none */
	uint32_t count;
};

static struct {
	pthread_mutex_t lock;
	struct enabling *list;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ------------------------------------------------------------------ */
/* Memory                                                               */

struct search {
	hsa_amd_memory_pool_t pool;
	bool is_found;
};

static hsa_status_t
visit_pool(hsa_amd_memory_pool_t pool, void *data)
{
	struct search *search = data;
	hsa_amd_segment_t segment;
	uint32_t flags = 0;
	bool is_open = false;

	if (hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT,
					 &segment) ||
	    segment != HSA_AMD_SEGMENT_GLOBAL ||
	    hsa_amd_memory_pool_get_info(
		    pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags) ||
	    hsa_amd_memory_pool_get_info(
		    pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
		    &is_open))
		return HSA_STATUS_SUCCESS;
	if (!is_open || !(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT))
		return HSA_STATUS_SUCCESS;
	search->pool = pool;
	search->is_found = true;
	return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t
visit_agent(hsa_agent_t agent, void *data)
{
	struct search *search = data;
	hsa_device_type_t type;

	if (hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) ||
	    type != HSA_DEVICE_TYPE_CPU)
		return HSA_STATUS_SUCCESS;
	hsa_amd_agent_iterate_memory_pools(agent, visit_pool, search);
	return search->is_found ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
}

static int
agent_allocate(hsa_agent_t agent, void **out, struct drmperf_error *error)
{
	struct search search = { .is_found = false };
	hsa_status_t status;
	void *memory;

	hsa_iterate_agents(visit_agent, &search);
	if (!search.is_found)
		return fe_fail(error, -EIO, "",
			       "HSA has no memory that commands of GPUs can "
			       "lie in");
	status = hsa_amd_memory_pool_allocate(search.pool, BUFFER_SIZE,
					      EXECUTABLE, &memory);
	if (status)
		status = hsa_amd_memory_pool_allocate(search.pool, BUFFER_SIZE,
						      0, &memory);
	if (status)
		return roc_fail_hsa(error, "hsa_amd_memory_pool_allocate",
				    status);
	status = hsa_amd_agents_allow_access(1, &agent, NULL, memory);
	if (status) {
		hsa_amd_memory_pool_free(memory);
		return roc_fail_hsa(error, "hsa_amd_agents_allow_access",
				    status);
	}
	*out = memory;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

static int
write_commands(struct drmperf_device *device, struct enabling *enabling,
	       struct drmperf_error *error)
{
	size_t count = 0;
	void *memory = NULL;
	int rc = drmperf_device_queue_commands(device, true, NULL, 0, &count,
					       error);

	if (rc || !count)
		return rc;
	rc = agent_allocate(enabling->agent, &memory, error);
	if (rc)
		return rc;
	rc = drmperf_device_queue_commands(device, true, memory,
					   BUFFER_SIZE / sizeof(uint32_t),
					   &count, error);
	if (rc) {
		hsa_amd_memory_pool_free(memory);
		return rc;
	}
	enabling->commands = memory;
	enabling->count = (uint32_t)count;
	return 0;
}

/* Refuse generations that take no PM4 among packets of HSA's. */
static int
check_generation(hsa_agent_t agent, struct drmperf_error *error)
{
	char name[64] = "";
	hsa_status_t status =
		hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name);

	if (status)
		return roc_fail_hsa(error, "hsa_agent_get_info", status);
	if (!strncmp(name, "gfx7", 4) || !strncmp(name, "gfx8", 4))
		return fe_fail(error, -ENOTSUP, "",
			       "queues of a GPU %s cannot be made to count",
			       name);
	return 0;
}

static int
enabling_make(hsa_agent_t hsa, struct enabling **out,
	      struct drmperf_error *error)
{
	struct enabling *enabling = calloc(1, sizeof(*enabling));
	struct drmperf *drmperf;
	struct roc_agent agent;
	int rc;

	if (!enabling)
		return fe_fail_memory(error);
	enabling->agent = hsa;
	rc = check_generation(hsa, error);
	if (!rc)
		rc = roc_library_open(&drmperf, error);
	if (!rc)
		rc = roc_agent_find(drmperf, hsa, &agent, error);
	if (!rc)
		rc = write_commands(agent.device, enabling, error);
	if (rc)
		free(enabling);
	else
		*out = enabling;
	return rc;
}

/* Find or make the agent's enabling. Caller holds all.lock. */
static int
enabling_find(hsa_agent_t agent, const struct enabling **out,
	      struct drmperf_error *error)
{
	struct enabling *made = NULL;
	int rc;

	for (const struct enabling *i = all.list; i; i = i->next) {
		if (i->agent.handle != agent.handle)
			continue;
		*out = i;
		return 0;
	}
	rc = enabling_make(agent, &made, error);
	if (rc)
		return rc;
	made->next = all.list;
	all.list = made;
	*out = made;
	return 0;
}

static void
packet_fill(const struct enabling *enabling, struct roc_pm4_packet *out)
{
	const uint64_t address = (uintptr_t)enabling->commands;
	const struct roc_pm4_packet packet = {
		.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC
				  << HSA_PACKET_HEADER_TYPE |
			  1 << HSA_PACKET_HEADER_BARRIER |
			  HSA_FENCE_SCOPE_SYSTEM
				  << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE,
		.format = FORMAT_PM4_IB,
		.jump = { INDIRECT_BUFFER, (uint32_t)address & ~3u,
			  (uint32_t)(address >> 32),
			  enabling->count | BUFFER_IS_VALID },
		.dwords_left = DWORDS_LEFT,
	};

	*out = packet;
}

int
roc_enable_packet(hsa_agent_t agent, struct roc_pm4_packet *out,
		  struct drmperf_error *error)
{
	const struct enabling *enabling;
	int rc;

	memset(out, 0, sizeof(*out));
	pthread_mutex_lock(&all.lock);
	rc = enabling_find(agent, &enabling, error);
	if (!rc && enabling->commands)
		packet_fill(enabling, out);
	pthread_mutex_unlock(&all.lock);
	return rc;
}

/* ------------------------------------------------------------------ */
/* Queues                                                               */

/*
 * Submit a packet. The header goes last: with it the packet belongs to the GPU.
 */
static void
packet_submit(hsa_queue_t *queue, const struct roc_pm4_packet *packet)
{
	const uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
	struct roc_pm4_packet *slot =
		(struct roc_pm4_packet *)queue->base_address +
		(index & (queue->size - 1));
	uint32_t head;

	memcpy(&head, packet, sizeof(head));
	memcpy((char *)slot + sizeof(head), (const char *)packet + sizeof(head),
	       sizeof(*packet) - sizeof(head));
	__atomic_store_n((uint32_t *)(void *)slot, head, __ATOMIC_RELEASE);
	hsa_signal_store_screlease(queue->doorbell_signal,
				   (hsa_signal_value_t)index);
}

int
roc_enable_now(hsa_agent_t agent, hsa_queue_t *queue,
	       struct drmperf_error *error)
{
	struct roc_pm4_packet packet;
	hsa_status_t status;
	int rc = roc_enable_packet(agent, &packet, error);

	if (rc || !packet.jump[0])
		return rc;
	status = hsa_signal_create(1, 0, NULL, &packet.completion_signal);
	if (status)
		return roc_fail_hsa(error, "hsa_signal_create", status);
	packet_submit(queue, &packet);
	hsa_signal_wait_scacquire(packet.completion_signal,
				  HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX,
				  HSA_WAIT_STATE_BLOCKED);
	hsa_signal_destroy(packet.completion_signal);
	return 0;
}

void
roc_enable_end(void)
{
	pthread_mutex_lock(&all.lock);
	while (all.list) {
		struct enabling *enabling = all.list;

		all.list = enabling->next;
		if (enabling->commands)
			hsa_amd_memory_pool_free(enabling->commands);
		free(enabling);
	}
	pthread_mutex_unlock(&all.lock);
}
