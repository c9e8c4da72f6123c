/* SPDX-License-Identifier: BSD-3-Clause */
/* Files for AMD's Radeon GPU Profiler, of what a GPU has streamed. */
#include "report/outputs.h"

#include <errno.h>

#include "report/rgp_figures.h"
#include "rgp/rgp.h"
#include "rgp/rgp_put.h"

static const char *
find_chip(const struct recording *recording)
{
	for (size_t i = 0; i < recording->event_count; i++) {
		if (recording->events[i].event.device ==
		    recording->stream.device)
			return recording->events[i].chip;
	}
	return "";
}

#define NS_PER_S 1000000000

/* Write the facts. Time stamps are CLOCK_MONOTONIC, in ticks of the GPU. */
static void
write_facts(const struct recording *recording, FILE *out)
{
	const struct held_clocks *clocks =
		held_clocks_find(&recording->clocks, recording->stream.device);
	struct rgp_machine machine = recording->machine;
	const struct rgp_facts facts = {
		.realtime_ns = recording->realtime_ns,
		.machine = &machine,
		.chip = find_chip(recording),
		.engine_hz = clocks ? clocks->held.engine_hz : 0,
		.memory_hz = clocks ? clocks->held.memory_hz : 0,
	};

	machine.cpu_ns = NS_PER_S;
	machine.gpu_ticks = rgp_machine_ticks(&machine, NS_PER_S);
	rgp_put_facts(out, &facts);
}

/* Return the counters, whose values samples have once they have been read. */
static struct rgp_counters
counters_of(const struct rgp_samples *samples)
{
	return (struct rgp_counters){
		.list = samples->counters,
		.count = samples->counter_count,
		.period_cycles =
			(uint32_t)samples->recording->stream.period_cycles,
		.sample_count = samples->count,
		.times = samples->times,
		.values = samples->counter_values,
		.counter_step = samples->count,
		.sample_step = 1,
	};
}

static int
write_samples(struct recording *recording, struct rgp_samples *samples,
	      const struct bytes *records, FILE *out)
{
	struct rgp_counters counters = counters_of(samples);
	int ret;

	if (records->failed)
		return -ENOMEM;
	if (rgp_counters_size(&counters) > RGP_MOST_BYTES ||
	    rgp_figures_size(samples, records) > RGP_MOST_BYTES)
		return -EFBIG;
	ret = rgp_samples_read(recording, samples);
	if (!ret)
		write_facts(recording, out);
	counters = counters_of(samples);
	if (!ret)
		rgp_put_counters(out, &counters);
	if (!ret)
		rgp_figures_write(samples, records, out);
	return ret;
}

int
report_rgp(struct recording *recording, FILE *out)
{
	struct rgp_samples samples;
	struct bytes records = { 0 };
	int ret;

	if (!recording->stream.period_cycles)
		return -ENOTSUP;
	ret = rgp_samples_find(recording, &samples);
	if (!ret) {
		rgp_figures_describe(&samples, &records);
		ret = write_samples(recording, &samples, &records, out);
	}
	bytes_finish(&records);
	rgp_samples_finish(&samples);
	return ret;
}
