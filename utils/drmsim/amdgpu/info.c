/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, amdgpu_kms.c. */
#include "amdgpu/operations.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/context.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/registers.h"
#include "kernel/call.h"
#include "machine/clock.h"

#define MIB (1024u * 1024)
#define MMR_COUNT_MAX 128
#define FIELD_ALL 0xffu
/* Sensors that libdrm's header does not have yet: DRM 3.50. */
#define PEAK_SCLK 0xa
#define PEAK_MCLK 0xb
/* Memory that the kernel pins for itself. */
#define PINNED_VRAM (64ull * MIB)

struct question {
	struct sim_call *call;
	struct client *client;
	struct amdgpu *amdgpu;
	const struct drm_amdgpu_info *info;
};

/*
 * Answer a question. The caller gets as much of the answer as it has room for.
 */
static int
question_answer(const struct question *q, const void *data, size_t size)
{
	size_t room = q->info->return_size;

	return sim_call_put(q->call, q->info->return_pointer, data,
			    size < room ? size : room);
}

static int
answer_u32(const struct question *q, uint32_t value)
{
	return question_answer(q, &value, sizeof(value));
}

static int
answer_u64(const struct question *q, uint64_t value)
{
	return question_answer(q, &value, sizeof(value));
}

/* ---- the device */

/*
 * Fill in the shape. With several dies the map is that of the first, for each
 * partition (Linux amdgpu_kms.c).
 */
static void
fill_shape(const struct chip *chip, struct drm_amdgpu_info_device *dev)
{
	dev->num_shader_engines = chip->se_count;
	dev->num_shader_arrays_per_engine = chip->sa_per_se;
	for (unsigned die = 0; die < chip->die_count; die++)
		dev->cu_active_number += chip_cu_count(chip, die);
	dev->num_cu_per_sh = chip->cu_per_sa;
	dev->num_tcc_blocks = chip->l2_channels;
	dev->wave_front_size = chip->wavefront;
	for (unsigned se = 0; se < chip->se_count; se++) {
		uint64_t rbs = chip->rb_mask[se];

		for (unsigned sa = 0; sa < chip->sa_per_se; sa++)
			dev->cu_bitmap[se % 4][(sa + chip->sa_per_se *
							     (se / 4)) % 4] =
				chip->cu_mask[0][se][sa];
		dev->enabled_rb_pipes_mask |=
			(uint32_t)(rbs << (se * chip->rb_per_se));
	}
	dev->num_rb_pipes =
		(uint32_t)__builtin_popcount(dev->enabled_rb_pipes_mask);
}

/*
 * The answer of later kernels: the struct has grown, and headers may have any
 * version of it. Members as in Linux 6.12, by the version of DRM.
 */
#define FIRST_SIZE                                                             \
	(offsetof(struct drm_amdgpu_info_device, tcc_disabled_mask) +          \
	 sizeof(uint64_t))

struct later_device {
	uint64_t first[FIRST_SIZE / sizeof(uint64_t)]; /* up to 3.49 */
	uint64_t min_engine_clock, min_memory_clock; /* DRM 3.50 */
	uint32_t cache_sizes[2]; /* TCP; scalar caches per WGP: DRM 3.52 */
	uint32_t more_cache_sizes[4];
	uint64_t mall_size;
	uint32_t enabled_rb_pipes_mask_hi;
	/* sizes and alignments for shadowing and saving: DRM 3.53 */
	uint32_t shadow[4];
	uint32_t reserved;
};

static int
answer_device(const struct question *q,
	      const struct drm_amdgpu_info_device *dev)
{
	const struct chip *chip = &q->amdgpu->chip;
	int minor = q->amdgpu->gpu->version[1];
	struct later_device later = {
		.min_engine_clock = chip->sclk.min * 1000ull,
		.min_memory_clock = chip->mclk.min * 1000ull,
		.cache_sizes = { chip->cache_kib[0], chip->sqc_per_wgp },
		.mall_size = chip->mall_size,
	};

	memcpy(later.first, dev, FIRST_SIZE);
	memcpy(later.more_cache_sizes, &chip->cache_kib[1],
	       sizeof(later.more_cache_sizes));
	if (minor < 50)
		return question_answer(q, &later, FIRST_SIZE);
	if (minor < 52)
		return question_answer(
			q, &later, offsetof(struct later_device, cache_sizes));
	/* a padding came before shadow was there */
	return question_answer(
		q, &later,
		minor < 53 ? offsetof(struct later_device, shadow[1])
			   : sizeof(later));
}

