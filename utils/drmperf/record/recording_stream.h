/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts that a recording of a stream has beside its samples: enough to write
 * them for programs that know blocks and numbers in place of names.
 */
#ifndef DRMPERF_TOOL_RECORD_RECORDING_STREAM_H
#define DRMPERF_TOOL_RECORD_RECORDING_STREAM_H

#include "util/bytes.h"

/* A GPU that streamed. All zero: none did. */
struct recording_stream {
	int device; /* its number */
	uint64_t period_cycles; /* clocks of an interval */
	/*
	 * Of each series, how the hardware selects its event in its block, plus
	 * 1; 0: it is of no block.
	 */
	uint32_t *numbers;
	size_t count;
};

/* The GPU that streamed, and the machine it was in; 0 or "" if not known. */
struct recording_machine {
	const char *cpu_vendor, *cpu_model;
	uint64_t cpu_mhz, threads, cores, memory_mib;
	const char *generation; /* of the GPU: "gfx10.3" */
	uint64_t vram_bytes;
	/* the kernel's to AMDGPU_INFO_DEV_INFO, without zeros at the end */
	const uint8_t *answer;
	size_t answer_size;
};

/*
 * Where members of struct drm_amdgpu_info_device are, which only grows at its
 * end (Linux, include/uapi/drm/amdgpu_drm.h). Clocks are in kHz, sizes of
 * caches in KiB.
 */
enum machine_member {
	MACHINE_DEVICE_ID = 0,
	MACHINE_PCI_REVISION = 12,
	MACHINE_ENGINES = 20,
	MACHINE_ARRAYS = 24, /* of an engine */
	MACHINE_TIMESTAMP_KHZ = 28,
	MACHINE_ENGINE_KHZ = 32, /* 64 bits, as the next */
	MACHINE_MEMORY_KHZ = 40,
	MACHINE_CU_MASKS = 56, /* [4][4] */
	MACHINE_FLAGS = 136,
	MACHINE_VRAM_TYPE = 176,
	MACHINE_VRAM_BITS = 180,
	MACHINE_VGPRS = 244, /* of a SIMD */
	MACHINE_TCP_CACHE = 384,
	MACHINE_SCALAR_CACHE = 392,
	MACHINE_INSTRUCTION_CACHE = 396,
	MACHINE_GL1_CACHE = 400,
	MACHINE_L2_CACHE = 404,
	MACHINE_MALL_BYTES = 408, /* 64 bits, in bytes */
};

/* Return a member of the kernel's answer; 0: that kernel does not tell it. */
uint32_t
recording_machine_u32(const struct recording_machine *machine, unsigned member);
uint64_t
recording_machine_u64(const struct recording_machine *machine, unsigned member);

void
recording_stream_encode(struct bytes *bytes,
			const struct recording_stream *stream);
/*
 * Returns 0, -EBADMSG or -ENOMEM; the caller calls recording_stream_finish()
 * either way.
 */
int
recording_stream_decode(struct byte_reader *reader, size_t series_count,
			struct recording_stream *stream);
void
recording_stream_finish(struct recording_stream *stream);

void
recording_machine_encode(struct bytes *bytes,
			 const struct recording_machine *machine);
/*
 * Decode the facts, which stay where the reader's bytes are. Returns 0 or
 * -EBADMSG.
 */
int
recording_machine_decode(struct byte_reader *reader,
			 struct recording_machine *machine);

#endif /* DRMPERF_TOOL_RECORD_RECORDING_STREAM_H */
