/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of a graphics core that exist in this GPU: shader engines, shader
 * arrays in them, and in each array compute units and render backends, some of
 * which are fused off. Numbers are physical ones, as GRBM_GFX_INDEX wants them.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_TABLES_TOPOLOGY_H
#define DRMPERF_LIB_DRIVER_AMDGPU_TABLES_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/amdgpu/tables/chip.h"

/* The kernel reports sixteen arrays at most. */
#define TOPOLOGY_ENGINES 8
#define TOPOLOGY_ARRAYS 4

struct topology {
	unsigned level; /* major version of the graphics core */
	unsigned engines;
	unsigned arrays; /* per engine */
	unsigned cus_per_array;
	/* compute units that the kernel reports and the table of chips lacks */
	unsigned cus_beyond;
	unsigned rbs_per_array;
	unsigned channels;
	uint64_t channels_off;
	unsigned arbiters;
	unsigned interfaces;
	unsigned sdma_engines; /* 0: as many as there are registers for */
	unsigned wgps_above_spi;
	unsigned xccs; /* that may take a command buffer; 0: there is but one */
	const char *target;  /* "gfx900", or NULL */
	const char *without; /* blocks that are not there, or NULL */
	const char *untested; /* hidden blocks to offer nevertheless, or NULL */
	/* hidden items that a self-test has found wrong, or hanging; or NULL */
	const char *failed, *hanging;
	uint64_t rbs; /* bit array * rbs_per_array + n of all arrays in order */
	uint32_t cus[TOPOLOGY_ENGINES][TOPOLOGY_ARRAYS]; /* bit n: unit n */
	/* those that the kernel reports: of the first XCC, if of several */
	uint32_t reported_cus[TOPOLOGY_ENGINES][TOPOLOGY_ARRAYS];
	/*
	 * The kernel reports only the units of the first of several XCCs,
	 * whichever counts: cus then has all there can be, as aqlprofile reads
	 * them (gfx9_block_info.h). Counters of those that are fused off stand
	 * still.
	 */
	bool all_cus;
	unsigned cu_count; /* of an XCC, without those that are fused off */
};

/* Returns 0, or -ENOTSUP if the kernel describes more than fits. */
int
topology_init(struct topology *topology, unsigned level,
	      const struct amd_device_shape *source, const struct chip *chip,
	      struct drmperf_error *error);

/*
 * Return why an item is off that is hidden for this reason, unless a self-test
 * has tried it since.
 */
const char *
topology_hidden_reason(const struct topology *topology, const char *name,
		       const char *reason);

bool topology_has_engine(const struct topology *topology, unsigned engine);
bool topology_has_array(const struct topology *topology, unsigned engine,
			unsigned array);
bool topology_has_cu(const struct topology *topology, unsigned engine,
		     unsigned array, unsigned cu);
bool topology_has_rb(const struct topology *topology, unsigned engine,
		     unsigned array, unsigned rb);

/* Return a mask: bit n is set if engine n has something left. */
uint32_t topology_engine_mask(const struct topology *topology);

/* Return how many there are. */
unsigned topology_engine_count(const struct topology *topology);
unsigned topology_cu_count(const struct topology *topology);
unsigned topology_simd_count(const struct topology *topology);
unsigned topology_channel_count(const struct topology *topology);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_TABLES_TOPOLOGY_H */
