/* SPDX-License-Identifier: BSD-3-Clause */
#include "marker_next.h"

#include <dlfcn.h>

void *
marker_next_find(struct marker_next *next)
{
	if (!atomic_load(&next->is_known)) {
		atomic_store(&next->function, dlsym(RTLD_NEXT, next->name));
		atomic_store(&next->is_known, true);
	}
	return atomic_load(&next->function);
}
