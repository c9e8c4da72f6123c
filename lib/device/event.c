/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cancellation.h"
#include "base/error.h"
#include "base/fork_guard.h"
#include "base/name_syntax.h"
#include "catalog/catalog.h"
#include "catalog/lazy_load.h"
#include "catalog/find.h"
#include "catalog/raw_events.h"
#include "catalog/resolve.h"
#include "device/choose.h"
#include "device/device.h"
#include "device/event_name.h"
#include "device/named_events.h"
#include "driver/privilege.h"
#include "drmperf.h"

size_t
drmperf_event_count(const struct drmperf_device *device)
{
	NO_CANCELLATION;
	const struct catalog_list *list = device_list(device);

	return list ? list->count : 0;
}

const struct drmperf_event *
drmperf_event_at(const struct drmperf_device *device, size_t index)
{
	NO_CANCELLATION;
	const struct catalog_list *list = device_list(device);

	return list && index < list->count ? list->events[index] : NULL;
}

const char *
drmperf_event_name(const struct drmperf_event *event)
{
	return event->name;
}

int
drmperf_event_rocm_name(const struct drmperf_event *event, char *text,
			size_t size)
{
	const struct description_event *record = catalog_event_record(event);
	const char *group = catalog_group_record(event->group)->name;

	if (record->alias)
		return snprintf(text, size, "%s", record->alias);
	if (!strcmp(group, METRIC_GROUP))
		return snprintf(text, size, "%s", record->name);
	return name_syntax_rocm(group, record->name, text, size);
}

const char *
drmperf_event_description(const struct drmperf_event *event)
{
	const char *description = catalog_event_record(event)->description;

	return description ? description : "";
}

const struct drmperf_group *
drmperf_event_group(const struct drmperf_event *event)
{
	return event->group;
}

struct drmperf_device *
drmperf_event_device(const struct drmperf_event *event)
{
	return event->group->catalog->device;
}

enum drmperf_unit
drmperf_event_unit(const struct drmperf_event *event)
{
	return catalog_event_record(event)->unit;
}

enum drmperf_type
drmperf_event_type(const struct drmperf_event *event)
{
	return catalog_event_record(event)->type;
}

enum drmperf_kind
drmperf_event_kind(const struct drmperf_event *event)
{
	return catalog_event_record(event)->kind;
}

bool
drmperf_event_is_metric(const struct drmperf_event *event)
{
	return catalog_event_record(event)->expression != NULL;
}

int
drmperf_event_id(const struct drmperf_event *event, uint32_t *out)
{
	const struct description_event *record = catalog_event_record(event);

	if (record->expression || !catalog_group_record(event->group)->has_ids)
		return -ENOTSUP;
	*out = record->selector;
	return 0;
}

/*
 * Return the resolved value of an event, or NULL if it cannot be resolved. A
 * forked child does not try: another thread may have held the lock when it was
 * forked.
 */
static const struct catalog_value *
value_of(const struct drmperf_event *event)
{
	const struct catalog_value *value;

	if (fork_guard_is_child(
		    &event->group->catalog->device->drmperf->guard) ||
	    catalog_resolve(event, &value, NULL))
		return NULL;
	return value;
}

/*
 * Return whether the group has the facts of a compiled event: so listing
 * thousands of metrics does not compile them.
 */
static bool
is_like_group(const struct drmperf_event *event)
{
	return catalog_event_record(event)->is_local &&
	       catalog_group_record(drmperf_event_group(event))->instances <= 1;
}

enum drmperf_scope
drmperf_event_scope(const struct drmperf_event *event)
{
	NO_CANCELLATION;
	const struct catalog_value *value =
		is_like_group(event) ? NULL : value_of(event);

	if (value)
		return value->scope;
	return catalog_group_record(drmperf_event_group(event))->scope;
}

unsigned
drmperf_event_instances(const struct drmperf_event *event)
{
	NO_CANCELLATION;
	const struct catalog_value *value =
		is_like_group(event) ? NULL : value_of(event);

	return value ? value->instances : 0;
}

unsigned
drmperf_event_dies(const struct drmperf_event *event)
{
	NO_CANCELLATION;
	const struct catalog_value *value = value_of(event);

	return value ? value->dies : 0;
}

/* ------------------------------------------------------------------ */
/* Finding                                                              */

static int
no_such_id(const struct drmperf_group *group, uint32_t id,
	   struct drmperf_error *error)
{
	error_set(error, -ENOENT, "the tables have no event %u of block %s", id,
		  drmperf_group_name(group));
	error_remedy(error, "drmperf list shows those there are");
	return -ENOENT;
}

