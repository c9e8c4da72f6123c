/* SPDX-License-Identifier: BSD-3-Clause */
#include "kd_common.h"

#include <time.h>

uint64_t
kd_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
