/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/common_series.h"

#include <string.h>

#define FAMILY(quantity, family_name, unit_name, metric, text)                 \
	[quantity] = { .name = { .family = "drmperf_" family_name,             \
				 .unit = unit_name,                            \
				 .type = metric },                             \
		       .help = text }

const struct common_family common_families[COMMON_QUANTITIES] = {
	FAMILY(COMMON_BUSY, "gpu_busy_ratio", "ratio", METRIC_SUMMARY,
	       "Share of the time in which the GPU had work: the rate of _sum "
	       "divided by that of _count."),
	FAMILY(COMMON_POWER, "power_watts", "watts", METRIC_GAUGE,
	       "Power, of what the label scope names."),
	FAMILY(COMMON_ENERGY, "energy_joules", "joules", METRIC_COUNTER,
	       "Energy that the GPU has taken."),
	FAMILY(COMMON_TEMPERATURE, "temperature_celsius", "celsius",
	       METRIC_GAUGE, "Temperature of what the label sensor names."),
	FAMILY(COMMON_CLOCK, "clock_hertz", "hertz", METRIC_GAUGE,
	       "Clock now; 0 in sleep."),
	FAMILY(COMMON_VOLTAGE, "voltage_volts", "volts", METRIC_GAUGE,
	       "Voltage, of the supply that the label rail names."),
	FAMILY(COMMON_FAN, "fan_rpm", "", METRIC_GAUGE,
	       "Revolutions of the fan in a minute."),
	FAMILY(COMMON_MEMORY_USED, "memory_used_bytes", "bytes", METRIC_GAUGE,
	       "Memory in use."),
	FAMILY(COMMON_MEMORY_SIZE, "memory_size_bytes", "bytes", METRIC_GAUGE,
	       "Memory that there is."),
	FAMILY(COMMON_MEMORY_READ, "memory_read_bytes", "bytes", METRIC_COUNTER,
	       "Bytes that the GPU read from memory."),
	FAMILY(COMMON_MEMORY_WRITTEN, "memory_written_bytes", "bytes",
	       METRIC_COUNTER, "Bytes that the GPU wrote to memory."),
	FAMILY(COMMON_IDLE, "idle_seconds", "seconds", METRIC_COUNTER,
	       "Time in which a part of the GPU was powered down."),
	FAMILY(COMMON_THROTTLED, "throttled", "", METRIC_GAUGE,
	       "1: the clock is lowered for some reason; 0: it is not."),
	FAMILY(COMMON_THROTTLED_SAMPLES, "throttled_samples", "",
	       METRIC_COUNTER,
	       "Steps of the firmware at which the clock was lowered for that "
	       "reason: its rate divided by that of throttle_samples is the "
	       "share of the time."),
	FAMILY(COMMON_THROTTLE_SAMPLES, "throttle_samples", "", METRIC_COUNTER,
	       "Steps of the firmware at which it looked."),
	FAMILY(COMMON_ECC_ERRORS, "ecc_errors", "", METRIC_COUNTER,
	       "Errors that ECC and other checks (RAS) found, since this "
	       "exporter was started."),
	FAMILY(COMMON_PCIE_LANES, "pcie_link_lanes", "lanes", METRIC_GAUGE,
	       "Lanes of the PCIe link in use."),
	FAMILY(COMMON_PCIE_RATE, "pcie_link_transfers_per_second",
	       "transfers_per_second", METRIC_GAUGE,
	       "Rate of a lane of the PCIe link."),
	FAMILY(COMMON_PCIE_REPLAYS, "pcie_replays", "", METRIC_COUNTER,
	       "Times that a packet was sent over PCIe again."),
	FAMILY(COMMON_PCIE_NAKS, "pcie_naks", "", METRIC_COUNTER,
	       "Packets that the GPU refused (sent) or that were refused "
	       "(received)."),
	FAMILY(COMMON_PCIE_RECOVERIES, "pcie_recoveries", "", METRIC_COUNTER,
	       "Times that the PCIe link had to recover."),
};

/* Why a GT of Intel is slower; it has a number if it is not the only one. */
#define THROTTLE_OF_GT(word, reason_word)                                      \
	{ "sensor.throttle-" word,                                             \
	  COMMON_THROTTLED,                                                    \
	  { { "reason", reason_word }, { "detail", word } } },                 \
	{                                                                      \
		"sensor.throttle-" word "-gt0", COMMON_THROTTLED,              \
		{                                                              \
			{ "reason", reason_word },                             \
			{                                                      \
				"detail", word                                 \
			}                                                      \
		}                                                              \
	}

