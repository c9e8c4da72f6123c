/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1 amdgpu_pmu.c (names, formats, events), df_v3_6.c. */
#include "amdgpu/pmu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/meter.h"
#include "base/word.h"
#include "event/event.h"
#include "event/pmu.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"

#define COUNTERS 4
#define TYPE_SHIFT 56
#define EVENT_MASK 0xffffffull /* event, instance, umask */
#define MICRO 1000000ull

/* In bits 63:56 of a config of amdgpu_N. */
enum config_type {
	TYPE_DF = 1,
	TYPE_XGMI = 2,
};

struct pmu_event_name {
	const char *name;
	uint8_t event, instance, umask;
};

static const struct pmu_event_name fabric_events[] = {
	{ "cake0_pcsout_txdata", 0x7, 0x46, 0x2 },
	{ "cake1_pcsout_txdata", 0x7, 0x47, 0x2 },
	{ "cake0_pcsout_txmeta", 0x7, 0x46, 0x4 },
	{ "cake1_pcsout_txmeta", 0x7, 0x47, 0x4 },
	{ "cake0_ftiinstat_reqalloc", 0xb, 0x46, 0x4 },
	{ "cake1_ftiinstat_reqalloc", 0xb, 0x47, 0x4 },
	{ "cake0_ftiinstat_rspalloc", 0xb, 0x46, 0x8 },
	{ "cake1_ftiinstat_rspalloc", 0xb, 0x47, 0x8 },
};

static const struct pmu_event_name vega20_links[] = {
	{ "xgmi_link0_data_outbound", 0x7, 0x46, 0x2 },
	{ "xgmi_link1_data_outbound", 0x7, 0x47, 0x2 },
};

static const struct pmu_event_name arcturus_links[] = {
	{ "xgmi_link0_data_outbound", 0x7, 0x4b, 0x2 },
	{ "xgmi_link1_data_outbound", 0x7, 0x4c, 0x2 },
	{ "xgmi_link2_data_outbound", 0x7, 0x4d, 0x2 },
	{ "xgmi_link3_data_outbound", 0x7, 0x4e, 0x2 },
	{ "xgmi_link4_data_outbound", 0x7, 0x4f, 0x2 },
	{ "xgmi_link5_data_outbound", 0x7, 0x50, 0x2 },
};

static const struct pmu_chip {
	const char *name;
	const struct pmu_event_name *links;
	size_t link_count;
	bool has_fabric;
} chips[] = {
	{ "vega20", vega20_links, ARRAY_SIZE(vega20_links), true },
	{ "mi100", arcturus_links, ARRAY_SIZE(arcturus_links), false },
};

/* The count of one config whose rate was given. */
struct rate {
	uint32_t config;
	struct sim_meter meter;
	struct rate *next;
};

struct sim_amdgpu_pmu {
	struct sim_gpu *gpu;
	const struct pmu_chip *chip;
	unsigned used; /* of the four counters */
	struct rate *rates;
};

