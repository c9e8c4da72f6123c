/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Activity of engines and the frequency of a simulated GPU, apart from the OA
 * unit: the values behind the PMU, behind sysfs and behind fdinfo.
 */
#ifndef DRMSIM_INTEL_LOAD_H
#define DRMSIM_INTEL_LOAD_H

#include "base/meter.h"
#include "intel/platform.h"

/* files of hwmon beside those that there are words for */
#define SIM_HWMON_OTHERS 64

enum sim_engine_sample {
	SIM_SAMPLE_BUSY,
	SIM_SAMPLE_WAIT,
	SIM_SAMPLE_SEMA,
	SIM_SAMPLES,
};

struct sim_load {
	/* ns */
	struct sim_meter engines[SIM_ENGINE_CLASSES][SIM_ENGINES_MAX]
				[SIM_SAMPLES];
	struct sim_meter rc6, awake;
	/* MHz x s, in millionths */
	struct sim_meter actual_frequency, requested_frequency;
	struct sim_meter interrupts;
	/* what hwmon tells, where it is; uJ, and thousandths of a degC */
	struct sim_meter energy;
	uint64_t temperature;
	/* those that a scenario has set, else 0: degC / 1000, rpm, W */
	uint64_t vram_temperature, fan_rpm, power_limit;
	/* further files by their number; a bit for each that is set */
	uint64_t hwmon_others[SIM_HWMON_OTHERS], hwmon_set;
	bool has_hwmon, shows_hwmon;
	uint32_t throttle; /* as the register has it */
	uint64_t actual_khz, requested_khz;
	/* millionths of the time, while no holder keeps the GT awake */
	uint64_t rc6_share, parked_share;
	unsigned holders;
	/* of each client: millionths of the time, and bytes */
	uint64_t client_shares[SIM_ENGINE_CLASSES];
	uint64_t client_memory;
};

void sim_load_init(struct sim_load *load, const struct sim_platform *platform);

/*
 * Set a load by lines of a scenario: "engine-busy rcs0 40", also engine-wait
 * and engine-sema, "client-busy rcs 12", "rc6 25", "parked 0", all in percent;
 * "requested-frequency 1150" in MHz; "interrupts 500" a second; "power 65" and
 * "power-limit 190" in W, "temperature 61" and "temperature-vram 70" in degC,
 * "fan 1200" in rpm, each of which makes it have hwmon; "throttle pl1 thermal"
 * or "throttle none"; "client-memory 8388608" in bytes.
 *
 * Returns 0, -ENOENT if it is none of them, -EINVAL.
 */
int sim_load_set(struct sim_load *load, const struct sim_platform *platform,
		 uint64_t now, const char *key, const char *value);
/* Set the GT's real frequency. */
void sim_load_set_frequency(struct sim_load *load, uint64_t now, uint64_t hz);
/* Add or remove a holder, which keeps the GT awake. */
void sim_load_hold(struct sim_load *load, uint64_t now, bool hold);
/*
 * Return the ns of an engine class that one client, there since then, has used.
 */
uint64_t sim_load_client(const struct sim_load *load,
			 enum sim_engine_class class, uint64_t since,
			 uint64_t now);
/*
 * Return bytes in use, by the kernel's driver and a client; at most all of
 * them.
 */
uint64_t
sim_load_memory(const struct sim_load *load, uint64_t bytes);

#endif /* DRMSIM_INTEL_LOAD_H */
