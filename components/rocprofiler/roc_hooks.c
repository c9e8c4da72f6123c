/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_hooks.h"

#include <errno.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "roc_table.h"

#define KINDS (ROCPROFILER_HSA_CB_ID_CODEOBJ + 1)

static struct {
	pthread_mutex_t lock;
	rocprofiler_hsa_callback_fun_t callbacks[KINDS];
	void *data;
	hsa_ven_amd_loader_1_01_pfn_t loader;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* A callback's own calls of HSA are not passed on. */
static _Thread_local bool is_telling;

static bool
is_wanted(rocprofiler_hsa_cb_id_t id)
{
	bool wanted;

	if (is_telling)
		return false;
	pthread_mutex_lock(&all.lock);
	wanted = all.callbacks[id] != NULL;
	pthread_mutex_unlock(&all.lock);
	return wanted;
}

/* One that fails is not called again. False: there is none to be called. */
static bool
hooks_call(rocprofiler_hsa_cb_id_t id,
	   const rocprofiler_hsa_callback_data_t *about)
{
	rocprofiler_hsa_callback_fun_t callback;
	hsa_status_t status;
	void *data;

	pthread_mutex_lock(&all.lock);
	callback = all.callbacks[id];
	data = all.data;
	pthread_mutex_unlock(&all.lock);
	if (!callback || is_telling)
		return false;
	is_telling = true;
	status = callback(id, about, data);
	is_telling = false;
	if (status == HSA_STATUS_SUCCESS)
		return true;
	pthread_mutex_lock(&all.lock);
	if (all.callbacks[id] == callback)
		all.callbacks[id] = NULL;
	pthread_mutex_unlock(&all.lock);
	return true;
}

/* ------------------------------------------------------------------ */
/* Memory                                                               */

static void
tell_device(hsa_agent_t agent, const void *ptr)
{
	rocprofiler_hsa_callback_data_t about = { 0 };

	about.device.agent = agent;
	about.device.ptr = ptr;
	hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &about.device.type);
	hsa_agent_get_info(agent,
			   (hsa_agent_info_t)HSA_AMD_AGENT_INFO_DRIVER_NODE_ID,
			   &about.device.id);
	hooks_call(ROCPROFILER_HSA_CB_ID_DEVICE, &about);
}

static void
tell_copy(void *to, const void *from, size_t size)
{
	rocprofiler_hsa_callback_data_t about = { 0 };

	about.memcopy.dst = to;
	about.memcopy.src = from;
	about.memcopy.size = size;
	hooks_call(ROCPROFILER_HSA_CB_ID_MEMCOPY, &about);
}

static hsa_status_t
memory_allocate(hsa_region_t region, size_t size, void **ptr)
{
	rocprofiler_hsa_callback_data_t about = { 0 };
	hsa_status_t status = ROC_ORIGINAL(
		hsa_memory_allocate, ROC_MEMORY_ALLOCATE)(region, size, ptr);

	if (status || !is_wanted(ROCPROFILER_HSA_CB_ID_ALLOCATE))
		return status;
	about.allocate.ptr = *ptr;
	about.allocate.size = size;
	hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT,
			    &about.allocate.segment);
	hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS,
			    &about.allocate.global_flag);
	hooks_call(ROCPROFILER_HSA_CB_ID_ALLOCATE, &about);
	return status;
}

static hsa_status_t
assign_agent(void *ptr, hsa_agent_t agent, hsa_access_permission_t access)
{
	hsa_status_t status =
		ROC_ORIGINAL(hsa_memory_assign_agent,
			     ROC_MEMORY_ASSIGN_AGENT)(ptr, agent, access);

	if (!status)
		tell_device(agent, ptr);
	return status;
}

static hsa_status_t
memory_copy(void *to, const void *from, size_t size)
{
	hsa_status_t status =
		ROC_ORIGINAL(hsa_memory_copy, ROC_MEMORY_COPY)(to, from, size);

	if (!status)
		tell_copy(to, from, size);
	return status;
}

struct visit {
	hsa_amd_memory_pool_t pool;
	const void *ptr;
};

