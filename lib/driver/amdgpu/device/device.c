/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/device/device.h"

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#include "base/array.h"
#include "base/array.h"
#include "base/fork_close.h"
#include "driver/amdgpu/device/aql.h"
#include "driver/amdgpu/device/device_private.h"
#include "driver/device_node.h"

/* Bits of drm_amdgpu_info_device.ids_flags, reported from Linux 6.9 on. */
#define IDS_FLAGS_MODE 0x300
#define IDS_FLAGS_MODE_VIRTUAL 0x100

/* Linux 4.20: everything used here is there, but stable power states. */
#define DRM_MINOR_NEEDED 27

/* A sample of an idle GPU takes some 20 us; a sleep and a wake-up as long. */
#define SPIN_NS UINT64_C(40000)
#define SPIN_MOST_US 1000ul

/* ------------------------------------------------------------------ */
/* Opening                                                              */

static int
open_node(const char *node, int *out, struct drmperf_error *error)
{
	int fd, ret;

	if (!*node) {
		error_set(error, -ENODEV, "the GPU has no render node");
		error_remedy(error, "see that the kernel's amdgpu driver has "
				    "been loaded and /dev/dri exists");
		return -ENODEV;
	}
	fd = open(node, O_RDWR | O_CLOEXEC);
	if (fd >= 0) {
		*out = fd;
		return 0;
	}
	ret = -errno;
	return device_node_error(node, ret == -ENXIO ? -ENODEV : ret, error);
}

/*
 * Check the driver's version right before libdrm does: libdrm prints about an
 * unknown version, and crashes if the request fails
 * (doc/upstream/libdrm-version.md). A GPU may still go between both requests,
 * so this makes only one and allocates nothing.
 */
static int
check_version(int fd, const char *node, struct drmperf_error *error)
{
	struct drm_version version = { 0 };
	int major, minor, ret;

	if (drmIoctl(fd, DRM_IOCTL_VERSION, &version)) {
		ret = -errno;
		error_set(error, ret, "%s does not answer: %s", node,
			  strerror(-ret));
		error_remedy(error, "look for messages of amdgpu in the "
				    "kernel's log (dmesg)");
		return ret;
	}
	major = version.version_major;
	minor = version.version_minor;
	if (major == 3 && minor >= DRM_MINOR_NEEDED)
		return 0;
	error_set(error, -ENOTSUP,
		  "the kernel's amdgpu driver has interface version %d.%d, "
		  "drmperf needs 3.%d",
		  major, minor, DRM_MINOR_NEEDED);
	if (major < 3 || (major == 3 && minor < DRM_MINOR_NEEDED))
		error_remedy(error, "use Linux 4.20 or newer");
	else
		error_remedy(error, "use a newer drmperf");
	return -ENOTSUP;
}

/*
 * Explain why libdrm could not open the GPU. It loses the reason of a shortage
 * of memory or descriptors: it returns -1, or goes on with the -1 of a failed
 * dup().
 */
static int
explain_refused(const char *node, int ret, struct drmperf_error *error)
{
	if (ret == -1 || ret == -EBADF)
		error_set(error, ret = -EAGAIN,
			  "libdrm cannot use %s, and gives no reason", node);
	else
		error_set(error, ret, "libdrm cannot use %s: %s", node,
			  strerror(-ret));
	error_remedy(error, "look for messages of amdgpu in the kernel's log "
			    "(dmesg)");
	return ret;
}

/*
 * Replace a file that a child has inherited. libdrm keeps one open file per GPU
 * and process, which survives fork(): a child that opens the GPU gets the file,
 * and with it the address space and the contexts, of its parent. The pid kept
 * with the file (nothing else uses that of a DRM file) shows it; the child then
 * puts its own file in its place. So does a process whose GPU left and came
 * back while libdrm had it open.
 */
