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
next_resolve(void *slot, const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	memcpy(slot, &function, sizeof(function));
}

struct function {
	void *slot;
	const char *name;
};

static void
resolve_all(const struct function *functions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		next_resolve(functions[i].slot, functions[i].name);
}

/* Find the functions of memory. To find one that is there allocates nothing. */
void
next_need_memory(void)
{
	static const struct function functions[] = {
		{ &next.calloc, "calloc" },
		{ &next.realloc, "realloc" },
		{ &next.memalign, "memalign" },
		{ &next.aligned_alloc, "aligned_alloc" },
		{ &next.posix_memalign, "posix_memalign" },
		/* the last one shows that all are there */
		{ &next.malloc, "malloc" },
	};

	if (!next.malloc)
		resolve_all(functions, ARRAY_SIZE(functions));
}

/*
 * umockdev's lock of what it does with a path: a child that was forked while
 * another thread held it could not open a file any more. NULL: there is none.
 */
static pthread_mutex_t *umockdev_lock;

static void
hold_umockdev(void)
{
	if (umockdev_lock)
		pthread_mutex_lock(umockdev_lock);
}

static void
release_umockdev(void)
{
	if (umockdev_lock)
		pthread_mutex_unlock(umockdev_lock);
}

static void
begin_child(void)
{
	release_umockdev();
	channel_forget();
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
	static const struct function functions[] = {
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
		{ &next.shm_open, "shm_open" },
		{ &next.shm_unlink, "shm_unlink" },
		{ &next.sem_open, "sem_open" },
		{ &next.sem_unlink, "sem_unlink" },
		{ &next.getdents64, "getdents64" },
		{ &next.readdir, "readdir" },
		{ &next.pread, "pread" },
		{ &next.flock, "flock" },
		{ &next.eventfd, "eventfd" },
		{ &next.posix_spawn, "posix_spawn" },
		{ &next.pthread_create, "pthread_create" },
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
	next_need_memory();
	resolve_all(functions, ARRAY_SIZE(functions));
	directory = secure_getenv(PROTOCOL_ENV);
	if (directory)
		channel_init(directory);
	if (channel_is_active()) {
		identity_init(directory);
		fault_init(directory);
		next_resolve(&umockdev_lock, "trap_path_lock");
		pthread_atfork(hold_umockdev, release_umockdev, begin_child);
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
