/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names that Prometheus gets for one quantity of GPUs of all drivers, in
 * addition to those of the events: drmperf_power_watts, whatever a driver calls
 * its sensor.
 */
#ifndef DRMPERF_TOOL_SERVE_COMMON_SERIES_H
#define DRMPERF_TOOL_SERVE_COMMON_SERIES_H

#include "serve/metric_names.h"

#define COMMON_LABELS 2

enum common_quantity {
	COMMON_BUSY,
	COMMON_POWER,
	COMMON_ENERGY,
	COMMON_TEMPERATURE,
	COMMON_CLOCK,
	COMMON_VOLTAGE,
	COMMON_FAN,
	COMMON_MEMORY_USED,
	COMMON_MEMORY_SIZE,
	COMMON_MEMORY_READ,
	COMMON_MEMORY_WRITTEN,
	COMMON_IDLE,
	COMMON_THROTTLED,
	COMMON_THROTTLED_SAMPLES,
	COMMON_THROTTLE_SAMPLES,
	COMMON_ECC_ERRORS,
	COMMON_PCIE_LANES,
	COMMON_PCIE_RATE,
	COMMON_PCIE_REPLAYS,
	COMMON_PCIE_NAKS,
	COMMON_PCIE_RECOVERIES,
	COMMON_QUANTITIES,
};

struct common_family {
	struct metric_name name;
	const char *help;
};

extern const struct common_family common_families[COMMON_QUANTITIES];

/* Quantity of an event, with labels that distinguish it in the family. */
struct common_series {
	const char *event; /* without "DRIVER::" */
	enum common_quantity quantity;
	struct {
		const char *name, *value; /* or NULL */
	} labels[COMMON_LABELS];
};

/*
 * Find what an event is, by the name that drmperf_event_name() gives it. NULL:
 * it is none of these.
 */
const struct common_series *
common_series_find(const char *event);

#endif /* DRMPERF_TOOL_SERVE_COMMON_SERIES_H */
