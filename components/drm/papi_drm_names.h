/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Native codes and what they stand for.
 *
 * A name gets its code, which never changes, when it is first found or
 * enumerated. Finding a name does not create the list of all events, for which
 * papi_drm_names_list() reads the tables of all GPUs.
 *
 * The list has one entry for an event that several GPUs of a driver have,
 * meant for the first of them; what the first lacks is listed with ":device="
 * for each that has it. PAPI calls names with other qualifiers unit masks.
 *
 *     :device=N     another GPU of the driver
 *     :instance=I   one copy of the hardware instead of the sum
 *     :double       a double, where a plain value would be a scaled integer
 *
 * All functions may be called from several threads at once.
 */
#ifndef PAPI_DRM_NAMES_H
#define PAPI_DRM_NAMES_H

#include "papi_drm_event.h"
#include "papi_drm_library.h"

struct papi_drm_names;

/* Create the names, none of which has a code so far. Returns 0, or -ENOMEM. */
int papi_drm_names_create(const struct papi_drm_library *library,
			  struct drmperf *drmperf, struct papi_drm_names **out);
void papi_drm_names_destroy(struct papi_drm_names *names);

/* List the events of all devices that are open, once. Returns 0, or -ENOMEM. */
int papi_drm_names_list(struct papi_drm_names *names, unsigned *count);

/*
 * Find the event listed first. Returns 0, or -ENOENT if there is no event or no
 * list.
 */
int papi_drm_names_first(struct papi_drm_names *names, unsigned *code);

/*
 * Find the listed event after code, or after the one that code qualifies.
 * Returns 0, or -ENOENT.
 */
int papi_drm_names_next(struct papi_drm_names *names, unsigned *code);

/*
 * Find the qualified event after code, or the first if code is a listed event.
 * Only one instance is enumerated: its description has their number. Returns 0;
 * -ENOENT after the last, and if there is no list; -ENOMEM.
 */
int papi_drm_names_qualify(struct papi_drm_names *names, unsigned *code);

/*
 * Find the code of a name. Returns 0, -ENOMEM, or the errors of
 * drmperf_event_find().
 */
int papi_drm_names_find(struct papi_drm_names *names, const char *name,
			unsigned *code, struct drmperf_error *error);

/* Find the event of a code. Returns 0, or -ENOENT. */
int papi_drm_names_event(struct papi_drm_names *names, unsigned code,
			 struct papi_drm_event *out);

#endif /* PAPI_DRM_NAMES_H */
