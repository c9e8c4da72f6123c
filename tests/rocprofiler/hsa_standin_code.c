/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory and code of the stand-in for HSA. All executables have the same two
 * kernels and something that is none.
 */
#include <stdlib.h>
#include <string.h>

#include "hsa_standin.h"

enum {
	POOL_KERNARG = 1,
	POOL_FINE,
	POOL_LOCAL
};

struct symbol {
	hsa_symbol_kind_t kind;
	const char *name;
	_Alignas(64) char code[256]; /* its kernel object */
};

struct executable {
	bool is_frozen;
	struct symbol symbols[3];
};

/* ------------------------------------------------------------------ */
/* Memory                                                               */

STANDIN_EXPORT hsa_status_t
hsa_amd_agent_iterate_memory_pools(
	hsa_agent_t agent,
	hsa_status_t (*callback)(hsa_amd_memory_pool_t pool, void *data),
	void *data)
{
	const struct standin_agent *of = standin_agent_of(agent);
	const bool is_gpu = of && of->type == HSA_DEVICE_TYPE_GPU;
	hsa_status_t status = HSA_STATUS_SUCCESS;
	hsa_amd_memory_pool_t pool;

	if (!of)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	pool.handle = is_gpu ? POOL_LOCAL : POOL_FINE;
	status = callback(pool, data);
	pool.handle = POOL_KERNARG;
	if (!is_gpu && !status)
		status = callback(pool, data);
	return status;
}

