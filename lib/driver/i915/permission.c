/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/permission.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "driver/privilege.h"

uint64_t
permission_sysctl(const char *name, uint64_t fallback)
{
	uint64_t value;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/sys/dev/i915/%s", name);
	file = fopen(path, "re");
	if (!file)
		return fallback;
	if (fscanf(file, "%" SCNu64, &value) != 1)
		value = fallback;
	fclose(file);
	return value;
}

int
permission_explain(struct drmperf_error *error, const char *what)
{
	if (!permission_sysctl("perf_stream_paranoid", 1)) {
		error_set(error, -EACCES,
			  "the kernel refuses %s although "
			  "dev.i915.perf_stream_paranoid is 0",
			  what);
		error_remedy(error, "look for a denial by SELinux or another "
				    "security module in the audit log");
	} else if (privilege_has_capability()) {
		error_set(error, -EACCES,
			  "the kernel refuses %s although /proc/self/status "
			  "lists CAP_PERFMON or CAP_SYS_ADMIN",
			  what);
		error_remedy(error,
			     "a capability inside a container does not count: "
			     "set sysctl dev.i915.perf_stream_paranoid=0 on "
			     "the host; or look for a denial by a security "
			     "module in the audit log");
	} else {
		error_set(error, -EACCES,
			  "the kernel refuses %s to "
			  "unprivileged processes",
			  what);
		error_remedy(error,
			     "set sysctl dev.i915.perf_stream_paranoid=0 as "
			     "root, or give the program CAP_PERFMON (setcap "
			     "cap_perfmon=ep PROGRAM)");
	}
	return -EACCES;
}
