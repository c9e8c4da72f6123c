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

#define NO_CODE UINT32_MAX
#define DOUBLE_QUALIFIER ":double"

/* An event of a device, and the code under which it is listed. */
struct offer {
	const struct drmperf_event *event;
	unsigned base;
	unsigned device;
};

struct record {
	struct papi_drm_event event;
	unsigned next; /* chain of what qualifies the same listed event */
};

struct papi_drm_names {
	const struct papi_drm_library *library;
	struct drmperf *drmperf;
	struct offer *by_base; /* in the order of bases, then of devices */
	struct offer *by_event; /* in the order of event pointers */
	size_t offer_count;
	unsigned base_count;
	unsigned default_count; /* of them, listed without ":device=" */

	pthread_mutex_t lock; /* of what follows, which grows */
	struct record *records;
	unsigned record_count, record_room;
};

double
papi_drm_event_scale(const struct papi_drm_library *library,
		     const struct papi_drm_event *event)
{
	const struct drmperf_event *counted = event->selection.event;

	if (library->event_type(counted) != DRMPERF_TYPE_DOUBLE)
		return 1;
	if (library->event_unit(counted) == DRMPERF_UNIT_RATIO)
		return 1e6;
	return 1e3;
}

/* ------------------------------------------------------------------ */
/* Records                                                              */

/* Callers hold the lock, or are alone. */
static int
add_record(struct papi_drm_names *names, const struct papi_drm_event *event,
	   unsigned *code)
{
	struct record *record;

	if (names->record_count == names->record_room) {
		unsigned room =
			names->record_room ? 2 * names->record_room : 1024;
		struct record *records =
			realloc(names->records, room * sizeof(*records));

		if (!records)
			return -ENOMEM;
		names->records = records;
		names->record_room = room;
	}
	*code = names->record_count++;
	record = &names->records[*code];
	record->event = *event;
	record->next = NO_CODE;
	return 0;
}

static bool
same_event(const struct papi_drm_event *a, const struct papi_drm_event *b)
{
	return a->selection.event == b->selection.event &&
	       a->selection.instance == b->selection.instance &&
	       a->base == b->base && a->names_device == b->names_device &&
	       a->as_double == b->as_double;
}

/* The code of an event, a new one if it has none. */
static int
code_of(struct papi_drm_names *names, const struct papi_drm_event *event,
	unsigned *out)
{
	unsigned code, last = event->base;
	int rc = 0;

	pthread_mutex_lock(&names->lock);
	for (code = event->base; code != NO_CODE;
	     code = names->records[code].next) {
		if (same_event(&names->records[code].event, event))
			break;
		last = code;
	}
	if (code == NO_CODE) {
		rc = add_record(names, event, &code);
		if (!rc)
			names->records[last].next = code;
	}
	pthread_mutex_unlock(&names->lock);
	if (!rc)
		*out = code;
	return rc;
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

/* True for an event as it is listed, without qualifiers. */
static bool
is_listed(const struct papi_drm_names *names,
	  const struct papi_drm_event *event)
{
	struct papi_drm_event listed = *event;

	listed.selection.instance = DRMPERF_ALL_INSTANCES;
	listed.as_double = false;
	return same_event(&listed, event) &&
	       (!event->names_device || event->base >= names->default_count);
}

/* ------------------------------------------------------------------ */
/* The list of events                                                   */

struct named {
	const char *name;
	unsigned base;
};

static int
compare_named(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name,
		      ((const struct named *)b)->name);
}

static int
compare_pointers(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct offer *)a)->event;
	uintptr_t y = (uintptr_t)((const struct offer *)b)->event;

	return (x > y) - (x < y);
}

static int
compare_bases(const void *a, const void *b)
{
	const struct offer *x = a, *y = b;

	if (x->base != y->base)
		return x->base < y->base ? -1 : 1;
	return (x->device > y->device) - (x->device < y->device);
}

/* True for the device that is meant by names without ":device=". */
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

static int
list_event(struct papi_drm_names *names, const struct drmperf_event *event,
	   bool names_device, unsigned *base)
{
	struct papi_drm_event listed = {
		.selection = { event, DRMPERF_ALL_INSTANCES },
		.base = names->record_count,
		.names_device = names_device,
	};

	return add_record(names, &listed, base);
}

static void
make_offer(struct papi_drm_names *names, const struct drmperf_event *event,
	   unsigned base)
{
	struct offer *offer = &names->by_base[names->offer_count++];

	offer->event = event;
	offer->base = base;
	offer->device = names->library->device_index(
		names->library->event_device(event));
}

