/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "papi_drm_names.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_CODE UINT_MAX
#define NOT_LISTED UINT_MAX

struct record {
	struct papi_drm_event event;
	uint32_t hash; /* of its event's name */
	unsigned next; /* the code after it in its bucket, or NO_CODE */
	unsigned position; /* in the list, or NOT_LISTED */
};

struct papi_drm_names {
	const struct papi_drm_library *library;
	struct drmperf *drmperf;

	/* guards all below; held by callers of static functions */
	pthread_mutex_t lock;
	struct record *records; /* by code */
	unsigned record_count;
	/*
	 * records of one name, on whatever GPU and with whatever qualifiers,
	 * share a bucket: its first code, or NO_CODE
	 */
	unsigned *buckets;
	unsigned room; /* of records and of buckets, a power of two */
	unsigned *list; /* codes; NULL before papi_drm_names_list() */
	unsigned listed, list_room;
};

/* ------------------------------------------------------------------ */
/* Records                                                              */

static uint32_t
hash_of(const struct papi_drm_names *names, const struct drmperf_event *event)
{
	const char *at = names->library->event_name(event);
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 16777619u;
	return hash;
}

static unsigned
first_in_bucket(const struct papi_drm_names *names, uint32_t hash)
{
	return names->room ? names->buckets[hash & (names->room - 1)] : NO_CODE;
}

static void
put_in_bucket(struct papi_drm_names *names, unsigned code)
{
	struct record *record = &names->records[code];
	unsigned *bucket = &names->buckets[record->hash & (names->room - 1)];

	record->next = *bucket;
	*bucket = code;
}

static int
names_grow(struct papi_drm_names *names)
{
	unsigned room = names->room ? 2 * names->room : 64;
	struct record *records =
		realloc(names->records, room * sizeof(*records));
	unsigned *buckets;
	unsigned i;

	if (!records)
		return -ENOMEM;
	names->records = records;
	buckets = malloc(room * sizeof(*buckets));
	if (!buckets)
		return -ENOMEM;
	free(names->buckets);
	names->buckets = buckets;
	names->room = room;
	for (i = 0; i < room; i++)
		buckets[i] = NO_CODE;
	for (i = 0; i < names->record_count; i++)
		put_in_bucket(names, i);
	return 0;
}

static int
add_record(struct papi_drm_names *names, const struct papi_drm_event *event,
	   uint32_t hash, unsigned *code)
{
	struct record *record;

	if (names->record_count == names->room && names_grow(names))
		return -ENOMEM;
	*code = names->record_count++;
	record = &names->records[*code];
	record->event = *event;
	record->hash = hash;
	record->position = NOT_LISTED;
	put_in_bucket(names, *code);
	return 0;
}

static bool
same_event(const struct papi_drm_event *a, const struct papi_drm_event *b)
{
	return a->selection.event == b->selection.event &&
	       a->selection.instance == b->selection.instance &&
	       a->names_device == b->names_device &&
	       a->as_double == b->as_double;
}

/*
 * Return the code of an event whose name has this hash, a new one if it has
 * none.
 */
static int
code_of(struct papi_drm_names *names, const struct papi_drm_event *event,
	uint32_t hash, unsigned *out)
{
	unsigned code;

	for (code = first_in_bucket(names, hash); code != NO_CODE;
	     code = names->records[code].next) {
		if (same_event(&names->records[code].event, event)) {
			*out = code;
			return 0;
		}
	}
	return add_record(names, event, hash, out);
}

int
papi_drm_names_event(struct papi_drm_names *names, unsigned code,
		     struct papi_drm_event *out)
{
	int rc = -ENOENT;

	pthread_mutex_lock(&names->lock);
	if (code < names->record_count) {
		*out = names->records[code].event;
		rc = 0;
	}
	pthread_mutex_unlock(&names->lock);
	return rc;
}

int
papi_drm_names_create(const struct papi_drm_library *library,
		      struct drmperf *drmperf, struct papi_drm_names **out)
{
	struct papi_drm_names *names = calloc(1, sizeof(*names));

	if (!names)
		return -ENOMEM;
	names->library = library;
	names->drmperf = drmperf;
	pthread_mutex_init(&names->lock, NULL);
	*out = names;
	return 0;
}

void
papi_drm_names_destroy(struct papi_drm_names *names)
{
	if (!names)
		return;
	free(names->records);
	free(names->buckets);
	free(names->list);
	pthread_mutex_destroy(&names->lock);
	free(names);
}

/* ------------------------------------------------------------------ */
/* The list of events                                                   */

static bool
same_name(const struct papi_drm_names *names, const struct record *a,
	  const struct record *b)
{
	const struct drmperf_event *x = a->event.selection.event;
	const struct drmperf_event *y = b->event.selection.event;

	return x == y ||
	       (a->hash == b->hash && !strcmp(names->library->event_name(x),
					      names->library->event_name(y)));
}

