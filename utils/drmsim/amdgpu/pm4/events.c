/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events: what they switch, what they write, and the end of the pipe.
 */
#include "amdgpu/pm4/handlers.h"

#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/perfmon.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/sqtt.h"
#include "amdgpu/gfx/write_log.h"

enum {
	EVENT_SAMPLE_STREAMOUTSTATS1 = 1,
	EVENT_SAMPLE_STREAMOUTSTATS2 = 2,
	EVENT_SAMPLE_STREAMOUTSTATS3 = 3,
	EVENT_CS_PARTIAL_FLUSH = 7,
	EVENT_VS_PARTIAL_FLUSH = 15,
	EVENT_PS_PARTIAL_FLUSH = 16,
	EVENT_ZPASS_DONE = 21,
	EVENT_PERFCOUNTER_START = 23,
	EVENT_PERFCOUNTER_STOP = 24,
	EVENT_PERFCOUNTER_SAMPLE = 27,
	EVENT_SAMPLE_PIPELINESTAT = 30,
	EVENT_SAMPLE_STREAMOUTSTATS = 32,
	EVENT_PIXEL_PIPE_STAT_CONTROL = 56,
	EVENT_PIXEL_PIPE_STAT_DUMP = 57,
};

/* A result with this bit is there: programs poll for it. */
#define RESULT_IS_THERE (1ull << 63)
/* Results of pipeline statistics, in their order. */
enum {
	STATISTIC_CS_THREADS = 10,
	STATISTICS = 11,
	STATISTICS_GFX11 = 14
};

static bool
write_result(struct ring *ring, uint64_t address, uint64_t value)
{
	uint8_t *to =
		ring_memory(ring, address & ~7ull, WRITABLE, sizeof(value));

	ring_note_write(ring, address & ~7ull, sizeof(value), WRITE_AT_END);
	if (to)
		memcpy(to, &value, sizeof(value));
	return to != NULL;
}

/*
 * Write the samples that passed the depth test, of each render backend that is
 * there: none, for draws draw nothing.
 */
static enum outcome
write_samples(struct ring *ring, uint64_t address, uint64_t stride,
	      uint32_t mask)
{
	const struct chip *chip = &ring->amdgpu->chip;

	for (unsigned se = 0; se < chip->se_count; se++)
		for (unsigned rb = 0; rb < chip->rb_per_se; rb++) {
			unsigned number = se * chip->rb_per_se + rb;

			if (!(chip->rb_mask[se] >> rb & 1) ||
			    (number < 16 && !(mask >> number & 1)))
				continue;
			if (!write_result(ring, address + stride * number,
					  RESULT_IS_THERE))
				return HUNG;
		}
	return NEXT;
}

/*
 * Dump samples. PIXEL_PIPE_STAT_CONTROL has set the distance and the backends.
 */
static enum outcome
dump_samples(struct ring *ring, uint64_t address)
{
	uint32_t control = ring->told.pixel_control;

	return write_samples(ring, address, 4ull << (control >> 9 & 3),
			     control >> 11 & 0xffff);
}

/*
 * Write zeros but for the threads of compute shaders, which alone MEC writes.
 */
static enum outcome
write_statistics(struct ring *ring, uint64_t address)
{
	unsigned count = ring->amdgpu->chip.gfx_version[0] < 11
				 ? STATISTICS
				 : STATISTICS_GFX11;

	for (unsigned i = 0; i < count; i++) {
		bool is_cs = i == STATISTIC_CS_THREADS;

		if ((is_cs || ring->is_gfx) &&
		    !write_result(ring, address + 8 * i,
				  is_cs ? ring->cs_threads : 0))
			return HUNG;
	}
	return NEXT;
}

/* Write the primitives written, and those that needed room: none. */
static enum outcome
write_streamout(struct ring *ring, uint64_t address)
{
	return write_result(ring, address, RESULT_IS_THERE) &&
			       write_result(ring, address + 8, RESULT_IS_THERE)
		       ? NEXT
		       : HUNG;
}

