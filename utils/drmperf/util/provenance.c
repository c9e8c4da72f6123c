/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/provenance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* Product names of one chip can be many: what is sold as "A, B or C". */
#define PRODUCT_SIZE 256

static void
write_date(struct json *json)
{
	time_t now = time(NULL);
	struct tm broken_down;
	char text[32] = "";

	if (gmtime_r(&now, &broken_down))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ",
			 &broken_down);
	json_text(json, "date", text);
}

static void
write_version(struct json *json)
{
	const unsigned version = drmperf_version();
	char text[32];

	snprintf(text, sizeof(text), "%u.%u", version >> 16, version & 0xffff);
	json_text(json, "version", text);
}

static void
write_machine(struct json *json)
{
	struct utsname name;

	if (uname(&name))
		return;
	json_text(json, "host", name.nodename);
	json_text(json, "kernel", name.release);
	json_text(json, "machine", name.machine);
}

/* Write a clock; the kernel does not report all clocks. */
static void
write_clock(struct json *json, const char *key, uint64_t hz)
{
	json_double(json, key, hz ? (double)hz : NAN);
}

static void
write_clocks(struct json *json, const struct held_clocks *clocks)
{
	if (!clocks)
		return;
	write_clock(json, "engine_held_hz", clocks->held.engine_hz);
	write_clock(json, "engine_before_hz", clocks->before.engine_hz);
	write_clock(json, "memory_held_hz", clocks->held.memory_hz);
	write_clock(json, "memory_before_hz", clocks->before.memory_hz);
}

static void
write_device(struct json *json, const struct drmperf_device *device,
	     const struct held_clocks *clocks)
{
	const int partition = drmperf_device_partition(device);
	char product[PRODUCT_SIZE];

	json_open(json, NULL, '{');
	json_uint(json, "device", drmperf_device_index(device));
	json_text(json, "pci", drmperf_device_address(device));
	if (partition >= 0)
		json_uint(json, "partition", (uint64_t)partition);
	json_text(json, "driver", drmperf_device_driver(device));
	json_text(json, "chip", drmperf_device_chip(device));
	if (!drmperf_device_product(device, product, sizeof(product), NULL))
		json_text(json, "product", product);
	write_clocks(json, clocks);
	json_close(json, '}');
}

void
provenance_write(const struct tool *tool,
		 bool (*is_wanted)(const void *data,
				   const struct drmperf_device *device),
		 const void *data, const struct held_clocks_list *clocks,
		 struct json *json)
{
	unsigned count = drmperf_device_count(tool->drmperf);

	write_date(json);
	write_version(json);
	write_machine(json);
	json_open(json, "devices", '[');
	for (unsigned i = 0; i < count; i++) {
		const struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);

		if (is_wanted(data, device))
			write_device(json, device,
				     held_clocks_find(clocks, (int)i));
	}
	json_close(json, ']');
}
