/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every metric set is opened once on a simulated GPU; then the kernel holds,
 * register by register, what the facts that our tables are made of have for a
 * GPU with these slices, subslices and stepping. Tables, conditions and the
 * choice of lists are the library's on the one side and read again from the
 * facts on the other. Where these are, see tests/plan/pack/facts.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/i915/kernel.h"
#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/plan/pack/facts.h"
#include "tests/support/suite.h"

#define NODE "/dev/dri/renderD128"
#define SETS_MAX 1200
#define STACK_MAX 8

/* Masks and stepping are given where a list depends on them. */
static const struct layout {
	const char *gpu;
	uint64_t slices, subslices, stepping;
} layouts[] = {
	{ "hsw", 0, 0, 0 },
	{ "bdw", 0x1, 0x7, 0 },
	{ "bdw,subslices=7:7", 0x3, 0x3f, 0 },
	{ "bdw,subslices=0:7", 0x2, 0x38, 0 },
	{ "bdw,subslices=6", 0x1, 0x6, 0 },
	{ "bdw,subslices=6:1", 0x3, 0xe, 0 },
	{ "bdw,subslices=4", 0x1, 0x4, 0 },
	{ "bdw,subslices=4:2", 0x3, 0x14, 0 },
	{ "bdw,subslices=0:4", 0x2, 0x20, 0 },
	{ "chv", 0, 0, 0 },
	{ "sklgt2,revision=1", 0x1, 0x7, 1 },
	{ "sklgt2,revision=4", 0x1, 0x7, 4 },
	{ "sklgt2,revision=6", 0x1, 0x7, 6 },
	{ "sklgt2,revision=6,subslices=6", 0x1, 0x6, 6 },
	{ "sklgt3", 0, 0, 0 },
	{ "sklgt4", 0, 0, 0 },
	{ "bxt,revision=2", 0x1, 0x7, 2 },
	{ "bxt,revision=11", 0x1, 0x7, 11 },
	{ "kblgt2", 0, 0, 0 },
	{ "kblgt3", 0, 0, 0 },
	{ "glk", 0, 0, 0 },
	{ "cflgt2", 0, 0, 0 },
	{ "cflgt3", 0, 0, 0 },
	{ "cnl", 0x3, 0x1f, 0 },
	{ "cnl,subslices=6", 0x1, 0x6, 0 },
	{ "icl", 0, 0, 0 },
	{ "ehl", 0, 0, 0 },
	{ "tglgt1", 0, 0, 0 },
	{ "tglgt2", 0, 0, 0 },
	{ "rkl", 0, 0, 0 },
	{ "dg1", 0, 0, 0 },
	{ "adl", 0, 0, 0 },
	{ "adls", 0, 0, 0 },
	{ "adln", 0, 0, 0 },
	{ "acmgt1", 0, 0, 0 },
	{ "acmgt2", 0, 0, 0 },
	{ "acmgt3", 0, 0, 0 },
	{ "mtlgt2", 0, 0, 0 },
	{ "mtlgt3", 0, 0, 0 },
	{ "arlgt1", 0, 0, 0 },
	{ "arlgt2", 0, 0, 0 },
};

static const struct layout *layout;

/* The variable of the environment that names the GPU. */
#define GPU "TEST_GPU"

/* ------------------------------------------------------------------ */
/* The facts                                                            */

struct list {
	uint32_t *pairs;
	size_t count;
};

struct set {
	char name[64], guid[37];
	struct list mux, boolean, flex;
	unsigned alternatives; /* for the mux list, whether true or not */
	unsigned id, priority; /* of the one that it is */
};

static struct set sets[SETS_MAX];
static size_t set_count;

/* Write an operand or operator of a condition, in Reverse Polish. */
static void
apply_word(const char *word, uint64_t stack[STACK_MAX], size_t *depth)
{
	uint64_t a, b;

	if (!strcmp(word, "$SliceMask")) {
		a = layout->slices;
	} else if (!strcmp(word, "$SubsliceMask")) {
		a = layout->subslices;
	} else if (!strcmp(word, "$SkuRevisionId")) {
		a = layout->stepping;
	} else if (word[0] >= '0' && word[0] <= '9') {
		a = strtoull(word, NULL, 0);
	} else {
		ck_assert_uint_ge(*depth, 2);
		b = stack[--*depth];
		a = stack[--*depth];
		if (!strcmp(word, "AND"))
			a &= b;
		else if (!strcmp(word, "ULT"))
			a = a < b;
		else if (!strcmp(word, "UGTE"))
			a = a >= b;
		else if (!strcmp(word, "&&"))
			a = a && b;
		else
			ck_abort_msg("%s in a condition", word);
	}
	ck_assert_uint_lt(*depth, STACK_MAX);
	stack[(*depth)++] = a;
}