/* An event of another device: under the same code where its name is known. */
static int
find_or_list(struct papi_drm_names *names, const struct drmperf_event *event,
	     const struct named *sorted, unsigned *base)
{
	struct named key = { names->library->event_name(event), 0 };
	const struct named *known = bsearch(&key, sorted, names->default_count,
					    sizeof(key), compare_named);

	if (!known)
		return list_event(names, event, true, base);
	*base = known->base;
	return 0;
}

/*
 * The events of a device. Names of default devices go to sorted, which is
 * sorted once all of them are there.
 */
static int
list_device(struct papi_drm_names *names, const struct drmperf_device *device,
	    bool is_default, struct named *sorted)
{
	const struct papi_drm_library *library = names->library;
	unsigned base = 0;
	size_t i;
	int rc;

	for (i = 0; i < library->event_count(device); i++) {
		const struct drmperf_event *event =
			library->event_at(device, i);

		if (is_default)
			rc = list_event(names, event, false, &base);
		else
			rc = find_or_list(names, event, sorted, &base);
		if (rc)
			return rc;
		make_offer(names, event, base);
		if (is_default)
			sorted[base] =
				(struct named){ library->event_name(event),
						base };
	}
	return 0;
}

static int
list_those(struct papi_drm_names *names, bool is_default, struct named *sorted)
{
	const struct papi_drm_library *library = names->library;
	unsigned d;
	int rc = 0;

	for (d = 0; !rc && d < library->device_count(names->drmperf); d++) {
		const struct drmperf_device *device =
			library->device_at(names->drmperf, d);

		if (is_default_device(names, device) == is_default)
			rc = list_device(names, device, is_default, sorted);
	}
	return rc;
}

static int
list_devices(struct papi_drm_names *names, size_t total)
{
	struct named *sorted = calloc(total + 1, sizeof(*sorted));
	int rc;

	names->by_base = calloc(total + 1, sizeof(*names->by_base));
	names->by_event = calloc(total + 1, sizeof(*names->by_event));
	rc = sorted && names->by_base && names->by_event ? 0 : -ENOMEM;
	if (!rc)
		rc = list_those(names, true, sorted);
	names->default_count = names->record_count;
	if (!rc && names->offer_count < total) {
		qsort(sorted, names->default_count, sizeof(*sorted),
		      compare_named);
		rc = list_those(names, false, sorted);
	}
	free(sorted);
	if (rc)
		return rc;
	names->base_count = names->record_count;
	memcpy(names->by_event, names->by_base,
	       names->offer_count * sizeof(*names->by_event));
	qsort(names->by_base, names->offer_count, sizeof(*names->by_base),
	      compare_bases);
	qsort(names->by_event, names->offer_count, sizeof(*names->by_event),
	      compare_pointers);
	return 0;
}

int
papi_drm_names_create(const struct papi_drm_library *library,
		      struct drmperf *drmperf, struct papi_drm_names **out)
{
	struct papi_drm_names *names = calloc(1, sizeof(*names));
	size_t total = 0;
	unsigned d;
	int rc;

	if (!names)
		return -ENOMEM;
	names->library = library;
	names->drmperf = drmperf;
	pthread_mutex_init(&names->lock, NULL);
	for (d = 0; d < library->device_count(drmperf); d++)
		total += library->event_count(library->device_at(drmperf, d));
	rc = list_devices(names, total);
	if (rc) {
		papi_drm_names_destroy(names);
		return rc;
	}
	*out = names;
	return 0;
}

void
papi_drm_names_destroy(struct papi_drm_names *names)
{
	if (!names)
		return;
	free(names->by_base);
	free(names->by_event);
	free(names->records);
	pthread_mutex_destroy(&names->lock);
	free(names);
}

unsigned
papi_drm_names_count(const struct papi_drm_names *names)
{
	return names->base_count;
}

/* ------------------------------------------------------------------ */
/* Enumerating                                                          */

int
papi_drm_names_next(struct papi_drm_names *names, unsigned *code)
{
	struct papi_drm_event event;
	int rc = papi_drm_names_event(names, *code, &event);

	if (rc)
		return rc;
	if (event.base + 1 >= names->base_count)
		return -ENOENT;
	*code = event.base + 1;
	return 0;
}

