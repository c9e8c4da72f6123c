/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine with simulated GPUs under xe, and one under i915, in virtual time,
 * and xe's calls on their nodes. Numbers and layouts are read from Linux
 * include/uapi/drm/xe_drm.h by the tests themselves: nothing of the simulator
 * is used.
 */
#ifndef DRMPERF_TESTS_DRMSIM_XE_NODE_H
#define DRMPERF_TESTS_DRMSIM_XE_NODE_H

#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>

#include "tests/drmsim/intel_node.h"
#include "tests/support/check.h"

/* In the order of PCI addresses. */
enum gpu {
	LNL,
	TGL, /* under i915 */
	BMG,
	PTL,
	PVC, /* with two tiles */
	MTL, /* and those behind it: of those that i915 can have, too */
	DG2,
	OTHER_TGL,
	NVLP,
	CRI,
};

/* The options of drmsim for a machine with all of them. */
#define XE_GPUS                                                                \
	"--time", "virtual", "--gpu=lnl", "--gpu=tgl,address=0000:00:03.0",    \
		"--gpu=bmg", "--gpu=ptl,address=0000:04:00.0", "--gpu=pvc2",   \
		"--gpu=mtlgt2,driver=xe,address=0000:60:00.0",                 \
		"--gpu=acmgt3,driver=xe,address=0000:61:00.0",                 \
		"--gpu=tgl,driver=xe,address=0000:62:00.0",                    \
		"--gpu=nvlp,address=0000:63:00.0",                             \
		"--gpu=cri,address=0000:64:00.0"

#define UUID "01234567-89ab-cdef-0123-456789abcdef"
#define OTHER_UUID "01234567-89ab-cdef-0123-456789abcde0"

#define QUERY 0xc0286440u
#define OBSERVATION 0x4020644bu
#define STREAM_ENABLE 0x6900u
#define STREAM_DISABLE 0x6901u
#define STREAM_CONFIG 0x6902u
#define STREAM_STATUS 0x6903u
#define STREAM_INFO 0x6904u

/* Formats: type, select, size of counters, B and C counters. */
#define PEC64U64 0x10105u
#define MPEC8U32 0x204u

/* ---- queries */

/* Issue one call: *size is given and comes back. */
int
xe_query_once(int fd, uint32_t query, uint32_t *size, void *data);
/* Make the two calls: bytes, which must not be more than room; or -errno. */
int
xe_query(int fd, uint32_t query, void *data, uint32_t room);

/* ---- metric sets */

struct xe_pair {
	uint32_t address, value;
};

/* Return the id or -errno. */
int
xe_add(int fd, const char *uuid, const struct xe_pair *pairs, unsigned count);
int
xe_remove(int fd, int id);

/* ---- streams */

struct xe_property {
	uint32_t id;
	uint64_t value;
};

/* 48 bytes in the caller's memory. */
struct xe_link {
	uint64_t next;
	uint32_t name, pad, property, pad2;
	uint64_t value, reserved[2];
};

/* Chain them, in their order; returns the first one's address. */
uint64_t
xe_chain(struct xe_link *links, const struct xe_property *properties,
	 unsigned count);
int
xe_observe(int fd, uint64_t type, uint64_t op, uint64_t param);
int
xe_stream(int fd, const struct xe_property *properties, unsigned count);
/* Open it as usual on unit 0, not blocking, or -errno. */
int
xe_oag(int fd, int id, unsigned exponent);
/* Do read(). Returns bytes or -errno. */
int
xe_read(int fd, void *data, size_t size);
void
xe_set_nonblocking(int fd);

uint64_t
xe_u64(const uint8_t *at);

#endif /* DRMPERF_TESTS_DRMSIM_XE_NODE_H */
