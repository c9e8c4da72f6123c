/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queries of a GPU that the xe kernel driver answers: used by the driver of the
 * GPU here, and by that of its PMU.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_XE_QUERY_H
#define DRMPERF_LIB_DRIVER_INTEL_XE_QUERY_H

#include <stddef.h>
#include <stdint.h>

struct xe_engine {
	unsigned engine_class, instance, gt;
};

struct xe_gt {
	unsigned id, type;
	unsigned ip_major, ip_minor;
	uint32_t reference_hz;
};

/* The parts that can be named. Both lists are released with free(). */
struct xe_parts {
	struct xe_engine *engines;
	size_t engine_count;
	struct xe_gt *gts;
	size_t gt_count;
};

/* Call ioctl(), again if a signal interrupts it. Returns 0 or -errno. */
int xe_ioctl(int fd, unsigned long request, void *argument);

/*
 * Get the answer to a query; *data is released with free(). Returns 0 or
 * -errno.
 */
int xe_query_ask(int fd, uint32_t id, void **data, size_t *length);

/* Query into a zeroed buffer of the caller's. -EPROTO: too small. */
int
xe_query_into(int fd, uint32_t id, void *answer, size_t size);

/*
 * Query the engines and GTs. Returns 0; -EPROTO; -ENOMEM; errors of the kernel.
 */
int xe_parts_read(int fd, struct xe_parts *out);
void xe_parts_free(struct xe_parts *parts);

/* Decode both answers: *out is released with free(). -EPROTO; -ENOMEM. */
int xe_engines_decode(const void *data, size_t length, struct xe_engine **out,
		      size_t *count);
int xe_gts_decode(const void *data, size_t length, struct xe_gt **out,
		  size_t *count);

/*
 * Return the name of a class of engines: "rcs", "bcs", "vcs", "vecs", "ccs";
 * NULL for one that does no work.
 */
const char *xe_class_name(unsigned engine_class);

#endif /* DRMPERF_LIB_DRIVER_INTEL_XE_QUERY_H */