/* Of a listed event: the first device from this one on; NULL: none has it. */
static const struct offer *
offer_from(const struct papi_drm_names *names, unsigned base, unsigned device)
{
	const struct offer key = { .base = base, .device = device };
	size_t low = 0, high = names->offer_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_bases(&names->by_base[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == names->offer_count || names->by_base[low].base != base)
		return NULL;
	return &names->by_base[low];
}

static unsigned
device_of(const struct papi_drm_names *names,
	  const struct papi_drm_event *event)
{
	const struct papi_drm_library *library = names->library;

	return library->device_index(
		library->event_device(event->selection.event));
}

/*
 * Turn a listed event into the enumerated qualified one after the one given:
 * each of its devices, then an instance, then the double. Events with more
 * than one qualifier are not enumerated, and nothing follows them.
 */
static bool
qualify_next(const struct papi_drm_names *names,
	     const struct papi_drm_event *given, struct papi_drm_event *event)
{
	const struct papi_drm_library *library = names->library;
	const struct drmperf_event *listed = event->selection.event;
	bool at_device = given->names_device && !event->names_device;
	bool at_instance = given->selection.instance != DRMPERF_ALL_INSTANCES;
	const struct offer *offer = NULL;

	if (at_device + at_instance + given->as_double > 1 ||
	    given->selection.instance > 0)
		return false;
	if (!event->names_device && !at_instance && !given->as_double)
		offer = offer_from(names, event->base,
				   at_device ? device_of(names, given) + 1 : 0);
	if (offer) {
		event->selection.event = offer->event;
		event->names_device = true;
		return true;
	}
	if (!at_instance && !given->as_double &&
	    library->event_instances(listed)) {
		event->selection.instance = 0;
		return true;
	}
	if (!given->as_double &&
	    library->event_type(listed) == DRMPERF_TYPE_DOUBLE) {
		event->as_double = true;
		return true;
	}
	return false;
}

int
papi_drm_names_qualify(struct papi_drm_names *names, unsigned *code)
{
	struct papi_drm_event given, event;
	int rc = papi_drm_names_event(names, *code, &given);

	if (rc)
		return rc;
	papi_drm_names_event(names, given.base, &event);
	if (!qualify_next(names, &given, &event))
		return -ENOENT;
	return code_of(names, &event, code);
}

/* ------------------------------------------------------------------ */
/* From names to codes                                                  */

static int __attribute__((format(printf, 3, 4)))
complain(struct drmperf_error *error, int code, const char *cause, ...)
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

/* The library knows such events by name, on a device outside of its list. */
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
	struct papi_drm_event event = { .base = 0 };
	const struct offer *offer;
	struct offer key = { 0 };
	char plain[1024];
	int rc;

	if (strlen(name) >= sizeof(plain))
		return complain(error, -EINVAL, "the name is too long");
	strcpy(plain, name);
	event.as_double = take_double(plain);
	event.names_device = strstr(plain, ":device=");
	rc = library->event_find(names->drmperf, plain, &event.selection,
				 error);
	if (rc)
		return rc;
	if (event.as_double &&
	    library->event_type(event.selection.event) != DRMPERF_TYPE_DOUBLE)
		return complain(error, -EINVAL,
				"%s: the event is an integer and has no %s",
				name, DOUBLE_QUALIFIER);
	key.event = event.selection.event;
	offer = bsearch(&key, names->by_event, names->offer_count, sizeof(key),
			compare_pointers);
	if (!offer && is_of_cpu(library, event.selection.event))
		return complain(error, -ENOENT,
				"%s: it is an event of CPUs, which PAPI's "
				"component perf_event counts",
				name);
	if (!offer)
		return complain(error, -ENODEV,
				"%s: its GPU could not be used when PAPI "
				"first looked",
				name);
	event.base = offer->base;
	return code_of(names, &event, code);
}

/* ------------------------------------------------------------------ */
/* Texts                                                                */

/* A text in a caller's buffer, cut at its size. */
struct text {
	char *buffer;
	size_t size;
	size_t length; /* the whole text needs, cut or not */
};

/* PAPI asks for every text of every event: printf() would take most of it. */
static void
add(struct text *text, const char *piece)
{
	size_t length = strlen(piece), room = 0;

	if (text->length < text->size)
		room = text->size - 1 - text->length;
	if (room > length)
		room = length;
	if (room)
		memcpy(text->buffer + text->length, piece, room);
	text->length += length;
}

static void
add_number(struct text *text, unsigned number)
{
	char digits[3 * sizeof(number) + 1], *at = digits + sizeof(digits);

	*--at = '\0';
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	add(text, at);
}

