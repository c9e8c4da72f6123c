/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json_file.h"

#ifdef DRMPERF_YAML

#include <math.h>
#include <stdlib.h>
#include <string.h>

int
json_file_read(const struct tool *tool, const char *path, FILE *file,
	       char **out)
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

int
json_file_parse(const struct tool *tool, const char *path, const char *text,
		yaml_document_t *out)
{
	yaml_parser_t parser;
	int status = 0;

	if (!yaml_parser_initialize(&parser))
		return tool_fail(tool, "no memory");
	yaml_parser_set_input_string(&parser, (const unsigned char *)text,
				     strlen(text));
	if (!yaml_parser_load(&parser, out))
		status = tool_fail(tool, "%s is no JSON: %s in line %zu", path,
				   parser.problem ? parser.problem : "damaged",
				   parser.problem_mark.line + 1);
	yaml_parser_delete(&parser);
	return status;
}

yaml_node_t *
json_file_key(yaml_document_t *document, const yaml_node_t *node,
	      const char *key)
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

const char *
json_file_text(yaml_document_t *document, const yaml_node_t *node,
	       const char *key)
{
	const yaml_node_t *member = json_file_key(document, node, key);
	const char *text;

	if (!member || member->type != YAML_SCALAR_NODE)
		return NULL;
	text = (const char *)member->data.scalar.value;
	return member->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
			       !strcmp(text, "null")
		       ? NULL
		       : text;
}

double
json_file_number(yaml_document_t *document, const yaml_node_t *node,
		 const char *key)
{
	const char *text = json_file_text(document, node, key);

	return text ? strtod(text, NULL) : NAN;
}

bool
json_file_is_list(const yaml_node_t *node)
{
	return node && node->type == YAML_SEQUENCE_NODE;
}

char *
json_file_command(yaml_document_t *document, const yaml_node_t *list)
{
	size_t size = 0;
	char *text = NULL;
	const bool is_list = json_file_is_list(list);
	const char *before = "";
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (const yaml_node_item_t *item =
		     is_list ? list->data.sequence.items.start : NULL;
	     is_list && item < list->data.sequence.items.top; item++) {
		const yaml_node_t *word =
			yaml_document_get_node(document, *item);

		if (word->type == YAML_SCALAR_NODE)
			fprintf(out, "%s%s", before,
				(const char *)word->data.scalar.value);
		before = " ";
	}
	return fclose(out) ? NULL : text;
}

#endif /* DRMPERF_YAML */
