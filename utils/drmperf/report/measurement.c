/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat writes JSON, and what record writes is turned into the same. JSON is
 * YAML, but for lines of several documents, and libyaml reads it.
 */
#include "report/measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/json_file.h"
#include "report/outputs.h"
#include "util/array.h"

double
measurement_mean(const struct measurement_value *value)
{
	return value->runs ? value->sum / (double)value->runs : NAN;
}

const struct measurement_value *
measurement_find(const struct measurement *measurement, const char *name)
{
	for (size_t i = 0; i < measurement->count; i++) {
		if (!strcmp(measurement->list[i].name, name))
			return &measurement->list[i];
	}
	return NULL;
}

void
measurement_finish(struct measurement *measurement)
{
	for (size_t i = 0; i < measurement->count; i++)
		free(measurement->list[i].name);
	free(measurement->list);
	free(measurement->command);
	*measurement = (struct measurement){ 0 };
}

#ifdef DRMPERF_YAML

/* ------------------------------------------------------------------ */
/* Text                                                                 */

/* Read a recording into the text that report --json writes. */
static int
read_recording(const struct tool *tool, const char *path, char **out)
{
	struct recording recording = { 0 };
	size_t size = 0;
	struct records records = { .format = RECORDS_JSON };
	int status = recording_open(tool, path, &recording);

	if (!status) {
		records.out = open_memstream(out, &size);
		records.command = recording.command;
		if (!records.out)
			status = tool_fail(tool, "no memory");
	}
	if (!status && report_records(&recording, UINT64_MAX, &records))
		status = tool_fail(tool, "%s is damaged, or has less than two "
					 "samples",
				   path);
	if (records.out && fclose(records.out) && !status)
		status = tool_fail(tool, "no memory");
	recording_close(&recording);
	return status;
}

/* Read a document, whichever way it was written. */
static int
read_document(const struct tool *tool, const char *path, char **out)
{
	FILE *file = fopen(path, "re");
	int first, status;

	*out = NULL;
	if (!file)
		return tool_fail(tool, "%s: %m", path);
	first = getc(file);
	if (first == '{' && ungetc(first, file) == first)
		status = json_file_read(tool, path, file, out);
	else
		status = read_recording(tool, path, out);
	fclose(file);
	return status;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

static enum drmperf_unit
find_unit(const char *name)
{
	for (unsigned i = 0; name && i < DRMPERF_UNIT_COUNT; i++) {
		if (!strcmp(drmperf_unit_name((enum drmperf_unit)i), name))
			return (enum drmperf_unit)i;
	}
	return DRMPERF_UNIT_NONE;
}

/* Make the name of an event; NULL without one, or without memory. */
static char *
make_name(yaml_document_t *document, const yaml_node_t *node)
{
	const char *event = json_file_text(document, node, "event");
	const char *device = json_file_text(document, node, "device");
	const char *die = json_file_text(document, node, "die");
	const char *instance = json_file_text(document, node, "instance");
	char *name;

	if (!event ||
	    asprintf(&name, "%s%s%s%s%s%s%s", event, device ? ":device=" : "",
		     device ? device : "", die ? ":die=" : "", die ? die : "",
		     instance ? ":instance=" : "",
		     instance ? instance : "") < 0)
		return NULL;
	return name;
}

/* Find or add the entry of an event; NULL as make_name() and without memory. */
static struct measurement_value *
find_entry(struct measurement *measurement, yaml_document_t *document,
	   const yaml_node_t *node)
{
	char *name = make_name(document, node);
	struct measurement_value *value;

	if (!name)
		return NULL;
	for (size_t i = 0; i < measurement->count; i++) {
		if (!strcmp(measurement->list[i].name, name)) {
			free(name);
			return &measurement->list[i];
		}
	}
	value = array_add(&measurement->list, &measurement->count,
			  sizeof(*value));
	if (!value) {
		free(name);
		return NULL;
	}
	*value = (struct measurement_value){ .name = name, .p95 = NAN };
	return value;
}

/* Add an event. Controls have a value of each pass, which count as runs. */
static int
add_event(struct measurement *measurement, yaml_document_t *document,
	  const yaml_node_t *node)
{
	const double number = json_file_number(document, node, "value");
	struct measurement_value *value =
		find_entry(measurement, document, node);

	if (!value)
		return -1;
	value->unit = find_unit(json_file_text(document, node, "unit"));
	value->adds_up |= !isnan(json_file_number(document, node, "rate"));
	if (isnan(number))
		return 0;
	value->sum += number;
	value->min = value->runs ? fmin(value->min, number) : number;
	value->max = value->runs ? fmax(value->max, number) : number;
	value->runs++;
	return 0;
}

static int
add_range(struct measurement *measurement, yaml_document_t *document,
	  const yaml_node_t *node)
{
	struct measurement_value *value =
		find_entry(measurement, document, node);

	if (!value)
		return -1;
	value->p95 = json_file_number(document, node, "p95");
	return 0;
}

/* Add each member of a list; nothing if it is none. */
static int
add_members(struct measurement *measurement, yaml_document_t *document,
	    const yaml_node_t *list,
	    int (*add)(struct measurement *measurement,
		       yaml_document_t *document, const yaml_node_t *node))
{
	int rc = 0;

	if (!json_file_is_list(list))
		return 0;
	for (const yaml_node_item_t *item = list->data.sequence.items.start;
	     !rc && item < list->data.sequence.items.top; item++)
		rc = add(measurement, document,
			 yaml_document_get_node(document, *item));
	return rc;
}

static int
read_members(const struct tool *tool, const char *path,
	     yaml_document_t *document, struct measurement *out)
{
	const yaml_node_t *root = yaml_document_get_root_node(document);
	const yaml_node_t *events = json_file_key(document, root, "events");
	const yaml_node_t *command = json_file_key(document, root, "command");
	int rc;

	if (!json_file_is_list(events))
		return tool_fail(tool,
				 "%s is neither a recording nor what drmperf "
				 "stat --json writes without -I",
				 path);
	out->seconds = json_file_number(document, root, "seconds");
	out->command = json_file_command(document, command);
	if (!out->command)
		return tool_fail(tool, "no memory");
	rc = add_members(out, document, events, add_event);
	if (!rc)
		rc = add_members(out, document,
				 json_file_key(document, root, "ranges"),
				 add_range);
	return rc ? tool_fail(tool, "%s: an event has no name, or there is no "
				    "memory",
			      path)
		  : 0;
}

int
measurement_read(const struct tool *tool, const char *path,
		 struct measurement *out)
{
	yaml_document_t document;
	char *text;
	int status = read_document(tool, path, &text);

	*out = (struct measurement){ .seconds = NAN };
	if (!status)
		status = json_file_parse(tool, path, text, &document);
	free(text);
	if (status)
		return status;
	status = read_members(tool, path, &document, out);
	yaml_document_delete(&document);
	return status;
}

#else /* !DRMPERF_YAML */

int
measurement_read(const struct tool *tool, const char *path,
		 struct measurement *out)
{
	(void)path;
	*out = (struct measurement){ .seconds = NAN };
	return tool_fail(tool, "drmperf was built without libyaml, which reads "
			       "what is to be compared");
}

#endif /* !DRMPERF_YAML */
