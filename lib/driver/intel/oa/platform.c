/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "table/rows.h"

static const char *const generations[] = {
	[OA_GEN7] = "gen7",   [OA_GEN8] = "gen8", [OA_GEN9] = "gen9",
	[OA_GEN12] = "gen12", [OA_XEHP] = "xehp", [OA_XELPG] = "xelpg",
	[OA_XE2] = "xe2",
};

/* Return whether the blank separated hexadecimal numbers have this one. */
static bool
has_id(const char *ids, uint32_t id)
{
	char *end;

	for (; ids && *ids; ids = end) {
		unsigned long value = strtoul(ids, &end, 16);

		if (end == ids)
			return false;
		if (value == id)
			return true;
	}
	return false;
}

static int
read_generation(const struct table *table, const struct element *element,
		enum oa_generation *out, struct drmperf_error *error)
{
	const char *name;
	int ret;

	ret = element_text(table, element, "generation", &name, error);
	if (ret)
		return ret;
	for (unsigned i = 0; i < ARRAY_SIZE(generations); i++) {
		if (!strcmp(name, generations[i])) {
			*out = i;
			return 0;
		}
	}
	return element_error(table, element, error,
			     "is of an unknown generation, %s", name);
}

static int
read_platform(const struct table *table, const struct element *element,
	      struct platform *out, struct drmperf_error *error)
{
	struct platform platform = { 0 };
	uint64_t format, threads, bits, xecores, sseu, fabric, geometry;
	int ret;

	ret = element_text(table, element, "name", &platform.name, error);
	if (!ret)
		ret = element_text(table, element, "chip", &platform.chip,
				   error);
	if (!ret)
		ret = read_generation(table, element, &platform.generation,
				      error);
	if (!ret)
		ret = element_uint(table, element, "format", UINT32_MAX,
				   &format, error);
	if (!ret)
		ret = element_uint(table, element, "timestamp-hz", UINT32_MAX,
				   &platform.timestamp_hz, error);
	if (!ret)
		ret = element_uint(table, element, "eu-threads", 64, &threads,
				   error);
	if (!ret)
		ret = element_uint(table, element, "subslice-bits", 8, &bits,
				   error);
	if (!ret)
		ret = element_uint_or(table, element, "xecores-per-slice", 8, 0,
				      &xecores, error);
	if (!ret)
		ret = element_uint_or(table, element, "full-sseu", 1, 0, &sseu,
				      error);
	if (!ret)
		ret = element_uint_or(table, element, "fabric-interfaces", 64,
				      0, &fabric, error);
	if (!ret)
		ret = element_uint_or(table, element, "geometry-pipes", 8, 1,
				      &geometry, error);
	if (ret)
		return ret;
	platform.format = oa_format_find((unsigned)format, platform.generation);
	if (!platform.format || !bits || !platform.timestamp_hz)
		return element_error(table, element, error,
				     "has an impossible format, timestamp-hz "
				     "or subslice-bits");
	platform.eu_threads = (unsigned)threads;
	platform.shape.subslice_bits = (unsigned)bits;
	platform.shape.xecores_per_slice = (unsigned)xecores;
	platform.full_sseu = sseu;
	platform.fabric_interfaces = (unsigned)fabric;
	platform.geometry_pipes = (unsigned)geometry;
	*out = platform;
	return 0;
}

static int
explain_unsupported(const struct table *table, uint32_t device_id,
		    struct drmperf_error *error)
{
	const struct element *element;
	struct rows rows;
	int ret;

	rows_begin(&rows, table, table->root->child, "unsupported",
		   table->arena);
	while ((ret = rows_next(&rows, &element, error)) > 0) {
		const char *chip = element_attribute(element, "chip");

		if (has_id(element_attribute(element, "ids"), device_id)) {
			error_set(error, -ENOTSUP,
				  "there are no metric sets for %s (device "
				  "8086:%04x)",
				  chip ? chip : "this chip", device_id);
			error_remedy(error, "use the kernel's own counters of "
					    "this GPU, i915::pmu");
			return -ENOTSUP;
		}
	}
	if (ret)
		return ret;
	error_set(error, -ENOTSUP, "no event table knows device 8086:%04x",
		  device_id);
	error_remedy(error, "take a later release, or name a folder with a "
			    "table for it in DRMPERF_EVENTS");
	return -ENOTSUP;
}

int
platform_find(const struct table *platforms, uint32_t device_id,
	      const struct gt_topology *topology, struct platform *out,
	      struct drmperf_error *error)
{
	const struct element *element;
	uint64_t max_eus;
	struct rows rows;
	int ret;

	rows_begin(&rows, platforms, platforms->root->child, "platform",
		   platforms->arena);
	while ((ret = rows_next(&rows, &element, error)) > 0) {
		if (!has_id(element_attribute(element, "ids"), device_id))
			continue;
		ret = element_uint_or(platforms, element, "max-eus", UINT32_MAX,
				      UINT32_MAX, &max_eus, error);
		if (ret)
			return ret;
		if (!topology || topology->eus <= max_eus)
			return read_platform(platforms, element, out, error);
	}
	return ret ? ret : explain_unsupported(platforms, device_id, error);
}