int
drmperf_group_find_id(const struct drmperf_group *group, uint32_t id,
		      const struct drmperf_event **out,
		      struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct catalog *catalog = group->catalog;
	int err;

	if (!catalog_group_record(group)->has_ids)
		return error_set(error, -ENOTSUP,
				 "events of %s have no numbers of the "
				 "hardware's",
				 drmperf_group_name(group));
	err = fork_guard_check(&catalog->device->drmperf->guard, error);
	if (!err)
		err = catalog_fill(&catalog->groups[group - catalog->groups],
				   error);
	for (size_t i = 0; !err && i < group->listed; i++) {
		const struct drmperf_event *event = &group->events[i];
		uint32_t its;

		if (!drmperf_event_id(event, &its) && its == id) {
			*out = event;
			return 0;
		}
	}
	return err ? err : no_such_id(group, id, error);
}

int
drmperf_group_event(const struct drmperf_group *group, uint32_t id,
		    const struct drmperf_event **out,
		    struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct catalog *catalog = group->catalog;
	int err = drmperf_group_find_id(group, id, out, error);

	if (err != -ENOENT)
		return err;
	return catalog_raw_event(&catalog->groups[group - catalog->groups], id,
				 out, error);
}

/* Add the device's status as remedy: the event may be in a part that failed. */
static int
explain_partial(const struct drmperf_device *device,
		struct drmperf_error *error)
{
	struct drmperf_error status;

	if (drmperf_device_status(device, &status))
		error_remedy(error,
			     "a part of device %u cannot be used: %s%s%s",
			     drmperf_device_index(device), status.cause,
			     *status.remedy ? "; " : "", status.remedy);
	return -ENOENT;
}

static int
find_sum(struct catalog *catalog, const struct drmperf_event *event,
	 const struct drmperf_event **out, struct drmperf_error *error)
{
	if (!catalog_find_sum(catalog, event, out))
		return 0;
	error_set(error, -EINVAL, "%s cannot be summed over clock cycles",
		  event->name);
	error_remedy(error, "leave :accumulate out: it is for levels, such as "
			    "SQ.LEVEL_WAVES of AMD GPUs");
	return -EINVAL;
}

static int
check_instance(const struct drmperf_event *event, unsigned count, int instance,
	       struct drmperf_error *error)
{
	if (instance == EVENT_NAME_NONE || (unsigned)instance < count)
		return 0;
	error_set(error, -ERANGE, "%s has no instance %d", event->name,
		  instance);
	if (count)
		error_remedy(error, "instances are 0 to %u", count - 1);
	else
		error_remedy(error, "it has no instances: leave the number "
				    "out");
	return -ERANGE;
}

static int
check_die(const struct drmperf_event *event, unsigned count, int die,
	  struct drmperf_error *error)
{
	if (die == EVENT_NAME_NONE || (unsigned)die < count)
		return 0;
	error_set(error, -ERANGE, "%s has no die %d", event->name, die);
	if (count)
		error_remedy(error, "dies are 0 to %u", count - 1);
	else if (drmperf_event_is_metric(event))
		error_remedy(error, "leave :die= out: metrics are of all dies, "
				    "their counters take it");
	else
		error_remedy(error, "leave :die= out: it takes counters of AMD "
				    "GPUs of several dies, if all are counted");
	return -ERANGE;
}

/* Find an event of an open device, with all of it checked. */
static int
find_event(struct drmperf_device *device, const struct event_name *parts,
	   bool in_any_case, struct drmperf_selection *out,
	   struct drmperf_error *error)
{
	struct catalog *catalog = atomic_load(&device->catalog);
	const struct catalog_value *value;
	const struct drmperf_event *event;
	int err;

	if (in_any_case)
		err = catalog_find_in_any_case(catalog, parts->event,
					       parts->event_length, &event,
					       error);
	else
		err = catalog_find_set_raw(catalog, parts->event,
					   parts->event_length, &event, error);
	if (!err && !event)
		err = catalog_find(catalog, parts->event, parts->event_length,
				   &event, error);
	if (err == -ENOENT)
		return explain_partial(device, error);
	if (!err && parts->accumulate)
		err = find_sum(catalog, event, &event, error);
	if (!err)
		err = catalog_resolve(event, &value, error);
	if (err)
		return err;
	err = check_instance(event, value->instances, parts->instance, error);
	if (!err)
		err = check_die(event, value->dies, parts->die, error);
	if (err)
		return err;
	out->event = event;
	out->instance = parts->instance == EVENT_NAME_NONE
				? DRMPERF_ALL_INSTANCES
				: parts->instance;
	if (parts->die != EVENT_NAME_NONE)
		out->instance =
			DRMPERF_INSTANCE_ON_DIE(parts->die, out->instance);
	return 0;
}

