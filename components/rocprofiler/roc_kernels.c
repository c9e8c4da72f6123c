/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_kernels.h"

#include <hsa/hsa_ven_amd_loader.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "roc_cxx.h"
#include "roc_hooks.h"
#include "roc_table.h"

#define BUCKETS 1024

struct kernel {
	struct kernel *next;
	uint64_t object; /* 0: it was unloaded, the name may be in use */
	char name[];
};

static struct {
	pthread_mutex_t lock;
	struct kernel *buckets[BUCKETS];
	hsa_ven_amd_loader_1_00_pfn_t loader;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct kernel **
bucket_of(uint64_t object)
{
	return &all.buckets[(object >> 6 ^ object >> 16) % BUCKETS];
}

/* Find a kernel. Caller holds the lock. */
static struct kernel *
kernel_find(uint64_t object)
{
	struct kernel *kernel = *bucket_of(object);

	while (kernel && kernel->object != object)
		kernel = kernel->next;
	return kernel;
}

static void
kernel_add(uint64_t object, const char *name)
{
	struct kernel **bucket = bucket_of(object);
	const size_t size = strlen(name) + 1;
	struct kernel *kernel = malloc(sizeof(*kernel) + size);

	if (!kernel)
		return;
	kernel->object = object;
	memcpy(kernel->name, name, size);
	pthread_mutex_lock(&all.lock);
	kernel->next = *bucket;
	*bucket = kernel;
	pthread_mutex_unlock(&all.lock);
}

static void
kernel_load(uint64_t object, const char *symbol)
{
	char *name = roc_cxx_demangle(symbol);

	kernel_add(object, name ? name : symbol);
	roc_hooks_report_kernel(object, roc_kernel_name(object));
	free(name);
}

static void
kernel_unload(uint64_t object)
{
	struct kernel *kernel;

	pthread_mutex_lock(&all.lock);
	kernel = kernel_find(object);
	if (kernel)
		kernel->object = 0;
	pthread_mutex_unlock(&all.lock);
	roc_hooks_report_kernel(object, NULL);
}

/* ------------------------------------------------------------------ */
/* Code that HSA loads                                                  */

static void
load_symbol(hsa_executable_symbol_t symbol, uint64_t object)
{
	uint32_t length = 0;
	char *name;

	if (hsa_executable_symbol_get_info(
		    symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &length))
		return;
	name = calloc(1, length + 1ul);
	if (name && !hsa_executable_symbol_get_info(
			    symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name))
		kernel_load(object, name);
	free(name);
}

/* Note or forget a kernel; data points to whether it is unloaded. */
static hsa_status_t
visit_symbol(hsa_executable_t executable, hsa_executable_symbol_t symbol,
	     void *data)
{
	const bool *is_unloaded = data;
	hsa_symbol_kind_t kind;
	uint64_t object;

	(void)executable;
	if (hsa_executable_symbol_get_info(
		    symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind) ||
	    kind != HSA_SYMBOL_KIND_KERNEL ||
	    hsa_executable_symbol_get_info(
		    symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object))
		return HSA_STATUS_SUCCESS;
	if (*is_unloaded)
		kernel_unload(object);
	else
		load_symbol(symbol, object);
	return HSA_STATUS_SUCCESS;
}

static void
executable_look(hsa_executable_t executable, bool is_unloaded)
{
	hsa_executable_iterate_symbols(executable, visit_symbol, &is_unloaded);
}

static hsa_status_t
executable_freeze(hsa_executable_t executable, const char *options)
{
	const hsa_status_t status =
		ROC_ORIGINAL(hsa_executable_freeze,
			     ROC_EXECUTABLE_FREEZE)(executable, options);

	if (status == HSA_STATUS_SUCCESS)
		executable_look(executable, false);
	return status;
}

static hsa_status_t
executable_destroy(hsa_executable_t executable)
{
	executable_look(executable, true);
	return ROC_ORIGINAL(hsa_executable_destroy,
			    ROC_EXECUTABLE_DESTROY)(executable);
}

/* ------------------------------------------------------------------ */

void
roc_kernels_begin(void)
{
	/* an older HSA fills in as much as it has */
	memset(&all.loader, 0, sizeof(all.loader));
	hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1,
					     sizeof(all.loader), &all.loader);
	roc_table_replace(ROC_EXECUTABLE_FREEZE,
			  (roc_function)executable_freeze);
	roc_table_replace(ROC_EXECUTABLE_DESTROY,
			  (roc_function)executable_destroy);
}

const char *
roc_kernel_name(uint64_t object)
{
	const struct kernel *kernel;

	pthread_mutex_lock(&all.lock);
	kernel = kernel_find(object);
	pthread_mutex_unlock(&all.lock);
	return kernel ? kernel->name : "";
}

const amd_kernel_code_t *
roc_kernel_code(uint64_t object)
{
	const void *there = (const void *)(uintptr_t)object, *here = NULL;

	if (!all.loader.hsa_ven_amd_loader_query_host_address ||
	    all.loader.hsa_ven_amd_loader_query_host_address(there, &here))
		here = there;
	return here;
}

void
roc_kernels_end(void)
{
	for (unsigned i = 0; i < BUCKETS; i++) {
		while (all.buckets[i]) {
			struct kernel *kernel = all.buckets[i];

			all.buckets[i] = kernel->next;
			free(kernel);
		}
	}
}
