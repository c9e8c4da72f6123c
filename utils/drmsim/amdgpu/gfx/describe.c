/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/describe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "amdgpu/gfx/address.h"
#include "amdgpu/gfx/chip.h"
#include "base/array.h"
#include "base/text.h"
#include "base/word.h"

static unsigned
text_number(const struct sim_text *text, const char *key, size_t index)
{
	return (unsigned)sim_text_number(text, key, index, UINT32_MAX, 0);
}

static uint64_t
size_of(const struct sim_text *text, const char *key)
{
	return sim_text_number(text, key, 1, UINT64_MAX, 0);
}

static void
read_clocks(const struct sim_text *text, const char *key, struct clocks *out)
{
	out->min = text_number(text, key, 1);
	out->stable = text_number(text, key, 2);
	out->max = text_number(text, key, 3);
	out->now = text_number(text, key, 4);
}

/* Read words that are one number each. */
static void
read_numbers(struct chip *chip, const struct sim_text *text)
{
	const struct {
		const char *key;
		unsigned *to;
	} numbers[] = {
		{ "family", &chip->family },
		{ "external-rev", &chip->external_rev },
		{ "chip-rev", &chip->chip_rev },
		{ "asic-flags", &chip->asic_flags },
		{ "shader-engines", &chip->se_count },
		{ "shader-arrays", &chip->sa_per_se },
		{ "compute-units", &chip->cu_per_sa },
		{ "render-backends", &chip->rb_per_se },
		{ "l2-channels", &chip->l2_channels },
		{ "l2-arbiters", &chip->gl2a_count },
		{ "memory-interfaces", &chip->sdp_count },
		{ "gfx-rings", &chip->gfx_rings },
		{ "compute-rings", &chip->compute_rings },
		{ "wavefront", &chip->wavefront },
		{ "wave32-bit", &chip->wave32_bit },
		{ "vmid-enable", &chip->vmid_enable },
		{ "pipe-disable", &chip->pipe_disable },
		{ "gb-addr-config", &chip->gb_addr_config },
		{ "reference-clock", &chip->reference_khz },
		{ "scalar-caches", &chip->sqc_per_wgp },
	};
	const struct {
		const char *key;
		unsigned *to, otherwise;
	} defaults[] = {
		{ "compute-dies", &chip->die_count, 1 },
		{ "sdma-engines", &chip->sdma_engines, 2 },
		{ "wgps-above-spi", &chip->wgp_above, 16 },
		{ "waves-per-cu", &chip->waves_per_cu, 40 },
		{ "stage-mask", &chip->stage_mask, 0x7f },
		{ "ce-ram", &chip->ce_ram, 32768 },
		{ "vgprs", &chip->vgprs, 256 },
		{ "cache-line", &chip->cache_line, 64 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		*numbers[i].to = text_number(text, numbers[i].key, 1);
	for (size_t i = 0; i < ARRAY_SIZE(defaults); i++)
		*defaults[i].to = (unsigned)sim_text_number(
			text, defaults[i].key, 1, UINT32_MAX,
			defaults[i].otherwise);
}

static void
read_versions(struct chip *chip, const struct sim_text *text)
{
	const struct sim_line *name = sim_text_find(text, "name");

	if (name && name->count > 1)
		snprintf(chip->name, sizeof(chip->name), "%s", name->words[1]);
	for (size_t i = 0; i < 3; i++) {
		chip->gfx_version[i] = text_number(text, "gfx-version", i + 1);
		chip->sdma_version[i] =
			text_number(text, "sdma-version", i + 1);
	}
	for (size_t i = 0; i < 2; i++) {
		chip->hw_ip[i] = (unsigned)sim_text_number(
			text, "hw-ip", i + 1, UINT32_MAX, chip->gfx_version[i]);
		chip->window_firmware[i] =
			text_number(text, "window-firmware", i + 1);
	}
}

static void
read_memory(struct chip *chip, const struct sim_text *text)
{
	chip->vram = size_of(text, "vram");
	chip->vram_type = text_number(text, "vram", 2);
	chip->vram_width = text_number(text, "vram", 3);
	chip->visible_vram = size_of(text, "visible-vram");
	chip->gtt = size_of(text, "gtt");
	chip->mall_size = size_of(text, "mall");
	chip->virtual_max = sim_text_number(text, "virtual-max", 1, UINT64_MAX,
					    0x0000800000000000ull);
	for (size_t i = 0; i < ARRAY_SIZE(chip->cache_kib); i++)
		chip->cache_kib[i] = text_number(text, "caches", i + 1);
}

static void
read_plain(struct chip *chip, const struct sim_text *text)
{
	read_numbers(chip, text);
	read_versions(chip, text);
	read_memory(chip, text);
	read_clocks(text, "sclk", &chip->sclk);
	read_clocks(text, "mclk", &chip->mclk);
	for (size_t i = 0; i < ARRAY_SIZE(chip->index_bits); i++)
		chip->index_bits[i] = (unsigned)sim_text_number(
			text, "index-bits", i + 1, UINT32_MAX, 8);
	chip->gs_table_depth = text_number(text, "gs-depths", 1);
	chip->gs_buffer_depth = text_number(text, "gs-depths", 2);
}

/* Read "KEY" or "KEY WORD": what a generation does in its own way. */
static int
read_manner(struct chip *chip, const struct sim_text *text)
{
	static const char *const clocks[] = { "register-or-pstate", "register",
					      "pstate", "always" };
	const struct sim_line *clock = sim_text_find(text, "perfmon-clock");
	const struct sim_line *hold = sim_text_find(text, "risk-by-hold");
	const struct sim_line *stop = sim_text_find(text, "stuck-by-stop");
	const struct sim_line *gfxoff = sim_text_find(text, "gfxoff");
	int manner;

	chip->filter_cam = sim_text_find(text, "filter-cam");
	chip->late_samples = sim_text_find(text, "late-samples");
	chip->lone_eop = sim_text_find(text, "lone-eop");
	chip->double_offchip_lds = sim_text_find(text, "double-offchip-lds");
	chip->has_high_va = !sim_text_find(text, "no-high-va");
	if (hold && hold->count == 2)
		snprintf(chip->risk_by_hold, sizeof(chip->risk_by_hold), "%s",
			 hold->words[1]);
	if (stop && stop->count == 2)
		snprintf(chip->stuck_by_stop, sizeof(chip->stuck_by_stop), "%s",
			 stop->words[1]);
	if (gfxoff && (gfxoff->count != 2 ||
		       sim_word_time(gfxoff->words[1], &chip->gfxoff_ns)))
		return -EINVAL;
	if (!clock)
		return 0;
	manner = clock->count == 2 ? sim_word_find(clock->words[1], clocks,
						   ARRAY_SIZE(clocks))
				   : -EINVAL;
	if (manner < 0)
		return -EINVAL;
	chip->perfmon_clock = (enum perfmon_clock)manner;
	return 0;
}

static int
read_register(struct chip *chip, const struct sim_line *line)
{
	struct chip_register *reg = &chip->reg;
	const struct {
		const char *name;
		uint32_t *to;
	} names[] = {
		{ "grbm-gfx-index", &reg->grbm_gfx_index },
		{ "cp-perfmon-cntl", &reg->cp_perfmon_cntl },
		{ "sq-perfcounter-ctrl", &reg->sq_perfcounter_ctrl },
		{ "sq-perfcounter-mask", &reg->sq_perfcounter_mask },
		{ "sq-perfcounter-ctrl2", &reg->sq_perfcounter_ctrl2 },
		{ "sqg-perfcounter-ctrl", &reg->sqg_perfcounter_ctrl },
		{ "sqg-perfcounter-ctrl2", &reg->sqg_perfcounter_ctrl2 },
		{ "grbmh-sync", &reg->grbmh_sync },
		{ "rlc-perfmon-clk-cntl", &reg->rlc_perfmon_clk_cntl },
		{ "rlc-perfmon-cntl", &reg->rlc_perfmon_cntl },
		{ "compute-perfcount-enable", &reg->compute_perfcount_enable },
		{ "compute-num-thread-x", &reg->compute_num_thread[0] },
		{ "compute-num-thread-y", &reg->compute_num_thread[1] },
		{ "compute-num-thread-z", &reg->compute_num_thread[2] },
		{ "compute-pgm-lo", &reg->compute_pgm_lo },
		{ "compute-pgm-hi", &reg->compute_pgm_hi },
		{ "grbm-status", &reg->grbm_status },
		{ "grbm-status2", &reg->grbm_status2 },
		{ "gb-addr-config", &reg->gb_addr_config },
		{ "spm-perfmon-cntl", &reg->spm_perfmon_cntl },
		{ "spm-ring-base-lo", &reg->spm_ring_base_lo },
		{ "spm-ring-base-hi", &reg->spm_ring_base_hi },
		{ "spm-ring-size", &reg->spm_ring_size },
		{ "spm-segment-size", &reg->spm_segment_size },
		{ "spm-se3to0-segment-size", &reg->spm_se3to0_segment_size },
		{ "spm-glb-segment-size", &reg->spm_glb_segment_size },
		{ "spm-accum-mode", &reg->spm_accum_mode },
		{ "spm-ring-wrptr", &reg->spm_ring_wrptr },
		{ "spm-global-muxsel-addr", &reg->spm_global_muxsel_addr },
		{ "spm-global-muxsel-data", &reg->spm_global_muxsel_data },
		{ "spm-se-muxsel-addr", &reg->spm_se_muxsel_addr },
		{ "spm-se-muxsel-data", &reg->spm_se_muxsel_data },
		{ "spm-status", &reg->spm_status },
		{ "spm-ring-rdptr", &reg->spm_ring_rdptr },
		{ "spm-mc-cntl", &reg->spm_mc_cntl },
		{ "sqtt-base", &reg->sqtt_base },
		{ "sqtt-base-hi", &reg->sqtt_base_hi },
		{ "sqtt-size", &reg->sqtt_size },
		{ "sqtt-mask", &reg->sqtt_mask },
		{ "sqtt-token-mask", &reg->sqtt_token_mask },
		{ "sqtt-ctrl", &reg->sqtt_ctrl },
		{ "sqtt-reset", &reg->sqtt_reset },
		{ "sqtt-wptr", &reg->sqtt_wptr },
		{ "sqtt-status", &reg->sqtt_status },
		{ "sqtt-status2", &reg->sqtt_status2 },
		{ "sqtt-cntr", &reg->sqtt_cntr },
		{ "sqtt-userdata", &reg->sqtt_userdata },
		{ "compute-thread-trace-enable",
		  &reg->compute_thread_trace_enable },
	};
	uint64_t byte;

	if (sim_line_number(line, 2, &byte) ||
	    BYTE_TO_DWORD(byte) >= REGISTERS_MAX)
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(line->words[1], names[i].name) == 0) {
			*names[i].to = (uint32_t)BYTE_TO_DWORD(byte);
			return 0;
		}
	}
	return -EINVAL;
}

