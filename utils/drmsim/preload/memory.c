/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Refusal of memory. All allocations of the process come through here, those of
 * the C library itself included; the next allocator provides the memory.
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "preload/fault.h"
#include "preload/next.h"

/*
 * Return whether an allocation is refused. The dynamic linker allocates before
 * the simulator's library is set up.
 */
static bool
is_refused(void)
{
	next_need_memory();
	return fault_strikes(PROTOCOL_OUTSIDE_MALLOC);
}

EXPORT void *
malloc(size_t size)
{
	return is_refused() ? NULL : next.malloc(size);
}

EXPORT void *
calloc(size_t count, size_t size)
{
	return is_refused() ? NULL : next.calloc(count, size);
}

EXPORT void *
realloc(void *memory, size_t size)
{
	return is_refused() ? NULL : next.realloc(memory, size);
}

EXPORT void *
memalign(size_t alignment, size_t size)
{
	return is_refused() ? NULL : next.memalign(alignment, size);
}

EXPORT void *
aligned_alloc(size_t alignment, size_t size)
{
	return is_refused() ? NULL : next.aligned_alloc(alignment, size);
}

EXPORT int
posix_memalign(void **memory, size_t alignment, size_t size)
{
	int saved = errno;

	if (!is_refused())
		return next.posix_memalign(memory, alignment, size);
	errno = saved;
	return ENOMEM;
}
