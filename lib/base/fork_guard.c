/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/fork_guard.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

int
fork_guard_init(struct fork_guard *guard)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page;

	page = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return -ENOMEM;
	/* Linux 4.14; valgrind and others may not know it either. */
	if (madvise(page, size, MADV_WIPEONFORK)) {
		munmap(page, size);
		page = NULL;
	} else {
		*(volatile unsigned char *)page = 1;
	}
	guard->page = page;
	guard->size = size;
	guard->pid = getpid();
	return 0;
}

void
fork_guard_finish(struct fork_guard *guard)
{
	if (guard->page)
		munmap((void *)guard->page, guard->size);
	guard->page = NULL;
}

int
fork_guard_refuse(struct drmperf_error *error)
{
	error_set(error, -ECHILD,
		  "this belongs to the process that forked this one");
	error_remedy(error, "initialize the library anew in this process");
	return -ECHILD;
}
