/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/state.h"

int
top_wake(struct top *top, bool *finds_counters)
{
	int status = top_model_wake(&top->model);

	*finds_counters =
		!status && top_counters_due(&top->counters, &top->model);
	return status;
}

int
top_sample(struct top *top, bool finds_counters)
{
	int status = 0;

	if (finds_counters)
		status = top_counters_update(&top->counters, &top->model);
	top->model.events_wait =
		top->counters.events && !top->counters.events_known;
	return status ? status : top_model_sample(&top->model);
}
