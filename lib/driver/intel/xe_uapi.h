/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is used of the xe kernel driver's interface, which Debian 12's headers
 * (Linux 6.1) do not have. Source: Linux 7.3 include/uapi/drm/xe_drm.h; what
 * Linux 6.12 does not have yet is marked.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_XE_UAPI_H
#define DRMPERF_LIB_DRIVER_INTEL_XE_UAPI_H

#include <linux/types.h>
#include <sys/ioctl.h>

/* ------------------------------------------------------------------ */
/* Queries                                                              */

struct xe_uapi_query {
	__u64 extensions;
	__u32 query;
	__u32 size; /* 0: to learn it; else exactly what the kernel returned */
	__u64 data;
	__u64 reserved[2];
};

#define XE_UAPI_IOCTL_QUERY _IOWR('d', 0x40, struct xe_uapi_query)

enum xe_uapi_query_id {
	XE_UAPI_QUERY_ENGINES = 0,
	XE_UAPI_QUERY_MEM_REGIONS = 1,
	XE_UAPI_QUERY_CONFIG = 2,
	XE_UAPI_QUERY_GT_LIST = 3,
	XE_UAPI_QUERY_HWCONFIG = 4,
	XE_UAPI_QUERY_TOPOLOGY = 5,
	XE_UAPI_QUERY_ENGINE_CYCLES = 6,
	XE_UAPI_QUERY_OA_UNITS = 8,
	XE_UAPI_QUERY_EU_STALL = 10, /* from Linux 6.15 on */
};

enum xe_uapi_class {
	XE_UAPI_CLASS_RENDER,
	XE_UAPI_CLASS_COPY,
	XE_UAPI_CLASS_VIDEO_DECODE,
	XE_UAPI_CLASS_VIDEO_ENHANCE,
	XE_UAPI_CLASS_COMPUTE,
	XE_UAPI_CLASS_COUNT,
};

struct xe_uapi_engine_id {
	__u16 engine_class;
	__u16 instance;
	__u16 gt;
	__u16 pad;
};

struct xe_uapi_engine {
	struct xe_uapi_engine_id id;
	__u64 reserved[3];
};

struct xe_uapi_engines {
	__u32 count;
	__u32 pad;
	struct xe_uapi_engine list[];
};

enum xe_uapi_mem_class {
	XE_UAPI_MEM_CLASS_SYSTEM,
	XE_UAPI_MEM_CLASS_VRAM,
};

struct xe_uapi_region {
	__u16 mem_class;
	__u16 instance;
	__u32 min_page_size;
	__u64 total;
	__u64 used; /* 0 for the unprivileged */
	__u64 visible;
	__u64 visible_used;
	__u64 reserved[6];
};

/* Its regions follow. */
struct xe_uapi_regions {
	__u32 count;
	__u32 pad;
};

enum xe_uapi_gt_type {
	XE_UAPI_GT_MAIN,
	XE_UAPI_GT_MEDIA,
};

struct xe_uapi_gt {
	__u16 type;
	__u16 tile;
	__u16 id;
	__u16 pad[3];
	__u32 reference_hz;
	__u64 near_regions;
	__u64 far_regions;
	__u16 ip_major;
	__u16 ip_minor;
	__u16 ip_revision;
	__u16 pad2;
	__u64 reserved[7];
};

struct xe_uapi_gts {
	__u32 count;
	__u32 pad;
	struct xe_uapi_gt list[];
};

/* Records of the topology, one behind the other, each followed by its mask. */
enum xe_uapi_mask {
	XE_UAPI_MASK_DSS_GEOMETRY = 1,
	XE_UAPI_MASK_DSS_COMPUTE = 2,
	XE_UAPI_MASK_L3_BANKS = 3,
	XE_UAPI_MASK_EUS = 4,
	XE_UAPI_MASK_EUS_SIMD16 = 5,
};

struct xe_uapi_topology {
	__u16 gt;
	__u16 type;
	__u32 bytes;
};

struct xe_uapi_cycles {
	struct xe_uapi_engine_id engine;
	__s32 clock;
	__u32 width;
	__u64 cycles;
	__u64 cpu_ns;
	__u64 cpu_delta_ns;
};

