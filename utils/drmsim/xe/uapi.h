/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xe's interface, as far as it is simulated: what libdrm 2.4.114 has no header
 * for. Names are ours, numbers and layouts those of Linux include/uapi/drm/
 * xe_drm.h.
 */
#ifndef DRMSIM_XE_UAPI_H
#define DRMSIM_XE_UAPI_H

#include <stdint.h>
#include <sys/ioctl.h>

/* ---- DEVICE_QUERY */

struct sim_xe_query {
	uint64_t extensions;
	uint32_t query, size;
	uint64_t data, reserved[2];
};

#define SIM_XE_IOCTL_QUERY _IOWR('d', 0x40, struct sim_xe_query)

enum sim_xe_query_id {
	SIM_XE_QUERY_ENGINES,
	SIM_XE_QUERY_MEM_REGIONS,
	SIM_XE_QUERY_CONFIG,
	SIM_XE_QUERY_GT_LIST,
	SIM_XE_QUERY_HWCONFIG,
	SIM_XE_QUERY_TOPOLOGY,
	SIM_XE_QUERY_CYCLES,
	SIM_XE_QUERY_FIRMWARE,
	SIM_XE_QUERY_OA_UNITS,
	SIM_XE_QUERY_EU_STALL = 10,
};

/* Header of answers of queries that are lists. */
struct sim_xe_list {
	uint32_t count, pad;
};

struct sim_xe_engine {
	uint16_t class, instance, gt, pad;
};

struct sim_xe_engine_info {
	struct sim_xe_engine engine;
	uint64_t reserved[3];
};

struct sim_xe_region {
	uint16_t class, instance;
	uint32_t min_page_size;
	uint64_t total_size, used, visible_size, visible_used, reserved[6];
};

struct sim_xe_gt {
	uint16_t type, tile, gt, pad[3];
	uint32_t reference_clock;
	uint64_t near_regions, far_regions;
	uint16_t major, minor, revision, pad2;
	uint64_t reserved[7];
};

enum sim_xe_mask {
	SIM_XE_MASK_GEOMETRY = 1,
	SIM_XE_MASK_COMPUTE,
	SIM_XE_MASK_L3_BANKS,
	SIM_XE_MASK_EUS,
	SIM_XE_MASK_SIMD16_EUS,
};

struct sim_xe_mask_header {
	uint16_t gt, type;
	uint32_t bytes;
};

struct sim_xe_cycles {
	struct sim_xe_engine engine;
	int32_t clock;
	uint32_t width;
	uint64_t cycles, cpu_timestamp, cpu_delta;
};

struct sim_xe_firmware {
	uint16_t type, pad;
	uint32_t branch, major, minor, patch, pad2;
	uint64_t reserved;
};

enum sim_xe_unit_type {
	SIM_XE_OAG,
	SIM_XE_OAM,
	SIM_XE_OAM_SAG,
	SIM_XE_MERT,
};

struct sim_xe_unit_info {
	uint64_t extensions;
	uint32_t id, type;
	uint64_t capabilities, timestamp_frequency;
	uint16_t gt, pad[3];
	uint64_t reserved[3];
	uint64_t engine_count;
	/* struct sim_xe_engine, as many */
};

struct sim_xe_eu_stall_info {
	uint64_t extensions, capabilities, record_size, buffer_size;
	uint64_t reserved[5], rate_count;
	/* uint64_t, as many: clocks from one sample to the next */
};

/* ---- WAIT_USER_FENCE */

enum sim_xe_wait_operation {
	SIM_XE_WAIT_EQUAL,
	SIM_XE_WAIT_DIFFERENT,
	SIM_XE_WAIT_GREATER,
	SIM_XE_WAIT_GREATER_EQUAL,
	SIM_XE_WAIT_LESS,
	SIM_XE_WAIT_LESS_EQUAL,
};

/* The one flag: the timeout is a point of time. */
#define SIM_XE_WAIT_ABSOLUTE 1u

struct sim_xe_wait {
	uint64_t extensions, address;
	uint16_t operation, flags;
	uint32_t pad;
	uint64_t value, mask;
	int64_t timeout; /* below 0: without end */
	uint32_t queue, pad2;
	uint64_t reserved[2];
};

#define SIM_XE_IOCTL_WAIT_USER_FENCE _IOWR('d', 0x4a, struct sim_xe_wait)

/* ---- OBSERVATION */

struct sim_xe_observation {
	uint64_t extensions, type, op, param;
};

#define SIM_XE_IOCTL_OBSERVATION _IOW('d', 0x4b, struct sim_xe_observation)

enum {
	SIM_XE_OBSERVE_OA,
	SIM_XE_OBSERVE_EU_STALL,
};

enum {
	SIM_XE_STREAM_OPEN,
	SIM_XE_ADD_CONFIG,
	SIM_XE_REMOVE_CONFIG,
};

struct sim_xe_config {
	uint64_t extensions;
	char uuid[36];
	uint32_t count;
	uint64_t registers;
};

struct sim_xe_extension {
	uint64_t next;
	uint32_t name, pad;
	uint32_t property, pad2;
	uint64_t value, reserved[2];
};

enum sim_xe_property {
	SIM_XE_UNIT = 1,
	SIM_XE_SAMPLE,
	SIM_XE_METRIC_SET,
	SIM_XE_FORMAT,
	SIM_XE_EXPONENT,
	SIM_XE_DISABLED,
	SIM_XE_EXEC_QUEUE,
	SIM_XE_ENGINE_INSTANCE,
	SIM_XE_NO_PREEMPT,
	SIM_XE_SYNC_COUNT,
	SIM_XE_SYNCS,
	SIM_XE_BUFFER_SIZE,
	SIM_XE_WAIT_REPORTS,
	SIM_XE_PROPERTIES,
};

enum {
	SIM_XE_SYNCOBJ,
	SIM_XE_TIMELINE,
	SIM_XE_USER_FENCE,
};

/* The one flag of a sync: it is signalled, and not waited for. */
#define SIM_XE_SIGNAL 1u

struct sim_xe_sync {
	uint64_t extensions;
	uint32_t type, flags;
	uint64_t address; /* of a user fence, or the handle of a syncobj */
	uint64_t value, reserved[2];
};

enum sim_xe_eu_stall_property {
	SIM_XE_EU_STALL_GT = 1,
	SIM_XE_EU_STALL_RATE,
	SIM_XE_EU_STALL_WAIT,
	SIM_XE_EU_STALL_PROPERTIES,
};

/* ---- a stream */

#define SIM_XE_ENABLE _IO('i', 0)
#define SIM_XE_DISABLE _IO('i', 1)
#define SIM_XE_CONFIG _IO('i', 2)
#define SIM_XE_STATUS _IO('i', 3)
#define SIM_XE_INFO _IO('i', 4)

enum sim_xe_status_bit {
	SIM_XE_REPORT_LOST = 1,
	SIM_XE_BUFFER_OVERFLOW = 2,
	SIM_XE_COUNTER_OVERFLOW = 4,
	SIM_XE_TRIGGERS_FULL = 8,
};

struct sim_xe_status {
	uint64_t extensions, status, reserved[3];
};

struct sim_xe_info {
	uint64_t extensions, buffer_size, reserved[3];
};

#endif /* DRMSIM_XE_UAPI_H */
