/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
