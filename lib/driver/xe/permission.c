/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * While dev.xe.observation_paranoid is 1, xe asks as perf events of whole CPUs
 * do: CAP_PERFMON, or, in newer kernels, kernel.perf_event_paranoid of 0 or
 * less (Linux 6.12 and 7.3, xe_oa.c).
 */
#include "driver/xe/permission.h"

#include <errno.h>
#include <stdio.h>

#include "base/error.h"

static int
read_number(const char *path, int fallback)
{
	FILE *file = fopen(path, "re");
	int value;

	if (!file)
		return fallback;
	if (fscanf(file, "%d", &value) != 1)
		value = fallback;
	fclose(file);
	return value;
}

int
xe_permission_explain(struct drmperf_error *error, const char *what)
{
	if (!read_number("/proc/sys/dev/xe/observation_paranoid", 1)) {
		error_set(error, -EACCES,
			  "the kernel refuses %s although "
			  "dev.xe.observation_paranoid is 0",
			  what);
		error_remedy(error, "look for a denial by SELinux or another "
				    "security module in the audit log");
		return -EACCES;
	}
	error_set(error, -EACCES,
		  "the kernel refuses %s to unprivileged processes", what);
	error_remedy(error,
		     "set sysctl dev.xe.observation_paranoid=0 as root, or "
		     "give the program CAP_PERFMON (setcap cap_perfmon=ep "
		     "PROGRAM); inside a container only the first helps");
	return -EACCES;
}