/* Find an event of CPUs. -ENXIO if the name is not of that kind. */
static int
find_named(struct drmperf *drmperf, const char *name,
	   struct drmperf_selection *out, struct drmperf_error *error)
{
	const struct drmperf_event *event;
	int err;

	err = named_events_find(drmperf->unlisted, name, &event, error);
	if (err)
		return err;
	out->event = event;
	out->instance = DRMPERF_ALL_INSTANCES;
	return 0;
}

/*
 * Return where X begins in "pmu.X" of a group "pmu"; NULL if it is of another.
 */
static const char *
counter_of(const struct description_group *group,
	   const struct event_name *parts)
{
	size_t length = strlen(group->name);

	if (!group->terms_of || parts->event_length <= length + 1 ||
	    !name_syntax_is(group->name, parts->event, length) ||
	    parts->event[length] != '.')
		return NULL;
	return parts->event + length + 1;
}

/* Find an event of a kernel's PMU that the user completes: none is listed. */
static int
find_with_terms(struct drmperf_device *device, const struct event_name *parts,
		struct drmperf_selection *out, struct drmperf_error *error)
{
	const struct description *description = device_description(device);
	bool any = false;
	int ret = -ENOENT;
	char name[1200];

	for (size_t i = 0; i < description->group_count && ret == -ENOENT;
	     i++) {
		const struct description_group *group = &description->groups[i];
		const char *counter = counter_of(group, parts);

		if (!counter || !device->drmperf->unlisted)
			continue;
		any = true;
		snprintf(name, sizeof(name), "%s::%.*s%s", group->terms_of,
			 (int)(parts->event + parts->event_length - counter),
			 counter, parts->terms);
		ret = find_named(device->drmperf, name, out, error);
	}
	if (any)
		return ret;
	error_set(error, -EINVAL,
		  "\"%.200s\": only :device=, :die=, :instance= and "
		  ":accumulate may follow %.*s",
		  parts->terms,
		  parts->event_length < 200 ? (int)parts->event_length : 200,
		  parts->event);
	error_remedy(error, "events of a kernel's PMU take its terms: "
			    "xe::pmu.gt-actual-frequency:gt=1");
	return -EINVAL;
}

/* ------------------------------------------------------------------ */
/* On which device                                                      */

/* Check the domains of all counters that an event is computed from. */
static bool
value_may_count(const struct catalog *catalog,
		const struct catalog_value *value)
{
	const struct description *description = &catalog->description;
	bool may = true;

	for (size_t i = 0; may && i < value->counter_count; i++) {
		const struct catalog_counter *counter = &value->counters[i];
		const struct description_domain *domain =
			&description->domains
				 [description->groups[counter->group].domain];

		may = !domain->paranoid ||
		      privilege_may_count(domain->paranoid);
		if (may && domain->ops && domain->ops->may_count)
			may = domain->ops->may_count(domain->device,
						     counter->selector);
	}
	return may;
}

bool
drmperf_event_may_count(const struct drmperf_event *event)
{
	NO_CANCELLATION;
	const struct catalog_value *value = value_of(event);

	/* events of an exclusive domain's any-set group have one domain */
	if (value && value->alternative_count)
		return drmperf_event_may_count(value->alternatives[0]);
	return value && value_may_count(event->group->catalog, value);
}

static bool
is_refusal(int code)
{
	return code == -EACCES || code == -EPERM;
}

/* Kinds of complaints, the most helpful last. */
enum complaint {
	COMPLAINT_NONE,
	COMPLAINT_NOT_OPEN,
	COMPLAINT_NO_EVENT,
	COMPLAINT_NEAR_NAMES, /* the remedy suggests names */
	COMPLAINT_OTHER,
};

/* A search for the device that has an event and may count it. */
struct event_search {
	const struct event_name *parts;
	bool is_alone; /* the name selects one device */
	bool in_any_case;
	struct drmperf_selection found; /* event NULL: nothing yet */
	bool found_in_any_case;
	bool may_count;
	const struct drmperf_event *other; /* of another driver, or NULL */
	enum complaint complaint; /* kept, with its code */
	int code;
	struct drmperf_error *error; /* of the complaint; NULL: not wanted */
};

