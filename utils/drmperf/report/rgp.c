/* SPDX-License-Identifier: BSD-3-Clause */
/* Files for AMD's Radeon GPU Profiler, of what a GPU has streamed. */
#include "report/outputs.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "report/rgp_bytes.h"
#include "report/rgp_chunks.h"
#include "report/rgp_facts.h"

#define MAGIC 0x50303042
#define FILE_HEAD_SIZE 56
#define FLAG_SEMAPHORE_TIMING 1 /* as Mesa has it */
#define NS_PER_S 1000000000

#define CPU_SIZE 112
#define API_SIZE 560
#define API_VULKAN 1

/* Sizes of chunks have a sign. */
#define MOST_BYTES INT32_MAX

static void
add_file_head(struct bytes *bytes, const struct recording *recording)
{
	const time_t seconds = (time_t)(recording->realtime_ns / NS_PER_S);
	struct tm now = { 0 };

	localtime_r(&seconds, &now);
	bytes_add_u32(bytes, MAGIC);
	bytes_add_u32(bytes, 1);
	bytes_add_u32(bytes, 5);
	bytes_add_u32(bytes, FLAG_SEMAPHORE_TIMING);
	bytes_add_u32(bytes, FILE_HEAD_SIZE);
	bytes_add_u32(bytes, (uint32_t)now.tm_sec);
	bytes_add_u32(bytes, (uint32_t)now.tm_min);
	bytes_add_u32(bytes, (uint32_t)now.tm_hour);
	bytes_add_u32(bytes, (uint32_t)now.tm_mday);
	bytes_add_u32(bytes, (uint32_t)now.tm_mon);
	bytes_add_u32(bytes, (uint32_t)now.tm_year);
	bytes_add_u32(bytes, (uint32_t)now.tm_wday);
	bytes_add_u32(bytes, (uint32_t)now.tm_yday);
	bytes_add_u32(bytes, (uint32_t)now.tm_isdst);
}

static const char *
text_or_unknown(const char *text)
{
	return text && *text ? text : "Unknown";
}

static void
add_cpu(struct bytes *bytes, const struct recording_machine *machine)
{
	rgp_add_head(bytes, RGP_CPU_INFO, 0, 0, CPU_SIZE);
	rgp_add_text(bytes, text_or_unknown(machine->cpu_vendor), 16);
	rgp_add_text(bytes, text_or_unknown(machine->cpu_model), 48);
	rgp_add_zeros(bytes, 8);
	bytes_add_u64(bytes, NS_PER_S);
	bytes_add_u32(bytes, (uint32_t)machine->cpu_mhz);
	bytes_add_u32(bytes, (uint32_t)machine->threads);
	bytes_add_u32(bytes, (uint32_t)machine->cores);
	bytes_add_u32(bytes, (uint32_t)machine->memory_mib);
}

/*
 * Add no interface, since none is meant: the stream is of all programs. This is
 * Mesa's.
 */
static void
add_api(struct bytes *bytes)
{
	rgp_add_head(bytes, RGP_API_INFO, 0, 2, API_SIZE);
	bytes_add_u32(bytes, API_VULKAN);
	rgp_add_zeros(bytes, API_SIZE - RGP_HEAD_SIZE - sizeof(uint32_t));
}

int
rgp_write_facts(const struct recording *recording, const char *chip, FILE *out)
{
	struct bytes bytes = { 0 };
	int ret;

	add_file_head(&bytes, recording);
	add_cpu(&bytes, &recording->machine);
	rgp_add_asic(&bytes, recording, chip);
	add_api(&bytes);
	ret = bytes.failed ? -ENOMEM : 0;
	if (!ret)
		fwrite(bytes.data, 1, bytes.size, out);
	bytes_finish(&bytes);
	return ret;
}

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

static int
write_samples(struct recording *recording, struct rgp_samples *samples,
	      const struct bytes *records, FILE *out)
{
	int ret;

	if (records->failed)
		return -ENOMEM;
	if (rgp_counters_size(samples) > MOST_BYTES ||
	    rgp_figures_size(samples, records) > MOST_BYTES)
		return -EFBIG;
	ret = rgp_samples_read(recording, samples);
	if (!ret)
		ret = rgp_write_facts(recording, find_chip(recording), out);
	if (!ret)
		ret = rgp_counters_write(samples, out);
	return ret ? ret : rgp_figures_write(samples, records, out);
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
