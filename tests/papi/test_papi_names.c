/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names and codes of the PAPI component, over GPUs made of tables: codes are
 * given as they are asked for, and the list is the same whatever was found
 * before it was made.
 */
#include "papi_drm_names.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/suite.h"

#define MANY_INSTANCES 5000
#define MANY_EVENTS 600
#define THREADS 4

/* ------------------------------------------------------------------ */
/* The GPUs                                                             */

struct drmperf_event {
	const char *name; /* NULL: the last one was before */
	unsigned instances;
	enum drmperf_type type;
	struct drmperf_device *device; /* set when it is found or listed */
};

struct drmperf_device {
	const char *driver;
	bool open;
	struct drmperf_event events[MANY_EVENTS + 1];
};

/* What is passed as struct drmperf, which none but us looks into. */
struct drmperf {
	struct drmperf_device devices[5];
	_Atomic unsigned listings; /* calls that read all events */
	unsigned refusals; /* that many of them find no memory */
};

enum {
	FIRST_AMDGPU = 1,
	LATE = 4, /* not open at first */
};

static const struct drmperf gpus = {
	.devices = {
		{ "i915", true,
		  { { .name = "i915::Set.A" },
		    { .name = "i915::oa.B", .type = DRMPERF_TYPE_DOUBLE } } },
		{ "amdgpu", true,
		  { { .name = "amdgpu::SQ.E0", .instances = MANY_INSTANCES },
		    { .name = "amdgpu::SQ.E1", .instances = 4 },
		    { .name = "amdgpu::metric.M", .instances = 4,
		      .type = DRMPERF_TYPE_DOUBLE } } },
		{ "amdgpu", true,
		  { { .name = "amdgpu::SQ.E1", .instances = 2 },
		    { .name = "amdgpu::SQ.X", .instances = 2 },
		    { .name = "amdgpu::metric.M", .instances = 2,
		      .type = DRMPERF_TYPE_DOUBLE },
		    { .name = "amdgpu::metric.Y",
		      .type = DRMPERF_TYPE_DOUBLE } } },
		{ "amdgpu", true,
		  { { .name = "amdgpu::SQ.X", .instances = 8 },
		    { .name = "amdgpu::metric.M", .instances = 8,
		      .type = DRMPERF_TYPE_DOUBLE },
		    { .name = "amdgpu::SQ.E0", .instances = 8 } } },
		{ "amdgpu", false,
		  { { .name = "amdgpu::SQ.E1", .instances = 8 },
		    { .name = "amdgpu::SQ.Z" } } },
	},
};

static unsigned
device_count(const struct drmperf *drmperf)
{
	return ARRAY_SIZE(drmperf->devices);
}

static struct drmperf_device *
device_at(struct drmperf *drmperf, unsigned index)
{
	return &drmperf->devices[index];
}

/* The GPUs of all tests: one test runs in a process. */
static struct drmperf machine;

static unsigned
device_index(const struct drmperf_device *device)
{
	return (unsigned)(device - machine.devices);
}

static const char *
device_driver(const struct drmperf_device *device)
{
	return device->driver;
}

static size_t
event_count(const struct drmperf_device *device)
{
	size_t count = 0;

	machine.listings++;
	if (machine.refusals && machine.refusals--)
		return 0;
	while (device->open && device->events[count].name)
		count++;
	return count;
}

