/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/table.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "table/compiled.h"
#include "table/xml.h"

/* Far beyond any table, and below INT_MAX; a file beyond is not one. */
#define MAX_SIZE ((off_t)256 << 20)

static int
read_text(const char *path, int lines_before, const char *text, size_t length,
	  struct table **out, struct drmperf_error *error)
{
	struct table *table = NULL;
	int err;

	if (length <= (size_t)MAX_SIZE)
		table = table_create(path);
	if (!table)
		return error_set(error, -ENOMEM, "no memory for %s", path);
	err = xml_read(table, lines_before, text, length, error);
	if (err)
		table_destroy(table);
	else
		*out = table;
	return err;
}

int
table_parse(const char *path, const char *text, size_t length,
	    struct table **out, struct drmperf_error *error)
{
	return read_text(path, 0, text, length, out, error);
}

/* Open a file that may be a table; its size. */
static int
open_file(const char *path, size_t *length)
{
	struct stat st;
	int fd, err = 0;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (S_ISDIR(st.st_mode))
		err = -EISDIR;
	else if (!S_ISREG(st.st_mode))
		err = -EINVAL;
	else if (st.st_size > MAX_SIZE)
		err = -EFBIG;
	if (err) {
		close(fd);
		return err;
	}
	*length = (size_t)st.st_size;
	return fd;
}

/* Load the whole file, terminated. */
static int
load_file(const char *path, char **text, size_t *length)
{
	ssize_t got;
	char *bytes;
	int fd;

	fd = open_file(path, length);
	if (fd < 0)
		return fd;
	bytes = malloc(*length + 1);
	got = bytes ? file_read(fd, bytes, *length) : -ENOMEM;
	close(fd);
	if (!bytes || got < (ssize_t)*length) {
		free(bytes);
		return got < 0 ? (int)got : -EIO; /* it has shrunk */
	}
	bytes[*length] = '\0';
	*text = bytes;
	return 0;
}

int
table_load(const char *path, char **text, size_t *length,
	   struct drmperf_error *error)
{
	int err = load_file(path, text, length);

	if (err == -EISDIR)
		return error_set(error, err,
				 "cannot read %s: it is a folder that has no "
				 "folder of tables in it, such as amdgpu/",
				 path);
	if (err == -EINVAL)
		return error_set(error, err,
				 "cannot read %s: it is a pipe or a device, "
				 "not a file",
				 path);
	if (err)
		return error_set(error, err, "cannot read %s: %s", path,
				 strerrordesc_np(-err));
	return 0;
}

int
table_read(const char *path, struct table **out, struct drmperf_error *error)
{
	size_t length;
	char *text;
	int err;

	err = table_load(path, &text, &length, error);
	if (err)
		return err;
	err = read_text(path, 0, text, length, out, error);
	free(text);
	return err;
}

/* ------------------------------------------------------------------ */
/* Tables that stay                                                     */

void
table_store_init(struct table_store *store)
{
	*store = (struct table_store){ .first = NULL };
	pthread_mutex_init(&store->lock, NULL);
}

void
table_store_finish(struct table_store *store)
{
	struct table *table = store->first, *next;

	for (; table; table = next) {
		next = table->next;
		table_destroy(table);
	}
}

/* Read a file of a folder of tables, or what was compiled of it. */
static int
read_found(const char *path, struct table **out, struct drmperf_error *error)
{
	return compiled_map(path, out) ? 0 : table_read(path, out, error);
}

/* Return the table of a file, which is read the first time. */
static int
read_table_once(struct table_store *store, const char *path,
		const struct table **out, struct drmperf_error *error)
{
	struct table *table = store->first;
	int err;

	while (table && strcmp(table->path, path) != 0)
		table = table->next;
	*out = table;
	if (table)
		return 0;
	err = read_found(path, &table, error);
	if (err)
		return err;
	table->next = store->first;
	store->first = table;
	*out = table;
	return 0;
}

static int
read_through_store(struct table_store *store, const char *path,
		   struct table **out, struct drmperf_error *error)
{
	const struct table *kept;
	int err;

	if (!store)
		return read_found(path, out, error);
	pthread_mutex_lock(&store->lock);
	err = read_table_once(store, path, &kept, error);
	pthread_mutex_unlock(&store->lock);
	if (err)
		return err;
	*out = table_view(kept);
	return *out ? 0 : error_set(error, -ENOMEM, "no memory for %s", path);
}

