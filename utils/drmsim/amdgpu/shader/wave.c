/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/shader/wave.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "amdgpu/gfx/dispatch.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/shader/instruction.h"

/* ---- values */

static uint32_t
scalar_value(const struct wave *wave, unsigned source, uint32_t literal)
{
	if (source == SOURCE_LITERAL)
		return literal;
	if (source < 124)
		return wave->scalar[source];
	if (source >= 128 && source <= 192)
		return source - 128;
	if (source >= 193 && source <= 208)
		return 192 - source;
	return 0; /* null */
}

static uint64_t
scalar_pair(const struct wave *wave, unsigned first)
{
	return wave->scalar[first] | (uint64_t)wave->scalar[first + 1] << 32;
}

/* ---- memory */

/*
 * Find an address in a buffer. Returns false beyond its end, where there is
 * nothing.
 */
static bool
buffer_address(const struct wave *wave, const struct instruction *in,
	       unsigned lane, uint64_t *address)
{
	const uint32_t *buffer = &wave->scalar[in->base];
	uint64_t start = scalar_pair(wave, in->base) & 0xffffffffffffull;
	uint32_t stride = buffer[1] >> 16 & 0x3fff, size = buffer[2];
	unsigned vector = in->address;
	uint64_t index = 0, offset = (uint64_t)in->offset;

	if (in->by_index)
		index = wave->vector[vector++][lane];
	if (in->by_offset)
		offset += wave->vector[vector][lane];
	*address = start + index * stride + offset +
		   scalar_value(wave, in->scalar_offset, 0);
	return stride ? index < size : offset + 4 <= size;
}

static bool
lane_address(const struct wave *wave, const struct instruction *in,
	     unsigned lane, uint64_t *address)
{
	uint64_t low = wave->vector[in->address][lane];

	if (in->space == SPACE_BUFFER)
		return buffer_address(wave, in, lane, address);
	if (in->has_base)
		*address = scalar_pair(wave, in->base) + low;
	else
		*address = low | (uint64_t)wave->vector[in->address + 1][lane]
					 << 32;
	*address += (uint64_t)(int64_t)in->offset;
	return true;
}

static bool
is_among(const uint64_t *lines, unsigned count, uint64_t line)
{
	while (count)
		if (lines[--count] == line)
			return true;
	return false;
}

/* Read a line once more from the L2, unless the wave has it already. */
static void
read_line(struct wave *wave, const struct instruction *in, uint64_t line,
	  struct shader_work *work)
{
	work->lines_read++;
	if (!in->past_cache && is_among(wave->lines, wave->line_count, line))
		return;
	work->l2_reads++;
	if (wave->line_count < WAVE_LINES)
		wave->lines[wave->line_count++] = line;
}

static int
access_lane(struct wave *wave, const struct instruction *in, unsigned lane,
	    uint64_t address)
{
	bool loads = in->operation == OPERATION_LOAD;
	uint32_t *data = &wave->vector[in->data][lane];
	uint8_t *at = ring_dwords(wave->ring, address,
				  loads ? AMDGPU_VM_PAGE_READABLE
					: AMDGPU_VM_PAGE_WRITEABLE,
				  sizeof(*data));

	if (!at)
		return -EFAULT;
	if (loads)
		memcpy(data, at, sizeof(*data));
	else
		memcpy(at, data, sizeof(*data));
	return 0;
}

/* Access memory. Lanes that want the same line ask for it once. */
static int
access_memory(struct wave *wave, const struct instruction *in,
	      struct shader_work *work)
{
	uint64_t lines[WAVE_LANES], address;
	unsigned count = 0;

	for (unsigned lane = 0; lane < wave->lanes; lane++) {
		if (!lane_address(wave, in, lane, &address)) {
			if (in->operation == OPERATION_LOAD)
				wave->vector[in->data][lane] = 0;
			continue;
		}
		if (access_lane(wave, in, lane, address))
			return -EFAULT;
		address /= wave->line_size;
		if (!is_among(lines, count, address))
			lines[count++] = address;
	}
	for (unsigned i = 0; i < count; i++) {
		if (in->operation == OPERATION_LOAD) {
			read_line(wave, in, lines[i], work);
			continue;
		}
		work->lines_written++;
		work->l2_writes++;
	}
	return 0;
}

/* ---- the rest */

/* Fetch the first source of all lanes. */
static void
fetch_source(const struct wave *wave, const struct instruction *in,
	     uint32_t values[WAVE_LANES])
{
	uint32_t value;

	if (in->source >= SOURCE_VECTORS) {
		memcpy(values, wave->vector[in->source - SOURCE_VECTORS],
		       sizeof(*wave->vector));
		return;
	}
	value = scalar_value(wave, in->source, in->literal);
	for (unsigned lane = 0; lane < WAVE_LANES; lane++)
		values[lane] = value;
}

/*
 * Compute in all lanes. Those beyond the wave's compute too: nothing reads what
 * they have.
 */
static void
compute_lanes(struct wave *wave, const struct instruction *in)
{
	/* Copies, which the compiler knows to be apart, are vectors to it. */
	uint32_t values[WAVE_LANES], second[WAVE_LANES];

	fetch_source(wave, in, values);
	memcpy(second, wave->vector[in->other], sizeof(second));
	switch (in->operation) {
	case OPERATION_SHIFT_LEFT:
		for (unsigned lane = 0; lane < WAVE_LANES; lane++)
			values[lane] = second[lane] << (values[lane] & 31);
		break;
	case OPERATION_ADD:
		for (unsigned lane = 0; lane < WAVE_LANES; lane++)
			values[lane] += second[lane];
		break;
	default:
		break;
	}
	memcpy(wave->vector[in->destination], values, sizeof(values));
}

int
wave_execute(struct wave *wave, const struct instruction *in,
	     struct shader_work *work)
{
	switch (in->operation) {
	case OPERATION_END:
	case OPERATION_NOTHING:
		return 0;
	case OPERATION_SCALAR_MOVE:
		wave->scalar[in->destination] =
			scalar_value(wave, in->source, in->literal);
		return 0;
	case OPERATION_MOVE:
	case OPERATION_SHIFT_LEFT:
	case OPERATION_ADD:
		compute_lanes(wave, in);
		return 0;
	case OPERATION_LOAD:
	case OPERATION_STORE:
		return access_memory(wave, in, work);
	}
	return 0;
}
