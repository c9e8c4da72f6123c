/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The descriptions of Intel GPUs that drmsim has, each with the tables of its
 * platform: what a program reads there must be possible here.
 */
#include "drmsim/base/text.h"
#include "drmsim/intel/oa_config.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GPUS "utils/drmsim/gpus"

/* Every platform that has metric tables. */
static const char *const kinds[] = {
	"hsw",	  "bdw",    "chv",    "sklgt2", "sklgt3", "sklgt4", "bxt",
	"kblgt2", "kblgt3", "glk",    "cflgt2", "cflgt3", "cnl",    "icl",
	"ehl",	  "tglgt1", "tglgt2", "rkl",	"dg1",	  "adl",    "adls",
	"adln",	  "acmgt1", "acmgt2", "acmgt3", "mtlgt2", "mtlgt3", "arlgt1",
	"arlgt2",
};

static struct sim_text *
read_description(const char *kind)
{
	struct sim_text *text;
	char path[128];
	unsigned line;

	snprintf(path, sizeof(path), GPUS "/%s.gpu", kind);
	ck_assert_int_eq(sim_text_read(path, &text, &line), 0);
	return text;
}

static void
read_platform(const char *kind, struct sim_platform *out)
{
	struct sim_text *text = read_description(kind);

	ck_assert_int_eq(sim_platform_read(out, text), 0);
	ck_assert_str_eq(out->name, kind);
	sim_text_free(text);
}

TEST_CASE(descriptions, NULL, NULL, "drmsim_i915_gpus");

TEST_LOOP(descriptions, a_description_is_read_whole, ARRAY_SIZE(kinds))
{
	struct sim_platform platform;
	const struct sim_topology *topology = &platform.topology;
	struct sim_text *text = read_description(kinds[_i]);

	ck_assert_str_eq(sim_text_find(text, "driver")->words[1], "i915");
	ck_assert_uint_eq(sim_text_number(text, "id", 1, UINT16_MAX, 0),
			  0x8086);
	sim_text_free(text);
	read_platform(kinds[_i], &platform);
	/* the default clock has at least two whole clocks per tick */
	ck_assert_uint_ge(platform.max_mhz * 1000000ull, 2 * platform.oa_hz);
	ck_assert_uint_eq(platform.oa_hz % platform.cs_hz, 0);
	ck_assert_uint_le(topology->eus, topology->max_eus);
	ck_assert_uint_gt(sim_topology_eus(topology), 0);
	for (unsigned s = 0; s < SIM_SLICES_MAX; s++) {
		if (s >= topology->max_slices)
			ck_assert_uint_eq(topology->subslices[s], 0);
		ck_assert_uint_eq((uint64_t)topology->subslices[s] >>
					  topology->max_subslices,
				  0);
	}
	/* the format that its metric sets use */
	ck_assert(platform.formats &
		  (platform.generation == SIM_OA_HASWELL ? 1u << 5
		   : platform.generation == SIM_OA_XEHP	 ? 1u << 12
							 : 1u << 10));
	ck_assert_int_eq(platform.media_oa, platform.formats >> 14 & 1);
}

/* ------------------------------------------------------------------ */
/* Register lists                                                       */

struct scan {
	const struct sim_platform *platform;
	enum sim_oa_list list;
	bool in_list;
	unsigned sets, registers, test_sets;
	char guid[37];
};

static void
scan_tag(struct scan *scan, const char *line)
{
	static const char *const tags[] = { [SIM_OA_MUX] = "<mux",
					    [SIM_OA_BOOLEAN] = "<boolean",
					    [SIM_OA_FLEX] = "<flex" };
	const char *guid = strstr(line, "guid=\"");

	scan->in_list = false;
	for (unsigned i = 0; i < ARRAY_SIZE(tags); i++) {
		if (strncmp(line, tags[i], strlen(tags[i])) == 0) {
			scan->list = (enum sim_oa_list)i;
			scan->in_list = true;
		}
	}
	if (strncmp(line, "<set ", 5) != 0)
		return;
	ck_assert_ptr_nonnull(guid);
	memcpy(scan->guid, guid + 6, 36);
	scan->guid[36] = '\0';
	ck_assert_msg(sim_uuid_valid(scan->guid), "%s", scan->guid);
	scan->sets++;
	for (unsigned i = 0; i < scan->platform->test_set_count; i++) {
		if (strcmp(scan->platform->test_sets[i], scan->guid) == 0) {
			scan->test_sets++;
			ck_assert_ptr_nonnull(strstr(line, "\"TestOa\""));
		}
	}
}

