/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What attributes and elements mean was learnt from Mesa's src/intel/perf
 * (gen_perf.py, oa-*.xml; before 2018 i965's brw_oa_*.xml, which have no
 * register lists) and IGT's lib/i915/perf-configs (perf-equations-codegen.py).
 * Equations and conditions stay as they are: the library compiles them.
 */
#include "table/foreign/readers.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/name_syntax.h"
#include "table/table.h"

#define MAX_CHIPSETS 64

/* Kernel drivers that count by OA units; some GPUs have either. */
static const char *const drivers[] = { "i915", "xe" };

#define DRIVERS ARRAY_SIZE(drivers)

/* The sets of one chipset for one driver. */
struct oa_output {
	const char *driver;
	const char *target; /* "sklgt2" */
	struct element *root, **next;
	struct table *table;
};

struct oa_file {
	struct table *source;
	struct table *scratch; /* owns what all outputs are made of */
	struct oa_output outputs[MAX_CHIPSETS * DRIVERS];
	size_t count;
	const struct log_sink *log;
	struct drmperf_error *error;
};

static int
no_memory(const struct oa_file *file)
{
	return error_set(file->error, -ENOMEM, "no memory for %s",
			 file->source->path);
}

static void __attribute__((format(printf, 3, 4)))
leave_out(const struct oa_file *file, const struct element *element,
	  const char *cause, ...)
{
	const char *name = element_attribute(element, "symbol_name");
	char text[256];
	va_list args;

	va_start(args, cause);
	vsnprintf(text, sizeof(text), cause, args);
	va_end(args);
	log_write(file->log, DRMPERF_LOG_WARNING,
		  "%s:%d: <%.40s> %.80s %s; left out", file->source->path,
		  element->line, element->name, name ? name : "", text);
}

/* ------------------------------------------------------------------ */
/* Counters                                                             */

/*
 * Theirs, ours, and what makes one of the other. Percentages, quotients and
 * frequencies do not add up; of the rest, integers do.
 */
static const struct known_unit {
	const char *theirs, *ours, *factor;
	bool average;
} units[] = {
	{ "ns", "ns", NULL, false },
	{ "us", "us", NULL, false },
	{ "hz", "Hz", NULL, true },
	{ "mhz", "MHz", NULL, true },
	{ "cycles", "cycles", NULL, false },
	{ "percent", "percent", NULL, true },
	{ "threads", "threads", NULL, false },
	{ "pixels", "pixels", NULL, false },
	{ "texels", "texels", NULL, false },
	{ "bytes", "bytes", NULL, false },
	{ "messages", "messages", NULL, false },
	{ "events", "events", NULL, false },
	{ "number", "none", NULL, false },
	{ "utilization", "ratio", NULL, true },
	{ "gbps", "B/s", " 1000000000 FMUL", true },
	{ "eu sends to l3 cache lines", "ratio", NULL, true },
	{ "eu requests to l3 cache lines", "ratio", NULL, true },
	{ "eu atomic requests to l3 cache lines", "ratio", NULL, true },
	{ "eu bytes per l3 cache line", "ratio", NULL, true },
};

static const struct known_unit *
find_unit(const struct oa_file *file, const struct element *counter)
{
	static const struct known_unit none = { "", "none", NULL, false };
	const char *name = element_attribute(counter, "units");

	for (size_t i = 0; name && i < ARRAY_SIZE(units); i++) {
		if (!strcmp(units[i].theirs, name))
			return &units[i];
	}
	log_write(file->log, DRMPERF_LOG_WARNING,
		  "%s:%d: <counter> the unit \"%.40s\" is not known; the "
		  "counter has none",
		  file->source->path, counter->line, name ? name : "");
	return &none;
}

static const char *
equation_of(const struct oa_file *file, const struct element *counter,
	    const struct known_unit *unit)
{
	const char *equation = element_attribute(counter, "equation");

	if (!unit->factor)
		return equation;
	return arena_printf(file->scratch->arena, "%s%s", equation,
			    unit->factor);
}

/* Rewrite a counter; NULL in *out if it has to be left out. */
static int
rewrite_counter(const struct oa_file *file, const struct element *counter,
		struct element **out)
{
	const char *name = element_attribute(counter, "symbol_name");
	const char *type = element_attribute(counter, "data_type");
	const char *text = element_attribute(counter, "description");
	const struct known_unit *unit;
	struct element *made;
	bool is_double;

