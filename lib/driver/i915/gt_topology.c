/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/gt_topology.h"

#include <errno.h>
#include <stdbool.h>

#include "driver/i915/uapi.h"

struct reader {
	const struct drm_i915_query_topology_info *head;
	const uint8_t *bytes; /* behind the head */
	size_t length;
};

/* Bit n of the mask that begins at offset. */
static bool
has_bit(const struct reader *reader, size_t offset, unsigned n)
{
	return reader->bytes[offset + n / 8] >> n % 8 & 1;
}

static bool
has_subslice(const struct reader *reader, unsigned slice, unsigned subslice)
{
	const struct drm_i915_query_topology_info *head = reader->head;

	return has_bit(reader,
		       head->subslice_offset +
			       (size_t)slice * head->subslice_stride,
		       subslice);
}

static unsigned
count_eus(const struct reader *reader, unsigned slice, unsigned subslice)
{
	const struct drm_i915_query_topology_info *head = reader->head;
	size_t offset = head->eu_offset +
			((size_t)slice * head->max_subslices + subslice) *
				head->eu_stride;
	unsigned count = 0;

	for (unsigned eu = 0; eu < head->max_eus_per_subslice; eu++)
		count += has_bit(reader, offset, eu);
	return count;
}

static void
add_subslice(struct gt_topology *topology, const struct gt_shape *shape,
	     unsigned slice, unsigned subslice)
{
	if (shape->xecores_per_slice) {
		topology->xecore_mask |= UINT64_C(1) << subslice;
		slice = subslice / shape->xecores_per_slice;
		subslice %= shape->xecores_per_slice;
	}
	topology->slice_mask |= UINT64_C(1) << slice;
	topology->subslice_mask |= UINT64_C(1)
				   << (slice * shape->subslice_bits + subslice);
	topology->subslices++;
}

/* All masks have to be within the answer: a part of them would mislead. */
static bool
is_whole(const struct reader *reader)
{
	const struct drm_i915_query_topology_info *head = reader->head;
	size_t subslices = (size_t)head->max_slices * head->subslice_stride;
	size_t eus = (size_t)head->max_slices * head->max_subslices *
		     head->eu_stride;

	return head->subslice_stride * 8 >= head->max_subslices &&
	       head->eu_stride * 8 >= head->max_eus_per_subslice &&
	       head->subslice_offset + subslices <= reader->length &&
	       head->eu_offset + eus <= reader->length;
}

static bool
is_plausible(const struct reader *reader, const struct gt_shape *shape)
{
	const struct drm_i915_query_topology_info *head = reader->head;

	if (!is_whole(reader))
		return false;
	if (shape->xecores_per_slice)
		return head->max_slices == 1 &&
		       head->max_subslices <= GT_XECORES_MAX;
	return head->max_slices && head->max_slices <= GT_SLICES_MAX &&
	       head->max_subslices <= 8;
}

int
gt_topology_decode(const void *data, size_t length,
		   const struct gt_shape *shape, struct gt_topology *out)
{
	struct gt_topology topology = { 0 };
	struct reader reader;

	if (length < sizeof(*reader.head))
		return -EPROTO;
	reader.head = data;
	reader.bytes = reader.head->data;
	reader.length = length - sizeof(*reader.head);
	if (!is_plausible(&reader, shape))
		return -EPROTO;

	for (unsigned s = 0; s < reader.head->max_slices; s++) {
		if (!has_bit(&reader, 0, s))
			continue;
		for (unsigned n = 0; n < reader.head->max_subslices; n++) {
			if (!has_subslice(&reader, s, n))
				continue;
			if (!s)
				topology.first_subslices |= UINT64_C(1) << n;
			topology.eus += count_eus(&reader, s, n);
			add_subslice(&topology, shape, s, n);
		}
	}
	topology.slices = (unsigned)__builtin_popcountll(topology.slice_mask);
	topology.eus_per_subslice = reader.head->max_eus_per_subslice;
	if (!topology.eus)
		return -EPROTO;
	*out = topology;
	return 0;
}