static const struct drmperf_event *
event_at(const struct drmperf_device *device, size_t index)
{
	machine.listings++;
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
	return event->device;
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

static struct drmperf_device *
device_named(struct drmperf *drmperf, const char *name)
{
	const char *number = strstr(name, ":device=");
	size_t i = 0;

	if (number)
		return &drmperf->devices[atoi(number + strlen(":device="))];
	while (strncmp(drmperf->devices[i].driver, name,
		       strlen(drmperf->devices[i].driver)))
		i++;
	return &drmperf->devices[i];
}

static int
event_find(struct drmperf *drmperf, const char *name,
	   struct drmperf_selection *out, struct drmperf_error *error)
{
	const struct drmperf_device *device = device_named(drmperf, name);
	const char *instance = strstr(name, ":instance=");
	const char *dot = strchr(name, '.');
	size_t length = (size_t)(dot - name) + strcspn(dot, ":");
	const struct drmperf_event *event;

	(void)error;
	if (!device->open)
		return -ENODEV;
	for (event = device->events; event->name; event++) {
		if (strlen(event->name) != length ||
		    strncmp(event->name, name, length))
			continue;
		out->event = event;
		out->instance = instance ? atoi(instance + strlen(":instance="))
					 : DRMPERF_ALL_INSTANCES;
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

static struct papi_drm_names *
make_names(void)
{
	struct papi_drm_names *names;
	size_t i, j;

	memcpy(&machine, &gpus, sizeof(machine));
	for (i = 0; i < ARRAY_SIZE(machine.devices); i++)
		for (j = 0; j < ARRAY_SIZE(machine.devices[i].events); j++)
			machine.devices[i].events[j].device =
				&machine.devices[i];
	ck_assert_int_eq(papi_drm_names_create(&library, &machine, &names), 0);
	return names;
}

/* ------------------------------------------------------------------ */
/* What is expected                                                     */

/* The list, in its order, and what qualifies its events. */
static const struct entry {
	const char *name;
	const char *qualifiers[6]; /* enumerated ones */
	const char *other; /* one that is found but not enumerated, or NULL */
} list[] = {
	{ "i915::Set.A", { ":device=0" }, NULL },
	{ "i915::oa.B", { ":device=0", ":double" }, ":device=0:double" },
	{ "amdgpu::SQ.E0",
	  { ":device=1", ":device=3", ":instance=0" },
	  ":device=3:instance=7" },
	{ "amdgpu::SQ.E1",
	  { ":device=1", ":device=2", ":instance=0" },
	  ":instance=3" },
	{ "amdgpu::metric.M",
	  { ":device=1", ":device=2", ":device=3", ":instance=0", ":double" },
	  ":device=2:instance=1:double" },
	{ "amdgpu::SQ.X:device=2", { ":instance=0" }, ":instance=1" },
	{ "amdgpu::metric.Y:device=2", { ":double" }, NULL },
	{ "amdgpu::SQ.X:device=3", { ":instance=0" }, ":instance=5" },
};

/* A name that can be found. */
struct found {
	char name[64];
	size_t entry; /* of the list, it belongs to */
	unsigned code;
};

static size_t
add_found(struct found *found, size_t entry, const char *qualifier)
{
	snprintf(found->name, sizeof(found->name), "%s%s", list[entry].name,
		 qualifier);
	found->entry = entry;
	return 1;
}

/* List all names that can be found; returns how many. */
static size_t
all_names(struct found found[64])
{
	size_t count = 0, i, j;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		count += add_found(&found[count], i, "");
		for (j = 0; list[i].qualifiers[j]; j++)
			count += add_found(&found[count], i,
					   list[i].qualifiers[j]);
		if (list[i].other)
			count += add_found(&found[count], i, list[i].other);
	}
	return count;
}

static unsigned
find_name(struct papi_drm_names *names, const char *name)
{
	unsigned code;

	ck_assert_msg(!papi_drm_names_find(names, name, &code, NULL),
		      "%s is not found", name);
	return code;
}

static void
must_name(struct papi_drm_names *names, unsigned code, const char *wanted)
{
	struct papi_drm_event event;
	char name[64];

	ck_assert_int_eq(papi_drm_names_event(names, code, &event), 0);
	ck_assert_int_eq(
		papi_drm_event_name(&library, &event, name, sizeof(name)), 0);
	ck_assert_str_eq(name, wanted);
}

/* Check that the code of a listed or enumerated event is that of its name. */
static void
must_lead_back(struct papi_drm_names *names, unsigned code, const char *name)
{
	must_name(names, code, name);
	ck_assert_uint_eq(find_name(names, name), code);
}

static void
must_qualify(struct papi_drm_names *names, unsigned code, size_t entry)
{
	struct found wanted;
	size_t i;

	for (i = 0; list[entry].qualifiers[i]; i++) {
		add_found(&wanted, entry, list[entry].qualifiers[i]);
		ck_assert_int_eq(papi_drm_names_qualify(names, &code), 0);
		must_lead_back(names, code, wanted.name);
	}
	ck_assert_int_eq(papi_drm_names_qualify(names, &code), -ENOENT);
}

/* Check that the list is as it should be. */
static void
must_list(struct papi_drm_names *names)
{
	unsigned count, code, i;

	ck_assert_int_eq(papi_drm_names_list(names, &count), 0);
	ck_assert_uint_eq(count, ARRAY_SIZE(list));
	ck_assert_int_eq(papi_drm_names_first(names, &code), 0);
	for (i = 0; i < count; i++) {
		must_lead_back(names, code, list[i].name);
		must_qualify(names, code, i);
		ck_assert_int_eq(papi_drm_names_next(names, &code),
				 i + 1 < count ? 0 : -ENOENT);
	}
}

/* ------------------------------------------------------------------ */
/* Tests                                                                */

/* Find names, list all, and see that neither disturbs the other. */
static void
find_then_list(struct found *found, size_t count)
{
	struct papi_drm_names *names = make_names();
	size_t i;

	for (i = 0; i < count; i++) {
		found[i].code = find_name(names, found[i].name);
		must_lead_back(names, found[i].code, found[i].name);
	}
	ck_assert_uint_eq(machine.listings, 0);
	must_list(names);
	for (i = 0; i < count; i++)
		must_lead_back(names, found[i].code, found[i].name);
	papi_drm_names_destroy(names);
}

TEST_CASE(all, NULL, NULL, "papi_names");

TEST(all, each_name_is_found_alone)
{
	struct found found[64];
	size_t count = all_names(found), i;

	for (i = 0; i < count; i++)
		find_then_list(&found[i], 1);
}

TEST(all, names_are_found_in_any_order)
{
	struct found found[64], backwards[64];
	size_t count = all_names(found), i;

	for (i = 0; i < count; i++)
		backwards[i] = found[count - 1 - i];
	find_then_list(found, 0);
	find_then_list(found, count);
	find_then_list(backwards, count);
}

/* Behind any name comes what is listed behind its event. */
TEST(all, goes_on_from_a_name)
{
	struct papi_drm_names *names = make_names();
	struct found found[64];
	size_t count = all_names(found), i;
	unsigned events;

	/* half of them before the list is made */
	for (i = 0; i < count; i += 2)
		find_name(names, found[i].name);
	ck_assert_int_eq(papi_drm_names_list(names, &events), 0);
	for (i = 0; i < count; i++) {
		unsigned code = find_name(names, found[i].name);
		size_t next = found[i].entry + 1;

		if (next < ARRAY_SIZE(list)) {
			ck_assert_int_eq(papi_drm_names_next(names, &code), 0);
			must_name(names, code, list[next].name);
		} else {
			ck_assert_int_eq(papi_drm_names_next(names, &code),
					 -ENOENT);
		}
	}
	papi_drm_names_destroy(names);
}

TEST(all, nothing_follows_several_qualifiers)
{
	struct papi_drm_names *names = make_names();
	struct found other;
	unsigned code;
	size_t i;

	must_list(names);
	for (i = 0; i < ARRAY_SIZE(list); i++) {
		if (!list[i].other)
			continue;
		add_found(&other, i, list[i].other);
		code = find_name(names, other.name);
		ck_assert_int_eq(papi_drm_names_qualify(names, &code), -ENOENT);
	}
	papi_drm_names_destroy(names);
}

TEST(all, no_list_no_enumeration)
{
	struct papi_drm_names *names = make_names();
	unsigned code = find_name(names, "amdgpu::SQ.E0"), given = code, count;

	ck_assert_int_eq(papi_drm_names_first(names, &code), -ENOENT);
	ck_assert_int_eq(papi_drm_names_next(names, &code), -ENOENT);
	ck_assert_int_eq(papi_drm_names_qualify(names, &code), -ENOENT);
	ck_assert_uint_eq(code, given);
	ck_assert_uint_eq(machine.listings, 0);

	/* there is none from codes that were not given */
	ck_assert_int_eq(papi_drm_names_list(names, &count), 0);
	code = 4711;
	ck_assert_int_eq(papi_drm_names_next(names, &code), -ENOENT);
	ck_assert_int_eq(papi_drm_names_qualify(names, &code), -ENOENT);
	papi_drm_names_destroy(names);
	papi_drm_names_destroy(NULL);
}

TEST(all, names_are_listed_once)
{
	struct papi_drm_names *names = make_names();
	unsigned listings;

	must_list(names);
	listings = machine.listings;
	must_list(names);
	ck_assert_uint_eq(machine.listings, listings);
	papi_drm_names_destroy(names);
}

/* No memory for the number of events, and then for the events there is. */
TEST(all, memory_comes_late)
{
	struct papi_drm_names *names = make_names();
	unsigned count;

	machine.refusals = ARRAY_SIZE(machine.devices);
	ck_assert_int_eq(papi_drm_names_list(names, &count), -ENOMEM);
	must_list(names);
	papi_drm_names_destroy(names);
}

TEST(all, nothing_to_list)
{
	struct papi_drm_names *names = make_names();
	unsigned count = 1, code;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(machine.devices); i++)
		machine.devices[i].open = false;
	ck_assert_int_eq(papi_drm_names_list(names, &count), 0);
	ck_assert_uint_eq(count, 0);
	ck_assert_int_eq(papi_drm_names_first(names, &code), -ENOENT);
	papi_drm_names_destroy(names);
}

/* Without the first GPU of a driver the others' events name their GPU. */
TEST(all, first_gpu_is_missing)
{
	static const char *const wanted[] = {
		"i915::Set.A",
		"i915::oa.B",
		"amdgpu::SQ.E1:device=2",
		"amdgpu::SQ.X:device=2",
		"amdgpu::metric.M:device=2",
		"amdgpu::metric.Y:device=2",
		"amdgpu::SQ.X:device=3",
		"amdgpu::metric.M:device=3",
		"amdgpu::SQ.E0:device=3",
	};
	struct papi_drm_names *names = make_names();
	unsigned count, code, i;

	machine.devices[FIRST_AMDGPU].open = false;
	ck_assert_int_eq(papi_drm_names_list(names, &count), 0);
	ck_assert_uint_eq(count, ARRAY_SIZE(wanted));
	ck_assert_int_eq(papi_drm_names_first(names, &code), 0);
	for (i = 0; i < count; i++) {
		must_lead_back(names, code, wanted[i]);
		ck_assert_int_eq(papi_drm_names_next(names, &code),
				 i + 1 < count ? 0 : -ENOENT);
	}
	/* it opens after all, too late for the list */
	machine.devices[FIRST_AMDGPU].open = true;
	code = find_name(names, "amdgpu::SQ.E1");
	must_lead_back(names, code, "amdgpu::SQ.E1");
	ck_assert_int_eq(papi_drm_names_next(names, &code), -ENOENT);
	papi_drm_names_destroy(names);
}

TEST(all, gpu_comes_late)
{
	static const struct {
		const char *name;
		const char *next; /* NULL: there is none */
	} cases[] = {
		{ "amdgpu::SQ.Z:device=4", NULL },
		{ "amdgpu::SQ.E1:device=4", "amdgpu::metric.M" },
		{ "amdgpu::SQ.E1:device=4:instance=7", "amdgpu::metric.M" },
	};
	struct papi_drm_names *names = make_names();
	size_t i;

	must_list(names);
	machine.devices[LATE].open = true;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned code = find_name(names, cases[i].name);

		must_lead_back(names, code, cases[i].name);
		ck_assert_int_eq(papi_drm_names_next(names, &code),
				 cases[i].next ? 0 : -ENOENT);
		if (cases[i].next)
			must_name(names, code, cases[i].next);
	}
	papi_drm_names_destroy(names);
}