	*out = NULL;
	if (!name || !element_attribute(counter, "equation")) {
		leave_out(file, counter, "lacks a name or an equation");
		return 0;
	}
	if (!name_syntax_is_legal(name)) {
		leave_out(file, counter, "%s", name_syntax_fault(name));
		return 0;
	}
	unit = find_unit(file, counter);
	is_double = type && (!strcmp(type, "float") || !strcmp(type, "double"));
	made = table_element(file->scratch, "counter", counter->line, 7);
	if (!made)
		return no_memory(file);
	element_set(made, "name", name);
	element_set(made, "unit", unit->ours);
	element_set(made, "type", is_double ? "double" : "uint64");
	element_set(made, "kind",
		    unit->average || is_double ? "average" : "cumulative");
	element_set(made, "expression", equation_of(file, counter, unit));
	element_set(made, "if", element_attribute(counter, "availability"));
	element_set(made, "language", "rpn");
	made->text = text && *text ? text : name;
	if (!element_attribute(made, "expression"))
		return no_memory(file);
	*out = made;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Registers                                                            */

/*
 * Return the type of a list; the oldest files (Mesa 17) have it with each
 * register only.
 */
static const char *
list_type(const struct element *config)
{
	const char *type = element_attribute(config, "type");

	if (!type && config->child)
		type = element_attribute(config->child, "type");
	return type;
}

/*
 * Return whether a register is of the list's type: a list has registers of one
 * type, whether or not they repeat it.
 */
static bool
is_of_type(const struct element *element, const char *type)
{
	const char *own = element_attribute(element, "type");

	return !own || !type || !strcmp(own, type);
}

static bool
read_hex(const struct element *element, const char *name, unsigned long *out)
{
	const char *text = element_attribute(element, name);
	char *end;

	if (!text || !isxdigit((unsigned char)*text))
		return false;
	errno = 0;
	*out = strtoul(text, &end, 16);
	return !*end && !errno && *out <= UINT32_MAX;
}

/*
 * Write registers as "9840: 80 9888: 166c01e0"; NULL in *out if something is no
 * register.
 */
static int
write_registers(const struct oa_file *file, const struct element *config,
		const char **out)
{
	const char *type = list_type(config);
	const struct element *element;
	unsigned long address, value;
	size_t count = 0;
	char *text, *to;

	for (element = config->child; element; element = element->next)
		count++;
	text = arena_alloc(file->scratch->arena, 20 * count + 1);
	if (!text)
		return no_memory(file);
	*out = NULL;
	to = text;
	for (element = config->child; element; element = element->next) {
		if (strcmp(element->name, "register") ||
		    !is_of_type(element, type) ||
		    !read_hex(element, "address", &address) ||
		    !read_hex(element, "value", &value)) {
			leave_out(file, element, "is no register");
			return 0;
		}
		to += sprintf(to, "%lx: %lx ", address, value);
	}
	*out = text;
	return 0;
}

static const char *
list_name(const struct element *config)
{
	static const char *const names[][2] = { { "NOA", "mux" },
						{ "OA", "boolean" },
						{ "FLEX", "flex" } };
	const char *type = list_type(config);

	for (size_t i = 0; type && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(names[i][0], type))
			return names[i][1];
	}
	return NULL;
}

static int
rewrite_registers(const struct oa_file *file, const struct element *config,
		  struct element **out)
{
	const char *name = list_name(config), *text = NULL;
	struct element *made;
	int ret;

	*out = NULL;
	if (!name) {
		leave_out(file, config, "is of an unknown type");
		return 0;
	}
	ret = write_registers(file, config, &text);
	if (ret || !text)
		return ret;
	made = table_element(file->scratch, name, config->line, 4);
	if (!made)
		return no_memory(file);
	element_set(made, "id", element_attribute(config, "id"));
	element_set(made, "priority", element_attribute(config, "priority"));
	element_set(made, "if", element_attribute(config, "availability"));
	element_set(made, "language", "rpn");
	made->text = text;
	*out = made;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Sets                                                                 */

/*
 * Which format, by the number that each driver has for it, where it is not the
 * usual one of the GPU.
 */
#define USUAL NULL
#define NO_FORMAT ""

static const struct format {
	const char *theirs, *numbers[DRIVERS], *engine;
} formats[] = {
	{ "256B_GENERIC_NOA16", { USUAL, USUAL }, NULL },
	{ "576B_PEC64LL", { NO_FORMAT, USUAL }, NULL },
	{ "192B_MPEC8_NOA16", { "13", NO_FORMAT }, "video" },
	{ "128B_MPEC8_NOA16", { "14", "0x204" }, "video" },
};

/* Find the format of reports; NULL if it is not known. */
static const struct format *
find_format(const struct element *set)
{
	const char *name = element_attribute(set, "oa_format");

	for (size_t i = 0; name && i < ARRAY_SIZE(formats); i++) {
		if (!strcmp(formats[i].theirs, name))
			return &formats[i];
	}
	return name ? NULL : &formats[0];
}

/*
 * Rewrite counters and register lists; *whole is false if a list cannot be had.
 */
static int
rewrite_children(const struct oa_file *file, const struct element *set,
		 struct element **next, bool *whole)
{
	struct element *child = NULL;
	const struct element *element;
	int ret = 0;

	*whole = true;
	for (element = set->child; element && !ret; element = element->next) {
		bool is_list = !strcmp(element->name, "register_config");

		child = NULL;
		if (is_list)
			ret = rewrite_registers(file, element, &child);
		else if (!strcmp(element->name, "counter"))
			ret = rewrite_counter(file, element, &child);
		else
			leave_out(file, element, "is not known");
		if (is_list && !child)
			*whole = false;
		if (!child)
			continue;
		*next = child;
		next = &child->next;
	}
	return ret;
}

/* Find the table for the sets of a chipset. */
static int
find_output(struct oa_file *file, const char *driver, const char *chipset,
	    struct oa_output **out)
{
	struct oa_output *output = file->outputs;
	char *target;

