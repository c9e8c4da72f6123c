/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a GPU's description file; the keys are explained in it. */
#include "amdgpu/gfx/gpu.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static unsigned
number(const struct sim_text *text, const char *key, size_t index)
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
	out->min = number(text, key, 1);
	out->stable = number(text, key, 2);
	out->max = number(text, key, 3);
	out->now = number(text, key, 4);
}

static void
read_plain(struct chip *chip, const struct sim_text *text)
{
	const struct sim_line *name = sim_text_find(text, "name");
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
	};

	if (name && name->count > 1)
		snprintf(chip->name, sizeof(chip->name), "%s", name->words[1]);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		*numbers[i].to = number(text, numbers[i].key, 1);
	for (size_t i = 0; i < ARRAY_SIZE(defaults); i++)
		*defaults[i].to = (unsigned)sim_text_number(
			text, defaults[i].key, 1, UINT32_MAX,
			defaults[i].otherwise);
	for (size_t i = 0; i < 3; i++) {
		static const unsigned widths[] = { 8, 8, 8 };

		chip->index_bits[i] = (unsigned)sim_text_number(
			text, "index-bits", i + 1, UINT32_MAX, widths[i]);
		chip->gfx_version[i] = number(text, "gfx-version", i + 1);
		chip->sdma_version[i] = number(text, "sdma-version", i + 1);
	}
	read_clocks(text, "sclk", &chip->sclk);
	read_clocks(text, "mclk", &chip->mclk);
	chip->vram = size_of(text, "vram");
	chip->vram_type = number(text, "vram", 2);
	chip->vram_width = number(text, "vram", 3);
	chip->visible_vram = size_of(text, "visible-vram");
	chip->gtt = size_of(text, "gtt");
	for (size_t i = 0; i < 2; i++) {
		chip->hw_ip[i] = (unsigned)sim_text_number(
			text, "hw-ip", i + 1, UINT32_MAX, chip->gfx_version[i]);
		chip->window_firmware[i] =
			number(text, "window-firmware", i + 1);
	}
	for (size_t i = 0; i < ARRAY_SIZE(chip->cache_kib); i++)
		chip->cache_kib[i] = number(text, "caches", i + 1);
	chip->gs_table_depth = number(text, "gs-depths", 1);
	chip->gs_buffer_depth = number(text, "gs-depths", 2);
	chip->mall_size = size_of(text, "mall");
	chip->virtual_max = sim_text_number(text, "virtual-max", 1, UINT64_MAX,
					    0x0000800000000000ull);
}