static const char *
driver_of(const struct drmperf_event *event)
{
	return event->group->catalog->device->target.driver;
}

/* Keep the first of the complaints that help most. */
static void
keep_complaint(struct event_search *search, enum complaint complaint,
	       const struct drmperf_error *error)
{
	if (complaint == COMPLAINT_NO_EVENT &&
	    strstr(error->remedy, "did you mean"))
		complaint = COMPLAINT_NEAR_NAMES;
	if (complaint <= search->complaint)
		return;
	search->complaint = complaint;
	search->code = error->code;
	if (search->error)
		*search->error = *error;
}

/*
 * Record an event that was found on a device. Among the devices of one driver,
 * the first on which it may be counted wins; with several drivers the name is
 * ambiguous.
 */
static void
record_found(struct event_search *search, const struct drmperf_selection *found)
{
	const struct drmperf_device *device =
		drmperf_event_device(found->event);
	bool may_count = search->is_alone ||
			 (!is_refusal(device->status.code) &&
			  drmperf_event_may_count(found->event));

	if (!search->found.event || (may_count && !search->may_count)) {
		search->found = *found;
		search->may_count = may_count;
		search->found_in_any_case = search->in_any_case;
		search->other = NULL;
	} else if (may_count == search->may_count &&
		   search->in_any_case == search->found_in_any_case &&
		   strcmp(driver_of(found->event),
			  driver_of(search->found.event))) {
		search->other = found->event;
	}
}

/*
 * Look for the event on one device. Returns 0, also if it is not there, or a
 * transient error.
 */
static int
search_device(struct event_search *search, struct drmperf_device *device,
	      struct drmperf_error *error)
{
	struct drmperf_error why = { .code = 0 };
	/* searching for similar names takes time */
	struct drmperf_error *complaint = search->error ? &why : NULL;
	struct drmperf_selection found = { .event = NULL };
	int err = drmperf_device_open(device, complaint);

	if (err) {
		if (error_is_transient(err) || err == -ECHILD) {
			if (error)
				*error = why;
			return err;
		}
		why.code = err;
		keep_complaint(search, COMPLAINT_NOT_OPEN, &why);
		return 0;
	}
	if (search->parts->terms)
		err = find_with_terms(device, search->parts, &found, complaint);
	else
		err = find_event(device, search->parts, search->in_any_case,
				 &found, complaint);
	if (err == -ENOMEM) {
		if (error)
			*error = why;
		return err;
	}
	why.code = err;
	if (!err)
		record_found(search, &found);
	else if (err != -ENOENT)
		keep_complaint(search, COMPLAINT_OTHER, &why);
	else if (!search->in_any_case)
		keep_complaint(search, COMPLAINT_NO_EVENT, &why);
	return 0;
}

/*
 * Return whether an event of this device could not replace the one that was
 * found already.
 */
static bool
is_superfluous(const struct event_search *search,
	       const struct drmperf_device *device)
{
	return search->found.event && search->may_count &&
	       !strcmp(driver_of(search->found.event), device->target.driver);
}

/*
 * Search the devices that may be opened, then the others if nothing was found.
 */
static int
search_devices(struct event_search *search, struct drmperf *drmperf,
	       unsigned count, struct drmperf_error *error)
{
	const struct drmperf_event *before = search->found.event;
	unsigned rounds = count > 1 ? 2 : 1;
	int err = 0;

	for (unsigned round = 0;
	     round < rounds && search->found.event == before; round++) {
		for (unsigned i = 0; !err && i < drmperf->device_count; i++) {
			struct drmperf_device *device = &drmperf->devices[i];

			if (device_is_candidate(device, search->parts) &&
			    !is_superfluous(search, device) &&
			    (count == 1 ||
			     device_may_be_opened(device) == !round))
				err = search_device(search, device, error);
		}
	}
	return err;
}

static int
explain_ambiguous(const struct event_search *search,
		  struct drmperf_error *error)
{
	error_set(error, -EINVAL,
		  "the name does not tell which driver is meant");
	error_remedy(error, "write \"%s\" or \"%s\"",
		     search->found.event->name, search->other->name);
	return -EINVAL;
}

static int
find_on_devices(struct drmperf *drmperf, const struct event_name *parts,
		struct drmperf_selection *out, struct drmperf_error *error)
{
	struct drmperf_error kept = { .code = 0 };
	struct event_search search = { .parts = parts,
				       .error = error ? &kept : NULL };
	unsigned count;
	int err;

