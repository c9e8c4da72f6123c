/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_hooks.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "roc_table.h"

static struct {
	pthread_mutex_t lock;
	rocprofiler_hsa_callback_fun_t ksymbol;
	void *data;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Remove a callback that has failed, so that it is not called again. */
static void
ksymbol_remove(rocprofiler_hsa_callback_fun_t callback)
{
	pthread_mutex_lock(&all.lock);
	if (all.ksymbol == callback)
		all.ksymbol = NULL;
	pthread_mutex_unlock(&all.lock);
}

void
roc_hooks_report_kernel(uint64_t object, const char *name)
{
	rocprofiler_hsa_callback_data_t about = { 0 };
	rocprofiler_hsa_callback_fun_t callback;
	char *copy = NULL;
	void *data;

	pthread_mutex_lock(&all.lock);
	callback = all.ksymbol;
	data = all.data;
	pthread_mutex_unlock(&all.lock);
	if (!callback)
		return;
	if (name) {
		copy = strdup(name);
		if (!copy)
			return;
		about.ksymbol.name_length = (uint32_t)strlen(copy);
	}
	about.ksymbol.object = object;
	about.ksymbol.name = copy; /* the callback's to free */
	about.ksymbol.unload = !name;
	if (callback(ROCPROFILER_HSA_CB_ID_KSYMBOL, &about, data))
		ksymbol_remove(callback);
}

int
roc_hooks_set(const rocprofiler_hsa_callbacks_t *callbacks, void *data,
	      struct drmperf_error *error)
{
	if (callbacks->allocate || callbacks->device || callbacks->memcopy ||
	    callbacks->submit || callbacks->codeobj)
		return fe_fail(error, -ENOTSUP,
			       "set the callback ksymbol alone",
			       "memory, copies, packets and code objects of "
			       "HSA are not reported");
	if (!roc_table_is_taken())
		return fe_fail(error, -ENOTSUP,
			       "have HSA load this library, by HSA_TOOLS_LIB",
			       "calls to HSA are not reported");
	pthread_mutex_lock(&all.lock);
	all.ksymbol = callbacks->ksymbol;
	all.data = data;
	pthread_mutex_unlock(&all.lock);
	return 0;
}

void
roc_hooks_end(void)
{
	pthread_mutex_lock(&all.lock);
	all.ksymbol = NULL;
	pthread_mutex_unlock(&all.lock);
}