#define THROTTLED_SAMPLES(word, reason_word)                                   \
	{                                                                      \
		"sensor." word "-residency", COMMON_THROTTLED_SAMPLES,         \
		{                                                              \
			{ "reason", reason_word },                             \
			{                                                      \
				"detail", word                                 \
			}                                                      \
		}                                                              \
	}

#define ECC_ERRORS_OF(block_word, severity_word)                               \
	{                                                                      \
		"sensor.ras-" block_word "-" severity_word, COMMON_ECC_ERRORS, \
		{                                                              \
			{ "block", block_word },                               \
			{                                                      \
				"severity", severity_word                      \
			}                                                      \
		}                                                              \
	}

#define ECC_ERRORS(block_word)                                                 \
	ECC_ERRORS_OF(block_word, "correctable"),                              \
		ECC_ERRORS_OF(block_word, "uncorrectable"),                    \
		ECC_ERRORS_OF(block_word, "deferred")

static const struct common_series all_series[] = {
	{ "metric.GPUBusy", COMMON_BUSY, {} },
	{ "oa.GpuBusy", COMMON_BUSY, {} },
	{ "sensor.gpu-avg-power", COMMON_POWER, { { "scope", "gpu" } } },
	{ "sensor.socket-power", COMMON_POWER, { { "scope", "socket" } } },
	{ "sensor.apu-power", COMMON_POWER, { { "scope", "apu" } } },
	{ "sensor.gfx-power", COMMON_POWER, { { "scope", "graphics" } } },
	{ "sensor.cpu-power", COMMON_POWER, { { "scope", "cpu" } } },
	{ "sensor.energy", COMMON_ENERGY, {} },
	{ "sensor.gpu-temp", COMMON_TEMPERATURE, { { "sensor", "edge" } } },
	{ "sensor.temp-hotspot",
	  COMMON_TEMPERATURE,
	  { { "sensor", "hotspot" } } },
	{ "sensor.temp-mem", COMMON_TEMPERATURE, { { "sensor", "memory" } } },
	{ "sensor.temp", COMMON_TEMPERATURE, { { "sensor", "package" } } },
	{ "sensor.temp-vram", COMMON_TEMPERATURE, { { "sensor", "memory" } } },
	{ "sensor.temp-gfx", COMMON_TEMPERATURE, { { "sensor", "graphics" } } },
	{ "sensor.temp-soc", COMMON_TEMPERATURE, { { "sensor", "soc" } } },
	{ "sensor.gfx-sclk", COMMON_CLOCK, { { "clock", "graphics" } } },
	{ "sensor.gfx-mclk", COMMON_CLOCK, { { "clock", "memory" } } },
	{ "sensor.socclk", COMMON_CLOCK, { { "clock", "soc" } } },
	{ "sensor.act-freq", COMMON_CLOCK, { { "clock", "graphics" } } },
	{ "sensor.act-freq-gt0", COMMON_CLOCK, { { "clock", "graphics" } } },
	{ "sensor.act-freq-gt1", COMMON_CLOCK, { { "clock", "media" } } },
	{ "sensor.vddgfx", COMMON_VOLTAGE, { { "rail", "graphics" } } },
	{ "sensor.voltage-soc", COMMON_VOLTAGE, { { "rail", "soc" } } },
	{ "sensor.voltage-mem", COMMON_VOLTAGE, { { "rail", "memory" } } },
	{ "sensor.fan-speed", COMMON_FAN, {} },
	{ "sensor.vram-usage", COMMON_MEMORY_USED, { { "memory", "vram" } } },
	{ "sensor.gtt-usage", COMMON_MEMORY_USED, { { "memory", "system" } } },
	{ "sensor.system-usage",
	  COMMON_MEMORY_USED,
	  { { "memory", "system" } } },
	{ "sensor.vram-total", COMMON_MEMORY_SIZE, { { "memory", "vram" } } },
	{ "sensor.gtt-total", COMMON_MEMORY_SIZE, { { "memory", "system" } } },
	{ "sensor.system-total",
	  COMMON_MEMORY_SIZE,
	  { { "memory", "system" } } },
	{ "metric.FetchSize", COMMON_MEMORY_READ, {} },
	{ "metric.FETCH_SIZE", COMMON_MEMORY_READ, {} },
	{ "oa.GtiReadThroughput", COMMON_MEMORY_READ, {} },
	{ "oa.GPU_MEMORY_BYTE_READ", COMMON_MEMORY_READ, {} },
	{ "metric.WriteSize", COMMON_MEMORY_WRITTEN, {} },
	{ "metric.WRITE_SIZE", COMMON_MEMORY_WRITTEN, {} },
	{ "oa.GtiWriteThroughput", COMMON_MEMORY_WRITTEN, {} },
	{ "oa.GPU_MEMORY_BYTE_WRITE", COMMON_MEMORY_WRITTEN, {} },
	{ "sensor.rc6-residency", COMMON_IDLE, { { "part", "gt0" } } },
	{ "sensor.rc6-residency-gt0", COMMON_IDLE, { { "part", "gt0" } } },
	{ "sensor.rc6-residency-gt1", COMMON_IDLE, { { "part", "gt1" } } },
	{ "sensor.idle-residency", COMMON_IDLE, { { "part", "gt0" } } },
	{ "sensor.idle-residency-gt0", COMMON_IDLE, { { "part", "gt0" } } },
	{ "sensor.idle-residency-gt1", COMMON_IDLE, { { "part", "gt1" } } },
	{ "sensor.throttle-power",
	  COMMON_THROTTLED,
	  { { "reason", "power" } } },
	{ "sensor.throttle-current",
	  COMMON_THROTTLED,
	  { { "reason", "current" } } },
	{ "sensor.throttle-temperature",
	  COMMON_THROTTLED,
	  { { "reason", "temperature" } } },
	{ "sensor.throttle-other",
	  COMMON_THROTTLED,
	  { { "reason", "other" } } },
	{ "sensor.throttle-any", COMMON_THROTTLED, { { "reason", "any" } } },
	{ "sensor.throttle-any-gt0",
	  COMMON_THROTTLED,
	  { { "reason", "any" } } },
	THROTTLE_OF_GT("pl1", "power"),
	THROTTLE_OF_GT("pl2", "power"),
	THROTTLE_OF_GT("pl4", "power"),
	THROTTLE_OF_GT("thermal", "temperature"),
	THROTTLE_OF_GT("ratl", "temperature"),
	THROTTLE_OF_GT("vr-thermalert", "temperature"),
	THROTTLE_OF_GT("vr-tdc", "current"),
	THROTTLE_OF_GT("prochot", "prochot"),
	THROTTLED_SAMPLES("ppt", "power"),
	THROTTLED_SAMPLES("socket-thm", "temperature"),
	THROTTLED_SAMPLES("vr-thm", "temperature"),
	THROTTLED_SAMPLES("hbm-thm", "temperature"),
	THROTTLED_SAMPLES("prochot", "prochot"),
	{ "sensor.accumulation-counter", COMMON_THROTTLE_SAMPLES, {} },
	ECC_ERRORS("umc"),
	ECC_ERRORS("gfx"),
	ECC_ERRORS("sdma"),
	ECC_ERRORS("mmhub"),
	ECC_ERRORS("athub"),
	ECC_ERRORS("pcie-bif"),
	ECC_ERRORS("hdp"),
	ECC_ERRORS("xgmi-wafl"),
	ECC_ERRORS("df"),
	ECC_ERRORS("smn"),
	ECC_ERRORS("sem"),
	ECC_ERRORS("mp0"),
	ECC_ERRORS("mp1"),
	ECC_ERRORS("fuse"),
	ECC_ERRORS("mca"),
	ECC_ERRORS("vcn"),
	ECC_ERRORS("jpeg"),
	ECC_ERRORS("ih"),
	ECC_ERRORS("mpio"),
	{ "sensor.pcie-link-width", COMMON_PCIE_LANES, {} },
	{ "sensor.pcie-link-speed", COMMON_PCIE_RATE, {} },
	{ "sensor.pcie-replay", COMMON_PCIE_REPLAYS, {} },
	{ "sensor.pcie-nak-sent",
	  COMMON_PCIE_NAKS,
	  { { "direction", "sent" } } },
	{ "sensor.pcie-nak-received",
	  COMMON_PCIE_NAKS,
	  { { "direction", "received" } } },
	{ "sensor.pcie-l0-to-recovery", COMMON_PCIE_RECOVERIES, {} },
};

const struct common_series *
common_series_find(const char *event)
{
	const char *colons = strstr(event, "::");
	const char *name = colons ? colons + 2 : event;

	for (size_t i = 0; i < sizeof(all_series) / sizeof(*all_series); i++) {
		if (!strcmp(all_series[i].event, name))
			return &all_series[i];
	}
	return NULL;
}
