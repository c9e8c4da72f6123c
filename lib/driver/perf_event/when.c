/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/perf_event/when.h"

uint64_t
perf_when(struct perf_when *when, uint64_t begin_ns, uint64_t end_ns,
	  uint64_t kernel_ns)
{
	/* differences, for either may be the greater one */
	uint64_t length = end_ns - begin_ns;
	int64_t since = (int64_t)(kernel_ns + when->ahead_ns - begin_ns);

	if (!when->known)
		since = (int64_t)(length / 2);
	else if (since < 0)
		since = 0;
	else if ((uint64_t)since > length)
		since = (int64_t)length;
	when->known = true;
	when->ahead_ns = begin_ns + (uint64_t)since - kernel_ns;
	return begin_ns + (uint64_t)since;
}