STANDIN_EXPORT hsa_status_t
hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t pool,
			     hsa_amd_memory_pool_info_t attribute, void *value)
{
	static const uint32_t flags[] = {
		[POOL_KERNARG] = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT |
				 HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
		[POOL_FINE] = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
		[POOL_LOCAL] = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED,
	};

	switch (attribute) {
	case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
		*(hsa_amd_segment_t *)value = HSA_AMD_SEGMENT_GLOBAL;
		return HSA_STATUS_SUCCESS;
	case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
		*(uint32_t *)value = flags[pool.handle];
		return HSA_STATUS_SUCCESS;
	case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
		*(bool *)value = true;
		return HSA_STATUS_SUCCESS;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

/* Allocate like real ones of the version whose header this is: no flags. */
hsa_status_t
standin_pool_allocate(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags,
		      void **ptr)
{
	(void)pool;
	if (flags)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*ptr = aligned_alloc(4096, (size + 4095) & ~4095ul);
	return *ptr ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t
standin_pool_free(void *ptr)
{
	free(ptr);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
standin_allow_access(uint32_t count, const hsa_agent_t *agents,
		     const uint32_t *flags, const void *ptr)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!standin_agent_of(agents[i]))
			return HSA_STATUS_ERROR_INVALID_AGENT;
	}
	return flags || !ptr ? HSA_STATUS_ERROR_INVALID_ARGUMENT
			     : HSA_STATUS_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Executables                                                          */

static struct executable *
executable_of(hsa_executable_t handle)
{
	return (struct executable *)(uintptr_t)handle.handle;
}

/*
 * Write "RESOURCES:PROPERTIES" of HSA_STANDIN_CODE, in hexadecimal, where
 * kernels say what registers they use, and how wide their waves are.
 */
static void
write_code(char *code)
{
	const char *text = getenv("HSA_STANDIN_CODE");
	uint32_t resources;
	uint16_t properties;
	char *rest;

	if (!text)
		return;
	resources = (uint32_t)strtoul(text, &rest, 16);
	properties = *rest ? (uint16_t)strtoul(rest + 1, NULL, 16) : 0;
	memcpy(code + 48, &resources, sizeof(resources));
	memcpy(code + 56, &properties, sizeof(properties));
}

STANDIN_EXPORT hsa_status_t
hsa_executable_create_alt(hsa_profile_t profile,
			  hsa_default_float_rounding_mode_t rounding,
			  const char *options, hsa_executable_t *out)
{
	static const struct symbol symbols[] = {
		{ HSA_SYMBOL_KIND_KERNEL, "_Z3addPfi", "" },
		{ HSA_SYMBOL_KIND_VARIABLE, "variable", "" },
		{ HSA_SYMBOL_KIND_KERNEL, "plain", "" },
	};
	struct executable *executable =
		aligned_alloc(64, (sizeof(*executable) + 63) & ~63ul);

	(void)profile;
	(void)rounding;
	(void)options;
	executable->is_frozen = false;
	memcpy(executable->symbols, symbols, sizeof(symbols));
	write_code(executable->symbols[0].code);
	out->handle = (uintptr_t)executable;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
standin_executable_freeze(hsa_executable_t handle, const char *options)
{
	(void)options;
	if (executable_of(handle)->is_frozen)
		return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
	executable_of(handle)->is_frozen = true;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
standin_executable_destroy(hsa_executable_t handle)
{
	free(executable_of(handle));
	return HSA_STATUS_SUCCESS;
}

STANDIN_EXPORT hsa_status_t
hsa_executable_iterate_symbols(
	hsa_executable_t handle,
	hsa_status_t (*callback)(hsa_executable_t executable,
				 hsa_executable_symbol_t symbol, void *data),
	void *data)
{
	struct executable *executable = executable_of(handle);
	hsa_status_t status = HSA_STATUS_SUCCESS;

	for (unsigned i = 0; !status && i < 3; i++) {
		const hsa_executable_symbol_t symbol = {
			(uintptr_t)&executable->symbols[i]
		};

		status = callback(handle, symbol, data);
	}
	return status;
}

STANDIN_EXPORT hsa_status_t
hsa_executable_symbol_get_info(hsa_executable_symbol_t handle,
			       hsa_executable_symbol_info_t attribute,
			       void *value)
{
	const struct symbol *symbol =
		(const struct symbol *)(uintptr_t)handle.handle;

	switch (attribute) {
	case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
		*(hsa_symbol_kind_t *)value = symbol->kind;
		return HSA_STATUS_SUCCESS;
	case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
		*(uint32_t *)value = (uint32_t)strlen(symbol->name);
		return HSA_STATUS_SUCCESS;
	case HSA_EXECUTABLE_SYMBOL_INFO_NAME: /* without an end */
		memcpy(value, symbol->name, strlen(symbol->name));
		return HSA_STATUS_SUCCESS;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
		if (symbol->kind != HSA_SYMBOL_KIND_KERNEL)
			return HSA_STATUS_ERROR_INVALID_ARGUMENT;
		*(uint64_t *)value = (uintptr_t)symbol->code;
		return HSA_STATUS_SUCCESS;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

/* ------------------------------------------------------------------ */
/* The loader: code is where it was loaded                              */

static hsa_status_t
host_address(const void *there, const void **here)
{
	*here = there;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
iterate_code(hsa_executable_t executable,
	     hsa_status_t (*callback)(hsa_executable_t executable,
				      hsa_loaded_code_object_t code,
				      void *data),
	     void *data)
{
	const hsa_loaded_code_object_t code = { executable.handle };

	return callback(executable, code, data);
}

#define INFO(what) HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_##what

static hsa_status_t
code_info(hsa_loaded_code_object_t code,
	  hsa_ven_amd_loader_loaded_code_object_info_t attribute, void *value)
{
	static const char uri[] = "memory://1#offset=2";

	switch (attribute) {
	case INFO(CODE_OBJECT_STORAGE_TYPE):
		*(uint32_t *)value =
			HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
		return HSA_STATUS_SUCCESS;
	case INFO(CODE_OBJECT_STORAGE_MEMORY_BASE):
	case INFO(LOAD_BASE):
		*(uint64_t *)value = code.handle;
		return HSA_STATUS_SUCCESS;
	case INFO(CODE_OBJECT_STORAGE_MEMORY_SIZE):
	case INFO(LOAD_SIZE):
		*(uint64_t *)value = sizeof(struct executable);
		return HSA_STATUS_SUCCESS;
	case INFO(LOAD_DELTA):
		*(int64_t *)value = 0;
		return HSA_STATUS_SUCCESS;
	case INFO(URI_LENGTH):
		*(uint32_t *)value = sizeof(uri) - 1;
		return HSA_STATUS_SUCCESS;
	case INFO(URI):
		memcpy(value, uri, sizeof(uri) - 1);
		return HSA_STATUS_SUCCESS;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

STANDIN_EXPORT hsa_status_t
hsa_system_get_major_extension_table(uint16_t extension, uint16_t major,
				     size_t size, void *table)
{
	const hsa_ven_amd_loader_1_01_pfn_t loader = {
		.hsa_ven_amd_loader_query_host_address = host_address,
		.hsa_ven_amd_loader_executable_iterate_loaded_code_objects =
			iterate_code,
		.hsa_ven_amd_loader_loaded_code_object_get_info = code_info,
	};

	const size_t own = standin_loader_functions() * sizeof(void (*)(void));

	if (extension != HSA_EXTENSION_AMD_LOADER || major != 1)
		return HSA_STATUS_ERROR;
	memcpy(table, &loader, size < own ? size : own);
	return HSA_STATUS_SUCCESS;
}
