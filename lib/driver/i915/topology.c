/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/topology.h"

#include <errno.h>
#include <stdbool.h>

#include "driver/i915/uapi.h"

struct topology_answer {
	const struct drm_i915_query_topology_info *head;
	const uint8_t *bytes; /* behind the head */
	size_t length;
};

/* Return bit n of the mask that begins at offset. */
static bool
has_bit(const struct topology_answer *answer, size_t offset, unsigned n)
{
	return answer->bytes[offset + n / 8] >> n % 8 & 1;
}

static bool
has_subslice(const struct topology_answer *answer, unsigned slice,
	     unsigned subslice)
{
	const struct drm_i915_query_topology_info *head = answer->head;

	return has_bit(answer,
		       head->subslice_offset +
			       (size_t)slice * head->subslice_stride,
		       subslice);
}

static unsigned
count_eus(const struct topology_answer *answer, unsigned slice,
	  unsigned subslice)
{
	const struct drm_i915_query_topology_info *head = answer->head;
	size_t offset = head->eu_offset +
			((size_t)slice * head->max_subslices + subslice) *
				head->eu_stride;
	unsigned count = 0;

	for (unsigned eu = 0; eu < head->max_eus_per_subslice; eu++)
		count += has_bit(answer, offset, eu);
	return count;
}

static void
add_subslice(struct gt_topology *topology, const struct gt_shape *shape,
	     unsigned slice, unsigned subslice)
{
	if (shape->xecores_per_slice) {
		gt_mask_set(&topology->xecore_mask, subslice);
		slice = subslice / shape->xecores_per_slice;
		subslice %= shape->xecores_per_slice;
	}
	topology->slice_mask |= UINT64_C(1) << slice;
	gt_mask_set(&topology->subslice_mask,
		    slice * shape->subslice_bits + subslice);
	topology->subslices++;
}

/*
 * Return whether the answer is whole. All masks have to be within the answer: a
 * part of them would mislead.
 */
static bool
is_whole(const struct topology_answer *answer)
{
	const struct drm_i915_query_topology_info *head = answer->head;
	size_t subslices = (size_t)head->max_slices * head->subslice_stride;
	size_t eus = (size_t)head->max_slices * head->max_subslices *
		     head->eu_stride;

	return answer->length * 8 >= head->max_slices &&
	       head->subslice_stride * 8 >= head->max_subslices &&
	       head->eu_stride * 8 >= head->max_eus_per_subslice &&
	       head->subslice_offset + subslices <= answer->length &&
	       head->eu_offset + eus <= answer->length;
}

static bool
is_plausible(const struct topology_answer *answer, const struct gt_shape *shape)
{
	const struct drm_i915_query_topology_info *head = answer->head;

	if (!is_whole(answer))
		return false;
	if (shape->xecores_per_slice)
		return head->max_slices == 1 &&
		       head->max_subslices <= gt_shape_xecores(shape);
	return head->max_slices && head->max_slices <= GT_SLICES_MAX &&
	       head->max_subslices <= 8;
}

int
i915_topology_decode(const void *data, size_t length,
		     const struct gt_shape *shape, struct gt_topology *out)
{
	struct gt_topology topology = { 0 };
	struct topology_answer answer;

	if (length < sizeof(*answer.head))
		return -EPROTO;
	answer.head = data;
	answer.bytes = answer.head->data;
	answer.length = length - sizeof(*answer.head);
	if (!is_plausible(&answer, shape))
		return -EPROTO;

	for (unsigned s = 0; s < answer.head->max_slices; s++) {
		if (!has_bit(&answer, 0, s))
			continue;
		for (unsigned n = 0; n < answer.head->max_subslices; n++) {
			if (!has_subslice(&answer, s, n))
				continue;
			if (!s)
				topology.first_subslices |= UINT64_C(1) << n;
			topology.eus += count_eus(&answer, s, n);
			add_subslice(&topology, shape, s, n);
		}
	}
	topology.slices = (unsigned)__builtin_popcountll(topology.slice_mask);
	topology.eus_per_subslice = answer.head->max_eus_per_subslice;
	if (!topology.eus)
		return -EPROTO;
	*out = topology;
	return 0;
}
