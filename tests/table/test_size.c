/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables that other people wrote, of the kinds that a reader can choke on: one
 * is read, and made into a catalog whose events are all listed, with memory for
 * 64 times its bytes at most, and some that does not depend on it.
 *
 * usage: test_size [KIND BYTES]
 * With a kind, one such file is read, for tests/tool/table_size.sh.
 */
#include <check.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/catalog.h"
#include "catalog/fill.h"
#include "catalog/user_tables.h"
#include "driver/i915/oa_config.h"
#include "driver/oa/metric_set.h"
#include "driver/oa/raw_counters.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Bytes for each byte of the file, and beside them. */
#define MOST_PER_BYTE 64
#define MOST_BESIDE ((size_t)2 << 20)

/* ------------------------------------------------------------------ */
/* Counting                                                             */

/* Of all that the library allocates; see make/tests.mk. */
static size_t live_bytes, peak_bytes;

void *
__real_malloc(size_t size);
void *
__real_calloc(size_t count, size_t size);
void *
__real_realloc(void *memory, size_t size);
void *
__real_reallocarray(void *memory, size_t count, size_t size);
void
__real_free(void *memory);

void *
__wrap_malloc(size_t size);
void *
__wrap_calloc(size_t count, size_t size);
void *
__wrap_realloc(void *memory, size_t size);
void *
__wrap_reallocarray(void *memory, size_t count, size_t size);
void
__wrap_free(void *memory);

static void *
count(void *memory)
{
	live_bytes += malloc_usable_size(memory);
	if (peak_bytes < live_bytes)
		peak_bytes = live_bytes;
	return memory;
}

void *
__wrap_malloc(size_t size)
{
	return count(__real_malloc(size));
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return count(__real_calloc(n, size));
}

void *
__wrap_realloc(void *memory, size_t size)
{
	live_bytes -= malloc_usable_size(memory);
	return count(__real_realloc(memory, size));
}

void *
__wrap_reallocarray(void *memory, size_t n, size_t size)
{
	live_bytes -= malloc_usable_size(memory);
	return count(__real_reallocarray(memory, n, size));
}

void
__wrap_free(void *memory)
{
	live_bytes -= malloc_usable_size(memory);
	__real_free(memory);
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

/* A file that is being written. */
static char *text;
static size_t length, wanted;

static void __attribute__((format(printf, 1, 2)))
put(const char *format, ...)
{
	size_t room = wanted + 4096 - length;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text + length, room, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= room)
		abort();
	length += (size_t)n;
}

static bool
is_short_of(size_t part, size_t whole)
{
	return length < wanted / whole * part;
}

#define OURS "unit='none' type='double' kind='average'/>\n"

static void
rocm_nested_targets(void)
{
	size_t deep = 3;

	while (is_short_of(1, 1) && deep < 1000) {
		put("<gfx");
		for (size_t i = 3; i < deep; i++)
			put("1");
		put("1><metric name=A expr=SQ_WAVES></metric></gfx");
		for (size_t i = 3; i < deep; i++)
			put("1");
		put("1>\n");
		deep++;
	}
}

static void
rocm_many_heirs(void)
{
	put("<all>\n");
	for (unsigned i = 0; is_short_of(1, 2); i++)
		put("<metric name=M%u expr=SQ_WAVES></metric>\n", i);
	put("</all>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put("<gfx%x base=\"all\"></gfx%x>\n", i % 1000, i % 1000);
}

static void
rocm_long_line_of_heirs(void)
{
	put("<gfx0><metric name=A expr=SQ_WAVES></metric></gfx0>\n");
	for (unsigned i = 1; is_short_of(1, 1); i++)
		put("<gfx%x base=\"gfx%x\"><metric name=A expr=SQ_WAVES>"
		    "</metric></gfx%x>\n",
		    i % 1000, i % 1000 - 1, i % 1000);
}