/*
 * Return the listed event that a code belongs to, or NULL: the event of its
 * name without ":device=", or that of its own GPU if the list has the name only
 * with ":device=".
 */
static const struct record *
listed_record(const struct papi_drm_names *names, unsigned code)
{
	const struct record *given = &names->records[code], *record;

	if (given->position != NOT_LISTED)
		return given;
	for (code = first_in_bucket(names, given->hash); code != NO_CODE;
	     code = record->next) {
		record = &names->records[code];
		if (record->position != NOT_LISTED &&
		    same_name(names, record, given) &&
		    (!record->event.names_device ||
		     record->event.selection.event ==
			     given->event.selection.event))
			return record;
	}
	return NULL;
}

/* Return whether names without ":device=" mean the device. */
static bool
is_default_device(const struct papi_drm_names *names,
		  const struct drmperf_device *device)
{
	const struct papi_drm_library *library = names->library;
	const char *driver = library->device_driver(device);
	unsigned i;

	for (i = 0; i < library->device_index(device); i++) {
		struct drmperf_device *other =
			library->device_at(names->drmperf, i);

		if (!strcmp(library->device_driver(other), driver))
			return false;
	}
	return true;
}

/*
 * List the events of a device. An event of a device that is not the first of
 * its driver gets a code in any case, by which papi_drm_names_qualify() knows
 * that the device has it.
 */
static int
list_device(struct papi_drm_names *names, const struct drmperf_device *device,
	    bool is_default)
{
	const struct papi_drm_library *library = names->library;
	struct papi_drm_event event = {
		.selection.instance = DRMPERF_ALL_INSTANCES,
		.names_device = !is_default,
	};
	unsigned code;
	size_t i;
	int rc;

	for (i = 0; i < library->event_count(device); i++) {
		event.selection.event = library->event_at(device, i);
		rc = code_of(names, &event,
			     hash_of(names, event.selection.event), &code);
		if (rc)
			return rc;
		if (listed_record(names, code))
			continue;
		/*
		 * there are more than were counted: memory was short, or a GPU
		 * came
		 */
		if (names->listed == names->list_room)
			return -ENOMEM;
		names->records[code].position = names->listed;
		names->list[names->listed++] = code;
	}
	return 0;
}

static int
list_those(struct papi_drm_names *names, bool is_default)
{
	const struct papi_drm_library *library = names->library;
	unsigned d;
	int rc = 0;

	for (d = 0; !rc && d < library->device_count(names->drmperf); d++) {
		const struct drmperf_device *device =
			library->device_at(names->drmperf, d);

		if (is_default_device(names, device) == is_default)
			rc = list_device(names, device, is_default);
	}
	return rc;
}

static void
forget_list(struct papi_drm_names *names)
{
	while (names->listed)
		names->records[names->list[--names->listed]].position =
			NOT_LISTED;
	free(names->list);
	names->list = NULL;
}

static int
list_devices(struct papi_drm_names *names)
{
	const struct papi_drm_library *library = names->library;
	size_t total = 0;
	unsigned d;
	int rc;

	for (d = 0; d < library->device_count(names->drmperf); d++)
		total += library->event_count(
			library->device_at(names->drmperf, d));
	names->list = calloc(total + 1, sizeof(*names->list));
	if (!names->list)
		return -ENOMEM;
	names->list_room = (unsigned)total;
	rc = list_those(names, true);
	if (!rc)
		rc = list_those(names, false);
	if (rc)
		forget_list(names);
	return rc;
}

int
papi_drm_names_list(struct papi_drm_names *names, unsigned *count)
{
	int rc = 0;

	pthread_mutex_lock(&names->lock);
	if (!names->list)
		rc = list_devices(names);
	if (!rc)
		*count = names->listed;
	pthread_mutex_unlock(&names->lock);
	return rc;
}

/* ------------------------------------------------------------------ */
/* Enumerating                                                          */

/* Find the code at a position of the list. 0; -ENOENT. */
static int
code_at(const struct papi_drm_names *names, unsigned position, unsigned *code)
{
	if (position >= names->listed)
		return -ENOENT;
	*code = names->list[position];
	return 0;
}

int
papi_drm_names_first(struct papi_drm_names *names, unsigned *code)
{
	int rc;

	pthread_mutex_lock(&names->lock);
	rc = code_at(names, 0, code);
	pthread_mutex_unlock(&names->lock);
	return rc;
}

int
papi_drm_names_next(struct papi_drm_names *names, unsigned *code)
{
	const struct record *listed = NULL;
	int rc = -ENOENT;

	pthread_mutex_lock(&names->lock);
	if (*code < names->record_count)
		listed = listed_record(names, *code);
	if (listed)
		rc = code_at(names, listed->position + 1, code);
	pthread_mutex_unlock(&names->lock);
	return rc;
}

static unsigned
device_of(const struct papi_drm_names *names, const struct drmperf_event *event)
{
	return names->library->device_index(
		names->library->event_device(event));
}

