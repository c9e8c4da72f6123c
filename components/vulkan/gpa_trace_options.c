/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_trace_options.h"

#include <errno.h>
#include <unistd.h>

#include "frontend/frontend.h"
#include "gpa_streaming.h"
#include "rgp/rgp_put.h"

#define PAGE 4096u
/* of a file, before its traces and for the heads of all of them */
#define FACTS_MOST 65536u
/* of all engines where the sample sets no limit: a file has twice as much */
#define TOTAL_DEFAULT (UINT64_C(1) << 30)
#define MEMORY_PART 4 /* of the machine's, which is not to be used up */

static uint64_t
divide_among_engines(const struct gpa_tracing *tracing, uint64_t bytes)
{
	return bytes / tracing->engines / PAGE * PAGE;
}

static struct drmperf_trace_options
make_options(const struct gpa_tracing *tracing)
{
	return (struct drmperf_trace_options){
		.size = sizeof(struct drmperf_trace_options),
		.all_programs = !tracing->shares_file,
		.supervise = 1,
	};
}

void
gpa_tracing_look(struct gpa_tracing *tracing, struct drmperf_device *device,
		 const struct drmperf_hardware *hardware)
{
	const struct drmperf_trace_options options = make_options(tracing);
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };

	tracing->engines = hardware->shader_engines;
	if (!tracing->engines ||
	    drmperf_device_clocks(device, &clocks, &tracing->why_not) ||
	    drmperf_trace_check(device, &options, &tracing->why_not))
		return;
	tracing->is_possible = true;
	tracing->buffer_most =
		divide_among_engines(tracing, RGP_MOST_BYTES - FACTS_MOST);
}

/* Return the limit where a sample has none. */
static uint64_t
choose_total(void)
{
	const long pages = sysconf(_SC_PHYS_PAGES);
	const long page = sysconf(_SC_PAGESIZE);
	const uint64_t memory =
		pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;

	return memory && memory / MEMORY_PART < TOTAL_DEFAULT
		       ? memory / MEMORY_PART
		       : TOTAL_DEFAULT;
}

int
gpa_tracing_choose(const struct gpa_tracing *tracing,
		   const VkGpaSampleBeginInfoAMD *info,
		   struct drmperf_trace_options *out,
		   struct drmperf_error *error)
{
	const uint64_t limit = info->sqThreadTraceDeviceMemoryLimit;
	const uint64_t kept = info->perfCounterCount ? GPA_STREAMING_BYTES : 0;
	const uint64_t most =
		tracing->buffer_most - divide_among_engines(tracing, kept);
	const uint64_t size =
		divide_among_engines(tracing, limit ? limit : choose_total());

	if (!size)
		return fe_fail(error, -EINVAL, "",
			       "sqThreadTraceDeviceMemoryLimit has no room for "
			       "%u bytes of each of %u shader engines",
			       PAGE, tracing->engines);
	*out = make_options(tracing);
	out->buffer_size = size < most ? size : most;
	out->omit_instructions =
		info->sqThreadTraceSuppressInstructionTokens != 0;
	return 0;
}
