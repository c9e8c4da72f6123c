/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/load.h"
#include "intel/throttle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/word.h"

#define MICRO 1000000u
#define NS_PER_S 1000000000u
#define PERCENT (MICRO / 100)

/* Defaults of the scenario; all of them differ. In percent of the time. */
static const unsigned busy_default[SIM_ENGINE_CLASSES] = {
	[SIM_ENGINE_RENDER] = 40,  [SIM_ENGINE_COPY] = 10,
	[SIM_ENGINE_VIDEO] = 15,   [SIM_ENGINE_VIDEO_ENHANCE] = 5,
	[SIM_ENGINE_COMPUTE] = 20,
};

#define RC6_DEFAULT 25
#define CLIENT_RENDER_DEFAULT 12
#define CLIENT_COPY_DEFAULT 3
#define CLIENT_MEMORY_DEFAULT (8u << 20)
#define KERNEL_MEMORY (64u << 20) /* firmware, queues, page tables */
#define INTERRUPTS_DEFAULT 500

/* Parse a share of the time, counted in ns. */
static void
set_share(struct sim_meter *meter, uint64_t now, uint64_t share)
{
	sim_meter_set(meter, now, share * NS_PER_S);
}

/* Update all meters that depend on frequencies and on holders of the GT. */
static void
load_update(struct sim_load *load, uint64_t now)
{
	uint64_t awake = load->holders ? MICRO : MICRO - load->parked_share;

	set_share(&load->rc6, now, load->holders ? 0 : load->rc6_share);
	set_share(&load->awake, now, awake);
	/* kHz times millionths: MHz in millionths, times a thousand */
	sim_meter_set(&load->actual_frequency, now,
		      load->actual_khz * awake / 1000);
	sim_meter_set(&load->requested_frequency, now,
		      load->requested_khz * awake / 1000);
}

void
sim_load_init(struct sim_load *load, const struct sim_platform *platform)
{
	*load = (struct sim_load){ .rc6_share = RC6_DEFAULT * PERCENT };
	for (unsigned c = 0; c < SIM_ENGINE_CLASSES; c++) {
		for (unsigned i = 0; i < platform->engines[c]; i++) {
			struct sim_meter *m = load->engines[c][i];
			uint64_t busy = busy_default[c] > 2 * i
						? busy_default[c] - 2 * i
						: 1;

			set_share(&m[SIM_SAMPLE_BUSY], 0, busy * PERCENT);
			set_share(&m[SIM_SAMPLE_WAIT], 0, (c + 2) * PERCENT);
			set_share(&m[SIM_SAMPLE_SEMA], 0, (c + 1) * PERCENT);
		}
	}
	sim_meter_set(&load->interrupts, 0,
		      (uint64_t)INTERRUPTS_DEFAULT * MICRO);
	load->requested_khz = platform->max_mhz * 1000ull;
	load->client_shares[SIM_ENGINE_RENDER] =
		CLIENT_RENDER_DEFAULT * PERCENT;
	load->client_shares[SIM_ENGINE_COPY] = CLIENT_COPY_DEFAULT * PERCENT;
	load->client_memory = CLIENT_MEMORY_DEFAULT;
	load_update(load, 0);
}

void
sim_load_set_frequency(struct sim_load *load, uint64_t now, uint64_t hz)
{
	load->actual_khz = hz / 1000;
	load_update(load, now);
}

void
sim_load_hold(struct sim_load *load, uint64_t now, bool hold)
{
	load->holders += hold ? 1u : -1u;
	load_update(load, now);
}

uint64_t
sim_load_client(const struct sim_load *load, enum sim_engine_class class,
		uint64_t since, uint64_t now)
{
	struct sim_meter meter = { .since = since };

	meter.rate = load->client_shares[class] * NS_PER_S;
	return sim_meter_at(&meter, now);
}

uint64_t
sim_load_memory(const struct sim_load *load, uint64_t bytes)
{
	if (bytes <= KERNEL_MEMORY ||
	    load->client_memory > bytes - KERNEL_MEMORY)
		return bytes;
	return KERNEL_MEMORY + load->client_memory;
}

/* Parse "12.5": in percent, to millionths of the whole. */
static int
parse_percent(const char *value, uint64_t *out)
{
	uint64_t micro;

	if (sim_word_micro(value, &micro) || micro > 100ull * MICRO)
		return -EINVAL;
	*out = micro / 100;
	return 0;
}