/*
 * Read "streaming GENERATION BITS BITS": the layout, bits of a muxsel's
 * address.
 */
static int
read_streaming(struct chip *chip, const struct sim_line *line)
{
	static const char *const styles[] = { "none", "gfx9", "gfx10", "gfx11",
					      "gfx12" };
	uint64_t bits[2];
	int style;

	if (line->count != 4 || sim_line_number(line, 2, &bits[0]) ||
	    sim_line_number(line, 3, &bits[1]) || bits[0] < 3 || bits[0] > 12 ||
	    bits[1] < 3 || bits[1] > 12)
		return -EINVAL;
	style = sim_word_find(line->words[1], styles, ARRAY_SIZE(styles));
	if (style <= SPM_NONE)
		return -EINVAL;
	chip->spm_style = (enum spm_style)style;
	chip->muxsel_bits[0] = (unsigned)bits[0];
	chip->muxsel_bits[1] = (unsigned)bits[1];
	return 0;
}

/* Read "tracing GENERATION": registers and tokens of thread traces. */
static int
read_tracing(struct chip *chip, const struct sim_line *line)
{
	static const char *const styles[] = { "none",	 "gfx9",  "gfx10.1",
					      "gfx10.3", "gfx11", "gfx11.5",
					      "gfx12" };
	int style = line->count == 2 ? sim_word_find(line->words[1], styles,
						     ARRAY_SIZE(styles))
				     : -EINVAL;

	if (style <= SQTT_NONE)
		return -EINVAL;
	chip->sqtt_style = (enum sqtt_style)style;
	return 0;
}

