/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/topology.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "driver/xe_uapi.h"

/*
 * Masks of XeCores and EUs have a few bytes; what is above these 64 bits must
 * be 0. That of L3 banks may be longer.
 */
struct masks {
	uint64_t dss, eus;
	struct xe_l3 l3;
};

/* A node has four bits; with 32 bits for each node, the others are 0. */
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
take_mask(const struct xe_uapi_topology *head, const uint8_t *bytes,
	  struct masks *masks)
{
	uint64_t mask = 0;

	if (head->type == XE_UAPI_MASK_L3_BANKS) {
		count_banks(bytes, head->bytes, &masks->l3);
		return 0;
	}
	for (uint32_t i = 0; i < head->bytes; i++) {
		if (i < sizeof(mask))
			mask |= (uint64_t)bytes[i] << 8 * i;
		else if (bytes[i])
			return -EPROTO;
	}
	switch (head->type) {
	case XE_UAPI_MASK_DSS_GEOMETRY:
	case XE_UAPI_MASK_DSS_COMPUTE:
		masks->dss |= mask;
		break;
	case XE_UAPI_MASK_EUS:
	case XE_UAPI_MASK_EUS_SIMD16:
		masks->eus |= mask;
		break;
	default:
		break;
	}
	return 0;
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
		topology->xecore_mask |= UINT64_C(1) << xecore;
	topology->slice_mask |= UINT64_C(1) << slice;
	topology->subslice_mask |= UINT64_C(1)
				   << (slice * shape->subslice_bits + within);
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

	if (ret)
		return ret;
	if (!masks.dss || !masks.eus ||
	    (xecores < GT_XECORES_MAX && masks.dss >> xecores))
		return -EPROTO;
	for (unsigned i = 0; i < xecores; i++) {
		if (masks.dss >> i & 1)
			add_xecore(&topology, shape, i);
	}
	topology.first_subslices = masks.dss;
	topology.slices = (unsigned)__builtin_popcountll(topology.slice_mask);
	topology.eus_per_subslice = (unsigned)__builtin_popcountll(masks.eus);
	topology.eus = topology.subslices * topology.eus_per_subslice;
	*out = topology;
	*l3 = masks.l3;
	return 0;
}
