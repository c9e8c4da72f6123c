/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/trace/table.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"

/* A number of an element, and where it goes. */
struct number {
	const char *name;
	uint32_t *out;
	bool is_optional;
};

static int
read_numbers(const struct table *table, const struct element *element,
	     const struct number *numbers, size_t count,
	     struct drmperf_error *error)
{
	uint64_t value;
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		const char *name = numbers[i].name;

		ret = numbers[i].is_optional
			      ? element_uint_or(table, element, name,
						UINT32_MAX, 0, &value, error)
			      : element_uint(table, element, name, UINT32_MAX,
					     &value, error);
		if (!ret)
			*numbers[i].out = (uint32_t)value;
	}
	return ret;
}

static int
check_register(const struct table *table, const struct element *element,
	       struct pm4_register reg, struct drmperf_error *error)
{
	return reg.byte % 4 || reg.byte >= PM4_REGISTER_END
		       ? element_error(table, element, error,
				       "register 0x%x is out of reach",
				       reg.byte)
		       : 0;
}

static int
read_registers(const struct table *table, const struct element *element,
	       struct trace_table *out, struct drmperf_error *error)
{
	const struct number numbers[] = {
		{ "events", &out->events.byte, false },
		{ "events-bits", &out->events_bits, false },
		{ "status", &out->status.byte, false },
		{ "finished", &out->finished, true },
		{ "busy", &out->busy, false },
		{ "failed", &out->failed, false },
		{ "pointer", &out->pointer.byte, false },
		{ "pointer-mask", &out->pointer_mask, false },
		{ "dropped", &out->dropped.byte, true },
		{ "written", &out->written.byte, true },
	};
	const struct pm4_register *registers[] = {
		&out->events,  &out->status,  &out->pointer,
		&out->dropped, &out->written,
	};
	int ret = read_numbers(table, element, numbers, ARRAY_SIZE(numbers),
			       error);

	for (size_t i = 0; !ret && i < ARRAY_SIZE(registers); i++)
		ret = check_register(table, element, *registers[i], error);
	return ret;
}

static int
read_unit(const struct table *table, const struct element *element,
	  struct trace_table *out, struct drmperf_error *error)
{
	const char *unit;
	uint64_t cus, is_absolute;
	int ret = element_text(table, element, "unit", &unit, error);

	if (!ret)
		ret = element_uint(table, element, "unit-cus", 2, &cus, error);
	if (!ret)
		ret = element_uint_or(table, element, "absolute", 1, 0,
				      &is_absolute, error);
	if (ret)
		return ret;
	out->has_last_unit = !strcmp(unit, "last");
	out->unit_cus = (unsigned)cus;
	out->is_absolute = is_absolute;
	if (cus && (out->has_last_unit || !strcmp(unit, "first")))
		return 0;
	return element_error(table, element, error,
			     "which unit is traced is not known");
}

static int
read_bits(const struct table *table, const struct element *element,
	  struct trace_write *out, struct drmperf_error *error)
{
	const struct {
		const char *name;
		uint8_t *bit;
	} bits[] = {
		{ "size-bit", &out->size_bit },
		{ "base-bit", &out->base_bit },
		{ "high-bit", &out->high_bit },
		{ "unit-bit", &out->unit_bit },
	};
	uint64_t value;
	int ret = 0;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(bits); i++) {
		*bits[i].bit = TRACE_NO_BIT;
		if (!element_attribute(element, bits[i].name))
			continue;
		ret = element_uint(table, element, bits[i].name, 31, &value,
				   error);
		*bits[i].bit = (uint8_t)value;
	}
	return ret;
}

static int
read_write(const struct table *table, const struct element *element,
	   struct trace_write *out, struct drmperf_error *error)
{
	const struct number numbers[] = {
		{ "register", &out->reg.byte, false },
		{ "value", &out->value, true },
		{ "brief", &out->brief, true },
		{ "all-programs", &out->all_programs, true },
		{ "armed", &out->armed, true },
	};
	int ret = read_numbers(table, element, numbers, ARRAY_SIZE(numbers),
			       error);