/* Write what the events write to the address behind them. */
static enum outcome
write_event(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint64_t address = pm4_body64(packet, 1) & ~7ull;

	switch (pm4_body(packet, 0) & 0x3f) {
	case EVENT_SAMPLE_PIPELINESTAT:
		return write_statistics(ring, address);
	case EVENT_ZPASS_DONE:
		return ring->is_gfx ? write_samples(ring, address, 16, ~0u)
				    : NEXT;
	case EVENT_PIXEL_PIPE_STAT_CONTROL:
		ring->told.pixel_control = pm4_body(packet, 1);
		return NEXT;
	case EVENT_PIXEL_PIPE_STAT_DUMP:
		return ring->is_gfx ? dump_samples(ring, address) : NEXT;
	case EVENT_SAMPLE_STREAMOUTSTATS:
	case EVENT_SAMPLE_STREAMOUTSTATS1:
	case EVENT_SAMPLE_STREAMOUTSTATS2:
	case EVENT_SAMPLE_STREAMOUTSTATS3:
		return ring->is_gfx ? write_streamout(ring, address) : NEXT;
	}
	return NEXT;
}

static enum outcome
run_event(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	struct amdgpu *amdgpu = ring->amdgpu;

	switch (pm4_body(packet, 0) & 0x3f) {
	case EVENT_CS_PARTIAL_FLUSH:
	case EVENT_VS_PARTIAL_FLUSH:
	case EVENT_PS_PARTIAL_FLUSH:
		return pm4_wait_idle(packet);
	case EVENT_PERFCOUNTER_START:
	case EVENT_PERFCOUNTER_STOP:
		/* windows are those of the graphics pipe */
		if (ring->is_gfx)
			perfmon_set_window(amdgpu,
					   (pm4_body(packet, 0) & 0x3f) ==
						   EVENT_PERFCOUNTER_START);
		return NEXT;
	case EVENT_PERFCOUNTER_SAMPLE:
		perfmon_latch(amdgpu);
		return NEXT;
	}
	return packet->count == 3 ? write_event(packet) : NEXT;
}

enum outcome
pm4_event_write(const struct packet *packet)
{
	enum outcome outcome = run_event(packet);

	if (outcome == NEXT)
		sqtt_see_event(packet->ring, pm4_body(packet, 0) & 0x3f);
	return outcome;
}

enum outcome
pm4_event_write_zpass(const struct packet *packet)
{
	return write_samples(packet->ring, pm4_body64(packet, 0) & ~7ull, 16,
			     ~0u);
}

/* Return NEXT if there is room for one more end of the pipe, else AGAIN. */
static enum outcome
room_at_end(const struct packet *packet)
{
	struct ring *ring = packet->ring;

	return ring_ends_are_full(ring)
		       ? pm4_block_until(ring, ring_next_end(ring))
		       : NEXT;
}

static enum outcome
at_end(const struct packet *packet, uint64_t address, uint64_t data,
       unsigned select, bool soon)
{
	if (ring_at_end(packet->ring, address, data, select, soon)) {
		ring_hang(packet->ring, "out of memory");
		return HUNG;
	}
	if (select != END_OF_NOTHING)
		ring_note_write(packet->ring, address,
				select == END_OF_DWORD ? 4 : 8, WRITE_AT_END);
	return NEXT;
}

/*
 * RELEASE_MEM and ACQUIRE_MEM may write the L2 back: the second one, up to
 * gfx9, a range of it in units of 256 bytes.
 */
#define RELEASE_WRITES_BACK(version) (1u << ((version) < 10 ? 15 : 21))
#define ACQUIRE_WRITES_BACK (1u << 18)
#define GCR_WRITES_BACK (1u << 15)
#define ALL_OF_IT 0xffffffffu

