/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/perf_event/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "driver/perf_event/pmu.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

static char root[] = "/tmp/drmperf-pmu-XXXXXX";

const char *
sysfs_root(void)
{
	return root;
}

void
sysfs_make(void)
{
	test_folder_make(root);
}

void
sysfs_remove(void)
{
	test_folder_remove(root);
}

void
sysfs_put(const char *file, const char *text)
{
	char path[400];
	FILE *out;

	snprintf(path, sizeof(path), "%s" PMU_FOLDERS "/%s", root, file);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	out = fopen(path, "we");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}
