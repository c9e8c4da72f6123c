/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/privilege.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/file.h"

/* Linux include/uapi/linux/capability.h; CAP_PERFMON since Linux 5.8 */
#define CAPABILITY_SYS_ADMIN 21
#define CAPABILITY_PERFMON 38

bool
privilege_has_capability(void)
{
	const uint64_t wanted = UINT64_C(1) << CAPABILITY_SYS_ADMIN |
				UINT64_C(1) << CAPABILITY_PERFMON;
	uint64_t capabilities = 0;
	char line[256];
	FILE *file;

	file = fopen("/proc/self/status", "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "CapEff: %" SCNx64, &capabilities) == 1)
			break;
	}
	fclose(file);
	return capabilities & wanted;
}

int64_t
sysctl_read(const char *file, int64_t fallback)
{
	uint64_t value;

	return number_file_read("/proc/sys", file, &value) ? fallback
							   : (int64_t)value;
}

bool
privilege_may_count(const char *sysctl)
{
	return sysctl_read(sysctl, 0) <= 0 || privilege_has_capability();
}

/*
 * Return whether the process is in another user namespace than the machine's
 * first, where its capabilities do not count for counters. The first one maps
 * all ids to themselves (user_namespaces(7)).
 */
static bool
is_in_user_namespace(void)
{
	FILE *file = fopen("/proc/self/uid_map", "re");
	unsigned long inside, outside, count;
	bool is_first;

	if (!file)
		return false;
	is_first = fscanf(file, "%lu %lu %lu", &inside, &outside, &count) ==
			   3 &&
		   !inside && !outside && count == UINT32_MAX;
	fclose(file);
	return !is_first;
}

int
privilege_explain(struct drmperf_error *error, const char *what,
		  const char *driver, const char *sysctl)
{
	const bool has_capability = privilege_has_capability();
	char path[128];

	snprintf(path, sizeof(path), "dev/%s/%s", driver, sysctl);
	error_set(error, -EACCES, "the kernel refuses %s to %s", what,
		  has_capability ? "this process" : "unprivileged processes");
	if (sysctl_read(path, 1) <= 0)
		error_remedy(error,
			     "dev.%s.%s allows it: look for a denial by "
			     "SELinux or another security module in the audit "
			     "log",
			     driver, sysctl);
	else if (is_in_user_namespace())
		error_remedy(error,
			     "set sysctl dev.%s.%s=0 as root of the machine: "
			     "capabilities in a user namespace, as of a "
			     "rootless container, do not count",
			     driver, sysctl);
	else if (has_capability)
		error_remedy(error,
			     "look for a denial by a security module in the "
			     "audit log, or set sysctl dev.%s.%s=0 as root",
			     driver, sysctl);
	else
		error_remedy(error,
			     "set sysctl dev.%s.%s=0 as root, or give the "
			     "program CAP_PERFMON (setcap cap_perfmon=ep "
			     "PROGRAM; a container: --cap-add PERFMON)",
			     driver, sysctl);
	return -EACCES;
}
