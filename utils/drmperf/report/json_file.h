/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of stat --json. JSON is YAML, but for lines of several documents, and
 * libyaml reads it.
 */
#ifndef DRMPERF_TOOL_REPORT_JSON_FILE_H
#define DRMPERF_TOOL_REPORT_JSON_FILE_H

#ifdef DRMPERF_YAML

#include <stdbool.h>
#include <stdio.h>
#include <yaml.h>

#include "util/tool.h"

/* Read the rest of a file. Returns 0, or TOOL_FAILED after a complaint. */
int
json_file_read(const struct tool *tool, const char *path, FILE *file,
	       char **out);

/*
 * Parse a text. yaml_document_delete() releases the document. Returns 0, or
 * TOOL_FAILED after a complaint.
 */
int
json_file_parse(const struct tool *tool, const char *path, const char *text,
		yaml_document_t *out);

/* Return the value of a key, or NULL; node may be NULL, or no object. */
yaml_node_t *
json_file_key(yaml_document_t *document, const yaml_node_t *node,
	      const char *key);

/* Return the text of a member, or NULL if it is not there, or null. */
const char *
json_file_text(yaml_document_t *document, const yaml_node_t *node,
	       const char *key);

/* Return the number of a member, or NaN. */
double
json_file_number(yaml_document_t *document, const yaml_node_t *node,
		 const char *key);

bool
json_file_is_list(const yaml_node_t *node);

/* Join the words of a command, for free(); NULL without memory. */
char *
json_file_command(yaml_document_t *document, const yaml_node_t *list);

#endif /* DRMPERF_YAML */

#endif /* DRMPERF_TOOL_REPORT_JSON_FILE_H */
