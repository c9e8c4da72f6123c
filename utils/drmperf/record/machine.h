/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a GPU of amdgpu and its machine are. */
#ifndef DRMPERF_TOOL_RECORD_MACHINE_H
#define DRMPERF_TOOL_RECORD_MACHINE_H

#include "drmperf.h"
#include "record/recording_stream.h"

/* Linux makes struct drm_amdgpu_info_device longer now and then. */
#define MACHINE_ANSWER_SIZE 1024

struct machine {
	struct recording_machine facts;
	/* own */
	char cpu_vendor[16], cpu_model[64];
	uint8_t answer[MACHINE_ANSWER_SIZE];
};

/* Read the facts, as long as the machine and the device; what fails is 0. */
void
machine_read(const struct drmperf_device *device, struct machine *machine);

#endif /* DRMPERF_TOOL_RECORD_MACHINE_H */
