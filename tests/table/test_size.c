/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables that other people wrote, of the kinds that a reader can choke on: one
 * is read, and made into a catalog whose events are all listed, with memory for
 * 64 times its bytes at most, and some that does not depend on it.
 *
 * usage: test_size [KIND BYTES]
 * With a kind, one such file is read, for tests/tool/table_size.sh.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/catalog.h"
#include "catalog/lazy_load.h"
#include "catalog/user_tables.h"
#include "driver/amdgpu/rocm_counters.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/table.h"
#include "tests/support/suite.h"
#include "tests/table/allocated.h"
#include "tests/table/gpus.h"

/* Bytes for each byte of the file, and beside them. */
#define MOST_PER_BYTE 64
#define MOST_BESIDE ((size_t)2 << 20)

/* ------------------------------------------------------------------ */
/* Files                                                                */

/* A file that is being written. */
static char *text;
static size_t length, wanted;

static void __attribute__((format(printf, 1, 2)))
put_xml(const char *format, ...)
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
		put_xml("<gfx");
		for (size_t i = 3; i < deep; i++)
			put_xml("1");
		put_xml("1><metric name=A expr=SQ_WAVES></metric></gfx");
		for (size_t i = 3; i < deep; i++)
			put_xml("1");
		put_xml("1>\n");
		deep++;
	}
}

static void
rocm_many_heirs(void)
{
	put_xml("<all>\n");
	for (unsigned i = 0; is_short_of(1, 2); i++)
		put_xml("<metric name=M%u expr=SQ_WAVES></metric>\n", i);
	put_xml("</all>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_xml("<gfx%x base=\"all\"></gfx%x>\n", i % 1000, i % 1000);
}

static void
rocm_long_line_of_heirs(void)
{
	put_xml("<gfx0><metric name=A expr=SQ_WAVES></metric></gfx0>\n");
	for (unsigned i = 1; is_short_of(1, 1); i++)
		put_xml("<gfx%x base=\"gfx%x\"><metric name=A expr=SQ_WAVES>"
			"</metric></gfx%x>\n",
			i % 1000, i % 1000 - 1, i % 1000);
}

