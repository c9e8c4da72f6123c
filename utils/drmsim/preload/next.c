/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/next.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/protocol.h"
#include "preload/channel.h"
#include "preload/fault.h"
#include "preload/identity.h"

struct next next;

static void
resolve(void *slot, const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	memcpy(slot, &function, sizeof(function));
}

enum {
	ASLEEP,
	STARTING,
	AWAKE
};
static atomic_int state;

void
next_need(void)
{
	static const struct {
		void *slot;
		const char *name;
	} functions[] = {
		{ &next.open, "open" },
		{ &next.openat, "openat" },
		{ &next.ioctl, "ioctl" },
		{ &next.read, "read" },
		{ &next.fcntl, "fcntl" },
		{ &next.fstat, "fstat" },
		{ &next.fxstat, "__fxstat" },
		{ &next.statx, "statx" },
		{ &next.access, "access" },
		{ &next.faccessat, "faccessat" },
		{ &next.eaccess, "eaccess" },
		{ &next.fstatat, "fstatat" },
		{ &next.stat, "stat" },
		{ &next.lstat, "lstat" },
		{ &next.fopen, "fopen" },
		{ &next.opendir, "opendir" },
		{ &next.getdents64, "getdents64" },
		{ &next.setuid, "setuid" },
		{ &next.seteuid, "seteuid" },
		{ &next.setreuid, "setreuid" },
		{ &next.setresuid, "setresuid" },
	};
	const char *directory;
	int expected = ASLEEP;

	if (state == AWAKE ||
	    !atomic_compare_exchange_strong(&state, &expected, STARTING))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		resolve(functions[i].slot, functions[i].name);
	directory = secure_getenv(PROTOCOL_ENV);
	if (directory)
		channel_init(directory);
	if (channel_is_active()) {
		identity_init(directory);
		fault_init(directory);
		pthread_atfork(NULL, NULL, channel_forget);
	}
	state = AWAKE;
}

__attribute__((constructor)) static void
on_start(void)
{
	next_need();
}

__attribute__((destructor)) static void
on_end(void)
{
	channel_exit();
}