/* Agents that see a pool without being allowed to. */
static hsa_status_t
visit_agent(hsa_agent_t agent, void *data)
{
	const struct visit *visit = data;
	hsa_amd_memory_pool_access_t access;

	if (!hsa_amd_agent_memory_pool_get_info(
		    agent, visit->pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS,
		    &access) &&
	    access == HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT)
		tell_device(agent, visit->ptr);
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
pool_allocate(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags,
	      void **ptr)
{
	rocprofiler_hsa_callback_data_t about = { 0 };
	hsa_status_t status =
		ROC_ORIGINAL(hsa_amd_memory_pool_allocate,
			     ROC_POOL_ALLOCATE)(pool, size, flags, ptr);

	if (status || !size)
		return status;
	if (is_wanted(ROCPROFILER_HSA_CB_ID_ALLOCATE)) {
		about.allocate.ptr = *ptr;
		about.allocate.size = size;
		hsa_amd_memory_pool_get_info(pool,
					     HSA_AMD_MEMORY_POOL_INFO_SEGMENT,
					     &about.allocate.segment);
		hsa_amd_memory_pool_get_info(
			pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS,
			&about.allocate.global_flag);
		hooks_call(ROCPROFILER_HSA_CB_ID_ALLOCATE, &about);
	}
	if (is_wanted(ROCPROFILER_HSA_CB_ID_DEVICE)) {
		struct visit visit = { pool, *ptr };

		hsa_iterate_agents(visit_agent, &visit);
	}
	return status;
}

static hsa_status_t
pool_free(void *ptr)
{
	rocprofiler_hsa_callback_data_t about = { 0 };

	about.allocate.ptr = ptr;
	hooks_call(ROCPROFILER_HSA_CB_ID_ALLOCATE, &about);
	return ROC_ORIGINAL(hsa_amd_memory_pool_free, ROC_POOL_FREE)(ptr);
}

static hsa_status_t
allow_access(uint32_t count, const hsa_agent_t *agents, const uint32_t *flags,
	     const void *ptr)
{
	hsa_status_t status = ROC_ORIGINAL(hsa_amd_agents_allow_access,
					   ROC_AGENTS_ALLOW_ACCESS)(
		count, agents, flags, ptr);

	for (uint32_t i = 0; !status && i < count; i++)
		tell_device(agents[i], ptr);
	return status;
}

static hsa_status_t
async_copy(void *to, hsa_agent_t to_agent, const void *from,
	   hsa_agent_t from_agent, size_t size, uint32_t signal_count,
	   const hsa_signal_t *signals, hsa_signal_t completion)
{
	hsa_status_t status =
		ROC_ORIGINAL(hsa_amd_memory_async_copy, ROC_ASYNC_COPY)(
			to, to_agent, from, from_agent, size, signal_count,
			signals, completion);

	if (!status)
		tell_copy(to, from, size);
	return status;
}

static hsa_status_t
async_copy_rect(const hsa_pitched_ptr_t *to, const hsa_dim3_t *to_offset,
		const hsa_pitched_ptr_t *from, const hsa_dim3_t *from_offset,
		const hsa_dim3_t *range, hsa_agent_t agent,
		hsa_amd_copy_direction_t direction, uint32_t signal_count,
		const hsa_signal_t *signals, hsa_signal_t completion)
{
	hsa_status_t status = ROC_ORIGINAL(hsa_amd_memory_async_copy_rect,
					   ROC_ASYNC_COPY_RECT)(
		to, to_offset, from, from_offset, range, agent, direction,
		signal_count, signals, completion);

	if (!status)
		tell_copy(to->base, from->base,
			  (size_t)range->x * range->y * range->z);
	return status;
}

/* ------------------------------------------------------------------ */
/* Packets and code                                                     */

void
roc_hooks_tell_packet(const void *packet, const char *kernel,
		      hsa_queue_t *queue, uint32_t node)
{
	rocprofiler_hsa_callback_data_t about = { 0 };

	about.submit.packet = packet;
	about.submit.kernel_name = kernel;
	about.submit.queue = queue;
	about.submit.device_type = HSA_DEVICE_TYPE_GPU;
	about.submit.device_id = node;
	hooks_call(ROCPROFILER_HSA_CB_ID_SUBMIT, &about);
}

void
roc_hooks_tell_kernel(uint64_t object, const char *name)
{
	rocprofiler_hsa_callback_data_t about = { 0 };
	char *copy = NULL;

	if (!is_wanted(ROCPROFILER_HSA_CB_ID_KSYMBOL))
		return;
	if (name) {
		copy = strdup(name);
		if (!copy)
			return;
		about.ksymbol.name_length = (uint32_t)strlen(copy);
	}
	about.ksymbol.object = object;
	about.ksymbol.name = copy;
	about.ksymbol.unload = !name;
	if (!hooks_call(ROCPROFILER_HSA_CB_ID_KSYMBOL, &about))
		free(copy);
}

static void
ask_loader(hsa_loaded_code_object_t object,
	   hsa_ven_amd_loader_loaded_code_object_info_t what, void *out)
{
	all.loader.hsa_ven_amd_loader_loaded_code_object_get_info(object, what,
								  out);
}

#define ASK(object, what, out)                                                 \
	ask_loader(object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_##what,  \
		   out)

static void
describe_code(hsa_loaded_code_object_t object,
	      rocprofiler_hsa_callback_data_t *out)
{
	out->codeobj.storage_file = -1;
	ASK(object, CODE_OBJECT_STORAGE_TYPE, &out->codeobj.storage_type);
	if (out->codeobj.storage_type ==
	    HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE)
		ASK(object, CODE_OBJECT_STORAGE_FILE,
		    &out->codeobj.storage_file);
	if (out->codeobj.storage_type ==
	    HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY) {
		ASK(object, CODE_OBJECT_STORAGE_MEMORY_BASE,
		    &out->codeobj.memory_base);
		ASK(object, CODE_OBJECT_STORAGE_MEMORY_SIZE,
		    &out->codeobj.memory_size);
	}
	ASK(object, LOAD_BASE, &out->codeobj.load_base);
	ASK(object, LOAD_SIZE, &out->codeobj.load_size);
	ASK(object, LOAD_DELTA, &out->codeobj.load_delta);
	ASK(object, URI_LENGTH, &out->codeobj.uri_length);
}

/* Code is memory, too. */
static void
tell_code_memory(uint64_t base, uint64_t size)
{
	rocprofiler_hsa_callback_data_t about = { 0 };

	about.allocate.ptr = (const void *)(uintptr_t)base;
	about.allocate.size = size;
	about.allocate.segment = HSA_AMD_SEGMENT_GLOBAL;
	about.allocate.global_flag =
		HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
	about.allocate.is_code = 1;
	hooks_call(ROCPROFILER_HSA_CB_ID_ALLOCATE, &about);
}

/* data: whether it is unloaded. */
static hsa_status_t
visit_code(hsa_executable_t executable, hsa_loaded_code_object_t object,
	   void *data)
{
	const bool *is_unloaded = data;
	rocprofiler_hsa_callback_data_t about = { 0 };

	(void)executable;
	describe_code(object, &about);
	about.codeobj.unload = *is_unloaded;
	about.codeobj.uri = calloc(1, about.codeobj.uri_length + 1ul);
	if (!about.codeobj.uri)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	ASK(object, URI, about.codeobj.uri);
	if (!hooks_call(ROCPROFILER_HSA_CB_ID_CODEOBJ, &about))
		free(about.codeobj.uri);
	tell_code_memory(about.codeobj.load_base,
			 *is_unloaded ? 0 : about.codeobj.load_size);
	return HSA_STATUS_SUCCESS;
}

void
roc_hooks_tell_code(hsa_executable_t executable, bool is_unloaded)
{
	const bool wanted = is_wanted(ROCPROFILER_HSA_CB_ID_CODEOBJ) ||
			    is_wanted(ROCPROFILER_HSA_CB_ID_ALLOCATE);
	const hsa_ven_amd_loader_1_01_pfn_t *ask = &all.loader;

	if (!wanted ||
	    !ask->hsa_ven_amd_loader_executable_iterate_loaded_code_objects ||
	    !ask->hsa_ven_amd_loader_loaded_code_object_get_info)
		return;
	ask->hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
		executable, visit_code, &is_unloaded);
}

