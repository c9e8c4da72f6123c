/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a GPU's chip, from its description and the scenario. */
#ifndef DRMSIM_AMDGPU_GFX_CHIP_H
#define DRMSIM_AMDGPU_GFX_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/doubt.h"
#include "amdgpu/gfx/gpu_metrics.h"

struct sim_words;

#define SE_MAX 32
#define BLOCKS_MAX 64
#define DIES_MAX 8
#define RINGS_MAX 64 /* for compute */
#define MMR_MAX 128
#define NAMED_MAX 48

struct chip_register {
	uint32_t grbm_gfx_index, cp_perfmon_cntl;
	uint32_t sq_perfcounter_ctrl, sq_perfcounter_mask, sq_perfcounter_ctrl2;
	uint32_t sqg_perfcounter_ctrl, sqg_perfcounter_ctrl2, grbmh_sync;
	uint32_t rlc_perfmon_clk_cntl, rlc_perfmon_cntl;
	uint32_t compute_perfcount_enable, compute_num_thread[3];
	uint32_t compute_pgm_lo, compute_pgm_hi;
	uint32_t grbm_status, grbm_status2, gb_addr_config;
	/* RLC_SPM_...: streaming counters; the last two are the kernel's */
	uint32_t spm_perfmon_cntl, spm_ring_base_lo, spm_ring_base_hi;
	uint32_t spm_ring_size, spm_segment_size, spm_se3to0_segment_size;
	uint32_t spm_glb_segment_size, spm_accum_mode, spm_ring_wrptr;
	uint32_t spm_global_muxsel_addr, spm_global_muxsel_data;
	uint32_t spm_se_muxsel_addr, spm_se_muxsel_data;
	uint32_t spm_status, spm_ring_rdptr, spm_mc_cntl;
	/* SQ_THREAD_TRACE_...; ctrl arms, of gfx9 it is MODE */
	uint32_t sqtt_base, sqtt_base_hi, sqtt_size, sqtt_mask, sqtt_token_mask;
	uint32_t sqtt_ctrl, sqtt_reset, sqtt_wptr, sqtt_status, sqtt_status2;
	uint32_t sqtt_cntr, sqtt_userdata, compute_thread_trace_enable;
};

struct busy_bit {
	char name[20];
	unsigned bit;
	uint32_t event; /* of block GRBM */
	uint64_t share; /* in 10^-8, so 100% is 10^8 */
	bool is_set;
};

struct clocks {
	unsigned min, stable, max, now; /* MHz */
	unsigned told; /* by the kernel in place of stable; 0: the truth */
};

struct chip_sensor {
	unsigned number;
	char name[20];
	uint32_t value;
	bool is_silent;
};

struct chip_firmware {
	unsigned kind;
	uint32_t version, feature;
};

/* The setting that keeps the clock of the counters on. */
enum perfmon_clock {
	CLOCK_REGISTER_OR_PSTATE, /* RLC_PERFMON_CLK_CNTL, a stable pstate */
	CLOCK_REGISTER, /* RLC_PERFMON_CLK_CNTL, which a pstate clears */
	CLOCK_PSTATE,	/* a stable pstate only */
	CLOCK_ALWAYS,
};

/* The generation whose registers and layouts streaming counters have. */
enum spm_style {
	SPM_NONE,
	SPM_GFX9,
	SPM_GFX10,
	SPM_GFX11,
	SPM_GFX12,
};

/* The generation whose registers and tokens thread traces have. */
enum sqtt_style {
	SQTT_NONE,
	SQTT_GFX9,
	SQTT_GFX10_1,
	SQTT_GFX10_3,
	SQTT_GFX11,
	SQTT_GFX11_5,
	SQTT_GFX12,
};

/* A register's contents from the start. */
struct held {
	uint32_t dword, value;
};