static int
question_device(const struct question *q)
{
	const struct chip *chip = &q->amdgpu->chip;
	const struct sim_gpu *gpu = q->amdgpu->gpu;
	struct drm_amdgpu_info_device dev = { 0 };

	fill_shape(chip, &dev);
	dev.device_id = gpu->pci.device_id;
	dev.chip_rev = chip->chip_rev;
	dev.external_rev = chip->external_rev;
	dev.pci_rev = gpu->pci.revision;
	dev.family = chip->family;
	dev.gpu_counter_freq = chip->reference_khz;
	dev.max_engine_clock = (uint64_t)chip->sclk.max * 1000;
	dev.max_memory_clock = (uint64_t)chip->mclk.max * 1000;
	dev.num_hw_gfx_contexts = 8;
	dev.ids_flags = chip->asic_flags;
	dev.virtual_address_offset = 2 * MIB;
	dev.virtual_address_max = chip->virtual_max;
	if (chip->has_high_va) {
		dev.high_va_offset = 0xffff800000000000ull;
		dev.high_va_max = 0xffffffffffe00000ull;
	}
	dev.virtual_address_alignment = 4096;
	dev.pte_fragment_size = 2 * MIB;
	dev.gart_page_size = 4096;
	dev.vram_type = chip->vram_type;
	dev.vram_bit_width = chip->vram_width;
	dev.ce_ram_size = chip->ce_ram;
	dev.gc_double_offchip_lds_buf = chip->double_offchip_lds;
	dev.num_shader_visible_vgprs = chip->vgprs;
	dev.gs_vgt_table_depth = chip->gs_table_depth;
	dev.gs_prim_buffer_depth = chip->gs_buffer_depth;
	dev.max_gs_waves_per_vgt = 32;
	return answer_device(q, &dev);
}

/*
 * Set the version of the IP block, which since DRM 3.48 is where there was
 * padding.
 */
static void
set_discovery_version(struct drm_amdgpu_info_hw_ip *ip, uint32_t version)
{
	memcpy((char *)ip + sizeof(*ip) - sizeof(version), &version,
	       sizeof(version));
}

static int
hw_ip(const struct question *q)
{
	const struct chip *chip = &q->amdgpu->chip;
	struct drm_amdgpu_info_hw_ip ip = { 0 };
	uint32_t type = q->info->query_hw_ip.type;
	unsigned rings = 0;

	if (q->info->query_hw_ip.ip_instance >= AMDGPU_HW_IP_INSTANCE_MAX_COUNT)
		return -EINVAL;
	if (type >= AMDGPU_HW_IP_NUM)
		return -EINVAL;
	if (chip->user_queues_only)
		rings = 0;
	else if (type == AMDGPU_HW_IP_GFX)
		rings = chip->gfx_rings;
	else if (type == AMDGPU_HW_IP_COMPUTE)
		rings = chip->compute_rings;
	/* a context has no more queues of a kind than this */
	if (rings > ENTITY_RINGS)
		rings = ENTITY_RINGS;
	/* of absent kinds the answer has no ring */
	if (!rings)
		return question_answer(q, &ip, sizeof(ip));
	ip.hw_ip_version_major = chip->hw_ip[0];
	ip.hw_ip_version_minor = chip->hw_ip[1];
	ip.available_rings = (1u << rings) - 1;
	ip.ib_start_alignment = 32;
	ip.ib_size_alignment = 32;
	if (chip->gfx_version[0] >= 9)
		set_discovery_version(&ip, chip->gfx_version[0] << 16 |
						   chip->gfx_version[1] << 8 |
						   chip->gfx_version[2]);
	return question_answer(q, &ip, sizeof(ip));
}

