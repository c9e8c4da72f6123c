/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The small languages of a PMU's folder: "config:0-7,32-35" tells which bits a
 * term fills, "event=0x7,umask=2" is an event made of terms.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_FORMAT_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "driver/perf_event/counter.h"

struct pmu_format {
	const char *name; /* of the term */
	unsigned word; /* config, config1, config2 */
	uint64_t mask; /* its bits: the value's lowest goes to the lowest */
};

/* Word and mask of a format; -EINVAL if the text is malformed. */
int
pmu_format_parse(const char *text, struct pmu_format *out);

/*
 * The words of an event. A term is one of the formats, or a whole word by its
 * own name; without a value it is 1.
 *
 * 0; -EINVAL if the text is malformed, has an unknown term or a value that does
 * not fit; -EDESTADDRREQ if a term is a "?", which the user has to fill in.
 */
int
pmu_terms_parse(const char *text, const struct pmu_format *formats,
		size_t format_count, uint64_t config[PERF_CONFIG_WORDS]);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_FORMAT_H */
