/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of a program that counts, on a simulated GPU in virtual time, while
 * one of its calls fails; and its second life, in the same process, when none
 * does any more. Nothing here needs libcheck, which allocates, too.
 */
#ifndef DRMPERF_TESTS_SWEEP_LIFE_H
#define DRMPERF_TESTS_SWEEP_LIFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drmperf.h"

#define LIFE_EVENTS 4

struct life_event {
	const char *name; /* NULL: the end */
	uint64_t value;	  /* by the millisecond, or always if momentary */
	bool is_momentary;
	bool is_shared; /* by each file of the GPU that the process has open */
};

struct life_subject {
	const char *driver; /* as it is printed */
	const char *gpu;    /* of drmsim */
	struct { /* of drmsim */
		const char *key, *value;
	} settings[4];
	struct life_event events[LIFE_EVENTS + 1];
	/* of values that are known by how they relate; else NULL */
	bool (*is_right)(const union drmperf_value *values, uint64_t ms);
	const char *restored[3]; /* words of the report that tell it */
};

struct life_result {
	bool has_struck;  /* the fault did */
	bool is_unharmed; /* all calls went well, all values were right */
	bool is_refused;  /* or it was told rightly what did not */
	bool is_restored; /* the GPU is as it was found */
	bool has_again;	  /* the second life was right */
	char problem[512]; /* "": none */
};

/* Prepare what drmsim is to be told, once. */
int life_prepare(const struct life_subject *subject);

/* Live once, and nothing fails. */
void life_once(const struct life_subject *subject, struct life_result *result);

/*
 * Live twice. fault: as drmsim takes it, of the kind that is named,
 * with this errno. While others destroy what they made in their first life, a
 * keeper goes on with it.
 */
void life_run(const struct life_subject *subject, const char *fault,
	      const char *kind, int error, bool is_keeper,
	      struct life_result *result);

#endif /* DRMPERF_TESTS_SWEEP_LIFE_H */
