/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/perf_event/sysfs.h"

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
	test_file_write(text, "%s" PMU_FOLDERS "/%s", root, file);
}
