/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Agents of the stand-in for HSA, and its beginning and end.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "hsa_standin.h"

#define MOST 16
#define AMD 0x1002

typedef bool (*on_load)(void *table, uint64_t version, uint64_t failed,
			const char *const *names);

static unsigned users;
static struct standin_agent agents[MOST];
static unsigned agent_count;
static void *tool;

/* ------------------------------------------------------------------ */
/* Starting and ending                                                  */

static void
add_gpu(uint32_t domain, uint32_t place, const char *path)
{
	agents[agent_count] = (struct standin_agent){
		.type = HSA_DEVICE_TYPE_GPU,
		.domain = domain,
		.place = place,
		.node = agent_count,
	};
	snprintf(agents[agent_count].path, sizeof(agents[0].path), "%s", path);
	agent_count++;
}

/*
 * Add partitions. Each further partition of a GPU is an agent: its render nodes
 * have numbers in a row, and those of partitions that there are can be opened.
 */
static void
add_partitions(uint32_t domain, uint32_t place, const char *path)
{
	const char *digits = strrchr(path, 'D');
	char node[64];

	for (uint32_t i = 1; digits && i < 8 && agent_count < MOST; i++) {
		char link[80], device[80] = "";
		int fd;

		snprintf(link, sizeof(link), "/sys/class/drm/renderD%u/device",
			 (unsigned)atoi(digits + 1) + i);
		if (readlink(link, device, sizeof(device) - 1) < 0 ||
		    !strstr(device, "amdgpu_xcp"))
			return;
		snprintf(node, sizeof(node), "/dev/dri/renderD%u",
			 (unsigned)atoi(digits + 1) + i);
		fd = open(node, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			return;
		close(fd);
		add_gpu(domain, place | i, node);
	}
}

static void
find_agents(void)
{
	drmDevicePtr devices[MOST];
	int count = drmGetDevices2(0, devices, MOST - 2);

	agents[0] = (struct standin_agent){ .type = HSA_DEVICE_TYPE_CPU };
	agent_count = 1;
	for (int i = 0; i < count; i++) {
		const drmPciBusInfo *bus = devices[i]->businfo.pci;
		uint32_t place;

		if (devices[i]->bustype != DRM_BUS_PCI ||
		    devices[i]->deviceinfo.pci->vendor_id != AMD)
			continue;
		place = (uint32_t)(bus->bus << 8 | bus->dev << 3 | bus->func);
		add_gpu(bus->domain, place, devices[i]->nodes[DRM_NODE_RENDER]);
		add_partitions(bus->domain, place,
			       devices[i]->nodes[DRM_NODE_RENDER]);
	}
	if (count > 0)
		drmFreeDevices(devices, count);
	if (getenv("HSA_STANDIN_STRANGER"))
		add_gpu(0xfff, 0, "");
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
	if (load && load(standin_tables(), 1, 0, NULL)) {
		standin_obey_tables();
		return;
	}
	dlclose(tool);
	tool = NULL;
}

/* Unload a tool, which puts back what it has replaced. */
static void
unload_tool(void)
{
	void (*unload)(void);

	if (!tool)
		return;
	*(void **)&unload = dlsym(tool, "OnUnload");
	unload();
	standin_obey_tables();
	if (!standin_tables_are_own())
		abort();
	dlclose(tool);
	tool = NULL;
}

/* hsa.h has no prototypes of these for C */
STANDIN_EXPORT hsa_status_t hsa_init(void);
STANDIN_EXPORT hsa_status_t hsa_shut_down(void);

STANDIN_EXPORT hsa_status_t
hsa_init(void)
{
	if (users++)
		return HSA_STATUS_SUCCESS;
	find_agents();
	load_tool();
	return HSA_STATUS_SUCCESS;
}

STANDIN_EXPORT hsa_status_t
hsa_shut_down(void)
{
	if (!users)
		return HSA_STATUS_ERROR_NOT_INITIALIZED;
	if (--users)
		return HSA_STATUS_SUCCESS;
	users = 1; /* tools may ask for something while they end */
	unload_tool();
	users = 0;
	standin_end_handlers();
	agent_count = 0;
	return HSA_STATUS_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Information                                                          */

STANDIN_EXPORT hsa_status_t
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

uint64_t
standin_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * STANDIN_HZ +
	       (uint64_t)now.tv_nsec / (1000000000 / STANDIN_HZ);
}

STANDIN_EXPORT hsa_status_t
hsa_system_get_info(hsa_system_info_t attribute, void *value)
{
	if (!users)
		return HSA_STATUS_ERROR_NOT_INITIALIZED;
	switch (attribute) {
	case HSA_SYSTEM_INFO_TIMESTAMP:
		*(uint64_t *)value = standin_clock();
		return HSA_STATUS_SUCCESS;
	case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
		*(uint64_t *)value = STANDIN_HZ;
		return HSA_STATUS_SUCCESS;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

STANDIN_EXPORT hsa_status_t
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
	return status;
}

const struct standin_agent *
standin_agent_of(hsa_agent_t handle)
{
	for (unsigned i = 0; i < agent_count; i++) {
		if (handle.handle == (uintptr_t)&agents[i])
			return &agents[i];
	}
	return NULL;
}

STANDIN_EXPORT hsa_status_t
hsa_agent_get_info(hsa_agent_t handle, hsa_agent_info_t attribute, void *value)
{
	const struct standin_agent *agent = standin_agent_of(handle);
	const char *isa = getenv("HSA_STANDIN_ISA");

	if (!users)
		return HSA_STATUS_ERROR_NOT_INITIALIZED;
	if (!agent)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	switch ((unsigned)attribute) {
	case HSA_AGENT_INFO_NAME: /* drivers know better */
		strncpy(value, isa ? isa : "gfx9", 64);
		return HSA_STATUS_SUCCESS;
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
