/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The packets that there are: which engines know them since and up to which
 * generation, how long they are and what they do. What does nothing that is
 * simulated is passed over by name; what is not here hangs the ring.
 *
 * Opcodes and lengths: Linux (cikd.h, soc15d.h, nvd.h), AMD PAL's packet
 * headers of gfx9 and gfx12 (PFP, ME, CE, MEC) and Mesa (sid.h, and what radv
 * and radeonsi emit). A length is exact where these agree on one.
 */
#include "amdgpu/pm4/packet.h"

#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/pm4/handlers.h"
#include "base/array.h"

enum {
	GFX = 1,
	MEC = 2,
	BOTH = GFX | MEC
};
enum {
	ANY = 0x4000
};
enum generation {
	GFX7 = 70,
	GFX8 = 80,
	GFX9 = 90,
	GFX10 = 100,
	GFX10_3 = 103,
	GFX11 = 110,
	GFX12 = 120,
};

static const struct packet_kind kinds[] = {
	{ 0x10, BOTH, GFX7, 0, 0, ANY, WINDOW_NONE, pm4_skip, "NOP" },
	{ 0x11, BOTH, GFX7, 0, 3, 3, WINDOW_NONE, pm4_set_base, "SET_BASE" },
	{ 0x12, GFX, GFX7, 0, 1, 1, WINDOW_NONE, pm4_skip, "CLEAR_STATE" },
	{ 0x13, GFX, GFX7, 0, 1, 1, WINDOW_NONE, pm4_skip,
	  "INDEX_BUFFER_SIZE" },
	{ 0x15, BOTH, GFX7, 0, 4, 4, WINDOW_NONE, pm4_dispatch_direct,
	  "DISPATCH_DIRECT" },
	{ 0x16, GFX, GFX7, 0, 2, 2, WINDOW_NONE, pm4_dispatch_indirect,
	  "DISPATCH_INDIRECT" },
	{ 0x16, MEC, GFX7, 0, 3, 3, WINDOW_NONE, pm4_dispatch_at_address,
	  "DISPATCH_INDIRECT" },
	{ 0x1d, BOTH, GFX7, GFX11, 1, ANY, WINDOW_NONE, pm4_skip,
	  "ATOMIC_GDS" },
	{ 0x1e, BOTH, GFX7, 0, 8, 8, WINDOW_NONE, pm4_atomic_memory,
	  "ATOMIC_MEM" },
	{ 0x1f, GFX, GFX7, 0, 4, 4, WINDOW_NONE, pm4_skip, "OCCLUSION_QUERY" },
	{ 0x20, GFX, GFX7, GFX9, 2, 2, WINDOW_NONE, pm4_set_predication,
	  "SET_PREDICATION" },
	{ 0x20, GFX, GFX9, 0, 3, 3, WINDOW_NONE, pm4_set_predication,
	  "SET_PREDICATION" },
	{ 0x21, GFX, GFX7, 0, 3, 3, WINDOW_NONE, pm4_modify_register,
	  "REG_RMW" },
	{ 0x22, BOTH, GFX7, 0, 4, 4, WINDOW_NONE, pm4_cond_exec, "COND_EXEC" },
	{ 0x23, BOTH, GFX7, 0, 1, 1, WINDOW_NONE, pm4_pred_exec, "PRED_EXEC" },
	{ 0x24, GFX, GFX7, 0, 4, 4, WINDOW_NONE, pm4_draw_indirect,
	  "DRAW_INDIRECT" },
	{ 0x25, GFX, GFX7, 0, 4, 4, WINDOW_NONE, pm4_draw_indirect,
	  "DRAW_INDEX_INDIRECT" },
	{ 0x26, GFX, GFX7, 0, 2, 2, WINDOW_NONE, pm4_skip, "INDEX_BASE" },
	{ 0x27, GFX, GFX7, 0, 5, 5, WINDOW_NONE, pm4_draw, "DRAW_INDEX_2" },
	{ 0x28, GFX, GFX7, 0, 2, 2, WINDOW_NONE, pm4_skip, "CONTEXT_CONTROL" },
	{ 0x2a, GFX, GFX7, 0, 1, 1, WINDOW_NONE, pm4_skip, "INDEX_TYPE" },
	{ 0x2c, GFX, GFX7, 0, 9, 9, WINDOW_NONE, pm4_draw_indirect_multi,
	  "DRAW_INDIRECT_MULTI" },
	{ 0x2d, GFX, GFX7, 0, 2, 2, WINDOW_NONE, pm4_draw, "DRAW_INDEX_AUTO" },
	{ 0x2f, GFX, GFX7, 0, 1, 1, WINDOW_NONE, pm4_skip, "NUM_INSTANCES" },
	{ 0x30, GFX, GFX7, GFX12, 3, 3, WINDOW_NONE, pm4_draw,
	  "DRAW_INDEX_MULTI_AUTO" },
	{ 0x30, GFX, GFX12, 0, 4, 4, WINDOW_NONE, pm4_draw,
	  "DRAW_INDEX_MULTI_AUTO" },
	{ 0x32, BOTH, GFX7, 0, 3, ANY, WINDOW_NONE, pm4_refuse,
	  "INDIRECT_BUFFER_PRIV" },
	{ 0x33, GFX, GFX7, GFX11, 3, ANY, WINDOW_NONE, pm4_skip,
	  "INDIRECT_BUFFER_CNST" },
	{ 0x34, GFX, GFX7, GFX12, 5, 5, WINDOW_NONE, pm4_update_streamout,
	  "STRMOUT_BUFFER_UPDATE" },
	{ 0x35, GFX, GFX7, 0, 4, 4, WINDOW_NONE, pm4_draw,
	  "DRAW_INDEX_OFFSET_2" },
	{ 0x36, GFX, GFX7, 0, 1, ANY, WINDOW_NONE, pm4_skip, "DRAW_PREAMBLE" },
	{ 0x37, BOTH, GFX7, 0, 4, ANY, WINDOW_NONE, pm4_write_data,
	  "WRITE_DATA" },
	{ 0x38, GFX, GFX7, 0, 9, 9, WINDOW_NONE, pm4_draw_indirect_multi,
	  "DRAW_INDEX_INDIRECT_MULTI" },
	{ 0x39, BOTH, GFX7, GFX9, 2, 2, WINDOW_NONE, pm4_semaphore,
	  "MEM_SEMAPHORE" },
	{ 0x39, BOTH, GFX9, GFX11, 3, 3, WINDOW_NONE, pm4_semaphore,
	  "MEM_SEMAPHORE" },
	{ 0x3b, GFX, GFX7, GFX9, 5, 5, WINDOW_NONE, pm4_copy_dword, "COPY_DW" },
	{ 0x3c, BOTH, GFX7, 0, 6, 6, WINDOW_NONE, pm4_wait_reg_mem,
	  "WAIT_REG_MEM" },
	{ 0x3d, BOTH, GFX11, 0, 1, 1, WINDOW_NONE, pm4_counter_window,
	  "PERF_COUNTER_WINDOW" },
	{ 0x3f, BOTH, GFX7, 0, 3, 3, WINDOW_NONE, pm4_indirect_buffer,
	  "INDIRECT_BUFFER" },
	{ 0x3f, BOTH, GFX9, 0, 13, 13, WINDOW_NONE, pm4_cond_indirect_buffer,
	  "COND_INDIRECT_BUFFER" },
	{ 0x40, BOTH, GFX7, 0, 5, 5, WINDOW_NONE, pm4_copy_data, "COPY_DATA" },
	{ 0x41, GFX, GFX7, GFX9, 5, 5, WINDOW_NONE, pm4_cp_dma, "CP_DMA" },
	{ 0x42, GFX, GFX7, 0, 1, 1, WINDOW_NONE, pm4_wait_idle, "PFP_SYNC_ME" },
	{ 0x43, GFX, GFX7, GFX10, 4, 4, WINDOW_NONE, pm4_skip, "SURFACE_SYNC" },
	{ 0x44, GFX, GFX7, 0, 1, ANY, WINDOW_NONE, pm4_refuse,
	  "ME_INITIALIZE" },
	{ 0x45, BOTH, GFX7, 0, 8, 8, WINDOW_NONE, pm4_cond_write,
	  "COND_WRITE" },
	{ 0x46, BOTH, GFX7, 0, 1, 1, WINDOW_NONE, pm4_event_write,
	  "EVENT_WRITE" },
	{ 0x46, BOTH, GFX7, 0, 3, 3, WINDOW_NONE, pm4_event_write,
	  "EVENT_WRITE" },
	{ 0x47, GFX, GFX7, GFX9, 5, 5, WINDOW_NONE, pm4_event_write_eop,
	  "EVENT_WRITE_EOP" },
	{ 0x48, GFX, GFX7, GFX9, 4, 4, WINDOW_NONE, pm4_event_write_eos,
	  "EVENT_WRITE_EOS" },
	{ 0x49, MEC, GFX7, GFX9, 6, 6, WINDOW_NONE, pm4_release_mem,
	  "RELEASE_MEM" },
	{ 0x49, BOTH, GFX9, 0, 7, 7, WINDOW_NONE, pm4_release_mem,
	  "RELEASE_MEM" },
	{ 0x4a, GFX, GFX7, 0, 1, 1, WINDOW_NONE, pm4_skip, "PREAMBLE_CNTL" },
	{ 0x4c, GFX, GFX10_3, 0, 8, 8, WINDOW_NONE, pm4_dispatch_mesh_multi,
	  "DISPATCH_MESH_INDIRECT_MULTI" },
	{ 0x4d, GFX, GFX10_3, 0, 3, 3, WINDOW_NONE, pm4_draw,
	  "DISPATCH_TASKMESH_GFX" },
	{ 0x4e, GFX, GFX11, 0, 4, 4, WINDOW_NONE, pm4_dispatch_mesh,
	  "DISPATCH_MESH_DIRECT" },
	{ 0x50, BOTH, GFX7, 0, 6, 6, WINDOW_NONE, pm4_dma_data, "DMA_DATA" },
	{ 0x51, GFX, GFX7, 0, 3, 3, WINDOW_CONTEXT, pm4_modify_context,
	  "CONTEXT_REG_RMW" },
	{ 0x54, BOTH, GFX10_3, 0, 2, 2, WINDOW_NONE, pm4_skip,
	  "PERFMON_CONTROL" },
	{ 0x58, BOTH, GFX7, GFX10, 6, 6, WINDOW_NONE, pm4_acquire_mem,
	  "ACQUIRE_MEM" },
	{ 0x58, BOTH, GFX10, 0, 7, 7, WINDOW_NONE, pm4_acquire_mem,
	  "ACQUIRE_MEM" },
	{ 0x59, MEC, GFX7, GFX8, 1, 1, WINDOW_NONE, pm4_rewind, "REWIND" },
	{ 0x59, BOTH, GFX8, 0, 1, 1, WINDOW_NONE, pm4_rewind, "REWIND" },
	{ 0x5a, BOTH, GFX7, 0, 1, ANY, WINDOW_NONE, pm4_refuse, "INTERRUPT" },
	{ 0x5b, GFX, GFX9, GFX11, 9, 9, WINDOW_NONE, pm4_refuse, "GEN_PDEPTE" },
	{ 0x5c, MEC, GFX9, 0, 4, 4, WINDOW_NONE, pm4_indirect_buffer,
	  "INDIRECT_BUFFER_PASID" },
	{ 0x5d, BOTH, GFX9, 0, 4, 4, WINDOW_NONE, pm4_skip, "PRIME_UTCL2" },
	{ 0x5e, GFX, GFX7, 0, 4, ANY, WINDOW_UCONFIG, pm4_load_registers,
	  "LOAD_UCONFIG_REG" },
	{ 0x5f, BOTH, GFX7, GFX10, 4, ANY, WINDOW_SHADER, pm4_load_registers,
	  "LOAD_SH_REG" },
	{ 0x5f, GFX, GFX10, 0, 4, ANY, WINDOW_SHADER, pm4_load_registers,
	  "LOAD_SH_REG" },
	{ 0x60, GFX, GFX7, 0, 4, ANY, WINDOW_CONFIG, pm4_load_registers,
	  "LOAD_CONFIG_REG" },
	{ 0x61, GFX, GFX7, 0, 4, ANY, WINDOW_CONTEXT, pm4_load_registers,
	  "LOAD_CONTEXT_REG" },
	{ 0x63, GFX, GFX8, 0, 4, ANY, WINDOW_SHADER, pm4_load_index,
	  "LOAD_SH_REG_INDEX" },
	{ 0x63, MEC, GFX10_3, 0, 4, ANY, WINDOW_SHADER, pm4_load_index,
	  "LOAD_SH_REG_INDEX" },
	{ 0x64, GFX, GFX9, 0, 4, ANY, WINDOW_UCONFIG, pm4_load_index,
	  "LOAD_UCONFIG_REG_INDEX" },
	{ 0x68, BOTH, GFX7, 0, 2, ANY, WINDOW_CONFIG, pm4_set_registers,
	  "SET_CONFIG_REG" },
	{ 0x69, GFX, GFX7, 0, 2, ANY, WINDOW_CONTEXT, pm4_set_registers,
	  "SET_CONTEXT_REG" },
	{ 0x6a, GFX, GFX9, 0, 2, ANY, WINDOW_CONTEXT, pm4_set_registers,
	  "SET_CONTEXT_REG_INDEX" },
	{ 0x76, BOTH, GFX7, 0, 2, ANY, WINDOW_SHADER, pm4_set_registers,
	  "SET_SH_REG" },
	{ 0x77, GFX, GFX7, 0, 2, 3, WINDOW_NONE, pm4_skip,
	  "SET_SH_REG_OFFSET" },
	{ 0x78, BOTH, GFX7, 0, 2, ANY, WINDOW_NONE, pm4_skip, "SET_QUEUE_REG" },
	{ 0x79, BOTH, GFX7, 0, 2, ANY, WINDOW_UCONFIG, pm4_set_registers,
	  "SET_UCONFIG_REG" },
	{ 0x7a, BOTH, GFX9, 0, 2, ANY, WINDOW_UCONFIG, pm4_set_registers,
	  "SET_UCONFIG_REG_INDEX" },
	{ 0x7d, GFX, GFX7, 0, 1, ANY, WINDOW_NONE, pm4_skip,
	  "SCRATCH_RAM_WRITE" },
	{ 0x7e, GFX, GFX7, 0, 1, ANY, WINDOW_NONE, pm4_skip,
	  "SCRATCH_RAM_READ" },
	{ 0x80, GFX, GFX7, GFX11, 4, 4, WINDOW_NONE, pm4_skip,
	  "LOAD_CONST_RAM" },
	{ 0x81, GFX, GFX7, GFX11, 2, ANY, WINDOW_NONE, pm4_skip,
	  "WRITE_CONST_RAM" },
	{ 0x83, GFX, GFX7, GFX11, 4, 4, WINDOW_NONE, pm4_skip,
	  "DUMP_CONST_RAM" },
	{ 0x84, GFX, GFX7, GFX11, 1, 1, WINDOW_NONE, pm4_skip,
	  "INCREMENT_CE_COUNTER" },
	{ 0x85, GFX, GFX7, GFX11, 1, 1, WINDOW_NONE, pm4_skip,
	  "INCREMENT_DE_COUNTER" },
	{ 0x86, BOTH, GFX7, GFX11, 1, 1, WINDOW_NONE, pm4_skip,
	  "WAIT_ON_CE_COUNTER" },
	{ 0x88, GFX, GFX7, GFX11, 1, 1, WINDOW_NONE, pm4_skip,
	  "WAIT_ON_DE_COUNTER_DIFF" },
	{ 0x8b, GFX, GFX7, GFX11, 1, 1, WINDOW_NONE, pm4_skip,
	  "SWITCH_BUFFER" },
	{ 0x8c, GFX, GFX10, GFX11, 5, 5, WINDOW_NONE, pm4_skip,
	  "DISPATCH_DRAW_PREAMBLE" },
	{ 0x8c, MEC, GFX10, GFX11, 1, 1, WINDOW_NONE, pm4_skip,
	  "DISPATCH_DRAW_PREAMBLE_ACE" },
	{ 0x8d, GFX, GFX10, GFX11, 5, 5, WINDOW_NONE, pm4_draw,
	  "DISPATCH_DRAW" },
	{ 0x8d, MEC, GFX10, GFX11, 5, 5, WINDOW_NONE, pm4_skip,
	  "DISPATCH_DRAW_ACE" },
	{ 0x8e, GFX, GFX9, GFX11, 4, 4, WINDOW_NONE, pm4_skip,
	  "GET_LOD_STATS" },
	{ 0x90, BOTH, GFX8, GFX12, 1, 1, WINDOW_NONE, pm4_skip,
	  "FRAME_CONTROL" },
	{ 0x91, GFX, GFX9, 0, 3, 3, WINDOW_NONE, pm4_skip,
	  "INDEX_ATTRIBUTES_INDIRECT" },
	{ 0x92, BOTH, GFX10_3, 0, 1, ANY, WINDOW_NONE, pm4_skip,
	  "WAIT_FOR_WRITE_CONFIRM" },
	{ 0x93, BOTH, GFX7, 0, 8, 8, WINDOW_NONE, pm4_wait_reg_mem64,
	  "WAIT_REG_MEM64" },
	{ 0x94, BOTH, GFX9, 0, 1, ANY, WINDOW_NONE, pm4_skip, "COND_PREEMPT" },
	{ 0x95, MEC, GFX9, 0, 1, 1, WINDOW_NONE, pm4_skip, "HDP_FLUSH" },
	{ 0x98, BOTH, GFX9, 0, 1, 1, WINDOW_NONE, pm4_skip, "INVALIDATE_TLBS" },
	{ 0x9a, BOTH, GFX9, 0, 6, 6, WINDOW_NONE, pm4_dma_fill,
	  "DMA_DATA_FILL_MULTI" },
	{ 0x9b, BOTH, GFX8, 0, 2, ANY, WINDOW_SHADER, pm4_set_registers,
	  "SET_SH_REG_INDEX" },
	{ 0x9c, GFX, GFX9, 0, 1, ANY, WINDOW_NONE, pm4_draw,
	  "DRAW_INDIRECT_COUNT_MULTI" },
	{ 0x9d, GFX, GFX9, 0, 1, ANY, WINDOW_NONE, pm4_draw,
	  "DRAW_INDEX_INDIRECT_COUNT_MULTI" },
	{ 0x9e, GFX, GFX9, GFX11, 3, 3, WINDOW_NONE, pm4_skip,
	  "DUMP_CONST_RAM_OFFSET" },
	{ 0x9f, GFX, GFX8, 0, 4, ANY, WINDOW_CONTEXT, pm4_load_index,
	  "LOAD_CONTEXT_REG_INDEX" },
	{ 0xa0, BOTH, GFX8, 0, 1, ANY, WINDOW_NONE, pm4_refuse,
	  "SET_RESOURCES" },
	{ 0xa1, BOTH, GFX7, 0, 1, ANY, WINDOW_NONE, pm4_refuse, "MAP_PROCESS" },
	{ 0xa2, BOTH, GFX7, 0, 1, ANY, WINDOW_NONE, pm4_refuse, "MAP_QUEUES" },
	{ 0xa3, BOTH, GFX7, 0, 1, ANY, WINDOW_NONE, pm4_refuse,
	  "UNMAP_QUEUES" },
	{ 0xa4, BOTH, GFX7, 0, 1, ANY, WINDOW_NONE, pm4_refuse,
	  "QUERY_STATUS" },
	{ 0xa5, BOTH, GFX7, 0, 1, ANY, WINDOW_NONE, pm4_refuse, "RUN_LIST" },
	{ 0xa6, BOTH, GFX9, 0, 1, ANY, WINDOW_NONE, pm4_refuse,
	  "MAP_PROCESS_VM" },
	{ 0xa7, GFX, GFX12, 0, 4, 4, WINDOW_NONE, pm4_dispatch_direct,
	  "DISPATCH_DIRECT_INTERLEAVED" },
	{ 0xa8, GFX, GFX12, 0, 2, 2, WINDOW_NONE, pm4_dispatch_indirect,
	  "DISPATCH_INDIRECT_INTERLEAVED" },
	{ 0xa9, BOTH, GFX10_3, 0, 2, 2, WINDOW_NONE, pm4_skip,
	  "DISPATCH_TASK_STATE_INIT" },
	{ 0xaa, MEC, GFX10_3, 0, 5, 5, WINDOW_NONE, pm4_dispatch_direct,
	  "DISPATCH_TASKMESH_DIRECT_ACE" },
	{ 0xab, GFX, GFX10_3, 0, 1, ANY, WINDOW_NONE, pm4_skip,
	  "CONTEXT_PUSH" },
	{ 0xac, GFX, GFX10_3, 0, 1, ANY, WINDOW_NONE, pm4_skip, "CONTEXT_POP" },
	{ 0xad, MEC, GFX10_3, 0, 10, 10, WINDOW_NONE, pm4_dispatch_tasks,
	  "DISPATCH_TASKMESH_INDIRECT_MULTI_ACE" },
	{ 0xae, GFX, GFX10, 0, 14, 14, WINDOW_NONE, pm4_skip,
	  "EXECUTE_INDIRECT" },
	{ 0xaf, GFX, GFX10, 0, 7, 7, WINDOW_NONE, pm4_skip,
	  "BUILD_UNTYPED_SRD" },
	{ 0xb1, GFX, GFX11, 0, 2, 2, WINDOW_NONE, pm4_event_write_zpass,
	  "EVENT_WRITE_ZPASS" },
	{ 0xb2, BOTH, GFX11, 0, 5, 5, WINDOW_NONE, pm4_timestamp, "TIMESTAMP" },
	{ 0xb4, BOTH, GFX11, 0, 12, 12, WINDOW_NONE, pm4_skip,
	  "EXECUTE_INDIRECT_V2" },
	{ 0xb8, GFX, GFX11, 0, 2, ANY, WINDOW_CONTEXT, pm4_set_pairs,
	  "SET_CONTEXT_REG_PAIRS" },
	{ 0xb9, GFX, GFX11, GFX12, 4, ANY, WINDOW_CONTEXT, pm4_set_packed_pairs,
	  "SET_CONTEXT_REG_PAIRS_PACKED" },
	{ 0xba, BOTH, GFX11, 0, 2, ANY, WINDOW_SHADER, pm4_set_pairs,
	  "SET_SH_REG_PAIRS" },
	{ 0xbb, BOTH, GFX11, GFX12, 4, ANY, WINDOW_SHADER, pm4_set_packed_pairs,
	  "SET_SH_REG_PAIRS_PACKED" },
	{ 0xbc, MEC, GFX12, 0, 4, ANY, WINDOW_SHADER, pm4_set_packed_pairs,
	  "SET_SH_REG_PAIRS_PACKED" },
	{ 0xbd, BOTH, GFX11, GFX12, 4, ANY, WINDOW_SHADER, pm4_set_packed_pairs,
	  "SET_SH_REG_PAIRS_PACKED_N" },
	{ 0xbd, MEC, GFX12, 0, 4, ANY, WINDOW_SHADER, pm4_set_packed_pairs,
	  "SET_SH_REG_PAIRS_PACKED_N" },
	{ 0xbe, BOTH, GFX12, 0, 2, ANY, WINDOW_UCONFIG, pm4_set_pairs,
	  "SET_UCONFIG_REG_PAIRS" },
	{ 0xc0, GFX, GFX12, 0, 10, 10, WINDOW_NONE, pm4_skip,
	  "LOAD_BUFFER_FILLED_SIZES" },
	{ 0xc1, GFX, GFX12, 0, 4, 4, WINDOW_NONE, pm4_skip,
	  "SET_BUFFER_FILLED_SIZE" },
	{ 0xc2, GFX, GFX12, 0, 10, 10, WINDOW_NONE, pm4_skip,
	  "SAVE_BUFFER_FILLED_SIZES" },
	{ 0xc3, GFX, GFX12, 0, 5, 5, WINDOW_NONE, pm4_skip,
	  "STREAMOUT_STATS_QUERY" },
	{ 0xef, GFX, GFX12, 0, 1, 1, WINDOW_NONE, pm4_skip,
	  "UPDATE_DB_SUMMARIZER_TIMEOUTS" },
};