static uint32_t
config_of(const struct pmu_event_name *name)
{
	return (uint32_t)(name->event | name->instance << 8 |
			  name->umask << 16);
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static uint64_t
default_micro(uint64_t config)
{
	uint64_t event = config & 0xff, instance = config >> 8 & 0xf;
	uint64_t umask = config >> 16 & 0xff;

	return 1000 * MICRO * (1 + event + 16 * umask + 256 * instance);
}

static struct rate *
find_rate(const struct sim_amdgpu_pmu *pmu, uint64_t config)
{
	struct rate *rate = pmu->rates;

	while (rate && rate->config != (config & EVENT_MASK))
		rate = rate->next;
	return rate;
}

/* Return the meter that the scenario set, or else the default's. */
static struct sim_meter
meter_of(const struct sim_amdgpu_pmu *pmu, uint64_t config)
{
	const struct rate *rate = find_rate(pmu, config);

	return rate ? rate->meter
		    : (struct sim_meter){ .rate = default_micro(config) };
}

static uint64_t
count_at(const struct sim_amdgpu_pmu *pmu, uint64_t config, uint64_t now)
{
	struct sim_meter meter = meter_of(pmu, config);

	return sim_meter_at(&meter, now);
}

static bool
is_counted(uint64_t config)
{
	uint64_t type = config >> TYPE_SHIFT;

	return type == TYPE_DF || type == TYPE_XGMI;
}

static uint64_t
link_read(void *data, uint64_t config, uint64_t now)
{
	return is_counted(config) ? count_at(data, config, now) : 0;
}

static uint64_t
fabric_read(void *data, uint64_t config, uint64_t now)
{
	return count_at(data, config, now);
}

static int
fabric_add(void *data, uint64_t config)
{
	struct sim_amdgpu_pmu *pmu = data;

	(void)config;
	if (pmu->used == COUNTERS)
		return -ENOSPC;
	pmu->used++;
	return 0;
}

static void
fabric_remove(void *data, uint64_t config)
{
	struct sim_amdgpu_pmu *pmu = data;

	(void)config;
	pmu->used--;
}

/*
 * Add an event of links. A type that nothing serves is accepted, and counts
 * nothing.
 */
static int
link_add(void *data, uint64_t config)
{
	return is_counted(config) ? fabric_add(data, config) : 0;
}

static void
link_remove(void *data, uint64_t config)
{
	if (is_counted(config))
		fabric_remove(data, config);
}

static const struct sim_pmu_ops fabric_ops = {
	.read = fabric_read,
	.add = fabric_add,
	.remove = fabric_remove,
};

static const struct sim_pmu_ops link_ops = {
	.read = link_read,
	.add = link_add,
	.remove = link_remove,
};

/* ------------------------------------------------------------------ */
/* Files                                                                */

static void
put_file(struct sim_gpu *gpu, const char *pmu, const char *folder,
	 const char *name, const char *text)
{
	char path[160];

	snprintf(path, sizeof(path), "/sys/devices/%s/%s/%s", pmu, folder,
		 name);
	sim_gpu_file(gpu, path, "%s\n", text);
}

static void
put_files(struct sim_gpu *gpu, const char *pmu,
	  const struct pmu_event_name *names, size_t count, unsigned type)
{
	char text[96];

	put_file(gpu, pmu, "format", "event", "config:0-7");
	put_file(gpu, pmu, "format", "instance", "config:8-15");
	put_file(gpu, pmu, "format", "umask", "config:16-23");
	if (type)
		put_file(gpu, pmu, "format", "type", "config:56-63");
	for (size_t i = 0; i < count; i++) {
		int n = snprintf(text, sizeof(text),
				 "event=0x%x,instance=0x%x,umask=0x%x",
				 names[i].event, names[i].instance,
				 names[i].umask);

		if (type)
			snprintf(text + n, sizeof(text) - (size_t)n,
				 ",type=0x%x", type);
		put_file(gpu, pmu, "events", names[i].name, text);
	}
}

static int
put_pmus(struct sim_amdgpu_pmu *pmu)
{
	char name[32];
	int error;

	if (pmu->chip->has_fabric) {
		snprintf(name, sizeof(name), "amdgpu_df_%u", pmu->gpu->card);
		error = sim_pmu_register(pmu->gpu, &fabric_ops, pmu, name);
		if (error)
			return error;
		put_files(pmu->gpu, name, fabric_events,
			  ARRAY_SIZE(fabric_events), 0);
	}
	snprintf(name, sizeof(name), "amdgpu_%u", pmu->gpu->card);
	error = sim_pmu_register(pmu->gpu, &link_ops, pmu, name);
	if (error)
		return error;
	put_files(pmu->gpu, name, pmu->chip->links, pmu->chip->link_count,
		  TYPE_XGMI);
	sim_event_put_paranoid(pmu->gpu);
	return 0;
}

/* ------------------------------------------------------------------ */

int
sim_amdgpu_pmu_create(struct sim_gpu *gpu, const char *chip,
		      struct sim_amdgpu_pmu **out)
{
	struct sim_amdgpu_pmu *pmu;
	size_t i = 0;
	int error;

	while (i < ARRAY_SIZE(chips) && strcmp(chips[i].name, chip) != 0)
		i++;
	*out = NULL;
	if (i == ARRAY_SIZE(chips))
		return 0;
	pmu = calloc(1, sizeof(*pmu));
	if (!pmu)
		return -ENOMEM;
	pmu->gpu = gpu;
	pmu->chip = &chips[i];
	error = put_pmus(pmu);
	if (error) {
		free(pmu);
		return error;
	}
	*out = pmu;
	return 0;
}

void
sim_amdgpu_pmu_destroy(struct sim_amdgpu_pmu *pmu)
{
	if (!pmu)
		return;
	while (pmu->rates) {
		struct rate *rate = pmu->rates;

		pmu->rates = rate->next;
		free(rate);
	}
	free(pmu);
}

static const struct pmu_event_name *
find_name(const struct pmu_event_name *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i].name, name) == 0)
			return &names[i];
	}
	return NULL;
}

static int
set_rate(struct sim_amdgpu_pmu *pmu, uint32_t config, uint64_t micro)
{
	struct sim_meter meter = meter_of(pmu, config);
	struct rate *rate = find_rate(pmu, config);

	if (!rate) {
		rate = calloc(1, sizeof(*rate));
		if (!rate)
			return -ENOMEM;
		rate->config = config;
		rate->next = pmu->rates;
		pmu->rates = rate;
	}
	sim_meter_set(&meter, sim_now(pmu->gpu->sim), micro);
	rate->meter = meter;
	return 0;
}

int
sim_amdgpu_pmu_set(struct sim_amdgpu_pmu *pmu, const char *key,
		   const char *value)
{
	const struct pmu_event_name *name = NULL;
	char word[48], number[32], rest;
	uint64_t micro;

	if (!pmu || strcmp(key, "df-rate") != 0)
		return -ENOENT;
	if (sscanf(value, "%47s %31s %c", word, number, &rest) != 2 ||
	    sim_word_micro(number, &micro))
		return -EINVAL;
	if (pmu->chip->has_fabric)
		name = find_name(fabric_events, ARRAY_SIZE(fabric_events),
				 word);
	if (!name)
		name = find_name(pmu->chip->links, pmu->chip->link_count, word);
	return name ? set_rate(pmu, config_of(name), micro) : -EINVAL;
}