enum xe_uapi_oa_type {
	XE_UAPI_OA_OAG,
	XE_UAPI_OA_OAM,
	XE_UAPI_OA_OAM_SAG,
	XE_UAPI_OA_MERT,
};

#define XE_UAPI_OA_CAP_BUFFER_SIZE (1 << 2) /* from Linux 6.15 on */
#define XE_UAPI_OA_CAP_OAM (1 << 4) /* not in Linux 6.12 */

/* Its engines follow, as struct xe_uapi_engine_id. */
struct xe_uapi_oa_unit {
	__u64 extensions;
	__u32 id;
	__u32 type;
	__u64 capabilities;
	__u64 timestamp_hz;
	__u64 reserved[4];
	__u64 engine_count;
};

struct xe_uapi_oa_units {
	__u64 extensions;
	__u32 count;
	__u32 pad;
};

/* Its rates follow: periods in GPU clock cycles, the shortest first. */
struct xe_uapi_eu_stall {
	__u64 extensions;
	__u64 capabilities;
	__u64 record_size;
	__u64 buffer_size; /* bytes of a XeCore */
	__u64 reserved[5];
	__u64 rate_count;
	__u64 rates[];
};

/* ------------------------------------------------------------------ */
/* Observation                                                          */

enum xe_uapi_observation_type {
	XE_UAPI_OBSERVE_OA,
	XE_UAPI_OBSERVE_EU_STALL, /* from Linux 6.15 on */
};

enum xe_uapi_observation_op {
	XE_UAPI_OP_OPEN,
	XE_UAPI_OP_ADD_CONFIG,
	XE_UAPI_OP_REMOVE_CONFIG,
};

struct xe_uapi_observation {
	__u64 extensions;
	__u64 type;
	__u64 op;
	__u64 param;
};

#define XE_UAPI_IOCTL_OBSERVATION _IOW('d', 0x4b, struct xe_uapi_observation)

/* One of a chain. */
struct xe_uapi_property {
	__u64 next;
	__u32 name; /* 0: a property */
	__u32 pad;
	__u32 property;
	__u32 pad2;
	__u64 value;
	__u64 reserved[2];
};

enum xe_uapi_property_id {
	XE_UAPI_PROPERTY_UNIT = 1,
	XE_UAPI_PROPERTY_SAMPLE = 2,
	XE_UAPI_PROPERTY_CONFIG = 3,
	XE_UAPI_PROPERTY_FORMAT = 4,
	XE_UAPI_PROPERTY_EXPONENT = 5,
	XE_UAPI_PROPERTY_DISABLED = 6,
	XE_UAPI_PROPERTY_BUFFER_SIZE = 12,
};

enum xe_uapi_eu_stall_property_id {
	XE_UAPI_EU_STALL_GT = 1,
	XE_UAPI_EU_STALL_RATE = 2,
	XE_UAPI_EU_STALL_WAIT = 3,
};

/* The kernel takes no more in a chain. */
#define XE_UAPI_PROPERTIES_MAX 16

struct xe_uapi_config {
	__u64 extensions;
	char uuid[36];
	__u32 count;
	__u64 pairs;
};

struct xe_uapi_status {
	__u64 extensions;
	__u64 status;
	__u64 reserved[3];
};

enum xe_uapi_status_bit {
	XE_UAPI_STATUS_REPORT_LOST = 1 << 0,
	XE_UAPI_STATUS_OVERFLOW = 1 << 1,
	XE_UAPI_STATUS_COUNTER_OVERFLOW = 1 << 2,
	XE_UAPI_STATUS_MMIO_FULL = 1 << 3,
};

#define XE_UAPI_IOCTL_ENABLE _IO('i', 0)
#define XE_UAPI_IOCTL_DISABLE _IO('i', 1)
#define XE_UAPI_IOCTL_CONFIG _IO('i', 2)
#define XE_UAPI_IOCTL_STATUS _IO('i', 3)
#define XE_UAPI_IOCTL_INFO _IO('i', 4)

#endif /* DRMPERF_LIB_DRIVER_INTEL_XE_UAPI_H */
