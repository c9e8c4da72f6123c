/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the suites of sampling by librocprofiler64 do alike, and a session of
 * libdrmperf itself beside it. What must not fail fails the test.
 */
#ifndef DRMPERF_TESTS_ROCPROFILER_CONTEXTS_H
#define DRMPERF_TESTS_ROCPROFILER_CONTEXTS_H

#include <rocprofiler/rocprofiler.h>

#include <drmperf.h>
#include <stddef.h>
#include <stdint.h>

#include "program.h"
#include "tests/support/check.h"

#define MOST 8 /* agents, and features */

#define METRIC(text)                                                       \
	{                                                                  \
		.kind = ROCPROFILER_FEATURE_KIND_METRIC, { .name = (text) } \
	}

/* One of them more than GRBM counts at once. */
#define TOO_MANY                                                      \
	{                                                             \
		METRIC("GRBM_COUNT"), METRIC("SQ_WAVES"),             \
			METRIC("GRBM_GUI_ACTIVE"), METRIC("GRBM_CP_BUSY") \
	}

/* Begin HSA, and its agents. */
void begin_agents(void);
void end_agents(void);
extern hsa_agent_t gpus[MOST];
extern unsigned gpu_count;
extern hsa_agent_t cpu;

/* Create a context of the first GPU. */
rocprofiler_t *open_features(rocprofiler_feature_t *features, uint32_t count);
uint32_t groups_of(rocprofiler_t *context);
void expect_count(const rocprofiler_feature_t *feature, uint64_t value);

/* Return how many metrics there are of an agent, or of all. */
uint32_t metric_count(const hsa_agent_t *agent);

/*
 * Return how many there are that count waves, each 1000 a second from now on.
 */
unsigned
count_engines(void);

struct own {
	struct drmperf *drmperf;
	struct drmperf_session *session;
	struct drmperf_selection selections[MOST];
};

struct own own_start(const char *const *names, size_t count, unsigned device);
void own_read(struct own *own, union drmperf_value *values);
void own_end(struct own *own);

#endif /* DRMPERF_TESTS_ROCPROFILER_CONTEXTS_H */