static int
own_file(int fd, int used)
{
	pid_t owner = fcntl(used, F_GETOWN);
	bool is_foreign = owner > 0 && owner != getpid();

	if ((is_foreign || device_node_is_gone(used)) &&
	    dup3(fd, used, O_CLOEXEC) < 0)
		return -errno;
	fcntl(used, F_SETOWN, getpid());
	return 0;
}

static void
amd_device_deinitialize(struct amd_device *dev)
{
	fork_bar();
	amdgpu_device_deinitialize(dev->device);
	fork_unbar();
}

static int
open_device(struct amd_device *dev, const char *node,
	    struct drmperf_error *error)
{
	uint32_t major, minor;
	int ret;

	ret = open_node(node, &dev->fd, error);
	if (ret)
		return ret;
	ret = check_version(dev->fd, node, error);
	if (ret)
		goto close;
	fork_bar();
	ret = amdgpu_device_initialize(dev->fd, &major, &minor, &dev->device);
	fork_unbar();
	if (ret) {
		ret = explain_refused(node, ret, error);
		goto close;
	}
	dev->used_fd = amdgpu_device_get_fd(dev->device);
	ret = own_file(dev->fd, dev->used_fd);
	if (!ret)
		return 0;
	error_set(error, ret, "cannot use %s: %s", node, strerror(-ret));
	amd_device_deinitialize(dev);
close:
	close(dev->fd);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Data that the kernel reports                                         */

static int
explain_silent(const struct amd_device *dev, int code,
	       struct drmperf_error *error)
{
	return error_set(error, code,
			 "the kernel does not report which GPU %s "
			 "is: %s",
			 dev->node, strerror(-code));
}

/*
 * Count the rings: none where the kernel knows no such engine. Returns 0, or
 * -errno if it does not answer now.
 */
static int
count_rings(struct amd_device *dev, unsigned type,
	    struct drm_amdgpu_info_hw_ip *info)
{
	int ret;

