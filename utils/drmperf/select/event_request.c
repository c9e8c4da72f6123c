/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/event_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* ------------------------------------------------------------------ */
/* Sets                                                                 */

static int
add_to_set(struct event_request *wanted, struct event_request_set *set,
	   const struct drmperf_selection *selection)
{
	size_t *event, index;

	if (selection_list_add(&wanted->choice, selection))
		return -ENOMEM;
	index = selection_list_index(&wanted->choice, selection);
	for (size_t i = 0; i < set->count; i++) {
		if (set->events[i] == index)
			return 0;
	}
	event = array_add(&set->events, &set->count, sizeof(*event));
	if (!event)
		return -ENOMEM;
	*event = index;
	return 0;
}

/* Add the sum over all instances, or each of them. */
static int
add_selection(struct event_request *wanted, struct event_request_set *set,
	      const struct drmperf_selection *selection)
{
	unsigned count = drmperf_event_instances(selection->event);
	const int die = DRMPERF_DIE_OF(selection->instance);
	struct drmperf_selection one = *selection;
	int ret = 0;

	if (!wanted->per_instance || count < 2 ||
	    DRMPERF_INSTANCE_OF(selection->instance) != DRMPERF_ALL_INSTANCES)
		return add_to_set(wanted, set, selection);
	for (unsigned i = 0; !ret && i < count; i++) {
		one.instance = die < 0 ? (int)i
				       : DRMPERF_INSTANCE_ON_DIE(die, (int)i);
		ret = add_to_set(wanted, set, &one);
	}
	return ret;
}

static int
add_choice(struct event_request *wanted, const struct selection_list *choice,
	   bool together)
{
	struct event_request_set *set = NULL;

	for (size_t i = 0; i < choice->count; i++) {
		if (!set || !together)
			set = array_add(&wanted->sets, &wanted->set_count,
					sizeof(*set));
		if (!set || add_selection(wanted, set, &choice->selections[i]))
			return -ENOMEM;
	}
	return 0;
}

int
event_request_add_choice(struct event_request *wanted,
			 const struct selection_list *choice)
{
	return add_choice(wanted, choice, false);
}

/* Add a part of a list that holds no braces. */
static int
add_plain(const struct tool *tool, const char *list, bool together,
	  struct event_request *wanted)
{
	struct selection_list choice = { 0 };
	int status;

	if (!together && !list[strspn(list, SELECTION_SEPARATORS)])
		return 0;
	status = choose_events(tool, list, &choice);
	if (!status && add_choice(wanted, &choice, together))
		status = tool_fail(tool, "no memory");
	selection_list_finish(&choice);
	return status;
}

void
event_request_finish(struct event_request *wanted)
{
	for (size_t i = 0; i < wanted->set_count; i++)
		free(wanted->sets[i].events);
	free(wanted->sets);
	selection_list_finish(&wanted->choice);
}

/* ------------------------------------------------------------------ */
/* Lists                                                                */

static int
bad_braces(const struct tool *tool, const char *list)
{
	return tool_usage_error(tool,
				"braces are for {EVENT,...}, in pairs and not "
				"in one another: \"%s\"",
				list);
}

/* Cut the copy at its braces: outside, inside, outside ... */
static int
add_parts(const struct tool *tool, const char *list, char *rest,
	  struct event_request *wanted)
{
	bool together = false;
	int status = 0;

	while (!status) {
		char *end = rest + strcspn(rest, "{}");
		char brace = *end;

		if (brace != (together ? '}' : '{') && (brace || together))
			return bad_braces(tool, list);
		*end = '\0';
		status = add_plain(tool, rest, together, wanted);
		if (!brace)
			return status;
		together = !together;
		rest = end + 1;
	}
	return status;
}

int
event_request_add_list(const struct tool *tool, const char *list,
		       struct event_request *wanted)
{
	char *copy = strdup(list);
	int status;