struct chip {
	char name[64];
	unsigned family, external_rev, chip_rev, asic_flags;
	unsigned gfx_version[3], sdma_version[3], hw_ip[2];
	unsigned die_count;
	/* of one die */
	unsigned se_count, sa_per_se, cu_per_sa, rb_per_se, l2_channels;
	unsigned gl2a_count, sdp_count, sdma_engines;
	unsigned wgp_above; /* WGPs of an array on the near side of its SPI */
	unsigned gfx_rings, compute_rings, wavefront, waves_per_cu;
	unsigned wave32_bit; /* of a dispatch's initiator; 0: none */
	unsigned index_bits[3]; /* of instance, SA, SE in GRBM_GFX_INDEX */
	uint32_t stage_mask;	/* bits of SQ_PERFCOUNTER_CTRL there are */
	uint32_t vmid_enable;	/* of SQ_PERFCOUNTER_CTRL2; one has to be set */
	unsigned pipe_disable;	/* bit of the first DISABLE_ME0PIPE0; 0: none */
	enum perfmon_clock perfmon_clock;
	uint64_t packet_ns; /* what a packet takes */
	uint64_t behind_ns; /* of the time that timestamps tell */
	uint64_t gfxoff_ns; /* idle time before power goes; 0: it stays */
	char risk_by_hold[16], stuck_by_stop[16]; /* blocks; or empty */
	bool filter_cam;   /* drops SETs of what is there already */
	bool late_samples; /* reads may overtake a sample */
	/* a sample arrives only after this many jobs have ended */
	unsigned late_jobs;
	bool lone_eop;	   /* the first of two EOP events does not wait */
	unsigned window_firmware[2]; /* PFP and MEC that know 0x3d; 0: none */
	unsigned ce_ram, vgprs, gs_table_depth, gs_buffer_depth;
	bool double_offchip_lds, has_high_va;
	uint64_t virtual_max, mall_size;
	unsigned cache_line;	/* bytes */
	unsigned cache_kib[5]; /* TCP, SQC data, SQC instructions, GL1C, GL2C */
	unsigned sqc_per_wgp;
	uint32_t gb_addr_config;
	struct clocks sclk, mclk;
	unsigned reference_khz;
	uint64_t vram, visible_vram, gtt;
	unsigned vram_type, vram_width;
	/* per die, SE and SH, after harvesting */
	uint32_t cu_mask[DIES_MAX][SE_MAX][2];
	uint32_t rb_mask[SE_MAX];
	struct held held[MMR_MAX];
	unsigned held_count;
	struct chip_firmware firmware[32];
	unsigned firmware_count;
	struct chip_sensor sensors[16];
	unsigned sensor_count;
	struct gpu_metrics_settings gpu_metrics;
	bool user_queues_only; /* the kernel has no rings of its own */
	/* what files of sysfs say; "": there is none */
	char ptl[12], isolation[32];
	enum spm_style spm_style;
	unsigned muxsel_bits[2]; /* of an address: global, of an engine */
	enum sqtt_style sqtt_style;
	struct chip_register reg;
	struct range {
		uint32_t first, last; /* dwords */
	} named[NAMED_MAX]; /* that nothing simulated has */
	unsigned named_count;
	struct busy_bit busy[32];
	unsigned busy_count;
	uint32_t mmr[MMR_MAX]; /* dwords */
	unsigned mmr_count;
	struct block blocks[BLOCKS_MAX];
	unsigned block_count;
	unsigned doubts[DOUBTS]; /* the reading of each */
};

/* For each instance of each block of a chip. */
#define for_each_instance(chip, block, instance)                               \
	for ((block) = (chip)->blocks;                                         \
	     (block) < (chip)->blocks + (chip)->block_count; (block)++)        \
		for ((instance) = (block)->instances;                          \
		     (instance) <                                              \
		     (block)->instances + (block)->instance_count;             \
		     (instance)++)

void chip_free(struct chip *chip);

/* ---- its shape */
/* Set "harvest" of the scenario. Returns 0 or -EINVAL. */
int chip_harvest(struct chip *chip, const struct sim_words *words);
/* Find the instances that are there after harvesting. */
void chip_update_presence(struct chip *chip);
unsigned chip_cu_count(const struct chip *chip, unsigned die);
/* Return how many waves find room on a die at once. */
unsigned
chip_wave_slots(const struct chip *chip, unsigned die);
unsigned chip_rbs_per_sa(const struct chip *chip);
/* Return the number of rings for compute on all dies. */
unsigned chip_compute_rings(const struct chip *chip);
/*
 * Return the instance field of GRBM_GFX_INDEX that names an instance; SIMD 0.
 */
unsigned chip_steer(const struct chip *chip, const struct block *block,
		    unsigned index);
/* Return the block of this name, or NULL if there is none. */
struct block *chip_block(struct chip *chip, const char *name, size_t length);

/* ---- what the kernel reports of it */
/* Return the version of a firmware, by kind; 0 if unknown. */
uint32_t chip_firmware_version(const struct chip *chip, unsigned kind);
/* Set "firmware" of the scenario, by kind and version. Returns 0 or -EINVAL. */
int chip_set_firmware(struct chip *chip, const struct sim_words *words);
/*
 * Return the sensor of this name. Adds it if the chip has none so far but the
 * kernel knows one: "vddnb" for an APU. Returns NULL if there is no such
 * sensor.
 */
struct chip_sensor *chip_sensor(struct chip *chip, const char *name);

#endif /* DRMSIM_AMDGPU_GFX_CHIP_H */
