/* SPDX-License-Identifier: BSD-3-Clause */
#include "kd_gpus.h"

#include <stdio.h>
#include <string.h>

#include "frontend/frontend.h"
#include "kd_roles.h"
#include "kd_common.h"

/* Enough for the longest name with its device. */
#define NAME_SIZE 256

static const char *
vendor_of(const struct drmperf_device *device)
{
	return strcmp(drmperf_device_driver(device), "amdgpu") ? "Intel"
							       : "AMD";
}

static struct kd_counter
counter_of(const struct drmperf_device *device)
{
	return (struct kd_counter){
		.info = { .vendorName = vendor_of(device),
			  .maxValue = KD_INFINITE_COUNTER_VAL_KHR,
			  .defaultScale = KD_UNKNOWN_COUNTER_VAL_KHR },
		.source = KD_SOURCE_GPU,
	};
}

/* Write the remarks that follow an event's own description. */
static void
write_remarks(const struct drmperf_event *event, enum kd_quantity quantity,
	      char *text, size_t size)
{
	const struct drmperf_device *device = drmperf_event_device(event);
	const char *unit = drmperf_unit_name(drmperf_event_unit(event));
	char limits[FE_LIMITS_SIZE];

	fe_limits(event, limits);
	if (quantity == KD_QUANTITY_SHARE)
		unit = "percent of the time";
	else if (kd_gpus_is_in_thousandths(event))
		unit = "thousandths";
	snprintf(text, size, "[%s%sGPU %u, %s at %s%s%s]", unit,
		 unit[0] ? ", " : "", drmperf_device_index(device),
		 fe_chip(device), drmperf_device_address(device),
		 limits[0] ? ", " : "", limits);
}

static int
add_event(struct kd_list *list, const char *name, const char *event_name,
	  const struct drmperf_selection *selection, enum kd_quantity quantity)
{
	const struct drmperf_event *event = selection->event;
	struct kd_counter counter = counter_of(drmperf_event_device(event));
	const enum drmperf_unit unit = drmperf_event_unit(event);
	char remarks[NAME_SIZE];
	int rc;

	counter.quantity = quantity;
	/* the only ones that can be below zero */
	if (unit == DRMPERF_UNIT_MILLIDEGREES_CELSIUS)
		counter.info.minValue = KD_UNKNOWN_COUNTER_VAL_KHR;
	write_remarks(event, quantity, remarks, sizeof(remarks));
	rc = kd_list_add(list, &counter, name, event_name, "%s %s%s%s",
			 drmperf_event_description(event),
			 name == event_name ? "" : event_name,
			 name == event_name ? "" : " ", remarks);
	if (!rc &&
	    (unit == DRMPERF_UNIT_PERCENT || quantity == KD_QUANTITY_SHARE))
		kd_list_limit(list, 100);
	return rc;
}

static bool
is_closed(struct drmperf_device *device, struct drmperf_error *error)
{
	return drmperf_device_open(device, error) != 0;
}

/*
 * Find a candidate. Returns 0, and true in found if there is one; or errors
 * that do not concern a GPU.
 */
static int
find_candidate(struct drmperf *drmperf, const struct drmperf_device *device,
	       const struct kd_candidate *candidate, char name[NAME_SIZE],
	       struct drmperf_selection *selection, bool *found,
	       struct drmperf_error *error)
{
	const char *driver = drmperf_device_driver(device);
	const size_t length = strlen(driver);
	int rc;

	*found = false;
	if (strncmp(candidate->event, driver, length) != 0 ||
	    strncmp(candidate->event + length, "::", 2) != 0)
		return 0;
	snprintf(name, NAME_SIZE, "%s:device=%u", candidate->event,
		 drmperf_device_index(device));
	rc = drmperf_event_find(drmperf, name, selection, error);
	*found = !rc;
	return fe_is_passing(rc) ? rc : 0;
}

/* Return the value of a sensor now; 0 if it cannot be read. */
static uint64_t
read_sensor_now(struct drmperf *drmperf, const char *name)
{
	struct drmperf_selection selection;
	struct drmperf_session *session;
	union drmperf_value value = { 0 };

	if (drmperf_event_find(drmperf, name, &selection, NULL) ||
	    drmperf_session_create(drmperf, &selection, 1, NULL, &session,
				   NULL))
		return 0;
	if (drmperf_session_start(session, NULL) ||
	    drmperf_session_read(session, &value, NULL, NULL, NULL))
		value.u64 = 0;
	drmperf_session_destroy(session);
	return value.u64;
}

static void
limit_role(struct drmperf *drmperf, struct kd_list *list,
	   const struct kd_role *role, unsigned device)
{
	char name[NAME_SIZE];

	if (!role->most)
		return;
	snprintf(name, sizeof(name), "%s:device=%u", role->most, device);
	kd_list_limit(list, read_sensor_now(drmperf, name));
}