static int
read_busy(struct chip *chip, const struct sim_line *line)
{
	struct busy_bit *busy = &chip->busy[chip->busy_count];
	uint64_t bit, event;

	if (chip->busy_count == ARRAY_SIZE(chip->busy) ||
	    sim_line_number(line, 2, &bit) ||
	    sim_line_number(line, 3, &event) || bit > 31)
		return -EINVAL;
	snprintf(busy->name, sizeof(busy->name), "%s", line->words[1]);
	busy->bit = (unsigned)bit;
	busy->event = (uint32_t)event;
	chip->busy_count++;
	return 0;
}

static int
read_mmr(struct chip *chip, const struct sim_line *line)
{
	for (size_t i = 1; i < line->count; i++) {
		uint64_t byte;
		if (chip->mmr_count == MMR_MAX ||
		    sim_line_number(line, i, &byte))
			return -EINVAL;
		chip->mmr[chip->mmr_count++] = (uint32_t)BYTE_TO_DWORD(byte);
	}
	return 0;
}

/* Read "holds REGISTER VALUE..." for registers in a row. */
static int
read_held(struct chip *chip, const struct sim_line *line)
{
	uint64_t byte, value;

	if (sim_line_number(line, 1, &byte) || line->count < 3 ||
	    BYTE_TO_DWORD(byte) + line->count >= REGISTERS_MAX)
		return -EINVAL;
	for (size_t i = 2; i < line->count; i++) {
		if (chip->held_count == MMR_MAX ||
		    sim_line_number(line, i, &value) || value > UINT32_MAX)
			return -EINVAL;
		chip->held[chip->held_count++] = (struct held){
			.dword = (uint32_t)(BYTE_TO_DWORD(byte) + i - 2),
			.value = (uint32_t)value,
		};
	}
	return 0;
}

