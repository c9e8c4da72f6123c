/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/perf_event/pmu.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/name_syntax.h"
#include "driver/perf_event/format.h"

/* A file of sysfs holds a page at most. */
#define TEXT_SIZE 4096

/* Suffixes of files that describe an event; they are no events. */
static const char *const companions[] = { ".unit", ".scale", ".snapshot",
					  ".per-pkg" };

struct pmu_reader {
	struct arena *arena;
	const struct log_sink *log;
	struct pmu *pmu;
	/* files of the folder that is being read, sorted */
	const char **files;
	size_t file_count;
};

/* ------------------------------------------------------------------ */
/* Files                                                                */

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * Read the file with a suffix next to an event's file; "" if there is none, as
 * for most: then nothing is opened.
 */
static int
read_companion(const struct pmu_reader *reader, const char *folder,
	       const char *event, const char *suffix, char text[TEXT_SIZE])
{
	char name[NAME_MAX + 16];
	const char *key = name;
	int ret = -ENOENT;

	snprintf(name, sizeof(name), "%s%s", event, suffix);
	if (bsearch(&key, reader->files, reader->file_count,
		    sizeof(*reader->files), compare_names))
		ret = text_file_read(folder, name, text, TEXT_SIZE);
	if (ret == -ENOENT) {
		*text = '\0';
		return 0;
	}
	return ret;
}

/*
 * Append one element more in an array of the arena, which grows at powers of
 * two.
 */
static void *
arena_append_record(struct arena *arena, void *list, size_t *count, size_t size)
{
	char *grown = list;

	if ((*count & (*count - 1)) == 0) {
		grown = arena_alloc(arena, (*count ? 2 * *count : 1) * size);
		if (!grown)
			return NULL;
		if (*count)
			memcpy(grown, list, *count * size);
	}
	++*count;
	return grown;
}

static int
add_file(struct pmu_reader *reader, const char *name)
{
	const char *copy = arena_strndup(reader->arena, name, strlen(name));

	reader->files = arena_append_record(reader->arena, reader->files,
					    &reader->file_count,
					    sizeof(*reader->files));
	if (!copy || !reader->files)
		return -ENOMEM;
	reader->files[reader->file_count - 1] = copy;
	return 0;
}

/*
 * List the names of the files in a folder; none if there is no such folder.
 * Transient errors.
 */
static int
list_files(struct pmu_reader *reader, const char *folder)
{
	struct dirent *entry;
	int ret = 0;
	DIR *files;

	reader->files = NULL;
	reader->file_count = 0;
	files = opendir(folder);
	if (!files)
		return error_is_transient(-errno) ? -errno : 0;
	while (!ret) {
		errno = 0;
		entry = readdir(files);
		if (!entry) {
			ret = error_is_transient(-errno) ? -errno : 0;
			break;
		}
		if (entry->d_name[0] != '.')
			ret = add_file(reader, entry->d_name);
	}
	closedir(files);
	if (reader->files)
		qsort(reader->files, reader->file_count, sizeof(*reader->files),
		      compare_names);
	return ret;
}

typedef int (*file_fn)(struct pmu_reader *reader, const char *folder,
		       const char *name);

/* Visit each file of a folder of the PMU; names live in the arena. */
static int
each_file(struct pmu_reader *reader, const char *which, file_fn take)
{
	const char *folder = arena_printf(reader->arena, "%s/%s",
					  reader->pmu->folder, which);
	int ret;

	if (!folder)
		return -ENOMEM;
	ret = list_files(reader, folder);
	for (size_t i = 0; i < reader->file_count && !ret; i++)
		ret = take(reader, folder, reader->files[i]);
	return ret;
}

/* ------------------------------------------------------------------ */
/* CPU lists                                                            */

/* Take "0-3" at *text, which moves behind it. */
static bool
take_range(const char **text, long *first, long *last)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*first = strtol(*text, &end, 10);
	*last = *first;
	if (*end == '-') {
		*text = end + 1;
		if (**text < '0' || **text > '9')
			return false;
		*last = strtol(*text, &end, 10);
	}
	*text = end;
	/* no kernel has more (CONFIG_NR_CPUS) */
	return *first <= *last && *last < 1 << 16;
}

