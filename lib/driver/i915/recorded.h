/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What i915-perf-recorder of intel-gpu-tools writes beside the records of a
 * perf stream: records of types of its own that tell of the GPU, of the metric
 * set, and of time (IGT lib/i915/perf_data.h, version 1). What a session's raw
 * function gets, behind a head, is the same, so that one can be read as the
 * other.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_RECORDED_H
#define DRMPERF_LIB_DRIVER_I915_RECORDED_H

#include <stddef.h>
#include <stdint.h>

#include "driver/oa/stream/source.h"

enum recorded_type {
	RECORDED_DEVICE = 0x10001,
	RECORDED_TOPOLOGY,
	RECORDED_TIME,
};

/* Behind the header of RECORDED_DEVICE. */
struct recorded_device {
	uint64_t timestamp_hz;
	uint32_t device_id, revision, min_hz, max_hz;
	uint32_t engine_class, engine_instance, format;
	char set[256];
	char guid[40];
	uint32_t pad;
};

/* Behind that of RECORDED_TIME: a report's timestamp, and when that was. */
struct recorded_time {
	uint64_t monotonic_ns, ticks;
};

/* What a head tells. */
struct recorded_facts {
	struct recorded_device device; /* its texts end */
	const void *units; /* the kernel's answer about them */
	size_t units_size;
};

/* Write a head, as much as fits. Returns how long it is. */
size_t
recorded_facts_write(const struct recorded_facts *facts, void *buffer,
		     size_t size);

/* The units are within the head. -EBADMSG: it does not tell all of that. */
int
recorded_facts_read(const uint8_t *head, size_t size,
		    struct recorded_facts *out);

/* As struct oa_source has it. */
size_t
recorded_time(uint64_t ns, uint64_t report_time,
	      uint8_t record[OA_TIME_RECORD_SIZE]);

#endif /* DRMPERF_LIB_DRIVER_I915_RECORDED_H */
