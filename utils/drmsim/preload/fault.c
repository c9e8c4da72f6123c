/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/fault.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/protocol.h"
#include "preload/channel.h"
#include "preload/raw.h"

/* PROTOCOL_FAULTS; "": there is no machine. */
static char mark[128];

void
fault_init(const char *directory)
{
	if (strlen(directory) + 2 + strlen(PROTOCOL_FAULTS) > sizeof(mark))
		return;
	strcpy(mark, directory);
	strcat(mark, "/" PROTOCOL_FAULTS);
}

/* The server is troubled only where such a fault was asked for. */
bool
fault_strikes(const char *kind)
{
	struct protocol_request request = { .kind = PROTOCOL_FILE };

	return *mark &&
	       !raw_syscall(SYS_faccessat, AT_FDCWD, (long)mark, F_OK, 0, 0,
			    0) &&
	       raw_result(channel_call(&request, kind, NULL, NULL)) < 0;
}