int
cpu_list_parse(const char *text, struct arena *arena, const int **out,
	       size_t *count)
{
	int *list = NULL;
	size_t n = 0;
	long first, last, before = -1;

	for (;;) {
		/* one that is there twice would be counted twice */
		if (!take_range(&text, &first, &last) || first <= before)
			return -EBADMSG;
		before = last;
		for (long cpu = first; cpu <= last; cpu++) {
			list = arena_append_record(arena, list, &n,
						   sizeof(*list));
			if (!list)
				return -ENOMEM;
			list[n - 1] = (int)cpu;
		}
		if (!*text)
			break;
		if (*text++ != ',')
			return -EBADMSG;
	}
	*out = list;
	*count = n;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Formats and events                                                   */

static int
take_format(struct pmu_reader *reader, const char *folder, const char *name)
{
	struct pmu_format format = { .name = name };
	struct pmu *pmu = reader->pmu;
	char text[TEXT_SIZE];
	int ret = text_file_read(folder, name, text, TEXT_SIZE);

	if (error_is_transient(ret))
		return ret;
	/* what uses a format that is not understood is left out by name */
	if (ret || pmu_format_parse(text, &format))
		return 0;
	pmu->formats =
		arena_append_record(reader->arena, pmu->formats,
				    &pmu->format_count, sizeof(*pmu->formats));
	if (!pmu->formats)
		return -ENOMEM;
	pmu->formats[pmu->format_count - 1] = format;
	return 0;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length > tail && !strcmp(text + length - tail, end);
}

static bool
is_companion(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(companions); i++) {
		if (ends_with(name, companions[i]))
			return true;
	}
	return false;
}

/* Return whether it is a number of the form that expressions have, too. */
static bool
is_number(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	text += digits;
	if (*text == '.') {
		size_t more = strspn(text + 1, "0123456789");

		digits += more;
		text += 1 + more;
	}
	if (!digits)
		return false;
	if (*text == 'e' || *text == 'E') {
		text++;
		text += *text == '-' || *text == '+';
		digits = strspn(text, "0123456789");
		if (!digits)
			return false;
		text += digits;
	}
	return !*text;
}

static int
skip_event(const struct pmu_reader *reader, const char *name, const char *why,
	   const char *text)
{
	log_write(reader->log, DRMPERF_LOG_WARNING,
		  "PMU %s: event \"%s\" is left out, %s: \"%.80s\"",
		  reader->pmu->name, name, why, text);
	return 0;
}

/*
 * Read the files that describe an event. Returns 0; 1: the event is left out;
 * transient errors.
 */
static int
read_companions(struct pmu_reader *reader, const char *folder,
		struct pmu_event *event)
{
	char text[TEXT_SIZE];
	int ret;

	ret = read_companion(reader, folder, event->name, ".unit", text);
	if (error_is_transient(ret))
		return ret;
	if (ret)
		return skip_event(reader, event->name, "its unit is unreadable",
				  ""),
		       1;
	event->unit = arena_strndup(reader->arena, text, strlen(text));
	ret = read_companion(reader, folder, event->name, ".snapshot", text);
	if (error_is_transient(ret))
		return ret;
	event->is_snapshot = !ret && !strcmp(text, "1");
	ret = read_companion(reader, folder, event->name, ".scale", text);
	if (error_is_transient(ret))
		return ret;
	if (ret || (*text && !is_number(text)))
		return skip_event(reader, event->name, "its scale is no number",
				  text),
		       1;
	event->scale =
		arena_strndup(reader->arena, strcmp(text, "1") ? text : "",
			      strcmp(text, "1") ? strlen(text) : 0);
	return event->unit && event->scale ? 0 : -ENOMEM;
}

static int
take_event(struct pmu_reader *reader, const char *folder, const char *name)
{
	struct pmu *pmu = reader->pmu;
	struct pmu_event event = { .name = name, .file = name };
	char text[TEXT_SIZE];
	int ret;

	if (is_companion(name))
		return 0;
	if (!name_syntax_is_legal(name))
		return skip_event(reader, name, "it has no proper name", "");
	ret = text_file_read(folder, name, text, TEXT_SIZE);
	if (error_is_transient(ret))
		return ret;
	if (ret)
		return skip_event(reader, name, "it is unreadable",
				  strerrordesc_np(-ret));
	if (pmu_terms_parse(text, pmu->formats, pmu->format_count,
			    &event.words))
		return skip_event(reader, name, "it is malformed", text);
	ret = read_companions(reader, folder, &event);
	if (ret)
		return ret < 0 ? ret : 0;
	pmu->events =
		arena_append_record(reader->arena, pmu->events,
				    &pmu->event_count, sizeof(*pmu->events));
	if (!pmu->events)
		return -ENOMEM;
	pmu->events[pmu->event_count - 1] = event;
	return 0;
}

static int
compare_events(const void *a, const void *b)
{
	const struct pmu_event *left = a, *right = b;

	return strverscmp(left->name, right->name);
}

/* ------------------------------------------------------------------ */
/* PMUs                                                                 */

static int
explain_unread(const struct pmu *pmu, int code, struct drmperf_error *error)
{
	return error_set(error, code, "cannot read %s: %s", pmu->folder,
			 strerrordesc_np(-code));
}

