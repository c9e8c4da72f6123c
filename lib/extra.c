/* SPDX-License-Identifier: BSD-3-Clause */
#include "extra.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metric.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static int
append(struct extra_tables *extra, struct table *table,
       struct drmperf_error *error)
{
	const struct table **tables;

	tables = reallocarray(extra->tables, extra->count + 1, sizeof(*tables));
	if (!tables) {
		table_destroy(table);
		return error_set(error, -ENOMEM, "no memory for tables");
	}
	tables[extra->count++] = table;
	extra->tables = tables;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Dialects                                                             */

static int
read_events(struct extra_tables *extra, const char *path, const char *text,
	    size_t length, struct drmperf_error *error)
{
	struct table *table;
	int err;

	err = table_parse(path, text, length, &table, error);
	return err ? err : append(extra, table, error);
}

/*
 * By root element. A reader appends any number of tables, in our own dialect
 * whatever its own is.
 */
static const struct {
	const char *root;
	int (*read)(struct extra_tables *extra, const char *path,
		    const char *text, size_t length,
		    struct drmperf_error *error);
} dialects[] = {
	{ "events", read_events },
};

/* Past a construct that ends with such a mark, or to the end. */
static const char *
skip_past(const char *text, const char *mark)
{
	const char *end = strstr(text, mark);

	return end ? end + strlen(mark) : text + strlen(text);
}

/*
 * The name of the first element. Other dialects need not be well-formed XML,
 * so this looks no closer than it has to.
 */
static size_t
find_root(const char *text, const char **name)
{
	static const char blanks[] = " \t\r\n";

	if (!strncmp(text, "\xef\xbb\xbf", 3))
		text += 3; /* byte order mark */
	for (;;) {
		text += strspn(text, blanks);
		if (!strncmp(text, "<!--", 4))
			text = skip_past(text, "-->");
		else if (!strncmp(text, "<?", 2))
			text = skip_past(text, "?>");
		else
			break;
	}
	if (*text != '<')
		return 0;
	*name = text + 1;
	return strcspn(*name, "/> \t\r\n");
}

static int
count_lines(const char *text, const char *end)
{
	int lines = 1;

	for (; text < end; text++)
		lines += *text == '\n';
	return lines;
}

static int
read_dialect(struct extra_tables *extra, const char *path, const char *text,
	     size_t length, struct drmperf_error *error)
{
	const char *root = text;
	size_t root_length = find_root(text, &root), i;

	for (i = 0; i < ARRAY_SIZE(dialects); i++)
		if (root_length == strlen(dialects[i].root) &&
		    !strncmp(root, dialects[i].root, root_length))
			return dialects[i].read(extra, path, text, length,
						error);
	if (!root_length)
		return error_set(error, -EBADMSG, "%s:1: not an event table",
				 path);
	return error_set(error, -EBADMSG,
			 "%s:%d: <%.*s> is not the root of an event table",
			 path, count_lines(text, root),
			 root_length < 40 ? (int)root_length : 40, root);
}

int
extra_tables_add(struct extra_tables *extra, const char *path,
		 struct drmperf_error *error)
{
	size_t length;
	char *text;
	int err;

	err = table_load(path, &text, &length, error);
	if (err)
		return err;
	err = read_dialect(extra, path, text, length, error);
	free(text);
	return err;
}

void
extra_tables_finish(struct extra_tables *extra)
{
	size_t i;

	for (i = 0; i < extra->count; i++)
		table_destroy((struct table *)extra->tables[i]);
	free(extra->tables);
	*extra = (struct extra_tables){ 0 };
}

/* ------------------------------------------------------------------ */
/* Metrics                                                              */

/* A domain is asked for, although metrics have none: one that fits. */
static domain_index
any_domain(const struct description *description)
{
	domain_index i;

	for (i = 0; i < description->domain_count; i++)
		if (!description->domains[i].exclusive)
			return i;
	return 0;
}

static int
find_group(struct description *description, const struct table *table,
	   const struct element *element, group_index *out,
	   struct drmperf_error *error)
{
	const char *name = element_attribute(element, "group");
	const struct description_group metrics = {
		.name = METRIC_GROUP,
		.description = "Values computed from counters.",
		.domain = any_domain(description),
		.instances = 1,
		.instances_per_engine = 1,
	};

	if (!description_group_find(description, name ? name : METRIC_GROUP,
				    out))
		return 0;
	if (name)
		return element_error(table, element, error,
				     "group=\"%s\" is not a group of %s", name,
				     description->chip);
	if (description_add_group(description, &metrics, out))
		return error_set(error, -ENOMEM, "no memory for groups");
	return 0;
}

static int
apply_table(const struct table *table, struct description *description,
	    struct drmperf_error *error)
{
	struct element *element = table->root->child;
	group_index group = 0;
	int err = 0;

	while (!err && (element = element_named(element, "metric"))) {
		err = find_group(description, table, element, &group, error);
		if (!err)
			err = metric_add(description, group, table, element,
					 error);
		element = element->next;
	}
	return err;
}

int
extra_tables_apply(const struct extra_tables *extra, const char *driver,
		   struct description *description, struct drmperf_error *error)
{
	size_t i;
	int err;

	for (i = 0; i < extra->count; i++) {
		if (!table_is_for(extra->tables[i], driver,
				  description->generation))
			continue;
		err = apply_table(extra->tables[i], description, error);
		if (err)
			return err;
	}
	return 0;
}
