/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What drmperf selftest looks at beside the GPU: errors of the kernel, and
 * whether a user looks at a display.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selftest/displays.h"
#include "selftest/kernel_log.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

#define ADDRESS "0000:03:00.0"

static char folder[64];

static void
make_folder(void)
{
	strcpy(folder, "/tmp/test_tool_selftest.XXXXXX");
	test_folder_make(folder);
}

static void
remove_folder(void)
{
	test_folder_remove(folder);
}

/* ---- the kernel's log, a record a write as /dev/kmsg has it */

static int
open_log(void)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/kmsg", folder);
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

	snprintf(path, sizeof(path), "%s/kmsg", folder);
	return kernel_log_open(path);
}

START_TEST(new_errors_only)
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
END_TEST

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

START_TEST(errors_of_amdgpu)
{
	char text[256];
	int fd;

	add_record("");
	fd = log_from_now();
	ck_assert_int_ge(fd, 0);
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		add_record(records[i].record);
		ck_assert_msg(
			kernel_log_next(fd, "amdgpu", text, sizeof(text)) ==
				records[i].is_error,
			"%s", records[i].record);
	}
	close(fd);
}
END_TEST

START_TEST(without_a_log_nothing_is_read)
{
	ck_assert_int_eq(log_from_now(), -ENOENT);
}
END_TEST

/* ---- displays */

static void
add_connector(const char *name, const char *state)
{
	static const char *const parts[] = { "sys", "bus", "pci", "devices",
					     ADDRESS, "drm", "card0" };
	char path[256];
	FILE *file;
	int at = snprintf(path, sizeof(path), "%s", folder);

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		at += snprintf(path + at, sizeof(path) - (size_t)at, "/%s",
			       parts[i]);
		mkdir(path, 0700);
	}
	at += snprintf(path + at, sizeof(path) - (size_t)at, "/card0-%s", name);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	snprintf(path + at, sizeof(path) - (size_t)at, "/enabled");
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fprintf(file, "%s\n", state);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(only_a_display_that_is_on_counts)
{
	char name[32] = "";

	ck_assert(!displays_any(folder, ADDRESS, name, sizeof(name)));
	add_connector("HDMI-A-1", "disabled");
	ck_assert(!displays_any(folder, ADDRESS, name, sizeof(name)));
	add_connector("DP-2", "enabled");
	ck_assert(displays_any(folder, ADDRESS, name, sizeof(name)));
	ck_assert_str_eq(name, "card0-DP-2");
	ck_assert(!displays_any(folder, "0000:04:00.0", name, sizeof(name)));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("selftest");
	TCase *tcase = suite_add_case(suite, "all", make_folder, remove_folder);

	tcase_add_test(tcase, new_errors_only);
	tcase_add_test(tcase, errors_of_amdgpu);
	tcase_add_test(tcase, without_a_log_nothing_is_read);
	tcase_add_test(tcase, only_a_display_that_is_on_counts);
	return suite_run(suite);
}