/* "KEY" or "KEY WORD": what a generation does in its own way. */
static int
read_manner(struct chip *chip, const struct sim_text *text)
{
	static const char *const clocks[] = { "register-or-pstate", "register",
					      "pstate", "always" };
	const struct sim_line *clock = sim_text_find(text, "perfmon-clock");
	const struct sim_line *hold = sim_text_find(text, "risk-by-hold");
	const struct sim_line *stop = sim_text_find(text, "stuck-by-stop");
	const struct sim_line *gfxoff = sim_text_find(text, "gfxoff");

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
	for (size_t i = 0; i < ARRAY_SIZE(clocks) && clock->count == 2; i++) {
		if (strcmp(clock->words[1], clocks[i]) == 0) {
			chip->perfmon_clock = (enum perfmon_clock)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* ---- lists */

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

/* "holds REGISTER VALUE..." for registers in a row. */
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

struct chip_sensor *
chip_sensor(struct chip *chip, const char *name)
{
	/* those that a description file may lack; amdgpu_drm.h, Linux 6.12 */
	static const struct chip_sensor others[] = {
		{ .number = 3, .name = "temp" },
		{ .number = 4, .name = "load" },
		{ .number = 5, .name = "power" },
		{ .number = 6, .name = "vddnb" },
		{ .number = 7, .name = "vddgfx" },
		{ .number = 10, .name = "peak-sclk" },
		{ .number = 11, .name = "peak-mclk" },
		{ .number = 12, .name = "input-power" },
	};

	for (unsigned i = 0; i < chip->sensor_count; i++)
		if (strcmp(chip->sensors[i].name, name) == 0)
			return &chip->sensors[i];
	if (chip->sensor_count == ARRAY_SIZE(chip->sensors))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (strcmp(others[i].name, name) != 0)
			continue;
		chip->sensors[chip->sensor_count] = others[i];
		return &chip->sensors[chip->sensor_count++];
	}
	return NULL;
}

/* ---- blocks */

static int
read_word(const char *word, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(word, names[i]) == 0)
			return (int)i;
	return -EINVAL;
}

static int
read_block_option(struct block *block, const char *word)
{
	static const struct {
		const char *name;
		size_t flag;
	} flags[] = {
		{ "windowed", offsetof(struct block, windowed) },
		{ "staged", offsetof(struct block, staged) },
		{ "masked", offsetof(struct block, masked) },
		{ "sqg", offsetof(struct block, sqg) },
		{ "aid", offsetof(struct block, per_aid) },
	};
	const char *value;
	uint64_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (strcmp(word, flags[i].name) == 0) {
			*(bool *)((char *)block + flags[i].flag) = true;
			return 0;
		}
	}
	if ((value = sim_word_value(word, "per"))) {
		static const char *const parts[] = { "none", "cu", "wgp",
						     "rb" };
		int part = read_word(value, parts, ARRAY_SIZE(parts));
		block->part = part > 0 ? (enum block_part)part : PART_NONE;
		return part > 0 ? 0 : -EINVAL;
	}
	if ((value = sim_word_value(word, "steer"))) {
		static const char *const steers[] = { "flat", "cu", "wgp",
						      "pair" };
		int steer = read_word(value, steers, ARRAY_SIZE(steers));
		block->steer = steer > 0 ? (enum block_steer)steer : STEER_FLAT;
		return steer > 0 ? 0 : -EINVAL;
	}
	value = strchr(word, '=');
	if (!value || sim_word_u64(value + 1, &n))
		return -EINVAL;
	if (sim_word_value(word, "bits"))
		block->bits = (unsigned)n;
	else if (sim_word_value(word, "events"))
		block->event_count = (unsigned)n;
	else if (sim_word_value(word, "control"))
		block->control = (uint32_t)BYTE_TO_DWORD(n);
	else if (sim_word_value(word, "stride"))
		block->stride = (uint32_t)BYTE_TO_DWORD(n);
	else if (sim_word_value(word, "require") && block->require_count < 4)
		block->require[block->require_count++] = (uint32_t)n;
	else
		return -EINVAL;
	return 0;
}

static unsigned
rbs_per_sa(const struct chip *chip)
{
	return chip->rb_per_se / chip->sa_per_se;
}

/*
 * How many instances a scope has: a number, or [N*]PART[/D], which is N times
 * the parts divided by D, rounded up.
 */
static int
read_count(const struct chip *chip, const char *word, unsigned *out)
{
	const struct {
		const char *name;
		unsigned count;
	} parts[] = {
		{ "cu", chip->cu_per_sa },	{ "wgp", chip->cu_per_sa / 2 },
		{ "rb", rbs_per_sa(chip) },	{ "l2", chip->l2_channels },
		{ "gl2a", chip->gl2a_count },	{ "sdp", chip->sdp_count },
		{ "sdma", chip->sdma_engines }, { "se", chip->se_count },
	};
	unsigned factor = 1, divisor = 1;
	size_t length;
	uint64_t number;
	int skipped = 0;

	if (!sim_word_u64(word, &number)) {
		*out = (unsigned)number;
		return number > 0 && number <= 256 ? 0 : -EINVAL;
	}
	if (sscanf(word, "%u*%n", &factor, &skipped) == 1 && skipped)
		word += skipped;
	length = strcspn(word, "/");
	if (word[length] &&
	    (sscanf(word + length, "/%u", &divisor) != 1 || divisor == 0))
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (strlen(parts[i].name) != length ||
		    strncmp(parts[i].name, word, length) != 0)
			continue;
		*out = factor * ((parts[i].count + divisor - 1) / divisor);
		return *out > 0 ? 0 : -EINVAL;
	}
	return -EINVAL;
}