	for (; output < file->outputs + file->count; output++) {
		if (output->driver == driver &&
		    !strcasecmp(output->target, chipset)) {
			*out = output;
			return 0;
		}
	}
	if (file->count == ARRAY_SIZE(file->outputs))
		return error_set(file->error, -E2BIG,
				 "%s: more than %d chipsets",
				 file->source->path, MAX_CHIPSETS);
	target = arena_strndup(file->scratch->arena, chipset, strlen(chipset));
	if (!target)
		return no_memory(file);
	for (char *at = target; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	output->driver = driver;
	output->target = target;
	output->next = NULL;
	file->count++;
	*out = output;
	return 0;
}

static int
add_to_output(struct oa_file *file, const char *driver, const char *chipset,
	      struct element *set)
{
	struct oa_output *output = NULL;
	int ret = find_output(file, driver, chipset, &output);

	if (ret)
		return ret;
	if (!output->root) {
		output->root = table_element(file->scratch, "events", 1, 3);
		if (!output->root)
			return no_memory(file);
		element_set(output->root, "driver", driver);
		element_set(output->root, "foreign", "oa");
		element_set(output->root, "target", output->target);
		output->next = &output->root->child;
	}
	*output->next = set;
	output->next = &set->next;
	return 0;
}

/* Add a driver's own <set> for a set; the children are shared. */
static int
add_set(struct oa_file *file, const struct element *set, size_t driver,
	const struct format *format, struct element *children)
{
	const char *name = element_attribute(set, "symbol_name");
	const char *title = element_attribute(set, "name");
	struct element *made =
		table_element(file->scratch, "set", set->line, 6);

	if (!made)
		return no_memory(file);
	element_set(made, "name", name);
	element_set(made, "description", title ? title : name);
	element_set(made, "format", format->numbers[driver]);
	element_set(made, "engine", format->engine);
	if (element_named(set->child, "register_config")) {
		element_set(made, "replaces", "1");
		element_set(made, "guid",
			    element_attribute(set, "hw_config_guid"));
	}
	made->child = children;
	return add_to_output(file, drivers[driver],
			     element_attribute(set, "chipset"), made);
}

static bool
has_format(const struct format *format, size_t driver)
{
	const char *number = format->numbers[driver];

	return !number || *number;
}

static int
rewrite_set(struct oa_file *file, const struct element *set)
{
	const char *chipset = element_attribute(set, "chipset");
	const char *name = element_attribute(set, "symbol_name");
	const struct format *format = find_format(set);
	struct element *children = NULL;
	bool whole;
	int ret;

	if (!chipset || !*chipset || !name) {
		leave_out(file, set, "lacks a chipset or a name");
		return 0;
	}
	if (!name_syntax_is_legal(name)) {
		leave_out(file, set, "%s", name_syntax_fault(name));
		return 0;
	}
	if (!format) {
		leave_out(file, set, "has reports of an unknown format, %.40s",
			  element_attribute(set, "oa_format"));
		return 0;
	}
	ret = rewrite_children(file, set, &children, &whole);
	if (!ret && !whole)
		leave_out(file, set, "lacks registers that it needs");
	for (size_t i = 0; i < DRIVERS && whole && !ret; i++) {
		if (has_format(format, i))
			ret = add_set(file, set, i, format, children);
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

static int
oa_file_rewrite(struct oa_file *file)
{
	const struct element *element = file->source->root->child;
	int ret = 0;

	for (; element && !ret; element = element->next) {
		if (!strcmp(element->name, "set"))
			ret = rewrite_set(file, element);
		else
			leave_out(file, element, "is not a metric set");
	}
	return ret;
}

/*
 * Hand the tables over, as tables of their own, in the arena of the scratch
 * table.
 */
static int
pass_tables_on(struct oa_file *file, table_keep_fn keep, void *data)
{
	int ret = 0;

	for (size_t i = 0; i < file->count && !ret; i++) {
		struct table *table = table_share(file->scratch);

		if (!table)
			return no_memory(file);
		table->root = file->outputs[i].root;
		ret = keep(data, table, file->error);
	}
	return ret;
}

int
oa_xml_read(const char *path, const char *text, size_t length,
	    const struct log_sink *log, table_keep_fn keep, void *data,
	    struct drmperf_error *error)
{
	struct oa_file file = { .log = log, .error = error };
	int ret, kept;

	ret = table_parse(path, text, length, &file.source, error);
	if (ret)
		return ret;
	file.scratch = table_create(path);
	if (!file.scratch) {
		ret = no_memory(&file);
		table_destroy(file.source);
		return ret;
	}
	ret = oa_file_rewrite(&file);
	if (!ret)
		ret = pass_tables_on(&file, keep, data);
	/* Even on errors: what was kept already is made of these. */
	file.scratch->root = file.source->root;
	kept = keep(data, file.scratch, error);
	if (!kept)
		kept = keep(data, file.source, error);
	else
		table_destroy(file.source);
	return ret ? ret : kept;
}
