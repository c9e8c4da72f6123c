/* SPDX-License-Identifier: BSD-3-Clause */
#include "contexts.h"

#include <stdio.h>

#include "tests/support/scene.h"

hsa_agent_t gpus[MOST];
unsigned gpu_count;
hsa_agent_t cpu;

static hsa_status_t
sort_agent(hsa_agent_t agent, void *data)
{
	hsa_device_type_t type;

	(void)data;
	ck_assert_int_eq(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE,
					    &type),
			 HSA_STATUS_SUCCESS);
	if (type == HSA_DEVICE_TYPE_GPU)
		gpus[gpu_count++] = agent;
	else
		cpu = agent;
	return HSA_STATUS_SUCCESS;
}

void
begin_agents(void)
{
	ck_assert_int_eq(hsa_init(), HSA_STATUS_SUCCESS);
	gpu_count = 0;
	ck_assert_int_eq(hsa_iterate_agents(sort_agent, NULL),
			 HSA_STATUS_SUCCESS);
}

void
end_agents(void)
{
	scene_set("default", "formula");
	ck_assert_int_eq(hsa_shut_down(), HSA_STATUS_SUCCESS);
}

rocprofiler_t *
open_features(rocprofiler_feature_t *features, uint32_t count)
{
	rocprofiler_t *context = NULL;

	must_succeed(
		rocprofiler_open(gpus[0], features, count, &context, 0, NULL));
	ck_assert_ptr_nonnull(context);
	return context;
}

uint32_t
groups_of(rocprofiler_t *context)
{
	uint32_t count = 77;

	must_succeed(rocprofiler_group_count(context, &count));
	return count;
}

void
expect_count(const rocprofiler_feature_t *feature, uint64_t value)
{
	ck_assert_int_eq(feature->data.kind, ROCPROFILER_DATA_KIND_INT64);
	ck_assert_uint_eq(feature->data.result_int64, value);
}

uint32_t
metric_count(const hsa_agent_t *agent)
{
	uint32_t count = 0;

	must_succeed(rocprofiler_get_info(
		agent, ROCPROFILER_INFO_KIND_METRIC_COUNT, &count));
	return count;
}

unsigned
count_engines(void)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);

	scene_set("default", "zero");
	scene_set("rate", "SQ.4 1000");
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(1 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	must_succeed(rocprofiler_close(context));
	return (unsigned)feature.data.result_int64;
}

/* ------------------------------------------------------------------ */
/* A session of libdrmperf beside                                       */

struct own
own_start(const char *const *names, size_t count, unsigned device)
{
	struct own own;
	struct drmperf_error error;

	ck_assert_int_eq(drmperf_create(NULL, &own.drmperf, &error), 0);
	for (size_t i = 0; i < count; i++) {
		char name[128];

		snprintf(name, sizeof(name), "amdgpu::%s:device=%u", names[i],
			 device);
		ck_assert_msg(!drmperf_event_find(own.drmperf, name,
						  &own.selections[i], &error),
			      "%s: %s", name, error.cause);
	}
	ck_assert_msg(!drmperf_session_create(own.drmperf, own.selections,
					      count, NULL, &own.session,
					      &error),
		      "%s", error.cause);
	ck_assert_msg(!drmperf_session_start(own.session, &error), "%s",
		      error.cause);
	return own;
}

void
own_read(struct own *own, union drmperf_value *values)
{
	ck_assert_int_eq(
		drmperf_session_read(own->session, values, NULL, NULL, NULL),
		0);
}

void
own_end(struct own *own)
{
	drmperf_session_destroy(own->session);
	drmperf_destroy(own->drmperf);
}