/* List a GPU's counter for a role, if it has one. */
static int
list_role(struct drmperf *drmperf, struct kd_list *list,
	  const struct drmperf_device *device, const struct kd_role *role,
	  bool *found, struct drmperf_error *error)
{
	const unsigned index = drmperf_device_index(device);
	char name[NAME_SIZE], event[NAME_SIZE];
	struct drmperf_selection selection;
	int rc = 0;

	*found = false;
	if (role->of_each_gpu)
		snprintf(name, sizeof(name), "GPU %u %s", index, role->name);
	else
		snprintf(name, sizeof(name), "%s", role->name);
	for (const struct kd_candidate *at = role->candidates;
	     !rc && !*found && at->event; at++) {
		rc = find_candidate(drmperf, device, at, event, &selection,
				    found, error);
		if (*found)
			rc = add_event(list, name, event, &selection,
				       at->quantity);
	}
	if (!rc && *found)
		limit_role(drmperf, list, role, index);
	return rc;
}

static int
list_closed(struct kd_list *list, const struct drmperf_device *device,
	    const struct drmperf_error *error)
{
	struct kd_counter counter = counter_of(device);
	char name[NAME_SIZE];
	int rc;

	counter.source = KD_SOURCE_CLOSED;
	snprintf(name, sizeof(name), "GPU %u utilization",
		 drmperf_device_index(device));
	rc = kd_list_add(list, &counter, name, NULL,
			 "Cannot be activated: %s%s%s", error->cause,
			 error->remedy[0] ? "; " : "", error->remedy);
	if (!rc)
		kd_list_limit(list, 100);
	return rc;
}

/* List the counters that each GPU has. */
static int
list_own_roles(struct drmperf *drmperf, struct kd_list *list,
	       struct drmperf_device *device, struct drmperf_error *error)
{
	int rc = 0;
	bool found;

	if (is_closed(device, error)) {
		fe_report(KD_LIBRARY, drmperf_device_node(device), error->code,
			  error);
		return list_closed(list, device, error);
	}
	if (drmperf_device_status(device, error))
		fe_report(KD_LIBRARY, drmperf_device_node(device), error->code,
			  error);
	for (const struct kd_role *role = kd_roles; !rc && role->name; role++) {
		if (role->of_each_gpu)
			rc = list_role(drmperf, list, device, role, &found,
				       error);
	}
	return rc;
}

/* List the counter of the first GPU that has it. */
static int
list_common_role(struct drmperf *drmperf, struct kd_list *list,
		 const struct kd_role *role, struct drmperf_error *error)
{
	const unsigned count = drmperf_device_count(drmperf);
	bool found = false;
	int rc = 0;

	for (unsigned i = 0; !rc && !found && i < count; i++) {
		struct drmperf_device *device = drmperf_device_at(drmperf, i);

		if (!is_closed(device, error))
			rc = list_role(drmperf, list, device, role, &found,
				       error);
	}
	return rc;
}

static int
list_events(struct kd_list *list, struct drmperf_device *device)
{
	const size_t count = drmperf_event_count(device);
	char name[NAME_SIZE];
	int rc = 0;

	for (size_t i = 0; !rc && i < count; i++) {
		const struct drmperf_selection selection = {
			.event = drmperf_event_at(device, i),
			.instance = DRMPERF_ALL_INSTANCES,
		};

		drmperf_selection_name(&selection, name, sizeof(name));
		rc = add_event(list, name, name, &selection, KD_QUANTITY_LEVEL);
	}
	return rc;
}

static int
list_gpus(struct drmperf *drmperf, struct kd_list *list,
	  struct drmperf_error *error)
{
	const unsigned count = drmperf_device_count(drmperf);
	int rc = 0;

	for (unsigned i = 0; !rc && i < count; i++) {
		struct drmperf_device *device = drmperf_device_at(drmperf, i);

		rc = drmperf_device_open(device, error);
		if (!fe_is_passing(rc))
			rc = list_own_roles(drmperf, list, device, error);
	}
	for (const struct kd_role *role = kd_roles; !rc && role->name; role++) {
		if (!role->of_each_gpu)
			rc = list_common_role(drmperf, list, role, error);
	}
	for (unsigned i = 0; !rc && i < count; i++)
		rc = list_events(list, drmperf_device_at(drmperf, i));
	return rc;
}

int
kd_gpu_list(struct kd_gpus *gpus, struct kd_list *list,
	    struct drmperf_error *error)
{
	struct drmperf *drmperf;
	int rc = kd_gpus_open(gpus, &drmperf, error);

	if (!rc)
		return list_gpus(drmperf, list, error);
	if (fe_is_passing(rc))
		return rc;
	fe_report(KD_LIBRARY, "no GPU is looked for", rc, error);
	return 0;
}