	memset(info, 0, sizeof(*info));
	ret = amdgpu_query_hw_ip_info(dev->device, type, 0, info);
	if (ret)
		return error_is_transient(ret) ? ret : 0;
	return __builtin_popcount(info->available_rings);
}

/*
 * Return the version of the core. The version of the graphics core stands
 * behind available_rings since Linux 6.0 (DRM 3.48); older headers call that
 * padding, older kernels leave it 0.
 */
static uint32_t
core_version(const struct drm_amdgpu_info_hw_ip *info)
{
	uint32_t version;

	memcpy(&version, &info->available_rings + 1, sizeof(version));
	return version;
}

static void
align_to(struct amd_device *dev, uint32_t alignment)
{
	if (alignment > dev->ib_alignment)
		dev->ib_alignment = alignment;
}

/*
 * Find the rings there are; compute runs in parallel to the work being
 * measured.
 */
static int
find_rings(struct amd_device *dev, struct drmperf_error *error)
{
	static const struct {
		unsigned type;
		enum pm4_engine engine;
	} choices[] = {
		{ AMDGPU_HW_IP_GFX, PM4_ENGINE_GFX },
		{ AMDGPU_HW_IP_COMPUTE, PM4_ENGINE_COMPUTE },
	};
	struct drm_amdgpu_info_hw_ip info;
	bool found = false;
	int count;

	for (size_t i = 0; i < ARRAY_SIZE(choices); i++) {
		enum pm4_engine engine = choices[i].engine;

		count = count_rings(dev, choices[i].type, &info);
		if (count < 0)
			return explain_silent(dev, count, error);
		if (!count)
			continue;
		found = true;
		dev->ip_types[engine] = choices[i].type;
		dev->rings[engine] =
			(uint32_t)__builtin_ctz(info.available_rings);
		dev->info.has_ring[engine] = true;
		dev->info.engine = engine;
		dev->info.identity.core = core_version(&info);
		align_to(dev, info.ib_size_alignment);
		align_to(dev, info.ib_start_alignment);
	}
	if (found)
		return 0;
	error_set(error, -ENOTSUP, "%s has no ring of the kernel for commands",
		  dev->node);
	/* [Linux 7.1 amdgpu_drv.c, the parameter user_queue] */
	error_remedy(error,
		     "the kernel's driver has user queues only, as with "
		     "amdgpu.user_queue=2: boot with amdgpu.user_queue=1, or "
		     "0");
	return -ENOTSUP;
}

/*
 * Read versions of the prefetch parser in front of graphics, and of the compute
 * engine; 0 where the kernel does not know.
 */
static int
read_firmware_versions(struct amd_device *dev, struct drmperf_error *error)
{
	static const unsigned types[PM4_ENGINES] = {
		[PM4_ENGINE_GFX] = AMDGPU_INFO_FW_GFX_PFP,
		[PM4_ENGINE_COMPUTE] = AMDGPU_INFO_FW_GFX_MEC,
	};
	uint32_t version, feature;
	int ret;

	for (int engine = 0; engine < PM4_ENGINES; engine++) {
		if (!dev->info.has_ring[engine])
			continue;
		ret = amdgpu_query_firmware_version(dev->device, types[engine],
						    0, 0, &version, &feature);
		if (error_is_transient(ret))
			return explain_silent(dev, ret, error);
		dev->info.firmware[engine] = ret ? 0 : version;
	}
	return 0;
}

static void
take_shape(struct amd_device_shape *shape,
	   const struct drm_amdgpu_info_device *info)
{
	shape->engines = info->num_shader_engines;
	shape->arrays = info->num_shader_arrays_per_engine;
	memcpy(shape->cu_bitmap, info->cu_bitmap, sizeof(shape->cu_bitmap));
	shape->rb_mask = info->enabled_rb_pipes_mask;
	shape->channels = info->num_tcc_blocks;
	shape->channels_off = info->tcc_disabled_mask;
}

static int
read_info(struct amd_device *dev, struct drmperf_error *error)
{
	struct drm_amdgpu_info_device device = { 0 };
	struct drm_amdgpu_info_hw_ip sdma;
	struct amd_device_info *info = &dev->info;
	int ret;

	ret = amdgpu_query_info(dev->device, AMDGPU_INFO_DEV_INFO,
				sizeof(device), &device);
	if (ret)
		return explain_silent(dev, ret, error);
	info->device_id = device.device_id;
	info->revision = device.pci_rev;
	info->identity.family = device.family;
	info->identity.revision = device.external_rev;
	info->timestamp_khz = device.gpu_counter_freq;
	info->engine_khz = device.max_engine_clock;
	info->memory_khz = device.max_memory_clock;
	info->memory_type = device.vram_type;
	info->memory_bits = device.vram_bit_width;
	info->wave_size = device.wave_front_size;
	info->is_virtual =
		(device.ids_flags & IDS_FLAGS_MODE) == IDS_FLAGS_MODE_VIRTUAL;
	take_shape(&info->shape, &device);
	ret = count_rings(dev, AMDGPU_HW_IP_DMA, &sdma);
	if (ret < 0)
		return explain_silent(dev, ret, error);
	info->shape.sdma_engines = (unsigned)ret;
	ret = find_rings(dev, error);
	return ret ? ret : read_firmware_versions(dev, error);
}

void
amd_device_set_submit_hook(struct amd_device *dev,
			   const struct amd_submit_hook *hook)
{
	dev->submit_hook = hook;
}

static bool
wants_dump(void)
{
	const char *at = secure_getenv("DRMPERF_DEBUG");
	size_t length;

	while (at && *at) {
		length = strcspn(at, ",");
		if (length == 2 && !strncmp(at, "ib", 2))
			return true;
		at += length + (at[length] == ',');
	}
	return false;
}

/* Return whether this process may run on one CPU only. */
static bool
has_one_cpu(void)
{
	cpu_set_t cpus;

	/* refused where the machine has more CPUs than the set has room for */
	return !sched_getaffinity(0, sizeof(cpus), &cpus) &&
	       CPU_COUNT(&cpus) == 1;
}

/*
 * Return how long a wait spins before it sleeps; 0 on one CPU, where spinning
 * would only keep other threads from running.
 */
static uint64_t
find_spin_ns(void)
{
	const char *text = secure_getenv("DRMPERF_SPIN_US");
	unsigned long us;
	char *end;

	if (!text || !*text)
		return has_one_cpu() ? 0 : SPIN_NS;
	errno = 0;
	us = strtoul(text, &end, 10);
	if (errno || *end || us > SPIN_MOST_US)
		return SPIN_NS;
	return us * UINT64_C(1000);
}

int
amd_device_open(const struct driver_target *target, struct amd_device **out,
		struct drmperf_error *error)
{
	struct amd_device *dev = calloc(1, sizeof(*dev));
	int ret;