/* Read "9840: 80 9888: 166c01e0 12170280": an address, then values for it */
static void
scan_registers(struct scan *scan, char *line)
{
	char *rest = line, *word;

	while ((word = strsep(&rest, " \n"))) {
		size_t length = strlen(word);
		uint32_t address;

		if (length == 0 || word[length - 1] != ':')
			continue;
		address = (uint32_t)strtoul(word, NULL, 16);
		ck_assert_msg(sim_oa_register_allowed(scan->platform,
						      scan->list, address),
			      "%s: %x in list %d", scan->guid, address,
			      scan->list);
		scan->registers++;
	}
}

/* The kernel takes every register that the tables ask for. */
TEST_LOOP(descriptions, registers_are_allowed, ARRAY_SIZE(kinds))
{
	struct sim_platform platform;
	struct scan scan = { .platform = &platform };
	char path[64], *line = NULL;
	size_t size = 0;
	FILE *file;

	read_platform(kinds[_i], &platform);
	snprintf(path, sizeof(path), "events/i915/%s.registers.xml", kinds[_i]);
	file = fopen(path, "re");
	ck_assert_msg(file, "%s: %s", path, strerror(errno));
	while (getline(&line, &size, file) > 0) {
		if (line[0] == '<')
			scan_tag(&scan, line);
		else if (scan.in_list)
			scan_registers(&scan, line);
	}
	ck_assert_uint_ge(scan.sets, 6);
	ck_assert_uint_gt(scan.registers, scan.sets);
	ck_assert_uint_eq(scan.test_sets, platform.test_set_count);
	ck_assert_uint_eq(platform.test_set_count,
			  strcmp(kinds[_i], "hsw") == 0 ? 0 : 1);
	free(line);
	fclose(file);
}

/* ------------------------------------------------------------------ */
/* Bad descriptions                                                     */

#define GOOD                                                                   \
	"platform skl\nversion 9\nformats 10\ntimestamp 12000000\n"            \
	"topology 3 4 8\nsubslices 0x7\neus 8\n"

static const struct {
	const char *text;
	int result;
} texts[] = {
	{ GOOD "frequency 1 2 2\nengines rcs 1\n", 0 },
	{ GOOD "frequency 1 2 2\nengines rcs 1\ngts 2\ndiscrete\n", 0 },
	{ GOOD "engines rcs 1\n", -EINVAL },
	{ GOOD "frequency 3 2 2\nengines rcs 1\n", -EINVAL },
	{ GOOD "frequency 1 2 2\nengines bcs 1\n", -EINVAL },
	{ GOOD "frequency 1 2 2\nengines rcs 1 xcs 1\n", -EINVAL },
	{ GOOD "frequency 1 2 2\nengines rcs 1\nformats 5\n", -EINVAL },
	{ GOOD "frequency 1 2 2\nengines rcs 1\ngts 3\n", -EINVAL },
	{ GOOD "frequency 1 2 2\nengines rcs 1\ntest-set 1\n", -EINVAL },
	{ GOOD "frequency 1 2 2\nengines rcs 1\ndiscrete 1\n", -EINVAL },
};

TEST_LOOP(descriptions, a_bad_description_is_refused, ARRAY_SIZE(texts))
{
	struct sim_platform platform;
	struct sim_text *text;
	char path[32];
	unsigned line;
	FILE *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	fputs(texts[_i].text, file);
	fflush(file);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(file));
	ck_assert_int_eq(sim_text_read(path, &text, &line), 0);
	fclose(file);
	ck_assert_int_eq(sim_platform_read(&platform, text), texts[_i].result);
	sim_text_free(text);
}
