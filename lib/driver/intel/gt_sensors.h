/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of Intel GPUs: files of sysfs for each GT and of a hwmon device,
 * which need no permission, and memory, which the node reports. The kernel
 * drivers have different files in different places.
 *
 * A GPU with several GTs has each sensor once per GT, with the ending that the
 * kernel gives to events of its PMU: "act-freq-gt1".
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_GT_SENSORS_H
#define DRMPERF_LIB_DRIVER_INTEL_GT_SENSORS_H

#include "driver/driver.h"
#include "driver/hwmon.h"
#include "driver/intel/memory.h"
#include "driver/sensor.h"

#define GT_SENSORS_GTS 8 /* at most, of a GPU */
#define GT_SENSORS_MOST 264

/* A sensor of a GT: a frequency in MHz, a time, or a flag. */
struct gt_sensor {
	const char *file; /* in the GT's folder */
	const char *name;
	const char *description;
	bool wakes;
	unsigned ms_bits; /* a time: of as many bits, in milliseconds */
	bool is_flag;
};

/* Reasons why a GT runs below the requested frequency: files of 0 or 1. */
#define GT_THROTTLE(prefix, file_word, word, text)                             \
	{                                                                      \
		prefix file_word, "throttle-" word,                            \
			"Whether " text                                        \
			" lowers the GT's frequency at this moment: 1, "       \
			"else 0.",                                             \
			true, 0, true                                          \
	}

/*
 * How often energy is read: the hardware has 32 bits, of 61 uJ, which wrap
 * after four minutes at 1000 W, and the kernel counts wraps when it is read.
 * Each reading keeps the GPU awake, for another ten seconds under i915: a
 * shorter period than that would never let it sleep. [Linux 6.12 i915_hwmon.c,
 * xe_hwmon.c, intel_runtime_pm.c]
 */
#define GT_KEEP_ENERGY_MS 60000

/*
 * Channels of the hwmon device of a discrete GPU: present values, power (files
 * have microwatts), and energy. Reading any of them wakes the GPU.
 */
#define GT_HWMON(file_name, sensor_name, its_unit, its_kind, its_bits,         \
		 its_keep_ms, by, text)                                        \
	{                                                                      \
		.file = file_name, .sensor = {                                 \
			.name = sensor_name,                                   \
			.description = text,                                   \
			.unit = its_unit,                                      \
			.kind = its_kind,                                      \
			.bits = its_bits,                                      \
			.keep_ms = its_keep_ms,                                \
			.scale = 1,                                            \
			.divisor = by,                                         \
			.wakes = true                                          \
		}                                                              \
	}
#define GT_CHANNEL(file, name, unit, text)                                     \
	GT_HWMON(file, name, unit, DRMPERF_KIND_MOMENTARY, 0, 0, 0, text)
#define GT_POWER(file, name, text)                                             \
	GT_HWMON(file, name, DRMPERF_UNIT_MILLIWATTS, DRMPERF_KIND_MOMENTARY,  \
		 0, 0, 1000, text)
#define GT_ENERGY(file, name, text)                                            \
	GT_HWMON(file, name, DRMPERF_UNIT_MICROJOULES,                         \
		 DRMPERF_KIND_CUMULATIVE, 64, GT_KEEP_ENERGY_MS, 0, text)

struct gt_sensors {
	const struct driver_target *target;
	struct arena *arena;
	const char *folder; /* becomes invalid when the GPU goes */
	const char *files[GT_SENSORS_MOST]; /* opened again for each value */
	struct memory_source memory;
	/* one more than the value read last; 0: none was read */
	_Atomic uint64_t last[GT_SENSORS_MOST];
	/* files that list all reasons of throttling of a GT, or NULL */
	const char *reasons[GT_SENSORS_GTS];
	/* of sensors from such a list: their GT, and the word in the list */
	uint8_t gts[GT_SENSORS_MOST];
	const char *words[GT_SENSORS_MOST]; /* NULL: any */
	struct sensor list[GT_SENSORS_MOST];
	struct sensors sensors;
};

/* The sensors of GPUs of one kernel driver. */
struct gt_sensor_source {
	/* Set the folder, and add what GTs have. 0 or -errno. */
	int (*find)(struct gt_sensors *own);
	const char *hwmon; /* the name of that device */
	const struct hwmon_channel *channels;
	size_t channel_count;
	int (*read_memory)(int node, struct memory_regions *out);
	bool memory_wakes;
};

/*
 * Add a sensor under that name if there is such a file; both are of the arena.
 * -ENOENT if not; -ENOMEM if one of them is NULL; transient errors.
 */
int
gt_sensors_add(struct gt_sensors *own, const struct gt_sensor *what,
	       const char *name, const char *file);

/*
 * Make the sensor that was added last read its word in the GT's list of
 * reasons, own->reasons, so that all are of one moment. NULL: it reads whether
 * there is any reason.
 */
void
gt_sensors_use_reasons(struct gt_sensors *own, unsigned gt, const char *word);

/* Implement describe() and release() for drivers with such a source. */
int
gt_sensors_describe(const struct gt_sensor_source *source,
		    const struct driver_target *target,
		    struct description *description, void **out,
		    struct drmperf_error *error);
void
gt_sensors_release(void *device);

#endif /* DRMPERF_LIB_DRIVER_INTEL_GT_SENSORS_H */