/* ------------------------------------------------------------------ */
/* One set of many                                                      */

/*
 * Return where the set begins in the text of a file of sets, as our generator
 * writes them: behind the end of a line. NULL if it is not there, or if it
 * could be in a comment, a CDATA section or the like.
 */
static char *
find_set(char *text, size_t length, const char *set)
{
	char *root = strstr(text, "\n<registers "), *begin = NULL, *start;
	size_t rest = root ? (size_t)(text + length - root) : 0;

	if (!root || memchr(root, '!', rest) || memchr(root, '?', rest) ||
	    asprintf(&start, "\n<set name=\"%s\"", set) < 0)
		return NULL;
	begin = strstr(root, start);
	free(start);
	return begin ? begin + 1 : NULL;
}

static int
read_set(const char *path, const char *set, struct table **out,
	 struct drmperf_error *error)
{
	size_t length;
	char *text, *begin, *end = NULL;
	int lines = 0, err;

	err = table_load(path, &text, &length, error);
	if (err)
		return err;
	begin = find_set(text, length, set);
	if (begin)
		end = strstr(begin, "</set>");
	if (end) {
		lines = xml_count_lines(text, (size_t)(begin - text));
		length = (size_t)(end - begin) + strlen("</set>");
	}
	err = read_text(path, lines, end ? begin : text, length, out, error);
	free(text);
	return err;
}

/* ------------------------------------------------------------------ */
/* Finding                                                              */

/*
 * List the folders of a path, for a complaint; cut off where there is no room.
 */
static void
list_directories(const struct table_path *path, char *text, size_t size)
{
	size_t i, length = 0;

	text[0] = '\0';
	for (i = 0; i < path->count && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s",
					   i ? ", " : "", path->directories[i]);
}

int
table_find_set(const struct table_path *path, const char *driver,
	       const char *name, const char *set, struct table **out,
	       struct drmperf_error *error)
{
	char tried[400];
	size_t i;

	for (i = 0; i < path->count; i++) {
		char *file = NULL;
		int err;

		if (asprintf(&file, "%s/%s/%s.xml", path->directories[i],
			     driver, name) < 0)
			return error_set(error, -ENOMEM, "no memory");
		err = set ? read_set(file, set, out, error)
			  : read_through_store(path->store, file, out, error);
		free(file);
		if (err != -ENOENT && err != -ENOTDIR)
			return err;
	}
	list_directories(path, tried, sizeof(tried));
	error_set(error, -ENOENT, "no event table %s/%s.xml in %s", driver,
		  name, tried);
	error_remedy(error, "install drmperf's event tables, or name their "
			    "folder in DRMPERF_EVENTS");
	return -ENOENT;
}

int
table_find(const struct table_path *path, const char *driver, const char *name,
	   struct table **out, struct drmperf_error *error)
{
	return table_find_set(path, driver, name, NULL, out, error);
}

/*
 * Return whether one of the blank separated names is that of the generation, or
 * begins the target's: "gfx9" for gfx900. But where the generation's name goes
 * on with a number, as gfx908's does, others of the family count otherwise.
 */
static bool
names_target(const char *names, const char *generation, const char *target)
{
	size_t length;

	for (; *names; names += length + (names[length] == ' ')) {
		length = strcspn(names, " ");
		if (!length)
			continue;
		if (!strncmp(names, generation, length) &&
		    isxdigit((unsigned char)generation[length]))
			continue;
		if (!strncmp(names, target, length) ||
		    (!strncmp(names, generation, length) &&
		     !generation[length]))
			return true;
	}
	return false;
}

static bool
is_for_target(const struct element *root, const char *generation,
	      const char *target)
{
	const char *names = element_attribute(root, "target");
	const char *others = element_attribute(root, "except");

	if (!names)
		return true;
	return target && names_target(names, generation, target) &&
	       !(others && names_target(others, generation, target));
}

bool
table_is_for(const struct table *table, const char *driver,
	     const char *generation, const char *target)
{
	const struct element *root = table->root;
	const char *value;

	if (strcmp(root->name, "events"))
		return false;
	value = element_attribute(root, "driver");
	if (!value || strcmp(value, driver))
		return false;
	value = element_attribute(root, "generation");
	return (!value || !strcmp(value, generation)) &&
	       is_for_target(root, generation, target);
}

bool
table_is_foreign(const struct table *table)
{
	return element_attribute(table->root, "foreign");
}
