/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file of what a self-test has found: what is believed of it, and that it
 * can neither hang its readers nor lead its writer astray.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/results/results.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

#define KEY "amdgpu-687f-c1-186-472"

static char path[128];

static void
make_folder(void)
{
	test_folder_make();
	snprintf(path, sizeof(path), "%s/" KEY, test_folder);
}

TEST_CASE(file, make_folder, test_folder_remove, "tested");

static void
put_file(const char *name, const char *text, size_t size)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(text, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(chmod(name, 0600), 0);
}

static void
put_results(const char *text)
{
	put_file(path, text, strlen(text));
}

/* ---- what the text says */

static const struct {
	const char *text;
	int ret;
	enum result verdict; /* of "nop" */
} texts[] = {
	{ "GPU " KEY "\nPASS nop\n", 0, RESULT_PASS },
	{ "# a comment\nGPU " KEY "\n\nPASS nop", 0, RESULT_PASS },
	{ "PASS nop\nGPU " KEY "\n", 0, RESULT_PASS },
	{ "GPU " KEY "\nFAIL nop\n", 0, RESULT_FAIL },
	{ "GPU " KEY "\nNO nop\n", 0, RESULT_NO },
	{ "GPU " KEY "\nHANG nop\n", 0, RESULT_HANG },
	{ "GPU " KEY "\nUNKNOWN nop\n", 0, RESULT_UNKNOWN },
	{ "GPU " KEY "\nPASS nop\nFAIL nop\n", 0, RESULT_FAIL },
	{ "GPU " KEY "\nMAYBE nop\nPASS\nPASS other\n", 0, RESULT_NEVER },
	{ "GPU " KEY "\n", 0, RESULT_NEVER },
	/* nothing says of which GPUs; others; a simulated one */
	{ "", -ESTALE, RESULT_NEVER },
	{ "PASS nop\n", -ESTALE, RESULT_NEVER },
	{ "GPU amdgpu-687f-c3-186-472\nPASS nop\n", -ESTALE, RESULT_NEVER },
	{ "GPU " KEY "-drmsim\nPASS nop\n", -ESTALE, RESULT_NEVER },
};

TEST_LOOP(file, texts_are_read, ARRAY_SIZE(texts))
{
	struct drmperf_error error = { .cause = "" };
	struct selftest_results results;

	put_results(texts[_i].text);
	ck_assert_int_eq(results_read(&results, path, &error), texts[_i].ret);
	ck_assert_int_eq(results_find(&results, "nop"), texts[_i].verdict);
	if (texts[_i].ret)
		ck_assert_msg(strstr(error.cause, path), "%s", error.cause);
	results_finish(&results);
}

TEST(file, no_file_is_no_results)
{
	struct drmperf_error error;
	struct selftest_results results;

	ck_assert_int_eq(results_read(&results, path, &error), 0);
	ck_assert_int_eq(results_find(&results, "nop"), RESULT_NEVER);
	/* nor is what lies behind a file */
	put_results("");
	strcat(path, "/" KEY);
	ck_assert_int_eq(results_read(&results, path, &error), 0);
	ck_assert_int_eq(results_find(&results, "nop"), RESULT_NEVER);
}

/* ---- what is no file of ours: none of it is waited for */

static void
make_fifo(void)
{
	ck_assert_int_eq(mkfifo(path, 0600), 0);
}

static void
link_device(void)
{
	ck_assert_int_eq(symlink("/dev/zero", path), 0);
}

static void
make_folder_there(void)
{
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void
let_others_write(void)
{
	put_results("GPU " KEY "\nPASS nop\n");
	ck_assert_int_eq(chmod(path, 0602), 0);
}

static void
let_group_write(void)
{
	put_results("GPU " KEY "\nPASS nop\n");
	ck_assert_int_eq(chmod(path, 0620), 0);
}

static void
put_too_much(void)
{
	static char text[RESULT_MAX_SIZE + 1];

	memset(text, '\n', sizeof(text));
	put_file(path, text, sizeof(text));
}

static const struct {
	void (*make)(void);
	int ret;
} oddities[] = {
	{ make_fifo, -EINVAL },		{ link_device, -EINVAL },
	{ make_folder_there, -EINVAL }, { let_others_write, -EPERM },
	{ let_group_write, -EPERM },	{ put_too_much, -EFBIG },
};

TEST_LOOP(file, oddities_are_refused_at_once, ARRAY_SIZE(oddities))
{
	struct drmperf_error error = { .cause = "" };
	struct selftest_results results;

	oddities[_i].make();
	ck_assert_int_eq(results_read(&results, path, &error),
			 oddities[_i].ret);
	ck_assert_uint_eq(results.count, 0);
	ck_assert_msg(strstr(error.cause, path), "%s", error.cause);
}

TEST(file, files_of_other_users_are_refused)
{
	struct drmperf_error error = { .cause = "" };
	struct selftest_results results;

	if (geteuid()) {
		puts("skip: only root can give files to other users");
		return;
	}
	put_results("GPU " KEY "\nPASS nop\n");
	ck_assert_int_eq(chown(path, 65534, 65534), 0);
	ck_assert_int_eq(results_read(&results, path, &error), -EPERM);
	ck_assert_msg(strstr(error.cause, "another user"), "%s", error.cause);
}

/* All checks that fit are read one after another, and found. */
TEST(file, many_checks_are_read)
{
	struct drmperf_error error;
	struct selftest_results results;
	char text[RESULT_MAX_SIZE];
	size_t length, count = 0;

	length = (size_t)snprintf(text, sizeof(text), "GPU " KEY "\n");
	while (length + 16 < sizeof(text))
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "PASS c%zu\n", count++);
	put_file(path, text, length);
	ck_assert_int_eq(results_read(&results, path, &error), 0);
	ck_assert_uint_eq(results.count, count);
	ck_assert_int_eq(results_find(&results, "c0"), RESULT_PASS);
	results_finish(&results);
}