	err = device_count_candidates(drmperf, parts, &count, error);
	search.is_alone = !err && count == 1;
	if (!err)
		err = search_devices(&search, drmperf, count, error);
	if (!err && (!search.found.event || !search.may_count) &&
	    search.complaint <= COMPLAINT_NEAR_NAMES && !parts->terms) {
		search.in_any_case = true;
		err = search_devices(&search, drmperf, count, error);
	}
	if (err)
		return err;
	if (search.found.event && search.other)
		return explain_ambiguous(&search, error);
	if (search.found.event) {
		*out = search.found;
		return 0;
	}
	if (error)
		*error = kept;
	return search.code;
}

static int
event_find_selection(struct drmperf *drmperf, const char *name,
		     struct drmperf_selection *out, struct drmperf_error *error)
{
	struct event_name parts;
	int err;

	if (named_events_may_have(drmperf, name)) {
		err = find_named(drmperf, name, out, error);
		if (err != -ENXIO)
			return err;
	}
	err = event_name_parse(name, &parts, error);
	return err ? err : find_on_devices(drmperf, &parts, out, error);
}

/* Return the group of a device's PMU with this name, or NULL. */
static const struct description_group *
find_pmu_group(struct drmperf_device *device, const char *pmu, size_t length)
{
	const struct description *description;

	if (strncmp(pmu, device->target.driver,
		    strlen(device->target.driver)) ||
	    drmperf_device_open(device, NULL))
		return NULL;
	description = device_description(device);
	for (size_t i = 0; i < description->group_count; i++) {
		const struct description_group *group = &description->groups[i];

		if (group->terms_of && strlen(group->terms_of) == length &&
		    !strncmp(group->terms_of, pmu, length))
			return group;
	}
	return NULL;
}

/*
 * Translate perf's spelling of a PMU's event, "PMU/EVENT,TERM=N/", to the name
 * that it has here, on a device or else on CPUs. Return false if the name is
 * not of that form.
 */
static bool
translate_perf_name(struct drmperf *drmperf, const char *name, char *out,
		    size_t size)
{
	const char *slash = strchr(name, '/'), *event = slash ? slash + 1 : "";
	size_t pmu = slash ? (size_t)(slash - name) : 0;
	size_t length = strcspn(event, "/"), first = strcspn(event, ",:/");

	if (!pmu || !first || event[length] != '/' || event[length + 1] ||
	    strlen(name) + 64 > size)
		return false;
	snprintf(out, size, "%.*s::%.*s", (int)pmu, name, (int)length, event);
	for (unsigned i = 0; i < drmperf->device_count; i++) {
		struct drmperf_device *device = &drmperf->devices[i];
		const struct description_group *group =
			find_pmu_group(device, name, pmu);

		if (!group)
			continue;
		snprintf(out, size, "%s::%s.%.*s:device=%u%.*s",
			 device->target.driver, group->name, (int)first, event,
			 device->target.index, (int)(length - first),
			 event + first);
		break;
	}
	for (char *at = out; (at = strchr(at, ','));)
		*at = ':';
	return true;
}

int
drmperf_event_find(struct drmperf *drmperf, const char *name,
		   struct drmperf_selection *out, struct drmperf_error *error)
{
	NO_CANCELLATION;
	char own[1200];
	int err;

	err = fork_guard_check(&drmperf->guard, error);
	if (err)
		return err;
	if (translate_perf_name(drmperf, name, own, sizeof(own)))
		name = own;
	return event_find_selection(drmperf, name, out, error);
}

int
drmperf_selection_name(const struct drmperf_selection *selection, char *text,
		       size_t size)
{
	const struct drmperf_event *event = selection->event;
	unsigned index = event->group->catalog->device->target.index;
	char die[24] = "", instance[24] = "";

	if (event->group->catalog->device->is_unlisted)
		return snprintf(text, size, "%s", event->name);
	if (DRMPERF_DIE_OF(selection->instance) >= 0)
		snprintf(die, sizeof(die), ":die=%d",
			 DRMPERF_DIE_OF(selection->instance));
	if (DRMPERF_INSTANCE_OF(selection->instance) != DRMPERF_ALL_INSTANCES)
		snprintf(instance, sizeof(instance), ":instance=%d",
			 DRMPERF_INSTANCE_OF(selection->instance));
	return snprintf(text, size, "%s:device=%u%s%s", event->name, index, die,
			instance);
}