static int
read_block(struct chip *chip, const struct sim_line *line)
{
	static const char *const styles[] = { "generic", "per-engine", "cfg",
					      "sdma", "rlc" };
	static const char *const scopes[] = { "global", "se", "sa" };
	struct block *block = &chip->blocks[chip->block_count];
	uint64_t number;
	int style, scope;

	if (chip->block_count == BLOCKS_MAX || line->count < 6 ||
	    strlen(line->words[1]) >= sizeof(block->name) ||
	    sim_line_number(line, 2, &number) ||
	    read_count(chip, line->words[5], &block->per_scope))
		return -EINVAL;
	style = read_word(line->words[3], styles, ARRAY_SIZE(styles));
	scope = read_word(line->words[4], scopes, ARRAY_SIZE(scopes));
	if (style < 0 || scope < 0)
		return -EINVAL;
	strcpy(block->name, line->words[1]);
	block->number = (unsigned)number;
	block->style = (enum block_style)style;
	block->scope = (enum block_scope)scope;
	for (size_t i = 6; i < line->count; i++)
		if (read_block_option(block, line->words[i]))
			return -EINVAL;
	chip->block_count++;
	return 0;
}

static int
read_slot_option(struct slot *slot, const char *word)
{
	const char *value;
	uint64_t n;

	if (strcmp(word, "plain") == 0) {
		slot->plain = true;
		return 0;
	}
	value = strchr(word, '=');
	if (!value || sim_word_u64(value + 1, &n) || n > 1024)
		return -EINVAL;
	if (sim_word_value(word, "engine"))
		slot->engine = (int)n;
	else if (sim_word_value(word, "parity") && n < 2)
		slot->parity = (int)n;
	else if (sim_word_value(word, "below"))
		slot->below = (uint32_t)n;
	else
		return -EINVAL;
	return 0;
}

static int
read_slot(struct chip *chip, const struct sim_line *line)
{
	struct slot slot = { .engine = -1, .parity = -1 };
	struct block *block;
	uint64_t value[5] = { 0 };
	size_t at = 1;

	if (chip->block_count == 0 || line->count < 5)
		return -EINVAL;
	block = &chip->blocks[chip->block_count - 1];
	/* the fifth number may be missing */
	for (; at <= 5 && at < line->count; at++) {
		if (strcmp(line->words[at], "-") == 0)
			continue;
		if (sim_line_number(line, at, &value[at - 1])) {
			if (at < 5)
				return -EINVAL;
			break;
		}
	}
	for (; at < line->count; at++)
		if (read_slot_option(&slot, line->words[at]))
			return -EINVAL;
	if (block->slot_count == SLOTS_MAX || value[3] == 0 || value[3] > 31)
		return -EINVAL;
	slot.select = (uint32_t)BYTE_TO_DWORD(value[0]);
	slot.lo = (uint32_t)BYTE_TO_DWORD(value[1]);
	slot.hi = (uint32_t)BYTE_TO_DWORD(value[2]);
	slot.event_mask = (1u << value[3]) - 1;
	slot.select1 = (uint32_t)BYTE_TO_DWORD(value[4]);
	block->slots[block->slot_count++] = slot;
	return 0;
}

/* Of a pair of dies only the first has what is one of their AID's. */
static bool
die_has(const struct block *block, unsigned die)
{
	return !block->per_aid || die % 2 == 0;
}

static int
make_instances(const struct chip *chip, struct block *block)
{
	unsigned se_count = block->scope == SCOPE_GLOBAL ? 1 : chip->se_count;
	unsigned sa_count = block->scope == SCOPE_SA ? chip->sa_per_se : 1;
	unsigned number = 0;

	if (block->style == STYLE_PER_ENGINE &&
	    block->slot_count > chip->se_count)
		block->slot_count = chip->se_count;
	block->instances = calloc((size_t)chip->die_count * se_count *
					  sa_count * block->per_scope,
				  sizeof(*block->instances));
	if (!block->instances)
		return -ENOMEM;
	for (unsigned die = 0; die < chip->die_count; die++)
		for (unsigned i = 0; die_has(block, die) &&
				     i < se_count * sa_count * block->per_scope;
		     i++) {
			block->instances[number] = (struct instance){
				.number = number,
				.die = die,
				.se = i / block->per_scope / sa_count,
				.sa = i / block->per_scope % sa_count,
				.index = i % block->per_scope,
			};
			number++;
		}
	block->instance_count = number;
	return 0;
}

