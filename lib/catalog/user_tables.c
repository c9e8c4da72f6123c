/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/user_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "driver/metric.h"
#include "table/foreign/oa_xml.h"
#include "table/foreign/rocm.h"
#include "table/rows.h"

static int
append(struct user_tables *user, struct table *table,
       struct drmperf_error *error)
{
	const struct table **tables;

	tables = reallocarray(user->tables, user->count + 1, sizeof(*tables));
	if (!tables) {
		table_destroy(table);
		return error_set(error, -ENOMEM, "no memory for tables");
	}
	tables[user->count++] = table;
	user->tables = tables;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Dialects                                                             */

/* A file that is being read. */
struct source {
	struct user_tables *user;
	const char *path, *text;
	size_t length;
	const struct log_sink *log;
};

static int
read_events(const struct source *source, struct drmperf_error *error)
{
	struct table *table;
	int err;

	err = table_parse(source->path, source->text, source->length, &table,
			  error);
	if (err)
		return err;
	err = append(source->user, table, error);
	return err ? err : table_expand(table, error);
}

static int
keep_table(void *user, struct table *table, struct drmperf_error *error)
{
	return append(user, table, error);
}

static int
read_rocm(const struct source *source, struct drmperf_error *error)
{
	return rocm_read(source->path, source->text, source->length,
			 source->log, keep_table, source->user, error);
}

static int
read_oa(const struct source *source, struct drmperf_error *error)
{
	return oa_xml_read(source->path, source->text, source->length,
			   source->log, keep_table, source->user, error);
}

/* Lists of the GUIDs that metric sets have: they lie beside them. */
static int
read_nothing(const struct source *source, struct drmperf_error *error)
{
	(void)source;
	(void)error;
	return 0;
}

/*
 * By root element, and where the root is not enough by the element after it.
 * A reader appends any number of tables, in our own dialect whatever its own
 * is.
 */
static const struct dialect {
	const char *root, *next; /* NULL: any */
	int (*read)(const struct source *source, struct drmperf_error *error);
} dialects[] = {
	{ "events", NULL, read_events },
	{ "metrics", "set", read_oa },
	{ "guids", NULL, read_nothing },
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
find_element(const char *text, const char **name)
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
		else if (*text == '#')
			text = skip_past(text, "\n");
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

static bool
is_name(const char *text, size_t length, const char *name)
{
	return !name ||
	       (length == strlen(name) && !strncmp(text, name, length));
}

/*
 * ROC profiler's files have the sections of GPUs at the top or within an
 * element of any name, and may begin with its own kind of comment.
 */
static bool
is_rocm(const char *text, const char *root, size_t root_length,
	const char *next, size_t next_length)
{
	return text[strspn(text, " \t\r\n")] == '#' ||
	       (root_length > 3 && !strncmp(root, "gfx", 3)) ||
	       (next_length > 3 && !strncmp(next, "gfx", 3)) ||
	       is_name(root, root_length, "metric") ||
	       is_name(next, next_length, "metric");
}

static int
read_dialect(const struct source *source, struct drmperf_error *error)
{
	const char *root = source->text, *next = "";
	size_t root_length = find_element(root, &root), next_length, i;

	next_length = find_element(skip_past(root, ">"), &next);
	for (i = 0; i < ARRAY_SIZE(dialects); i++)
		if (is_name(root, root_length, dialects[i].root) &&
		    is_name(next, next_length, dialects[i].next))
			return dialects[i].read(source, error);
	if (is_rocm(source->text, root, root_length, next, next_length))
		return read_rocm(source, error);
	if (!root_length)
		return error_set(error, -EBADMSG, "%s:1: not an event table",
				 source->path);
	return error_set(error, -EBADMSG,
			 "%s:%d: <%.*s> is not the root of an event table",
			 source->path, count_lines(source->text, root),
			 root_length < 40 ? (int)root_length : 40, root);
}

int
user_tables_parse(struct user_tables *user, const char *path, const char *text,
		  size_t length, const struct log_sink *log,
		  struct drmperf_error *error)
{
	const struct source source = { user, path, text, length, log };
	size_t before = user->count;
	int err = read_dialect(&source, error);

	while (err && user->count > before)
		table_destroy((struct table *)user->tables[--user->count]);
	return err;
}

int
user_tables_add(struct user_tables *user, const char *path,
		const struct log_sink *log, struct drmperf_error *error)
{
	size_t length;
	char *text;
	int err;

	err = table_load(path, &text, &length, error);
	if (err)
		return err;
	err = user_tables_parse(user, path, text, length, log, error);
	free(text);
	return err;
}

void
user_tables_finish(struct user_tables *user)
{
	size_t i;

	for (i = 0; i < user->count; i++)
		table_destroy((struct table *)user->tables[i]);
	free(user->tables);
	*user = (struct user_tables){ 0 };
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

/* ------------------------------------------------------------------ */
/* Other people's metrics                                               */

/* The events of one group, which stand together. */
struct span {
	size_t first, end;
};

static struct span
find_span(const struct description *description, group_index group)
{
	struct span span = { 0, description->event_count };

	while (span.first < span.end &&
	       description->events[span.first].group != group)
		span.first++;
	while (span.first < span.end &&
	       description->events[span.end - 1].group != group)
		span.end--;
	return span;
}

/*
 * What our own table says of an event with the same name is better founded
 * than what can be read off an expression; but a quotient is no integer.
 */
static void
adopt(const struct description *description, const struct span *own,
      struct description_event *event)
{
	const struct description_event *known;
	size_t i;

	for (i = own->first; i < own->end; i++) {
		known = &description->events[i];
		if (known->group != event->group ||
		    strcmp(known->name, event->name))
			continue;
		event->unit = known->unit;
		event->kind = known->kind;
		if (!strchr(event->expression, '/'))
			event->type = known->type;
		return;
	}
}

static bool
is_constant(const struct description *description, const char *name)
{
	size_t i;

	for (i = 0; i < description->constant_count; i++)
		if (!strcmp(description->constants[i].name, name))
			return true;
	return false;
}

static int
add_foreign(const struct table *table, const struct element *element,
	    const struct span *own, group_index group,
	    struct description *description, struct drmperf_error *error)
{
	struct description_event *event;
	int err;

	err = metric_add(description, group, table, element, error);
	if (err)
		return err;
	event = &description->events[description->event_count - 1];
	event->language = EXPRESSION_ROCM;
	adopt(description, own, event);
	if (description_mark_foreign(description))
		return error_set(error, -ENOMEM, "no memory for %s",
				 table->path);
	return 0;
}

/* The values of our constants are the device's, whatever the file says. */
static int
apply_foreign(const struct table *table, struct description *description,
	      const struct log_sink *log, struct drmperf_error *error)
{
	const struct element *element = table->root->child;
	struct span own;
	group_index group = 0;
	int err;

	err = find_group(description, table, table->root, &group, error);
	own = find_span(description, group);
	for (; element && !err; element = element->next) {
		const char *name = element_attribute(element, "name");

		if (is_constant(description, name))
			continue;
		if (!strcmp(element->name, "metric"))
			err = add_foreign(table, element, &own, group,
					  description, error);
		else if (!strcmp(element->name, "special"))
			log_write(log, DRMPERF_LOG_WARNING,
				  "%s:%d: %s is left out: the hardware does "
				  "not count it",
				  table->path, element->line, name);
	}
	return err;
}

int
user_tables_apply(const struct user_tables *user, const char *driver,
		  struct description *description, const struct log_sink *log,
		  struct drmperf_error *error)
{
	size_t i;
	int err = 0;

	for (i = 0; i < user->count && !err; i++) {
		const struct table *table = user->tables[i];

		if (!table_is_for(table, driver, description->generation,
				  description->target))
			continue;
		if (table_is_foreign(table))
			err = apply_foreign(table, description, log, error);
		else
			err = apply_table(table, description, error);
	}
	return err;
}