/* Parse "rcs0 37.5": an engine that the platform has, and a share. */
static int
parse_engine(const struct sim_platform *platform, const char *value,
	     unsigned *class, unsigned *instance, uint64_t *share)
{
	char name[8], percent[16], rest;
	uint64_t number;

	if (sscanf(value, "%7s %15s %c", name, percent, &rest) != 2 ||
	    parse_percent(percent, share))
		return -EINVAL;
	for (unsigned c = 0; c < SIM_ENGINE_CLASSES; c++) {
		const char *prefix = sim_engine_name(c);
		size_t length = strlen(prefix);

		if (strncmp(name, prefix, length) != 0 ||
		    sim_word_u64(name + length, &number) ||
		    number >= platform->engines[c])
			continue;
		*class = c;
		*instance = (unsigned)number;
		return 0;
	}
	return -EINVAL;
}

static int
set_engine(struct sim_load *load, const struct sim_platform *platform,
	   uint64_t now, const char *key, const char *value)
{
	static const char *const keys[SIM_SAMPLES] = {
		[SIM_SAMPLE_BUSY] = "engine-busy",
		[SIM_SAMPLE_WAIT] = "engine-wait",
		[SIM_SAMPLE_SEMA] = "engine-sema",
	};
	unsigned class, instance, s = 0;
	uint64_t share;

	while (s < SIM_SAMPLES && strcmp(key, keys[s]) != 0)
		s++;
	if (s == SIM_SAMPLES)
		return -ENOENT;
	if (parse_engine(platform, value, &class, &instance, &share))
		return -EINVAL;
	set_share(&load->engines[class][instance][s], now, share);
	return 0;
}

static int
set_client(struct sim_load *load, const char *key, const char *value)
{
	char name[8], percent[16], rest;

	if (strcmp(key, "client-memory") == 0)
		return sim_word_u64(value, &load->client_memory);
	if (strcmp(key, "client-busy") != 0)
		return -ENOENT;
	if (sscanf(value, "%7s %15s %c", name, percent, &rest) != 2)
		return -EINVAL;
	for (unsigned c = 0; c < SIM_ENGINE_CLASSES; c++) {
		if (strcmp(name, sim_engine_name(c)) == 0)
			return parse_percent(percent, &load->client_shares[c]);
	}
	return -EINVAL;
}

/* Set the values of "rc6" and other keys of the GT. */
static int
set_gt(struct sim_load *load, uint64_t now, const char *key, const char *value)
{
	uint64_t micro;
	int error;

	if (strcmp(key, "rc6") == 0) {
		error = parse_percent(value, &load->rc6_share);
	} else if (strcmp(key, "parked") == 0) {
		error = parse_percent(value, &load->parked_share);
	} else if (strcmp(key, "requested-frequency") == 0) {
		error = sim_word_micro(value, &micro);
		if (!error)
			load->requested_khz = micro / 1000;
	} else if (strcmp(key, "power") == 0) {
		error = sim_word_micro(value, &micro);
		if (!error && micro > 10000ull * MICRO)
			error = -EINVAL;
		if (!error)
			sim_meter_set(&load->energy, now, micro * MICRO);
		load->has_hwmon |= !error;
	} else if (strcmp(key, "temperature") == 0) {
		error = sim_word_micro(value, &micro);
		if (!error)
			load->temperature = micro / 1000;
		load->has_hwmon |= !error;
	} else if (strcmp(key, "temperature-vram") == 0) {
		error = sim_word_micro(value, &micro);
		if (!error)
			load->vram_temperature = micro / 1000;
		load->has_hwmon |= !error;
	} else if (strcmp(key, "fan") == 0) {
		error = sim_word_u64(value, &load->fan_rpm);
		load->has_hwmon |= !error;
	} else if (strcmp(key, "power-limit") == 0) {
		error = sim_word_u64(value, &load->power_limit);
		load->has_hwmon |= !error;
	} else if (strcmp(key, "throttle") == 0) {
		error = sim_throttle_parse(value, &load->throttle);
	} else if (strcmp(key, "interrupts") == 0) {
		error = sim_word_micro(value, &micro);
		if (!error)
			sim_meter_set(&load->interrupts, now, micro);
	} else {
		return -ENOENT;
	}
	if (!error)
		load_update(load, now);
	return error;
}

int
sim_load_set(struct sim_load *load, const struct sim_platform *platform,
	     uint64_t now, const char *key, const char *value)
{
	int error = set_engine(load, platform, now, key, value);

	if (error == -ENOENT)
		error = set_client(load, key, value);
	if (error == -ENOENT)
		error = set_gt(load, now, key, value);
	return error;
}