/* Codes stay what they are while ever more are given. */
TEST(all, many_codes_stay_what_they_are)
{
	static bool is_given[MANY_INSTANCES + 64];
	static unsigned codes[MANY_INSTANCES];
	struct papi_drm_names *names = make_names();
	char name[64];
	unsigned i;

	for (i = 0; i < MANY_INSTANCES; i++) {
		snprintf(name, sizeof(name), "amdgpu::SQ.E0:instance=%u", i);
		codes[i] = find_name(names, name);
		ck_assert_uint_lt(codes[i], ARRAY_SIZE(is_given));
		ck_assert(!is_given[codes[i]]);
		is_given[codes[i]] = true;
		if (i == MANY_INSTANCES / 2)
			must_list(names);
	}
	must_list(names);
	for (i = 0; i < MANY_INSTANCES; i++) {
		snprintf(name, sizeof(name), "amdgpu::SQ.E0:instance=%u", i);
		must_lead_back(names, codes[i], name);
	}
	papi_drm_names_destroy(names);
}

/*
 * Return whether a GPU has event number i of many: on the second GPU alone, on
 * the first alone, and on both, by turns.
 */
static bool
has_event(unsigned gpu, unsigned i)
{
	return i % 3 != gpu;
}

static void
give_events(struct drmperf_device *device, unsigned gpu,
	    char names[MANY_EVENTS][64])
{
	struct drmperf_event *event = device->events;
	unsigned i;

	memset(device->events, 0, sizeof(device->events));
	for (i = 0; i < MANY_EVENTS; i++) {
		if (!has_event(gpu, i))
			continue;
		event->name = names[i];
		event->device = device;
		event++;
	}
}

