/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What i915-perf-recorder of intel-gpu-tools writes beside the records of a
 * perf stream: records of types of its own that tell of the GPU, of the metric
 * set, and of time (IGT lib/i915/perf_data.h, version 1). What a session's raw
 * function gets under i915, behind a head, is the same, so that one can be read
 * as the other; under xe the head has a record of ours in place of its units.
 */
#ifndef DRMPERF_LIB_DRIVER_OA_RECORDED_H
#define DRMPERF_LIB_DRIVER_OA_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/oa/gpu.h"

enum recorded_type {
	RECORDED_DEVICE = 0x10001,
	RECORDED_TOPOLOGY,
	RECORDED_TIME,
	RECORDED_XE = 0x20002, /* ours: what lib/driver/xe has to know */
};

#define RECORDED_TIME_SIZE 24

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
	enum recorded_type kind; /* of units: which kernel driver it was */
	const void *units; /* RECORDED_TOPOLOGY: the kernel's answer */
	size_t units_size;
};

/* What is known whichever the kernel driver is. -EBADMSG; -ENOMEM. */
int
recorded_device_fill(struct recorded_device *out, struct oa_gpu *gpu,
		     const struct metric_set *set, uint64_t timestamp_hz,
		     struct drmperf_error *error);
/* The other way. gpu->sets has the one that was recorded. */
void
recorded_device_take(const struct recorded_device *device, struct oa_gpu *gpu);

/* Write a head, as much as fits. Returns how long it is. */
size_t
recorded_facts_write(const struct recorded_facts *facts, void *buffer,
		     size_t size);

/* The units are within the head. -EBADMSG: it does not tell all of that. */
int
recorded_facts_read(const uint8_t *head, size_t size,
		    struct recorded_facts *out);

/* Whether that is a head of this kind. */
bool
recorded_facts_are_of(enum recorded_type kind, const void *head, size_t size);

/*
 * A record that says when, on CLOCK_MONOTONIC, a report was taken. Returns its
 * size.
 */
size_t
recorded_time(uint64_t ns, uint64_t report_time,
	      uint8_t record[RECORDED_TIME_SIZE]);

#endif /* DRMPERF_LIB_DRIVER_OA_RECORDED_H */
