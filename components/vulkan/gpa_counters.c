/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_counters.h"

#include <errno.h>
#include <stdlib.h>

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
gpa_counters_add(struct gpa_counters *counters, const struct gpa_sample *sample)
{
	const size_t room = counters->count + sample->count;
	struct drmperf_selection *list;

	if (room > counters->room) {
		list = reallocarray(counters->list, room, sizeof(*list));
		if (!list)
			return -ENOMEM;
		counters->list = list;
		counters->room = room;
	}
	for (size_t i = 0; i < sample->count; i++) {
		const size_t at =
			gpa_counters_index(counters, &sample->selections[i]);

		counters->list[at] = sample->selections[i];
		counters->count += at == counters->count;
	}
	return 0;
}

void
gpa_counters_finish(struct gpa_counters *counters)
{
	free(counters->list);
}