static int
hw_ip_count(const struct question *q)
{
	uint32_t type = q->info->query_hw_ip.type;

	if (type >= AMDGPU_HW_IP_NUM)
		return -EINVAL;
	return answer_u32(q, type == AMDGPU_HW_IP_GFX
				     ? q->amdgpu->chip.gfx_rings > 0
				     : type == AMDGPU_HW_IP_COMPUTE ||
					       type == AMDGPU_HW_IP_DMA);
}

static int
question_firmware(const struct question *q)
{
	const struct chip *chip = &q->amdgpu->chip;
	struct drm_amdgpu_info_firmware version = { 0 };
	uint32_t kind = q->info->query_fw.fw_type;

	if (kind == 0 || kind > 0x40)
		return -EINVAL;
	for (unsigned i = 0; i < chip->firmware_count; i++) {
		if (chip->firmware[i].kind == kind) {
			version.ver = chip->firmware[i].version;
			version.feature = chip->firmware[i].feature;
		}
	}
	return question_answer(q, &version, sizeof(version));
}

/* ---- memory */

static int
vram_gtt(const struct question *q)
{
	const struct chip *chip = &q->amdgpu->chip;
	struct drm_amdgpu_info_vram_gtt sizes = {
		.vram_size = chip->vram - PINNED_VRAM,
		.vram_cpu_accessible_size = chip->visible_vram,
		.gtt_size = chip->gtt,
	};

	return question_answer(q, &sizes, sizeof(sizes));
}

static void
fill_heap(struct drm_amdgpu_heap_info *heap, uint64_t total, uint64_t usable,
	  uint64_t used)
{
	heap->total_heap_size = total;
	heap->usable_heap_size = usable;
	heap->heap_usage = used;
	heap->max_allocation = usable / 4 * 3;
}

static int
question_memory(const struct question *q)
{
	const struct chip *chip = &q->amdgpu->chip;
	struct drm_amdgpu_memory_info info = { 0 };

	fill_heap(&info.vram, chip->vram, chip->vram - PINNED_VRAM,
		  amdgpu_vram_used(q->amdgpu));
	fill_heap(&info.cpu_accessible_vram, chip->visible_vram,
		  chip->visible_vram, q->amdgpu->visible_vram_used);
	fill_heap(&info.gtt, chip->gtt, chip->gtt, amdgpu_gtt_used(q->amdgpu));
	return question_answer(q, &info, sizeof(info));
}

/* ---- registers and sensors */

static bool
is_given_away(const struct chip *chip, uint32_t dword)
{
	for (unsigned i = 0; i < chip->mmr_count; i++)
		if (chip->mmr[i] == dword)
			return true;
	return false;
}

static int
read_mmr(const struct question *q)
{
	const struct chip *chip = &q->amdgpu->chip;
	uint32_t values[MMR_COUNT_MAX];
	uint32_t first = q->info->read_mmr_reg.dword_offset;
	uint32_t count = q->info->read_mmr_reg.count;
	uint32_t se = q->info->read_mmr_reg.instance >>
			      AMDGPU_INFO_MMR_SE_INDEX_SHIFT &
		      AMDGPU_INFO_MMR_SE_INDEX_MASK;
	uint32_t sa = q->info->read_mmr_reg.instance >>
			      AMDGPU_INFO_MMR_SH_INDEX_SHIFT &
		      AMDGPU_INFO_MMR_SH_INDEX_MASK;

	if (se != FIELD_ALL && se >= chip->se_count)
		return -EINVAL;
	if (sa != FIELD_ALL && sa >= chip->sa_per_se)
		return -EINVAL;
	if (count > MMR_COUNT_MAX)
		return -EINVAL;
	for (uint32_t i = 0; i < count; i++) {
		if (!is_given_away(chip, first + i))
			return -EFAULT;
		/* with the index that the kernel has set for that */
		if (se != FIELD_ALL && chip->doubts[DOUBT_MMIO_INDEX])
			q->amdgpu->index_is_lost = true;
		values[i] = first + i == chip->reg.grbm_status
				    ? registers_status(q->amdgpu,
						       q->client->phase)
				    : registers_read(q->amdgpu, first + i);
	}
	return question_answer(q, values, count * sizeof(values[0]));
}

