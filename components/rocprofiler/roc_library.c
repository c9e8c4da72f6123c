/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_library.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "roc_error.h"
#include "roc_handles.h"

/* State opened by a process, or by a child that it forked. */
struct opened {
	struct opened *parents; /* contexts and strings of the parent's stay */
	pid_t owner;
	struct drmperf *drmperf;
	struct roc_list *lists[]; /* by the device's index; NULL: none yet */
};

static struct {
	pthread_mutex_t lock;
	bool has_fork_handler;
	struct opened *opened;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Renew the lock in a child, since another thread may have had it. */
static void
begin_child(void)
{
	roc_handles_let_go();
	pthread_mutex_init(&all.lock, NULL);
}

static int
handle_forks(struct drmperf_error *error)
{
	int rc = all.has_fork_handler
			 ? 0
			 : pthread_atfork(roc_handles_hold, roc_handles_let_go,
					  begin_child);

	if (rc)
		return fe_fail(error, -rc, "", "pthread_atfork: %s",
			       strerror(rc));
	all.has_fork_handler = true;
	return 0;
}

static int
open_drmperf(struct drmperf_error *error)
{
	struct drmperf *drmperf;
	struct opened *opened;
	int rc = handle_forks(error);

	if (!rc)
		rc = fe_drmperf_create(ROC_LIBRARY, &drmperf, error);
	if (rc)
		return rc;
	opened = calloc(1, sizeof(*opened) + drmperf_device_count(drmperf) *
						     sizeof(*opened->lists));
	if (!opened) {
		drmperf_destroy(drmperf);
		return fe_fail_memory(error);
	}
	opened->parents = all.opened;
	opened->owner = getpid();
	opened->drmperf = drmperf;
	all.opened = opened;
	return 0;
}

int
roc_library_open(struct drmperf **out, struct drmperf_error *error)
{
	int rc = 0;

	pthread_mutex_lock(&all.lock);
	if (!all.opened || all.opened->owner != getpid())
		rc = open_drmperf(error);
	if (!rc)
		*out = all.opened->drmperf;
	pthread_mutex_unlock(&all.lock);
	return rc;
}

int
roc_library_list(struct drmperf_device *device, const struct roc_list **out,
		 struct drmperf_error *error)
{
	struct roc_list **list;
	int rc = 0;

	pthread_mutex_lock(&all.lock);
	list = &all.opened->lists[drmperf_device_index(device)];
	if (!*list)
		rc = roc_list_create(all.opened->drmperf, device, list, error);
	if (!rc)
		*out = *list;
	pthread_mutex_unlock(&all.lock);
	return rc;
}

/* Stop all GPUs: the process ends. Strings may still be in use. */
__attribute__((destructor)) static void
library_end(void)
{
	if (all.opened && all.opened->owner == getpid())
		drmperf_stop_all(all.opened->drmperf, NULL);
}
