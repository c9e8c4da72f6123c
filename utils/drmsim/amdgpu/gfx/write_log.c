/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/write_log.h"

#include <stdlib.h>

#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/ring.h"

void
write_log_clear(struct write_log *log)
{
	log->count = 0;
	log->is_told = false;
}

void
write_log_free(struct write_log *log)
{
	free(log->ranges);
	*log = (struct write_log){ .ranges = NULL };
}

/* ---- dies that write the same memory */

static bool
range_overlaps(const struct write_range *range, uint64_t start, uint64_t size)
{
	return start < range->start + range->size &&
	       range->start < start + size;
}

static void
check_overlap(struct ring *ring, const struct write_range *range)
{
	struct write_log *log = ring->writes;

	for (size_t i = 0; i < log->count && !log->is_told; i++) {
		const struct write_range *other = &log->ranges[i];

		if (other->die == range->die ||
		    (other->path == WRITE_ATOMIC &&
		     range->path == WRITE_ATOMIC) ||
		    !range_overlaps(other, range->start, range->size))
			continue;
		log->is_told = true;
		amdgpu_violation(ring->amdgpu, "shared-write",
				 "dies %u and %u wrote 0x%llx in one packet, "
				 "without PRED_EXEC",
				 other->die, range->die,
				 (unsigned long long)range->start);
	}
}

/* ---- noting */

static bool
extend_last(struct write_log *log, const struct write_range *range)
{
	struct write_range *last =
		log->count ? &log->ranges[log->count - 1] : NULL;

	if (!last || last->die != range->die || last->path != range->path ||
	    last->start + last->size != range->start)
		return false;
	last->size += range->size;
	return true;
}

/* Append a range. Returns false if there is no memory for it. */
static bool
append_range(struct write_log *log, const struct write_range *range)
{
	if (log->count == log->room) {
		const size_t room = log->room * 2 + 64;
		struct write_range *grown =
			reallocarray(log->ranges, room, sizeof(*grown));

		if (!grown)
			return false;
		log->ranges = grown;
		log->room = room;
	}
	log->ranges[log->count++] = *range;
	return true;
}

/* Confirm what the die has posted: a confirmed write follows it. */
static void
confirm_posted(struct write_log *log, unsigned die)
{
	for (size_t i = 0; i < log->count; i++)
		if (log->ranges[i].die == die &&
		    log->ranges[i].path == WRITE_POSTED)
			log->ranges[i].path = WRITE_CONFIRMED;
}

void
ring_note_write(struct ring *ring, uint64_t address, uint64_t size,
		enum write_path path)
{
	const struct write_range range = { .start = address,
					   .size = size,
					   .die = ring->die->number,
					   .path = path };

	if (!ring->writes || !size)
		return;
	check_overlap(ring, &range);
	if (path == WRITE_CONFIRMED)
		confirm_posted(ring->writes, range.die);
	if (!extend_last(ring->writes, &range) &&
	    !append_range(ring->writes, &range))
		ring_hang(ring, "out of memory");
}

void
ring_note_flush(struct ring *ring, uint64_t address, uint64_t size)
{
	struct write_log *log = ring->writes;

	for (size_t i = 0; log && i < log->count; i++) {
		struct write_range *range = &log->ranges[i];

		if (range->die != ring->die->number)
			continue;
		if (size && (range->start < address ||
			     range->start + range->size > address + size))
			continue;
		range->path = range->path == WRITE_ATOMIC ? WRITE_ATOMIC
							  : WRITE_AT_END;
	}
}

void
write_log_check(struct amdgpu *amdgpu, const struct write_log *log)
{
	for (size_t i = 0; i < log->count; i++) {
		const struct write_range *range = &log->ranges[i];

		if (range->path != WRITE_POSTED && range->path != WRITE_TO_L2)
			continue;
		amdgpu_violation(amdgpu, "late-write",
				 "what die %u wrote to 0x%llx may come after "
				 "the packet's signal: %s",
				 range->die, (unsigned long long)range->start,
				 range->path == WRITE_POSTED
					 ? "no write was confirmed"
					 : "the L2 was not written back");
		return;
	}
}
