/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/frame.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "select/selection_list.h"
#include "util/remarks.h"
#include "top/roles.h"

/* Columns of a row: kind, label, value, limit, bar, and the rest. */
#define KIND_WIDTH 11
#define LABEL_WIDTH 13
#define FIGURE_WIDTH 10
#define LIMIT_WIDTH 12
/* of counters, which have neither kind nor limit */
#define NAME_WIDTH (KIND_WIDTH + 1 + LABEL_WIDTH + LIMIT_WIDTH)
#define NARROWEST 20
#define NARROWEST_BAR 4
/* of a bar and a history on 80 columns */
#define BAR_WIDTH 12
#define HISTORY_WIDTH 14
/* The brackets of a bar, and a blank behind it. */
#define BAR_FRAME 3
/* Lines to keep below the GPUs: the heads of processes, and three of them. */
#define PROCESS_LINES 5
/* What is lower shows them only where they come in turn. */
#define LEAST_HEIGHT_OF_PROCESSES 12

/* ------------------------------------------------------------------ */
/* Lines                                                                */

/* Return the next one, empty; the last one again where there is no memory. */
static struct top_line *
next_line(struct top_frame *frame, enum top_style style)
{
	struct top_line *lines = frame->lines;

	if (frame->count == frame->capacity) {
		lines = reallocarray(lines, frame->capacity + 64,
				     sizeof(*lines));
		if (!lines)
			return NULL;
		frame->lines = lines;
		frame->capacity += 64;
	}
	lines += frame->count++;
	lines->style = style;
	lines->bar = lines->bar_width = lines->bar_full = 0;
	lines->history = 0;
	lines->is_harmless = false;
	lines->text[0] = '\0';
	return lines;
}

/* Add a line of ASCII, cut at the width. */
__attribute__((format(printf, 3, 4))) static int
frame_print(struct top_frame *frame, enum top_style style, const char *format,
	    ...)
{
	struct top_line *line = next_line(frame, style);
	va_list arguments;

	if (!line)
		return -ENOMEM;
	va_start(arguments, format);
	vsnprintf(line->text, frame->width + 1, format, arguments);
	va_end(arguments);
	return 0;
}

