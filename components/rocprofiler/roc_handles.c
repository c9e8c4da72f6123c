/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_handles.h"

#include <errno.h>
#include <pthread.h>
#include <search.h>

static const char *const names[] = {
	[ROC_CONTEXT] = "context",
	[ROC_POOL] = "pool",
};

/* A tree of tsearch(3) of each kind. */
static struct {
	pthread_mutex_t lock;
	void *trees[ROC_HANDLE_KINDS];
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int
compare_handles(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

int
roc_handle_add(enum roc_handle_kind kind, const void *handle)
{
	const void *added;

	pthread_mutex_lock(&all.lock);
	added = tsearch(handle, &all.trees[kind], compare_handles);
	pthread_mutex_unlock(&all.lock);
	return added ? 0 : -ENOMEM;
}

bool
roc_handle_remove(enum roc_handle_kind kind, const void *handle)
{
	const void *removed;

	pthread_mutex_lock(&all.lock);
	removed = tdelete(handle, &all.trees[kind], compare_handles);
	pthread_mutex_unlock(&all.lock);
	return removed;
}

int
roc_handle_check(enum roc_handle_kind kind, const void *handle,
		 struct drmperf_error *error)
{
	const void *found;

	if (!handle)
		return fe_fail(error, -EINVAL, "", "%s is NULL", names[kind]);
	pthread_mutex_lock(&all.lock);
	found = tfind(handle, &all.trees[kind], compare_handles);
	pthread_mutex_unlock(&all.lock);
	return found ? 0
		     : fe_fail(error, -EINVAL, "",
			       "this %s is not open, or no longer",
			       names[kind]);
}

void
roc_handles_hold(void)
{
	pthread_mutex_lock(&all.lock);
}

void
roc_handles_let_go(void)
{
	pthread_mutex_unlock(&all.lock);
}
