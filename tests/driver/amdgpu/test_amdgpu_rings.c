/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * On which ring the amdgpu driver counts: command buffers as DRMPERF_DEBUG=ib
 * shows them, a letter for each.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* What tells a command buffer, the first that fits. */
static const struct {
	char letter;
	const char *begins, *contains;
} kinds[] = {
	/* PERFCOUNTER_START and STOP, then compute of that ring */
	{ 's', "c0004600 00000017 c0017600 0000020b 00000001", "" },
	{ 't', "c0004600 00000018 c0017600 0000020b 00000000", "" },
	{ 'o', "c0017600 0000020b 00000000", "" },
	/* graphics waits for vertices as well, compute for compute alone */
	{ 'G', "", "0000040f" },
	{ 'C', "", "00000407" },
};

static char
letter_of(const char *dwords)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(dwords, kinds[i].begins,
			     strlen(kinds[i].begins)) &&
		    strstr(dwords, kinds[i].contains))
			return kinds[i].letter;
	return '?';
}

/* Read a paragraph for each command buffer. */
static void
read_letters(FILE *file, char *letters, size_t size)
{
	static char dwords[65536];
	size_t count = 0, length = 0;
	char line[128];

	rewind(file);
	while (fgets(line, sizeof(line), file)) {
		if (*line != '\n') {
			ck_assert_uint_lt(length + strlen(line),
					  sizeof(dwords));
			strcpy(dwords + length, line);
			length += strlen(line);
			continue;
		}
		if (length && count + 1 < size)
			letters[count++] = letter_of(dwords);
		length = 0;
	}
	letters[count] = '\0';
}

/* Start, sample, change to both, sample, stop. */
static void
count_both(const char *first, const char *second, char *letters, size_t size)
{
	struct counter_request asked[2];
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	void *run;

	ck_assert_ptr_nonnull(file);
	setenv("DRMPERF_DEBUG", "ib", 1);
	gpu_open();
	asked[0] = gpu_request(first, 4, ALL);
	asked[1] = gpu_request(second, 5, ALL);
	dup2(fileno(file), STDERR_FILENO);
	run = gpu_begin(asked, 1);
	gpu_change(run, asked, 2);
	scene_pass(MS);
	gpu_sample(run);
	gpu_end(run);
	dup2(saved, STDERR_FILENO);
	close(saved);
	unsetenv("DRMPERF_DEBUG");
	gpu_close_clean();
	read_letters(file, letters, size);
	fclose(file);
}

struct way {
	const char *ring, *first, *second, *letters;
};

static void
check_ways(const struct way *ways, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char letters[32];

		setenv("DRMPERF_RING", ways[i].ring, 1);
		count_both(ways[i].first, ways[i].second, letters,
			   sizeof(letters));
		ck_assert_msg(!strcmp(letters, ways[i].letters),
			      "%s, %s, DRMPERF_RING=%s: %s, not %s",
			      ways[i].first, ways[i].second, ways[i].ring,
			      letters, ways[i].letters);
	}
	unsetenv("DRMPERF_RING");
}

TEST_CASE(two_rings, NULL, NULL, "two_rings");

TEST(two_rings, each_block_is_counted_on_its_ring)
{
	/* start and its other half; sample; change; sample; stop and half */
	static const struct way ways[] = {
		{ "", "SQ", "TCC", "CsCCCtC" },
		/* graphics is programmed, and sampled, on its own ring */
		{ "", "SQ", "CB", "CsCGGG" },
		{ "", "DB", "CB", "GGGGG" },
		{ "gfx", "SQ", "TCC", "GGGGG" },
		{ "compute", "SQ", "CB", "CsCCCtC" },
	};

	check_ways(ways, ARRAY_SIZE(ways));
}

TEST_CASE(no_stop, NULL, NULL, "no_stop");

/* There, PERFCOUNTER_STOP does harm; compute stays allowed. */
TEST(no_stop, some_gpus_are_not_stopped_by_an_event)
{
	static const struct way ways[] = {
		{ "", "SQ", "GL2C", "CsCCCoC" },
		{ "", "GL2C", "CB", "CsCGGG" },
	};

	check_ways(ways, ARRAY_SIZE(ways));
}

TEST_CASE(one_ring, NULL, NULL, "one_ring");

TEST(one_ring, one_ring_does_everything)
{
	static const struct way ways[] = {
		{ "", "SQ", "TCC", "CCCCC" },
		{ "compute", "SQ", "TCC", "CCCCC" },
	};

	check_ways(ways, ARRAY_SIZE(ways));
}

static void
check_refused(const char *ring, int code, const char *cause)
{
	struct drmperf_error error = { 0 };
	struct counter_request asked;
	void *run;

	gpu_open();
	asked = gpu_request("SQ", 4, ALL);
	setenv("DRMPERF_RING", ring, 1);
	ck_assert_int_eq(gpu_try_arm(&asked, 1, &run, &error), code);
	ck_assert_ptr_nonnull(strstr(error.cause, cause));
	ck_assert_ptr_nonnull(strstr(error.remedy, "unset"));
	unsetenv("DRMPERF_RING");
	/* nothing is left behind */
	gpu_end(gpu_begin(&asked, 1));
	gpu_close_clean();
}

TEST(two_rings, an_unknown_ring_is_refused)
{
	check_refused("fast", -EINVAL, "\"fast\"");
}

TEST(one_ring, an_absent_ring_is_refused)
{
	check_refused("gfx", -ENOTSUP, "gfx");
}

TEST_GPUS("two_rings", "vega10");
TEST_GPUS("no_stop", "navi31");
TEST_GPUS("one_ring", "mi100");
