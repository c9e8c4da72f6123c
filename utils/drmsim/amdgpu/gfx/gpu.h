/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated amdgpu: what its parts know of each other.
 *
 * chip      what the description file says
 * die       a chip's compute die (XCC): most have one, MI300 has eight
 * rates     what happens on the GPU besides the work submitted: the scenario
 * perfmon   counters, their registers and their state machine
 * registers all other registers, and which is which
 * memory    buffers of a file and where its address space has them
 * ring      jobs, the time they take, hangs and resets
 * pm4       the command processor
 * context, submit, info   the kernel's interface
 */
#ifndef DRMSIM_AMDGPU_H
#define DRMSIM_AMDGPU_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "machine/sim.h"
#include "base/text.h"

#define SE_MAX 32
#define SLOTS_MAX 16
#define BLOCKS_MAX 64
#define DIES_MAX 8
#define RINGS_MAX 64
#define MMR_MAX 128
#define BYTE_TO_DWORD(byte) ((byte) / 4)
/* Registers of shaders, which are the queue's. */
#define SHADER_START BYTE_TO_DWORD(0xb000u)
#define SHADER_END BYTE_TO_DWORD(0xc000u)
/* COPY_DATA reaches this many registers. */
#define REGISTERS_MAX 0x40000u
/* Registers below this may have to do with counters. */
#define PERF_REGISTERS_MAX 0x10000u

struct amdgpu;
struct context;
struct dispatch;
struct job;

/* ------------------------------------------------------------------ */
/* Chip                                                                 */

enum block_style {
	STYLE_GENERIC,
	STYLE_PER_ENGINE, /* slot n belongs to shader engine n */
	STYLE_CFG,	  /* enabled by itself, results behind a selector */
	STYLE_SDMA,	  /* two counters in one control register */
	STYLE_RLC,	  /* a run state of its own */
};

enum block_scope { SCOPE_GLOBAL, SCOPE_SE, SCOPE_SA };
/* What may be fused off. */
enum block_part { PART_NONE, PART_CU, PART_WGP, PART_RB };
/* How the instance field of GRBM_GFX_INDEX names an instance. */
enum block_steer {
	STEER_FLAT,
	STEER_CU,  /* compute unit in [1:0] of a WGP in [5:2] */
	STEER_WGP, /* SIMD in [1:0] of a WGP in [5:2] */
	STEER_PAIR, /* two instances have one number */
};

struct slot {
	uint32_t select, select1, lo, hi; /* dwords; 0: none */
	uint32_t event_mask;
	uint32_t below; /* events from here on do not count; 0: all do */
	int engine;	/* the only instance that has it, or -1 */
	int parity;	/* the parity of the instances that have it, or -1 */
	bool plain;	/* in a block of style cfg: generic */
};

struct counter {
	uint32_t select, select1;
	bool programmed; /* select was written since the last power-up */
	unsigned simds;	 /* of a WGP: mask of those with this select */
	uint64_t value, latch;
	uint64_t sampled; /* the latch once the sample has arrived */
	uint64_t remainder; /* of a count, in 10^-15 */
	uint64_t rate;	    /* counts in 10^6 s, while conditions hold */
};

struct instance {
	unsigned number; /* in the block: die, then SE, then SH, then index */
	unsigned die, se, sa, index;
	bool present;
	uint32_t control; /* cfg: RSLT_CNTL; sdma: PERFMON_CNTL */
	uint64_t user;	  /* file that programmed it last */
	struct counter counters[SLOTS_MAX];
};