	if (!copy)
		return tool_fail(tool, "no memory");
	if (!list[strspn(list, SELECTION_SEPARATORS)])
		status = tool_usage_error(tool, "the list of events is empty");
	else
		status = add_parts(tool, list, copy, wanted);
	free(copy);
	return status;
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

/* Other words of rocprof's files: what it measured, or traced. */
static const char *const foreign_words[] = { "gpu", "hip", "hsa", "kernel",
					     "range" };

/*
 * Return the text behind "pmc:", "pmc :" or "PMC:"; NULL if it begins
 * otherwise.
 */
static const char *
behind_word(const char *line, const char *word)
{
	size_t length = strlen(word);

	if (strncasecmp(line, word, length))
		return NULL;
	line += length;
	line += strspn(line, " \t");
	return line[0] == ':' && line[1] != ':' ? line + 1 : NULL;
}

/* Return the text behind one of the other words, or NULL for other lines. */
static const char *
foreign_text(const char *line)
{
	size_t count = sizeof(foreign_words) / sizeof(foreign_words[0]);
	const char *text = NULL;

	for (size_t i = 0; !text && i < count; i++)
		text = behind_word(line, foreign_words[i]);
	return text;
}

static int
add_pmc_line(const struct tool *tool, const char *text,
	     struct event_request *wanted)
{
	size_t before = wanted->set_count;
	int status = add_plain(tool, text, true, wanted);

	if (!status && wanted->set_count > before)
		wanted->sets[before].is_line = true;
	return status;
}

static int
refuse_xml(const struct tool *tool)
{
	tool_fail(tool, "this is XML, and no list of events");
	fputs("try: write \"pmc: EVENT EVENT ...\" for ROC profiler's "
	      "<metric name=EVENT,EVENT>; files that define metrics are for "
	      "DRMPERF_EVENTS\n",
	      stderr);
	return TOOL_FAILED;
}

static int
add_line(const struct tool *tool, char *line, struct event_request *wanted)
{
	const char *text;

	line[strcspn(line, "#\r\n")] = '\0';
	line += strspn(line, SELECTION_SEPARATORS);
	if (!*line)
		return 0;
	if (*line == '<')
		return refuse_xml(tool);
	text = behind_word(line, "pmc");
	if (text)
		return add_pmc_line(tool, text, wanted);
	text = foreign_text(line);
	if (!text)
		return event_request_add_list(tool, line, wanted);
	/* all of a GPU is counted, whatever runs on it */
	if (text[strspn(text, " \t")])
		tool_warn(tool, "this line has no effect: %s", line);
	return 0;
}

/*
 * Return the text past the byte order mark that editors of other systems write.
 */
static char *
past_mark(char *text)
{
	static const char mark[] = "\xef\xbb\xbf";

	return strncmp(text, mark, strlen(mark)) ? text : text + strlen(mark);
}

/*
 * Return whether it is like "#pmc: A B", a comment, which the author of the
 * file may have forgotten.
 */
static bool
is_commented_out(const char *line)
{
	line += strspn(line, SELECTION_SEPARATORS);
	if (*line != '#')
		return false;
	line += strspn(line, "# \t");
	return behind_word(line, "pmc");
}

static int
add_lines(const struct tool *tool, const char *path, FILE *file,
	  struct event_request *wanted)
{
	unsigned number = 0;
	char *line = NULL;
	size_t size = 0;
	bool commented_out = false;
	int status = 0;

	while (!status && getline(&line, &size, file) >= 0) {
		char *text = number++ ? line : past_mark(line);

		commented_out |= is_commented_out(text);
		status = add_line(tool, text, wanted);
	}
	free(line);
	if (status)
		tool_warn(tool, "%s:%u: this line is not understood", path,
			  number);
	else if (ferror(file))
		status = tool_fail(tool, "%s: %s", path, strerror(errno));
	else if (!wanted->set_count)
		status = tool_fail(tool, "%s has no events%s", path,
				   commented_out ? ": its pmc lines begin with "
						   "#, as comments do"
						 : "");
	return status;
}

int
event_request_add_file(const struct tool *tool, const char *path,
		       struct event_request *wanted)
{
	FILE *file = fopen(path, "re");
	int status;

	if (!file)
		return tool_fail(tool, "%s: %s", path, strerror(errno));
	status = add_lines(tool, path, file, wanted);
	fclose(file);
	return status;
}

int
event_request_check_scopes(const struct tool *tool,
			   const struct event_request *wanted)
{
	return selection_list_refuse(
		tool, &wanted->choice, selection_is_of_own_files,
		"would be the GPU use of drmperf itself, not that of the "
		"command",
		"drmperf stat, which counts that of the command");
}
