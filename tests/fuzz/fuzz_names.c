/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of events, as rubbish. What is understood can be said again, and means
 * the same; the hash of a name is that of its parts, whatever its spelling;
 * and PAPI's component names what it has found by a name that finds it.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_syntax.h"
#include "device/event_name.h"
#include "papi_drm_names.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ------------------------------------------------------------------ */
/* Our own                                                              */

static int
is_same(const struct event_name *a, const struct event_name *b)
{
	return a->driver_length == b->driver_length &&
	       a->event_length == b->event_length && a->device == b->device &&
	       a->instance == b->instance &&
	       !memcmp(a->event, b->event, a->event_length) &&
	       (!a->driver_length ||
		!memcmp(a->driver, b->driver, a->driver_length));
}

static void
parse_name(const char *text)
{
	struct event_name name, again;
	struct drmperf_error error;
	char device[32] = "", instance[32] = "", said[1200];

	if (event_name_parse(text, &name, &error)) {
		assert(*error.cause && *error.remedy);
		return;
	}
	if (name.device != EVENT_NAME_NONE)
		snprintf(device, sizeof(device), ":device=%d", name.device);
	if (name.instance != EVENT_NAME_NONE)
		snprintf(instance, sizeof(instance), ":instance=%d",
			 name.instance);
	snprintf(said, sizeof(said), "%.*s%s%.*s%s%s", (int)name.driver_length,
		 name.driver ? name.driver : "", name.driver_length ? "::" : "",
		 (int)name.event_length, name.event, device, instance);
	assert(!event_name_parse(said, &again, &error));
	assert(is_same(&name, &again));
}

/* Check a text as a name, and ROCm's spelling of it. */
static void
spell_name(const char *text)
{
	size_t length = strlen(text), measured;
	uint32_t hash, whole = name_syntax_hash(text, length);
	char rocm[NAME_SYNTAX_MAX + 1];

	if (!name_syntax_measure(text, &measured, &hash)) {
		assert(*name_syntax_fault(text));
		return;
	}
	assert(measured == length && length <= NAME_SYNTAX_MAX &&
	       hash == whole);
	for (size_t i = 0; i <= length; i++)
		rocm[i] = (char)(text[i] == '.' ? '_' : toupper(text[i]));
	assert(name_syntax_is(text, text, length));
	assert(name_syntax_is_rocm(text, rocm, length));
	assert(name_syntax_hash(rocm, length) == whole);
	for (size_t i = 0; i < length; i++) {
		struct name_syntax_prefix prefix = name_syntax_prefix(text, i);
		uint32_t name = name_syntax_hash(text + i + 1, length - i - 1);

		if (text[i] == '.')
			assert(name_syntax_join(prefix, name) == whole);
	}
}

/* ------------------------------------------------------------------ */
/* PAPI's                                                               */

struct drmperf_event {
	const char *name;
	unsigned instances;
	enum drmperf_type type;
};

/* Two devices of a driver have the first two events, the third all three. */
struct drmperf_device {
	const struct drmperf_event *events;
	size_t count;
};

static const struct drmperf_event events[3][3] = {
	{ { "amdgpu::SQ.WAVES", 4, DRMPERF_TYPE_UINT64 },
	  { "amdgpu::metric.Busy", 0, DRMPERF_TYPE_DOUBLE } },
	{ { "amdgpu::SQ.WAVES", 8, DRMPERF_TYPE_UINT64 },
	  { "amdgpu::metric.Busy", 0, DRMPERF_TYPE_DOUBLE } },
	{ { "amdgpu::SQ.WAVES", 4, DRMPERF_TYPE_UINT64 },
	  { "amdgpu::metric.Busy", 2, DRMPERF_TYPE_DOUBLE },
	  { "amdgpu::SQ.Busy", 0, DRMPERF_TYPE_UINT64 } },
};

static struct drmperf_device devices[3] = {
	{ events[0], 2 },
	{ events[1], 2 },
	{ events[2], 3 },
};

static unsigned
device_count(const struct drmperf *drmperf)
{
	(void)drmperf;
	return 3;
}

static struct drmperf_device *
device_at(struct drmperf *drmperf, unsigned index)
{
	(void)drmperf;
	return &devices[index];
}

static unsigned
device_index(const struct drmperf_device *device)
{
	return (unsigned)(device - devices);
}

static const char *
device_driver(const struct drmperf_device *device)
{
	(void)device;
	return "amdgpu";
}

static size_t
event_count(const struct drmperf_device *device)
{
	return device->count;
}

static const struct drmperf_event *
event_at(const struct drmperf_device *device, size_t index)
{
	return &device->events[index];
}

static const char *
event_name(const struct drmperf_event *event)
{
	return event->name;
}

static struct drmperf_device *
event_device(const struct drmperf_event *event)
{
	return &devices[(event - events[0]) / 3];
}

static enum drmperf_type
event_type(const struct drmperf_event *event)
{
	return event->type;
}

static unsigned
event_instances(const struct drmperf_event *event)
{
	return event->instances;
}

static int
is_event(const struct drmperf_event *event, const struct event_name *name)
{
	const char *own = event->name + strlen("amdgpu::");

	return strlen(own) == name->event_length &&
	       !memcmp(own, name->event, name->event_length);
}

/* Do as the library does, by its own parser. */
static int
event_find(struct drmperf *drmperf, const char *text,
	   struct drmperf_selection *out, struct drmperf_error *error)
{
	struct event_name name;
	const struct drmperf_device *device = devices;

	(void)drmperf;
	if (event_name_parse(text, &name, error))
		return -EINVAL;
	if (name.device != EVENT_NAME_NONE && name.device >= 3)
		return -ENODEV;
	if (name.device != EVENT_NAME_NONE)
		device = &devices[name.device];
	for (size_t i = 0; i < device->count; i++) {
		if (!is_event(&device->events[i], &name))
			continue;
		if (name.instance >= (int)device->events[i].instances)
			return -EINVAL;
		out->event = &device->events[i];
		out->instance = name.instance == EVENT_NAME_NONE
					? DRMPERF_ALL_INSTANCES
					: name.instance;
		return 0;
	}
	return -ENOENT;
}

static const struct papi_drm_library library = {
	.device_count = device_count,
	.device_at = device_at,
	.device_index = device_index,
	.device_driver = device_driver,
	.event_count = event_count,
	.event_at = event_at,
	.event_name = event_name,
	.event_device = event_device,
	.event_type = event_type,
	.event_instances = event_instances,
	.event_find = event_find,
};

static void
must_lead_back(struct papi_drm_names *names, unsigned code)
{
	struct papi_drm_event event;
	unsigned again;
	char name[128];

	assert(!papi_drm_names_event(names, code, &event));
	assert(!papi_drm_event_name(&library, &event, name, sizeof(name)));
	assert(!papi_drm_names_find(names, name, &again, NULL));
	assert(again == code);
}

static void
ask_papi(const char *text, uint8_t listed)
{
	struct papi_drm_names *names;
	struct drmperf_error error;
	unsigned code, count;

	assert(!papi_drm_names_create(&library, NULL, &names));
	if (listed % 2)
		assert(!papi_drm_names_list(names, &count));
	if (!papi_drm_names_find(names, text, &code, &error)) {
		must_lead_back(names, code);
		assert(!papi_drm_names_list(names, &count));
		must_lead_back(names, code);
		if (!papi_drm_names_qualify(names, &code))
			must_lead_back(names, code);
	}
	papi_drm_names_destroy(names);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!size)
		return 0;
	text = malloc(size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	parse_name(text);
	spell_name(text);
	ask_papi(text, data[0]);
	free(text);
	return 0;
}