static void
must_be_on(struct papi_drm_names *names, unsigned code, const char *event,
	   unsigned device)
{
	char wanted[96];

	snprintf(wanted, sizeof(wanted), "%s:device=%u", event, device);
	must_lead_back(names, code, wanted);
}

/* Names share buckets, and stay apart. */
TEST(all, names_that_share_buckets_stay_apart)
{
	static char events[MANY_EVENTS][64];
	struct papi_drm_names *names = make_names();
	unsigned count, code, mask, i;

	for (i = 0; i < MANY_EVENTS; i++)
		snprintf(events[i], sizeof(events[i]), "amdgpu::SQ.E%u", i);
	for (i = 0; i < ARRAY_SIZE(machine.devices); i++)
		machine.devices[i].open = false;
	for (i = 0; i < 2; i++) {
		machine.devices[FIRST_AMDGPU + i].open = true;
		give_events(&machine.devices[FIRST_AMDGPU + i], i, events);
	}
	ck_assert_int_eq(papi_drm_names_list(names, &count), 0);
	ck_assert_uint_eq(count, MANY_EVENTS);
	ck_assert_int_eq(papi_drm_names_first(names, &code), 0);
	for (i = 0; i < MANY_EVENTS; i++) {
		if (!has_event(0, i))
			continue;
		mask = code;
		must_lead_back(names, code, events[i]);
		ck_assert_int_eq(papi_drm_names_qualify(names, &mask), 0);
		must_be_on(names, mask, events[i], FIRST_AMDGPU);
		if (has_event(1, i)) {
			ck_assert_int_eq(papi_drm_names_qualify(names, &mask),
					 0);
			must_be_on(names, mask, events[i], FIRST_AMDGPU + 1);
		}
		ck_assert_int_eq(papi_drm_names_qualify(names, &mask), -ENOENT);
		ck_assert_int_eq(papi_drm_names_next(names, &code), 0);
	}
	for (i = 0; i < MANY_EVENTS; i++) {
		if (has_event(0, i))
			continue;
		must_be_on(names, code, events[i], FIRST_AMDGPU + 1);
		papi_drm_names_next(names, &code);
	}
	ck_assert_int_eq(papi_drm_names_next(names, &code), -ENOENT);
	papi_drm_names_destroy(names);
}

