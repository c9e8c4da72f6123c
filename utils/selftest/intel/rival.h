/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that opens a stream of OA reports as other tools do: it asks the
 * kernel, and knows nothing of what processes of drmperf's share.
 */
#ifndef DRMPERF_SELFTEST_INTEL_RIVAL_H
#define DRMPERF_SELFTEST_INTEL_RIVAL_H

#include <sys/types.h>

struct rival {
	pid_t pid;
	int hold; /* it keeps the stream until this is closed */
};

/*
 * Start the rival. Returns 0 if it has a stream, or -errno, why it has none; it
 * has ended then.
 */
int
rival_start(struct rival *rival, const char *driver, const char *address);
void
rival_stop(struct rival *rival);

#endif /* DRMPERF_SELFTEST_INTEL_RIVAL_H */
