/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work for the GPU: the only place that calls libdrm_amdgpu, and the only one
 * that sees the kernel's structures.
 *
 * A device is an open GPU. A context is one of the kernel's, in which commands
 * run on the rings of graphics and compute that there are. A buffer is memory
 * that both GPU and CPU see.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_DEVICE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/device/device_info.h"
#include "driver/driver.h"

struct amd_device;

/*
 * Open a render node. Submits nothing.
 *
 * Returns 0; -EACCES; -ENODEV; -ENOTSUP if the kernel's driver is too old or
 * the GPU has no ring to use; -ENOMEM; what the kernel returns.
 */
int
amd_device_open(const struct driver_target *target, struct amd_device **out,
		struct drmperf_error *error);
void
amd_device_close(struct amd_device *dev);

/*
 * Put files of the GPU that is there now in the place of those of one that has
 * gone, libdrm's included: contexts and buffers of the old ones are lost, those
 * of other users of libdrm in this process as well, to whom they are dead.
 * Not for handlers of signals. Returns 1; 0 if the GPU was there all the
 * time; -ENODEV; -errno.
 */
int
amd_device_reopen(struct amd_device *dev);

/* Close in a forked child what it inherited, leaving the GPU alone. */
void
amd_device_abandon(struct amd_device *dev);

const struct amd_device_info *
amd_device_info(const struct amd_device *dev);
const char *
amd_device_node(const struct amd_device *dev);

/* Return the descriptor of the GPU's file that requests go to. */
int
amd_device_descriptor(const struct amd_device *dev);

/*
 * Open the compute driver's queue for commands on all XCCs of the GPU, unless
 * it is open, by a program or with NULL in this process. The errors of
 * aql_open().
 */
int
amd_device_open_xccs(struct amd_device *dev, const struct driver_kfd *gpu,
		     const char *helper, struct drmperf_error *error);

/*
 * Hook called before each submission (used by the self-test); it must outlive
 * the device. If it returns an error, the commands are not submitted, and the
 * submission fails with it.
 */
struct amd_submit_hook {
	int (*submitting)(void *data, enum pm4_engine engine,
			  const uint32_t *dwords, size_t count);
	void *data;
};

void
amd_device_set_submit_hook(struct amd_device *dev,
			   const struct amd_submit_hook *hook);

/*
 * Have the kernel read GRBM_STATUS of a shader engine by MMIO, for which it
 * sets GRBM_GFX_INDEX and back. 0, or -errno.
 */
int
amd_device_read_status(const struct amd_device *dev, unsigned engine);

/* Sensors that the kernel's driver reports whenever they are read. */
enum amd_sensor {
	AMD_SENSOR_GFX_SCLK, /* MHz */
	AMD_SENSOR_GFX_MCLK,
	AMD_SENSOR_STABLE_PSTATE_GFX_SCLK,
	AMD_SENSOR_STABLE_PSTATE_GFX_MCLK,
	AMD_SENSOR_PEAK_PSTATE_GFX_SCLK,
	AMD_SENSOR_PEAK_PSTATE_GFX_MCLK,
	AMD_SENSOR_GPU_LOAD, /* percent */
	AMD_SENSOR_GPU_TEMP, /* millidegrees Celsius */
	AMD_SENSOR_GPU_AVG_POWER, /* watts */
	AMD_SENSOR_GPU_INPUT_POWER,
	AMD_SENSOR_VDDNB, /* millivolts */
	AMD_SENSOR_VDDGFX,
	AMD_SENSOR_VRAM_USAGE, /* bytes */
	AMD_SENSOR_VIS_VRAM_USAGE,
	AMD_SENSOR_GTT_USAGE,
	AMD_SENSOR_VRAM_TOTAL,
	AMD_SENSOR_VIS_VRAM_TOTAL,
	AMD_SENSOR_GTT_TOTAL,
};

/*
 * Read a sensor from the kernel; no command reaches the GPU. Returns 0; -EINVAL
 * or -ENOENT if GPU or kernel have no such sensor; -ENODEV if the GPU has gone;
 * other errors of the kernel.
 */
int
amd_device_read_sensor(const struct amd_device *dev, enum amd_sensor sensor,
		       uint64_t *out);

/* Return the clocks at this moment; 0: not known. */
uint32_t
amd_device_engine_mhz(const struct amd_device *dev);
uint32_t
amd_device_memory_mhz(const struct amd_device *dev);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_DEVICE_H */