/* Add a text, broken at blanks; lines behind the first are indented. */
static int
add_wrapped(struct top_frame *frame, const char *first, const char *text)
{
	size_t indent = 4, width = frame->width - indent;
	int ret = 0;

	while (!ret && *text) {
		size_t room = *first ? frame->width - strlen(first) : width;
		size_t length = strlen(text);

		if (length > room) {
			length = room;
			while (length && text[length] != ' ')
				length--;
			if (!length)
				length = room;
		}
		ret = frame_print(frame, TOP_NOTE, "%*s%s%.*s",
				  *first ? 0 : (int)indent, "", first,
				  (int)length, text);
		first = "";
		text += length;
		text += strspn(text, " ");
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* Rows                                                                 */

/*
 * Return the columns of a row's bar. It shares with the history what is more
 * than both need, until the history shows all of its values.
 */
static unsigned
choose_bar_width(const struct top_frame *frame)
{
	const unsigned least = TOP_BAR_COLUMN + BAR_WIDTH + BAR_FRAME;
	const unsigned rest = frame->width > least ? frame->width - least : 0;
	unsigned more = rest > HISTORY_WIDTH ? (rest - HISTORY_WIDTH) / 2 : 0;

	if (rest - more > TOP_HISTORY)
		more = rest - TOP_HISTORY;
	return BAR_WIDTH + more;
}

/* Draw a bar, unless the share is NaN, and return how many marks it has. */
static unsigned
draw_bar(double share, unsigned width, char bar[TOP_WIDEST])
{
	unsigned full;

	bar[0] = '\0';
	if (isnan(share))
		return 0;
	full = (unsigned)lround(fmin(fmax(share, 0), 1) * width);
	memset(bar, ' ', width + 2);
	memset(bar + 1, '|', full);
	bar[0] = '[';
	bar[width + 1] = ']';
	bar[width + 2] = '\0';
	return full;
}

/* Note where the marks of the only bar of a line are. */
static void
note_bar(struct top_line *line, unsigned width, unsigned full)
{
	const char *bar = full ? strstr(line->text, "[|") : NULL;

	line->bar = bar ? (unsigned)(bar + 1 - line->text) : 0;
	line->bar_width = bar ? width : 0;
	line->bar_full = bar ? full : 0;
}

static const char *
frame_spark(const struct top_frame *frame, double level)
{
	/* no full block, so that the rows of a GPU stay apart */
	static const char *const blocks[] = { "▁", "▂", "▃", "▄",
					      "▅", "▆", "▇" };
	static const char *const letters[] = { "_", ".", ":", "-",
					       "=", "+", "*", "#" };

	if (isnan(level))
		return " ";
	return frame->utf8 ? blocks[lround(level * 6)]
			   : letters[lround(level * 7)];
}

/* Append the history from a column on, the latest value at the right. */
static void
append_history(const struct top_frame *frame, const struct top_row *row,
	       struct top_line *line, size_t column)
{
	size_t used = strlen(line->text);
	size_t first = used > column ? used : column;
	size_t room = frame->width > first ? frame->width - first : 0;
	size_t count = row->history.count < room ? row->history.count : room;
	char *end = line->text + used;

	if (!count)
		return;
	line->history = (unsigned)first;
	for (; used < first; used++)
		*end++ = ' ';
	for (; count; count--)
		end = stpcpy(end,
			     frame_spark(frame, top_row_level(row, count - 1)));
	*end = '\0';
}

static void
cut_blanks(char *text)
{
	size_t length = strlen(text);

	while (length && text[length - 1] == ' ')
		text[--length] = '\0';
}

static int
add_row(struct top_frame *frame, const struct top_row *row, const char *kind,
	const char *label)
{
	const char *figure = row->known ? row->figure : "-";
	char bar[TOP_WIDEST], limit[3 * FORMAT_NUMBER_SIZE] = "";
	const unsigned width = choose_bar_width(frame);
	struct top_line *line;
	unsigned full = draw_bar(row->share, width, bar);
	int ret;

	if (row->most[0])
		snprintf(limit, sizeof(limit), " of %s", row->most);
	if (row->kind == TOP_COUNTER)
		ret = frame_print(frame, TOP_PLAIN, "  %-*.*s %*s %s",
				  NAME_WIDTH, NAME_WIDTH, label, FIGURE_WIDTH,
				  figure, bar);
	else
		ret = frame_print(frame, TOP_PLAIN, "  %-*s %-*.*s %*s%-*s %s",
				  KIND_WIDTH, kind, LABEL_WIDTH, LABEL_WIDTH,
				  label, FIGURE_WIDTH, figure, LIMIT_WIDTH,
				  limit, bar);
	if (ret)
		return ret;
	line = &frame->lines[frame->count - 1];
	note_bar(line, width, full);
	line->is_harmless = row->kind == TOP_CLOCK || row->kind == TOP_SLEEP;
	append_history(frame, row, line, TOP_BAR_COLUMN + width + BAR_FRAME);
	cut_blanks(line->text);
	return 0;
}

/* Add rows. The first row of a kind shows the kind. */
static int
add_rows(struct top_frame *frame, const struct top_rows *rows)
{
	enum top_kind last = TOP_KINDS;
	int ret = 0;

	for (size_t i = 0; !ret && i < rows->count; i++) {
		const struct top_row *row = &rows->list[i];

		ret = add_row(frame, row,
			      row->kind == last ? "" : top_kind_name(row->kind),
			      row->label);
		last = row->kind;
	}
	return ret;
}

/*
 * Return whether a row shows the kind for the whole GPU; the PMU's rows of
 * engines count as such.
 */
static bool
has_device_row(const struct top_device *device, enum top_kind kind)
{
	for (size_t i = 0; i < device->rows.count; i++) {
		const struct top_row *row = &device->rows.list[i];

		if (row->kind == kind && row->known &&
		    (kind != TOP_BUSY || strcmp(row->label, "gpu") != 0))
			return true;
	}
	return false;
}

static int
add_sums(struct top_frame *frame, const struct top_device *device)
{
	char label[TOP_LABEL_SIZE];
	int ret = 0;

	for (size_t i = 0; !ret && i < device->sums.count; i++) {
		const struct top_row *row = &device->sums.list[i];

		if (has_device_row(device, row->kind))
			continue;
		engine_name_print(row->label, label, sizeof(label));
		ret = add_row(frame, row,
			      row->kind == TOP_BUSY ? "by clients" : "memory",
			      label);
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* GPUs                                                                 */

static int
add_title(struct top_frame *frame, const struct top_device *device)
{
	const char *chip = drmperf_device_chip(device->device);
	char place[TOOL_PLACE_SIZE];

	return frame_print(frame, TOP_TITLE, "GPU %u: %s%s%s, %s%s",
			   drmperf_device_index(device->device), chip,
			   *chip ? ", " : "",
			   drmperf_device_driver(device->device),
			   tool_place(device->device, place),
			   device->asleep ? ", asleep" : "");
}

/* Add a remark for each counter that is more than all there can be. */
static int
add_remarks(struct top_frame *frame, const struct top_rows *rows)
{
	char text[TOP_LABEL_SIZE + 160];
	int ret = 0;

	for (size_t i = 0; !ret && i < rows->count; i++) {
		const struct top_row *row = &rows->list[i];

		if (!row->known || !remarks_is_impossible(100 * row->share))
			continue;
		snprintf(text, sizeof(text),
			 "%s is %.0f %%, which cannot be: probably another "
			 "profiler uses the GPU, or it was reset (dmesg)",
			 row->label, 100 * row->share);
		ret = add_wrapped(frame, "  ", text);
	}
	return ret;
}

static int
add_counters(struct top_frame *frame, const struct top_device *device)
{
	char die[sizeof(", of die 4294967295 alone")] = "";
	const struct held_clocks *clocks = held_clocks_find(
		&device->source.clocks,
		(int)drmperf_device_index(device->device));
	char text[HELD_CLOCKS_SIZE];
	size_t marked = 0;
	int ret;

	if (!device->counters.count)
		return 0;
	if (device->source.die >= 0)
		snprintf(die, sizeof(die), ", of die %d alone",
			 device->source.die);
	for (size_t i = 0; i < device->chosen.count; i++)
		marked += drmperf_event_scope(
				  device->chosen.selections[i].event) ==
			  DRMPERF_SCOPE_QUEUE;
	ret = frame_print(frame, TOP_HEAD, "  counters, system wide%s%s", die,
			  tool_scope_legend(marked));
	if (!ret && clocks)
		ret = add_wrapped(frame, "  counting holds the clocks: ",
				  held_clocks_text(clocks, text));
	if (!ret)
		ret = add_rows(frame, &device->counters);
	return ret ? ret : add_remarks(frame, &device->counters);
}

static int
add_device(struct top_frame *frame, const struct top_device *device)
{
	int ret = add_title(frame, device);

	if (!ret && device->open && !device->asleep)
		ret = add_rows(frame, &device->rows);
	if (!ret)
		ret = add_sums(frame, device);
	if (!ret)
		ret = add_counters(frame, device);
	return ret ? ret : frame_print(frame, TOP_PLAIN, "%s", "");
}

/* ------------------------------------------------------------------ */
/* GPUs as a line each                                                  */

#define NAME_OF_LINE 18 /* "Radeon RX 7900 XTX" */
/* Columns of a line before its bar, and behind it. */
#define BEFORE_BAR 32
#define BEHIND_BAR 37

/* Find the busiest engine, or the first row of another kind; or NULL. */
static const struct top_row *
find_row(const struct top_rows *rows, enum top_kind kind)
{
	const struct top_row *found = NULL;

	for (size_t i = 0; i < rows->count; i++) {
		const struct top_row *row = &rows->list[i];

		if (row->kind != kind || !row->known)
			continue;
		if (!found || (kind == TOP_BUSY && row->share > found->share))
			found = row;
	}
	return found;
}

static const struct top_row *
find_row_of_device(const struct top_device *device, enum top_kind kind)
{
	const struct top_row *row = NULL;

	if (device->open && !device->asleep)
		row = find_row(&device->rows, kind);
	return row ? row : find_row(&device->sums, kind);
}

static const char *
figure_of(const struct top_device *device, enum top_kind kind)
{
	const struct top_row *row = find_row_of_device(device, kind);

	return row ? row->figure : "-";
}

/* Return the columns of a bar between the others, which are fixed. */
static unsigned
line_bar_width(const struct top_frame *frame)
{
	const unsigned others = BEFORE_BAR + 2 + BEHIND_BAR;

	return frame->width > others + NARROWEST_BAR ? frame->width - others
						     : NARROWEST_BAR;
}

static int
add_device_line(struct top_frame *frame, const struct top_device *device)
{
	const struct top_row *busy = find_row_of_device(device, TOP_BUSY);
	const char *name = *device->product
				   ? device->product
				   : drmperf_device_chip(device->device);
	const unsigned width = line_bar_width(frame);
	char bar[TOP_WIDEST];
	unsigned full = draw_bar(busy ? busy->share : NAN, width, bar);
	int ret;

	ret = frame_print(
		frame, TOP_PLAIN, "%3u  %-*.*s %7s %-*s %9s %7s %9s %8s",
		drmperf_device_index(device->device), NAME_OF_LINE,
		NAME_OF_LINE,
		*name ? name : drmperf_device_driver(device->device),
		device->asleep ? "asleep" : figure_of(device, TOP_BUSY),
		(int)width + 2, bar, figure_of(device, TOP_CLOCK),
		figure_of(device, TOP_POWER),
		figure_of(device, TOP_TEMPERATURE),
		figure_of(device, TOP_MEMORY));
	if (!ret)
		note_bar(&frame->lines[frame->count - 1], width, full);
	return ret;
}

static int
add_line_head(struct top_frame *frame)
{
	return frame_print(
		frame, TOP_HEAD, "%3s  %-*s %7s %-*s %9s %7s %9s %8s", "GPU",
		NAME_OF_LINE, "NAME", "BUSY", (int)line_bar_width(frame) + 2,
		"", "CLOCK", "POWER", "TEMP", "MEMORY");
}

/* ------------------------------------------------------------------ */
/* Clients                                                              */

struct order {
	const struct top_client **list;
	size_t count;
	enum top_sort sort;
	bool reversed;
};

/* Compare two clients for sorting: below 0 if the first precedes. */
static int
clients_compare(const struct top_client *a, const struct top_client *b,
		enum top_sort sort)
{
	double more = 0;

	if (sort == TOP_SORT_BUSY)
		more = b->busy - a->busy;
	else if (sort == TOP_SORT_MEMORY)
		more = b->memory - a->memory;
	else if (sort == TOP_SORT_COMMAND)
		more = strcmp(a->command, b->command);
	else if (sort == TOP_SORT_GPU)
		more = strcmp(a->address, b->address);
	if (more == 0 && sort == TOP_SORT_GPU)
		more = b->busy - a->busy;
	if (more == 0)
		more = a->pid - b->pid;
	if (more == 0)
		more = strcmp(a->address, b->address);
	return more < 0 ? -1 : more > 0;
}

static int
compare_entries(const void *a, const void *b, void *data)
{
	const struct order *order = data;
	const int less = clients_compare(*(const struct top_client *const *)a,
					 *(const struct top_client *const *)b,
					 order->sort);

	return order->reversed ? -less : less;
}

static const struct top_device *
device_of(const struct top_model *model, const struct top_client *client)
{
	for (unsigned i = 0; i < model->device_count; i++) {
		if (!strcmp(drmperf_device_address(model->devices[i].device),
			    client->address))
			return &model->devices[i];
	}
	return NULL;
}

static bool
is_shown(const struct top_model *model, const struct top_view *view,
	 const struct top_device *device)
{
	if (!device)
		return false;
	if (view->device == TOP_ALL_DEVICES)
		return choose_means(model->tool, device->device);
	return (unsigned)view->device == drmperf_device_index(device->device);
}

/* Return whether a client is to be listed; drmperf top itself is not. */
static bool
is_client_shown(const struct top_model *model, const struct top_view *view,
		const struct top_client *client)
{
	return client->pid != getpid() &&
	       is_shown(model, view, device_of(model, client)) &&
	       (view->idle || !client->known || client->busy > 0);
}

static int
sort_clients(const struct top_model *model, const struct top_view *view,
	     struct order *order)
{
	size_t count;
	const struct top_client *list =
		top_clients_list(model->clients, &count);

	order->sort = view->sort;
	order->reversed = view->reversed;
	order->count = 0;
	order->list = calloc(count + 1, sizeof(*order->list));
	if (!order->list)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (is_client_shown(model, view, &list[i]))
			order->list[order->count++] = &list[i];
	}
	qsort_r(order->list, order->count, sizeof(*order->list),
		compare_entries, order);
	return 0;
}

/* Write "Graphics 10, Compute 0.5": engines that did anything. */
static void
list_engines(const struct top_client *client, char *text, size_t size)
{
	char name[TOP_LABEL_SIZE];
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < client->engine_count && length < size; i++) {
		const struct top_engine *engine = &client->engines[i];

		if (engine->share <= 0)
			continue;
		engine_name_print(engine->name, name, sizeof(name));
		length += (size_t)snprintf(text + length, size - length,
					   "%s%s %.*f", length ? ", " : "",
					   name, engine->share < 0.01,
					   100 * engine->share);
	}
}

static int
add_client(struct top_frame *frame, const struct top_model *model,
	   const struct top_client *client)
{
	const struct top_device *device = device_of(model, client);
	char memory[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE], engines[256];
	char busy[FORMAT_NUMBER_SIZE] = "-";

	format_value(DRMPERF_UNIT_BYTES, DRMPERF_KIND_MOMENTARY, client->memory,
		     memory, unit);
	if (client->known)
		snprintf(busy, sizeof(busy), "%.1f", 100 * client->busy);
	list_engines(client, engines, sizeof(engines));
	return frame_print(frame, TOP_PLAIN, "%8d %4u %7s %6s %-2s  %-16s %s",
			   (int)client->pid,
			   drmperf_device_index(device->device), busy, memory,
			   unit, client->command, engines);
}

static int
add_clients(struct top_frame *frame, const struct top_model *model,
	    const struct top_view *view)
{
	struct order order;
	int ret = sort_clients(model, view, &order);

	if (ret)
		return ret;
	frame->processes = frame->count;
	ret = frame_print(frame, TOP_TITLE, "Processes, by %s%s",
			  top_sort_name(view->sort),
			  view->reversed ? ", reversed" : "");
	if (!ret && order.count)
		ret = frame_print(frame, TOP_HEAD, "%8s %4s %7s %9s  %-16s %s",
				  "PID", "GPU", "BUSY %", "MEMORY", "COMMAND",
				  "ENGINES %");
	else if (!ret)
		ret = frame_print(frame, TOP_NOTE,
				  "  none that uses an engine");
	for (size_t i = 0; !ret && i < order.count; i++)
		ret = add_client(frame, model, order.list[i]);
	frame->processes_end = frame->count;
	free(order.list);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Notes                                                                */

/* A list of GPUs that is longer ends with "...". */
#define WHOSE_SIZE 48

static bool
is_note_shown(const struct top_model *model, const struct top_view *view,
	      const struct top_note *note)
{
	return !note->device || is_shown(model, view, note->device);
}

/* Return whether two notes say one thing of two GPUs. */
static bool
are_notes_alike(const struct top_note *a, const struct top_note *b)
{
	return a->device && b->device && !strcmp(a->text, b->text);
}

/* Return whether a note that is shown earlier says this of another GPU. */
static bool
is_note_repeated(const struct top_model *model, const struct top_view *view,
		 size_t number)
{
	for (size_t i = 0; i < number; i++) {
		if (is_note_shown(model, view, &model->notes[i]) &&
		    are_notes_alike(&model->notes[i], &model->notes[number]))
			return true;
	}
	return false;
}

/*
 * Write "  GPU 0, 2, ", the GPUs of this note and of those like it, in half of
 * the width at most.
 */
static void
list_note_gpus(const struct top_model *model, const struct top_view *view,
	       size_t number, size_t width, char text[WHOSE_SIZE])
{
	static const char rest[] = "..., ";
	const size_t room = width / 2 < WHOSE_SIZE ? width / 2 : WHOSE_SIZE;
	size_t length = (size_t)snprintf(text, WHOSE_SIZE, "  GPU ");

	for (size_t i = number; i < model->note_count; i++) {
		const struct top_note *note = &model->notes[i];
		char one[16];

		if (!is_note_shown(model, view, note) ||
		    !are_notes_alike(&model->notes[number], note))
			continue;
		snprintf(one, sizeof(one), "%u, ",
			 drmperf_device_index(note->device->device));
		if (length + strlen(one) + sizeof(rest) > room) {
			strcpy(text + length, rest);
			return;
		}
		strcpy(text + length, one);
		length += strlen(one);
	}
}

static int
add_note(struct top_frame *frame, const struct top_model *model,
	 const struct top_view *view, size_t number)
{
	const struct top_note *note = &model->notes[number];
	char whose[WHOSE_SIZE] = "  ";

	if (note->device)
		list_note_gpus(model, view, number, frame->width, whose);
	return add_wrapped(frame, whose, note->text);
}

static int
add_notes(struct top_frame *frame, const struct top_model *model,
	  const struct top_view *view)
{
	bool any = false;
	int ret = 0;

	for (size_t i = 0; !ret && i < model->note_count; i++) {
		if (!is_note_shown(model, view, &model->notes[i]) ||
		    is_note_repeated(model, view, i))
			continue;
		if (!any)
			ret = frame_print(frame, TOP_PLAIN, "%s", "");
		if (!any && !ret)
			ret = frame_print(frame, TOP_TITLE, "Not seen");
		any = true;
		if (!ret)
			ret = add_note(frame, model, view, i);
	}
	return ret;
}

/* ------------------------------------------------------------------ */

static int
add_head(struct top_frame *frame, const struct top_model *model,
	 const struct top_view *view)
{
	return frame_print(frame, TOP_TITLE,
			   "drmperf top: %u GPU%s, every %g s, frame %lu%s",
			   model->device_count,
			   model->device_count == 1 ? "" : "s",
			   (double)frame->period_ms / 1000,
			   model->samples ? model->samples - 1 : 0,
			   view->paused ? ", paused" : "");
}

static int
add_help(struct top_frame *frame)
{
	const char *line;
	int ret = 0;

	for (size_t i = 0; !ret && (line = top_view_help(i)); i++)
		ret = frame_print(frame, TOP_PLAIN, "  %s", line);
	return ret;
}

static int
add_devices(struct top_frame *frame, const struct top_model *model,
	    const struct top_view *view)
{
	int ret = 0;

	for (unsigned i = 0; !ret && i < model->device_count; i++) {
		if (is_shown(model, view, &model->devices[i]))
			ret = add_device(frame, &model->devices[i]);
	}
	return ret;
}

static int
add_device_lines(struct top_frame *frame, const struct top_model *model,
		 const struct top_view *view)
{
	int ret = add_line_head(frame);

	for (unsigned i = 0; !ret && i < model->device_count; i++) {
		if (is_shown(model, view, &model->devices[i]))
			ret = add_device_line(frame, &model->devices[i]);
	}
	return ret ? ret : frame_print(frame, TOP_PLAIN, "%s", "");
}

/*
 * Return whether several GPUs, drawn with all their rows, leave no room for
 * processes. Counters were asked for, and have no place in a line.
 */
static bool
are_lines_better(const struct top_frame *frame, const struct top_model *model,
		 const struct top_view *view)
{
	unsigned shown = 0;
	bool counts = false;

	for (unsigned i = 0; i < model->device_count; i++) {
		if (!is_shown(model, view, &model->devices[i]))
			continue;
		shown++;
		counts |= model->devices[i].counters.count > 0;
	}
	if (view->detail != TOP_DETAIL_AS_FITS)
		return view->detail == TOP_DETAIL_LINE;
	return shown > 1 && !counts && frame->height &&
	       frame->count + PROCESS_LINES > frame->height;
}

int
top_frame_draw(struct top_frame *frame, const struct top_model *model,
	       const struct top_view *view)
{
	size_t begin;
	int ret;

	frame->count = frame->processes = frame->processes_end = 0;
	if (frame->width > TOP_WIDEST)
		frame->width = TOP_WIDEST;
	if (frame->width < NARROWEST)
		frame->width = NARROWEST;
	ret = add_head(frame, model, view);
	if (!ret && view->help)
		return add_help(frame);
	begin = frame->count;
	if (!ret)
		ret = add_devices(frame, model, view);
	if (!ret && are_lines_better(frame, model, view)) {
		frame->count = begin;
		ret = add_device_lines(frame, model, view);
	}
	if (!ret)
		ret = add_clients(frame, model, view);
	return ret ? ret : add_notes(frame, model, view);
}

const struct top_line *
top_frame_line(const struct top_frame *frame, const struct top_view *view,
	       size_t row)
{
	const size_t all = frame->processes_end - frame->processes;
	const size_t kept = all < PROCESS_LINES ? all : PROCESS_LINES;
	const size_t end = frame->processes + kept, height = frame->height;
	size_t at = 1 + view->scroll + row;

	/* All that is seen stands before the end of those lines. */
	if (height >= LEAST_HEIGHT_OF_PROCESSES &&
	    1 + view->scroll + height < end && row + kept >= height)
		at = end + row - height;
	return at < frame->count ? &frame->lines[at] : NULL;
}

void
top_frame_finish(struct top_frame *frame)
{
	free(frame->lines);
	frame->lines = NULL;
	frame->count = frame->capacity = 0;
}
