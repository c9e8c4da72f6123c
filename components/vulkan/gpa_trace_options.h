/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a GPU traces, and the trace that a sample asks for.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_TRACE_OPTIONS_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_TRACE_OPTIONS_H

#include <drmperf.h>
#include <drmperf/vk_amd_gpa_interface.h>
#include <stdbool.h>

struct gpa_tracing {
	unsigned engines;
	/*
	 * The driver and libdrmperf have one file of DRM: what the driver gives
	 * to the GPU is in the address space of our traces.
	 */
	bool shares_file;
	bool is_possible;
	struct drmperf_error why_not;
	uint64_t buffer_most; /* of a shader engine; 0: nothing is traced */
};

/* Set what is not known yet, of a device that is open. */
void
gpa_tracing_look(struct gpa_tracing *tracing, struct drmperf_device *device,
		 const struct drmperf_hardware *hardware);

/*
 * Choose the options of a sample. Returns 0, or -EINVAL where its limit of
 * memory has no room for a trace.
 */
int
gpa_tracing_choose(const struct gpa_tracing *tracing,
		   const VkGpaSampleBeginInfoAMD *info,
		   struct drmperf_trace_options *out,
		   struct drmperf_error *error);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_TRACE_OPTIONS_H */
