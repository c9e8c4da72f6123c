/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/perf_event/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/check.h"

bool
host_is_refused(int ret)
{
	return ret == -EACCES || ret == -ENOSYS;
}

bool
host_run(struct drmperf_session *session, const char *test)
{
	struct drmperf_error *error = &counting.error;
	int ret = drmperf_session_start(session, error);

	if (host_is_refused(ret)) {
		printf("skip %s: %s\n", test, error->cause);
		drmperf_session_destroy(session);
		return false;
	}
	ck_assert_msg(!ret, "%s: %s", error->cause, error->remedy);
	return true;
}

void
host_touch_pages(size_t pages)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, pages * size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		abort();
	madvise(memory, pages * size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		((volatile char *)memory)[i * size] = 1;
	munmap(memory, pages * size);
}

void
host_check_faults(uint64_t value, size_t pages)
{
	ck_assert_uint_ge(value, pages);
	ck_assert_uint_le(value, pages + BESIDE);
}

void
host_start_child(struct child *child)
{
	if (!child_fork(child))
		return;
	if (child_hears(child))
		host_touch_pages(PAGES);
	_exit(0);
}