/* ---- the whole */

/* "harvest ..." of the description itself. */
static int
read_harvest(struct chip *chip, const struct sim_line *line)
{
	struct sim_words words = sim_line_rest(line);

	return chip_harvest(chip, &words);
}

static int
read_line(struct amdgpu *amdgpu, const struct sim_line *line)
{
	static const struct {
		const char *key;
		int (*read)(struct chip *chip, const struct sim_line *line);
	} keys[] = {
		{ "register", read_register }, { "busy", read_busy },
		{ "mmr", read_mmr },	       { "firmware", read_firmware },
		{ "sensor", read_sensor },     { "block", read_block },
		{ "slot", read_slot },	       { "holds", read_held },
		{ "harvest", read_harvest },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (strcmp(line->words[0], keys[i].key) == 0) {
			*line->is_read = true;
			return keys[i].read(&amdgpu->chip, line);
		}
	return 0;
}

/* What needs all blocks: names of events, and rules about them. */
static int
read_rules(struct amdgpu *amdgpu, const struct sim_line *line)
{
	struct sim_words words = sim_line_rest(line);
	int error = rates_set(amdgpu, line->words[0], &words);
	if (error == -ENOENT)
		return 0;
	*line->is_read = true;
	return error;
}

/* Whether the part of an instance is not fused off. */
static bool
has_part(const struct chip *chip, const struct block *block,
	 const struct instance *in)
{
	uint32_t cus = chip->cu_mask[in->se][in->sa];
	unsigned rbs = rbs_per_sa(chip), first, count;

	switch (block->part) {
	case PART_NONE:
		return true;
	case PART_CU:
		return cus >> in->index & 1;
	case PART_WGP:
		return cus >> 2 * in->index & 3;
	case PART_RB:
		/* an instance may be of several, or a half of one */
		count = rbs > block->per_scope ? rbs / block->per_scope : 1;
		first = in->sa * rbs + in->index * rbs / block->per_scope;
		return chip->rb_mask[in->se] >> first & ((1u << count) - 1);
	}
	return true;
}

static void
update_presence(struct chip *chip)
{
	for (unsigned b = 0; b < chip->block_count; b++) {
		struct block *block = &chip->blocks[b];
		for (unsigned i = 0; i < block->instance_count; i++) {
			struct instance *in = &block->instances[i];
			in->present = (block->scope == SCOPE_GLOBAL ||
				       chip_has_se(chip, in->se)) &&
				      has_part(chip, block, in);
		}
	}
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
	       chip->reference_khz > 0 && chip->l2_channels <= 64;
}

/* Registers are where what is read or written of them is. */
static bool
is_in_reach(const struct chip *chip)
{
	const struct chip_register *reg = &chip->reg;
	const uint32_t of_queue[] = {
		reg->compute_num_thread[0],
		reg->compute_num_thread[1],
		reg->compute_num_thread[2],
	};

	for (size_t i = 0; i < ARRAY_SIZE(of_queue); i++)
		if (of_queue[i] < SHADER_START || of_queue[i] >= SHADER_END)
			return false;
	return !reg->compute_perfcount_enable ||
	       (reg->compute_perfcount_enable >= SHADER_START &&
		reg->compute_perfcount_enable < SHADER_END);
}

static int
read_lines(struct amdgpu *amdgpu, const struct sim_text *text,
	   int (*read)(struct amdgpu *amdgpu, const struct sim_line *line))
{
	for (size_t i = 0; i < text->count; i++) {
		const struct sim_line *line = &text->lines[i];
		int error = read(amdgpu, line);

		if (!error)
			continue;
		fprintf(stderr, "drmsim: %s:%u: bad '%s'\n", line->path,
			line->number, line->words[0]);
		return error;
	}
	return 0;
}

int
chip_read(struct amdgpu *amdgpu, const struct sim_text *text)
{
	struct chip *chip = &amdgpu->chip;
	int error = 0;

	read_plain(chip, text);
	if (sim_text_bad(text) || !is_possible(chip))
		return -EINVAL;
	error = read_manner(chip, text);
	for (unsigned se = 0; se < chip->se_count; se++) {
		for (unsigned sa = 0; sa < chip->sa_per_se; sa++)
			chip->cu_mask[se][sa] =
				(uint32_t)((1ull << chip->cu_per_sa) - 1);
		chip->rb_mask[se] = (1u << chip->rb_per_se) - 1;
	}
	error = error ? error : read_lines(amdgpu, text, read_line);
	if (!error && !is_in_reach(chip))
		error = -EINVAL;
	for (unsigned b = 0; b < chip->block_count && !error; b++)
		error = make_instances(chip, &chip->blocks[b]);
	error = error ? error : read_lines(amdgpu, text, read_rules);
	if (!error)
		update_presence(chip);
	return error;
}

unsigned
chip_steer(const struct chip *chip, const struct block *block, unsigned index)
{
	unsigned wgp = block->steer == STEER_CU ? index / 2 : index;
	unsigned low = block->steer == STEER_CU ? index % 2 : 0;

	if (block->steer == STEER_FLAT)
		return index;
	if (block->steer == STEER_PAIR)
		return index / 2;
	/* bit 5 tells the WGPs on the far side of the SPI */
	if (wgp >= chip->wgp_above)
		return 0x20 | (wgp - chip->wgp_above) << 2 | low;
	return wgp << 2 | low;
}

uint32_t
chip_firmware_version(const struct chip *chip, unsigned kind)
{
	for (unsigned i = 0; i < chip->firmware_count; i++)
		if (chip->firmware[i].kind == kind)
			return chip->firmware[i].version;
	return 0;
}

int
chip_set_firmware(struct chip *chip, const struct sim_words *words)
{
	uint64_t kind, version;

	if (words->count != 2 || sim_word_u64(words->word[0], &kind) ||
	    sim_word_u64(words->word[1], &version) || version > UINT32_MAX)
		return -EINVAL;
	for (unsigned i = 0; i < chip->firmware_count; i++) {
		if (chip->firmware[i].kind == kind) {
			chip->firmware[i].version = (uint32_t)version;
			return 0;
		}
	}
	return -EINVAL;
}

void
chip_free(struct chip *chip)
{
	for (unsigned b = 0; b < chip->block_count; b++)
		free(chip->blocks[b].instances);
}

bool
chip_has_se(const struct chip *chip, unsigned se)
{
	for (unsigned sa = 0; sa < chip->sa_per_se; sa++)
		if (chip->cu_mask[se][sa])
			return true;
	return false;
}

unsigned
chip_cu_count(const struct chip *chip)
{
	unsigned count = 0;

	for (unsigned se = 0; se < chip->se_count; se++)
		for (unsigned sa = 0; sa < chip->sa_per_se; sa++)
			count += (unsigned)__builtin_popcount(
				chip->cu_mask[se][sa]);
	return count;
}

struct block *
chip_block(struct chip *chip, const char *name, size_t length)
{
	for (unsigned b = 0; b < chip->block_count; b++)
		if (strlen(chip->blocks[b].name) == length &&
		    strncmp(chip->blocks[b].name, name, length) == 0)
			return &chip->blocks[b];
	return NULL;
}

int
chip_harvest(struct chip *chip, const struct sim_words *words)
{
	uint64_t value[3] = { 0 };
	const char *what;

	if (words->count < 2 || words->count > 4)
		return -EINVAL;
	what = words->word[0];
	for (size_t i = 1; i < words->count; i++)
		if (sim_word_u64(words->word[i], &value[i - 1]))
			return -EINVAL;
	if (value[0] >= chip->se_count)
		return -EINVAL;
	if (strcmp(what, "cu") == 0 && words->count == 4 &&
	    value[1] < chip->sa_per_se)
		chip->cu_mask[value[0]][value[1]] &= ~(uint32_t)value[2];
	else if (strcmp(what, "rb") == 0 && words->count == 3)
		chip->rb_mask[value[0]] &= ~(uint32_t)value[1];
	else if (strcmp(what, "se") == 0 && words->count == 2)
		memset(chip->cu_mask[value[0]], 0,
		       sizeof(chip->cu_mask[value[0]]));
	else
		return -EINVAL;
	if (strcmp(what, "se") == 0)
		chip->rb_mask[value[0]] = 0;
	update_presence(chip);
	return chip_cu_count(chip) ? 0 : -EINVAL;
}
