/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/sysfs.h"

#include <stddef.h>
#include <string.h>

#include "base/protocol.h"
#include "preload/channel.h"

/* The topology depends on the compute partitions of GPUs. */
static const char *const folders[] = {
	"/sys/class/kfd/",
	"/sys/devices/virtual/kfd/",
};

void
sysfs_refresh(const char *path)
{
	struct protocol_request request = { .kind = PROTOCOL_REFRESH };

	if (!channel_is_active() || !path)
		return;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			channel_call(&request, NULL, NULL, NULL);
}