/* Read "named FIRST LAST..." for ranges of registers. */
static int
read_named(struct chip *chip, const struct sim_line *line)
{
	uint64_t first, last;

	for (size_t i = 1; i < line->count; i += 2) {
		if (chip->named_count == NAMED_MAX ||
		    sim_line_number(line, i, &first) ||
		    sim_line_number(line, i + 1, &last) || first > last)
			return -EINVAL;
		chip->named[chip->named_count++] = (struct range){
			.first = (uint32_t)BYTE_TO_DWORD(first),
			.last = (uint32_t)BYTE_TO_DWORD(last),
		};
	}
	return 0;
}

static int
read_firmware(struct chip *chip, const struct sim_line *line)
{
	struct chip_firmware *firmware = &chip->firmware[chip->firmware_count];
	uint64_t value[3];

	for (size_t i = 0; i < 3; i++)
		if (sim_line_number(line, i + 1, &value[i]))
			return -EINVAL;
	if (chip->firmware_count == ARRAY_SIZE(chip->firmware))
		return -EINVAL;
	firmware->kind = (unsigned)value[0];
	firmware->version = (uint32_t)value[1];
	firmware->feature = (uint32_t)value[2];
	chip->firmware_count++;
	return 0;
}

static int
read_sensor(struct chip *chip, const struct sim_line *line)
{
	struct chip_sensor *sensor = &chip->sensors[chip->sensor_count];
	uint64_t kind, value;

	if (chip->sensor_count == ARRAY_SIZE(chip->sensors) ||
	    sim_line_number(line, 1, &kind) || sim_line_number(line, 3, &value))
		return -EINVAL;
	sensor->number = (unsigned)kind;
	snprintf(sensor->name, sizeof(sensor->name), "%s", line->words[2]);
	sensor->value = (uint32_t)value;
	chip->sensor_count++;
	return 0;
}

/* Read "harvest ..." of the description itself. */
static int
read_harvest(struct chip *chip, const struct sim_line *line)
{
	struct sim_words words = sim_line_rest(line);

	return chip_harvest(chip, &words);
}

