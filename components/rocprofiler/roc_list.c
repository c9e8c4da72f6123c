/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_list.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/frontend.h"
#include "roc_error.h"
#include "roc_formula.h"
#include "roc_instances.h"

/* Name, description and expression. */
#define TEXTS_PER_EVENT 3

/* Room for a feature's name with driver and device. */
#define FULL_SIZE (ROC_NAME_SIZE + 64)

/*
 * Return whether an event is one of the graphics core's: the kernel's own
 * figures are no features.
 */
static bool
is_profiled(const struct drmperf_event *event)
{
	const struct drmperf_group *group = drmperf_event_group(event);

	return !strcmp(drmperf_group_domain(group), "gfx");
}

/*
 * Read decimal digits; returns false if there is anything else up to the end.
 */
static bool
read_number(const char *text, const char *end, long *out)
{
	char *stop;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*out = strtol(text, &stop, 10);
	return !errno && stop == end;
}

static bool
read_instance(const char *text, const char *end, long *out)
{
	if (end - text != 1 || *text != '*')
		return read_number(text, end, out);
	*out = ROC_ALL_INSTANCES;
	return true;
}

/* Split "NAME[3]" into NAME and 3. Returns the length of NAME. */
static size_t
name_split(const char *name, size_t length, long *instance)
{
	const char *bracket = memchr(name, '[', length);

	*instance = -1;
	if (!bracket || name[length - 1] != ']' ||
	    !read_instance(bracket + 1, name + length - 1, instance)) {
		*instance = -1;
		return length;
	}
	return (size_t)(bracket - name);
}

static int
not_a_name(const char *name, struct drmperf_error *error)
{
	return fe_fail(error, -EINVAL,
		       "features are named as \"SQ_WAVES\", or as \"SQ:4\"",
		       "\"%.64s\" is no name of a feature", name);
}

/* Find "SQ:4", "TCC[3]:1": an event of a block, by its number. */
static int
find_number(const struct drmperf_device *device, const char *name,
	    const char *colon, const struct drmperf_event **out, long *instance,
	    struct drmperf_error *error)
{
	const size_t length =
		name_split(name, (size_t)(colon - name), instance);
	const struct drmperf_group *group;
	size_t i = 0;
	long id;

	if (!read_number(colon + 1, name + strlen(name), &id) ||
	    id > UINT32_MAX)
		return not_a_name(name, error);
	do {
		group = drmperf_group_at(device, i++);
		if (!group)
			return fe_fail(error, -ENOENT, "",
				       "there is no block \"%.*s\"",
				       (int)(length < 64 ? length : 64), name);
	} while (strlen(drmperf_group_name(group)) != length ||
		 memcmp(drmperf_group_name(group), name, length));
	return drmperf_group_event(group, (uint32_t)id, out, error);
}

int
roc_list_find(struct drmperf *drmperf, const struct drmperf_device *device,
	      const char *name, const struct drmperf_event **out,
	      long *instance, struct drmperf_error *error)
{
	struct drmperf_selection selection;
	const char *colon = strchr(name, ':');
	const size_t length = name_split(name, strlen(name), instance);
	char full[FULL_SIZE];
	int rc;

	if (colon)
		return find_number(device, name, colon, out, instance, error);
	if (length >= ROC_NAME_SIZE)
		return not_a_name(name, error);
	snprintf(full, sizeof(full), "%s::%.*s:device=%u",
		 drmperf_device_driver(device), (int)length, name,
		 drmperf_device_index(device));
	rc = drmperf_event_find(drmperf, full, &selection, error);
	if (!rc)
		*out = selection.event;
	return rc;
}

/* ------------------------------------------------------------------ */
/* Making the list                                                      */

/* Return the text as the list has it. NULL, as the text may be: no memory. */
static const char *
list_keep_text(struct roc_list *list, char *text)
{
	if (text)
		list->texts[list->text_count++] = text;
	return text;
}

