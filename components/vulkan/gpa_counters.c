/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_counters.h"

#include <errno.h>
#include <stdlib.h>

#include "frontend/frontend.h"

size_t
gpa_counters_index(const struct gpa_counters *counters,
		   const struct drmperf_selection *selection)
{
	size_t i = 0;

	while (i < counters->count &&
	       (counters->list[i].event != selection->event ||
		counters->list[i].instance != selection->instance))
		i++;
	return i;
}

int
gpa_counters_add(struct gpa_counters *counters, const struct gpa_sample *sample,
		 struct drmperf_error *error)
{
	const size_t room = counters->count + sample->count;
	struct drmperf_selection *list;

	if (counters->stages && sample->stages &&
	    counters->stages != sample->stages)
		return fe_fail(error, -ENOSPC, "",
			       "samples of different shader stages cannot be "
			       "counted together");
	if (room > counters->room) {
		list = reallocarray(counters->list, room, sizeof(*list));
		if (!list)
			return fe_fail_memory(error);
		counters->list = list;
		counters->room = room;
	}
	counters->stages |= sample->stages;
	for (size_t i = 0; i < sample->count; i++) {
		const size_t at =
			gpa_counters_index(counters, &sample->selections[i]);

		if (!sample->selections[i].event)
			continue;
		counters->list[at] = sample->selections[i];
		counters->count += at == counters->count;
	}
	return 0;
}

/*
 * Choose the clock mode. Clocks that the application has set through the device
 * are left alone.
 */
static enum drmperf_clock_mode
device_choose_clock(struct gpa_device *device)
{
	enum drmperf_clock_mode mode;

	pthread_mutex_lock(&device->lock);
	mode = device->clocks ? DRMPERF_CLOCK_DEFAULT : DRMPERF_CLOCK_AUTO;
	pthread_mutex_unlock(&device->lock);
	return mode;
}

int
gpa_counters_session(const struct gpa_counters *counters,
		     struct gpa_device *device, struct drmperf_session **out,
		     struct drmperf_error *error)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options),
		.clock = device_choose_clock(device),
		.stages = counters->stages,
	};

	return drmperf_session_create(device->gpu->drmperf, counters->list,
				      counters->count, &options, out, error);
}

void
gpa_counters_finish(struct gpa_counters *counters)
{
	free(counters->list);
	*counters = (struct gpa_counters){ 0 };
}