static bool
is_true(char *condition)
{
	uint64_t stack[STACK_MAX];
	size_t depth = 0;
	char *word;

	if (!strcmp(condition, "-"))
		return true;
	while ((word = strsep(&condition, " ")))
		apply_word(word, stack, &depth);
	ck_assert_uint_eq(depth, 1);
	return stack[0] != 0;
}

/*
 * Return what the kernel passes on: it keeps some bits of two registers for
 * itself.
 */
static uint32_t
passed_on(uint32_t address, uint32_t value)
{
	if (address == 0xe180)
		return value & ~(1u << 13 | 1u << 29);
	if (address == 0x20cc)
		return value & ~(1u << 0 | 1u << 16);
	return value;
}

/* Read "9840=000000a0 9888=143f000f" */
static void
read_pairs(char *text, struct list *list)
{
	size_t room = strlen(text) / 4 + 2;
	char *word;

	free(list->pairs);
	list->count = 0;
	list->pairs = calloc(room, sizeof(*list->pairs));
	ck_assert_ptr_nonnull(list->pairs);
	while ((word = strsep(&text, " "))) {
		char *end;
		uint32_t *pair = &list->pairs[2 * list->count++];

		pair[0] = (uint32_t)strtoul(word, &end, 16);
		ck_assert_int_eq(*end, '=');
		pair[1] = passed_on(pair[0],
				    (uint32_t)strtoul(end + 1, NULL, 16));
	}
}

static struct set *
find_set(const char *name)
{
	for (size_t i = 0; i < set_count; i++) {
		if (!strcmp(sets[i].name, name))
			return &sets[i];
	}
	return NULL;
}

static void
read_columns(char *line, char *fields[16])
{
	size_t n = 0;

	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < 16; i++)
		fields[i] = NULL;
	while (n < 16 && (fields[n] = strsep(&line, "\t")))
		n++;
}

/* Calls take() for each line of a table of this platform. */
static void
read_facts(const char *what, void (*take)(char *fields[16]))
{
	size_t room = 0, lines = 0;
	char name[64], path[1024], *line = NULL, *fields[16];
	FILE *file;

	snprintf(name, sizeof(name), "i915/%s-%.*s.tsv", what,
		 (int)strcspn(layout->gpu, ","), layout->gpu);
	ck_assert_msg(!facts_path(name, path, sizeof(path)), "no %s", name);
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	while (getline(&line, &room, file) > 0) {
		/* the source, and the names of columns */
		if (lines++ < 2)
			continue;
		read_columns(line, fields);
		take(fields);
	}
	free(line);
	fclose(file);
}

/* Take a line "set guid ...". */
static void
take_set(char *fields[16])
{
	struct set *set = &sets[set_count++];

	ck_assert_uint_le(set_count, SETS_MAX);
	ck_assert_uint_lt(strlen(fields[0]), sizeof(set->name));
	ck_assert_uint_eq(strlen(fields[1]), 36);
	strcpy(set->name, fields[0]);
	strcpy(set->guid, fields[1]);
}

/*
 * Find the alternative with the lowest priority, the first of equals. No set
 * of i915 has lists of two ids that are true at once.
 */
static void
take_mux(struct set *set, char *fields[16])
{
	unsigned priority = 0, id = 0;

	set->alternatives++;
	if (!is_true(fields[4]))
		return;
	if (strcmp(fields[3], "-") != 0)
		priority = (unsigned)strtoul(fields[3], NULL, 10);
	if (strcmp(fields[7], "-") != 0)
		id = (unsigned)strtoul(fields[7], NULL, 10);
	if (set->mux.count) {
		ck_assert_uint_eq(id, set->id);
		if (priority >= set->priority)
			return;
	}
	set->id = id;
	set->priority = priority;
	read_pairs(fields[6], &set->mux);
}

/* Take a line "set kind seq priority availability n pairs config_id". */
static void
take_list(char *fields[16])
{
	struct set *set = find_set(fields[0]);

	ck_assert_msg(set, "set %s has registers only", fields[0]);
	if (!strcmp(fields[1], "NOA"))
		take_mux(set, fields);
	else if (!strcmp(fields[1], "OA"))
		read_pairs(fields[6], &set->boolean);
	else if (!strcmp(fields[1], "FLEX"))
		read_pairs(fields[6], &set->flex);
	else
		ck_abort_msg("a list of kind %s", fields[1]);
}

