/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names and lists of the component by way of PAPI: what is found, what is
 * enumerated, and that neither needs the other.
 */
#include <string.h>

#include "tests/papi/harness.h"
#include "tests/papi/machine.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))
#define MAX_VALUES 32

static void
waits_until_it_is_asked(void)
{
	int component = init_papi();
	const PAPI_component_info_t *info = PAPI_get_component_info(component);
	int code = PAPI_NATIVE_MASK;

	must_equal(info->disabled, PAPI_OK);
	must_equal(info->num_native_events, -1);
	must_equal(machine_listed(), 0);
	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	must_equal(info->disabled, PAPI_OK);
	must_hold(info->num_native_events > 0);
}

/*
 * Check that a program which knows the names of its events has no need of the
 * list.
 */
static void
names_need_no_list(void)
{
	int component = init_papi_first();
	const PAPI_component_info_t *info = PAPI_get_component_info(component);
	long long values[MAX_VALUES];
	int set = make_set(0, GROUP_SIZE - 1), code;
	PAPI_event_info_t event;

	must(PAPI_event_name_to_code(counted[0].name, &code));
	must(PAPI_get_event_info(code, &event));
	must_hold(!strcmp(event.symbol, counted[0].name));
	must(PAPI_start(set));
	do_work(2);
	must(PAPI_stop(set, values));
	check_values(values, 0, GROUP_SIZE - 1, 2);
	must_equal(info->disabled, PAPI_OK);
	must_equal(info->num_native_events, -1);
	must_equal(machine_listed(), 0);

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	must_hold(info->num_native_events > 0);
	PAPI_shutdown();
	must_equal(init_papi(), component);
	must_equal(info->num_native_events, -1);
}

#define MAX_LISTED 20000

/* List all listed names, in order; returns how many. */
static int
list_names(int component, char **names)
{
	char name[PAPI_MAX_STR_LEN];
	int code = PAPI_NATIVE_MASK, count = 0;

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	do {
		must_hold(count < MAX_LISTED);
		must(PAPI_event_code_to_name(code, name));
		names[count++] = strdup(name);
	} while (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) ==
		 PAPI_OK);
	must_equal(count,
		   PAPI_get_component_info(component)->num_native_events);
	return count;
}

/* Check that what was found before does not change the list. */
static void
list_after_names(void)
{
	static char *before[MAX_LISTED], *after[MAX_LISTED];
	int component = init_papi_first();
	int count = list_names(component, before), set, i;
	char name[PAPI_MAX_STR_LEN], listed[PAPI_MAX_STR_LEN];
	int found[3];

	PAPI_shutdown();
	init_papi();
	set = make_set(2, 5);
	must(PAPI_event_name_to_code(before[count - 1], &found[0]));
	must(PAPI_event_name_to_code(before[count / 2], &found[1]));
	must_hold(snprintf(name, sizeof(name), "%s:device=0:instance=1",
			   counted[1].name) < (int)sizeof(name));
	must(PAPI_event_name_to_code(name, &found[2]));
	must_equal(list_names(component, after), count);
	for (i = 0; i < count; i++)
		must_hold(!strcmp(before[i], after[i]));
	/* nor does the list change what was found */
	must(PAPI_event_code_to_name(found[2], listed));
	must_hold(!strcmp(listed, name));
	must(PAPI_event_code_to_name(found[0], name));
	must_hold(!strcmp(before[count - 1], name));
	must(PAPI_event_code_to_name(found[1], name));
	must_hold(!strcmp(before[count / 2], name));
	must(PAPI_cleanup_eventset(set));
	for (i = 0; i < count; i++) {
		free(before[i]);
		free(after[i]);
	}
}