/* 0; -ENAMETOOLONG if something was cut. */
static int
finish(struct text *text)
{
	bool is_cut = text->length >= text->size;

	if (text->size)
		text->buffer[is_cut ? text->size - 1 : text->length] = '\0';
	return is_cut ? -ENAMETOOLONG : 0;
}

int
papi_drm_names_name(const struct papi_drm_names *names,
		    const struct papi_drm_event *event, char *buffer,
		    size_t size)
{
	const struct papi_drm_library *library = names->library;
	const struct drmperf_event *counted = event->selection.event;
	struct text text = { buffer, size, 0 };

	add(&text, library->event_name(counted));
	if (event->names_device) {
		add(&text, ":device=");
		add_number(&text, library->device_index(
					  library->event_device(counted)));
	}
	if (event->selection.instance != DRMPERF_ALL_INSTANCES) {
		add(&text, ":instance=");
		add_number(&text, (unsigned)event->selection.instance);
	}
	if (event->as_double)
		add(&text, DOUBLE_QUALIFIER);
	return finish(&text);
}

void
papi_drm_names_units(const struct papi_drm_names *names,
		     const struct papi_drm_event *event, char *buffer,
		     size_t size)
{
	const struct papi_drm_library *library = names->library;
	const char *unit =
		library->unit_name(library->event_unit(event->selection.event));
	double scale = papi_drm_event_scale(library, event);
	struct text text = { buffer, size, 0 };

	if (event->as_double || scale == 1) {
		add(&text, unit);
	} else {
		add(&text, unit[0] ? unit : "number");
		add(&text, "*");
		add_number(&text, (unsigned)scale);
	}
	finish(&text);
}

static void
add_group(const struct papi_drm_names *names, const struct drmperf_event *event,
	  struct text *text)
{
	const struct papi_drm_library *library = names->library;
	const struct drmperf_group *group = library->event_group(event);
	unsigned max_active = library->group_max_active(group);
	unsigned instances = library->group_instances(group);

	add(text, " [group ");
	add(text, library->group_name(group));
	if (max_active) {
		add(text, ", ");
		add_number(text, max_active);
		add(text, " at once");
	}
	if (instances > 1) {
		add(text, ", ");
		add_number(text, instances);
		add(text, " instances");
	}
	switch (library->event_scope(event)) {
	case DRMPERF_SCOPE_QUEUE:
		add(text, ", sees graphics and queues that allow it");
		break;
	case DRMPERF_SCOPE_PROCESS:
		add(text, ", sees this process only");
		break;
	case DRMPERF_SCOPE_DEVICE:
		break;
	}
	add(text, "]");
}

/*
 * PAPI's utilities show what follows "masks:" as the description of the
 * qualifier alone, and papi_event_chooser needs a colon in it.
 */
static void
add_qualifiers(const struct papi_drm_names *names,
	       const struct papi_drm_event *event, struct text *text)
{
	const struct papi_drm_library *library = names->library;
	const struct drmperf_event *counted = event->selection.event;
	const struct drmperf_device *device = library->event_device(counted);
	const char *separator = " masks:";

	if (event->names_device) {
		add(text, separator);
		add(text, "GPU ");
		add_number(text, library->device_index(device));
		add(text, ", ");
		add(text, library->device_chip(device));
		add(text, " at ");
		add(text, library->device_address(device));
		separator = "; ";
	}
	if (event->selection.instance != DRMPERF_ALL_INSTANCES) {
		add(text, separator);
		add(text, "one instance, 0 to ");
		add_number(text, library->event_instances(counted) - 1);
		add(text, ", instead of the sum");
		separator = "; ";
	}
	if (event->as_double) {
		add(text, separator);
		add(text, "a double instead of a scaled integer");
	}
}

void
papi_drm_names_describe(const struct papi_drm_names *names,
			const struct papi_drm_event *event, char *buffer,
			size_t size)
{
	const struct drmperf_event *counted = event->selection.event;
	struct text text = { buffer, size, 0 };

	add(&text, names->library->event_description(counted));
	add_group(names, counted, &text);
	if (!is_listed(names, event))
		add_qualifiers(names, event, &text);
	finish(&text);
}

void
papi_drm_names_summary(const struct papi_drm_names *names,
		       const struct papi_drm_event *event, char *buffer,
		       size_t size)
{
	struct text text = { buffer, size, 0 };

	add(&text, names->library->event_description(event->selection.event));
	finish(&text);
}