static void
rocm_many_sections(void)
{
	put("<gfx9/>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put("<s%u/>", i % 1000);
}

static void
rocm_equal_names(void)
{
	put("<gfx9>\n");
	while (is_short_of(1, 1))
		put("<metric name=A expr=SQ_WAVES></metric>\n");
	put("</gfx9>\n");
}

static void
rocm_equal_bad_names(void)
{
	put("<gfx9>\n");
	while (is_short_of(1, 1))
		put("<metric name=A expr=B></metric>\n");
	put("</gfx9>\n");
}

/* Each bit of a number decides between upper and lower case. */
static void
put_case(unsigned number)
{
	for (unsigned bit = 0; bit < 20; bit++)
		put("%c", (number >> bit & 1 ? 'A' : 'a') + (int)bit);
}

static void
rocm_alike_names(void)
{
	put("<gfx9>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++) {
		put("<metric name=");
		put_case(i);
		put(" expr=SQ_WAVES></metric>\n");
	}
	put("</gfx9>\n");
}

static void
rocm_short_uses_of_long(void)
{
	put("<gfx9>\n<metric name=Long expr=1");
	while (is_short_of(1, 4) && length < 60000)
		put("+SQ_WAVES");
	put("></metric>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put("<metric name=M%u expr=Long></metric>\n", i);
	put("</gfx9>\n");
}

static void
rocm_all_of_all(void)
{
	put("<gfx9>\n");
	for (unsigned i = 0; is_short_of(1, 2); i++)
		put("<metric name=M%u expr=SQ_WAVES></metric>\n", i);
	put("<metric name=All expr=1");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put("+M%u", i % 2000);
	put("></metric></gfx9>\n");
}

static void
rocm_chain_of_metrics(void)
{
	put("<gfx9>\n<metric name=M0 expr=SQ_WAVES></metric>\n");
	for (unsigned i = 1; is_short_of(1, 1); i++)
		put("<metric name=M%u expr=M%u+M%u></metric>\n", i, i - 1,
		    i - 1);
	put("</gfx9>\n");
}

static void
rocm_long_name(void)
{
	put("<gfx9><metric name=A expr=SQ");
	while (is_short_of(1, 1) && length < 60000)
		put(".a");
	put("></metric></gfx9>");
	while (is_short_of(1, 1))
		put(" ");
}

static void
rocm_many_includes(void)
{
	put("<gfx9></gfx9>\n");
	while (is_short_of(1, 1))
		put("#include \"x\"\n");
}

static void
rocm_pieces_of_text(void)
{
	put("<gfx9>");
	while (is_short_of(1, 1))
		put("a<!---->");
	put("</gfx9>");
}

static void
begin_ours(const char *driver)
{
	put("<events driver='%s'>\n", driver);
}

static void
ours_equal_names(void)
{
	begin_ours("amdgpu");
	while (is_short_of(1, 1))
		put("<metric name='A' expression='SQ.WAVES' " OURS);
	put("</events>\n");
}

static void
ours_equal_aliases(void)
{
	begin_ours("amdgpu");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put("<metric name='A%u' alias='X' expression='1' " OURS, i);
	put("</events>\n");
}

static void
ours_many_groups(void)
{
	begin_ours("amdgpu");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put("<metric group='%s' name='A%u' expression='1' " OURS,
		    i % 2 ? "SQ" : "metric", i);
	put("</events>\n");
}

static void
ours_comment_like_tags(void)
{
	begin_ours("amdgpu");
	put("<!--");
	while (is_short_of(1, 1))
		put(">%070d<", 1);
	put("--></events>\n");
}

static void
ours_attribute_like_tags(void)
{
	begin_ours("amdgpu");
	put("<x a='");
	while (is_short_of(1, 1))
		put(">%070d&lt;>", 1);
	put("'/></events>\n");
}

static void
ours_long_text(void)
{
	begin_ours("amdgpu");
	put("<x>");
	while (is_short_of(1, 1))
		put("%070d&amp;]<y/>", 1);
	put("</x></events>\n");
}

static void
ours_many_attributes(void)
{
	begin_ours("amdgpu");
	put("<metric name='A' expression='1'");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put(" a%u=''", i);
	put(" " OURS "</events>\n");
}

static void
ours_list(void)
{
	begin_ours("amdgpu");
	put("<list of='x' columns='a'>\n");
	while (is_short_of(1, 1))
		put("a:\n");
	put("</list></events>\n");
}

static void
ours_many_lists(void)
{
	begin_ours("amdgpu");
	while (is_short_of(1, 1))
		put("<list of='x' columns='a'>a:</list>\n");
	put("</events>\n");
}

static void
ours_small_elements(void)
{
	begin_ours("amdgpu");
	while (is_short_of(1, 1))
		put("<a/>");
	put("</events>\n");
}

static void
put_set(unsigned number, const char *chipset)
{
	put("<set name='S' chipset='%s' symbol_name='S%u' "
	    "hw_config_guid='00000000-0000-0000-0000-%012u'>\n",
	    chipset, number, number);
}

static void
put_counter(unsigned number)
{
	put("<counter symbol_name='C%u' data_type='uint64' units='events' "
	    "equation='A 0 READ'/>\n",
	    number);
}

static const char registers[] = "<register_config type='NOA'><register "
				"type='NOA' address='9840' value='80'/>"
				"</register_config>\n";

static void
oa_many_sets(void)
{
	put("<metrics>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++) {
		put_set(i, "SKLGT2");
		put("%s", registers);
		put_counter(0);
		put("</set>\n");
	}
	put("</metrics>\n");
}

static void
oa_many_counters(void)
{
	put("<metrics>\n");
	put_set(0, "SKLGT2");
	put("%s", registers);
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_counter(i);
	put("</set></metrics>\n");
}

static void
oa_equal_counters(void)
{
	put("<metrics>\n");
	put_set(0, "SKLGT2");
	put("%s", registers);
	while (is_short_of(1, 1))
		put_counter(0);
	put("</set></metrics>\n");
}

static void
oa_many_conditions(void)
{
	put("<metrics>\n");
	put_set(0, "SKLGT2");
	put("%s", registers);
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put("<counter symbol_name='C%u' units='events' equation='1' "
		    "availability='%u'/>\n",
		    i, i);
	put("</set></metrics>\n");
}

static void
oa_many_chipsets(void)
{
	put("<metrics>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++) {
		char chipset[16];

		snprintf(chipset, sizeof(chipset), "A%u", i % 64);
		put_set(i, chipset);
		put_counter(0);
		put("</set>\n");
	}
	put("</metrics>\n");
}

static void
oa_long_list_head(void)
{
	put("<metrics>\n");
	put_set(0, "SKLGT2");
	put("<register_config");
	for (unsigned i = 0; is_short_of(1, 2); i++)
		put(" a%u=''", i);
	put(">");
	while (is_short_of(1, 1))
		put("<register type='NOA' address='9840' value='80'/>\n");
	put("</register_config>");
	put_counter(0);
	put("</set></metrics>\n");
}

static const struct kind {
	const char *name;
	void (*write)(void);
} kinds[] = {
	{ "rocm_nested_targets", rocm_nested_targets },
	{ "rocm_many_heirs", rocm_many_heirs },
	{ "rocm_long_line_of_heirs", rocm_long_line_of_heirs },
	{ "rocm_many_sections", rocm_many_sections },
	{ "rocm_equal_names", rocm_equal_names },
	{ "rocm_equal_bad_names", rocm_equal_bad_names },
	{ "rocm_alike_names", rocm_alike_names },
	{ "rocm_short_uses_of_long", rocm_short_uses_of_long },
	{ "rocm_all_of_all", rocm_all_of_all },
	{ "rocm_chain_of_metrics", rocm_chain_of_metrics },
	{ "rocm_long_name", rocm_long_name },
	{ "rocm_many_includes", rocm_many_includes },
	{ "rocm_pieces_of_text", rocm_pieces_of_text },
	{ "ours_equal_names", ours_equal_names },
	{ "ours_equal_aliases", ours_equal_aliases },
	{ "ours_many_groups", ours_many_groups },
	{ "ours_comment_like_tags", ours_comment_like_tags },
	{ "ours_attribute_like_tags", ours_attribute_like_tags },
	{ "ours_long_text", ours_long_text },
	{ "ours_many_attributes", ours_many_attributes },
	{ "ours_list", ours_list },
	{ "ours_many_lists", ours_many_lists },
	{ "ours_small_elements", ours_small_elements },
	{ "oa_many_sets", oa_many_sets },
	{ "oa_many_counters", oa_many_counters },
	{ "oa_equal_counters", oa_equal_counters },
	{ "oa_many_conditions", oa_many_conditions },
	{ "oa_many_chipsets", oa_many_chipsets },
	{ "oa_long_list_head", oa_long_list_head },
};

static void
write_kind(const struct kind *kind, size_t bytes)
{
	wanted = bytes;
	length = 0;
	text = malloc(bytes + 4096);
	if (!text)
		abort();
	kind->write();
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

static const struct log_sink nowhere = { .log = NULL };

/* What cannot be had is an error of the test. */
static void
must(int err)
{
	if (err)
		abort();
}

static void
begin(struct description *description, const char *domain,
      const char *generation, const char *target)
{
	const struct description_domain record = {
		.name = domain,
		.exclusive = !strcmp(domain, "oa"),
	};

	must(description_init(description));
	description->chip = "A GPU";
	description->generation = generation;
	description->target = target;
	must(description_add_domain(description, &record, NULL));
}

static void
list(struct description *description, const char *driver)
{
	struct drmperf_error error;
	struct catalog *catalog;

	if (catalog_create(description, driver, NULL, &nowhere, &catalog,
			   &error)) {
		description_finish(description);
		return;
	}
	must(!catalog_list(catalog));
	catalog_destroy(catalog);
}

static void
use_amdgpu(const struct user_tables *tables)
{
	static const struct description_group groups[] = {
		{ .name = "SQ", .instances = 4, .instances_per_engine = 1 },
		{ .name = "metric", .instances = 1, .instances_per_engine = 1 },
	};
	static const struct description_event waves = { .group = 0,
							.name = "WAVES" };
	struct description description;
	struct drmperf_error error;

	begin(&description, "gfx", "gfx9", "gfx900");
	must(description_add_group(&description, &groups[0], NULL));
	must(description_add_group(&description, &groups[1], NULL));
	must(description_add_event(&description, &waves));
	if (user_tables_apply(tables, "amdgpu", &description, &nowhere, &error))
		description_finish(&description);
	else
		list(&description, "amdgpu");
}

static void
use_i915(const struct user_tables *tables)
{
	const struct constants constants = { NULL, 0 };
	struct platform platform = { .name = "sklgt2", .generation = OA_GEN9 };
	struct metric_sets sets = { .log = &nowhere };
	struct description description;
	struct drmperf_error error;
	int err;

	platform.format = oa_format_find(10, OA_GEN9);
	begin(&description, "oa", "sklgt2", "sklgt2");
	err = raw_counters_add(&description, sets.domains[OA_UNIT_RENDER],
			       &sets.raw_group);
	for (size_t i = 0; i < tables->count && !err; i++) {
		if (table_is_for(tables->tables[i], "i915", "sklgt2", "sklgt2"))
			err = metric_sets_read(&sets, tables->tables[i],
					       &platform, &constants,
					       &description, &error);
	}
	metric_sets_finish(&sets);
	if (err)
		description_finish(&description);
	else
		list(&description, "i915");
}

static void
read_text(void)
{
	struct user_tables tables = { 0 };
	struct drmperf_error error;

	if (!user_tables_parse(&tables, "/nowhere/size.xml", text, length,
			       &nowhere, &error)) {
		use_amdgpu(&tables);
		use_i915(&tables);
	}
	user_tables_finish(&tables);
}

static void
read_kind(const struct kind *kind, size_t bytes)
{
	write_kind(kind, bytes);
	live_bytes = peak_bytes = 0;
	read_text();
	free(text);
}

START_TEST(memory)
{
	static const size_t sizes[] = { 25000, 50000, 100000, 200000 };
	const struct kind *kind = &kinds[_i];

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		read_kind(kind, sizes[i]);
		if (getenv("DRMPERF_SHOW"))
			printf("%-26s %7zu: %10zu\n", kind->name, length,
			       peak_bytes);
		ck_assert_msg(peak_bytes <=
				      MOST_PER_BYTE * length + MOST_BESIDE,
			      "%s: %zu bytes for a file of %zu", kind->name,
			      peak_bytes, length);
	}
}
END_TEST

/* ------------------------------------------------------------------ */

static int
read_one(const char *name, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kinds[i].name, name)) {
			read_kind(&kinds[i], bytes);
			return EXIT_SUCCESS;
		}
	}
	return EXIT_FAILURE;
}

static int
list_kinds(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		puts(kinds[i].name);
	return EXIT_SUCCESS;
}

int
main(int argc, char **argv)
{
	Suite *suite = suite_create("size");
	TCase *tcase = tcase_create("size");

	if (argc == 2)
		return list_kinds();
	if (argc == 3)
		return read_one(argv[1], strtoul(argv[2], NULL, 10));
	tcase_add_loop_test(tcase, memory, 0, ARRAY_SIZE(kinds));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
