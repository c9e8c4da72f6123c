/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verdicts: what the tables DRIVER/verdicts.xml conclude from values that were
 * counted together.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancellation.h"
#include "base/error.h"
#include "device/any_event.h"
#include "device/device_table.h"
#include "drmperf.h"

/* The verdicts that the caller gets, and the memory they lie in. */
struct read_verdicts {
	struct drmperf_verdicts verdicts; /* the first */
	struct device_table in; /* names and texts, lists */
};

/* Read a sum; -ENOENT if the device has none of the events. */
static int
read_sum(const struct read_verdicts *read, const char *names,
	 struct drmperf_condition *condition, struct drmperf_error *error)
{
	/* a name and a blank take two characters, at least */
	const struct drmperf_event **events = arena_alloc(
		read->in.arena, (strlen(names) / 2 + 1) * sizeof(*events));

	if (!events)
		return error_set(error, -ENOMEM, "no memory");
	condition->events = events;
	while (*names) {
		const struct drmperf_event *event;
		int err =
			next_event_find(read->in.device, &names, &event, error);

		if (err && err != -ENOENT)
			return err;
		if (!err)
			events[condition->event_count++] = event;
	}
	return condition->event_count ? 0 : -ENOENT;
}

static int
read_any_event(const struct read_verdicts *read, const char *names,
	       struct drmperf_condition *condition, struct drmperf_error *error)
{
	const struct drmperf_event **event =
		arena_alloc(read->in.arena, sizeof(*event));

	if (!event)
		return error_set(error, -ENOMEM, "no memory");
	condition->events = event;
	condition->event_count = 1;
	return any_event_find(read->in.device, names, event, error);
}

/* Read a limit of at most a million, or the fallback where it is absent. */
static int
read_limit(const struct read_verdicts *read, const struct element *element,
	   const char *name, double fallback, double *out,
	   struct drmperf_error *error)
{
	uint64_t value = 0;
	int err;

	if (!element_attribute(element, name)) {
		*out = fallback;
		return 0;
	}
	err = element_uint(read->in.table, element, name, 1000000, &value,
			   error);
	*out = (double)value;
	return err;
}

static int
read_condition(const struct read_verdicts *read, const struct element *element,
	       struct drmperf_condition *out, struct drmperf_error *error)
{
	const char *sum = element_attribute(element, "sum");
	const char *any = element_attribute(element, "any");
	const char *per = element_attribute(element, "per");
	int err;

	*out = (struct drmperf_condition){
		.of_peak = element_attribute(element, "peak") != NULL,
	};
	if (!sum == !any)
		return element_error(read->in.table, element, error,
				     "needs one of any and sum");
	err = sum ? read_sum(read, sum, out, error)
		  : read_any_event(read, any, out, error);
	if (!err && per)
		err = any_event_find(read->in.device, per, &out->per, error);
	if (!err)
		err = read_limit(read, element, "from", -INFINITY, &out->from,
				 error);
	if (!err)
		err = read_limit(read, element, "below", INFINITY, &out->below,
				 error);
	return err;
}

/* Read a verdict; -ENOENT if the device lacks an event that it needs. */
static int
read_verdict(const struct read_verdicts *read, const struct element *element,
	     struct drmperf_verdict *out, struct drmperf_error *error)
{
	const struct element *child = element_named(element->child, "when");
	size_t count = element_count(child, "when");
	struct drmperf_condition *conditions =
		arena_alloc(read->in.arena, (count + 1) * sizeof(*conditions));
	int err;

	if (!conditions)
		return error_set(error, -ENOMEM, "no memory");
	*out = (struct drmperf_verdict){
		.conditions = conditions,
		.next = element_attribute(element, "next"),
		.is_weak = element_attribute(element, "weak") != NULL,
		.is_open = element_attribute(element, "open") != NULL,
	};
	err = element_text(read->in.table, element, "name", &out->name, error);
	if (!err)
		err = element_text(read->in.table, element, "text", &out->text,
				   error);
	if (!err && !count)
		return element_error(read->in.table, element, error,
				     "needs a condition <when>");
	for (; !err && child; child = element_named(child->next, "when"))
		err = read_condition(read, child,
				     &conditions[out->condition_count++],
				     error);
	return err;
}

static int
read_table(struct read_verdicts *read, struct drmperf_error *error)
{
	const struct element *root = read->in.table->root;
	const struct element *child = element_named(root->child, "verdict");
	struct drmperf_verdict *list =
		arena_alloc(read->in.arena, (element_count(child, "verdict") +
					     1) * sizeof(*list));
	int err = 0;

	if (strcmp(root->name, "verdicts"))
		return element_error(read->in.table, root, error,
				     "is no table of verdicts");
	if (!list)
		return error_set(error, -ENOMEM, "no memory");
	read->verdicts.list = list;
	for (; !err && child; child = element_named(child->next, "verdict")) {
		err = read_verdict(read, child, &list[read->verdicts.count],
				   error);
		if (!err)
			read->verdicts.count++;
		if (err == -ENOENT)
			err = 0;
	}
	return err;
}

int
drmperf_verdicts_create(struct drmperf_device *device,
			struct drmperf_verdicts **out,
			struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct read_verdicts *read = calloc(1, sizeof(*read));
	int err;

	if (!read)
		return error_set(error, -ENOMEM, "no memory");
	err = device_table_open(&read->in, device, "verdicts", error);
	if (!err && read->in.table)
		err = read_table(read, error);
	if (err)
		drmperf_verdicts_destroy(&read->verdicts);
	else
		*out = &read->verdicts;
	return err;
}

void
drmperf_verdicts_destroy(struct drmperf_verdicts *verdicts)
{
	struct read_verdicts *read = (struct read_verdicts *)verdicts;

	if (read)
		device_table_close(&read->in);
	free(read);
}
