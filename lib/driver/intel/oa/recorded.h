/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records that i915-perf-recorder of intel-gpu-tools adds to those of a perf
 * stream: types of its own that describe the GPU, the metric set, and time (IGT
 * lib/i915/perf_data.h, version 1). Under i915 a header followed by the records
 * that a session's raw function gets has the same form, so that one can be read
 * as the other; under xe the header has a record of ours in place of its units.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_RECORDED_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/intel/oa/gpu.h"

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

/* The contents of a header. */
struct recorded_facts {
	struct recorded_device device; /* its texts end */
	enum recorded_type kind; /* of units: which kernel driver it was */
	const void *units; /* RECORDED_TOPOLOGY: the kernel's answer */
	size_t units_size;
};

/* Fill in the facts that are alike for i915 and xe. 0, -EBADMSG, -ENOMEM. */
int
recorded_device_fill(struct recorded_device *out, struct oa_gpu *gpu,
		     const struct metric_set *set, uint64_t timestamp_hz,
		     struct drmperf_error *error);
/* Copy the facts of a header into gpu; gpu->sets has the recorded set. */
void
recorded_device_take(const struct recorded_device *device, struct oa_gpu *gpu);

/* Write a header, as much as fits. Returns how long it is. */
size_t
recorded_facts_write(const struct recorded_facts *facts, void *buffer,
		     size_t size);

/*
 * Read a header; units point into it. Returns 0, or -EBADMSG if a part is
 * missing.
 */
int
recorded_facts_read(const uint8_t *header, size_t size,
		    struct recorded_facts *out);

/* Return whether header is one of this kind. */
bool
recorded_facts_are_of(enum recorded_type kind, const void *header, size_t size);

/*
 * Write a record that says when, on CLOCK_MONOTONIC, a report was taken.
 * Returns its size.
 */
size_t
recorded_time(uint64_t ns, uint64_t report_time,
	      uint8_t record[RECORDED_TIME_SIZE]);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_RECORDED_H */
