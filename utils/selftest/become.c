/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/become.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

void
become_worker(const char *node, const char *option)
{
	char path[PATH_MAX], work_for[64];
	ssize_t length;

	snprintf(work_for, sizeof(work_for), "--" WORK_OPTION "=%s", node);
	/* Its name is of no use where another program runs it, as valgrind. */
	length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (length > 0) {
		path[length] = '\0';
		/* Tables of events are looked for from there. */
		execl(path, path, work_for, option, (char *)NULL);
	}
	_exit(127);
}
