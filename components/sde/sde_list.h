/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A list of events, "amdgpu::SQ.WAVES,amdgpu::TCC.HIT", that fit one pass, and
 * the library that counts them.
 */
#ifndef SDE_LIST_H
#define SDE_LIST_H

#include <limits.h>
#include <stdbool.h>

#include "papi_drm_names.h"
#include "papi_drm_set.h"

struct sde_event {
	char *name; /* as the list has it */
	char description[1024];
	unsigned code; /* of papi_drm_names */
	/* as a double, which may be n/a, if it is one that may; else as code */
	unsigned counted_code;
	bool adds_up;
	bool stands_alone; /* values cannot be subtracted, or be n/a */
};

struct sde_list {
	struct sde_event *events;
	unsigned count;

	struct papi_drm_library library;
	struct drmperf *drmperf; /* NULL: nothing has been looked up */
	struct papi_drm_names *names;
};

/* Read the names, separated by commas or blanks. Returns 0, or -ENOMEM. */
int sde_list_read(struct sde_list *list, const char *text);

/*
 * Open GPUs and look all events up. 0; -ENOSPC or -E2BIG if they do not fit
 * one pass; the errors of drmperf_create() and drmperf_event_find().
 */
int sde_list_look_up(struct sde_list *list, struct drmperf_error *error);

/* Close what the look-up opened; names and descriptions stay. */
void sde_list_close(struct sde_list *list);

/*
 * Find the event that this spelling means, after the look-up. Returns 0, or
 * -ENOENT.
 */
int sde_list_find(const struct sde_list *list, const char *name,
		  unsigned *index, struct drmperf_error *error);

/*
 * Create a set of all events, in this order, not started. The value of plain
 * (or SDE_LIST_NONE) is as its name says; others that stand alone are doubles.
 * Sets of the same list can count at the same time: they are the same choice of
 * counters, or of one of Intel's metric sets.
 */
#define SDE_LIST_NONE UINT_MAX
int sde_list_make_set(const struct sde_list *list, unsigned plain,
		      struct papi_drm_set **out, struct drmperf_error *error);

#endif /* SDE_LIST_H */
