/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/fault.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/channel.h"
#include "preload/raw.h"

/* NULL: there is no machine. */
static struct protocol_outside *outside;

void
fault_init(const char *directory)
{
	long fd = raw_open_in(directory, PROTOCOL_OUTSIDE, O_RDWR);
	long page;

	if (fd < 0)
		return;
	page = raw_syscall(SYS_mmap, 0, sizeof(*outside),
			   PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	if (page > 0 || page < -4095)
		outside = (struct protocol_outside *)page;
}

/* Return whether a fault strikes. The server is troubled only where one may. */
bool
fault_strikes(enum protocol_outside_kind kind)
{
	struct protocol_request request = { .kind = PROTOCOL_FAULT, .a = kind };

	if (!outside || !outside->kinds[kind].ask_from)
		return false;
	request.b = atomic_fetch_add(&outside->kinds[kind].calls, 1) + 1;
	return request.b >= outside->kinds[kind].ask_from &&
	       raw_result(channel_call(&request, NULL, NULL, NULL)) < 0;
}
