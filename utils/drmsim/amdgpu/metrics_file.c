/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/gpu.h"
#include "base/array.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"

#define PARTITIONS 8
#define SIZE_MAX_OF_FILE 4095

/* ------------------------------------------------------------------ */
/* Values                                                               */

struct metrics_writer {
	const struct amdgpu *amdgpu;
	const struct gpu_metrics_layout *layout;
	uint8_t data[SIZE_MAX_OF_FILE];
	size_t size, alignment;
	unsigned attributes; /* of a list */
};

static bool
sensor_value(const struct chip *chip, const char *name, uint64_t *out)
{
	for (unsigned i = 0; i < chip->sensor_count; i++) {
		if (strcmp(chip->sensors[i].name, name) == 0 &&
		    !chip->sensors[i].is_silent) {
			*out = chip->sensors[i].value;
			return true;
		}
	}
	return false;
}

/* Take a value from other files that have it, in the units of that layout. */
static bool
derive_value(const struct metrics_writer *writer, const char *name,
	     uint64_t *out)
{
	const struct chip *chip = &writer->amdgpu->chip;
	bool is_apu = writer->layout->format > 1;
	static const struct {
		const char *field, *sensor;
		unsigned factor, divisor, apu_factor, apu_divisor;
	} known[] = {
		{ "temperature_edge", "temp", 1, 1000, 1, 10 },
		{ "temperature_hotspot", "temp", 1, 1000, 1, 10 },
		{ "temperature_mem", "temp", 1, 1000, 1, 10 },
		{ "temperature_gfx", "temp", 1, 1000, 1, 10 },
		{ "temperature_soc", "temp", 1, 1000, 1, 10 },
		{ "average_gfx_activity", "load", 1, 1, 100, 1 },
		{ "gfx_busy_inst", "load", 1, 1, 1, 1 },
		{ "average_socket_power", "power", 1, 1, 1000, 1 },
		{ "curr_socket_power", "power", 1, 1, 1000, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(known[i].field, name) != 0)
			continue;
		if (!sensor_value(chip, known[i].sensor, out))
			return false;
		*out = is_apu ? *out * known[i].apu_factor /
					known[i].apu_divisor
			      : *out * known[i].factor / known[i].divisor;
		return true;
	}
	if (!strcmp(name, "current_gfxclk") ||
	    !strcmp(name, "average_gfxclk_frequency"))
		*out = amdgpu_sclk(writer->amdgpu);
	else if (!strcmp(name, "current_uclk") ||
		 !strcmp(name, "average_uclk_frequency"))
		*out = amdgpu_mclk(writer->amdgpu);
	else if (!strcmp(name, "system_clock_counter"))
		*out = sim_now(writer->amdgpu->gpu->sim);
	else
		return false;
	return true;
}

/*
 * Return the value of a metric of an idle GPU in one partition; all bits if the
 * driver has none.
 */
static uint64_t
find_value(const struct metrics_writer *writer, const char *name,
	   unsigned partition, unsigned item)
{
	const struct chip *chip = &writer->amdgpu->chip;
	const struct gpu_metrics_settings *settings = &chip->gpu_metrics;
	static const struct {
		const char *name;
		uint64_t value;
	} idle[] = {
		{ "num_partition", 1 },
		{ "throttle_status", 0 },
		{ "average_umc_activity", 0 },
		{ "indep_throttle_status", 0 },
		{ "pcie_link_width", 16 },
		{ "pcie_link_speed", 160 },
		{ "accumulation_counter", 0 },
		{ "prochot_residency_acc", 0 },
		{ "ppt_residency_acc", 0 },
		{ "socket_thm_residency_acc", 0 },
		{ "vr_thm_residency_acc", 0 },
		{ "hbm_thm_residency_acc", 0 },
		{ "energy_accumulator", 65536000 },
	};
	bool is_of_die = !strncmp(name, "gfx_busy_", 9) ||
			 !strcmp(name, "current_gfxclk");
	uint64_t value;

	for (unsigned i = 0; i < settings->count; i++) {
		const struct gpu_metrics_value *set = &settings->values[i];

		if (!strcmp(set->name, name) && set->partition == partition &&
		    set->item == item)
			return set->is_none ? UINT64_MAX : set->value;
	}
	if (partition || item >= (is_of_die ? chip->die_count : 1))
		return UINT64_MAX;
	if (derive_value(writer, name, &value))
		return value;
	for (size_t i = 0; i < ARRAY_SIZE(idle); i++) {
		if (!strcmp(idle[i].name, name))
			return idle[i].value;
	}
	return UINT64_MAX;
}

