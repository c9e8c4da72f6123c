/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file has sections, elements whose name is a target ("gfx906"), or another
 * one that sections inherit from ("gfx9_expr"), maybe within one element that
 * holds them all. A section may occur several times. What it inherits with
 * base="..." comes before its own, and of metrics with the same name the last
 * one counts, as everywhere. Two names are not targets: what "const" and
 * "global" hold is for every GPU, before and after its own section.
 *
 * Learnt from the files of ROCm 2 to 6 and what ROC profiler's reader does
 * with them (src/xml/xml.h, src/core/metrics.h; Python's parser for those of
 * version 2).
 */
#include "table/foreign/readers.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/name_index.h"
#include "base/name_syntax.h"
#include "table/element.h"
#include "table/foreign/rocm.h"

#define MAX_FILES 64
#define MAX_SECTIONS 1024
#define MAX_INCLUDE_DEPTH 16

/*
 * Limit of the memory for metrics that targets take over from other sections:
 * FIRST_ROOM bytes, and ROOM_PER_BYTE more for each byte read. A small file
 * must not become a huge table.
 */
#define FIRST_ROOM ((size_t)512 << 10)
#define ROOM_PER_BYTE 24
#define TABLE_ROOM 256 /* what one more table needs */

/* An occurrence of a section: its metrics, rewritten. */
struct part {
	struct part *next;
	size_t file;
	int line;
	const char *base; /* or NULL */
	const struct element **metrics;
	size_t count;
};

struct rocm_section {
	const char *name;
	struct part *parts, **last;
	unsigned visited; /* by this number of a walk */
	/* the targets that begin with this one's name and go on */
	const char *except;
	size_t except_length; /* while it is put together */
	struct rocm_section
		*within; /* the longest target that begins this one */
};

struct rocm {
	struct arena *arena;
	/* one rewritten table per file; owns what was made of its metrics */
	struct table *files[MAX_FILES];
	const char *real_paths[MAX_FILES]; /* however a file was named */
	bool is_open[MAX_FILES]; /* not read to the end yet */
	size_t file_count;
	unsigned depth;
	struct rocm_section *sections;
	size_t section_count;
	struct name_index section_names; /* gives positions in sections */
	unsigned walk;
	size_t room;
	const struct log_sink *log;
	table_keep_fn keep;
	void *data;
	struct drmperf_error *error;
};

static int
no_memory(const struct rocm *rocm)
{
	return error_set(rocm->error, -ENOMEM, "no memory for metric files");
}

/* ------------------------------------------------------------------ */
/* Sections                                                             */

static struct rocm_section *
find_section(const struct rocm *rocm, const char *name)
{
	uint32_t hash = hash_text(name), i;
	size_t cursor = 0;

	while ((i = name_index_next(&rocm->section_names, hash, &cursor)) !=
	       NAME_INDEX_END)
		if (!strcmp(rocm->sections[i].name, name))
			return &rocm->sections[i];
	return NULL;
}

/* Keep a name as long as the tables: these are in the first file's. */
static const char *
keep_name(const struct rocm *rocm, const char *name)
{
	return arena_strndup(rocm->files[0]->arena, name, strlen(name));
}

static int
find_or_add_section(struct rocm *rocm, const struct table *table,
		    const struct element *element, struct rocm_section **out)
{
	struct rocm_section *section = find_section(rocm, element->name);

	if (!section) {
		if (rocm->section_count == MAX_SECTIONS)
			return error_set(rocm->error, -E2BIG,
					 "%s:%d: more than %d sections",
					 table->path, element->line,
					 MAX_SECTIONS);
		section = &rocm->sections[rocm->section_count];
		section->name = keep_name(rocm, element->name);
		section->last = &section->parts;
		if (!section->name)
			return no_memory(rocm);
		name_index_insert(&rocm->section_names,
				  hash_text(section->name),
				  (uint32_t)rocm->section_count++);
	}
	*out = section;
	return 0;
}

