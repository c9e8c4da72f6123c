/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine with simulated Intel GPUs, one for each kind of OA unit, in virtual
 * time, and i915's calls on their nodes.
 */
#ifndef DRMPERF_TESTS_DRMSIM_I915_NODE_H
#define DRMPERF_TESTS_DRMSIM_I915_NODE_H

#include <i915_drm.h>
#include <stdint.h>

#include "tests/drmsim/intel_node.h"
#include "tests/support/check.h"

enum gpu {
	HSW,
	SKL,
	TGL,
	MTL,
	ICL,
	DG2,
};

/* The options of drmsim for a machine with all of them. */
#define I915_GPUS                                                              \
	"--time", "virtual", "--gpu=hsw", "--gpu=skl", "--gpu=tgl",            \
		"--gpu=mtl", "--gpu=icl", "--gpu=acmgt3"

#define UUID "01234567-89ab-cdef-0123-456789abcdef"
#define OTHER_UUID "01234567-89ab-cdef-0123-456789abcde0"
/* the self-test set of Skylake GT2 */
#define TEST_OA "c5384091-ce4c-406c-ab4d-4c530f71c7ae"

#define NODE_NO_SET 0xdead /* a metric set that is not there */

/* Properties of a stream. */
struct node_property {
	uint64_t id, value;
};

/* Registers of a configuration that is right. */
struct node_registers {
	struct drm_i915_perf_oa_config config;
	uint32_t mux[4], boolean[4], flex[14];
};

void
node_make_registers(struct node_registers *r, enum gpu gpu, const char *uuid);

int
node_add(int fd, enum gpu gpu, const char *uuid);

int
node_remove(int fd, int id);

/* Opens a stream with these properties. */
int
node_perf_open(int fd, uint32_t flags, const struct node_property *properties,
	       unsigned count);

/* Open a stream on Skylake's unit, or -errno. */
int
node_stream(int fd, int id, unsigned exponent, uint32_t flags);

#endif /* DRMPERF_TESTS_DRMSIM_I915_NODE_H */