static int
add_instances(const struct drmperf_group *group, rocprofiler_info_data_t *info)
{
	struct roc_instances instances;
	int rc = roc_instances_make(group, &instances);

	if (rc)
		return rc;
	info->metric.instances = instances.count;
	roc_instances_free(&instances);
	return 0;
}

static int
describe_counter(const struct drmperf_event *event,
		 rocprofiler_info_data_t *info)
{
	const struct drmperf_group *group = drmperf_event_group(event);

	info->metric.block_name = drmperf_group_name(group);
	info->metric.block_counters = drmperf_group_max_active(group);
	return add_instances(group, info);
}

static int
describe_metric(struct drmperf *drmperf, struct roc_list *list,
		const struct drmperf_event *event,
		rocprofiler_info_data_t *info)
{
	char *text;
	int rc = roc_formula_text(drmperf, event, &text);

	info->metric.instances = 1;
	if (rc || !text)
		return rc;
	info->metric.expr = list_keep_text(list, text);
	return info->metric.expr ? 0 : -ENOMEM;
}

/* Return the event's description, with the limits of what it sees. */
static const char *
list_describe(struct roc_list *list, const struct drmperf_event *event)
{
	char limits[FE_LIMITS_SIZE], *text;

	if (!fe_limits(event, limits)[0])
		return drmperf_event_description(event);
	if (asprintf(&text, "%s [%s]", drmperf_event_description(event),
		     limits) < 0)
		return NULL;
	return list_keep_text(list, text);
}

/* Return whether a name finds the event: of two that have one spelling, one. */
static bool
is_meant(struct drmperf *drmperf, const struct drmperf_event *event,
	 const char *name)
{
	const struct drmperf_event *found;
	struct drmperf_error error;
	long instance;

	return !roc_list_find(drmperf, drmperf_event_device(event), name,
			      &found, &instance, &error) &&
	       found == event;
}

static int
list_add_event(struct drmperf *drmperf, struct roc_list *list,
	       const struct drmperf_event *event)
{
	rocprofiler_info_data_t info = { .kind = ROCPROFILER_INFO_KIND_METRIC };
	char name[ROC_NAME_SIZE];
	int rc;

	drmperf_event_rocm_name(event, name, sizeof(name));
	if (!is_meant(drmperf, event, name))
		return 0;
	info.metric.name = list_keep_text(list, strdup(name));
	info.metric.description = list_describe(list, event);
	if (!info.metric.name || !info.metric.description)
		return -ENOMEM;
	if (drmperf_event_is_metric(event))
		rc = describe_metric(drmperf, list, event, &info);
	else
		rc = describe_counter(event, &info);
	if (!rc)
		list->infos[list->count++] = info;
	return rc;
}

static int
list_fill(struct drmperf *drmperf, struct drmperf_device *device, size_t events,
	  struct roc_list *list)
{
	int rc = 0;

	list->infos = calloc(events, sizeof(*list->infos));
	list->texts = calloc(TEXTS_PER_EVENT * events, sizeof(*list->texts));
	if (!list->infos || !list->texts)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < events; i++) {
		const struct drmperf_event *event = drmperf_event_at(device, i);

		if (is_profiled(event))
			rc = list_add_event(drmperf, list, event);
	}
	return rc;
}

int
roc_list_create(struct drmperf *drmperf, struct drmperf_device *device,
		struct roc_list **out, struct drmperf_error *error)
{
	const size_t events = drmperf_event_count(device);
	struct roc_list *list;

	if (!events)
		return fe_fail(error, -ENOTSUP, "", "GPU %s has no events",
			       drmperf_device_address(device));
	list = calloc(1, sizeof(*list));
	if (!list || list_fill(drmperf, device, events, list)) {
		roc_list_destroy(list);
		return fe_fail_memory(error);
	}
	*out = list;
	return 0;
}

void
roc_list_destroy(struct roc_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->text_count; i++)
		free(list->texts[i]);
	free(list->texts);
	free(list->infos);
	free(list);
}
