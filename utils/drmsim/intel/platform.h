/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixed properties of a simulated Intel GPU, read from gpus/NAME.gpu. */
#ifndef DRMSIM_INTEL_PLATFORM_H
#define DRMSIM_INTEL_PLATFORM_H

#include "intel/oa_unit.h"
#include "base/text.h"

/* Engine classes in the numbering of the interface. */
enum sim_engine_class {
	SIM_ENGINE_RENDER,
	SIM_ENGINE_COPY,
	SIM_ENGINE_VIDEO,
	SIM_ENGINE_VIDEO_ENHANCE,
	SIM_ENGINE_COMPUTE,
	SIM_ENGINE_CLASSES,
};

#define SIM_SLICES_MAX 16
#define SIM_SUBSLICES_MAX 32
#define SIM_ENGINES_MAX 8 /* of one class */
#define SIM_TEST_SETS_MAX 4
#define SIM_CLOCK_SETS_MAX 8

struct sim_topology {
	/* what the kernel says is the most there could be */
	unsigned max_slices, max_subslices, max_eus;
	/* of each slice that is there; 0: the slice is not */
	uint32_t subslices[SIM_SLICES_MAX];
	unsigned eus; /* in each subslice */
};

struct sim_platform {
	char name[32]; /* of the metric tables: "sklgt2" */
	unsigned version; /* graphics IP, times 100: 1255 is 12.55 */
	enum sim_oa_generation generation;
	bool cherryview, discrete, media_oa;
	uint64_t vram; /* bytes, 0 if integrated */
	uint32_t formats; /* i915: bit per format number */
	uint64_t oa_hz, cs_hz;
	unsigned gts;
	unsigned min_mhz, max_mhz, rp0_mhz;
	unsigned engines[SIM_ENGINE_CLASSES]; /* how many of each */
	struct sim_topology topology;
	/*
	 * Metric sets in which B counters follow the clock: by UUID, and, as
	 * programs may give UUIDs of their own, by the hash of their registers
	 * (rate.h; 0: not told).
	 */
	char test_sets[SIM_TEST_SETS_MAX][37];
	uint32_t test_routings[SIM_TEST_SETS_MAX];
	unsigned test_set_count;
	/* metric sets in which a slot is the GPU clock (Haswell) */
	struct {
		char uuid[37];
		int slot;
	} clock_sets[SIM_CLOCK_SETS_MAX];
	unsigned clock_set_count;
};

/*
 * Returns 0, or -EINVAL after a line on standard error that names the file
 * and what is wrong in it.
 */
int sim_platform_read(struct sim_platform *out, const struct sim_text *text);

unsigned sim_topology_eus(const struct sim_topology *topology);
/*
 * Read the masks of all slices, "0x7f", "7:3", which replace those in topology.
 * Returns 0 or -EINVAL.
 */
int sim_topology_parse(struct sim_topology *topology, const char *value);

/* Return "rcs", "bcs", "vcs", "vecs", "ccs". */
const char *sim_engine_name(enum sim_engine_class class);

#endif /* DRMSIM_INTEL_PLATFORM_H */