struct block {
	char name[16];
	unsigned number; /* in the formula of default rates */
	enum block_style style;
	enum block_scope scope;
	enum block_part part;
	enum block_steer steer;
	unsigned per_scope; /* instances */
	unsigned bits, event_count;
	bool windowed; /* counts only work of queues that allow it */
	bool staged;   /* counts only stages in the mask of SQ */
	bool masked;   /* SQ_PERFCOUNTER_MASK has to be open */
	bool sqg;      /* its switches are those of SQG_PERFCOUNTER_CTRL */
	bool per_aid;  /* of a pair of dies, the first of which reaches it */
	bool is_stuck; /* by a stop that this generation does not bear */
	bool was_selected; /* see perfmon_set_state() */
	uint64_t selected_by; /* the job that wrote its selects last */
	uint32_t require[4]; /* each: at least one of these bits in a select */
	unsigned require_count;
	uint32_t control;     /* dword of RSLT_CNTL */
	uint32_t stride;      /* dwords between engines: sdma */
	unsigned slot_count;
	struct slot slots[SLOTS_MAX];
	unsigned instance_count;
	struct instance *instances;
	uint64_t start_value; /* what a reset leaves */
};

struct chip_register {
	uint32_t grbm_gfx_index, cp_perfmon_cntl;
	uint32_t sq_perfcounter_ctrl, sq_perfcounter_mask, sq_perfcounter_ctrl2;
	uint32_t sqg_perfcounter_ctrl, sqg_perfcounter_ctrl2, grbmh_sync;
	uint32_t rlc_perfmon_clk_cntl, rlc_perfmon_cntl;
	uint32_t compute_perfcount_enable, compute_num_thread[3];
	uint32_t compute_pgm_lo, compute_pgm_hi;
	uint32_t grbm_status, grbm_status2, gb_addr_config;
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

/* What keeps the clock of the counters on. */
enum perfmon_clock {
	CLOCK_REGISTER_OR_PSTATE, /* RLC_PERFMON_CLK_CNTL, a stable pstate */
	CLOCK_REGISTER, /* RLC_PERFMON_CLK_CNTL, which a pstate clears */
	CLOCK_PSTATE,	/* a stable pstate only */
	CLOCK_ALWAYS,
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
	uint64_t gfxoff_ns; /* idle time before power goes; 0: it stays */
	char risk_by_hold[16], stuck_by_stop[16]; /* blocks; or empty */
	bool filter_cam;   /* drops SETs of what is there already */
	bool late_samples; /* reads may overtake a sample */
	bool lone_eop;	   /* the first of two EOP events does not wait */
	unsigned window_firmware[2]; /* PFP and MEC that know 0x3d; 0: none */
	unsigned ce_ram, vgprs, gs_table_depth, gs_buffer_depth;
	bool double_offchip_lds, has_high_va;
	uint64_t virtual_max, mall_size;
	unsigned cache_kib[5]; /* TCP, SQC data, SQC instructions, GL1C, GL2C */
	unsigned sqc_per_wgp;
	uint32_t gb_addr_config;
	struct clocks sclk, mclk;
	unsigned reference_khz;
	uint64_t vram, visible_vram, gtt;
	unsigned vram_type, vram_width;
	uint32_t cu_mask[SE_MAX][2]; /* per SE and SH, after harvesting */
	uint32_t rb_mask[SE_MAX];
	struct held held[MMR_MAX];
	unsigned held_count;
	struct chip_firmware firmware[32];
	unsigned firmware_count;
	struct chip_sensor sensors[16];
	unsigned sensor_count;
	struct chip_register reg;
	struct busy_bit busy[32];
	unsigned busy_count;
	uint32_t mmr[MMR_MAX]; /* dwords */
	unsigned mmr_count;
	struct block blocks[BLOCKS_MAX];
	unsigned block_count;
};

/* 0; -EINVAL; -ENOMEM. chip_free() in any case. */
int chip_read(struct amdgpu *amdgpu, const struct sim_text *description);
void chip_free(struct chip *chip);
/* The instance field of GRBM_GFX_INDEX that names an instance; SIMD 0. */
unsigned chip_steer(const struct chip *chip, const struct block *block,
		    unsigned index);
/* Version of a firmware, by kind; 0 if unknown. */
uint32_t chip_firmware_version(const struct chip *chip, unsigned kind);
/* "firmware" of the scenario, by kind and version: 0 or -EINVAL. */
int chip_set_firmware(struct chip *chip, const struct sim_words *words);
/* "harvest" of the scenario: 0 or -EINVAL. */
int chip_harvest(struct chip *chip, const struct sim_words *words);
unsigned chip_cu_count(const struct chip *chip);
/*
 * The sensor of this name, added if the chip has none so far but the kernel
 * knows one: "vddnb" for an APU. NULL: there is no such sensor.
 */
struct chip_sensor *chip_sensor(struct chip *chip, const char *name);
bool chip_has_se(const struct chip *chip, unsigned se);
struct block *chip_block(struct chip *chip, const char *name, size_t length);

/* ------------------------------------------------------------------ */
/* Rates                                                                */

enum rate_source {
	SOURCE_OPEN,	 /* of queues that allow counting */
	SOURCE_GRAPHICS, /* the gfx pipe: needs the window */
	SOURCE_OTHER,	 /* other processes' compute queues */
};

enum rule_kind {
	RULE_RATE,
	RULE_LEVEL,
	RULE_PER_WAVE,
	RULE_PER_THREAD,
	RULE_PER_GROUP,
	RULE_PER_DISPATCH,
	RULE_WHILE_BUSY, /* per clock while work is running */
};

struct rule {
	enum rule_kind kind;
	const struct block *block;
	uint32_t event;
	int instance; /* or -1 */
	uint32_t stages;
	enum rate_source source;
	bool per_clock;
	uint64_t micro; /* 10^-6 */
};

struct event_name {
	char name[48]; /* "SQ.WAVES" */
	const struct block *block;
	uint32_t event;
};

struct rates {
	bool is_zero; /* default zero */
	struct rule *rules;
	size_t rule_count, rule_room;
	struct event_name *names;
	size_t name_count;
	/* events with a meaning of their own, by block; block NULL: none */
	struct event_name never[2], accumulate[2], clock;
};

/* A line of the description or the scenario; -ENOENT: not about rates. */
int rates_set(struct amdgpu *amdgpu, const char *key,
	      const struct sim_words *words);
void rates_free(struct rates *rates);
/* Events in 10^6 seconds that a counter sees under present conditions. */
uint64_t rates_of(struct amdgpu *amdgpu, const struct block *block,
		  const struct instance *instance, unsigned slot);
/* What one unit of work of this kind adds, in 10^-6. */
uint64_t rates_of_work(const struct amdgpu *amdgpu, enum rule_kind kind,
		       const struct block *block, uint32_t event,
		       int instance);

/* ------------------------------------------------------------------ */
/* Perfmon                                                              */

enum { PERFMON_RESET = 0, PERFMON_COUNT = 1, PERFMON_HOLD = 2 };

struct perf_register {
	enum perf_register_kind {
		PERF_NONE,
		PERF_SELECT,
		PERF_SELECT1,
		PERF_LO,
		PERF_HI,
		PERF_CFG,	  /* configuration of one cfg counter */
		PERF_CFG_CONTROL, /* RSLT_CNTL */
		PERF_CFG_LO,
		PERF_CFG_HI,
		PERF_SDMA_CONTROL,
		PERF_SDMA_LO,
	} kind : 8;
	uint8_t block, slot;
	int8_t engine; /* its instance; -1: those of GRBM_GFX_INDEX */
};

struct perfmon {
	struct perf_register map[PERF_REGISTERS_MAX];
	uint64_t synced; /* counters are right as of this moment */
	bool rates_changed;
};

/* What every die has of its own. */
struct die {
	unsigned number;
	uint32_t registers[REGISTERS_MAX];
	/* Registers of which each shader engine has one. */
	uint32_t sqg_ctrl[SE_MAX];
	uint32_t grbmh_sync; /* bit by engine */
	unsigned state, rlc_state;
	bool mode_is_odd;     /* CP_PERFMON_CNTL asks for a context bit */
	bool window_open;     /* PERFCOUNTER_START of the gfx ring */
	uint64_t latched_job; /* the job that latched last */
	/* files that switched these last */
	uint64_t state_user, rlc_state_user;
	/* Late samples, by engine: under way to SQ, or to all others. */
	uint32_t late_sq, late_others;
	uint32_t sqg_toggled; /* since the sample */
};

int perfmon_init(struct amdgpu *amdgpu);
/* Count up to now, which is about to change something. */
void perfmon_sync(struct amdgpu *amdgpu, uint64_t now);
/* Registers of counters: true if it was one. */
bool perfmon_write(struct amdgpu *amdgpu, uint32_t dword, uint32_t value);
bool perfmon_read(struct amdgpu *amdgpu, uint32_t dword, uint32_t *value);
/* Work begins: what it adds is added at once. */
void perfmon_count_work(struct amdgpu *amdgpu, const struct dispatch *work);
void perfmon_set_state(struct amdgpu *amdgpu, uint32_t value);
void perfmon_set_rlc_state(struct amdgpu *amdgpu, uint32_t value);
/* RLC_PERFMON_CLK_CNTL is about to be written. */
void perfmon_switch_clock(struct amdgpu *amdgpu, bool on);
void perfmon_latch(struct amdgpu *amdgpu);
/* PERFCOUNTER_START or STOP of the gfx ring. */
void perfmon_set_window(struct amdgpu *amdgpu, bool open);
/* The CP has waited for a register: samples that it tells of are there. */
void perfmon_waited(struct amdgpu *amdgpu, uint32_t dword);
/* A job of the die has ended: everything is there. */
void perfmon_settle(struct amdgpu *amdgpu, struct die *die);
/* A select of a counter that filters by value: see chip.filter_cam. */
bool perfmon_is_select(const struct amdgpu *amdgpu, uint32_t dword);
/* What SQ_PERFCOUNTER_CTRL and CTRL2 of a block let through. */
uint32_t perfmon_stages(const struct amdgpu *amdgpu, const struct block *block,
			const struct instance *instance);
bool perfmon_is_forced(const struct amdgpu *amdgpu, const struct block *block,
		       const struct instance *instance);
/*
 * Any counter that could still count, switched on by the file of this id; 0:
 * by anybody.
 */
bool perfmon_is_running(const struct amdgpu *amdgpu, uint64_t user, char *text,
			size_t size);
/* Power-up values. */
void perfmon_power_up(struct amdgpu *amdgpu);

/* ------------------------------------------------------------------ */
/* Registers                                                            */

/* Of the die that is executing. */
uint32_t registers_read(struct amdgpu *amdgpu, uint32_t dword);
void registers_write(struct amdgpu *amdgpu, uint32_t dword, uint32_t value);
/* GRBM_STATUS as a reader sees it; phase: the reader's own, see there. */
uint32_t registers_status(struct amdgpu *amdgpu, uint64_t phase[32]);
#define GRBM_BROADCAST 0xe0000000u

/* ------------------------------------------------------------------ */
/* Memory                                                               */

struct mapping {
	uint64_t start, size; /* size 0: end of the list */
	struct sim_bo *bo;    /* NULL: a hole by intent (PRT) */
	uint64_t offset;
	uint32_t flags;
};

/* A file: the kernel's fpriv. */
struct client {
	struct sim_file *file;
	struct amdgpu *amdgpu;
	struct mapping *mappings; /* by start */
	size_t mapping_count, mapping_room;
	struct context *contexts;
	uint32_t next_context;
	struct bo_list *bo_lists;
	uint32_t next_bo_list;
	uint64_t phase[32]; /* of GRBM_STATUS readings */
};

/* Where a job reads or writes; NULL: a fault. *size: how much is there. */
uint8_t *memory_at(const struct client *client, uint64_t address,
		   uint32_t access, uint64_t *size, struct sim_bo **bo);
void memory_unmap_bo(struct client *client, const struct sim_bo *bo);
void memory_close(struct client *client);
/* The last handle of all files is closed. */
void memory_bo_gone(struct amdgpu *amdgpu, const struct sim_bo *bo);

int memory_gem_create(struct sim_call *, struct sim_file *, void *);
int memory_gem_mmap(struct sim_call *, struct sim_file *, void *);
int memory_gem_metadata(struct sim_call *, struct sim_file *, void *);
int memory_gem_wait_idle(struct sim_call *, struct sim_file *, void *);
int memory_gem_va(struct sim_call *, struct sim_file *, void *);
int memory_gem_op(struct sim_call *, struct sim_file *, void *);
int memory_gem_userptr(struct sim_call *, struct sim_file *, void *);
int memory_map(struct sim_call *, struct sim_file *, uint64_t offset,
	       uint64_t length, struct sim_mapping *out);

struct bo_list {
	struct bo_list *next;
	uint32_t handle;
	uint32_t count;
	struct sim_bo **bos;
};

/* A list from an array of the caller; -ENOENT for an unknown handle. */
int bo_list_read(struct sim_call *call, struct sim_file *file, uint64_t from,
		 uint32_t count, uint32_t entry_size, struct bo_list **out);
void bo_list_free(struct bo_list *list);
struct bo_list *bo_list_find(struct client *client, uint32_t handle);
int bo_list_ioctl(struct sim_call *, struct sim_file *, void *);

/* ------------------------------------------------------------------ */
/* Contexts                                                             */

#define ENTITY_RINGS 4 /* of one kind that a context may name */

struct entity {
	uint64_t sequence; /* of the last submission */
	struct fence_slot {
		uint64_t sequence;
		struct sim_fence *fence;
	} fences[32];
	struct ring *ring; /* of the last submission */
};

struct context {
	struct context *next;
	struct client *client;
	uint32_t id;
	unsigned references;
	bool guilty, freed;
	unsigned reset_count, reset_count_query, vram_lost_count;
	struct entity gfx, compute[ENTITY_RINGS];
};

struct context *context_find(struct client *client, uint32_t id);
struct context *context_get(struct context *context);
void context_put(struct context *context);
void context_close_all(struct client *client);
/* -EINVAL: there is no such ring. */
int context_entity(struct context *context, uint32_t ip, uint32_t ip_instance,
		   uint32_t ring, struct entity **out);
/* A submission's fence: NULL in *out if it is long past. */
int context_fence(struct entity *entity, uint64_t sequence,
		  struct sim_fence **out);
uint64_t context_add_fence(struct entity *entity, struct sim_fence *fence);
int context_ioctl(struct sim_call *, struct sim_file *, void *);
void context_show_level(struct amdgpu *amdgpu);

/* ------------------------------------------------------------------ */
/* Rings                                                                */

struct ib {
	uint64_t address;
	uint32_t dwords;
	uint32_t flags;
};

struct sync_target {
	uint32_t handle;
	uint64_t point;
};

#define IBS_MAX 16

struct job {
	struct job *next;
	uint64_t number; /* of all jobs of the GPU, from 1 */
	struct client *client; /* NULL once its file is closed */
	struct context *context;
	struct ring *ring;
	pid_t pid;
	struct ib ibs[IBS_MAX];
	unsigned ib_count, ib_done;
	struct sim_bo **bos;
	uint32_t bo_count;
	struct sim_fence **waits;
	uint32_t wait_count;
	struct sim_fence *fence;
	struct sim_bo *user_fence;
	uint32_t user_fence_offset;
	uint64_t sequence;
	unsigned vram_lost_count;
	uint64_t work_ns; /* of what it has launched */
	bool shall_hang;
	bool touched_counters;
};

/* A launch of waves. */
struct dispatch {
	uint64_t waves, groups, threads;
	unsigned die;
	bool allowed; /* its queue allowed counting */
	bool is_gfx;
	unsigned pipe;
	unsigned stage;
};

/* What the end of the pipe writes: data_sel of its packets. */
enum {
	END_OF_NOTHING,
	END_OF_DWORD,
	END_OF_QWORD,
	END_OF_CLOCK,
	END_OF_SYSTEM_CLOCK,
	END_OF_GDS,
};

struct end_of_pipe {
	struct end_of_pipe *next;
	uint64_t time;
	struct job *job;
	uint64_t address, data;
	unsigned data_select;
};

#define FRAMES_MAX 8

/* Bases that SET_BASE sets: of arguments, of LOAD_*_REG_INDEX. */
enum { BASE_ARGUMENTS = 1, BASE_LOAD = 4 };

#define CAM_ENTRIES 256

struct ring {
	struct amdgpu *amdgpu;
	struct die *die;
	bool is_gfx;
	unsigned index;
	struct job *queue; /* the first one runs */
	/* the command processor in the middle of a job */
	struct frame {
		uint64_t address; /* of the next dword */
		uint32_t left;	  /* dwords */
	} frames[FRAMES_MAX];
	unsigned depth;
	uint32_t shader_registers[0x400]; /* 0xb000 to 0xbfff */
	/* What the job has SET, for parts that compare with it. */
	struct held cam[CAM_ENTRIES];
	unsigned cam_count;
	bool window_open; /* by PERF_COUNTER_WINDOW */
	bool eop_pending; /* one EOP event since work was launched */
	bool hung;
	bool is_done;		/* commands are through, the work is not */
	uint64_t blocked_until; /* look again then; 0: not blocked */
	/*
	 * The host's time since when it waits for memory or a register, or 0:
	 * who writes it may be a process, which knows no simulated time.
	 */
	uint64_t blocked_since;
	uint64_t hung_at;
	uint32_t predicate_left; /* dwords of the buffer that are skipped */
	/* What the job has told the processor for packets behind. */
	struct told {
		uint64_t bases[16]; /* SET_BASE */
		/* SET_PREDICATION: packets run where both are the same */
		bool predicate_is_set, predicate_value, predicate_wanted;
		uint32_t pixel_control; /* of PIXEL_PIPE_STAT_DUMP */
		uint32_t filled[4];	/* of the streamout buffers */
	} told;
	uint32_t spent; /* see SPENT_MAX */
	uint64_t cs_threads; /* that compute dispatches have launched */
	uint64_t free_at;	 /* when the work launched so far ends */
	uint64_t busy_from;	 /* of the stretch that ends at free_at */
	struct end_of_pipe *ends;
};

/* Queue a job; runs it as far as it goes. The ring owns it. */
void ring_submit(struct amdgpu *amdgpu, struct job *job);
struct ring *ring_choose(struct amdgpu *amdgpu, bool gfx,
			 const struct entity *entity);
/* -ERANGE: it would not end before the kernel gave up. */
int
ring_launch(struct ring *ring, const struct dispatch *dispatch);
/* As many ends of the pipe are under way as there may be. */
bool
ring_ends_are_full(const struct ring *ring);
/* soon: without waiting for the work launched. */
int ring_at_end(struct ring *ring, uint64_t address, uint64_t data,
		unsigned data_select, bool soon);
void ring_hang(struct ring *ring, const char *format, ...) SIM_PRINTF(2, 3);
/* A file is closed: its jobs end. */
void rings_forget(struct amdgpu *amdgpu, struct client *client);
void rings_advance(struct amdgpu *amdgpu, uint64_t now);
uint64_t rings_next(const struct amdgpu *amdgpu);
/* A ring waits for memory or a register. */
bool rings_poll(const struct amdgpu *amdgpu);
/* The whole GPU starts again; guilty may be NULL. */
void rings_reset(struct amdgpu *amdgpu, struct context *guilty);
/* Busy time of all rings of a die together in an interval. */
uint64_t rings_busy(const struct amdgpu *amdgpu, const struct die *die,
		    uint64_t from, uint64_t to);
/* Power may have gone since the last work: see chip.gfxoff_ns. */
void rings_wake(struct amdgpu *amdgpu);
void job_free(struct job *job);

/* ------------------------------------------------------------------ */
/* The command processor                                                */

enum pm4_result {
	PM4_DONE,    /* the job's commands are through */
	PM4_BLOCKED, /* see blocked_until and blocked_since of the ring */
	PM4_HUNG,
};
enum pm4_result pm4_run(struct ring *ring);

/*
 * Where the running job may access size bytes at an address, or NULL: then the
 * ring hangs.
 */
uint8_t *pm4_address(struct ring *ring, uint64_t address, uint32_t access,
		     uint64_t size);

/* ------------------------------------------------------------------ */
/* The GPU                                                              */

/* What each client uses of the GPU besides what it submits. usage.c */
enum usage_engine {
	USAGE_GFX,
	USAGE_COMPUTE,
	USAGE_DMA,
	USAGE_DEC,
	USAGE_ENC,
	USAGE_ENC_1,
	USAGE_JPEG,
	USAGE_ENGINES,
};

enum usage_memory {
	USAGE_VRAM,
	USAGE_GTT,
	USAGE_CPU,
	USAGE_MEMORIES,
};

struct usage {
	uint64_t shares[USAGE_ENGINES]; /* millionths of the time */
	uint64_t bytes[USAGE_MEMORIES];
};

struct amdgpu {
	struct sim_gpu *gpu;
	struct chip chip;
	struct rates rates;
	struct perfmon perfmon;
	struct die *dies[DIES_MAX];
	struct die *die; /* that is executing; else the first one */
	struct ring gfx[1], compute[RINGS_MAX];
	int forced_die; /* that gets all jobs, or -1 */
	uint64_t last_work; /* when the last job ended */
	bool clock_bit; /* as a process, not the kernel, left it */
	uint64_t clock_user; /* its file */
	uint64_t next_job;
	uint64_t now; /* of what is being executed */
	struct job *job; /* that is being executed, for reports */
	unsigned reset_count, vram_lost_count;
	struct context *pstate_owner;
	uint32_t pstate;
	uint64_t wave_time, lockup_timeout;
	bool reset_loses_vram;
	bool was_gated; /* gpu->gated_clock up to the last change */
	uint64_t vram_used, visible_vram_used, gtt_used; /* by others */
	uint64_t vram_allocated, gtt_allocated;
	struct client *clients[256];
	unsigned client_count;
	struct usage usage;
	struct sim_amdgpu_pmu *pmu; /* or NULL */
};

static inline struct amdgpu *
amdgpu_of(const struct sim_gpu *gpu)
{
	return gpu->data;
}

static inline struct client *
client_of(const struct sim_file *file)
{
	return file->data;
}

/* MHz, with what a stable pstate makes of it. */
unsigned amdgpu_sclk(const struct amdgpu *amdgpu);
unsigned amdgpu_mclk(const struct amdgpu *amdgpu);
/* The GPU's own clock. */
uint64_t amdgpu_timestamp(const struct amdgpu *amdgpu, uint64_t now);
/* A violation of the job that is being executed. */
void amdgpu_violation(struct amdgpu *amdgpu, const char *kind,
		      const char *format, ...) SIM_PRINTF(3, 4);

/* Bytes, with what processes have. */
static inline uint64_t
amdgpu_vram_used(const struct amdgpu *amdgpu)
{
	return amdgpu->vram_used + amdgpu->vram_allocated;
}

static inline uint64_t
amdgpu_gtt_used(const struct amdgpu *amdgpu)
{
	return amdgpu->gtt_used + amdgpu->gtt_allocated;
}

/* Bring the files of sysfs up to date: all of them, or those of memory. */
void sysfs_show(struct amdgpu *amdgpu);
void sysfs_show_memory(struct amdgpu *amdgpu);

void usage_init(struct usage *usage);
/* "gfx 12" in percent, "vram 16777216" in bytes. */
int usage_set_busy(struct amdgpu *amdgpu, const struct sim_words *words);
int usage_set_memory(struct amdgpu *amdgpu, const struct sim_words *words);
void usage_fdinfo(struct sim_file *file, FILE *out);

int submit_cs(struct sim_call *, struct sim_file *, void *);
int submit_wait_cs(struct sim_call *, struct sim_file *, void *);
int submit_wait_fences(struct sim_call *, struct sim_file *, void *);
int submit_fence_to_handle(struct sim_call *, struct sim_file *, void *);
int info_ioctl(struct sim_call *, struct sim_file *, void *);

#endif /* DRMSIM_AMDGPU_H */