static int
question_sensor(const struct question *q)
{
	const struct chip *chip = &q->amdgpu->chip;
	uint32_t number = q->info->sensor_info.type;

	switch (number) {
	case AMDGPU_INFO_SENSOR_GFX_SCLK:
		return answer_u32(q, amdgpu_sclk(q->amdgpu));
	case AMDGPU_INFO_SENSOR_GFX_MCLK:
		return answer_u32(q, amdgpu_mclk(q->amdgpu));
	case AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_SCLK:
		return answer_u32(q, chip->sclk.told ? chip->sclk.told
						     : chip->sclk.stable);
	case AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_MCLK:
		return answer_u32(q, chip->mclk.stable);
	}
	for (unsigned i = 0; i < chip->sensor_count; i++)
		if (chip->sensors[i].number == number)
			return chip->sensors[i].is_silent
				       ? -EINVAL
				       : answer_u32(q,
						    chip->sensors[i].value);
	if (q->amdgpu->gpu->version[1] < 50)
		return -EINVAL;
	if (number == PEAK_SCLK)
		return answer_u32(q, chip->sclk.max);
	return number == PEAK_MCLK ? answer_u32(q, chip->mclk.max) : -EINVAL;
}

static int
crtc_from_id(const struct question *q)
{
	(void)q;
	/* no display is simulated */
	return -EINVAL;
}

int
info_ioctl(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct client *client = client_of(file);
	struct amdgpu *amdgpu = client->amdgpu;
	const struct question q = { call, client, amdgpu, arg };
	uint64_t now = sim_now(file->gpu->sim);

	if (!q.info->return_size || !q.info->return_pointer)
		return -EINVAL;
	switch (q.info->query) {
	case AMDGPU_INFO_ACCEL_WORKING:
		return answer_u32(&q, 1);
	case AMDGPU_INFO_CRTC_FROM_ID:
		return crtc_from_id(&q);
	case AMDGPU_INFO_HW_IP_INFO:
		return hw_ip(&q);
	case AMDGPU_INFO_HW_IP_COUNT:
		return hw_ip_count(&q);
	case AMDGPU_INFO_TIMESTAMP:
		return answer_u64(&q, amdgpu_timestamp(amdgpu, now));
	case AMDGPU_INFO_FW_VERSION:
		return question_firmware(&q);
	case AMDGPU_INFO_NUM_BYTES_MOVED:
	case AMDGPU_INFO_NUM_EVICTIONS:
	case AMDGPU_INFO_NUM_VRAM_CPU_PAGE_FAULTS:
		return answer_u64(&q, 0);
	case AMDGPU_INFO_VRAM_USAGE:
		return answer_u64(&q, amdgpu_vram_used(amdgpu));
	case AMDGPU_INFO_VIS_VRAM_USAGE:
		return answer_u64(&q, amdgpu->visible_vram_used);
	case AMDGPU_INFO_GTT_USAGE:
		return answer_u64(&q, amdgpu_gtt_used(amdgpu));
	case AMDGPU_INFO_GDS_CONFIG:
		return question_answer(&q, &(struct drm_amdgpu_info_gds){ 0 },
				       sizeof(struct drm_amdgpu_info_gds));
	case AMDGPU_INFO_VRAM_GTT:
		return vram_gtt(&q);
	case AMDGPU_INFO_MEMORY:
		return question_memory(&q);
	case AMDGPU_INFO_READ_MMR_REG:
		return read_mmr(&q);
	case AMDGPU_INFO_DEV_INFO:
		return question_device(&q);
	case AMDGPU_INFO_NUM_HANDLES:
		return -EINVAL;
	case AMDGPU_INFO_SENSOR:
		return question_sensor(&q);
	case AMDGPU_INFO_VRAM_LOST_COUNTER:
		return answer_u32(&q, amdgpu->vram_lost_count);
	case AMDGPU_INFO_RAS_ENABLED_FEATURES:
		return answer_u64(&q, 0);
	}
	return -EINVAL;
}
