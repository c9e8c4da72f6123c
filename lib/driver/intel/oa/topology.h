/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slices, subslices and EUs of a GPU, as conditions and equations of metric
 * sets name them.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_TOPOLOGY_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#define GT_SLICES_MAX 16
#define GT_XECORES_MAX 128 /* bits of a mask, as of the kernel's widest */

struct gt_mask {
	uint64_t words[GT_XECORES_MAX / 64];
};

static inline void
gt_mask_set(struct gt_mask *mask, unsigned bit)
{
	mask->words[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline bool
gt_mask_has(const struct gt_mask *mask, unsigned bit)
{
	return mask->words[bit / 64] >> bit % 64 & 1;
}

/* Return whether the first word is the whole mask. */
static inline bool
gt_mask_is_number(const struct gt_mask *mask)
{
	return !mask->words[1];
}

/* How the metric sets of a platform interpret the kernel's masks. */
struct gt_shape {
	unsigned subslice_bits; /* per slice, in subslice_mask */
	/*
	 * Where the kernel reports one slice with a flat list of subslices
	 * (DG2 and later): how many make up a slice; else 0.
	 */
	unsigned xecores_per_slice;
};

/*
 * Return how many XeCores all slices could have, which are named by flat
 * numbers; 0 where subslices are no XeCores (before DG2).
 */
static inline unsigned
gt_shape_xecores(const struct gt_shape *shape)
{
	return GT_SLICES_MAX * shape->xecores_per_slice;
}

struct gt_topology {
	unsigned slices, subslices, eus; /* totals */
	unsigned eus_per_subslice;	 /* most the chip may have */
	uint64_t slice_mask;
	/* slice s, subslice n: bit s * bits + n */
	struct gt_mask subslice_mask;
	/* by flat number, where there are XeCores */
	struct gt_mask xecore_mask;
	uint64_t first_subslices; /* of slice 0, as the kernel numbers them */
};

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_TOPOLOGY_H */
