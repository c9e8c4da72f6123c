/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/perf_event/sysfs.h"

#include "driver/perf_event/pmu.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

void
sysfs_put(const char *file, const char *text)
{
	test_file_write(text, "%s" PMU_FOLDERS "/%s", test_folder, file);
}