static void
enumerate_events(void)
{
	static const int not_served[] = {
		PAPI_NTV_ENUM_GROUPS,
		PAPI_NTV_ENUM_DARR,
		PAPI_NTV_ENUM_IEAR,
		PAPI_NTV_ENUM_UMASK_COMBOS,
	};
	int component = init_papi();
	int code = PAPI_NATIVE_MASK, first, mask, count = 1, masks = 0;
	char a[PAPI_MAX_STR_LEN], b[PAPI_MAX_STR_LEN];
	size_t i;

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	first = code;
	for (i = 0; i < ARRAY_SIZE(not_served); i++) {
		mask = code;
		must_hold(PAPI_enum_cmp_event(&mask, not_served[i],
					      component) != PAPI_OK);
	}
	mask = code;
	while (PAPI_enum_cmp_event(&mask, PAPI_NTV_ENUM_UMASKS, component) ==
	       PAPI_OK)
		must_hold(++masks < 1000);
	must_hold(masks >= 2);
	while (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) ==
	       PAPI_OK)
		count++;
	must_equal(count,
		   PAPI_get_component_info(component)->num_native_events);
	/* the code that is handed in does not matter to FIRST */
	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	must(PAPI_event_code_to_name(first, a));
	must(PAPI_event_code_to_name(code, b));
	must_hold(!strcmp(a, b));
}

/* Check that enumerating goes on from an event that was found by its name. */
static void
enumeration_from_a_name(void)
{
	char name[PAPI_MAX_STR_LEN], next[PAPI_MAX_STR_LEN];
	char found[PAPI_MAX_STR_LEN];
	int component = init_papi();
	int code = PAPI_NATIVE_MASK, by_name, mask, steps;

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	for (steps = 0; steps < 20; steps++) {
		must(PAPI_event_code_to_name(code, name));
		if (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) !=
		    PAPI_OK)
			break;
		must(PAPI_event_code_to_name(code, next));

		must(PAPI_event_name_to_code(name, &by_name));
		mask = by_name;
		must(PAPI_enum_cmp_event(&mask, PAPI_NTV_ENUM_UMASKS,
					 component));
		must(PAPI_event_code_to_name(mask, found));
		must_hold(!strncmp(name, found, strlen(name)) &&
			  found[strlen(name)] == ':');
		/* from the event, and from one that qualifies it */
		must(PAPI_enum_cmp_event(&by_name, PAPI_ENUM_EVENTS,
					 component));
		must(PAPI_event_code_to_name(by_name, found));
		must_hold(!strcmp(found, next));
		must(PAPI_enum_cmp_event(&mask, PAPI_ENUM_EVENTS, component));
		must(PAPI_event_code_to_name(mask, found));
		must_hold(!strcmp(found, next));
	}
	must_hold(steps > 5);
}

/* Find the name of the first event that is a double and has instances. */
static void
find_double_with_instances(int component, char name[PAPI_MAX_STR_LEN])
{
	char qualified[PAPI_MAX_STR_LEN + 32];
	int code = PAPI_NATIVE_MASK, found;

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component));
	for (;;) {
		must(PAPI_event_code_to_name(code, name));
		snprintf(qualified, sizeof(qualified), "%s:instance=0:double",
			 name);
		if (PAPI_event_name_to_code(qualified, &found) == PAPI_OK)
			return;
		must(PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component));
	}
}

/*
 * Check that an event is listed with each of its qualifiers alone, and no
 * others.
 */
static void
enumeration_of_qualifiers(void)
{
	static const char *const wanted[] = { ":device=0", ":device=1",
					      ":instance=0", ":double" };
	static const char *const last[] = { ":device=0:instance=0",
					    ":instance=1", ":double",
					    ":instance=0:double" };
	char name[PAPI_MAX_STR_LEN], got[PAPI_MAX_STR_LEN];
	char qualified[PAPI_MAX_STR_LEN + 32];
	int component = init_papi(), code;
	size_t i;

	find_double_with_instances(component, name);
	must(PAPI_event_name_to_code(name, &code));
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		snprintf(qualified, sizeof(qualified), "%s%s", name, wanted[i]);
		/* not every machine has two devices */
		if (i == 1 && PAPI_event_name_to_code(qualified, &(int){ 0 }))
			continue;
		must(PAPI_enum_cmp_event(&code, PAPI_NTV_ENUM_UMASKS,
					 component));
		must(PAPI_event_code_to_name(code, got));
		must_hold(!strcmp(got, qualified));
	}
	for (i = 0; i < ARRAY_SIZE(last); i++) {
		snprintf(qualified, sizeof(qualified), "%s%s", name, last[i]);
		must(PAPI_event_name_to_code(qualified, &code));
		must_hold(PAPI_enum_cmp_event(&code, PAPI_NTV_ENUM_UMASKS,
					      component) != PAPI_OK);
	}
}