/* Return the event of the same name on the next GPU that has it, or NULL. */
static const struct drmperf_event *
on_next_device(const struct papi_drm_names *names, const struct record *given)
{
	unsigned here = device_of(names, given->event.selection.event);
	unsigned nearest = UINT_MAX, code;
	const struct drmperf_event *found = NULL;
	const struct record *record;

	for (code = first_in_bucket(names, given->hash); code != NO_CODE;
	     code = record->next) {
		unsigned device;

		record = &names->records[code];
		if (!record->event.names_device ||
		    !same_name(names, record, given))
			continue;
		device = device_of(names, record->event.selection.event);
		if (device > here && device < nearest) {
			nearest = device;
			found = record->event.selection.event;
		}
	}
	return found;
}

/*
 * Replace a listed event by the qualified one that is enumerated after the
 * given: first with each of its devices, then an instance, then ":double".
 * Events with several qualifiers are not enumerated, and have no successor.
 */
static bool
qualify_next(const struct papi_drm_names *names, const struct record *given,
	     struct papi_drm_event *event)
{
	const struct papi_drm_library *library = names->library;
	const struct drmperf_event *listed = event->selection.event;
	bool at_device = given->event.names_device && !event->names_device;
	int instance = given->event.selection.instance;
	bool at_instance = instance != DRMPERF_ALL_INSTANCES;
	bool at_double = given->event.as_double;
	const struct drmperf_event *other = NULL;

	if (at_device + at_instance + at_double > 1 || instance > 0)
		return false;
	if (at_device)
		other = on_next_device(names, given);
	else if (!event->names_device && !at_instance && !at_double)
		other = listed;
	if (other) {
		event->selection.event = other;
		event->names_device = true;
		return true;
	}
	if (!at_instance && !at_double && library->event_instances(listed)) {
		event->selection.instance = 0;
		return true;
	}
	if (!at_double && library->event_type(listed) == DRMPERF_TYPE_DOUBLE) {
		event->as_double = true;
		return true;
	}
	return false;
}

int
papi_drm_names_qualify(struct papi_drm_names *names, unsigned *code)
{
	const struct record *given, *listed = NULL;
	struct papi_drm_event event;
	int rc = -ENOENT;

	pthread_mutex_lock(&names->lock);
	if (*code < names->record_count)
		listed = listed_record(names, *code);
	if (listed) {
		given = &names->records[*code];
		event = listed->event;
		if (qualify_next(names, given, &event))
			rc = code_of(names, &event, given->hash, code);
	}
	pthread_mutex_unlock(&names->lock);
	return rc;
}

/* ------------------------------------------------------------------ */
/* From names to codes                                                  */

static int __attribute__((format(printf, 3, 4)))
names_complain(struct drmperf_error *error, int code, const char *cause, ...)
{
	va_list arguments;

	if (error) {
		error->code = code;
		va_start(arguments, cause);
		vsnprintf(error->cause, sizeof(error->cause), cause, arguments);
		va_end(arguments);
		error->remedy[0] = '\0';
	}
	return code;
}

/* Remove ":double" from a name; true if it was there. */
static bool
take_double(char *name)
{
	size_t length = strlen(DOUBLE_QUALIFIER);
	char *at = name;

	while ((at = strstr(at, DOUBLE_QUALIFIER))) {
		char after = at[length];

		if (!after || after == ':') {
			memmove(at, at + length, strlen(at + length) + 1);
			return true;
		}
		at += length;
	}
	return false;
}

/*
 * Return whether an event is of CPUs. The library knows such events by name, on
 * a device outside of its list.
 */
static bool
is_of_cpu(const struct papi_drm_library *library,
	  const struct drmperf_event *event)
{
	return library->device_index(library->event_device(event)) == UINT_MAX;
}

int
papi_drm_names_find(struct papi_drm_names *names, const char *name,
		    unsigned *code, struct drmperf_error *error)
{
	const struct papi_drm_library *library = names->library;
	struct papi_drm_event event;
	char plain[1024];
	int rc;

	if (strlen(name) >= sizeof(plain))
		return names_complain(error, -EINVAL, "the name is too long");
	strcpy(plain, name);
	event.as_double = take_double(plain);
	event.names_device = strstr(plain, ":device");
	rc = library->event_find(names->drmperf, plain, &event.selection,
				 error);
	if (rc)
		return rc;
	if (event.as_double &&
	    library->event_type(event.selection.event) != DRMPERF_TYPE_DOUBLE)
		return names_complain(
			error, -EINVAL,
			"%s: the event is an integer and has no %s", name,
			DOUBLE_QUALIFIER);
	if (is_of_cpu(library, event.selection.event))
		return names_complain(
			error, -ENOENT,
			"%s: it is an event of CPUs, which PAPI's "
			"component perf_event counts",
			name);
	pthread_mutex_lock(&names->lock);
	rc = code_of(names, &event, hash_of(names, event.selection.event),
		     code);
	pthread_mutex_unlock(&names->lock);
	return rc;
}
