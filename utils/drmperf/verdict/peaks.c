/* SPDX-License-Identifier: BSD-3-Clause */
#include "verdict/peaks.h"

#include <math.h>
#include <stdlib.h>

/* Clocks of two places are not exactly one. */
#define MOST_PERCENT 101

static bool
has_earlier(const struct selection_list *choice, size_t index)
{
	const struct drmperf_device *device =
		drmperf_event_device(choice->selections[index].event);

	for (size_t i = 0; i < index; i++) {
		if (drmperf_event_device(choice->selections[i].event) == device)
			return true;
	}
	return false;
}

/* Read the peaks of a device. Events of CPUs have none. */
static int
read_device(const struct tool *tool, struct drmperf_device *device,
	    struct peaks *out)
{
	struct drmperf_error error;

	if (drmperf_device_index(device) >= drmperf_device_count(tool->drmperf))
		return 0;
	if (drmperf_peaks_create(device, &out->devices[out->count], &error))
		return tool_complain(tool, &error);
	out->count++;
	return 0;
}

int
peaks_read(const struct tool *tool, const struct selection_list *choice,
	   struct peaks *out)
{
	int status = 0;

	*out = (struct peaks){
		.devices = calloc(choice->count + 1, sizeof(*out->devices)),
	};
	if (!out->devices)
		return tool_fail(tool, "no memory");
	for (size_t i = 0; !status && i < choice->count; i++) {
		if (!has_earlier(choice, i))
			status = read_device(tool,
					     drmperf_event_device(
						     choice->selections[i]
							     .event),
					     out);
	}
	return status;
}

void
peaks_finish(struct peaks *peaks)
{
	for (size_t i = 0; i < peaks->count; i++)
		drmperf_peaks_destroy(peaks->devices[i]);
	free(peaks->devices);
	*peaks = (struct peaks){ 0 };
}

static bool
is_of(const struct drmperf_peak *peak, const struct drmperf_event *event)
{
	for (size_t i = 0; i < peak->event_count; i++) {
		if (peak->events[i] == event)
			return true;
	}
	return false;
}

const struct drmperf_peak *
peaks_find(const struct peaks *peaks, const struct drmperf_selection *of)
{
	if (of->instance != DRMPERF_ALL_INSTANCES)
		return NULL;
	for (size_t i = 0; i < peaks->count; i++) {
		const struct drmperf_peaks *device = peaks->devices[i];

		for (size_t k = 0; k < device->count; k++) {
			if (is_of(device->list[k], of->event))
				return device->list[k];
		}
	}
	return NULL;
}

double
peak_share(const struct drmperf_peak *peak, double per_second)
{
	double percent = 100 * per_second / peak->per_second;

	return percent > 0 && percent <= MOST_PERCENT ? percent : NAN;
}
