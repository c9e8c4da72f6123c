/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/runtime_status.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int
runtime_status_open(const char *sysfs)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/power/runtime_status", sysfs);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* "suspended" and "suspending": of the other states none begins with s. */
bool
runtime_status_is_asleep(int file)
{
	char state;

	return file >= 0 && pread(file, &state, 1, 0) == 1 && state == 's';
}
