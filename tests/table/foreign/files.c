/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/table/foreign/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/rows.h"
#include "tests/driver/i915/table.h"

/* Exit on an error. Benchmarks use this: no libcheck here. */
static void
exit_on_error(int ret, const char *what)
{
	if (!ret)
		return;
	fprintf(stderr, "foreign_files: %s\n", what);
	exit(EXIT_FAILURE);
}

/* Create a table of ours whose lists are elements. */
static struct table *
read_table(const char *driver, const char *name)
{
	const char *folder = i915_table_folder();
	const struct table_path path = { &folder, 1, NULL };
	struct drmperf_error error = { .cause = "" };
	struct table *table = NULL;

	exit_on_error(table_find(&path, driver, name, &table, &error),
		      error.cause);
	exit_on_error(table_expand(table, &error), error.cause);
	return table;
}

static FILE *
open_file(const char *path)
{
	FILE *file = fopen(path, "w");

	exit_on_error(!file, path);
	return file;
}

/* ------------------------------------------------------------------ */
/* ROC profiler's                                                       */

static void
write_events(FILE *file, const struct element *block)
{
	const char *name = element_attribute(block, "name");
	const struct element *event = element_named(block->child, "event");

	for (unsigned i = 0; event; i++) {
		if (i % 10 == 0)
			fprintf(file,
				"    <metric name=%s_%s block=%s event=%s "
				"descr=\"%s\"></metric>\n",
				name, element_attribute(event, "name"), name,
				element_attribute(event, "id"), event->text);
		event = element_named(event->next, "event");
	}
}

void
foreign_write_rocm(const char *path)
{
	struct table *table = read_table("amdgpu", "gfx9");
	FILE *file = open_file(path);
	const struct element *element;

	fputs("<gfx9>\n", file);
	for (element = element_named(table->root->child, "block"); element;
	     element = element_named(element->next, "block"))
		write_events(file, element);
	fputs("</gfx9>\n", file);
	exit_on_error(fclose(file), path);
	table_destroy(table);
}

/* ------------------------------------------------------------------ */
/* Intel's                                                              */

/* Read "9888: 166c01e0 12170280": an address holds until the next one. */
static void
write_registers(FILE *file, const struct element *list)
{
	const char *type = !strcmp(list->name, "mux")	 ? "NOA"
			   : !strcmp(list->name, "flex") ? "FLEX"
							 : "OA";
	const char *at = list->text;
	unsigned long number, address = 0;
	char *end;

	fprintf(file, "<register_config type=\"%s\">\n", type);
	for (;; at = end) {
		number = strtoul(at, &end, 16);
		if (end == at)
			break;
		if (*end == ':') {
			address = number;
			end++;
			continue;
		}
		fprintf(file,
			"<register type=\"%s\" address=\"0x%08lX\" "
			"value=\"0x%08lX\" />\n",
			type, address, number);
	}
	fputs("</register_config>\n", file);
}

static void
write_counter(FILE *file, const char *name, size_t length, unsigned slot)
{
	fprintf(file,
		"<counter name=\"%.*s\" symbol_name=\"%.*s\" "
		"underscore_name=\"%.*s\" description=\"What %.*s counts.\" "
		"data_type=\"float\" units=\"percent\" "
		"semantic_type=\"duration\" equation=\"A %u READ 100 UMUL "
		"$GpuCoreClocks FDIV\" mdapi_group=\"GPU\" "
		"mdapi_usage_flags=\"Tier1 Overview System Frame\" "
		"mdapi_supported_apis=\"VK OGL OCL IO\" />\n",
		(int)length, name, (int)length, name, (int)length, name,
		(int)length, name, slot);
}

/*
 * Read the counters that a set lists: what they compute is not the matter here.
 */
static void
write_counters(FILE *file, const struct element *set)
{
	const char *at = set->text;

	fputs("<counter name=\"Clocks\" symbol_name=\"GpuCoreClocks\" "
	      "description=\"Clocks of the core.\" data_type=\"uint64\" "
	      "units=\"cycles\" semantic_type=\"event\" "
	      "equation=\"GPU_CLOCK 0 READ\" />\n",
	      file);
	for (unsigned slot = 0; *at; slot = (slot + 1) % 32) {
		write_counter(file, at, strcspn(at, " ;"), slot);
		at += strcspn(at, ";");
		at += strspn(at, "; ");
	}
}

static void
write_set(FILE *file, const struct element *set,
	  const struct element *registers)
{
	const struct element *list;
	const char *name = element_attribute(set, "name");

	while (strcmp(element_attribute(registers, "name"), name))
		registers = registers->next;
	fprintf(file,
		"<set name=\"%s\" chipset=\"SKLGT2\" symbol_name=\"%s\" "
		"underscore_name=\"%s\" "
		"hw_config_guid=\"%s\">\n",
		element_attribute(set, "description"), name, name,
		element_attribute(registers, "guid"));
	write_counters(file, set);
	for (list = registers->child; list; list = list->next)
		write_registers(file, list);
	fputs("</set>\n", file);
}

void
foreign_write_oa(const char *path)
{
	struct table *table = read_table("i915", "sklgt2");
	struct table *registers = read_table("i915", "sklgt2.registers");
	FILE *file = open_file(path);
	const struct element *set;

	fputs("<?xml version=\"1.0\"?>\n<metrics>\n", file);
	for (set = element_named(table->root->child, "set"); set;
	     set = element_named(set->next, "set"))
		write_set(file, set, registers->root->child);
	fputs("</metrics>\n", file);
	exit_on_error(fclose(file), path);
	table_destroy(table);
	table_destroy(registers);
}
