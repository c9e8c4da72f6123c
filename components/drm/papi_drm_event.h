/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event with the qualifiers of its name, and the texts that PAPI shows of
 * it.
 */
#ifndef PAPI_DRM_EVENT_H
#define PAPI_DRM_EVENT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "papi_drm_library.h"

#define DOUBLE_QUALIFIER ":double"

/*
 * Value of an event that has none: a number that no event counts up to. With
 * ":double" it is NaN.
 */
#define PAPI_DRM_NO_VALUE LLONG_MIN

struct papi_drm_event {
	struct drmperf_selection selection;
	bool names_device; /* ":device=" is part of its name */
	bool as_double;
};

/* Return the factor that makes an event's value an integer; 1 if it is one. */
double papi_drm_event_scale(const struct papi_drm_library *library,
			    const struct papi_drm_event *event);

/*
 * Write the texts of an event, cut to size; the summary is the first part of
 * the description. 0; -ENAMETOOLONG if a name was cut.
 */
int papi_drm_event_name(const struct papi_drm_library *library,
			const struct papi_drm_event *event, char *buffer,
			size_t size);
void papi_drm_event_summary(const struct papi_drm_library *library,
			    const struct papi_drm_event *event, char *buffer,
			    size_t size);
void papi_drm_event_describe(const struct papi_drm_library *library,
			     const struct papi_drm_event *event, char *buffer,
			     size_t size);
void papi_drm_event_units(const struct papi_drm_library *library,
			  const struct papi_drm_event *event, char *buffer,
			  size_t size);

#endif /* PAPI_DRM_EVENT_H */
