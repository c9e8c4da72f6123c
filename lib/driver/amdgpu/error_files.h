/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors that amdgpu counts, in files of sysfs: those of ECC and other checks
 * (RAS) by block of the GPU, and packets that PCIe refused. Reading a file of
 * RAS takes the hardware's counts and adds them to the driver's, which is what
 * it shows. [Linux 6.12 amdgpu_ras.c, amdgpu_device.c]
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_ERROR_FILES_H
#define DRMPERF_LIB_DRIVER_AMDGPU_ERROR_FILES_H

#include "base/arena.h"
#include "driver/amdgpu/device/device_info.h"
#include "driver/sensor.h"

#define ERROR_FILES_MAX 64

struct error_file {
	const char *path;
	const char *key; /* "ce" of the line "ce: 3"; NULL: it is a number */
};

/*
 * Append the sensors of a GPU to a list, and their files to another, which
 * begin at *count. The files of RAS are not read for that, but that of memory.
 * Returns 0, -ENOMEM or another transient error.
 */
int
error_files_find(const char *sysfs, const struct amd_device_info *info,
		 struct arena *arena, struct sensor *list,
		 struct error_file *files, size_t *count);

/*
 * Returns 0; -EBUSY if the kernel has no answer now, as in a reset; -EBADMSG;
 * what the kernel returns.
 */
int
error_file_read(const struct error_file *file, uint64_t *value);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_ERROR_FILES_H */
