/* SPDX-License-Identifier: BSD-3-Clause */
#include "kd_figures.h"

#include <stdio.h>
#include <unistd.h>

#include "kd_common.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Rates and shares are of no shorter time than a tenth of a second. */
#define NS_PER_SECOND UINT64_C(1000000000)
#define LEAST_NS (NS_PER_SECOND / 10)

/* ------------------------------------------------------------------ */
/* Counters                                                             */

static const struct cpu_figure {
	enum kd_cpu_share share;
	const char *mode, *description;
} cpu_figures[] = {
	{ KD_CPU_BUSY, "", "was not idle" },
	{ KD_CPU_USER, " user mode", "ran programs" },
	{ KD_CPU_KERNEL, " kernel mode",
	  "was in the kernel, for programs or for interrupts" },
};

static const struct figure {
	const char *name, *description;
	enum kd_part part;
	enum kd_quantity quantity;
	enum kd_amount amounts[2]; /* their sum, or twice the same */
	enum kd_amount most[2]; /* the same; of levels in bytes alone */
} figures[] = {
	{ "Physical memory usage",
	  "Bytes of memory in use, by programs and by what the kernel could "
	  "not give back at once.",
	  KD_PART_MEMORY,
	  KD_QUANTITY_LEVEL,
	  { KD_AMOUNT_MEMORY_USED, KD_AMOUNT_MEMORY_USED },
	  { KD_AMOUNT_MEMORY_TOTAL, KD_AMOUNT_MEMORY_TOTAL } },
	{ "Virtual memory usage",
	  "Bytes in use of memory and swap space together.",
	  KD_PART_MEMORY,
	  KD_QUANTITY_LEVEL,
	  { KD_AMOUNT_MEMORY_USED, KD_AMOUNT_SWAP_USED },
	  { KD_AMOUNT_MEMORY_TOTAL, KD_AMOUNT_SWAP_TOTAL } },
	{ "Cache pages fault / sec",
	  "Page faults a second, of all processes, whose page was not in "
	  "memory "
	  "and had to be read (major faults).",
	  KD_PART_PAGES,
	  KD_QUANTITY_SECOND,
	  { KD_AMOUNT_MAJOR_FAULTS, KD_AMOUNT_MAJOR_FAULTS },
	  { 0 } },
	{ "File read bytes / sec",
	  "Bytes a second that were read from block devices, where files and "
	  "swap space are, for all processes and the kernel.",
	  KD_PART_PAGES,
	  KD_QUANTITY_SECOND,
	  { KD_AMOUNT_DEVICE_READ, KD_AMOUNT_DEVICE_READ },
	  { 0 } },
	{ "File write bytes / sec",
	  "Bytes a second that were written to block devices, where files and "
	  "swap space are, for all processes and the kernel.",
	  KD_PART_PAGES,
	  KD_QUANTITY_SECOND,
	  { KD_AMOUNT_DEVICE_WRITTEN, KD_AMOUNT_DEVICE_WRITTEN },
	  { 0 } },
	{ "I/O read bytes / sec",
	  "Bytes a second that this process was given by read() and the like, "
	  "whatever it read and wherever that lay; with what it takes to read "
	  "counters from /proc.",
	  KD_PART_SELF,
	  KD_QUANTITY_SECOND,
	  { KD_AMOUNT_SELF_READ, KD_AMOUNT_SELF_READ },
	  { 0 } },
	{ "I/O write bytes / sec",
	  "Bytes a second that this process handed to write() and the like, "
	  "whatever it wrote to and wherever that went.",
	  KD_PART_SELF,
	  KD_QUANTITY_SECOND,
	  { KD_AMOUNT_SELF_WRITTEN, KD_AMOUNT_SELF_WRITTEN },
	  { 0 } },
	{ "Processes amount",
	  "Processes that there are, as far as /proc shows them.",
	  KD_PART_PROCESSES,
	  KD_QUANTITY_LEVEL,
	  { KD_AMOUNT_PROCESSES, KD_AMOUNT_PROCESSES },
	  { 0 } },
	{ "Threads amount",
	  "Threads of these processes.",
	  KD_PART_PROCESSES,
	  KD_QUANTITY_LEVEL,
	  { KD_AMOUNT_THREADS, KD_AMOUNT_THREADS },
	  { 0 } },
	{ "Context switched / sec",
	  "Times a second that a processor went from one thread to another, on "
	  "all processors.",
	  KD_PART_CPUS,
	  KD_QUANTITY_SECOND,
	  { KD_AMOUNT_CONTEXT_SWITCHES, KD_AMOUNT_CONTEXT_SWITCHES },
	  { 0 } },
};

static uint64_t
sample_sum(const struct kd_system_sample *sample,
	   const enum kd_amount amounts[2])
{
	uint64_t first = sample->amounts[amounts[0]];

	return amounts[0] == amounts[1] ? first
					: first + sample->amounts[amounts[1]];
}