	if (!ret)
		ret = check_register(table, element, out->reg, error);
	return ret ? ret : read_bits(table, element, out, error);
}

static int
read_writes(const struct table *table, const struct element *element,
	    struct trace_table *out, struct drmperf_error *error)
{
	const struct element *write = element;
	int ret = 0;

	while (!ret && (write = element_named(write->next, "trace_write"))) {
		if (out->write_count == TRACE_WRITES)
			return element_error(table, write, error,
					     "more than %u writes",
					     TRACE_WRITES);
		ret = read_write(table, write, &out->writes[out->write_count],
				 error);
		out->write_count++;
	}
	if (ret)
		return ret;
	if (out->write_count && out->writes[out->write_count - 1].armed)
		return 0;
	return element_error(table, element, error,
			     "the last write does not arm it");
}

/* ------------------------------------------------------------------ */

static int
explain_unknown(const struct gpu *gpu, struct drmperf_error *error)
{
	error_set(error, -ENOTSUP,
		  "waves of %s cannot be traced: how is not known",
		  gpu->chip.name);
	error_remedy(error, "doc/traces.md lists the generations that trace");
	return -ENOTSUP;
}

static int
check_hidden(const struct gpu *gpu, const struct element *element,
	     struct drmperf_error *error)
{
	const char *reason = element_attribute(element, "hidden");

	if (!reason || chip_lists(gpu->topology.untested, TRACE_NAME))
		return 0;
	error_set(error, -ENOTSUP, "waves of %s are not traced: %s",
		  gpu->chip.name,
		  topology_hidden_reason(&gpu->topology, TRACE_NAME, reason));
	error_remedy(
		error,
		"\"drmperf selftest --stage 9 --again\" tries them, or set "
		"DRMPERF_UNTESTED=" TRACE_NAME ": at worst the "
		"trace is wrong, or the GPU hangs");
	return -ENOTSUP;
}

static unsigned
count_backends(const struct topology *topology)
{
	unsigned count = 0;

	for (unsigned engine = 0; engine < topology->engines; engine++)
		for (unsigned array = 0; array < topology->arrays; array++)
			for (unsigned rb = 0; rb < topology->rbs_per_array;
			     rb++)
				count += topology_has_rb(topology, engine,
							 array, rb);
	return count;
}

/*
 * Return whether the engines of a trace may say that they have finished. Some
 * chips never say that they have finished if render backends are off.
 */
static bool
may_finish(const struct gpu *gpu, const struct element *element)
{
	const struct topology *topology = &gpu->topology;
	const char *target = gpu->chip.target;

	if (!target ||
	    !chip_lists(element_attribute(element, "unfinished"), target))
		return true;
	return topology->rbs_per_array &&
	       count_backends(topology) == topology->engines *
						   topology->arrays *
						   topology->rbs_per_array;
}

int
trace_table_read(const struct gpu *gpu, struct trace_table *out,
		 struct drmperf_error *error)
{
	const struct table *table = gpu->core.table;
	const struct element *element =
		element_named(table->root->child, "trace");
	int ret;

	if (!element)
		return explain_unknown(gpu, error);
	*out = (struct trace_table){ 0 };
	ret = check_hidden(gpu, element, error);
	if (!ret)
		ret = read_registers(table, element, out, error);
	if (!ret)
		ret = read_unit(table, element, out, error);
	if (!ret)
		ret = read_writes(table, element, out, error);
	if (!ret && !may_finish(gpu, element))
		out->finished = 0;
	return ret;
}

int
trace_table_unit(const struct trace_table *table,
		 const struct topology *topology, unsigned engine)
{
	const uint32_t cus = topology->cus[engine][0];

	if (!topology_has_array(topology, engine, 0) || !cus)
		return -1;
	return (table->has_last_unit ? 31 - __builtin_clz(cus)
				     : __builtin_ctz(cus)) /
	       (int)table->unit_cus;
}
