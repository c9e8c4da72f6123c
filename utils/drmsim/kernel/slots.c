/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel/slots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
sim_slots_add(struct sim_slots *slots, void *object, uint32_t *handle)
{
	uint32_t i;

	for (i = 0; i < slots->room && slots->at[i]; i++)
		;
	if (i == slots->room) {
		uint32_t more = i ? i * 2 : 16;
		void **grown = realloc(slots->at, more * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		memset(grown + i, 0, (more - i) * sizeof(*grown));
		slots->at = grown;
		slots->room = more;
	}
	slots->at[i] = object;
	*handle = i + 1;
	return 0;
}

void *
sim_slots_get(const struct sim_slots *slots, uint32_t handle)
{
	return handle && handle <= slots->room ? slots->at[handle - 1] : NULL;
}

void *
sim_slots_remove(struct sim_slots *slots, uint32_t handle)
{
	void *object = sim_slots_get(slots, handle);

	if (object)
		slots->at[handle - 1] = NULL;
	return object;
}

void
sim_slots_free(struct sim_slots *slots)
{
	free(slots->at);
}