static int
list_cpu(struct kd_list *list, int cpu)
{
	struct kd_counter counter = {
		.info = { .vendorName = "Linux",
			  .maxValue = 100,
			  .defaultScale = 1 },
		.source = KD_SOURCE_CPU,
		.quantity = KD_QUANTITY_SHARE,
		.part = KD_PART_CPUS,
		.cpu = cpu,
	};
	char name[64];
	int rc = 0;

	for (size_t i = 0; !rc && i < ARRAY_SIZE(cpu_figures); i++) {
		counter.share = cpu_figures[i].share;
		snprintf(name, sizeof(name), "CPU %d%s utilization", cpu,
			 cpu_figures[i].mode);
		rc = kd_list_add(list, &counter, name, NULL,
				 "Share of the time in which processor %d %s, "
				 "in percent.",
				 cpu, cpu_figures[i].description);
	}
	return rc;
}

static int
list_figure(struct kd_list *list, const struct figure *figure,
	    const struct kd_system_sample *sample)
{
	const struct kd_counter counter = {
		.info = { .vendorName = "Linux",
			  .maxValue = KD_INFINITE_COUNTER_VAL_KHR,
			  .defaultScale = KD_UNKNOWN_COUNTER_VAL_KHR },
		.source = KD_SOURCE_SYSTEM,
		.quantity = figure->quantity,
		.part = figure->part,
		.amounts = { figure->amounts[0], figure->amounts[1] },
	};
	int rc = kd_list_add(list, &counter, figure->name, NULL, "%s",
			     figure->description);

	if (!rc && figure->part == KD_PART_MEMORY)
		kd_list_limit(list, sample_sum(sample, figure->most));
	return rc;
}

/* Return whether the kernel has figures for this part; if not, print why. */
static bool
can_read(struct kd_system *system, enum kd_part part,
	 struct kd_system_sample *sample)
{
	struct drmperf_error error = { 0 };
	int rc = kd_system_read(system, 1U << part, sample, &error);

	if (rc)
		fe_report(KD_LIBRARY, "counters are left out", rc, &error);
	return !rc;
}

int
kd_figures_list(struct kd_system *system, struct kd_list *list)
{
	struct kd_system_sample sample = { 0 };
	bool tells[KD_PART_COUNT];
	int rc = 0;

	for (unsigned i = 0; i < KD_PART_COUNT; i++)
		tells[i] = can_read(system, i, &sample);
	for (unsigned i = 0; !rc && i < sample.cpu_count; i++)
		rc = list_cpu(list, sample.cpus[i].number);
	for (size_t i = 0; !rc && i < ARRAY_SIZE(figures); i++) {
		if (tells[figures[i].part])
			rc = list_figure(list, &figures[i], &sample);
	}
	return rc;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

unsigned
kd_figures_parts(const struct kd_counter *counter)
{
	return counter->source == KD_SOURCE_CPU ||
			       counter->source == KD_SOURCE_SYSTEM
		       ? 1U << counter->part
		       : 0;
}

/* Read the ticks that a processor has spent so; false: it is switched off. */
static bool
counter_ticks(const struct kd_counter *counter,
	      const struct kd_system_sample *sample, uint64_t *amount,
	      uint64_t *of)
{
	for (unsigned i = 0; i < sample->cpu_count; i++) {
		const struct kd_cpu *cpu = &sample->cpus[i];

		if (cpu->number != counter->cpu)
			continue;
		*amount = counter->share == KD_CPU_BUSY	  ? cpu->busy
			  : counter->share == KD_CPU_USER ? cpu->user
							  : cpu->kernel;
		*of = cpu->all;
		return true;
	}
	return false;
}

static bool
counter_measure(const struct kd_counter *counter,
		const struct kd_system_sample *sample, uint64_t *amount,
		uint64_t *of)
{
	if (counter->source == KD_SOURCE_CPU)
		return counter_ticks(counter, sample, amount, of);
	*amount = sample_sum(sample, counter->amounts);
	*of = sample->time_ns[counter->part];
	return true;
}

void
kd_figures_begin(const struct kd_counter *counter,
		 const struct kd_system_sample *sample,
		 struct kd_quotient *quotient)
{
	uint64_t amount, of;

	if (counter_measure(counter, sample, &amount, &of))
		kd_quotient_begin(quotient, amount, of);
	else
		kd_quotient_lose(quotient);
}

KDint64
kd_figures_value(const struct kd_counter *counter,
		 const struct kd_system_sample *sample,
		 struct kd_quotient *quotient)
{
	uint64_t amount, of;

	if (!counter_measure(counter, sample, &amount, &of)) {
		kd_quotient_lose(quotient);
		return quotient->value;
	}
	switch (counter->quantity) {
	case KD_QUANTITY_SHARE:
		return kd_quotient_next(quotient, amount, of, 100,
					(uint64_t)sysconf(_SC_CLK_TCK) / 10);
	case KD_QUANTITY_SECOND:
		return kd_quotient_next(quotient, amount, of, NS_PER_SECOND,
					LEAST_NS);
	default:
		return amount > INT64_MAX ? INT64_MAX : (KDint64)amount;
	}
}
