/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Figures of the kernel on processors, memory, files and processes, as libproc2
 * reads them from /proc.
 */
#ifndef KD_SYSTEM_H
#define KD_SYSTEM_H

#include <stdint.h>

#include <drmperf.h>

/* Parts that are read at once. */
enum kd_part {
	KD_PART_CPUS, /* with context switches */
	KD_PART_MEMORY,
	KD_PART_PAGES,
	KD_PART_SELF, /* what this process reads and writes */
	KD_PART_PROCESSES,
	KD_PART_COUNT
};

enum kd_amount {
	KD_AMOUNT_CONTEXT_SWITCHES,
	KD_AMOUNT_MEMORY_USED, /* bytes */
	KD_AMOUNT_MEMORY_TOTAL,
	KD_AMOUNT_SWAP_USED,
	KD_AMOUNT_SWAP_TOTAL,
	KD_AMOUNT_MAJOR_FAULTS,
	KD_AMOUNT_DEVICE_READ, /* bytes */
	KD_AMOUNT_DEVICE_WRITTEN,
	KD_AMOUNT_SELF_READ, /* bytes */
	KD_AMOUNT_SELF_WRITTEN,
	KD_AMOUNT_PROCESSES,
	KD_AMOUNT_THREADS,
	KD_AMOUNT_COUNT
};

/* Clock ticks a processor has spent since the machine was started. */
struct kd_cpu {
	int number;
	uint64_t user, kernel;
	uint64_t busy, all; /* as well with what others stole */
};

struct kd_system_sample {
	struct kd_cpu *cpus; /* that are there now, by rising number */
	unsigned cpu_count;
	uint64_t amounts[KD_AMOUNT_COUNT];
	uint64_t time_ns[KD_PART_COUNT]; /* kd_now_ns(), when each was read */
};

struct kd_system;

/* Create it; nothing is opened so far. Returns 0, or -ENOMEM. */
int kd_system_create(struct kd_system **out);
void kd_system_destroy(struct kd_system *system);

/*
 * Read some parts, 1 << KD_PART_CPUS and so on; the others in the sample stay.
 * Its array of processors is the system's. In the child of a fork() nothing is
 * read through what the parent has opened.
 *
 * Returns 0; -ENODATA if the kernel does not report it; -ENOMEM; errors of
 * reading /proc.
 */
int kd_system_read(struct kd_system *system, unsigned parts,
		   struct kd_system_sample *sample,
		   struct drmperf_error *error);

#endif /* KD_SYSTEM_H */