/* ------------------------------------------------------------------ */

void
roc_hooks_begin(void)
{
	static const struct {
		enum roc_slot slot;
		roc_function function;
	} hooks[] = {
		{ ROC_MEMORY_ALLOCATE, (roc_function)memory_allocate },
		{ ROC_MEMORY_ASSIGN_AGENT, (roc_function)assign_agent },
		{ ROC_MEMORY_COPY, (roc_function)memory_copy },
		{ ROC_POOL_ALLOCATE, (roc_function)pool_allocate },
		{ ROC_POOL_FREE, (roc_function)pool_free },
		{ ROC_AGENTS_ALLOW_ACCESS, (roc_function)allow_access },
		{ ROC_ASYNC_COPY, (roc_function)async_copy },
		{ ROC_ASYNC_COPY_RECT, (roc_function)async_copy_rect },
	};

	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
		roc_table_replace(hooks[i].slot, hooks[i].function);
}

/* Get the loader's functions, without which no callback learns of code. */
static void
ask_for_loader(void)
{
	/* an older HSA fills in as much as it has */
	memset(&all.loader, 0, sizeof(all.loader));
	hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1,
					     sizeof(all.loader), &all.loader);
}

int
roc_hooks_set(const rocprofiler_hsa_callbacks_t *callbacks, void *data,
	      struct drmperf_error *error)
{
	const rocprofiler_hsa_callback_fun_t functions[KINDS] = {
		[ROCPROFILER_HSA_CB_ID_ALLOCATE] = callbacks->allocate,
		[ROCPROFILER_HSA_CB_ID_DEVICE] = callbacks->device,
		[ROCPROFILER_HSA_CB_ID_MEMCOPY] = callbacks->memcopy,
		[ROCPROFILER_HSA_CB_ID_SUBMIT] = callbacks->submit,
		[ROCPROFILER_HSA_CB_ID_KSYMBOL] = callbacks->ksymbol,
		[ROCPROFILER_HSA_CB_ID_CODEOBJ] = callbacks->codeobj,
	};

	if (!roc_table_is_taken())
		return fe_fail(error, -ENOTSUP,
			       "have HSA load this library, by HSA_TOOLS_LIB",
			       "nothing is told of calls to HSA");
	pthread_mutex_lock(&all.lock);
	ask_for_loader();
	memcpy(all.callbacks, functions, sizeof(functions));
	all.data = data;
	pthread_mutex_unlock(&all.lock);
	return 0;
}

void
roc_hooks_end(void)
{
	pthread_mutex_lock(&all.lock);
	memset(all.callbacks, 0, sizeof(all.callbacks));
	pthread_mutex_unlock(&all.lock);
}
