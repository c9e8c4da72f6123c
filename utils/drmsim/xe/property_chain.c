/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_oa.c, xe_eu_stall.c] */
#include "xe/property_chain.h"

#include <errno.h>

#include "kernel/call.h"
#include "xe/uapi.h"

int
sim_xe_property_chain_read(struct sim_call *call, uint64_t address,
			   const struct sim_xe_property_rules *rules,
			   void *data)
{
	struct sim_xe_extension e;
	unsigned count = 0;
	int error;

	do {
		if (count++ == rules->most)
			return -E2BIG;
		/* next, name and pad come first, and are judged first */
		error = sim_call_get(call, &e, address, 16);
		if (error)
			return error;
		if (e.pad || e.name)
			return -EINVAL;
		error = sim_call_get(call, &e, address, sizeof(e));
		if (error)
			return error;
		if (e.property == 0 || e.property >= rules->end || e.pad2)
			return -EINVAL;
		error = rules->set(data, e.property, e.value);
		if (error)
			return error;
		address = e.next;
	} while (address);
	return 0;
}
