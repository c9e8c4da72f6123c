/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/user_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/name_index.h"
#include "driver/metric.h"
#include "table/foreign/readers.h"
#include "table/foreign/rocm.h"
#include "table/rows.h"

static int
user_tables_append(struct user_tables *user, struct table *table,
		   struct drmperf_error *error)
{
	const struct table **tables =
		array_grow(user->tables, user->count, sizeof(*tables));

	if (!tables) {
		table_destroy(table);
		return error_set(error, -ENOMEM, "no memory for tables");
	}
	user->tables = tables;
	tables[user->count++] = table;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Dialects                                                             */

/* A file that is being read. */
struct file {
	struct user_tables *user;
	const char *path, *text;
	size_t length;
	const struct log_sink *log;
};

static int
read_events(const struct file *file, struct drmperf_error *error)
{
	struct table *table;
	int err;

	err = table_parse(file->path, file->text, file->length, &table, error);
	if (err)
		return err;
	err = user_tables_append(file->user, table, error);
	return err ? err : table_expand(table, error);
}

static int
keep_table(void *user, struct table *table, struct drmperf_error *error)
{
	return user_tables_append(user, table, error);
}

static int
read_rocm(const struct file *file, struct drmperf_error *error)
{
	return rocm_read(file->path, file->text, file->length, file->log,
			 keep_table, file->user, error);
}

static int
read_oa(const struct file *file, struct drmperf_error *error)
{
	return oa_xml_read(file->path, file->text, file->length, file->log,
			   keep_table, file->user, error);
}

/* Skip a list of metric sets' GUIDs, which lies in the folder of the sets. */
static int
skip_guid_list(const struct file *file, struct drmperf_error *error)
{
	(void)file;
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
	int (*read)(const struct file *file, struct drmperf_error *error);
} dialects[] = {
	{ "events", NULL, read_events },
	{ "metrics", "set", read_oa },
	{ "guids", NULL, skip_guid_list },
};

/* Skip a construct that ends with such a mark, or all up to the end. */
static const char *
skip_past(const char *text, const char *mark)
{
	const char *end = strstr(text, mark);

	return end ? end + strlen(mark) : text + strlen(text);
}

/*
 * Find the name of the first element. Other dialects need not be well-formed
 * XML, so this looks no closer than it has to.
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
 * Return whether a table is one of ROC profiler's, whose files have the
 * sections of GPUs at the top or within an element of any name, and may begin
 * with its own kind of comment.
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
read_dialect(const struct file *file, struct drmperf_error *error)
{
	const char *root = file->text, *next = "";
	size_t root_length = find_element(root, &root), next_length, i;

	next_length = find_element(skip_past(root, ">"), &next);
	for (i = 0; i < ARRAY_SIZE(dialects); i++)
		if (is_name(root, root_length, dialects[i].root) &&
		    is_name(next, next_length, dialects[i].next))
			return dialects[i].read(file, error);
	if (rocm_yaml_is(file->text) ||
	    is_rocm(file->text, root, root_length, next, next_length))
		return read_rocm(file, error);
	if (!root_length)
		return error_set(error, -EBADMSG, "%s:1: not an event table",
				 file->path);
	return error_set(error, -EBADMSG,
			 "%s:%d: <%.*s> is not the root of an event table",
			 file->path, count_lines(file->text, root),
			 root_length < 40 ? (int)root_length : 40, root);
}

/* Forget the tables from the first one on. */
static void
user_tables_forget(struct user_tables *user, size_t first)
{
	for (size_t i = first; i < user->count; i++)
		table_destroy((struct table *)user->tables[i]);
	user->count = first;
}

int
user_tables_parse(struct user_tables *user, const char *path, const char *text,
		  size_t length, const struct log_sink *log,
		  struct drmperf_error *error)
{
	const struct file file = { user, path, text, length, log };
	size_t before = user->count;
	int err = read_dialect(&file, error);

