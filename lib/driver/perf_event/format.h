/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The small languages of a PMU's folder: "config:0-7,32-35" tells which bits a
 * term fills, "event=0x7,umask=2" is an event made of terms.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_FORMAT_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/perf_event/counter.h"

struct pmu_format {
	const char *name; /* of the term */
	unsigned word; /* config, config1, config2 */
	uint64_t mask; /* its bits: the value's lowest goes to the lowest */
};

/* Parse the word and mask of a format; -EINVAL if the text is malformed. */
int
pmu_format_parse(const char *text, struct pmu_format *out);

/* An event's words, and the masks of the bits that its terms set. */
struct pmu_words {
	uint64_t config[PERF_CONFIG_WORDS];
	uint64_t filled[PERF_CONFIG_WORDS];
	uint64_t wanted[PERF_CONFIG_WORDS]; /* for the user to fill in: "?" */
};

/*
 * Parse the words of an event. A term is one of the formats, or a whole word by
 * its own name; without a value it is 1, and as a "?" it is wanted.
 *
 * 0; -EINVAL if the text is malformed, has an unknown term or a value that does
 * not fit.
 */
int
pmu_terms_parse(const char *text, const struct pmu_format *formats,
		size_t format_count, struct pmu_words *words);

/*
 * Fill in more, by terms of the user's: formats only, separated by colons.
 * -EINVAL, as above; -EEXIST if the event has told some of the bits itself.
 */
int
pmu_terms_complete(const char *text, const struct pmu_format *formats,
		   size_t format_count, struct pmu_words *words);

/* Return whether wanted bits have not been filled in. */
bool
pmu_words_lack(const struct pmu_words *words);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_FORMAT_H */
