/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "papi_drm_queues.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HSA "libhsa-runtime64.so.1"
#define TOOLS "HSA_TOOLS_LIB"
#define TOOL "libdrmperf-hsa.so"

/* Declarations of hsa.h, to ask whether HSA has begun. */
#define HSA_SYSTEM_INFO_VERSION_MAJOR 0
#define HSA_STATUS_ERROR_NOT_INITIALIZED 0x100b
typedef uint32_t
hsa_system_get_info_function(uint32_t attribute, void *value);

/* Return whether the program has called hsa_init(), itself or by HIP. */
static bool
hsa_has_begun(void)
{
	void *hsa = dlopen(HSA, RTLD_LAZY | RTLD_NOLOAD);
	hsa_system_get_info_function *get_info;
	uint16_t major;
	bool has_begun;

	if (!hsa)
		return false;
	*(void **)&get_info = dlsym(hsa, "hsa_system_get_info");
	has_begun =
		get_info && get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major) !=
				    HSA_STATUS_ERROR_NOT_INITIALIZED;
	dlclose(hsa);
	return has_begun;
}

/* Return whether an event sees only compute queues that have taken commands. */
static bool
needs_commands(const struct papi_drm_library *library,
	       const struct drmperf_event *event)
{
	size_t count = 0;

	return library->event_scope(event) == DRMPERF_SCOPE_QUEUE &&
	       !library->device_queue_commands(library->event_device(event),
					       true, NULL, 0, &count, NULL) &&
	       count;
}

/* Find the tool next to libdrmperf. */
static bool
find_tool(const struct papi_drm_library *library, char path[PATH_MAX])
{
	char file[PATH_MAX];
	const char *slash;
	Dl_info info;

	if (!dladdr((void *)library->version, &info) ||
	    !realpath(info.dli_fname, file))
		return false;
	slash = strrchr(file, '/');
	return snprintf(path, PATH_MAX, "%.*s/" TOOL, (int)(slash - file),
			file) < PATH_MAX &&
	       !access(path, R_OK) && !strpbrk(path, " \t\"");
}

/*
 * Add a tool. Names are between blanks; the runtime takes them in this order.
 */
static void
add_tool(const char *tools, const char *path)
{
	char *list;

	if (asprintf(&list, "%s%s%s", tools, *tools ? " " : "", path) < 0)
		return;
	setenv(TOOLS, list, 1);
	free(list);
}

/*
 * Return whether commands cannot be inserted into a program's queues, as before
 * gfx9.
 */
static bool
is_before_gfx9(const struct papi_drm_library *library,
	       const struct drmperf_event *event)
{
	const char *generation =
		library->device_generation(library->event_device(event));

	return !strncmp(generation, "gfx6", 4) ||
	       !strncmp(generation, "gfx7", 4) ||
	       !strncmp(generation, "gfx8", 4);
}

static int
refuse_old_gpu(const struct papi_drm_library *library,
	       const struct drmperf_event *event, struct drmperf_error *error)
{
	error->code = -ENOTSUP;
	snprintf(error->cause, sizeof(error->cause),
		 "%s: no program can make its compute queues count on a GPU "
		 "before gfx9",
		 library->event_name(event));
	snprintf(error->remedy, sizeof(error->remedy),
		 "count from outside (drmperf stat -- PROGRAM), as root and "
		 "with a kernel that has the lock of profilers; "
		 PAPI_DRM_QUEUES_ENVIRONMENT "=any counts what others run");
	return -ENOTSUP;
}

/* Refuse to count if another rank holds the profiler lock. */
static void
refuse_rank(const struct papi_drm_library *library,
	    const struct drmperf_event *event, const char *path,
	    struct drmperf_error *error)
{
	snprintf(error->cause, sizeof(error->cause),
		 "%s: another process that counts, such as a rank, holds the "
		 "lock of profilers, and the compute queues of this one do not "
		 "allow counting without: HSA or HIP has begun already",
		 library->event_name(event));
	snprintf(error->remedy, sizeof(error->remedy),
		 "add the event in each process before its first call of HIP "
		 "or HSA, or begin them with " TOOLS
		 "=%.300s; " PAPI_DRM_QUEUES_ENVIRONMENT
		 "=any counts as long as the other one holds the lock",
		 path);
}

