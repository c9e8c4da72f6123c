/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat writes JSON, and what record writes is turned into the same. JSON is
 * YAML, but for lines of several documents, and libyaml reads it.
 */
#include "report/measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/outputs.h"

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

#include <yaml.h>

#define NUMBER_SIZE 40

/* ------------------------------------------------------------------ */
/* Text                                                                 */

static int
read_text(const struct tool *tool, const char *path, FILE *file, char **out)
{
	size_t size = 0;
	FILE *copy = open_memstream(out, &size);
	char part[4096];
	size_t got;

	if (!copy)
		return tool_fail(tool, "no memory");
	while ((got = fread(part, 1, sizeof(part), file)) > 0)
		fwrite(part, 1, got, copy);
	if (ferror(file)) {
		fclose(copy);
		return tool_fail(tool, "cannot read %s", path);
	}
	return fclose(copy) ? tool_fail(tool, "no memory") : 0;
}

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
		status = read_text(tool, path, file, out);
	else
		status = read_recording(tool, path, out);
	fclose(file);
	return status;
}

/* ------------------------------------------------------------------ */
/* JSON                                                                 */

/* The value of a key, or NULL. */
static yaml_node_t *
find_key(yaml_document_t *document, const yaml_node_t *node, const char *key)
{
	if (!node || node->type != YAML_MAPPING_NODE)
		return NULL;
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++) {
		const yaml_node_t *name =
			yaml_document_get_node(document, pair->key);

		if (name->type == YAML_SCALAR_NODE &&
		    !strcmp((const char *)name->data.scalar.value, key))
			return yaml_document_get_node(document, pair->value);
	}
	return NULL;
}

/* The text of a member, or NULL: it is not there, or null. */
static const char *
find_text(yaml_document_t *document, const yaml_node_t *node, const char *key)
{
	const yaml_node_t *member = find_key(document, node, key);
	const char *text;

	if (!member || member->type != YAML_SCALAR_NODE)
		return NULL;
	text = (const char *)member->data.scalar.value;
	return member->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
			       !strcmp(text, "null")
		       ? NULL
		       : text;
}

static double
find_number(yaml_document_t *document, const yaml_node_t *node,
	    const char *key)
{
	const char *text = find_text(document, node, key);

	return text ? strtod(text, NULL) : NAN;
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

static char *
make_name(yaml_document_t *document, const yaml_node_t *node)
{
	const char *event = find_text(document, node, "event");
	const char *device = find_text(document, node, "device");
	const char *instance = find_text(document, node, "instance");
	char *name;

	if (!event || asprintf(&name, "%s%s%s%s%s", event,
			       device ? ":device=" : "", device ? device : "",
			       instance ? ":instance=" : "",
			       instance ? instance : "") < 0)
		return NULL;
	return name;
}

/* The entry of a name, which becomes the measurement's; NULL without memory. */
static struct measurement_value *
entry_of(struct measurement *measurement, char *name)
{
	struct measurement_value *list;

	for (size_t i = 0; i < measurement->count; i++) {
		if (!strcmp(measurement->list[i].name, name)) {
			free(name);
			return &measurement->list[i];
		}
	}
	list = reallocarray(measurement->list, measurement->count + 1,
			    sizeof(*list));
	if (!list) {
		free(name);
		return NULL;
	}
	measurement->list = list;
	list += measurement->count++;
	*list = (struct measurement_value){ .name = name };
	return list;
}

/* Controls have a value of each pass, which count as runs. */
static int
add_event(struct measurement *measurement, yaml_document_t *document,
	  const yaml_node_t *node)
{
	const double number = find_number(document, node, "value");
	char *name = make_name(document, node);
	struct measurement_value *value;

	if (!name)
		return -1;
	value = entry_of(measurement, name);
	if (!value)
		return -1;
	value->unit = find_unit(find_text(document, node, "unit"));
	value->adds_up |= !isnan(find_number(document, node, "rate"));
	if (isnan(number))
		return 0;
	value->sum += number;
	value->min = value->runs ? fmin(value->min, number) : number;
	value->max = value->runs ? fmax(value->max, number) : number;
	value->runs++;
	return 0;
}

static char *
join_command(yaml_document_t *document, const yaml_node_t *list)
{
	size_t size = 0;
	char *text = NULL;
	const char *before = "";
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (const yaml_node_item_t *item =
		     list ? list->data.sequence.items.start : NULL;
	     list && item < list->data.sequence.items.top; item++) {
		const yaml_node_t *word =
			yaml_document_get_node(document, *item);

		if (word->type == YAML_SCALAR_NODE)
			fprintf(out, "%s%s", before,
				(const char *)word->data.scalar.value);
		before = " ";
	}
	return fclose(out) ? NULL : text;
}

static bool
is_list(const yaml_node_t *node)
{
	return node && node->type == YAML_SEQUENCE_NODE;
}

static int
read_members(const struct tool *tool, const char *path,
	     yaml_document_t *document, struct measurement *out)
{
	const yaml_node_t *root = yaml_document_get_root_node(document);
	const yaml_node_t *events = find_key(document, root, "events");
	const yaml_node_t *command = find_key(document, root, "command");
	int rc = 0;

	if (!is_list(events))
		return tool_fail(tool,
				 "%s is neither a recording nor what drmperf "
				 "stat --json writes without -I",
				 path);
	out->seconds = find_number(document, root, "seconds");
	out->command =
		join_command(document, is_list(command) ? command : NULL);
	if (!out->command)
		return tool_fail(tool, "no memory");
	for (const yaml_node_item_t *item = events->data.sequence.items.start;
	     !rc && item < events->data.sequence.items.top; item++)
		rc = add_event(out, document,
			       yaml_document_get_node(document, *item));
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
	yaml_parser_t parser;
	char *text;
	int status = read_document(tool, path, &text);

	*out = (struct measurement){ .seconds = NAN };
	if (status || !yaml_parser_initialize(&parser)) {
		free(text);
		return status ? status : tool_fail(tool, "no memory");
	}
	yaml_parser_set_input_string(&parser, (const unsigned char *)text,
				     strlen(text));
	if (yaml_parser_load(&parser, &document)) {
		status = read_members(tool, path, &document, out);
		yaml_document_delete(&document);
	} else {
		status = tool_fail(tool, "%s is no JSON: %s in line %zu", path,
				   parser.problem ? parser.problem : "damaged",
				   parser.problem_mark.line + 1);
	}
	yaml_parser_delete(&parser);
	free(text);
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
