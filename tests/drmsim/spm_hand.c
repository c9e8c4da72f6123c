/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/spm_hand.h"

#include <string.h>

#define PERFMON_CNTL 0x37200u
#define RING_BASE_LO 0x37204u
#define RING_BASE_HI 0x37208u
#define RING_SIZE 0x3720cu
#define ACCUM_MODE 0x3726cu
#define SE3TO0_SEGMENT_SIZE 0x3727cu
#define GLB_SEGMENT_SIZE 0x37280u
#define LINE_DWORDS 8u
#define EVENT_CS_PARTIAL_FLUSH 7u
#define SE_BROADCAST 0x60000000u

static void
make_ring(struct spm_stream *stream)
{
	struct amdgpu_bo_alloc_request request = {
		.alloc_size = 1 << 20,
		.phys_alignment = 4096,
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};
	struct hand_gpu *gpu = &stream->gpu;
	void *memory;

	/* high up, as Mesa has it: registers take 48 bits of such an address */
	stream->bytes = request.alloc_size;
	ck_assert_int_eq(amdgpu_bo_alloc(gpu->device, &request, &stream->bo),
			 0);
	ck_assert_int_eq(
		amdgpu_va_range_alloc(gpu->device, amdgpu_gpu_va_range_general,
				      stream->bytes, 4096, 0, &stream->address,
				      &stream->va, AMDGPU_VA_RANGE_HIGH),
		0);
	ck_assert_int_eq(amdgpu_bo_va_op(stream->bo, 0, stream->bytes,
					 stream->address, 0, AMDGPU_VA_OP_MAP),
			 0);
	ck_assert_int_eq(amdgpu_bo_cpu_map(stream->bo, &memory), 0);
	stream->memory = memory;
	memset(memory, 0, stream->bytes);
}

static void
prepare_counting(struct spm_stream *stream)
{
	struct hand_gpu *gpu = &stream->gpu;

	if (stream->generation->gpu < GPUS) {
		chip_prepare(gpu, (enum gpu)stream->generation->gpu);
		return;
	}
	hand_set_uconfig(gpu, stream->generation->clock_register, 1);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(gpu, SQ_CTRL, 0x7f);
	hand_set_uconfig(gpu, SQ_MASK, 0xffffffff);
}

void
spm_open(struct spm_stream *stream, const struct spm_generation *generation,
	 unsigned ip)
{
	memset(stream, 0, sizeof(*stream));
	stream->generation = generation;
	stream->samples = 100;
	/* thousandths of a microsecond at the stable clock: see spm_start() */
	stream->interval = 4096;
	stream->lines[SPM_GLOBAL] = 1;
	memcpy(stream->entries[SPM_GLOBAL][0], generation->times,
	       sizeof(generation->times));
	hand_open(&stream->gpu, generation->gpu, ip);
	stream->gpu.select_bits = CAM_RESET * (ip == GFX);
	ck_assert_int_eq(amdgpu_vm_reserve_vmid(stream->gpu.device, 0), 0);
	make_ring(stream);
	/* whatever the chip needs for other counters */
	chip_hold(&stream->gpu, AMDGPU_CTX_STABLE_PSTATE_STANDARD);
	prepare_counting(stream);
}

