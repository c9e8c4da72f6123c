/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/futex.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

void
futex_wait(const _Atomic uint32_t *word, uint32_t value, uint64_t ns)
{
	const struct timespec timeout = { .tv_sec = (time_t)(ns / SECOND),
					  .tv_nsec = (long)(ns % SECOND) };

	syscall(SYS_futex, word, FUTEX_WAIT, value, &timeout, NULL, 0);
}

void
futex_wake(const _Atomic uint32_t *word, int count)
{
	syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
}
