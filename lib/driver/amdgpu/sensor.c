/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of AMD GPUs: those that the kernel answers one by one, files of
 * sysfs, and those in the table of the GPU's firmware. Which of them a GPU has
 * only the kernel knows: those that answer are listed. [Linux 6.12
 * amdgpu_kms.c, amdgpu_info_ioctl]
 */
#include "driver/sensor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "driver/amdgpu/error_files.h"
#include "driver/amdgpu/gpu_metrics.h"
#include "driver/amdgpu/device/device.h"
#include "driver/driver.h"
#include "driver/pcie_link.h"

static const struct known_sensor {
	enum amd_sensor question;
	const char *name; /* as the kernel calls it, in lower case */
	const char *description;
	enum drmperf_unit unit;
} known[] = {
	{ AMD_SENSOR_GFX_SCLK, "gfx-sclk", "Clock of the shaders.",
	  DRMPERF_UNIT_MEGAHERTZ },
	{ AMD_SENSOR_GFX_MCLK, "gfx-mclk", "Clock of the memory.",
	  DRMPERF_UNIT_MEGAHERTZ },
	{ AMD_SENSOR_STABLE_PSTATE_GFX_SCLK, "stable-pstate-gfx-sclk",
	  "Clock the shaders have while clocks are held in profiling mode.",
	  DRMPERF_UNIT_MEGAHERTZ },
	{ AMD_SENSOR_STABLE_PSTATE_GFX_MCLK, "stable-pstate-gfx-mclk",
	  "Clock the memory has while clocks are held in profiling mode.",
	  DRMPERF_UNIT_MEGAHERTZ },
	{ AMD_SENSOR_PEAK_PSTATE_GFX_SCLK, "peak-pstate-gfx-sclk",
	  "Clock the shaders have while clocks are held in peak mode.",
	  DRMPERF_UNIT_MEGAHERTZ },
	{ AMD_SENSOR_PEAK_PSTATE_GFX_MCLK, "peak-pstate-gfx-mclk",
	  "Clock the memory has while clocks are held in peak mode.",
	  DRMPERF_UNIT_MEGAHERTZ },
	{ AMD_SENSOR_GPU_LOAD, "gpu-load",
	  "Share of the time the graphics core was busy lately, as the GPU's "
	  "firmware averages it.",
	  DRMPERF_UNIT_PERCENT },
	{ AMD_SENSOR_GPU_TEMP, "gpu-temp", "Temperature of the GPU.",
	  DRMPERF_UNIT_MILLIDEGREES_CELSIUS },
	{ AMD_SENSOR_GPU_AVG_POWER, "gpu-avg-power",
	  "Power the GPU drew lately, as its firmware averages it; where it "
	  "has no average, newer kernels give the input power instead.",
	  DRMPERF_UNIT_WATTS },
	{ AMD_SENSOR_GPU_INPUT_POWER, "gpu-input-power",
	  "Power the GPU draws at this moment.", DRMPERF_UNIT_WATTS },
	{ AMD_SENSOR_VDDNB, "vddnb",
	  "Voltage of the part that joins GPU, CPU and memory, of APUs.",
	  DRMPERF_UNIT_MILLIVOLTS },
	{ AMD_SENSOR_VDDGFX, "vddgfx", "Voltage of the graphics core.",
	  DRMPERF_UNIT_MILLIVOLTS },
	{ AMD_SENSOR_VRAM_USAGE, "vram-usage",
	  "Memory of the GPU in use, by all processes and the kernel.",
	  DRMPERF_UNIT_BYTES },
	{ AMD_SENSOR_VRAM_TOTAL, "vram-total", "Memory of the GPU.",
	  DRMPERF_UNIT_BYTES },
	{ AMD_SENSOR_VIS_VRAM_USAGE, "vis-vram-usage",
	  "Memory of the GPU in use where the CPU can reach it.",
	  DRMPERF_UNIT_BYTES },
	{ AMD_SENSOR_VIS_VRAM_TOTAL, "vis-vram-total",
	  "Memory of the GPU that the CPU can reach.", DRMPERF_UNIT_BYTES },
	{ AMD_SENSOR_GTT_USAGE, "gtt-usage",
	  "Memory of the system in use by the GPU, for all processes and the "
	  "kernel.",
	  DRMPERF_UNIT_BYTES },
	{ AMD_SENSOR_GTT_TOTAL, "gtt-total",
	  "Memory of the system that the GPU may use.", DRMPERF_UNIT_BYTES },
};

struct amdgpu_sensors {
	struct amd_device *dev;
	struct gpu_metrics *metrics; /* or NULL */
	struct sensors sensors;
	struct sensor *list;
	size_t asked; /* the first ones are read one by one */
	enum amd_sensor questions[ARRAY_SIZE(known)]; /* like list */
	size_t first_file; /* end of those in the firmware's table */
	struct error_file files[ERROR_FILES_MAX + PCIE_LINK_SENSORS];
};

static int
read_file(const struct amdgpu_sensors *own, size_t index, uint64_t *value)
{
	int ret = error_file_read(&own->files[index - own->first_file], value);

	/* the files go with the GPU */
	return ret == -ENOENT ? -ENODEV : ret;
}

static int
read_sensor(void *data, size_t index, uint64_t *value)
{
	const struct amdgpu_sensors *own = data;

	if (index >= own->first_file)
		return read_file(own, index, value);
	return amd_device_read_sensor(own->dev, own->questions[index], value);
}

static int
sensor_reopen(void *data)
{
	const struct amdgpu_sensors *own = data;

	return amd_device_reopen(own->dev);
}

/*
 * Read the table of metrics. Newer kernels refuse that while the GPU sleeps,
 * and older ones wake it: so wake it first, as every start of sensors does.
 * [amdgpu_pm.c, Linux 6.12 and 7.0].
 */
