/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Schema 1 of ROCm 7 is a list of counters below rocprofiler-sdk: counters,
 * each with definitions for lists of architectures. In ROCm 6 the counters are
 * the keys of the file, and their architectures keys as "gfx942/gfx941/gfx940".
 */
#include "table/foreign/rocm.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Past blanks, comments, and the mark that begins a document. */
static const char *
skip_preface(const char *text)
{
	if (!strncmp(text, "\xef\xbb\xbf", 3))
		text += 3; /* byte order mark */
	for (;;) {
		text += strspn(text, " \t\r\n");
		if (*text != '#' && strncmp(text, "---", 3) != 0)
			return text;
		text += strcspn(text, "\n");
	}
}

bool
rocm_yaml_is(const char *text)
{
	text = skip_preface(text);
	if (!isalpha((unsigned char)*text))
		return false;
	while (isalnum((unsigned char)*text) || *text == '_' || *text == '-')
		text++;
	return *text == ':' && (text[1] == '\n' || text[1] == '\r');
}

#ifdef DRMPERF_YAML

#include <yaml.h>

#include "base/arena.h"
#include "base/array.h"
#include "table/element.h"

#define MAX_SECTIONS 256

/* The metrics of a GPU, in the order of the file. */
struct yaml_section {
	struct element *element, **next;
};

struct yaml_reader {
	const char *path;
	const struct log_sink *log;
	struct drmperf_error *error;
	yaml_document_t *document;
	struct table *table;
	struct element **next_section;
	struct yaml_section sections[MAX_SECTIONS];
	size_t section_count;
	size_t metric_count;
};

/* The nodes of a counter's definition. */
struct yaml_definition {
	const yaml_node_t *name, *description, *block, *event, *expression;
};

static int
no_memory(const struct yaml_reader *reader)
{
	return error_set(reader->error, -ENOMEM, "no memory for %s",
			 reader->path);
}

/* ------------------------------------------------------------------ */
/* Nodes                                                                */

static const yaml_node_t *
node_at(const struct yaml_reader *reader, int index)
{
	return yaml_document_get_node(reader->document, index);
}

static bool
is_mapping(const yaml_node_t *node)
{
	return node && node->type == YAML_MAPPING_NODE;
}

static bool
is_scalar(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE;
}

static const char *
text_of(const yaml_node_t *node)
{
	return (const char *)node->data.scalar.value;
}

/*
 * Return the value of a key; NULL if there is none, or the node is no mapping.
 */
static const yaml_node_t *
find_key(const struct yaml_reader *reader, const yaml_node_t *node,
	 const char *key)
{
	if (!is_mapping(node))
		return NULL;
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++) {
		const yaml_node_t *name = node_at(reader, pair->key);

		if (is_scalar(name) && !strcmp(text_of(name), key))
			return node_at(reader, pair->value);
	}
	return NULL;
}

/* Return the n-th entry of a sequence; NULL behind the last. */
static const yaml_node_t *
entry_at(const struct yaml_reader *reader, const yaml_node_t *node, size_t n)
{
	if (!node || node->type != YAML_SEQUENCE_NODE ||
	    n >= (size_t)(node->data.sequence.items.top -
			  node->data.sequence.items.start))
		return NULL;
	return node_at(reader, node->data.sequence.items.start[n]);
}

/* ------------------------------------------------------------------ */
/* Metrics                                                              */

static int
find_section(struct yaml_reader *reader, const char *name, size_t length,
	     int line, struct yaml_section **out)
{
	struct yaml_section *section = reader->sections;
	char *copy;

	for (; section < reader->sections + reader->section_count; section++) {
		const char *it = section->element->name;

		if (!strncmp(it, name, length) && !it[length]) {
			*out = section;
			return 0;
		}
	}
	if (reader->section_count == MAX_SECTIONS)
		return error_set(reader->error, -E2BIG,
				 "%s:%d: more than %d architectures",
				 reader->path, line, MAX_SECTIONS);
	copy = arena_strndup(reader->table->arena, name, length);
	section->element =
		copy ? table_element(reader->table, copy, line, 0) : NULL;
	if (!section->element)
		return no_memory(reader);
	section->next = &section->element->child;
	*reader->next_section = section->element;
	reader->next_section = &section->element->next;
	reader->section_count++;
	*out = section;
	return 0;
}

static int
set_text(const struct yaml_reader *reader, struct element *element,
	 const char *name, const yaml_node_t *node)
{
	const char *text;

	if (!is_scalar(node))
		return 0;
	text = arena_strndup(reader->table->arena, text_of(node),
			     node->data.scalar.length);
	if (!text)
		return no_memory(reader);
	element_set(element, name, text);
	return 0;
}

static int
add_metric(struct yaml_reader *reader, const char *target, size_t length,
	   const struct yaml_definition *definition)
{
	const int line = (int)definition->name->start_mark.line + 1;
	const struct {
		const char *name;
		const yaml_node_t *node;
	} attributes[] = {
		{ "name", definition->name },
		{ "descr", definition->description },
		{ "block", definition->block },
		{ "event", definition->event },
		{ "expr", definition->expression },
	};
	struct yaml_section *section = NULL;
	struct element *metric;
	int ret = find_section(reader, target, length, line, &section);

	if (ret)
		return ret;
	metric = table_element(reader->table, "metric", line,
			       ARRAY_SIZE(attributes));
	if (!metric)
		return no_memory(reader);
	for (size_t i = 0; i < ARRAY_SIZE(attributes) && !ret; i++)
		ret = set_text(reader, metric, attributes[i].name,
			       attributes[i].node);
	*section->next = metric;
	section->next = &metric->next;
	reader->metric_count++;
	return ret;
}