	if (err)
		user_tables_forget(user, before);
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
	user_tables_forget(user, 0);
	free(user->tables);
	*user = (struct user_tables){ 0 };
}

/* ------------------------------------------------------------------ */
/* Metrics                                                              */

/*
 * The description that metrics are added to. Groups are looked up for every
 * metric, and the events of one group for foreign metrics, all by name.
 */
struct additions {
	struct description *description;
	const struct log_sink *log;
	struct drmperf_error *error;
	struct name_index groups;
	/* of the events of foreign_group among the first known */
	struct name_index events;
	group_index foreign_group;
	size_t known;
};

static int
no_memory(const struct additions *additions)
{
	return error_set(additions->error, -ENOMEM, "no memory for metrics");
}

/* Return a domain that fits: one is asked for, although metrics have none. */
static domain_index
any_domain(const struct description *description)
{
	domain_index i;

	for (i = 0; i < description->domain_count; i++)
		if (!description->domains[i].exclusive)
			return i;
	return 0;
}

/* Return the first group of this name; NAME_INDEX_END: there is none. */
static uint32_t
known_group(const struct additions *additions, const char *name)
{
	const struct description_group *groups = additions->description->groups;
	uint32_t hash = hash_text(name), i;
	size_t cursor = 0;

	do {
		i = name_index_next(&additions->groups, hash, &cursor);
	} while (i != NAME_INDEX_END && strcmp(groups[i].name, name));
	return i;
}

static int
index_groups(struct additions *additions)
{
	const struct description *description = additions->description;

	/* one may be added */
	if (name_index_reserve(&additions->groups,
			       description->group_count + 1))
		return no_memory(additions);
	for (group_index i = 0; i < description->group_count; i++) {
		const char *name = description->groups[i].name;

		if (known_group(additions, name) == NAME_INDEX_END)
			name_index_insert(&additions->groups, hash_text(name),
					  i);
	}
	return 0;
}

static int
find_group(struct additions *additions, const struct table *table,
	   const struct element *element, group_index *out)
{
	struct description *description = additions->description;
	const char *name = element_attribute(element, "group");
	const struct description_group metrics = {
		.name = METRIC_GROUP,
		.description = "Values computed from counters.",
		.domain = any_domain(description),
		.instances = 1,
		.instances_per_engine = 1,
	};

	*out = known_group(additions, name ? name : METRIC_GROUP);
	if (*out != NAME_INDEX_END)
		return 0;
	if (name)
		return element_error(table, element, additions->error,
				     "group=\"%s\" is not a group of %s", name,
				     description_chip(description));
	if (description_add_group(description, &metrics, out))
		return no_memory(additions);
	name_index_insert(&additions->groups, hash_text(METRIC_GROUP), *out);
	return 0;
}

static int
apply_table(struct additions *additions, const struct table *table)
{
	struct element *element = table->root->child;
	group_index group = 0;
	int err = 0;

	while (!err && (element = element_named(element, "metric"))) {
		err = find_group(additions, table, element, &group);
		if (!err)
			err = metric_add(additions->description, group, table,
					 element, additions->error);
		element = element->next;
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* Other people's metrics                                               */

/* Return the first event of this name before the table; NULL: there is none. */
static const struct description_event *
known_event(const struct additions *additions, const char *name)
{
	const struct description_event *events = additions->description->events;
	uint32_t hash = hash_text(name), i;
	size_t cursor = 0;

	do {
		i = name_index_next(&additions->events, hash, &cursor);
	} while (i != NAME_INDEX_END && strcmp(events[i].name, name));
	return i == NAME_INDEX_END ? NULL : &events[i];
}

static int
index_events(struct additions *additions, group_index group)
{
	const struct description *description = additions->description;
	const struct description_event *events = description->events;

	if (name_index_reserve(&additions->events,
			       description->event_count - additions->known))
		return no_memory(additions);
	additions->foreign_group = group;
	for (; additions->known < description->event_count;
	     additions->known++) {
		const struct description_event *event =
			&events[additions->known];

		if (event->group == group &&
		    !known_event(additions, event->name))
			name_index_insert(&additions->events,
					  hash_text(event->name),
					  (uint32_t)additions->known);
	}
	return 0;
}

/*
 * Adopt unit, kind and type of our own table's event with the same name, which
 * are better founded than a guess from the expression; but a quotient is no
 * integer.
 */
static void
additions_adopt(const struct additions *additions,
		struct description_event *event)
{
	const struct description_event *known =
		known_event(additions, event->name);

	if (!known)
		return;
	event->unit = known->unit;
	event->kind = known->kind;
	if (!strchr(event->expression, '/'))
		event->type = known->type;
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
add_foreign(struct additions *additions, const struct table *table,
	    const struct element *element)
{
	struct description *description = additions->description;
	struct description_event *event;
	int err;

	err = metric_add(description, additions->foreign_group, table, element,
			 additions->error);
	if (err)
		return err;
	event = &description->events[description->event_count - 1];
	event->language = EXPRESSION_ROCM;
	additions_adopt(additions, event);
	return description_mark_foreign(description) ? no_memory(additions) : 0;
}

/*
 * Apply a table of other people's. The values of our constants are the
 * device's, whatever the file says.
 */
static int
apply_foreign(struct additions *additions, const struct table *table)
{
	const struct element *element = table->root->child;
	group_index group = 0;
	int err;

	err = find_group(additions, table, table->root, &group);
	if (!err)
		err = index_events(additions, group);
	for (; element && !err; element = element->next) {
		const char *name = element_attribute(element, "name");

		if (is_constant(additions->description, name))
			continue;
		if (!strcmp(element->name, "metric"))
			err = add_foreign(additions, table, element);
		else if (!strcmp(element->name, "special"))
			log_write(additions->log, DRMPERF_LOG_WARNING,
				  "%s:%d: %s is left out: the hardware does "
				  "not count it",
				  table->path, element->line, name);
	}
	return err;
}

static bool
is_of_rocm(const struct table *table, const char *driver)
{
	const char *foreign = element_attribute(table->root, "foreign");
	const char *owner = element_attribute(table->root, "driver");

	return foreign && !strcmp(foreign, "rocm") && owner &&
	       !strcmp(owner, driver);
}

/*
 * Return whether it is a section of one of ROC profiler's files, for the GPUs
 * of a target.
 */
static bool
is_section(const struct table *table, const char *driver)
{
	return is_of_rocm(table, driver) &&
	       element_attribute(table->root, "target");
}

/* Warn of a file whose sections are all for other GPUs; of each once. */
static void
report_unused_file(const struct additions *additions,
		   const struct user_tables *user, const char *driver,
		   size_t first)
{
	const struct description *description = additions->description;
	const char *path = user->tables[first]->path;
	bool for_all = false;

	for (size_t i = 0; i < user->count; i++) {
		const struct table *table = user->tables[i];

		if (!is_of_rocm(table, driver) || strcmp(table->path, path))
			continue;
		if (!is_section(table, driver)) {
			for_all = true;
			continue;
		}
		if (i < first || table_is_for(table, driver,
					      description->generation,
					      description->target))
			return;
	}
	log_write(additions->log, DRMPERF_LOG_WARNING,
		  "%s: there is no section for %s (%s), so %s", path,
		  description->target ? description->target
				      : description->generation,
		  description_chip(description),
		  for_all ? "of the file only what is for all GPUs is known"
			  : "nothing of the file is known there");
}

static int
apply_tables(struct additions *additions, const struct user_tables *user,
	     const char *driver)
{
	const struct description *description = additions->description;
	int err = index_groups(additions);

	for (size_t i = 0; i < user->count && !err; i++) {
		const struct table *table = user->tables[i];

		if (is_section(table, driver))
			report_unused_file(additions, user, driver, i);
		if (!table_is_for(table, driver, description->generation,
				  description->target))
			continue;
		err = table_is_foreign(table) ? apply_foreign(additions, table)
					      : apply_table(additions, table);
	}
	return err;
}

int
user_tables_apply(const struct user_tables *user, const char *driver,
		  struct description *description, const struct log_sink *log,
		  struct drmperf_error *error)
{
	struct additions additions = {
		.description = description,
		.log = log,
		.error = error,
	};
	int err;

	if (!user->count)
		return 0;
	if (name_index_init(&additions.groups, 0) ||
	    name_index_init(&additions.events, 0))
		err = no_memory(&additions);
	else
		err = apply_tables(&additions, user, driver);
	name_index_finish(&additions.groups);
	name_index_finish(&additions.events);
	return err;
}