static size_t
count_children(const struct element *element)
{
	size_t count = 0;

	for (element = element->child; element; element = element->next)
		count++;
	return count;
}

static int
rewrite_metrics(struct rocm *rocm, const struct table *table,
		const struct element *section, struct part *part)
{
	const struct element *metric = section->child;
	const struct element *rewritten = NULL;
	int ret;

	part->metrics = arena_alloc(rocm->arena, (count_children(section) +
						  1) * sizeof(*part->metrics));
	if (!part->metrics)
		return no_memory(rocm);
	for (; metric; metric = metric->next) {
		ret = rocm_metric_rewrite(rocm->files[part->file], table,
					  metric, rocm->log, &rewritten);
		if (ret)
			return no_memory(rocm);
		if (rewritten)
			part->metrics[part->count++] = rewritten;
	}
	return 0;
}

static int
read_section(struct rocm *rocm, const struct table *table,
	     const struct element *element, size_t file)
{
	const char *base = element_attribute(element, "base");
	struct part *part = arena_alloc(rocm->arena, sizeof(*part));
	struct rocm_section *section = NULL;
	int ret;

	if (!part)
		return no_memory(rocm);
	ret = find_or_add_section(rocm, table, element, &section);
	if (ret)
		return ret;
	part->file = file;
	part->line = element->line;
	if (base) {
		part->base = arena_strndup(rocm->arena, base, strlen(base));
		if (!part->base)
			return no_memory(rocm);
	}
	ret = rewrite_metrics(rocm, table, element, part);
	if (ret)
		return ret;
	*section->last = part;
	section->last = &part->next;
	return 0;
}

/*
 * Check the bases of sections, once all are known: a section may inherit from
 * one behind it.
 */
