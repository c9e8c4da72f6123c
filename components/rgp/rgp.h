/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files for AMD's Radeon GPU Profiler: what each begins with, and traces of
 * waves. That writing has failed is seen by ferror().
 */
#ifndef DRMPERF_COMPONENTS_RGP_RGP_H
#define DRMPERF_COMPONENTS_RGP_RGP_H

#include <stdio.h>

#include "rgp/rgp_machine.h"

/*
 * Read what a file says of a GPU that is traced now, at the clocks it has; the
 * facts point into *machine.
 */
void
rgp_facts_read(struct drmperf_device *device, struct rgp_own_machine *machine,
	       struct rgp_facts *facts);

/*
 * Put the head of the file, and the chunks that tell of the machine and of the
 * GPU. Returns their size.
 */
uint64_t
rgp_put_facts(FILE *out, const struct rgp_facts *facts);

/* The chunks of a shader engine's trace, at offset at of the file. */
struct rgp_engine {
	const struct drmperf_trace_info *info;
	const struct drmperf_trace_engine *engine;
	unsigned index; /* among those that are traced */
	uint64_t at;
};

/* Return the size of the chunks of an engine. */
uint64_t
rgp_engine_size(const struct drmperf_trace_engine *engine);
void
rgp_put_engine(FILE *out, const struct rgp_engine *engine);

#endif /* DRMPERF_COMPONENTS_RGP_RGP_H */
