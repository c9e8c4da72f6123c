/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that a recording tool shares with the processes it records: a file
 * that DRMPERF_MARKS names, of slots of 128 bytes. The first one counts those
 * that were reserved; each of the others has one mark. A mark counts when its
 * kind is written, which is done last: a process may end at any place.
 */
#ifndef DRMPERF_COMPONENTS_MARKER_MARK_BUFFER_H
#define DRMPERF_COMPONENTS_MARKER_MARK_BUFFER_H

#include <stdint.h>

enum mark_kind {
	MARK_PUSH = 1, /* a region of a thread begins */
	MARK_POP,
	MARK_START, /* a range of a process begins */
	MARK_STOP,
	MARK_INSTANT,
};

/*
 * Write a mark of the calling thread. The range is 0 but for MARK_START and
 * MARK_STOP. Does nothing where no tool records.
 */
void
mark_write(enum mark_kind kind, uint64_t range, const char *name);

/* Return a number for a range that no other one of the process has. */
uint64_t
mark_new_range(void);

#endif /* DRMPERF_COMPONENTS_MARKER_MARK_BUFFER_H */
