/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/folder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/check.h"

void
test_folder_make(char *path)
{
	strcpy(path + strlen(path) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(path));
}

void
test_folder_remove(const char *path)
{
	char command[512];

	snprintf(command, sizeof(command), "chmod -R u+w '%s' && rm -rf '%s'",
		 path, path);
	ck_assert_int_eq(system(command), 0);
}

void
test_file_write(const char *text, const char *path, ...)
{
	char whole[512];
	va_list args;
	FILE *file;

	va_start(args, path);
	ck_assert_int_lt(vsnprintf(whole, sizeof(whole), path, args),
			 (int)sizeof(whole));
	va_end(args);
	for (char *slash = whole + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(whole, 0755);
		*slash = '/';
	}
	file = fopen(whole, "we");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}