/* Add targets, as of "gfx942/gfx941". */
static int
add_targets(struct yaml_reader *reader, const yaml_node_t *targets,
	    const struct yaml_definition *definition)
{
	const char *text = is_scalar(targets) ? text_of(targets) : "";
	int ret = 0;

	while (*text && !ret) {
		size_t length = strcspn(text, "/");

		if (length)
			ret = add_metric(reader, text, length, definition);
		text += length + (text[length] == '/');
	}
	return ret;
}

static void
read_definition(const struct yaml_reader *reader, const yaml_node_t *node,
		struct yaml_definition *definition)
{
	definition->block = find_key(reader, node, "block");
	definition->event = find_key(reader, node, "event");
	definition->expression = find_key(reader, node, "expression");
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

static int
read_counter(struct yaml_reader *reader, const yaml_node_t *counter)
{
	const yaml_node_t *list = find_key(reader, counter, "definitions");
	const yaml_node_t *node, *targets, *target;
	struct yaml_definition definition = {
		.name = find_key(reader, counter, "name"),
		.description = find_key(reader, counter, "description"),
	};
	int ret = 0;

	if (!is_scalar(definition.name)) {
		log_write(reader->log, DRMPERF_LOG_WARNING,
			  "%s:%zu: a counter without a name; left out",
			  reader->path, counter->start_mark.line + 1);
		return 0;
	}
	for (size_t i = 0; (node = entry_at(reader, list, i)) && !ret; i++) {
		read_definition(reader, node, &definition);
		targets = find_key(reader, node, "architectures");
		for (size_t j = 0;
		     (target = entry_at(reader, targets, j)) && !ret; j++)
			ret = add_targets(reader, target, &definition);
	}
	return ret;
}

/* Read a counter of the older files, by its name. */
static int
read_named(struct yaml_reader *reader, const yaml_node_t *name,
	   const yaml_node_t *counter)
{
	const yaml_node_t *list = find_key(reader, counter, "architectures");
	struct yaml_definition definition = {
		.name = name,
		.description = find_key(reader, counter, "description"),
	};
	int ret = 0;

	if (!is_scalar(name) || !is_mapping(list))
		return 0;
	for (const yaml_node_pair_t *pair = list->data.mapping.pairs.start;
	     pair < list->data.mapping.pairs.top && !ret; pair++) {
		read_definition(reader, node_at(reader, pair->value),
				&definition);
		ret = add_targets(reader, node_at(reader, pair->key),
				  &definition);
	}
	return ret;
}

static int
read_document(struct yaml_reader *reader)
{
	const yaml_node_t *root =
		yaml_document_get_root_node(reader->document);
	const yaml_node_t *list = find_key(
		reader, find_key(reader, root, "rocprofiler-sdk"), "counters");
	const yaml_node_t *counter;
	int ret = 0;

	for (size_t i = 0; (counter = entry_at(reader, list, i)) && !ret; i++)
		ret = read_counter(reader, counter);
	if (list || !is_mapping(root) || ret)
		return ret;
	for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
	     pair < root->data.mapping.pairs.top && !ret; pair++)
		ret = read_named(reader, node_at(reader, pair->key),
				 node_at(reader, pair->value));
	return ret;
}

static int
make_table(struct yaml_reader *reader)
{
	int ret;

	reader->table = table_create(reader->path);
	if (!reader->table)
		return no_memory(reader);
	reader->table->root = table_element(reader->table, "#file", 1, 0);
	if (!reader->table->root)
		return no_memory(reader);
	reader->next_section = &reader->table->root->child;
	ret = read_document(reader);
	if (!ret && !reader->metric_count)
		ret = error_set(reader->error, -EBADMSG,
				"%s:1: this is YAML, but defines no counters "
				"as files of rocprofiler-sdk do",
				reader->path);
	return ret;
}

static int
reader_malformed(const struct yaml_reader *reader, const yaml_parser_t *parser)
{
	if (parser->error == YAML_MEMORY_ERROR)
		return no_memory(reader);
	return error_set(reader->error, -EBADMSG, "%s:%zu: %s", reader->path,
			 parser->problem_mark.line + 1,
			 parser->problem ? parser->problem : "is no YAML");
}

int
rocm_yaml_parse(const char *path, const char *text, size_t length,
		const struct log_sink *log, struct table **out,
		struct drmperf_error *error)
{
	struct yaml_reader reader = { .path = path,
				      .log = log,
				      .error = error };
	yaml_document_t document;
	yaml_parser_t parser;
	int ret;

	if (!yaml_parser_initialize(&parser))
		return no_memory(&reader);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text,
				     length);
	if (yaml_parser_load(&parser, &document)) {
		reader.document = &document;
		ret = make_table(&reader);
		yaml_document_delete(&document);
	} else {
		ret = reader_malformed(&reader, &parser);
	}
	yaml_parser_delete(&parser);
	if (ret)
		table_destroy(reader.table);
	else
		*out = reader.table;
	return ret;
}

#else /* without libyaml */

int
rocm_yaml_parse(const char *path, const char *text, size_t length,
		const struct log_sink *log, struct table **out,
		struct drmperf_error *error)
{
	(void)text;
	(void)length;
	(void)log;
	(void)out;
	return error_set(error, -ENOTSUP,
			 "%s is YAML, as rocprofiler-sdk has its counters, and "
			 "drmperf was built without libyaml, which reads it",
			 path);
}

#endif
