/* SPDX-License-Identifier: BSD-3-Clause */
#include "rgp/rgp.h"

#include <time.h>

#include "rgp/rgp_asic.h"
#include "rgp/rgp_put.h"

#define MAGIC 0x50303042
#define FILE_HEAD_SIZE 56
#define FLAG_SEMAPHORE_TIMING 1 /* as Mesa has it */
#define NS_PER_S 1000000000

#define CPU_SIZE 112
#define API_SIZE 560
#define API_VULKAN 1

#define QUEUES_SIZE 32
#define CALIBRATION_SIZE 40

#define DESCRIPTION_SIZE 32
#define DATA_HEAD_SIZE 24

/* ------------------------------------------------------------------ */
/* Facts                                                                */

void
rgp_facts_read(struct drmperf_device *device, struct rgp_own_machine *machine,
	       struct rgp_facts *facts)
{
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	rgp_machine_read(device, machine);
	*facts = (struct rgp_facts){
		.realtime_ns =
			(uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec,
		.machine = &machine->facts,
		.chip = drmperf_device_chip(device),
	};
	if (drmperf_device_clocks(device, &clocks, NULL))
		return;
	facts->engine_hz = clocks.engine_hz;
	facts->memory_hz = clocks.memory_hz;
}

static void
put_file_head(FILE *out, const struct rgp_facts *facts)
{
	const time_t seconds = (time_t)(facts->realtime_ns / NS_PER_S);
	struct tm now = { 0 };

	localtime_r(&seconds, &now);
	rgp_put_u32(out, MAGIC);
	rgp_put_u32(out, 1);
	rgp_put_u32(out, 5);
	rgp_put_u32(out, FLAG_SEMAPHORE_TIMING);
	rgp_put_u32(out, FILE_HEAD_SIZE);
	rgp_put_u32(out, (uint32_t)now.tm_sec);
	rgp_put_u32(out, (uint32_t)now.tm_min);
	rgp_put_u32(out, (uint32_t)now.tm_hour);
	rgp_put_u32(out, (uint32_t)now.tm_mday);
	rgp_put_u32(out, (uint32_t)now.tm_mon);
	rgp_put_u32(out, (uint32_t)now.tm_year);
	rgp_put_u32(out, (uint32_t)now.tm_wday);
	rgp_put_u32(out, (uint32_t)now.tm_yday);
	rgp_put_u32(out, (uint32_t)now.tm_isdst);
}

static const char *
text_or_unknown(const char *text)
{
	return text && *text ? text : "Unknown";
}

static void
put_cpu(FILE *out, const struct rgp_machine *machine)
{
	rgp_put_head(out, RGP_CPU_INFO, 0, RGP_VERSION(0, 0), CPU_SIZE);
	rgp_put_text(out, text_or_unknown(machine->cpu_vendor), 16);
	rgp_put_text(out, text_or_unknown(machine->cpu_model), 48);
	rgp_put_zeros(out, 8);
	rgp_put_u64(out, NS_PER_S);
	rgp_put_u32(out, (uint32_t)machine->cpu_mhz);
	rgp_put_u32(out, (uint32_t)machine->threads);
	rgp_put_u32(out, (uint32_t)machine->cores);
	rgp_put_u32(out, (uint32_t)machine->memory_mib);
}

/* Put Mesa's interface, whatever ran. */
static void
put_api(FILE *out)
{
	rgp_put_head(out, RGP_API_INFO, 0, RGP_VERSION(0, 2), API_SIZE);
	rgp_put_u32(out, API_VULKAN);
	rgp_put_zeros(out, API_SIZE - RGP_HEAD_SIZE - sizeof(uint32_t));
}

/*
 * Put a list of no queue, without which RGP loads no file by what ROCm's CLR
 * (BuildRgpFileBlob()) says, and how the clocks go together, if it is known.
 */
static uint64_t
put_queues(FILE *out, const struct rgp_machine *machine)
{
	rgp_put_head(out, RGP_QUEUE_EVENT_TIMINGS, 0, RGP_VERSION(1, 1),
		     QUEUES_SIZE);
	rgp_put_zeros(out, QUEUES_SIZE - RGP_HEAD_SIZE);
	if (!machine->gpu_ticks)
		return QUEUES_SIZE;
	rgp_put_head(out, RGP_CLOCK_CALIBRATION, 0, RGP_VERSION(0, 0),
		     CALIBRATION_SIZE);
	rgp_put_u64(out, machine->cpu_ns);
	rgp_put_u64(out, machine->gpu_ticks);
	rgp_put_u64(out, 0);
	return QUEUES_SIZE + CALIBRATION_SIZE;
}

uint64_t
rgp_put_facts(FILE *out, const struct rgp_facts *facts)
{
	put_file_head(out, facts);
	put_cpu(out, facts->machine);
	rgp_put_asic(out, facts);
	put_api(out);
	return FILE_HEAD_SIZE + CPU_SIZE + RGP_ASIC_SIZE + API_SIZE +
	       put_queues(out, facts->machine);
}

/* ------------------------------------------------------------------ */
/* Traces                                                               */

/* Return the format's number of what a version of the graphics core writes. */
static uint32_t
sqtt_version(unsigned core_level)
{
	switch (core_level) {
	case 9:
		return 0x6;
	case 10:
		return 0x7;
	case 11:
		return 0xb;
	default:
		return 0xc;
	}
}

uint64_t
rgp_engine_size(const struct drmperf_trace_engine *engine)
{
	return DESCRIPTION_SIZE + DATA_HEAD_SIZE + engine->size;
}

void
rgp_put_engine(FILE *out, const struct rgp_engine *engine)
{
	const struct drmperf_trace_engine *from = engine->engine;
	const uint64_t head = DESCRIPTION_SIZE + DATA_HEAD_SIZE;

	rgp_put_head(out, RGP_SQTT_DESC, engine->index, RGP_VERSION(0, 2),
		     DESCRIPTION_SIZE);
	rgp_put_u32(out, from->engine);
	rgp_put_u32(out, sqtt_version(engine->info->core_level));
	rgp_put_u32(out, 1); /* versions of markers: 1 and 0 */
	rgp_put_u32(out, from->unit);
	rgp_put_head(out, RGP_SQTT_DATA, engine->index, RGP_VERSION(0, 0),
		     DATA_HEAD_SIZE + from->size);
	rgp_put_u32(out, (uint32_t)(engine->at + head));
	rgp_put_u32(out, (uint32_t)from->size);
	fwrite(from->data, 1, from->size, out);
}
