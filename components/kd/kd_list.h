/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A list of counters: what they are called, and what they are made of.
 */
#ifndef KD_LIST_H
#define KD_LIST_H

#include <stddef.h>

#include <KD/KHR_perfcounter.h>

#include "kd_system.h"

enum kd_source {
	KD_SOURCE_CPU,	  /* of system.cpus */
	KD_SOURCE_SYSTEM, /* of system.amounts */
	KD_SOURCE_GPU,
	KD_SOURCE_CLOSED, /* a GPU that cannot be used */
};

enum kd_cpu_share {
	KD_CPU_BUSY,
	KD_CPU_USER,
	KD_CPU_KERNEL,
};

enum kd_quantity {
	KD_QUANTITY_LEVEL,  /* as it is now, or has added up */
	KD_QUANTITY_SHARE,  /* in percent, of the time or what stands for it */
	KD_QUANTITY_SECOND, /* so much a second */
};

struct kd_counter {
	KDCounterInfoKHR info; /* its texts are the list's */
	enum kd_source source;
	enum kd_quantity quantity;

	/* processors */
	int cpu;
	enum kd_cpu_share share;

	/* system: the sum of two of them, or twice the same: that one */
	enum kd_part part;
	enum kd_amount amounts[2];

	char *event; /* GPU: its full name; else NULL */
};

struct kd_list {
	struct kd_counter *counters;
	size_t count, room;
};

/*
 * Add a counter at the end, a copy of this one but for its texts; event may be
 * NULL. Returns 0, or -ENOMEM.
 */
int kd_list_add(struct kd_list *list, const struct kd_counter *counter,
		const char *name, const char *event, const char *description,
		...) __attribute__((format(printf, 5, 6)));

/* Limit the last counter to values up to most, which its scale makes 100. */
void kd_list_limit(struct kd_list *list, uint64_t most);

void kd_list_free(struct kd_list *list);

#endif /* KD_LIST_H */
