/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of one EventSet, and the session that counts them.
 *
 * When an event is removed, PAPI moves others in its array without asking where
 * their values are then, and forgets to move one of its codes. So every event
 * keeps the position that it got when it was added, and the code is repaired by
 * that.
 */
#ifndef PAPI_DRM_SET_H
#define PAPI_DRM_SET_H

#include <errno.h>
#include <stdbool.h>

#include "papi_drm_names.h"

/* The number of events that an EventSet can hold. */
#define PAPI_DRM_SET_SIZE 512

/* An event as PAPI's array has it. */
struct papi_drm_slot {
	int native_code;
	int papi_code;
	int position; /* where its value is; negative: not known yet */
};

struct papi_drm_set;

int papi_drm_set_create(const struct papi_drm_library *library,
			struct papi_drm_set **out);
/* Stops the session if need be. */
void papi_drm_set_destroy(struct papi_drm_set *set);

/*
 * Count these events from the next start on. Positions and codes in events are
 * put right. Touches no hardware, and does nothing when nothing has changed.
 *
 * On failure the set keeps what it had: -ENOSPC or -E2BIG if the events do not
 * fit together; -ENOENT; -ENOMEM.
 */
int papi_drm_set_update(struct papi_drm_set *set, struct drmperf *drmperf,
			struct papi_drm_names *names,
			struct papi_drm_slot *events, size_t count,
			struct drmperf_error *error);

/* Start, reset or stop the set. Return what the session's functions do. */
int papi_drm_set_start(struct papi_drm_set *set, struct drmperf_error *error);
int papi_drm_set_reset(struct papi_drm_set *set, struct drmperf_error *error);

/*
 * Return whether papi_drm_set_reset() has set to zero all events that could be
 * read; the error, if there is one, is then that of an event which has no value
 * now.
 */
static inline bool
papi_drm_set_is_reset(int rc)
{
	return rc != -EINVAL && rc != -ECHILD && rc != -EAGAIN;
}

int papi_drm_set_stop(struct papi_drm_set *set, struct drmperf_error *error);

/* Return whether the event of this position adds up from zero. */
bool papi_drm_set_accumulates(const struct papi_drm_set *set, int position);

/*
 * Read values by position; a value that could not be read or would divide by 0
 * is PAPI_DRM_NO_VALUE or NaN. Allocates nothing and compares no strings.
 *
 * Where it would have to wait, or where the signal came during another call on
 * the set or the library, the values are those of the last read. Returns 0, or
 * -EAGAIN if there was none since the set was started or reset.
 */
int
papi_drm_set_read(struct papi_drm_set *set, long long **values,
		  struct drmperf_error *error);

/* Read them in a handler, of a set that is started, without such a wait. */
int
papi_drm_set_try_read(struct papi_drm_set *set, long long **values);

/*
 * Explain why the last read lacks a value, of the first event that has none.
 * Returns 0 if all have values, or if one was reported since the start.
 */
int papi_drm_set_explain(struct papi_drm_set *set, struct drmperf_error *error);

#endif /* PAPI_DRM_SET_H */
