/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/folder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"

char test_folder[] = "/tmp/drmperf-test-XXXXXX";

void
test_folder_make(void)
{
	strcpy(test_folder + sizeof(test_folder) - sizeof("XXXXXX"), "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(test_folder));
}

void
test_folder_remove(void)
{
	char command[100];

	snprintf(command, sizeof(command), "chmod -R u+w '%s' && rm -rf '%s'",
		 test_folder, test_folder);
	ck_assert_int_eq(system(command), 0);
}

/* Compose a path, and make the folders in it. */
__attribute__((format(printf, 2, 0))) static void
make_path(char path[512], const char *format, va_list args)
{
	ck_assert_int_lt(vsnprintf(path, 512, format, args), 512);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

void
test_file_write(const char *text, const char *path, ...)
{
	char whole[512];
	va_list args;
	FILE *file;

	va_start(args, path);
	make_path(whole, path, args);
	va_end(args);
	file = fopen(whole, "we");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

void
test_link_make(const char *target, const char *path, ...)
{
	char whole[512];
	va_list args;

	va_start(args, path);
	make_path(whole, path, args);
	va_end(args);
	ck_assert_int_eq(symlink(target, whole), 0);
}
