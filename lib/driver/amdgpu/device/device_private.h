/* SPDX-License-Identifier: BSD-3-Clause */
/* An open GPU, private to the files of this room. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_DEVICE_PRIVATE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_DEVICE_PRIVATE_H

#include <amdgpu.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/amdgpu/device/device_info.h"

struct amd_device {
	amdgpu_device_handle device;
	int fd;
	int used_fd; /* that libdrm uses, of the same GPU */
	struct amd_device_info info;
	uint32_t ip_types[PM4_ENGINES];
	uint32_t rings[PM4_ENGINES];
	uint32_t ib_alignment; /* enough for all rings */
	bool dump; /* DRMPERF_DEBUG=ib */
	uint64_t spin_ns; /* DRMPERF_SPIN_US; 0: waits sleep at once */
	const struct amd_submit_hook *submit_hook; /* or NULL */
	char node[64];
	const char *sysfs; /* the PCI device's folder; lives as long */
	struct log_sink log;
	struct aql *aql; /* for commands on all XCCs; NULL: not open */
	/* of those that were destroyed, for the next; or NULL */
	_Atomic(struct amd_context *) idle_context;
	_Atomic(struct buffer_object *) idle_object;
};

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_DEVICE_PRIVATE_H */
