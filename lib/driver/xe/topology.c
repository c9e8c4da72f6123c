/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/answers.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "driver/intel/xe_uapi.h"

/*
 * What is above the bits of a mask of XeCores or EUs must be 0. That of L3
 * banks may be longer.
 */
struct masks {
	struct gt_mask dss, eus;
	struct xe_l3 l3;
};

/*
 * Count the banks of a mask. A node has four bits; with 32 bits for each node,
 * the others are 0.
 */
static void
count_banks(const uint8_t *bytes, uint32_t count, struct xe_l3 *l3)
{
	for (uint32_t i = 0; i < count; i++) {
		l3->banks += (unsigned)__builtin_popcount(bytes[i]);
		l3->nodes += (bytes[i] & 0xf) != 0;
		l3->nodes += bytes[i] >> 4 != 0;
	}
}

static int
add_bits(struct gt_mask *mask, const uint8_t *bytes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (i < sizeof(*mask))
			mask->words[i / 8] |= (uint64_t)bytes[i] << i % 8 * 8;
		else if (bytes[i])
			return -EPROTO;
	}
	return 0;
}

static unsigned
count_bits(const struct gt_mask *mask)
{
	unsigned count = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(mask->words); i++)
		count += (unsigned)__builtin_popcountll(mask->words[i]);
	return count;
}

static int
take_mask(const struct xe_uapi_topology *head, const uint8_t *bytes,
	  struct masks *masks)
{
	switch (head->type) {
	case XE_UAPI_MASK_L3_BANKS:
		count_banks(bytes, head->bytes, &masks->l3);
		return 0;
	case XE_UAPI_MASK_DSS_GEOMETRY:
	case XE_UAPI_MASK_DSS_COMPUTE:
		return add_bits(&masks->dss, bytes, head->bytes);
	case XE_UAPI_MASK_EUS:
	case XE_UAPI_MASK_EUS_SIMD16:
		return add_bits(&masks->eus, bytes, head->bytes);
	default:
		return 0;
	}
}

static int
take_masks(const uint8_t *bytes, size_t length, unsigned gt,
	   struct masks *masks)
{
	struct xe_uapi_topology head;
	int ret = 0;

	while (length && !ret) {
		if (length < sizeof(head))
			return -EPROTO;
		memcpy(&head, bytes, sizeof(head));
		bytes += sizeof(head);
		length -= sizeof(head);
		if (head.bytes > length)
			return -EPROTO;
		if (head.gt == gt)
			ret = take_mask(&head, bytes, masks);
		bytes += head.bytes;
		length -= head.bytes;
	}
	return ret;
}

static void
add_xecore(struct gt_topology *topology, const struct gt_shape *shape,
	   unsigned xecore)
{
	const unsigned per_slice = shape->xecores_per_slice;
	unsigned slice = per_slice ? xecore / per_slice : 0;
	unsigned within = xecore - slice * per_slice;

	if (per_slice)
		gt_mask_set(&topology->xecore_mask, xecore);
	topology->slice_mask |= UINT64_C(1) << slice;
	gt_mask_set(&topology->subslice_mask,
		    slice * shape->subslice_bits + within);
	topology->subslices++;
}

int
xe_topology_decode(const void *data, size_t length, unsigned gt,
		   const struct gt_shape *shape, struct gt_topology *out,
		   struct xe_l3 *l3)
{
	const unsigned per_slice = shape->xecores_per_slice;
	/* before DG2 all subslices are of one slice */
	const unsigned xecores =
		per_slice ? gt_shape_xecores(shape) : shape->subslice_bits;
	struct gt_topology topology = { 0 };
	struct masks masks = { 0 };
	int ret = take_masks(data, length, gt, &masks);
	unsigned eus;

	if (ret)
		return ret;
	for (unsigned i = 0; i < xecores; i++) {
		if (gt_mask_has(&masks.dss, i))
			add_xecore(&topology, shape, i);
	}
	eus = count_bits(&masks.eus);
	if (!topology.subslices || !eus ||
	    topology.subslices != count_bits(&masks.dss))
		return -EPROTO;
	topology.first_subslices = masks.dss.words[0];
	topology.slices = (unsigned)__builtin_popcountll(topology.slice_mask);
	topology.eus_per_subslice = eus;
	topology.eus = topology.subslices * topology.eus_per_subslice;
	*out = topology;
	*l3 = masks.l3;
	return 0;
}