static void
check_bases(const struct rocm *rocm)
{
	for (size_t i = 0; i < rocm->section_count; i++) {
		const struct rocm_section *section = &rocm->sections[i];
		const struct part *part = section->parts;

		for (; part; part = part->next) {
			if (!part->base || find_section(rocm, part->base))
				continue;
			log_write(rocm->log, DRMPERF_LOG_WARNING,
				  "%s:%d: <%.40s> inherits from \"%.40s\", "
				  "which is not there",
				  rocm->files[part->file]->path, part->line,
				  section->name, part->base);
		}
	}
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

static int
read_text(struct rocm *rocm, const char *path, const char *real,
	  const char *text, size_t length);

static size_t
find_file(const struct rocm *rocm, const char *path)
{
	size_t i = 0;

	while (i < rocm->file_count && strcmp(rocm->real_paths[i], path))
		i++;
	return i;
}

/*
 * Make the path of an included file: a name in a file is relative to the folder
 * of that file. -ENAMETOOLONG; what cannot be resolved stays as it is.
 */
static int
included_path(const char *path, const char *name, char file[PATH_MAX],
	      char real[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	int folder = *name == '/' || !slash ? 0 : (int)(slash + 1 - path);

	if (snprintf(file, PATH_MAX, "%.*s%s", folder, path, name) >= PATH_MAX)
		return -ENAMETOOLONG;
	if (!realpath(file, real))
		strcpy(real, file);
	return 0;
}

static int
check_depth(const struct rocm *rocm, const struct table *table,
	    const struct element *element, bool is_open)
{
	if (is_open)
		return error_set(rocm->error, -ELOOP,
				 "%s:%d: the file includes itself", table->path,
				 element->line);
	if (rocm->depth == MAX_INCLUDE_DEPTH)
		return error_set(rocm->error, -E2BIG,
				 "%s:%d: files include each other more than "
				 "%d deep",
				 table->path, element->line, MAX_INCLUDE_DEPTH);
	return 0;
}

/*
 * Read an included file; what one that cannot be read would have said is left
 * out.
 */
static int
rocm_include(struct rocm *rocm, const struct table *table,
	     const struct element *element)
{
	const char *name = element_attribute(element, ROCM_INCLUDE);
	char path[PATH_MAX], real[PATH_MAX];
	struct drmperf_error cause = { .cause = "the name is too long" };
	size_t length, file;
	char *text;
	int ret = included_path(table->path, name, path, real);

	file = ret ? rocm->file_count : find_file(rocm, real);
	if (file < rocm->file_count && !rocm->is_open[file])
		return 0;
	if (!ret) {
		ret = check_depth(rocm, table, element,
				  file < rocm->file_count);
		if (ret)
			return ret;
		ret = table_load(path, &text, &length, &cause);
	}
	if (ret) {
		log_write(rocm->log, DRMPERF_LOG_WARNING, "%s:%d: %s",
			  table->path, element->line, cause.cause);
		return 0;
	}
	ret = read_text(rocm, path, real, text, length);
	free(text);
	return ret;
}

/*
 * Return whether an element is a section, which has metrics, or inherits them;
 * what has neither holds sections.
 */
static bool
is_section(const struct element *element)
{
	return element_attribute(element, "base") || !element->child ||
	       element_named(element->child, "metric");
}

static int
read_elements(struct rocm *rocm, const struct table *table,
	      const struct element *element, size_t file)
{
	bool told = false;
	int ret = 0;

	for (; element && !ret; element = element->next) {
		if (element_attribute(element, ROCM_INCLUDE)) {
			ret = rocm_include(rocm, table, element);
		} else if (strcmp(element->name, "metric")) {
			ret = is_section(element)
				      ? read_section(rocm, table, element, file)
				      : read_elements(rocm, table,
						      element->child, file);
		} else if (!told) {
			log_write(rocm->log, DRMPERF_LOG_WARNING,
				  "%s:%d: a metric outside of the section of "
				  "any GPU; left out, as are others there",
				  table->path, element->line);
			told = true;
		}
	}
	return ret;
}

static int
read_text(struct rocm *rocm, const char *path, const char *real,
	  const char *text, size_t length)
{
	size_t file = rocm->file_count;
	struct table *table;
	int ret;

	if (file == MAX_FILES)
		return error_set(rocm->error, -E2BIG,
				 "%s: more than %d files are included", path,
				 MAX_FILES);
	ret = rocm_yaml_is(text)
		      ? rocm_yaml_parse(path, text, length, rocm->log, &table,
					rocm->error)
		      : rocm_xml_parse(path, text, length, rocm->log, &table,
				       rocm->error);
	if (ret)
		return ret;
	rocm->room += ROOM_PER_BYTE * length;
	rocm->real_paths[file] =
		arena_strndup(rocm->arena, real, strlen(real));
	rocm->files[file] = rocm->real_paths[file] ? table_create(path) : NULL;
	if (rocm->files[file]) {
		rocm->file_count++;
		rocm->is_open[file] = true;
		rocm->depth++;
		ret = read_elements(rocm, table, table->root->child, file);
		rocm->depth--;
		rocm->is_open[file] = false;
	} else {
		ret = no_memory(rocm);
	}
	table_destroy(table);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Targets                                                              */

/*
 * Return whether a name is "gfx" and a number, such as the compiler has for
 * GPUs.
 */
static bool
is_target(const char *name)
{
	size_t length = strlen(name);

	return length > 3 && !strncmp(name, "gfx", 3) &&
	       strspn(name + 3, "0123456789abcdef") == length - 3;
}

static int
compare_names(const void *a, const void *b)
{
	const struct rocm_section *const *left = a, *const *right = b;

	return strcmp((*left)->name, (*right)->name);
}

/* Return the targets in the order of their names; NULL: no memory. */
static struct rocm_section **
sort_targets(const struct rocm *rocm, size_t *count)
{
	struct rocm_section **targets = arena_alloc(
		rocm->arena, (rocm->section_count + 1) * sizeof(*targets));

	*count = 0;
	for (size_t i = 0; i < rocm->section_count && targets; i++)
		if (is_target(rocm->sections[i].name))
			targets[(*count)++] = &rocm->sections[i];
	if (targets)
		qsort(targets, *count, sizeof(*targets), compare_names);
	return targets;
}

/*
 * Find out which targets go on where another one ends. The next longer ones are
 * enough: a GPU that is any of the longer ones is one of those, too.
 */
static void
nest_targets(struct rocm_section **targets, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct rocm_section *within = targets[i - 1];

		while (within && strncmp(targets[i]->name, within->name,
					 strlen(within->name)))
			within = within->within;
		targets[i]->within = within;
		if (within)
			within->except_length += strlen(targets[i]->name) + 1;
	}
}

static int
list_others(const struct rocm *rocm)
{
	struct rocm_section **targets;
	size_t count;

	targets = sort_targets(rocm, &count);
	if (!targets)
		return no_memory(rocm);
	nest_targets(targets, count);
	for (size_t i = 0; i < count; i++) {
		struct rocm_section *section = targets[i],
				    *within = section->within;
		char *text = arena_alloc(rocm->files[0]->arena,
					 section->except_length + 1);

		if (!text)
			return no_memory(rocm);
		section->except = text;
		section->except_length = 0;
		if (!within)
			continue;
		text = (char *)within->except + within->except_length;
		within->except_length += (size_t)sprintf(
			text, "%s%s", within->except_length ? " " : "",
			section->name);
	}
	return 0;
}

/* A table being filled with what one target takes from one file. */
struct rocm_output {
	struct table *table;
	struct element **next;
};

struct outputs {
	const char *target, *except; /* both NULL: for every GPU */
	struct rocm_output files[MAX_FILES];
};

/* Charge for what targets may take over. */
static int
rocm_charge(struct rocm *rocm, const struct part *part, size_t size)
{
	if (size > rocm->room)
		return error_set(rocm->error, -E2BIG,
				 "%s:%d: too much is inherited, for files as "
				 "short as these",
				 rocm->files[part->file]->path, part->line);
	rocm->room -= size;
	return 0;
}

static int
begin_output(struct rocm *rocm, const struct outputs *outputs, size_t file,
	     struct rocm_output *output)
{
	struct table *table = table_share(rocm->files[file]);
	struct element *root;

	if (!table)
		return no_memory(rocm);
	output->table = table;
	root = table_element(table, "events", 1, 4);
	if (!root)
		return no_memory(rocm);
	element_set(root, "driver", "amdgpu");
	element_set(root, "foreign", "rocm");
	element_set(root, "target", outputs->target);
	element_set(root, "except", outputs->except);
	table->root = root;
	output->next = &root->child;
	return 0;
}

/*
 * Add a metric to a target's table. The metric itself is shared among targets,
 * its place in a list is not.
 */
static int
rocm_emit(struct rocm *rocm, struct rocm_output *output,
	  const struct element *metric)
{
	struct element *copy = arena_alloc(output->table->arena, sizeof(*copy));

	if (!copy)
		return no_memory(rocm);
	*copy = *metric;
	copy->next = NULL;
	*output->next = copy;
	output->next = &copy->next;
	return 0;
}

static int
emit_part(struct rocm *rocm, struct outputs *outputs, const struct part *part)
{
	struct rocm_output *output = &outputs->files[part->file];
	bool is_new = part->count && !output->table;
	int ret;

	ret = rocm_charge(rocm, part,
			  sizeof(*part) + (is_new ? TABLE_ROOM : 0) +
				  part->count * sizeof(struct element));
	if (!ret && is_new)
		ret = begin_output(rocm, outputs, part->file, output);
	for (size_t i = 0; i < part->count && !ret; i++)
		ret = rocm_emit(rocm, output, part->metrics[i]);
	return ret;
}

/* Emit the metrics a section inherits, then its own; each section once. */
static int
emit_section(struct rocm *rocm, struct outputs *outputs,
	     struct rocm_section *section)
{
	const struct part *part;
	int ret = 0;

	section->visited = rocm->walk;
	for (part = section->parts; part && !ret; part = part->next) {
		struct rocm_section *base =
			part->base ? find_section(rocm, part->base) : NULL;

		if (base && base->visited != rocm->walk)
			ret = emit_section(rocm, outputs, base);
	}
	for (part = section->parts; part && !ret; part = part->next)
		ret = emit_part(rocm, outputs, part);
	return ret;
}

/* Fill the tables of a target, and hand them over. */
static int
emit_tables(struct rocm *rocm, struct outputs *outputs,
	    struct rocm_section *section)
{
	int ret;

	rocm->walk++;
	ret = emit_section(rocm, outputs, section);
	for (size_t i = 0; i < rocm->file_count; i++) {
		struct table *table = outputs->files[i].table;

		if (table && !ret)
			ret = rocm->keep(rocm->data, table, rocm->error);
		else
			table_destroy(table);
	}
	return ret;
}

static int
emit_target(struct rocm *rocm, struct rocm_section *section)
{
	struct outputs outputs = {
		.target = section->name,
		.except = section->except,
	};

	return emit_tables(rocm, &outputs, section);
}

static int
emit_for_targets(struct rocm *rocm, const char *name, bool *any)
{
	struct rocm_section *section = find_section(rocm, name);
	struct outputs outputs = { 0 };

	if (!section)
		return 0;
	*any = true;
	return emit_tables(rocm, &outputs, section);
}

static int
emit_outputs(struct rocm *rocm)
{
	bool any = false;
	int ret = list_others(rocm);

	if (!ret)
		ret = emit_for_targets(rocm, "const", &any);

	for (size_t i = 0; i < rocm->section_count && !ret; i++) {
		if (!is_target(rocm->sections[i].name))
			continue;
		any = true;
		ret = emit_target(rocm, &rocm->sections[i]);
	}
	if (!ret)
		ret = emit_for_targets(rocm, "global", &any);
	if (!any && !ret)
		log_write(rocm->log, DRMPERF_LOG_WARNING,
			  "%s: there is no section of a GPU, such as <gfx9>",
			  rocm->files[0]->path);
	return ret;
}

/* Keep the files, too, which own the metrics that the targets' tables share. */
static int
keep_files(struct rocm *rocm, int ret)
{
	for (size_t i = 0; i < rocm->file_count; i++) {
		struct table *file = rocm->files[i];

		if (!ret)
			file->root = table_element(file, "#metrics", 1, 0);
		if (!ret && !file->root)
			ret = no_memory(rocm);
		if (!ret)
			ret = rocm->keep(rocm->data, file, rocm->error);
		else
			table_destroy(file);
	}
	return ret;
}

static int
read_rocm_text(struct rocm *rocm, const char *path, const char *text,
	       size_t length)
{
	char real[PATH_MAX];
	int ret;

	rocm->sections = arena_alloc(rocm->arena,
				     MAX_SECTIONS * sizeof(*rocm->sections));
	if (!rocm->sections ||
	    name_index_init(&rocm->section_names, MAX_SECTIONS))
		return no_memory(rocm);
	ret = read_text(rocm, path, realpath(path, real) ? real : path, text,
			length);
	if (ret)
		return ret;
	check_bases(rocm);
	return emit_outputs(rocm);
}

int
rocm_read(const char *path, const char *text, size_t length,
	  const struct log_sink *log, table_keep_fn keep, void *data,
	  struct drmperf_error *error)
{
	struct rocm rocm = {
		.arena = arena_create(),
		.room = FIRST_ROOM,
		.log = log,
		.keep = keep,
		.data = data,
		.error = error,
	};
	int ret;

	if (!rocm.arena)
		return no_memory(&rocm);
	ret = read_rocm_text(&rocm, path, text, length);
	ret = keep_files(&rocm, ret);
	name_index_finish(&rocm.section_names);
	arena_destroy(rocm.arena);
	return ret;
}
