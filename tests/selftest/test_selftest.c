/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What drmperf selftest looks at beside the GPU: errors of the kernel, and
 * whether a user looks at a display; and how it reads traces.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "selftest/amdgpu/tokens.h"
#include "selftest/displays.h"
#include "selftest/kernel_log.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

#define ADDRESS "0000:03:00.0"

TEST_CASE(all, test_folder_make, test_folder_remove, "selftest");

/* ---- the kernel's log, a record a write as /dev/kmsg has it */

static int
open_log(void)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/kmsg", test_folder);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	ck_assert_int_ge(fd, 0);
	return fd;
}

static void
add_record(const char *record)
{
	int fd = open_log();

	ck_assert_int_eq(write(fd, record, strlen(record)),
			 (int)strlen(record));
	close(fd);
}

static int
log_from_now(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/kmsg", test_folder);
	return kernel_log_open(path);
}

TEST(all, new_errors_only)
{
	char text[256] = "";
	int fd;

	add_record("3,1,1,-;amdgpu " ADDRESS ": amdgpu: old\n");
	fd = log_from_now();
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(kernel_log_next(fd, "amdgpu", text, sizeof(text)), 0);
	add_record("3,2,2,-;amdgpu " ADDRESS ": amdgpu: ring gfx timeout\n"
		   " SUBSYSTEM=pci\n");
	ck_assert_int_eq(kernel_log_next(fd, "amdgpu", text, sizeof(text)), 1);
	ck_assert_str_eq(text,
			 "amdgpu " ADDRESS ": amdgpu: ring gfx timeout");
	ck_assert_int_eq(kernel_log_next(fd, "amdgpu", text, sizeof(text)), 0);
	close(fd);
}

static const struct {
	const char *record;
	int is_error;
} records[] = {
	{ "3,1,1,-;[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring\n", 1 },
	/* facility 1, error */
	{ "11,1,1,-;amdgpu: it broke\n", 1 },
	{ "0,1,1,c;amdgpu: it broke\n", 1 },
	/* a warning, and news */
	{ "4,1,1,-;amdgpu " ADDRESS ": amdgpu: hot\n", 0 },
	{ "6,1,1,-;amdgpu " ADDRESS ": amdgpu: here\n", 0 },
	/* another user's */
	{ "3,1,1,-;i915 0000:00:02.0: GPU HANG\n", 0 },
	/* no records */
	{ "amdgpu\n", 0 },
	{ "3;amdgpu\n", 0 },
	{ "3,1,1,- amdgpu\n", 0 },
};

TEST(all, errors_of_amdgpu)
{
	char text[256];
	int fd;

	add_record("");
	fd = log_from_now();
	ck_assert_int_ge(fd, 0);
	for (size_t i = 0; i < ARRAY_SIZE(records); i++) {
		add_record(records[i].record);
		ck_assert_msg(
			kernel_log_next(fd, "amdgpu", text, sizeof(text)) ==
				records[i].is_error,
			"%s", records[i].record);
	}
	close(fd);
}

TEST(all, without_a_log_nothing_is_read)
{
	ck_assert_int_eq(log_from_now(), -ENOENT);
}

/* ---- displays */

static void
add_connector(const char *name, const char *state)
{
	test_file_write(state,
			"%s/sys/bus/pci/devices/" ADDRESS
			"/drm/card0/card0-%s/enabled",
			test_folder, name);
}

TEST(all, only_a_display_that_is_on_counts)
{
	char name[32] = "";

	ck_assert(!displays_any(test_folder, ADDRESS, name, sizeof(name)));
	add_connector("HDMI-A-1", "disabled\n");
	ck_assert(!displays_any(test_folder, ADDRESS, name, sizeof(name)));
	add_connector("DP-2", "enabled\n");
	ck_assert(displays_any(test_folder, ADDRESS, name, sizeof(name)));
	ck_assert_str_eq(name, "card0-DP-2");
	ck_assert(
		!displays_any(test_folder, "0000:04:00.0", name, sizeof(name)));
}
/* ---- traces */

static const struct {
	unsigned level;
	uint8_t match;
	unsigned nibbles, extension; /* bytes that may follow, with bit 0 set */
	uint64_t starts;
} tokens[] = {
	{ 11, 0x06, 13, 0, 0 }, { 11, 0x16, 7, 0, 0 },	{ 11, 0x1c, 12, 0, 1 },
	{ 12, 0x06, 14, 0, 0 }, { 12, 0x16, 12, 0, 0 }, { 12, 0x1c, 10, 0, 1 },
	{ 12, 0x46, 8, 0, 0 },	{ 12, 0x66, 6, 0, 0 },	{ 12, 0x1c, 10, 2, 1 },
	{ 12, 0x05, 6, 0, 0 },	{ 12, 0x21, 18, 0, 0 }, { 12, 0x01, 16, 0, 0 },
};

static unsigned
put_nibbles(uint8_t *bytes, unsigned at, uint64_t value, unsigned nibbles)
{
	for (unsigned i = 0; i < nibbles; i++, at++, value >>= 4)
		bytes[at / 2] |= (uint8_t)((value & 0xf) << at % 2 * 4);
	return at;
}

/* Nothing of a token is taken for another one, and none of what follows it. */
TEST_LOOP(all, a_token_is_as_long_as_amd_says, ARRAY_SIZE(tokens))
{
	uint8_t bytes[32] = { 0 };
	struct token_counts counts;
	unsigned at = put_nibbles(bytes, 0, tokens[_i].match, 2);

	while (at < tokens[_i].nibbles)
		at = put_nibbles(bytes, at, 0x9, 1);
	for (unsigned i = 0; i < tokens[_i].extension; i++)
		at = put_nibbles(bytes, at, 0x91, 2);
	at = put_nibbles(bytes, at, 0x9999990c, 8); /* a wave begins */
	put_nibbles(bytes, at, 0x99915, 5); /* and ends */
	ck_assert(
		tokens_count(tokens[_i].level, bytes, sizeof(bytes), &counts));
	ck_assert_uint_eq(counts.starts, 1 + tokens[_i].starts);
	ck_assert_uint_eq(counts.ends, 1);
}