/* ---- writing */

static void
write_one(int expected, struct drmperf_error *error)
{
	struct selftest_results results = { .count = 0 };

	ck_assert_int_eq(results_set(&results, "nop", RESULT_NO), 0);
	ck_assert_int_eq(results_write(&results, path, error), expected);
	results_finish(&results);
}

TEST(file, results_are_kept_for_their_owner)
{
	struct drmperf_error error;
	struct selftest_results results;
	struct stat status;

	umask(0);
	snprintf(path, sizeof(path), "%s/a/b/" KEY, test_folder);
	for (int i = 0; i < 2; i++) {
		write_one(0, &error);
		ck_assert_int_eq(stat(path, &status), 0);
		ck_assert_int_eq(status.st_mode & 07777, 0600);
		ck_assert_int_eq(results_read(&results, path, &error), 0);
		ck_assert_int_eq(results_find(&results, "nop"), RESULT_NO);
		results_finish(&results);
	}
}

/* A link in the way of the file, of its draft, or in place of the folder. */
TEST(file, nothing_is_written_through_links)
{
	struct drmperf_error error = { .cause = "" };
	char victim[128], draft[160];
	struct stat status;

	snprintf(victim, sizeof(victim), "%s/victim", test_folder);
	put_file(victim, "", 0);
	ck_assert_int_eq(symlink(victim, path), 0);
	snprintf(draft, sizeof(draft), "%s.%d", path, (int)getpid());
	ck_assert_int_eq(symlink(victim, draft), 0);
	write_one(0, &error);
	ck_assert_int_eq(stat(victim, &status), 0);
	ck_assert_int_eq(status.st_size, 0);
	ck_assert_int_eq(lstat(path, &status), 0);
	ck_assert(S_ISREG(status.st_mode));

	snprintf(victim, sizeof(victim), "%s/link", test_folder);
	ck_assert_int_eq(symlink(test_folder, victim), 0);
	snprintf(path, sizeof(path), "%s/link/" KEY, test_folder);
	write_one(-ENOTDIR, &error);
	ck_assert_msg(strstr(error.cause, "link"), "%s", error.cause);
}

TEST(file, folders_of_others_are_refused)
{
	struct drmperf_error error = { .cause = "" };

	ck_assert_int_eq(chmod(test_folder, 0777), 0);
	write_one(-EPERM, &error);
	ck_assert_msg(strstr(error.cause, test_folder), "%s", error.cause);
	ck_assert_int_eq(chmod(test_folder, 0700), 0);
	if (geteuid()) {
		puts("skip: only root can give folders to other users");
		return;
	}
	ck_assert_int_eq(chown(test_folder, 65534, 65534), 0);
	write_one(-EPERM, &error);
	ck_assert_msg(strstr(error.cause, "another user"), "%s", error.cause);
}

/* ---- keys */

TEST(file, simulated_gpus_have_keys_of_their_own)
{
	char key[RESULT_KEY_SIZE], mark[128];

	results_key(key, test_folder, "xe-%04x", 0xe20bu);
	ck_assert_str_eq(key, "xe-e20b");
	snprintf(mark, sizeof(mark), "%s/drmsim", test_folder);
	put_file(mark, "", 0);
	results_key(key, test_folder, "xe-%04x", 0xe20bu);
	ck_assert_str_eq(key, "xe-e20b-drmsim");
	results_key(key, "", "xe-%04x", 0xe20bu);
	ck_assert_str_eq(key, "xe-e20b");
}

static const struct {
	enum result verdict;
	bool failed;
} verdicts[] = {
	{ RESULT_NEVER, false },   { RESULT_PASS, false },
	{ RESULT_UNKNOWN, false }, { RESULT_FAIL, true },
	{ RESULT_NO, true },	   { RESULT_HANG, true },
};

TEST_LOOP(file, an_answer_is_obeyed_as_a_fault_is, ARRAY_SIZE(verdicts))
{
	ck_assert_int_eq(results_has_failed(verdicts[_i].verdict),
			 verdicts[_i].failed);
}