/*
 * Count the sets that are offered. One of which nothing would be routed is not.
 */
static size_t
count_offered(void)
{
	size_t count = 0;

	for (size_t i = 0; i < set_count; i++)
		count += sets[i].mux.count || !sets[i].alternatives;
	return count;
}

static void
forget_facts(void)
{
	for (size_t i = 0; i < set_count; i++) {
		free(sets[i].mux.pairs);
		free(sets[i].boolean.pairs);
		free(sets[i].flex.pairs);
	}
}

/* ------------------------------------------------------------------ */
/* The kernel                                                           */

/* Open a set: a stream is opened, by the set's first event. */
static void
open_set(const struct drmperf_device *device, const struct drmperf_group *group)
{
	const struct drmperf_selection selection = {
		drmperf_event_at(device, drmperf_group_first_event(group)),
		DRMPERF_ALL_INSTANCES,
	};
	struct drmperf_session *session = NULL;

	ck_assert_msg(
		!drmperf_session_create(counting.drmperf, &selection, 1, NULL,
					&session, &counting.error) &&
			!drmperf_session_start(session, &counting.error),
		"%s: %s", drmperf_group_name(group), counting.error.cause);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	drmperf_session_destroy(session);
}

static void
compare_registers(const struct set *set, const char *kind,
		  const struct list *facts, const struct oa_registers *kernel)
{
	ck_assert_msg(facts->count == kernel->count,
		      "%s %s: %s: %zu registers, not %zu", layout->gpu,
		      set->name, kind, kernel->count, facts->count);
	for (size_t i = 0; i < 2 * facts->count; i++)
		ck_assert_msg(facts->pairs[i] == kernel->pairs[i],
			      "%s %s: %s %zu: %x, not %x", layout->gpu,
			      set->name, kind, i / 2, kernel->pairs[i],
			      facts->pairs[i]);
}

static void
check_set(int node, const struct set *set)
{
	struct oa_config config;

	ck_assert_msg(!i915_config_read(node, set->guid, &config),
		      "%s %s is not in the kernel", layout->gpu, set->name);
	compare_registers(set, "mux", &set->mux, &config.mux);
	compare_registers(set, "boolean", &set->boolean, &config.boolean);
	compare_registers(set, "flex", &set->flex, &config.flex);
	oa_config_free(&config);
}

/* Return whether it is groups that are no metric set. */
static bool
is_set(const struct drmperf_group *group)
{
	static const char *const others[] = { "oa", "oam", "report" };
	const char *name = drmperf_group_name(group);

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (!strcmp(name, others[i]))
			return false;
	}
	return !strncmp(drmperf_group_domain(group), "oa", 2);
}

static void
set_up(void)
{
	const char *gpu = getenv(GPU);

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		if (!strcmp(layouts[i].gpu, gpu))
			layout = &layouts[i];
	}
}

TEST_CASE(registers, set_up, NULL, "i915_registers");

TEST(registers, kernel_has_what_the_facts_have)
{
	struct drmperf_device *device;
	size_t opened = 0;
	int node = open(NODE, O_RDWR | O_CLOEXEC);

	ck_assert_int_ge(node, 0);
	read_facts("sets", take_set);
	read_facts("regs", take_list);
	counting_begin();
	device = drmperf_device_at(counting.drmperf, 0);
	counting_succeeded(drmperf_device_open(device, &counting.error));
	for (size_t i = 0; i < drmperf_group_count(device); i++) {
		const struct drmperf_group *group = drmperf_group_at(device, i);
		const char *name = drmperf_group_name(group);
		const struct set *set = find_set(name);

		if (!is_set(group))
			continue;
		open_set(device, group);
		if (set) {
			check_set(node, set);
			opened++;
		} else {
			printf("skip i915_registers %s: %s is not among the "
			       "facts\n",
			       layout->gpu, name);
		}
	}
	ck_assert_uint_eq(opened, count_offered());
	counting_end();
	forget_facts();
	close(node);
}

int
main(void)
{
	char path[1024];
	int failed = 0;

	if (drmsim_is_present())
		return tests_run();
	if (facts_path("i915/platforms.tsv", path, sizeof(path))) {
		printf("skip i915_registers: the facts are not here, see "
		       "DRMPERF_FACTS\n");
		return EXIT_SUCCESS;
	}
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		const char *const options[] = { "--gpu", layouts[i].gpu,
						"--time", "virtual", NULL };
		const struct machine machine = { options, "i915_registers" };

		setenv(GPU, layouts[i].gpu, 1);
		failed |= below_drmsim(&machine, 1);
	}
	return failed;
}