enum outcome
pm4_acquire_mem(const struct packet *packet)
{
	uint64_t size = pm4_body64(packet, 1);

	if (packet->ring->amdgpu->chip.gfx_version[0] >= 10) {
		if (pm4_body(packet, 6) & GCR_WRITES_BACK)
			ring_note_flush(packet->ring, 0, 0);
		return NEXT;
	}
	if (!(pm4_body(packet, 0) & ACQUIRE_WRITES_BACK) || !size)
		return NEXT;
	if ((uint32_t)size == ALL_OF_IT)
		ring_note_flush(packet->ring, 0, 0);
	else
		ring_note_flush(packet->ring, pm4_body64(packet, 3) << 8,
				size << 8);
	return NEXT;
}

bool
pm4_stores_samples(const struct packet *packet)
{
	const uint32_t event = pm4_body(packet, 0) & 0x3f;

	return packet->kind->run == pm4_event_write && packet->count == 3 &&
	       (event == EVENT_ZPASS_DONE ||
		event == EVENT_PIXEL_PIPE_STAT_DUMP);
}

/*
 * Return whether the graphics engine of gfx9 hangs on an event at the end of
 * the pipe, as drivers take care that it does not (Mesa's radv_cs.c, AMD PAL's
 * waDummyZpassDoneBeforeTs): render backends have not stored samples right
 * before it.
 */
static bool
hangs_at_end(const struct ring *ring)
{
	return ring->is_gfx && ring->amdgpu->chip.gfx_version[0] == 9 &&
	       !ring->told.samples_are_last;
}

enum outcome
pm4_release_mem(const struct packet *packet)
{
	uint32_t select = pm4_body(packet, 1);

	if (hangs_at_end(packet->ring)) {
		ring_hang(packet->ring,
			  "RELEASE_MEM without ZPASS_DONE right before it");
		return HUNG;
	}
	if (room_at_end(packet) == AGAIN)
		return AGAIN;
	if (pm4_body(packet, 0) &
	    RELEASE_WRITES_BACK(packet->ring->amdgpu->chip.gfx_version[0]))
		ring_note_flush(packet->ring, 0, 0);
	return at_end(packet, pm4_body64(packet, 2) & ~3ull,
		      pm4_body64(packet, 4), select >> 29 & 7, false);
}

enum outcome
pm4_event_write_eop(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint64_t address = pm4_body(packet, 1) |
			   (uint64_t)(pm4_body(packet, 2) & 0xffff) << 32;
	/* all engines are idle at the second of two such events only */
	bool soon = ring->amdgpu->chip.lone_eop && !ring->eop_pending;

	if (room_at_end(packet) == AGAIN)
		return AGAIN;
	ring->eop_pending = true;
	return at_end(packet, address & ~3ull, pm4_body64(packet, 3),
		      pm4_body(packet, 2) >> 29 & 7, soon);
}

enum {
	EOS_VALUE = 2
};

/*
 * Write at the end of a stage: only the form that writes a value is followed.
 */
enum outcome
pm4_event_write_eos(const struct packet *packet)
{
	uint64_t address = pm4_body64(packet, 1) & 0xffffffffffffull;

	if (pm4_body(packet, 2) >> 29 != EOS_VALUE)
		return NEXT;
	if (room_at_end(packet) == AGAIN)
		return AGAIN;
	return at_end(packet, address & ~3ull, pm4_body(packet, 3),
		      END_OF_DWORD, false);
}

/*
 * Write the clock at the end of the pipe (bit 0), at its top (bit 1), or both.
 */
enum outcome
pm4_timestamp(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = pm4_body(packet, 0);

	if (room_at_end(packet) == AGAIN)
		return AGAIN;
	if (control & 2 &&
	    !write_result(ring, pm4_body64(packet, 3),
			  amdgpu_timestamp(ring->amdgpu, ring->amdgpu->now)))
		return HUNG;
	if (!(control & 1))
		return NEXT;
	return at_end(packet, pm4_body64(packet, 1) & ~7ull, 0, END_OF_CLOCK,
		      false);
}