/* Read "gpu-metrics 1.3", "gpu-metrics FIELD VALUE". */
static int
read_gpu_metrics(struct chip *chip, const struct sim_line *line)
{
	struct sim_words words = sim_line_rest(line);

	return gpu_metrics_set(&chip->gpu_metrics, &words);
}

static int
read_line(struct chip *chip, const struct sim_line *line)
{
	static const struct {
		const char *key;
		int (*read)(struct chip *chip, const struct sim_line *line);
	} keys[] = {
		{ "register", read_register },
		{ "busy", read_busy },
		{ "mmr", read_mmr },
		{ "firmware", read_firmware },
		{ "sensor", read_sensor },
		{ "block", describe_block },
		{ "slot", describe_slot },
		{ "holds", read_held },
		{ "harvest", read_harvest },
		{ "named", read_named },
		{ "gpu-metrics", read_gpu_metrics },
		{ "streaming", read_streaming },
		{ "tracing", read_tracing },
		{ "stream", describe_stream },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (strcmp(line->words[0], keys[i].key) == 0) {
			*line->is_read = true;
			return keys[i].read(chip, line);
		}
	return 0;
}

static bool
is_possible(const struct chip *chip)
{
	return chip->die_count > 0 && chip->die_count <= DIES_MAX &&
	       chip->se_count > 0 && chip->se_count <= SE_MAX &&
	       chip->sa_per_se > 0 && chip->sa_per_se <= 2 &&
	       chip->cu_per_sa > 0 && chip->cu_per_sa <= 32 &&
	       chip->compute_rings > 0 &&
	       chip->compute_rings * chip->die_count <= RINGS_MAX &&
	       chip->gfx_rings <= 1 && chip->wavefront > 0 &&
	       chip->rb_per_se < 32 && chip->waves_per_cu > 0 &&
	       chip->cache_line > 0 && chip->reference_khz > 0 &&
	       chip->l2_channels <= 64;
}

/* Return whether registers are where what is read or written of them is. */
static bool
is_in_reach(const struct chip *chip)
{
	const struct chip_register *reg = &chip->reg;
	const uint32_t of_queue[] = {
		reg->compute_num_thread[0], reg->compute_num_thread[1],
		reg->compute_num_thread[2], reg->compute_pgm_lo,
		reg->compute_pgm_hi,
	};

	for (size_t i = 0; i < ARRAY_SIZE(of_queue); i++)
		if (of_queue[i] < SHADER_START || of_queue[i] >= SHADER_END)
			return false;
	if (chip->sqtt_style != SQTT_NONE &&
	    (reg->compute_thread_trace_enable < SHADER_START ||
	     reg->compute_thread_trace_enable >= SHADER_END))
		return false;
	return !reg->compute_perfcount_enable ||
	       (reg->compute_perfcount_enable >= SHADER_START &&
		reg->compute_perfcount_enable < SHADER_END);
}

/* Fill the masks: nothing is fused off. */
static void
fill_masks(struct chip *chip)
{
	const uint32_t cus = (uint32_t)((1ull << chip->cu_per_sa) - 1);

	for (unsigned die = 0; die < DIES_MAX; die++)
		for (unsigned se = 0; se < chip->se_count; se++)
			for (unsigned sa = 0; sa < chip->sa_per_se; sa++)
				chip->cu_mask[die][se][sa] = cus;
	for (unsigned se = 0; se < chip->se_count; se++)
		chip->rb_mask[se] = (1u << chip->rb_per_se) - 1;
}

int
describe_chip(struct chip *chip, const struct sim_text *text)
{
	int error;

	doubt_begin(chip->doubts);
	read_plain(chip, text);
	if (sim_text_bad(text) || !is_possible(chip))
		return -EINVAL;
	fill_masks(chip);
	error = read_manner(chip, text);
	for (size_t i = 0; i < text->count && !error; i++) {
		error = read_line(chip, &text->lines[i]);
		if (error)
			sim_line_complain(&text->lines[i]);
	}
	if (!error && !is_in_reach(chip))
		error = -EINVAL;
	if (!error)
		error = describe_instances(chip);
	if (!error)
		chip_update_presence(chip);
	return error;
}