static unsigned
generation_of(const struct ring *ring)
{
	const unsigned *version = ring->amdgpu->chip.gfx_version;

	return version[0] * 10 + version[1];
}

/* Find the kind that a packet is, or NULL: the ring has been hung. */
static const struct packet_kind *
find_kind(const struct packet *packet)
{
	const struct ring *ring = packet->ring;
	unsigned generation = generation_of(ring);
	const struct packet_kind *of_others = NULL, *of_generation = NULL;
	const struct packet_kind *of_engine = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct packet_kind *kind = &kinds[i];

		if (kind->opcode != packet->opcode)
			continue;
		of_others = kind;
		if (generation < kind->since ||
		    (kind->gone && generation >= kind->gone))
			continue;
		of_generation = kind;
		if (!(kind->engines & (ring->is_gfx ? GFX : MEC)))
			continue;
		of_engine = kind;
		if (packet->count >= kind->least && packet->count <= kind->most)
			return kind;
	}
	if (of_engine)
		ring_hang(packet->ring, "%s (packet 0x%02x) of %u dwords",
			  of_engine->name, packet->opcode, packet->count);
	else if (of_generation)
		ring_hang(packet->ring, "%s (packet 0x%02x) on a %s ring",
			  of_generation->name, packet->opcode,
			  ring->is_gfx ? "graphics" : "compute");
	else
		ring_hang(packet->ring, "packet 0x%02x%s%s is unknown",
			  packet->opcode, of_others ? ", " : "",
			  of_others ? of_others->name : "");
	return NULL;
}

enum outcome
pm4_execute(struct packet *packet)
{
	struct ring *ring = packet->ring;
	enum outcome outcome;

	packet->kind = find_kind(packet);
	if (!packet->kind)
		return HUNG;
	if (packet->header & CAM_RESET && !ring->is_gfx &&
	    packet->opcode == PACKET_SET_UCONFIG_REG) {
		ring_hang(ring, "filter CAM reset on a compute ring");
		return HUNG;
	}
	outcome = packet->kind->run(packet);
	if (outcome != AGAIN)
		ring->told.samples_are_last = pm4_stores_samples(packet);
	return outcome;
}