void
spm_close(struct spm_stream *stream)
{
	struct hand_gpu *gpu = &stream->gpu;

	amdgpu_bo_cpu_unmap(stream->bo);
	amdgpu_bo_va_op(stream->bo, 0, stream->bytes, stream->address, 0,
			AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(stream->va);
	amdgpu_bo_free(stream->bo);
	amdgpu_vm_unreserve_vmid(stream->gpu.device, 0);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	if (stream->generation->clock_register)
		hand_set_uconfig(gpu, stream->generation->clock_register, 0);
	hand_run(gpu);
	chip_hold(gpu, NO_PSTATE);
	hand_close(gpu);
}

uint16_t
spm_entry(const struct spm_generation *generation, bool is_global,
	  unsigned code, unsigned sa, unsigned instance, unsigned counter)
{
	if (generation->instance_first)
		return (uint16_t)(counter | instance << 5 | sa << 10 |
				  code << 11);
	return (uint16_t)(counter | code << 6 | (is_global ? 0 : sa << 10) |
			  instance << 11);
}

static unsigned
total_lines(const struct spm_stream *stream)
{
	unsigned sum = stream->lines[SPM_GLOBAL], most = 0;

	for (unsigned se = 0; se < stream->generation->engines; se++) {
		unsigned lines = stream->lines[SPM_SE(se)];

		most = lines > most ? lines : most;
		sum += lines;
	}
	if (stream->generation->sizes == SPM_SIZES_GFX11)
		return stream->lines[SPM_GLOBAL] +
		       most * stream->generation->engines;
	return sum;
}

unsigned
spm_stride(const struct spm_stream *stream)
{
	return SPM_HEADER * total_lines(stream);
}

static void
emit_sizes(struct spm_stream *stream)
{
	const struct spm_generation *generation = stream->generation;
	struct hand_gpu *gpu = &stream->gpu;
	unsigned total = stream->total ? stream->total : total_lines(stream);
	uint32_t global = stream->lines[SPM_GLOBAL], engines = 0, most = 0;

	for (unsigned se = 0; se < generation->engines; se++) {
		uint32_t lines = stream->lines[SPM_SE(se)];

		engines |= lines << 8 * (se % 4);
		most = lines > most ? lines : most;
	}
	if (generation->sizes == SPM_SIZES_GFX11) {
		hand_set_uconfig(gpu, generation->segment_size,
				 total | global << 16 | most << 24);
		return;
	}
	if (generation->sizes == SPM_SIZES_GFX9) {
		hand_set_uconfig(gpu, generation->segment_size,
				 total | global << 11 |
					 stream->lines[SPM_SE(0)] << 16 |
					 stream->lines[SPM_SE(1)] << 21 |
					 stream->lines[SPM_SE(2)] << 26);
		return;
	}
	hand_set_uconfig(gpu, generation->segment_size, 0);
	hand_set_uconfig(gpu, SE3TO0_SEGMENT_SIZE, engines);
	hand_set_uconfig(gpu, GLB_SEGMENT_SIZE, total | global << 8);
}

static void
emit_line(struct spm_stream *stream, unsigned segment, unsigned line)
{
	const struct spm_generation *generation = stream->generation;
	const bool is_global = segment == SPM_GLOBAL;
	const uint16_t *entries = stream->entries[segment][line];
	struct hand_gpu *gpu = &stream->gpu;

	hand_set_uconfig(gpu,
			 is_global ? generation->global_address
				   : generation->se_address,
			 line * LINE_DWORDS);
	/* WRITE_DATA to a register that stays the same */
	hand_packet(gpu, 0x37, 3 + LINE_DWORDS);
	hand_emit(gpu, 1 << 16 | 1 << 20);
	hand_emit(gpu,
		  (is_global ? generation->global_data : generation->se_data) /
			  4);
	hand_emit(gpu, 0);
	for (unsigned i = 0; i < LINE_DWORDS; i++)
		hand_emit(gpu,
			  entries[2 * i] | (uint32_t)entries[2 * i + 1] << 16);
}

static void
emit_muxsel(struct spm_stream *stream, unsigned segment)
{
	uint32_t index = segment == SPM_GLOBAL
				 ? HAND_BROADCAST
				 : SE_BROADCAST | (segment - 1) << 16;

	if (stream->forgotten == segment + 1)
		return;
	hand_set_uconfig(&stream->gpu, GRBM_GFX_INDEX,
			 index ^ stream->muxsel_index);
	for (unsigned line = 0; line < stream->lines[segment]; line++)
		emit_line(stream, segment, line);
}

void
spm_emit_setup(struct spm_stream *stream)
{
	const struct spm_generation *generation = stream->generation;
	struct hand_gpu *gpu = &stream->gpu;
	uint64_t base = stream->address + stream->base_offset;
	uint64_t size = SPM_HEADER +
			(uint64_t)stream->samples * spm_stride(stream) +
			stream->size_change;

	hand_set_uconfig(gpu, PERFMON_CNTL,
			 stream->interval << 16 | stream->ring_mode << 12);
	hand_set_uconfig(gpu, RING_BASE_LO, (uint32_t)base);
	hand_set_uconfig(gpu, RING_BASE_HI, (uint32_t)(base >> 32));
	hand_set_uconfig(gpu, RING_SIZE, (uint32_t)size);
	if (generation->wrptr)
		hand_set_uconfig(gpu, generation->wrptr, 0);
	if (generation->sizes != SPM_SIZES_GFX9)
		hand_set_uconfig(gpu, ACCUM_MODE, stream->accum_mode);
	emit_sizes(stream);
	for (unsigned i = 0; i <= generation->engines; i++)
		emit_muxsel(stream, i);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
}

void
spm_start(struct spm_stream *stream, uint32_t control)
{
	spm_emit_setup(stream);
	hand_set_uconfig(&stream->gpu, CP_PERFMON_CNTL, SPM_START | control);
	hand_run(&stream->gpu);
}

void
spm_emit_idle(struct spm_stream *stream)
{
	hand_event(&stream->gpu, EVENT_CS_PARTIAL_FLUSH | 4 << 8);
}

void
spm_stop(struct spm_stream *stream)
{
	hand_set_uconfig(&stream->gpu, CP_PERFMON_CNTL, SPM_STOP);
	spm_emit_idle(stream);
	hand_set_uconfig(&stream->gpu, CP_PERFMON_CNTL, 0);
	hand_run(&stream->gpu);
}

/* ---- reading */

uint32_t
spm_position(const struct spm_stream *stream)
{
	uint32_t position;

	memcpy(&position, stream->memory + stream->base_offset,
	       sizeof(position));
	return position * stream->generation->unit;
}

static unsigned
first_line(const struct spm_stream *stream, unsigned segment)
{
	unsigned line = 0, most = 0;

	for (unsigned se = 0; se < stream->generation->engines; se++)
		if (stream->lines[SPM_SE(se)] > most)
			most = stream->lines[SPM_SE(se)];
	for (unsigned i = 0; i < segment; i++)
		line += i && stream->generation->sizes == SPM_SIZES_GFX11
				? most
				: stream->lines[i];
	return line;
}

uint16_t
spm_value(const struct spm_stream *stream, unsigned sample, unsigned segment,
	  unsigned line, unsigned entry)
{
	size_t at = stream->base_offset + SPM_HEADER +
		    (size_t)sample * spm_stride(stream) +
		    SPM_HEADER * (first_line(stream, segment) + line) +
		    2 * entry;
	uint16_t value;

	memcpy(&value, stream->memory + at, sizeof(value));
	return value;
}

uint64_t
spm_time(const struct spm_stream *stream, unsigned sample)
{
	uint64_t time = 0;

	for (unsigned i = 0; i < 4; i++)
		time |= (uint64_t)spm_value(stream, sample, SPM_GLOBAL, 0, i)
			<< 16 * i;
	return time;
}