static void
names_that_are_not_found(void)
{
	static const char *const wrong[] = {
		"drm:::amdgpu::NOSUCH.THING",
		"drm:::amdgpu::",
		"drm:::",
		"drm:::nosuchdriver::SQ.WAVES",
		"drm:::amdgpu::SQ.WAVES:device=77",
		"drm:::amdgpu::SQ.WAVES:instance=7777",
		"drm:::amdgpu::SQ.WAVES:device=",
		"drm:::amdgpu::SQ.WAVES:double",
		"drm:::amdgpu::SQ.WAVES:nosuch=1",
	};
	char long_name[2000];
	int set, code;
	size_t i;

	init_papi();
	must(PAPI_event_name_to_code(counted[0].name, &code));
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		if (PAPI_event_name_to_code(wrong[i], &code) == PAPI_OK)
			harness_fail(__FILE__, __LINE__, "%s was found",
				     wrong[i]);
	}
	memset(long_name, 'x', sizeof(long_name));
	memcpy(long_name, "drm:::", 6);
	long_name[sizeof(long_name) - 1] = '\0';
	must_hold(PAPI_event_name_to_code(long_name, &code) != PAPI_OK);
	set = make_set(0, 0);
	must_be(PAPI_add_named_event(set, "drm:::amdgpu::NOSUCH.THING"),
		PAPI_ENOEVNT);
}

static void
names_without_prefix(void)
{
	char name[PAPI_MAX_STR_LEN];
	const char *bare = strstr(counted[0].name, ":::") + 3;
	int code;

	/* PAPI 7.1 and later do not ask components without their prefix */
	if (PAPI_VERSION_MAJOR(PAPI_VERSION) != 7 ||
	    PAPI_VERSION_MINOR(PAPI_VERSION) != 0)
		return;
	init_papi();
	must(PAPI_event_name_to_code(bare, &code));
	must(PAPI_event_code_to_name(code, name));
	must_hold(!strcmp(name, counted[0].name));
}

/*
 * Check that codes which qualify an event survive being looked up in any order.
 */
static void
qualified_names(void)
{
	char name[256], back[PAPI_MAX_STR_LEN];
	int codes[64], again, i;

	init_papi();
	for (i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "%s:device=0:instance=%d",
			 counted[i % GROUP_SIZE].name, i / GROUP_SIZE % 4);
		must(PAPI_event_name_to_code(name, &codes[i]));
	}
	for (i = 63; i >= 0; i--) {
		snprintf(name, sizeof(name), "%s:device=0:instance=%d",
			 counted[i % GROUP_SIZE].name, i / GROUP_SIZE % 4);
		must(PAPI_event_code_to_name(codes[i], back));
		must_hold(!strcmp(name, back));
		must(PAPI_event_name_to_code(name, &again));
		must(PAPI_event_code_to_name(again, back));
		must_hold(!strcmp(name, back));
	}
}

static void
instances_add_up(void)
{
	long long values[MAX_VALUES], sum = 0;
	char name[256];
	int set, i;

	init_papi();
	set = make_set(0, 0);
	for (i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "%s:instance=%d", counted[0].name,
			 i);
		must(PAPI_add_named_event(set, name));
	}
	must(PAPI_start(set));
	do_work(4);
	must(PAPI_stop(set, values));
	for (i = 0; i < 4; i++)
		sum += values[1 + i];
	must_equal(values[0], 4 * counted[0].rate);
	must_equal(sum, values[0]);
}

static const struct test tests[] = {
	{ "waits until it is asked", waits_until_it_is_asked },
	{ "names need no list", names_need_no_list },
	{ "list after names", list_after_names },
	{ "enumeration", enumerate_events },
	{ "enumeration from a name", enumeration_from_a_name },
	{ "enumeration of qualifiers", enumeration_of_qualifiers },
	{ "names that are not found", names_that_are_not_found },
	{ "names without prefix", names_without_prefix },
	{ "qualified names", qualified_names },
	{ "instances add up", instances_add_up },
};

int
main(int argc, char **argv)
{
	return harness_main(argc, argv, tests, ARRAY_SIZE(tests));
}