static int
refuse_event(const struct papi_drm_library *library,
	     const struct drmperf_event *event, const char *path,
	     bool is_held_elsewhere, struct drmperf_error *error)
{
	if (is_before_gfx9(library, event))
		return refuse_old_gpu(library, event, error);
	error->code = -ENOTSUP;
	if (is_held_elsewhere) {
		refuse_rank(library, event, path, error);
		return -ENOTSUP;
	}
	snprintf(error->cause, sizeof(error->cause),
		 "%s: the compute queues of this program do not allow it to be "
		 "counted, and HSA or HIP has begun already",
		 library->event_name(event));
	snprintf(error->remedy, sizeof(error->remedy),
		 "add the event before the first call of HIP or HSA, or begin "
		 "the program with " TOOLS
		 "=%.300s; " PAPI_DRM_QUEUES_ENVIRONMENT
		 "=any counts what others run",
		 path);
	return -ENOTSUP;
}

/* Have HSA, without the lock, load the tool, if it is not too late. */
static int
prepare_tool(const struct papi_drm_library *library,
	     const struct drmperf_event *event, const char *tools,
	     bool is_held_elsewhere, struct drmperf_error *error)
{
	char path[PATH_MAX];

	if (!find_tool(library, path))
		return 0;
	if (hsa_has_begun())
		return refuse_event(library, event, path, is_held_elsewhere,
				    error);
	add_tool(tools ? tools : "", path);
	return 0;
}

static bool
is_held(const struct papi_drm_queues *queues,
	const struct drmperf_device *device)
{
	for (size_t i = 0; i < queues->count; i++) {
		if (queues->list[i].device == device)
			return true;
	}
	return false;
}

static int
hold_queues(struct papi_drm_queues *queues,
	    const struct papi_drm_library *library,
	    struct drmperf_device *device, struct drmperf_error *error)
{
	struct papi_drm_hold *list = realloc(
		queues->list, (queues->count + 1) * sizeof(*list));
	int rc;

	if (!list)
		return -ENOMEM;
	queues->list = list;
	list[queues->count].device = device;
	rc = library->device_hold_queues(device, &list[queues->count].hold,
					 error);
	queues->count += !rc;
	return rc;
}

/*
 * Hold the profiler lock of all GPUs of the events, beginning with the first
 * event that needs it.
 */
static int
hold_gpus(struct papi_drm_queues *queues,
	  const struct papi_drm_library *library,
	  const struct drmperf_selection *selections, size_t count,
	  struct drmperf_error *error)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < count; i++) {
		struct drmperf_device *device =
			library->event_device(selections[i].event);

		if (!is_held(queues, device) &&
		    needs_commands(library, selections[i].event))
			rc = hold_queues(queues, library, device, error);
	}
	if (rc)
		papi_drm_queues_release(queues, library);
	return rc;
}

int
papi_drm_queues_prepare(struct papi_drm_queues *queues,
			const struct papi_drm_library *library,
			const struct drmperf_selection *selections,
			size_t count, struct drmperf_error *error)
{
	const char *wanted, *tools;
	size_t i = queues->plain;
	int rc;

	while (i < count && !needs_commands(library, selections[i].event))
		i++;
	queues->plain = i;
	if (i == count)
		return 0;
	wanted = secure_getenv(PAPI_DRM_QUEUES_ENVIRONMENT);
	tools = secure_getenv(TOOLS);
	if ((wanted && !strcmp(wanted, "any")) ||
	    (tools && (strstr(tools, TOOL) || strstr(tools, "librocprofiler"))))
		return 0;
	rc = hold_gpus(queues, library, selections + i, count - i, error);
	if (!rc || rc == -EBUSY)
		return rc;
	return prepare_tool(library, selections[i].event, tools,
			    rc == -EALREADY, error);
}

void
papi_drm_queues_release(struct papi_drm_queues *queues,
			const struct papi_drm_library *library)
{
	for (size_t i = 0; i < queues->count; i++)
		library->queue_hold_release(queues->list[i].hold);
	free(queues->list);
	*queues = (struct papi_drm_queues){ 0 };
}
