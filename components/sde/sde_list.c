/* SPDX-License-Identifier: BSD-3-Clause */
#include "sde_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papi_drm_event.h"
#include "sde_error.h"

#define SEPARATORS ", \t\n"

/* ------------------------------------------------------------------ */
/* Names                                                                */

static const char *
without_component(const char *name)
{
	if (!strncmp(name, "drm:::", 6) || !strncmp(name, "sde:::", 6))
		return name + 6;
	return name;
}

/* Return the most names that a text can have. */
static size_t
most_names(const char *text)
{
	size_t count = 1;

	for (; *text; text++)
		count += strchr(SEPARATORS, *text) != NULL;
	return count;
}

static int
add_names(struct sde_list *list, char *text)
{
	char *name;

	while ((name = strsep(&text, SEPARATORS))) {
		if (!*name)
			continue;
		name = strdup(without_component(name));
		if (!name)
			return -ENOMEM;
		list->events[list->count++].name = name;
	}
	return 0;
}

int
sde_list_read(struct sde_list *list, const char *text)
{
	char *copy = strdup(text);
	int rc = -ENOMEM;

	list->events = calloc(most_names(text), sizeof(*list->events));
	if (copy && list->events)
		rc = add_names(list, copy);
	free(copy);
	return rc;
}

/* ------------------------------------------------------------------ */
/* Looking up                                                           */

static int
open_library(struct sde_list *list, struct drmperf_error *error)
{
	const struct drmperf_options options = {
		.size = sizeof(options),
		.log = sde_log,
	};
	char reason[sizeof(error->cause)];
	int rc;

	rc = papi_drm_library_open(&list->library, reason, sizeof(reason));
	if (rc)
		return sde_fail(error, rc, "", "%s", reason);
	rc = list->library.create(&options, &list->drmperf, error);
	if (rc) {
		list->drmperf = NULL;
		papi_drm_library_close(&list->library);
		return rc;
	}
	return papi_drm_names_create(&list->library, list->drmperf,
				     &list->names);
}

/*
 * Replace the mark that PAPI's component drm expects before the meaning of
 * qualifiers.
 */
static void
drop_mark(char *description)
{
	const char mark[] = " masks:";
	char *at = strstr(description, mark);

	if (!at)
		return;
	memmove(at + 2, at + strlen(mark), strlen(at + strlen(mark)) + 1);
	memcpy(at, "; ", 2);
}

static void
event_describe(const struct papi_drm_library *library, struct sde_event *event,
	       const struct papi_drm_event *found)
{
	const size_t size = sizeof(event->description);
	char units[64];
	size_t length;

	papi_drm_event_units(library, found, units, sizeof(units));
	papi_drm_event_describe(library, found, event->description,
				size - sizeof(units) - sizeof(" (units: )"));
	drop_mark(event->description);
	length = strlen(event->description);
	if (units[0])
		snprintf(event->description + length, size - length,
			 " (units: %s)", units);
}

/* Find the code of the same event as a double. */
static int
find_double(const struct sde_list *list, struct sde_event *event,
	    struct drmperf_error *error)
{
	char name[1024];
	int length = snprintf(name, sizeof(name), "%s%s", event->name,
			      DOUBLE_QUALIFIER);

	if (length < 0 || (size_t)length >= sizeof(name))
		return sde_fail(error, -EINVAL, "", "a name is too long");
	return papi_drm_names_find(list->names, name, &event->counted_code,
				   error);
}

static int
find_event(struct sde_list *list, struct sde_event *event,
	   struct drmperf_error *error)
{
	struct papi_drm_event found;
	int rc = papi_drm_names_find(list->names, event->name, &event->code,
				     error);

	if (!rc)
		rc = papi_drm_names_event(list->names, event->code, &found);
	if (rc)
		return rc;
	event->adds_up = list->library.event_kind(found.selection.event) ==
			 DRMPERF_KIND_CUMULATIVE;
	event->stands_alone = list->library.event_type(found.selection.event) ==
				      DRMPERF_TYPE_DOUBLE &&
			      (!event->adds_up || found.as_double);
	event->counted_code = event->code;
	event_describe(&list->library, event, &found);
	if (event->stands_alone && !found.as_double)
		rc = find_double(list, event, error);
	return rc;
}

int
sde_list_look_up(struct sde_list *list, struct drmperf_error *error)
{
	struct papi_drm_set *set;
	int rc = open_library(list, error);

	for (unsigned i = 0; !rc && i < list->count; i++)
		rc = find_event(list, &list->events[i], error);
	/* whether they fit one pass is known when they are in one */
	if (!rc)
		rc = sde_list_make_set(list, SDE_LIST_NONE, &set, error);
	if (rc) {
		sde_list_close(list);
		return rc;
	}
	papi_drm_set_destroy(set);
	return 0;
}

void
sde_list_close(struct sde_list *list)
{
	if (!list->drmperf)
		return;
	papi_drm_names_destroy(list->names);
	list->library.destroy(list->drmperf);
	papi_drm_library_close(&list->library);
	list->names = NULL;
	list->drmperf = NULL;
}

/* ------------------------------------------------------------------ */
/* Finding                                                              */

static int
find_spelling(const struct sde_list *list, const char *name, unsigned *index)
{
	for (unsigned i = 0; i < list->count; i++) {
		if (!strcmp(list->events[i].name, name)) {
			*index = i;
			return 0;
		}
	}
	return -ENOENT;
}

static bool
same_value(const struct papi_drm_event *a, const struct papi_drm_event *b)
{
	return a->selection.event == b->selection.event &&
	       a->selection.instance == b->selection.instance &&
	       a->as_double == b->as_double;
}

int
sde_list_find(const struct sde_list *list, const char *name, unsigned *index,
	      struct drmperf_error *error)
{
	struct papi_drm_event wanted, event;
	unsigned code;
	int rc;

	if (!find_spelling(list, name, index))
		return 0;
	rc = papi_drm_names_find(list->names, name, &code, error);
	if (!rc)
		rc = papi_drm_names_event(list->names, code, &wanted);
	if (rc)
		return rc;
	for (unsigned i = 0; i < list->count; i++) {
		if (!papi_drm_names_event(list->names, list->events[i].code,
					  &event) &&
		    same_value(&event, &wanted)) {
			*index = i;
			return 0;
		}
	}
	return sde_fail(error, -ENOENT,
			"name it there, or give it to \"drmperf papi -e\"",
			"%s is not among the events of DRMPERF_SDE_EVENTS",
			name);
}

/* ------------------------------------------------------------------ */
/* Sets                                                                 */

int
sde_list_make_set(const struct sde_list *list, unsigned plain,
		  struct papi_drm_set **out, struct drmperf_error *error)
{
	struct papi_drm_slot slots[PAPI_DRM_SET_SIZE];
	struct papi_drm_set *set;
	int rc;

	if (list->count > PAPI_DRM_SET_SIZE)
		return sde_fail(error, -E2BIG, "name fewer",
				"%u events are more than %d, the most that "
				"count at once",
				list->count, PAPI_DRM_SET_SIZE);
	for (unsigned i = 0; i < list->count; i++) {
		const struct sde_event *event = &list->events[i];

		slots[i] = (struct papi_drm_slot){
			.native_code = (int)(i == plain ? event->code
							: event->counted_code),
			.position = -1,
		};
	}
	rc = papi_drm_set_create(&list->library, &set);
	if (rc)
		return rc;
	rc = papi_drm_set_update(set, list->drmperf, list->names, slots,
				 list->count, error);
	if (rc) {
		papi_drm_set_destroy(set);
		return rc;
	}
	*out = set;
	return 0;
}
