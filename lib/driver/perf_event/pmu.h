/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PMU as its folder in /sys/bus/event_source/devices tells it: nothing about
 * it is known beforehand.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_PMU_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "driver/description.h"
#include "driver/perf_event/counter.h"
#include "driver/perf_event/format.h"

struct pmu_event {
	const char *name;
	const char *file; /* which the event is of: its name, or another's */
	struct pmu_words words;
	const char *unit; /* as the kernel writes it: "ns"; or "" */
	const char *scale; /* a number: "2.5e-10"; or "" for 1 */
	bool is_snapshot; /* as of now, does not accumulate */
};

struct pmu {
	const char *name;
	const char *folder;
	uint32_t type;
	/* cpumask: where to count, for all that runs; none: no such file */
	const int *cpus;
	size_t cpu_count;
	size_t file_count; /* of events; not all need make sense */
	/* none of these before the events are read */
	struct pmu_format *formats;
	size_t format_count;
	struct pmu_event *events; /* by name; some may lack terms */
	size_t event_count;
};

/* "/sys/bus/event_source/devices", below root. */
#define PMU_FOLDERS "/sys/bus/event_source/devices"

/*
 * Read a PMU's folder, but for its events. Everything is in the arena.
 *
 * 0; -ENOENT if there is no such PMU; -EBADMSG if its type or cpumask is
 * malformed; -ENOMEM.
 */
int
pmu_find(const char *root, const char *name, struct arena *arena,
	 struct pmu *out, struct drmperf_error *error);

/*
 * Read its events, of which there are a dozen files or a hundred. One that
 * cannot be made sense of is left out with a warning to the log. -ENOMEM.
 */
int
pmu_read_events(struct pmu *pmu, struct arena *arena,
		const struct log_sink *log, struct drmperf_error *error);

/* Call pmu_find() and pmu_read_events(), with their errors. */
int
pmu_read(const char *root, const char *name, struct arena *arena,
	 const struct log_sink *log, struct pmu *out,
	 struct drmperf_error *error);

/* Find the name, in the arena, of the PMU with this type. -ENOENT; -ENOMEM. */
int
pmu_find_type(const char *root, uint32_t type, struct arena *arena,
	      const char **out);

/* Parse the CPUs of a list such as "0-3,8", which rise. -EBADMSG; -ENOMEM. */
int
cpu_list_parse(const char *text, struct arena *arena, const int **out,
	       size_t *count);

/*
 * Append an event of a kernel PMU: the counter alone, or, where its count has
 * to be scaled, a hidden counter and the metric that scales it. The record
 * gives name, group, description, kind and selector; unit, type and expression
 * are found here, and to the description is added what unit the kernel names
 * if ours have none for it. -ENOMEM.
 */
int
pmu_event_describe(const struct pmu_event *event,
		   const struct description_event *record,
		   struct description *description);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_PMU_H */
