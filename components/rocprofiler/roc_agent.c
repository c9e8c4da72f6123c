/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_agent.h"

#include <errno.h>
#include <hsa/hsa_ext_amd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roc_error.h"

static int
agent_query(hsa_agent_t agent, int what, void *out, struct drmperf_error *error)
{
	hsa_status_t status =
		hsa_agent_get_info(agent, (hsa_agent_info_t)what, out);

	if (status == HSA_STATUS_SUCCESS)
		return 0;
	return roc_fail_hsa(error, "hsa_agent_get_info", status);
}

/*
 * Read "0000:03:00.0"; HSA packs bus, device and function into one number. Of a
 * partition its index stands in the place of the function.
 */
static int
query_address(hsa_agent_t agent, char *text, size_t size,
	      struct drmperf_error *error)
{
	uint32_t place, domain = 0;
	int rc = agent_query(agent, HSA_AMD_AGENT_INFO_BDFID, &place, error);

	if (!rc)
		rc = agent_query(agent, HSA_AMD_AGENT_INFO_DOMAIN, &domain,
				 error);
	if (!rc)
		snprintf(text, size, "%04x:%02x:%02x.%x", domain,
			 place >> 8 & 0xff, place >> 3 & 0x1f, place & 7);
	return rc;
}

static bool
is_agents(const struct drmperf_device *device, const char *address)
{
	const char *its = drmperf_device_address(device);
	const int partition = drmperf_device_partition(device);
	const size_t length = strlen(address) - 1;

	if (partition < 0)
		return !strcmp(its, address);
	return strlen(its) == length + 1 && !strncmp(its, address, length) &&
	       address[length] - '0' == partition;
}

static int
find_device(struct drmperf *drmperf, const char *address,
	    struct drmperf_device **out, struct drmperf_error *error)
{
	for (unsigned i = 0; i < drmperf_device_count(drmperf); i++) {
		struct drmperf_device *device = drmperf_device_at(drmperf, i);

		if (is_agents(device, address)) {
			*out = device;
			return drmperf_device_open(device, error);
		}
	}
	return fe_fail(
		error, -ENODEV, "see that the kernel's driver amdgpu has it",
		"the agent's GPU %s has no DRM driver that is known", address);
}

int
roc_agent_find(struct drmperf *drmperf, hsa_agent_t hsa, struct roc_agent *out,
	       struct drmperf_error *error)
{
	hsa_device_type_t type;
	char address[32];
	int rc = agent_query(hsa, HSA_AGENT_INFO_DEVICE, &type, error);

	if (!rc && type != HSA_DEVICE_TYPE_GPU)
		return fe_fail(error, -EINVAL,
			       "hand in an agent whose "
			       "HSA_AGENT_INFO_DEVICE is a GPU",
			       "the agent is no GPU");
	if (!rc)
		rc = query_address(hsa, address, sizeof(address), error);
	if (!rc)
		rc = agent_query(hsa, HSA_AMD_AGENT_INFO_DRIVER_NODE_ID,
				 &out->node, error);
	if (!rc)
		rc = find_device(drmperf, address, &out->device, error);
	out->hsa = hsa;
	return rc;
}

struct search {
	struct drmperf *drmperf;
	struct roc_agent *agents;
	size_t count;
	int rc;
	struct drmperf_error *error;
};

static int
search_add_agent(struct search *search, hsa_agent_t agent)
{
	struct roc_agent *agents;
	hsa_device_type_t type;
	int rc =
		agent_query(agent, HSA_AGENT_INFO_DEVICE, &type, search->error);

	if (rc || type != HSA_DEVICE_TYPE_GPU)
		return rc;
	agents = reallocarray(search->agents, search->count + 1,
			      sizeof(*agents));
	if (!agents)
		return fe_fail_memory(search->error);
	search->agents = agents;
	rc = roc_agent_find(search->drmperf, agent, &agents[search->count],
			    search->error);
	search->count += !rc;
	return rc;
}

static hsa_status_t
agent_visit(hsa_agent_t agent, void *data)
{
	struct search *search = data;

	search->rc = search_add_agent(search, agent);
	return search->rc ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
}

int
roc_agents_find(struct drmperf *drmperf, struct roc_agent **out, size_t *count,
		struct drmperf_error *error)
{
	struct search search = { .drmperf = drmperf, .error = error };
	hsa_status_t status = hsa_iterate_agents(agent_visit, &search);

	if (!search.rc && status != HSA_STATUS_SUCCESS)
		search.rc = roc_fail_hsa(error, "hsa_iterate_agents", status);
	if (search.rc) {
		free(search.agents);
		return search.rc;
	}
	*out = search.agents;
	*count = search.count;
	return 0;
}
