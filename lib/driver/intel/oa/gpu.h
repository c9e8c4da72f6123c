/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An Intel GPU as metric sets see it, whichever kernel driver it has.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_GPU_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_GPU_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "driver/driver.h"
#include "driver/intel/oa/composition.h"
#include "driver/intel/oa/condition.h"
#include "driver/intel/oa/metric_set.h"
#include "driver/intel/oa/platform.h"
#include "driver/intel/oa/topology.h"

struct oa_kernel_ops;

/* The first member of either driver's struct of a GPU. */
struct oa_gpu {
	const char *driver; /* "i915", "xe" */
	const char *folder; /* of its tables: that of either driver */
	const struct oa_kernel_ops *source; /* of streams */
	char node[64]; /* the node that is open */
	char sysfs[128]; /* folder of the PCI device; "": it is not here */
	int fd; /* of the node; -1: a GPU that is not here */
	uint32_t device_id;
	_Atomic uint64_t stream_closed_ns; /* of ours; 0: never */
	struct log_sink log;
	struct table_path tables;
	struct table *platforms;
	struct platform platform;
	struct gt_topology topology;
	uint64_t timestamp_hz; /* of the render unit's reports */
	uint64_t min_hz, max_hz; /* limits of the core clock as they are now */
	uint64_t peak_hz; /* upper limit of the core clock */
	size_t buffer_size; /* streams are opened with it; 0: OA_BUFFER_SIZE */
	char metrics[256]; /* sysfs folder of loaded sets */
	atomic_bool warned_of_rate[OA_UNIT_COUNT];

	/* of a GPU of a recording */
	char recorded_set[256], recorded_guid[40]; /* this may be "" */
	struct table *table; /* PLATFORM.xml */
	struct metric_sets sets;
	struct composition composition;
	/* Names that expressions and conditions may refer to. */
	struct constants constants;
	struct arena *arena; /* of the constants */
	/*
	 * Tables read from PLATFORM.registers.xml when a set was first used:
	 * one per set, or one of all.
	 */
	pthread_mutex_t registers_lock;
	struct table *registers;
};

/*
 * Initialize a zeroed GPU. Caller calls oa_gpu_finish() in the end, whatever
 * has failed in between.
 */
void
oa_gpu_init(struct oa_gpu *gpu, const char *driver,
	    const struct driver_target *target);
void
oa_gpu_finish(struct oa_gpu *gpu);

/* Open the node that target names. -EACCES; -ENODEV; others. */
int
oa_gpu_open_node(struct oa_gpu *gpu, const struct driver_target *target,
		 struct drmperf_error *error);

/*
 * Read the number of MHz in FOLDER/NAME; *hz is 0 if there is none. Returns
 * transient errors only.
 */
int
oa_gpu_read_mhz(const char *folder, const char *name, uint64_t *hz);

/*
 * Find gpu->platform. Called again once the topology is known, on which it may
 * depend. -ENOTSUP; -EBADMSG; -ENOMEM.
 */
int
oa_gpu_find_platform(struct oa_gpu *gpu, const struct gt_topology *topology,
		     struct drmperf_error *error);

/*
 * Find gpu->platform by the tables of the other driver, where gpu->driver has
 * none of its own for this GPU.
 */
int
oa_gpu_find_platform_in(struct oa_gpu *gpu, const char *folder,
			struct drmperf_error *error);

/* Read gpu->table. -ENOTSUP if there is none; -EBADMSG; -ENOMEM. */
int
oa_gpu_find_table(struct oa_gpu *gpu, struct drmperf_error *error);

/* Add a constant; name is not copied. Returns 0, or -ENOMEM. */
int
oa_gpu_add_constant(struct oa_gpu *gpu, const char *name, uint64_t value);

/*
 * Add a constant with the bits of a mask, or without a value if the mask does
 * not fit a number; name is not copied. Returns 0, or -ENOMEM.
 */
int
oa_gpu_add_mask(struct oa_gpu *gpu, const char *name,
		const struct gt_mask *mask);

/* Add a constant: whether a part of the GPU is there. 0, or -ENOMEM. */
int
oa_gpu_add_part(struct oa_gpu *gpu, bool present, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Return how many XeCores have constants of their own: half of what a GPU can
 * have, which is as many as the tables name, or all if one of the others is
 * there.
 */
unsigned
oa_gpu_named_xecores(const struct oa_gpu *gpu);

/* Add constants of frequencies, platform and topology. 0, or -ENOMEM. */
int
oa_gpu_add_constants(struct oa_gpu *gpu);

/*
 * Append constants, raw counters and metric sets; domains have been before.
 * -EBADMSG; -ENOMEM.
 */
int
oa_gpu_describe(struct oa_gpu *gpu, const struct driver_target *target,
		struct description *description, struct drmperf_error *error);

/*
 * Find the element that lists the registers of a set. Returns 0, -EBADMSG or
 * -ENOMEM.
 */
int
oa_gpu_registers(struct oa_gpu *gpu, const struct metric_set *set,
		 const struct table **table, const struct element **element,
		 struct drmperf_error *error);

/* ------------------------------------------------------------------ */

/* Warn that clocks stay as they are, if another mode was asked for. */
void
oa_gpu_warn_of_clock_mode(const struct oa_gpu *gpu,
			  enum drmperf_clock_mode mode);

/*
 * Warn that reports count time at hz and not at said_hz; once per unit, since
 * that does not change. Does nothing if hz is 0.
 */
void
oa_gpu_warn_of_rate(struct oa_gpu *gpu, unsigned unit, double hz,
		    uint64_t said_hz);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_GPU_H */
