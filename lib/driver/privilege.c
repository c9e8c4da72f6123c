/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/privilege.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

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

bool
privilege_may_count(const char *sysctl)
{
	FILE *file = fopen(sysctl, "re");
	int level;

	if (!file)
		return true;
	if (fscanf(file, "%d", &level) != 1)
		level = 0;
	fclose(file);
	return level <= 0 || privilege_has_capability();
}
