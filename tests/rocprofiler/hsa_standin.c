/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small HSA runtime for tests: a CPU and the AMD GPUs that libdrm finds are
 * its agents, queues take no packets, and the tool that HSA_TOOLS_LIB names is
 * told when it starts and ends. It knows nothing of drmperf.
 *
 * HSA_STANDIN_STRANGER=1: one more GPU, which no DRM driver has.
 */
#include <dlfcn.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xf86drm.h>

#define MOST 16
#define AMD 0x1002
#define EXPORT __attribute__((visibility("default")))

typedef bool (*on_load)(void *table, uint64_t version, uint64_t failed,
			const char *const *names);

struct agent {
	hsa_device_type_t type;
	uint32_t domain, place, node;
};

static unsigned users;
static struct agent agents[MOST];
static unsigned agent_count;
static void *tool;

/* ------------------------------------------------------------------ */
/* Starting and ending                                                  */

static void
add_gpu(uint32_t domain, uint32_t place)
{
	agents[agent_count] = (struct agent){ .type = HSA_DEVICE_TYPE_GPU,
					      .domain = domain,
					      .place = place,
					      .node = agent_count };
	agent_count++;
}

static void
find_agents(void)
{
	drmDevicePtr devices[MOST];
	int count = drmGetDevices2(0, devices, MOST - 2);

	agents[0] = (struct agent){ .type = HSA_DEVICE_TYPE_CPU };
	agent_count = 1;
	for (int i = 0; i < count; i++) {
		const drmPciBusInfo *bus = devices[i]->businfo.pci;

		if (devices[i]->bustype == DRM_BUS_PCI &&
		    devices[i]->deviceinfo.pci->vendor_id == AMD)
			add_gpu(bus->domain, (uint32_t)(bus->bus << 8 |
							bus->dev << 3 |
							bus->func));
	}
	if (count > 0)
		drmFreeDevices(devices, count);
	if (getenv("HSA_STANDIN_STRANGER"))
		add_gpu(0xfff, 0);
}

static void
load_tool(void)
{
	const char *path = getenv("HSA_TOOLS_LIB");
	on_load load;

	tool = path ? dlopen(path, RTLD_NOW) : NULL;
	if (!tool)
		return;
	*(void **)&load = dlsym(tool, "OnLoad");
	if (load && load(NULL, 1, 0, NULL))
		return;
	dlclose(tool);
	tool = NULL;
}

static void
unload_tool(void)
{
	void (*unload)(void);

	if (!tool)
		return;
	*(void **)&unload = dlsym(tool, "OnUnload");
	unload();
	dlclose(tool);
	tool = NULL;
}

/* hsa.h has no prototypes of these for C */
EXPORT hsa_status_t hsa_init(void);
EXPORT hsa_status_t hsa_shut_down(void);

EXPORT hsa_status_t
hsa_init(void)
{
	if (users++)
		return HSA_STATUS_SUCCESS;
	find_agents();
	load_tool();
	return HSA_STATUS_SUCCESS;
}

EXPORT hsa_status_t
hsa_shut_down(void)
{
	if (!users)
		return HSA_STATUS_ERROR_NOT_INITIALIZED;
	if (--users)
		return HSA_STATUS_SUCCESS;
	unload_tool();
	agent_count = 0;
	return HSA_STATUS_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Information                                                          */

EXPORT hsa_status_t
hsa_status_string(hsa_status_t status, const char **string)
{
	switch (status) {
	case HSA_STATUS_SUCCESS:
		*string = "success";
		break;
	case HSA_STATUS_ERROR_NOT_INITIALIZED:
		*string = "HSA is not initialized";
		break;
	case HSA_STATUS_ERROR_INVALID_AGENT:
		*string = "there is no such agent";
		break;
	default:
		*string = "failure";
	}
	return HSA_STATUS_SUCCESS;
}

EXPORT hsa_status_t
hsa_system_get_info(hsa_system_info_t attribute, void *value)
{
	struct timespec now;

	if (!users)
		return HSA_STATUS_ERROR_NOT_INITIALIZED;
	clock_gettime(CLOCK_BOOTTIME, &now);
	switch (attribute) {
	case HSA_SYSTEM_INFO_TIMESTAMP: /* of 100 MHz, as of real ones */
		*(uint64_t *)value = (uint64_t)now.tv_sec * 100000000 +
				     (uint64_t)now.tv_nsec / 10;
		return HSA_STATUS_SUCCESS;
	case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
		*(uint64_t *)value = 100000000;
		return HSA_STATUS_SUCCESS;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

EXPORT hsa_status_t
hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data),
		   void *data)
{
	hsa_status_t status = HSA_STATUS_SUCCESS;

	if (!users)
		return HSA_STATUS_ERROR_NOT_INITIALIZED;
	for (unsigned i = 0; status == HSA_STATUS_SUCCESS && i < agent_count;
	     i++) {
		const hsa_agent_t agent = { (uintptr_t)&agents[i] };

		status = callback(agent, data);
	}
	return status == HSA_STATUS_INFO_BREAK ? HSA_STATUS_SUCCESS : status;
}

static const struct agent *
agent_of(hsa_agent_t handle)
{
	for (unsigned i = 0; i < agent_count; i++) {
		if (handle.handle == (uintptr_t)&agents[i])
			return &agents[i];
	}
	return NULL;
}

EXPORT hsa_status_t
hsa_agent_get_info(hsa_agent_t handle, hsa_agent_info_t attribute, void *value)
{
	const struct agent *agent = agent_of(handle);

	if (!users)
		return HSA_STATUS_ERROR_NOT_INITIALIZED;
	if (!agent)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	switch ((unsigned)attribute) {
	case HSA_AGENT_INFO_DEVICE:
		*(hsa_device_type_t *)value = agent->type;
		return HSA_STATUS_SUCCESS;
	case HSA_AMD_AGENT_INFO_BDFID:
		*(uint32_t *)value = agent->place;
		return HSA_STATUS_SUCCESS;
	case HSA_AMD_AGENT_INFO_DOMAIN:
		*(uint32_t *)value = agent->domain;
		return HSA_STATUS_SUCCESS;
	case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
		*(uint32_t *)value = agent->node;
		return HSA_STATUS_SUCCESS;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

/* ------------------------------------------------------------------ */
/* Queues                                                               */

EXPORT hsa_status_t
hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
		 void (*callback)(hsa_status_t status, hsa_queue_t *source,
				  void *data),
		 void *data, uint32_t private_segment_size,
		 uint32_t group_segment_size, hsa_queue_t **queue)
{
	(void)callback;
	(void)data;
	(void)private_segment_size;
	(void)group_segment_size;
	if (!agent_of(agent))
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!size || size & (size - 1))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*queue = calloc(1, sizeof(**queue));
	if (!*queue)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	(*queue)->type = type;
	(*queue)->size = size;
	return HSA_STATUS_SUCCESS;
}

EXPORT hsa_status_t
hsa_queue_destroy(hsa_queue_t *queue)
{
	if (!queue)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	free(queue);
	return HSA_STATUS_SUCCESS;
}
