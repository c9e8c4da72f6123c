/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libdrmperf's state of the process, which is asked for commands of queues and
 * never counts.
 */
#include <pthread.h>
#include <unistd.h>

#include "roc_library.h"

static struct {
	pthread_mutex_t lock;
	pid_t owner;
	struct drmperf *drmperf;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/*
 * Open the library. HSA does not outlive a fork(): a child that begins it gets
 * another state.
 */
int
roc_library_open(struct drmperf **out, struct drmperf_error *error)
{
	int rc = 0;

	pthread_mutex_lock(&all.lock);
	if (!all.drmperf || all.owner != getpid()) {
		drmperf_destroy(all.drmperf);
		all.drmperf = NULL;
		rc = fe_drmperf_create("libdrmperf-hsa", &all.drmperf, error);
		all.owner = getpid();
	}
	if (!rc)
		*out = all.drmperf;
	pthread_mutex_unlock(&all.lock);
	return rc;
}