static int
parse_type(const char *text, uint32_t *out)
{
	unsigned long type;
	char *end;

	if (*text < '0' || *text > '9')
		return -EBADMSG;
	type = strtoul(text, &end, 10);
	if (*end || type > UINT32_MAX)
		return -EBADMSG;
	*out = (uint32_t)type;
	return 0;
}

static int
read_cpus(struct pmu_reader *reader, struct drmperf_error *error)
{
	struct pmu *pmu = reader->pmu;
	char text[TEXT_SIZE];
	int ret;

	ret = text_file_read(pmu->folder, "cpumask", text, TEXT_SIZE);
	if (ret == -ENOENT)
		return 0;
	if (!ret)
		ret = cpu_list_parse(text, reader->arena, &pmu->cpus,
				     &pmu->cpu_count);
	if (error_is_transient(ret))
		return explain_unread(pmu, ret, error);
	if (ret)
		return error_set(error, -EBADMSG,
				 "%s/cpumask is no list of CPUs", pmu->folder);
	return 0;
}

static int
read_type(struct pmu *pmu, struct drmperf_error *error)
{
	char text[TEXT_SIZE];
	int ret;

	ret = text_file_read(pmu->folder, "type", text, TEXT_SIZE);
	if (ret == -ENOENT)
		return error_set(error, ret, "the kernel has no PMU %s",
				 pmu->name);
	if (error_is_transient(ret))
		return explain_unread(pmu, ret, error);
	if (ret || parse_type(text, &pmu->type))
		return error_set(error, -EBADMSG, "%s/type is no number",
				 pmu->folder);
	return 0;
}

static int
count_file(struct pmu_reader *reader, const char *folder, const char *name)
{
	(void)folder;
	reader->pmu->file_count += !is_companion(name);
	return 0;
}

int
pmu_find(const char *root, const char *name, struct arena *arena,
	 struct pmu *out, struct drmperf_error *error)
{
	struct pmu pmu = {
		.name = arena_strndup(arena, name, strlen(name)),
		.folder =
			arena_printf(arena, "%s" PMU_FOLDERS "/%s", root, name),
	};
	struct pmu_reader reader = { .arena = arena, .pmu = &pmu };
	int ret;

	if (!pmu.name || !pmu.folder)
		return error_set(error, -ENOMEM, "no memory");
	ret = read_type(&pmu, error);
	if (!ret)
		ret = read_cpus(&reader, error);
	if (ret)
		return ret;
	ret = each_file(&reader, "events", count_file);
	if (ret)
		return explain_unread(&pmu, ret, error);
	*out = pmu;
	return 0;
}

int
pmu_read_events(struct pmu *pmu, struct arena *arena,
		const struct log_sink *log, struct drmperf_error *error)
{
	struct pmu_reader reader = { .arena = arena, .log = log, .pmu = pmu };
	int ret;

	pmu->event_count = pmu->format_count = 0;
	ret = each_file(&reader, "format", take_format);
	if (!ret)
		ret = each_file(&reader, "events", take_event);
	if (ret)
		return explain_unread(pmu, ret, error);
	if (pmu->event_count)
		qsort(pmu->events, pmu->event_count, sizeof(*pmu->events),
		      compare_events);
	return 0;
}

int
pmu_read(const char *root, const char *name, struct arena *arena,
	 const struct log_sink *log, struct pmu *out,
	 struct drmperf_error *error)
{
	struct pmu pmu;
	int ret;

	ret = pmu_find(root, name, arena, &pmu, error);
	if (!ret)
		ret = pmu_read_events(&pmu, arena, log, error);
	if (!ret)
		*out = pmu;
	return ret;
}

int
pmu_find_type(const char *root, uint32_t type, struct arena *arena,
	      const char **out)
{
	char path[PATH_MAX], text[TEXT_SIZE];
	struct dirent *entry;
	int ret = -ENOENT;
	uint32_t found;
	DIR *folders;

	snprintf(path, sizeof(path), "%s" PMU_FOLDERS, root);
	folders = opendir(path);
	if (!folders)
		return error_is_transient(-errno) ? -errno : -ENOENT;
	while (ret == -ENOENT && (entry = readdir(folders))) {
		int unread;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s" PMU_FOLDERS "/%s", root,
			 entry->d_name);
		unread = text_file_read(path, "type", text, TEXT_SIZE);
		if (error_is_transient(unread))
			ret = unread;
		if (unread || parse_type(text, &found) || found != type)
			continue;
		*out = arena_strndup(arena, entry->d_name,
				     strlen(entry->d_name));
		ret = *out ? 0 : -ENOMEM;
	}
	closedir(folders);
	return ret;
}