	if (!dev)
		return error_set(error, -ENOMEM, "no memory");
	snprintf(dev->node, sizeof(dev->node), "%s", target->render);
	dev->log = target->log;
	dev->sysfs = target->sysfs ? target->sysfs : "";
	dev->dump = wants_dump();
	dev->spin_ns = find_spin_ns();
	ret = open_device(dev, target->render, error);
	if (ret) {
		free(dev);
		return ret;
	}
	ret = read_info(dev, error);
	if (ret)
		amd_device_close(dev);
	else
		*out = dev;
	return ret;
}

int
amd_device_open_xccs(struct amd_device *dev, const struct driver_kfd *gpu,
		     const char *helper, struct drmperf_error *error)
{
	if (dev->aql && aql_keep_alive(dev->aql))
		return 0;
	aql_close(dev->aql, false);
	dev->aql = NULL;
	return aql_open(gpu, dev->node, helper, &dev->aql, error);
}

static void
free_device(struct amd_device *dev, bool is_child)
{
	aql_close(dev->aql, is_child);
	amd_device_deinitialize(dev);
	close(dev->fd);
	free(dev);
}

void
amd_device_close(struct amd_device *dev)
{
	free_device(dev, false);
}

int
amd_device_reopen(struct amd_device *dev)
{
	int ret = device_node_renew(dev->fd, dev->sysfs, dev->node);
	int own = ret < 0 ? ret : own_file(dev->fd, dev->used_fd);

	return own < 0 ? own : ret;
}

void
amd_device_abandon(struct amd_device *dev)
{
	/* Frees memory and closes files: no request reaches the kernel. */
	free_device(dev, true);
}

const struct amd_device_info *
amd_device_info(const struct amd_device *dev)
{
	return &dev->info;
}

int
amd_device_descriptor(const struct amd_device *dev)
{
	return dev->used_fd;
}

const char *
amd_device_node(const struct amd_device *dev)
{
	return dev->node;
}

/* ------------------------------------------------------------------ */
/* Sensors                                                              */

/* Sensors of kernels after 6.1 (amdgpu_drm.h); libdrm's header may be older. */
#define SENSOR_PEAK_PSTATE_GFX_SCLK 0xa
#define SENSOR_PEAK_PSTATE_GFX_MCLK 0xb
#define SENSOR_GPU_INPUT_POWER 0xc

/* Numbers of AMDGPU_INFO_SENSOR; the rest has questions of its own. */
static const unsigned sensor_numbers[] = {
	[AMD_SENSOR_GFX_SCLK] = AMDGPU_INFO_SENSOR_GFX_SCLK,
	[AMD_SENSOR_GFX_MCLK] = AMDGPU_INFO_SENSOR_GFX_MCLK,
	[AMD_SENSOR_STABLE_PSTATE_GFX_SCLK] =
		AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_SCLK,
	[AMD_SENSOR_STABLE_PSTATE_GFX_MCLK] =
		AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_MCLK,
	[AMD_SENSOR_PEAK_PSTATE_GFX_SCLK] = SENSOR_PEAK_PSTATE_GFX_SCLK,
	[AMD_SENSOR_PEAK_PSTATE_GFX_MCLK] = SENSOR_PEAK_PSTATE_GFX_MCLK,
	[AMD_SENSOR_GPU_LOAD] = AMDGPU_INFO_SENSOR_GPU_LOAD,
	[AMD_SENSOR_GPU_TEMP] = AMDGPU_INFO_SENSOR_GPU_TEMP,
	[AMD_SENSOR_GPU_AVG_POWER] = AMDGPU_INFO_SENSOR_GPU_AVG_POWER,
	[AMD_SENSOR_GPU_INPUT_POWER] = SENSOR_GPU_INPUT_POWER,
	[AMD_SENSOR_VDDNB] = AMDGPU_INFO_SENSOR_VDDNB,
	[AMD_SENSOR_VDDGFX] = AMDGPU_INFO_SENSOR_VDDGFX,
};

static int
query_memory(const struct amd_device *dev, enum amd_sensor sensor,
	     uint64_t *out)
{
	struct drm_amdgpu_memory_info info;
	int ret = amdgpu_query_info(dev->device, AMDGPU_INFO_MEMORY,
				    sizeof(info), &info);

	if (ret)
		return ret;
	if (sensor == AMD_SENSOR_VRAM_TOTAL)
		*out = info.vram.total_heap_size;
	else if (sensor == AMD_SENSOR_VIS_VRAM_TOTAL)
		*out = info.cpu_accessible_vram.total_heap_size;
	else
		*out = info.gtt.total_heap_size;
	return 0;
}

int
amd_device_read_sensor(const struct amd_device *dev, enum amd_sensor sensor,
		       uint64_t *out)
{
	uint32_t value;
	int ret;

	switch (sensor) {
	case AMD_SENSOR_VRAM_USAGE:
		return amdgpu_query_info(dev->device, AMDGPU_INFO_VRAM_USAGE,
					 sizeof(*out), out);
	case AMD_SENSOR_VIS_VRAM_USAGE:
		return amdgpu_query_info(dev->device,
					 AMDGPU_INFO_VIS_VRAM_USAGE,
					 sizeof(*out), out);
	case AMD_SENSOR_GTT_USAGE:
		return amdgpu_query_info(dev->device, AMDGPU_INFO_GTT_USAGE,
					 sizeof(*out), out);
	case AMD_SENSOR_VRAM_TOTAL:
	case AMD_SENSOR_VIS_VRAM_TOTAL:
	case AMD_SENSOR_GTT_TOTAL:
		return query_memory(dev, sensor, out);
	default:
		break;
	}
	ret = amdgpu_query_sensor_info(dev->device, sensor_numbers[sensor],
				       sizeof(value), &value);
	if (!ret)
		*out = value;
	return ret;
}

uint32_t
amd_device_engine_mhz(const struct amd_device *dev)
{
	uint64_t mhz;

	return amd_device_read_sensor(dev, AMD_SENSOR_GFX_SCLK, &mhz)
		       ? 0
		       : (uint32_t)mhz;
}

/* Dwords from the start of MMIO. */
#define GRBM_STATUS 0x2004u

int
amd_device_read_status(const struct amd_device *dev, unsigned engine)
{
	uint32_t value;

	return amdgpu_read_mm_registers(
		dev->device, GRBM_STATUS, 1,
		engine << AMDGPU_INFO_MMR_SE_INDEX_SHIFT |
			AMDGPU_INFO_MMR_SH_INDEX_MASK
				<< AMDGPU_INFO_MMR_SH_INDEX_SHIFT,
		0, &value);
}

uint32_t
amd_device_memory_mhz(const struct amd_device *dev)
{
	uint64_t mhz;

	return amd_device_read_sensor(dev, AMD_SENSOR_GFX_MCLK, &mhz)
		       ? 0
		       : (uint32_t)mhz;
}