static void
rocm_many_sections(void)
{
	put_xml("<gfx9/>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_xml("<s%u/>", i % 1000);
}

static void
rocm_equal_names(void)
{
	put_xml("<gfx9>\n");
	while (is_short_of(1, 1))
		put_xml("<metric name=A expr=SQ_WAVES></metric>\n");
	put_xml("</gfx9>\n");
}

static void
rocm_equal_bad_names(void)
{
	put_xml("<gfx9>\n");
	while (is_short_of(1, 1))
		put_xml("<metric name=A expr=B></metric>\n");
	put_xml("</gfx9>\n");
}

/* Write a name: each bit of a number decides between upper and lower case. */
static void
put_case(unsigned number)
{
	for (unsigned bit = 0; bit < 20; bit++)
		put_xml("%c", (number >> bit & 1 ? 'A' : 'a') + (int)bit);
}

static void
rocm_alike_names(void)
{
	put_xml("<gfx9>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++) {
		put_xml("<metric name=");
		put_case(i);
		put_xml(" expr=SQ_WAVES></metric>\n");
	}
	put_xml("</gfx9>\n");
}

static void
rocm_short_uses_of_long(void)
{
	put_xml("<gfx9>\n<metric name=Long expr=1");
	while (is_short_of(1, 4) && length < 60000)
		put_xml("+SQ_WAVES");
	put_xml("></metric>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_xml("<metric name=M%u expr=Long></metric>\n", i);
	put_xml("</gfx9>\n");
}

static void
rocm_all_of_all(void)
{
	put_xml("<gfx9>\n");
	for (unsigned i = 0; is_short_of(1, 2); i++)
		put_xml("<metric name=M%u expr=SQ_WAVES></metric>\n", i);
	put_xml("<metric name=All expr=1");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_xml("+M%u", i % 2000);
	put_xml("></metric></gfx9>\n");
}

static void
rocm_chain_of_metrics(void)
{
	put_xml("<gfx9>\n<metric name=M0 expr=SQ_WAVES></metric>\n");
	for (unsigned i = 1; is_short_of(1, 1); i++)
		put_xml("<metric name=M%u expr=M%u+M%u></metric>\n", i, i - 1,
			i - 1);
	put_xml("</gfx9>\n");
}

static void
rocm_long_name(void)
{
	put_xml("<gfx9><metric name=A expr=SQ");
	while (is_short_of(1, 1) && length < 60000)
		put_xml(".a");
	put_xml("></metric></gfx9>");
	while (is_short_of(1, 1))
		put_xml(" ");
}

static void
rocm_many_includes(void)
{
	put_xml("<gfx9></gfx9>\n");
	while (is_short_of(1, 1))
		put_xml("#include \"x\"\n");
}

static void
rocm_pieces_of_text(void)
{
	put_xml("<gfx9>");
	while (is_short_of(1, 1))
		put_xml("a<!---->");
	put_xml("</gfx9>");
}

static void
begin_ours(const char *driver)
{
	put_xml("<events driver='%s'>\n", driver);
}

/* Make as many events as in our table of the same size; see use_blocks(). */
static void
rocm_many_counters(void)
{
	put_xml("<gfx9>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_xml("<metric name=SQ_E%u block=SQ event=%u></metric>\n", i,
			i % 64);
	put_xml("</gfx9>\n");
}

static void
ours_equal_names(void)
{
	begin_ours("amdgpu");
	while (is_short_of(1, 1))
		put_xml("<metric name='A' expression='SQ.WAVES' " OURS);
	put_xml("</events>\n");
}

static void
ours_equal_aliases(void)
{
	begin_ours("amdgpu");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_xml("<metric name='A%u' alias='X' expression='1' " OURS, i);
	put_xml("</events>\n");
}

static void
ours_many_groups(void)
{
	begin_ours("amdgpu");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_xml("<metric group='%s' name='A%u' expression='1' " OURS,
			i % 2 ? "SQ" : "metric", i);
	put_xml("</events>\n");
}

static void
ours_comment_like_tags(void)
{
	begin_ours("amdgpu");
	put_xml("<!--");
	while (is_short_of(1, 1))
		put_xml(">%070d<", 1);
	put_xml("--></events>\n");
}

static void
ours_attribute_like_tags(void)
{
	begin_ours("amdgpu");
	put_xml("<x a='");
	while (is_short_of(1, 1))
		put_xml(">%070d&lt;>", 1);
	put_xml("'/></events>\n");
}

static void
ours_long_text(void)
{
	begin_ours("amdgpu");
	put_xml("<x>");
	while (is_short_of(1, 1))
		put_xml("%070d&amp;]<y/>", 1);
	put_xml("</x></events>\n");
}

static void
ours_many_attributes(void)
{
	begin_ours("amdgpu");
	put_xml("<metric name='A' expression='1'");
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_xml(" a%u=''", i);
	put_xml(" " OURS "</events>\n");
}

static void
ours_list(void)
{
	begin_ours("amdgpu");
	put_xml("<list of='x' columns='a'>\n");
	while (is_short_of(1, 1))
		put_xml("a:\n");
	put_xml("</list></events>\n");
}

static void
ours_many_lists(void)
{
	begin_ours("amdgpu");
	while (is_short_of(1, 1))
		put_xml("<list of='x' columns='a'>a:</list>\n");
	put_xml("</events>\n");
}

static void
ours_small_elements(void)
{
	begin_ours("amdgpu");
	while (is_short_of(1, 1))
		put_xml("<a/>");
	put_xml("</events>\n");
}

static void
put_set(unsigned number, const char *chipset)
{
	put_xml("<set name='S' chipset='%s' symbol_name='S%u' "
		"hw_config_guid='00000000-0000-0000-0000-%012u'>\n",
		chipset, number, number);
}

static void
put_counter(unsigned number)
{
	put_xml("<counter symbol_name='C%u' data_type='uint64' units='events' "
		"equation='A 0 READ'/>\n",
		number);
}

static const char registers[] = "<register_config type='NOA'><register "
				"type='NOA' address='9840' value='80'/>"
				"</register_config>\n";

static void
oa_many_sets(void)
{
	put_xml("<metrics>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++) {
		put_set(i, "SKLGT2");
		put_xml("%s", registers);
		put_counter(0);
		put_xml("</set>\n");
	}
	put_xml("</metrics>\n");
}

static void
oa_many_counters(void)
{
	put_xml("<metrics>\n");
	put_set(0, "SKLGT2");
	put_xml("%s", registers);
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_counter(i);
	put_xml("</set></metrics>\n");
}

static void
oa_equal_counters(void)
{
	put_xml("<metrics>\n");
	put_set(0, "SKLGT2");
	put_xml("%s", registers);
	while (is_short_of(1, 1))
		put_counter(0);
	put_xml("</set></metrics>\n");
}

/* Check two files of sets: the second begins behind a form feed. */
static void
oa_two_files_of_sets(void)
{
	for (unsigned file = 1; file <= 2; file++) {
		put_xml("<metrics>\n");
		for (unsigned i = 0; is_short_of(file, 2); i++) {
			put_set(i, "SKLGT2");
			put_xml("%s", registers);
			put_counter(file);
			put_xml("</set>\n");
		}
		put_xml("</metrics>%s", file == 1 ? "\f" : "");
	}
}

static void
oa_two_files_of_counters(void)
{
	for (unsigned file = 1; file <= 2; file++) {
		put_xml("<metrics>\n");
		put_set(0, "SKLGT2");
		put_xml("%s", registers);
		for (unsigned i = 0; is_short_of(file, 2); i++)
			put_counter(i);
		put_xml("</set></metrics>%s", file == 1 ? "\f" : "");
	}
}

static void
oa_many_conditions(void)
{
	put_xml("<metrics>\n");
	put_set(0, "SKLGT2");
	put_xml("%s", registers);
	for (unsigned i = 0; is_short_of(1, 1); i++)
		put_xml("<counter symbol_name='C%u' units='events' "
			"equation='1' availability='%u'/>\n",
			i, i);
	put_xml("</set></metrics>\n");
}

static void
oa_many_chipsets(void)
{
	put_xml("<metrics>\n");
	for (unsigned i = 0; is_short_of(1, 1); i++) {
		char chipset[16];

		snprintf(chipset, sizeof(chipset), "A%u", i % 64);
		put_set(i, chipset);
		put_counter(0);
		put_xml("</set>\n");
	}
	put_xml("</metrics>\n");
}

static void
oa_long_list_head(void)
{
	put_xml("<metrics>\n");
	put_set(0, "SKLGT2");
	put_xml("<register_config");
	for (unsigned i = 0; is_short_of(1, 2); i++)
		put_xml(" a%u=''", i);
	put_xml(">");
	while (is_short_of(1, 1))
		put_xml("<register type='NOA' address='9840' value='80'/>\n");
	put_xml("</register_config>");
	put_counter(0);
	put_xml("</set></metrics>\n");
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
	{ "rocm_many_counters", rocm_many_counters },
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
	{ "oa_two_files_of_sets", oa_two_files_of_sets },
	{ "oa_two_files_of_counters", oa_two_files_of_counters },
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

/* ------------------------------------------------------------------ */

static void
list_events(struct catalog *catalog)
{
	if (!catalog)
		return;
	/* what cannot be had is an error of the test */
	if (!catalog_list(catalog))
		abort();
	catalog_destroy(catalog);
}

/* Use Vega 10's blocks, whose SQ has as many events as such a file may have. */
static void
use_blocks(const struct user_tables *tables)
{
	static const struct description_domain domain = { .name = "gfx" };
	const struct driver_target target = {
		.user_tables = (const struct table *const *)tables->tables,
		.user_table_count = tables->count,
	};
	struct gpu gpu = { .chip = amdgpu_vega10_chip, .core = vega10.core };
	const group_index sq = (group_index)amdgpu_table_block(&vega10, "SQ");
	struct description description;
	char name[32];

	if (description_init(&description))
		abort();
	gpu.chip.target = "gfx900";
	description_add_domain(&description, &domain, NULL);
	for (size_t i = 0; i < vega10.core.block_count; i++)
		description_add_group(
			&description,
			&(struct description_group){
				.name = vega10.core.blocks[i].name },
			NULL);
	for (size_t i = 0; i < length / 64; i++) {
		snprintf(name, sizeof(name), "E%zu", i);
		description_add_event(
			&description,
			&(struct description_event){
				.name = arena_strndup(description.arena, name,
						      strlen(name)),
				.group = sq });
	}
	if (rocm_counters_add(&gpu, &target, &description))
		abort();
	description_finish(&description);
}

static void
read_text(void)
{
	struct user_tables tables = { 0 };
	struct drmperf_error error;
	const char *at = text, *end = text + length;
	int err = 0;

	while (!err && at < end) {
		const char *next = memchr(at, '\f', (size_t)(end - at));
		size_t size = (size_t)((next ? next : end) - at);

		err = user_tables_parse(&tables, "/nowhere/size.xml", at, size,
					&nowhere, &error);
		at += size + 1;
	}
	if (!err) {
		use_blocks(&tables);
		list_events(table_gpu_amdgpu(&tables));
		list_events(table_gpu_i915(&tables));
	}
	user_tables_finish(&tables);
}

static void
read_kind(const struct kind *kind, size_t bytes)
{
	write_kind(kind, bytes);
	allocated_begin();
	read_text();
	free(text);
}

TEST_CASE(size, NULL, NULL, "size");

TEST_LOOP(size, reading_takes_memory_by_the_size, ARRAY_SIZE(kinds))
{
	static const size_t sizes[] = { 25000, 50000, 100000, 200000 };
	const struct kind *kind = &kinds[_i];
	size_t most;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		read_kind(kind, sizes[i]);
		most = allocated_most();
		if (getenv("DRMPERF_SHOW"))
			printf("%-26s %7zu: %10zu\n", kind->name, length,
			       most);
		ck_assert_msg(most <=
				      MOST_PER_BYTE * length + MOST_BESIDE,
			      "%s: %zu bytes for a file of %zu", kind->name,
			      most, length);
	}
}

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
	int status;

	if (argc == 2)
		return list_kinds();
	/* before it is counted what is allocated */
	vega10_open();
	if (argc == 3)
		status = read_one(argv[1], strtoul(argv[2], NULL, 10));
	else
		status = tests_run();
	vega10_close();
	return status;
}