static int
read_table(void *data, void *table)
{
	const struct amdgpu_sensors *own = data;
	int ret = gpu_metrics_read(own->metrics, table);
	uint64_t value;

	if (ret == -EPERM &&
	    !amd_device_read_sensor(own->dev, AMD_SENSOR_GFX_SCLK, &value))
		ret = gpu_metrics_read(own->metrics, table);
	/* the file goes with the GPU */
	return ret == -ENOENT ? -ENODEV : ret;
}

static int
sensor_pick(void *data, size_t index, const void *table, uint64_t *value)
{
	const struct amdgpu_sensors *own = data;

	return gpu_metrics_pick(own->metrics, index - own->asked, table, value);
}

/*
 * Find the sensors that answer a request. Any request of amdgpu's wakes the GPU
 * [amdgpu_drv.c, amdgpu_drm_ioctl].
 */
static int
find_asked(struct amdgpu_sensors *own)
{
	size_t count = 0;
	uint64_t value, most;
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		ret = amd_device_read_sensor(own->dev, known[i].question,
					     &value);
		if (ret == -ENODEV || error_is_transient(ret))
			return ret;
		if (ret)
			continue;
		/* BC-250 was seen to say 655 % [MangoHud #1997] */
		most = known[i].unit == DRMPERF_UNIT_PERCENT ? 100 : 0;
		own->questions[count] = known[i].question;
		own->list[count++] = (struct sensor){
			.name = known[i].name,
			.description = known[i].description,
			.unit = known[i].unit,
			.kind = DRMPERF_KIND_MOMENTARY,
			.scale = 1,
			.most = most,
			.wakes = true,
		};
	}
	own->asked = count;
	return 0;
}

static bool
has_sensor(const struct amdgpu_sensors *own, const char *name)
{
	for (size_t i = 0; i < own->first_file; i++) {
		if (!strcmp(own->list[i].name, name))
			return true;
	}
	return false;
}

/* Drop those sensors from a list that the firmware's table has, too. */
static size_t
drop_duplicates(const struct amdgpu_sensors *own, struct sensor *list,
		struct error_file *files, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (has_sensor(own, list[i].name))
			continue;
		list[kept] = list[i];
		files[kept++] = files[i];
	}
	return kept;
}

/* Find what is in files, and append it to what has been found. */
static int
find_files(struct amdgpu_sensors *own, const struct driver_target *target,
	   struct arena *arena)
{
	struct sensor *list = own->list + own->first_file;
	const char *paths[PCIE_LINK_SENSORS];
	size_t count = 0, links = 0;
	int ret;

	ret = pcie_link_add(target->sysfs, arena, list, paths, &links);
	for (; !ret && count < links; count++)
		own->files[count] = (struct error_file){ paths[count], NULL };
	if (!ret)
		ret = error_files_find(target->sysfs, amd_device_info(own->dev),
				       arena, list, own->files, &count);
	own->sensors.count =
		own->first_file + drop_duplicates(own, list, own->files, count);
	return ret;
}

static int
find_sensors(struct amdgpu_sensors *own, const struct driver_target *target,
	     struct arena *arena, struct drmperf_error *error)
{
	size_t of_table = 0;
	int ret;

	ret = gpu_metrics_find(target, amd_device_info(own->dev)->identity.core,
			       arena, &own->metrics, error);
	if (ret)
		return ret;
	if (own->metrics)
		of_table = gpu_metrics_count(own->metrics);
	own->list = arena_alloc(
		arena, (ARRAY_SIZE(known) + of_table + ARRAY_SIZE(own->files)) *
			       sizeof(own->list[0]));
	if (!own->list)
		return error_set(error, -ENOMEM, "no memory");
	ret = find_asked(own);
	own->sensors.list = own->list;
	own->first_file = own->asked + of_table;
	for (size_t i = 0; i < of_table; i++)
		own->list[own->asked + i] =
			*gpu_metrics_sensor(own->metrics, i);
	if (!ret)
		ret = find_files(own, target, arena);
	if (ret == -ENODEV)
		return error_set(error, ret, "%s has gone", target->render);
	if (ret)
		return error_set(error, ret,
				 "%s does not report its sensors: %s",
				 target->render, strerror(-ret));
	return 0;
}

static void
sensor_release(void *device)
{
	struct amdgpu_sensors *own = device;

	sensors_finish(&own->sensors);
	amd_device_close(own->dev);
	free(own);
}

static void
sensor_abandon(void *device)
{
	struct amdgpu_sensors *own = device;

	sensors_finish(&own->sensors);
	amd_device_abandon(own->dev);
	free(own);
}

static int
sensor_describe(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	struct amdgpu_sensors *own = calloc(1, sizeof(*own));
	int ret;

	if (!own)
		return error_set(error, -ENOMEM, "no memory");
	ret = amd_device_open(target, &own->dev, error);
	if (ret) {
		free(own);
		return ret;
	}
	own->sensors.read = read_sensor;
	own->sensors.reopen = sensor_reopen;
	own->sensors.table_size = GPU_METRICS_SIZE;
	own->sensors.read_table = read_table;
	own->sensors.pick = sensor_pick;
	own->sensors.data = own;
	sensors_init(&own->sensors, target);
	ret = find_sensors(own, target, description->arena, error);
	if (!ret && sensors_describe(&own->sensors, description))
		ret = error_set(error, -ENOMEM, "no memory");
	if (ret)
		sensor_release(own);
	else
		*out = own;
	return ret;
}

const struct driver amdgpu_sensor_driver = {
	.name = "amdgpu",
	.describe = sensor_describe,
	.release = sensor_release,
	.abandon = sensor_abandon,
};
