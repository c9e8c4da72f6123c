/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libdrmperf.so.0, opened at run time: a PAPI that was built with this
 * component still runs on machines that have no libdrmperf.
 */
#ifndef PAPI_DRM_LIBRARY_H
#define PAPI_DRM_LIBRARY_H

#include <stddef.h>

#include <drmperf.h>

/* Names the library's file, before any other place. */
#define PAPI_DRM_LIBRARY_ENVIRONMENT "PAPI_DRM_LIB"

/* Every function of drmperf.h that the component calls. */
#define PAPI_DRM_FUNCTIONS(F) \
	F(create) \
	F(stop_all) \
	F(destroy) \
	F(version) \
	F(device_count) \
	F(device_at) \
	F(device_index) \
	F(device_driver) \
	F(device_address) \
	F(device_partition) \
	F(device_open) \
	F(device_status) \
	F(device_chip) \
	F(device_generation) \
	F(device_queue_commands) \
	F(device_hold_queues) \
	F(queue_hold_release) \
	F(group_name) \
	F(group_max_active) \
	F(group_instances) \
	F(group_dies) \
	F(unit_name) \
	F(event_count) \
	F(event_at) \
	F(event_name) \
	F(event_description) \
	F(event_group) \
	F(event_device) \
	F(event_unit) \
	F(event_type) \
	F(event_kind) \
	F(event_scope) \
	F(event_instances) \
	F(event_find) \
	F(session_create) \
	F(session_destroy) \
	F(session_start) \
	F(session_read) \
	F(session_try_read) \
	F(session_explain) \
	F(session_reset) \
	F(session_stop)

struct papi_drm_library {
	void *handle;
#define PAPI_DRM_MEMBER(name) __typeof__(drmperf_##name) *name;
	PAPI_DRM_FUNCTIONS(PAPI_DRM_MEMBER)
#undef PAPI_DRM_MEMBER
};

/*
 * Open the library: the file named in the environment or, without that, what
 * the dynamic linker finds, or a file next to libpapi.
 *
 * Returns 0, or -ENOENT with the places tried and what was wrong in reason.
 */
int papi_drm_library_open(struct papi_drm_library *library, char *reason,
			  size_t size);

void papi_drm_library_close(struct papi_drm_library *library);

#endif /* PAPI_DRM_LIBRARY_H */