struct finder {
	pthread_t thread;
	struct papi_drm_names *names;
	unsigned first; /* instance to begin with */
	unsigned codes[MANY_INSTANCES];
};

static void *
find_in_thread(void *data)
{
	struct finder *self = data;
	unsigned i, instance;
	char name[64];

	for (i = 0; i < MANY_INSTANCES; i++) {
		instance = (self->first + i) % MANY_INSTANCES;
		/* one of them makes the list while others find names */
		if (i == MANY_INSTANCES / 8)
			must_list(self->names);
		snprintf(name, sizeof(name), "amdgpu::SQ.E0:instance=%u",
			 instance);
		self->codes[instance] = find_name(self->names, name);
		must_name(self->names, self->codes[instance], name);
	}
	return NULL;
}

TEST(all, threads_find_the_same_codes)
{
	static struct finder finders[THREADS];
	struct papi_drm_names *names = make_names();
	unsigned i;

	for (i = 0; i < THREADS; i++) {
		finders[i].names = names;
		finders[i].first = i * 7;
		ck_assert_int_eq(pthread_create(&finders[i].thread, NULL,
						find_in_thread, &finders[i]),
				 0);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(finders[i].thread, NULL);
	for (i = 1; i < THREADS; i++)
		ck_assert_mem_eq(finders[i].codes, finders[0].codes,
				 sizeof(finders[0].codes));
	must_list(names);
	papi_drm_names_destroy(names);
}
