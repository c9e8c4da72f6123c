/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/sampled.h"

#include <stdlib.h>
#include <string.h>

#include "stat/figures.h"

struct sampled {
	struct drmperf_session *session;
	struct drmperf_selection *selections; /* that are sensors */
	size_t *indices; /* of each, in the selections of creation */
	union drmperf_value *values;
	int *statuses;
	size_t count;
	struct stat_range *seen; /* by index in those of creation */
	size_t seen_count;
};

static bool
is_sensor(const struct drmperf_event *event)
{
	return drmperf_event_kind(event) == DRMPERF_KIND_MOMENTARY &&
	       !strcmp(drmperf_group_domain(drmperf_event_group(event)),
		       "sensor");
}

static bool
sampled_allocate(struct sampled *sampled, size_t count)
{
	sampled->selections = calloc(count, sizeof(*sampled->selections));
	sampled->indices = calloc(count, sizeof(*sampled->indices));
	sampled->values = calloc(count, sizeof(*sampled->values));
	sampled->statuses = calloc(count, sizeof(*sampled->statuses));
	sampled->seen = calloc(count, sizeof(*sampled->seen));
	sampled->seen_count = count;
	return sampled->selections && sampled->indices && sampled->values &&
	       sampled->statuses && sampled->seen;
}

static bool
open_session(struct sampled *sampled, struct drmperf *drmperf)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options),
		.partial = 1,
	};

	return !drmperf_session_create(drmperf, sampled->selections,
				       sampled->count, &options,
				       &sampled->session, NULL) &&
	       !drmperf_session_start(sampled->session, NULL);
}

struct sampled *
sampled_create(struct drmperf *drmperf,
	       const struct drmperf_selection *selections, size_t count)
{
	struct sampled *sampled = calloc(1, sizeof(*sampled));

	if (!sampled || !sampled_allocate(sampled, count))
		goto none;
	for (size_t i = 0; i < count; i++) {
		if (!is_sensor(selections[i].event))
			continue;
		sampled->selections[sampled->count] = selections[i];
		sampled->indices[sampled->count++] = i;
	}
	if (sampled->count && open_session(sampled, drmperf))
		return sampled;
none:
	sampled_destroy(sampled);
	return NULL;
}

void
sampled_destroy(struct sampled *sampled)
{
	if (!sampled)
		return;
	drmperf_session_destroy(sampled->session);
	free(sampled->selections);
	free(sampled->indices);
	free(sampled->values);
	free(sampled->statuses);
	free(sampled->seen);
	free(sampled);
}

void
sampled_start(struct sampled *sampled)
{
	memset(sampled->seen, 0, sampled->seen_count * sizeof(*sampled->seen));
}

void
sampled_read(struct sampled *sampled)
{
	if (drmperf_session_read(sampled->session, sampled->values,
				 sampled->statuses, NULL, NULL) < 0)
		return;
	for (size_t i = 0; i < sampled->count; i++) {
		const struct drmperf_event *event =
			sampled->selections[i].event;
		const union drmperf_value *value = &sampled->values[i];

		if (!sampled->statuses[i])
			stat_range_add(&sampled->seen[sampled->indices[i]],
				       drmperf_event_type(event) ==
						       DRMPERF_TYPE_DOUBLE
					       ? value->f64
					       : (double)value->u64);
	}
}

const struct stat_range *
sampled_of(const struct sampled *sampled, size_t index)
{
	return &sampled->seen[index];
}
