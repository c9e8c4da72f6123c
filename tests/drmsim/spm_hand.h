/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streaming counters by command buffers written by hand: what stands in a
 * sample, the ring, and how generations differ. Addresses and layouts: AMD
 * PAL, Mesa.
 */
#ifndef DRMPERF_TESTS_DRMSIM_SPM_HAND_H
#define DRMPERF_TESTS_DRMSIM_SPM_HAND_H

#include "tests/drmsim/chips.h"

#define SPM_GLOBAL 0u /* the segment; that of an engine: SPM_SE(engine) */
#define SPM_SE(engine) (1u + (engine))
#define SPM_SEGMENTS 7
#define SPM_LINES 4
#define SPM_ENTRIES 16
#define SPM_VEGA10 GPUS /* behind those of chips.h */
#define SPM_HEADER 32u /* bytes; of a line, too */
#define SPM_START 0x10u
#define SPM_STOP 0x20u

enum spm_sizes {
	SPM_SIZES_GFX10,
	SPM_SIZES_GFX11,
	SPM_SIZES_GFX9
};

/* How a generation streams. */
struct spm_generation {
	unsigned gpu; /* on the machine: see enum gpu */
	unsigned engines;
	uint32_t segment_size, wrptr;
	uint32_t global_address, global_data, se_address, se_data;
	enum spm_sizes sizes;
	bool instance_first; /* the order of an entry's fields */
	uint16_t times[4];
	unsigned unit; /* bytes, of the ring's header */
	uint32_t clocks; /* of a microsecond in the stable pstate */
	uint32_t waves, groups; /* events of SPI */
	uint32_t clock_register, khz; /* of the reference clock */
};

/* What one stream is made of; tests change it before spm_start(). */
struct spm_stream {
	const struct spm_generation *generation;
	struct hand_gpu gpu;
	unsigned lines[SPM_SEGMENTS];
	uint16_t entries[SPM_SEGMENTS][SPM_LINES][SPM_ENTRIES];
	unsigned total; /* lines that the registers state; 0: the sum */
	unsigned samples; /* that the ring has room for */
	uint32_t interval, ring_mode, accum_mode;
	uint64_t base_offset; /* bytes, of the ring in its buffer */
	uint64_t size_change; /* bytes, of the ring beyond whole samples */
	uint32_t muxsel_index; /* of GRBM_GFX_INDEX, more bits */
	unsigned forgotten; /* 1 + the segment whose muxsel is not written */
	/* the ring */
	amdgpu_bo_handle bo;
	amdgpu_va_handle va;
	uint64_t address, bytes;
	uint8_t *memory;
};

/*
 * Open a stream with a VMID, clocks on, and a time stamp alone in its samples.
 */
void
spm_open(struct spm_stream *stream, const struct spm_generation *generation,
	 unsigned ip);
/* Reset, release the ring and the clocks, and close. */
void
spm_close(struct spm_stream *stream);

/* Return an entry of a muxsel. */
uint16_t
spm_entry(const struct spm_generation *generation, bool is_global,
	  unsigned code, unsigned sa, unsigned instance, unsigned counter);
/* Emit registers and muxsels, without CP_PERFMON_CNTL. */
void
spm_emit_setup(struct spm_stream *stream);
/* Emit them and the start, with further bits of CP_PERFMON_CNTL, and run. */
void
spm_start(struct spm_stream *stream, uint32_t control);
/* Stop, wait, reset. */
void
spm_stop(struct spm_stream *stream);
/* Wait until the GPU is idle. */
void
spm_emit_idle(struct spm_stream *stream);

unsigned
spm_stride(const struct spm_stream *stream);
/* Return the position that the header holds, in bytes. */
uint32_t
spm_position(const struct spm_stream *stream);
/* Return 16 bits of a sample. */
uint16_t
spm_value(const struct spm_stream *stream, unsigned sample, unsigned segment,
	  unsigned line, unsigned entry);
uint64_t
spm_time(const struct spm_stream *stream, unsigned sample);

#endif /* DRMPERF_TESTS_DRMSIM_SPM_HAND_H */