/* ------------------------------------------------------------------ */
/* Writing                                                              */

static void
put_number(struct metrics_writer *writer, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		writer->data[writer->size++] = (uint8_t)(value >> 8 * i);
}

/* Align as compilers do; padding has all bits set, like unfilled fields. */
static void
align_to(struct metrics_writer *writer, size_t bytes)
{
	while (writer->size % bytes)
		put_number(writer, UINT64_MAX, 1);
	if (writer->alignment < bytes)
		writer->alignment = bytes;
}

/* Write the encoding of a list, whose values are not aligned. */
static void
put_encoding(struct metrics_writer *writer, const char *attribute,
	     unsigned bytes, unsigned items)
{
	/* unsigned types by the logarithm of their bytes */
	unsigned type = 2 * (unsigned)__builtin_ctz(bytes);
	unsigned id, unit;

	if (sscanf(attribute, "@%u/%u", &id, &unit) != 2)
		return;
	put_number(writer, (uint64_t)unit << 24 | type << 20 | id << 10 | items,
		   8);
	writer->attributes++;
}

static void
put_field(struct metrics_writer *writer, const char *field, unsigned partition)
{
	unsigned bytes = 0, items = 1, length = 0;
	const char *attribute = strchr(field, '@');
	char name[40];

	if (sscanf(field, "%u:%39[a-z0-9_]%n", &bytes, name, (int *)&length) <
	    2)
		return;
	if (field[length] == '*')
		items = (unsigned)strtoul(field + length + 1, NULL, 10);
	if (attribute && attribute < field + strcspn(field, " "))
		put_encoding(writer, attribute, bytes, items);
	else
		align_to(writer, bytes);
	for (unsigned i = 0; i < items; i++)
		put_number(writer, find_value(writer, name, partition, i),
			   bytes);
}

static const char *
next_field(const char *field)
{
	field += strcspn(field, " ");
	return field + strspn(field, " ");
}

static void
put_fields(struct metrics_writer *writer)
{
	const char *field = writer->layout->fields;

	while (*field) {
		const char *begin = field;

		if (*field != '{') {
			put_field(writer, field, 0);
			field = next_field(field);
			continue;
		}
		for (unsigned i = 0; i < PARTITIONS; i++) {
			align_to(writer, 8);
			for (field = next_field(begin); *field != '}';
			     field = next_field(field))
				put_field(writer, field, i);
		}
		field = next_field(field);
	}
}

void
metrics_file_show(const struct amdgpu *amdgpu)
{
	struct metrics_writer writer = {
		.amdgpu = amdgpu,
		.layout = gpu_metrics_layout(&amdgpu->chip.gpu_metrics),
		.alignment = 2,
		.size = 4,
	};
	size_t size;

	if (!writer.layout) {
		sim_gpu_remove_file(amdgpu->gpu, "gpu_metrics");
		return;
	}
	if (strchr(writer.layout->fields, '@')) {
		writer.size = 8;
		put_fields(&writer);
		size = writer.size;
		writer.size = 4;
		put_number(&writer, writer.attributes, 4);
	} else {
		put_fields(&writer);
		align_to(&writer, writer.alignment);
		size = writer.size;
	}
	writer.size = 0;
	put_number(&writer, size, 2);
	put_number(&writer, writer.layout->format, 1);
	put_number(&writer, writer.layout->content, 1);
	sim_gpu_bytes(amdgpu->gpu, "gpu_metrics", writer.data, size);
}
