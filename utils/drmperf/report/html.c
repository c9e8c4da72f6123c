/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A page with a plot of each event over time. It asks for nothing from
 * elsewhere and shows all without its script, too: it can be mailed, kept and
 * opened anywhere.
 */
#include "report/outputs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/page.h"
#include "report/regions.h"
#include "report/stalls.h"
#include "report/timeline.h"
#include "select/formula.h"
#include "verdict/verdict.h"

#define NS_PER_S 1e9
#define NS_PER_S_INTEGER 1000000000

/*
 * Sizes of a plot, in the page's units; a column joins the values that fall
 * into it.
 */
#define COLUMNS 1000
#define PLOT_HEIGHT 110.0
#define SPAN_HEIGHT 20
/* More would be no picture any more. */
#define MOST_PROGRAMS 20
#define MOST_SPANS 200 /* of a program */
#define MOST_TICKS 10

struct column {
	double least, most; /* NaN: nothing there */
};

struct page {
	FILE *out;
	struct recording *recording;
	struct report_overview overview;
	struct column *columns; /* of each event */
	double *drawn; /* up to where, of each event */
};

/* ------------------------------------------------------------------ */

/* Return the position of a time, in columns. */
static double
page_place(const struct page *page, uint64_t time_ns)
{
	double length =
		(double)(page->overview.end_ns - page->overview.begin_ns);
	double at = (double)(int64_t)(time_ns - page->overview.begin_ns);

	return length > 0 ? fmin(fmax(at / length, 0), 1) * COLUMNS : 0;
}

/* ------------------------------------------------------------------ */
/* Columns                                                              */

static void
fill_columns(struct column *columns, double from, double to, double height)
{
	size_t first = (size_t)from, end = (size_t)ceil(to);

	if (end == first)
		end++;
	for (size_t i = first; i < end && i < COLUMNS; i++) {
		columns[i].least = fmin(columns[i].least, height);
		columns[i].most = fmax(columns[i].most, height);
	}
}

/*
 * Return whether a record has a value. Counters have times of their own: in
 * what lies between two samples there may be no report of this one. The next
 * that has one is for that time, too.
 */
static bool
is_told(const struct record *record)
{
	return record->event.kind == DRMPERF_KIND_MOMENTARY ||
	       record->length_ns;
}

static void
take_interval(struct page *page, const struct interval *interval)
{
	const struct recording *recording = page->recording;
	double to = page_place(page, interval->end_ns);

	for (size_t i = 0; i < recording->event_count; i++) {
		struct record record;
		double height;

		if (!recording->events[i].asked)
			continue;
		record = interval_record(interval, &recording->events[i]);
		if (!is_told(&record))
			continue;
		height = interval_height(&record);
		if (!isnan(height))
			fill_columns(&page->columns[i * COLUMNS],
				     page->drawn[i], to, height);
		page->drawn[i] = to;
	}
}

static int
page_collect(struct page *page)
{
	struct interval_walk walk = { .recording = page->recording,
				      .length_ns = 1 };
	size_t count = page->recording->event_count * COLUMNS;
	struct interval interval;
	int ret;

	page->columns = malloc(count * sizeof(*page->columns));
	page->drawn = calloc(page->recording->event_count,
			     sizeof(*page->drawn));
	if (!page->columns || !page->drawn)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		page->columns[i] = (struct column){ .least = NAN, .most = NAN };
	while ((ret = interval_walk_next(&walk, &interval)) > 0)
		take_interval(page, &interval);
	interval_walk_finish(&walk);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Plots                                                                */

/* Values of two clocks may differ by so much and mean the same. */
#define TOLERANCE 1e-6

/* Round up to 1, 2 or 5 of some power of ten that is not below the value. */
static double
round_scale_up(double value)
{
	const double least = value * (1 - TOLERANCE);
	const double step = pow(10, floor(log10(least)));

	if (least <= step)
		return step;
	if (least <= 2 * step)
		return 2 * step;
	return least <= 5 * step ? 5 * step : 10 * step;
}

/* A plot without a value of so much of the peak is not scaled to the peak. */
#define LEAST_OF_PEAK 0.2

/*
 * Return what the upper edge of a plot is: 100 of a percentage, and above a
 * peak (NaN: not known) that values come near to.
 */
static double
find_top(const struct recording_event *event, double most, double peak)
{
	if (most >= LEAST_OF_PEAK * peak)
		most = fmax(most, peak);
	if (event->event.unit == DRMPERF_UNIT_PERCENT &&
	    !(most > 100 * (1 + TOLERANCE)))
		return 100;
	return most > 0 ? round_scale_up(most) : 1;
}

static double
height_at(double value, double top)
{
	return PLOT_HEIGHT - value / top * PLOT_HEIGHT;
}

/* Return heights in tenths, as the page has them. */
static long
tenths_at(double value, double top)
{
	return lround(10 * height_at(value, top));
}

/*
 * Print a shape along the highest of columns that follow on each other, and
 * back below.
 */
static void
print_shape(FILE *out, const char *class, const struct column *columns,
	    size_t first, size_t end, double top)
{
	bool to_ground = !strcmp(class, "area");
	const char *before = "M";
	size_t i, next;

	fprintf(out, "<path class=\"%s\" d=\"", class);
	for (i = first; i < end; i = next) {
		const long y = tenths_at(columns[i].most, top);

		for (next = i + 1;
		     next < end && tenths_at(columns[next].most, top) == y;)
			next++;
		fprintf(out, "%s%zu %.1fL%zu %.1f", before, i, (double)y / 10,
			next, (double)y / 10);
		before = "L";
	}
	for (i = end; i > first; i = next) {
		const long y = to_ground ? tenths_at(0, top)
					 : tenths_at(columns[i - 1].least, top);

		for (next = i - 1;
		     next > first &&
		     (to_ground ||
		      tenths_at(columns[next - 1].least, top) == y);)
			next--;
		fprintf(out, "L%zu %.1fL%zu %.1f", i, (double)y / 10, next,
			(double)y / 10);
	}
	fputs("Z\"/>\n", out);
}

static void
print_bands(FILE *out, const struct column *columns, double top)
{
	size_t end;

	for (size_t i = 0; i < COLUMNS; i = end + 1) {
		for (end = i; end < COLUMNS && !isnan(columns[end].most); end++)
			;
		if (end == i)
			continue;
		print_shape(out, "area", columns, i, end, top);
		print_shape(out, "band", columns, i, end, top);
	}
}

static void
print_ticks(const struct page *page)
{
	double seconds =
		(double)(page->overview.end_ns - page->overview.begin_ns) /
		NS_PER_S;
	double step = seconds > 0 ? round_scale_up(seconds / MOST_TICKS) : 1;

	fputs("<g class=\"ticks\">", page->out);
	for (int i = 0; i * step <= seconds; i++) {
		double x = seconds > 0 ? i * step / seconds * COLUMNS : 0;

		fprintf(page->out,
			"<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" "
			"y1=\"0\" y2=\"%.0f\"/><text x=\"%.1f\" "
			"y=\"%.0f\" text-anchor=\"%s\">%.9g s</text>\n",
			x, x, PLOT_HEIGHT, x, PLOT_HEIGHT + 4,
			i == 0		   ? "start"
			: x > COLUMNS - 20 ? "end"
					   : "middle",
			i * step);
	}
	fputs("</g>\n", page->out);
}

/* "12.0 % to 38.2 %" */
#define COLUMN_TEXT_SIZE (2 * REPORT_FIGURE_SIZE + 8)

/* Write the values of a column as text. */
static const char *
column_text(const struct recording_event *event, const struct column *column,
	    char text[COLUMN_TEXT_SIZE])
{
	char least[REPORT_FIGURE_SIZE], most[REPORT_FIGURE_SIZE];

	if (isnan(column->most))
		return strcpy(text, "n/a");
	report_figure(event, column->least, least);
	report_figure(event, column->most, most);
	if (strcmp(least, most) != 0)
		snprintf(text, COLUMN_TEXT_SIZE, "%s to %s", least, most);
	else
		strcpy(text, most);
	return text;
}

/* Print the values for the script: the columns where they change. */
static void
print_values(FILE *out, const struct recording_event *event,
	     const struct column *columns)
{
	char before[COLUMN_TEXT_SIZE] = "";
	char text[COLUMN_TEXT_SIZE];

	for (size_t i = 0; i < COLUMNS; i++) {
		column_text(event, &columns[i], text);
		if (!strcmp(text, before))
			continue;
		fprintf(out, "%s%zu|", i ? "|" : "", i);
		page_print_text(out, text);
		strcpy(before, text);
	}
}

/* Print the peak of an event, and a line where it is in the plot. */
static void
print_peak(FILE *out, const struct recording_event *event, double peak,
	   double top)
{
	char figure[REPORT_FIGURE_SIZE];
	double y;

	if (isnan(peak))
		return;
	y = height_at(peak, top);
	if (y >= 0)
		fprintf(out,
			"<line class=\"peak\" x2=\"%d\" y1=\"%.1f\" "
			"y2=\"%.1f\"/>\n",
			COLUMNS, y, y);
	fprintf(out,
		"<text class=\"peak\" x=\"%d\" y=\"-3\" "
		"text-anchor=\"end\">peak ",
		COLUMNS - 3);
	page_print_text(out, report_figure(event, peak, figure));
	fputs("</text>\n", out);
}

/* Begin what zoom changes the width of. */
static void
print_view(FILE *out, int y, int height)
{
	fprintf(out,
		"<svg class=\"view\" y=\"%d\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 %d %d %d\" preserveAspectRatio=\"none\">\n",
		y, COLUMNS, height, y, COLUMNS, height);
}

/* Write the name of the event whose samples are a series. */
static int
write_series_name(const void *data, unsigned series, char *text, size_t size)
{
	const struct recording *recording = data;
	char name[REPORT_NAME_SIZE];

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (event->steps || event->series != series)
			continue;
		report_name(recording, event, name);
		return formula_write_short_name(name, text, size);
	}
	return snprintf(text, size, "series %u", series);
}

/* Print how an event is computed from others, unless it is a counter. */
static void
print_formula(const struct page *page, const struct recording_event *event)
{
	const struct drmperf_formula_style style = {
		.size = sizeof(style),
		.language = DRMPERF_LANGUAGE_BRIEF,
		.name = write_series_name,
		.data = page->recording,
	};
	char *text = event->step_count > 1
			     ? formula_steps_text(event->steps,
						  event->step_count, &style)
			     : NULL;

	if (!text)
		return;
	fputs("<br/>= ", page->out);
	page_print_text(page->out, text);
	free(text);
}

/* Return whether two events are one of several GPUs, or of several dies. */
static bool
are_alike(const struct recording_event *a, const struct recording_event *b)
{
	return a->asked && b->asked &&
	       DRMPERF_INSTANCE_OF(a->event.instance) ==
		       DRMPERF_INSTANCE_OF(b->event.instance) &&
	       !strcmp(a->event.name, b->event.name);
}

/* Return the most of an event over all GPUs: their plots have one scale. */
static double
most_of(const struct page *page, size_t number)
{
	const struct recording *recording = page->recording;
	double most = page->overview.ranges[number].most;

	for (size_t i = 0; i < recording->event_count; i++) {
		if (are_alike(&recording->events[i],
			      &recording->events[number]))
			most = fmax(most, page->overview.ranges[i].most);
	}
	return most;
}

static void
print_plot(const struct page *page, size_t number)
{
	const struct recording_event *event = &page->recording->events[number];
	const struct column *columns = &page->columns[number * COLUMNS];
	const double peak =
		verdict_rules_peak(&page->recording->verdicts, number);
	const double top = find_top(event, most_of(page, number), peak);
	char name[REPORT_NAME_SIZE], figure[REPORT_FIGURE_SIZE];
	char die[REPORT_DIE_SIZE];

	fprintf(page->out, "<section id=\"event%zu\"><h2>", number);
	page_print_text(page->out, report_name(page->recording, event, name));
	fprintf(page->out, "%s</h2>\n<p>",
		report_die(page->overview.ranges[number].die, die));
	page_print_text(page->out, event->description);
	print_formula(page, event);
	fputs("</p>\n<svg class=\"plot\" data-values=\"", page->out);
	print_values(page->out, event, columns);
	fprintf(page->out, "\" viewBox=\"-1 -20 %d %.0f\">\n", COLUMNS + 2,
		PLOT_HEIGHT + 46);
	print_ticks(page);
	fprintf(page->out,
		"<line class=\"tick half\" x2=\"%d\" y1=\"%.1f\" "
		"y2=\"%.1f\"/>\n",
		COLUMNS, PLOT_HEIGHT / 2, PLOT_HEIGHT / 2);
	fprintf(page->out,
		"<rect class=\"frame\" width=\"%d\" height=\"%.0f\"/>\n",
		COLUMNS, PLOT_HEIGHT);
	print_view(page->out, -2, (int)PLOT_HEIGHT + 4);
	print_bands(page->out, columns, top);
	fputs("</svg>\n", page->out);
	print_peak(page->out, event, peak, top);
	for (int i = 1; i <= 2; i++) {
		fprintf(page->out, "<text class=\"axis\" x=\"3\" y=\"%.0f\">",
			height_at(top * i / 2, top) - 3);
		page_print_text(page->out,
				report_figure(event, top * i / 2, figure));
		fputs("</text>\n", page->out);
	}
	fputs("</svg></section>\n", page->out);
}

/* Print the plots of an event, those of several GPUs side by side. */
static void
print_plots_of(const struct page *page, size_t number)
{
	const struct recording *recording = page->recording;
	const struct recording_event *event = &recording->events[number];
	size_t last = number;

	for (size_t i = 0; i < recording->event_count; i++) {
		if (!are_alike(&recording->events[i], event))
			continue;
		if (i < number)
			return; /* it stands beside that one */
		last = i;
	}
	if (last > number)
		fputs("<div class=\"gpus\">\n", page->out);
	for (size_t i = number; i <= last; i++) {
		if (are_alike(&recording->events[i], event))
			print_plot(page, i);
	}
	if (last > number)
		fputs("</div>\n", page->out);
}

/* ------------------------------------------------------------------ */
/* Programs and regions                                                 */

/* The processes, or the regions, of one name. */
struct program {
	const char *name;
	size_t processes;
	uint64_t longest_ns; /* that one of them ran */
};

/* Words of a picture with a row for each name. */
struct rows_title {
	const char *heading, *several, *part;
};

static const struct rows_title programs_title = {
	.heading = "Programs",
	.several = "processes",
	.part = "process",
};

static const struct rows_title regions_title = {
	.heading = "Regions",
	.several = "times",
	.part = "region",
};

static int
compare_programs(const void *a, const void *b)
{
	const struct program *one = a, *other = b;

	if (one->longest_ns != other->longest_ns)
		return one->longest_ns < other->longest_ns ? 1 : -1;
	return strcmp(one->name, other->name);
}

/* Add a process to the program of its name. Returns how many there are. */
static size_t
add_process(struct program *programs, size_t count, const struct span *span)
{
	const uint64_t ns = span->end_ns - span->begin_ns;
	size_t i = 0;

	while (i < count && strcmp(programs[i].name, span->name) != 0)
		i++;
	if (i == count)
		programs[i].name = span->name;
	programs[i].processes++;
	if (ns > programs[i].longest_ns)
		programs[i].longest_ns = ns;
	return i < count ? count : count + 1;
}

static void
print_span(const struct page *page, const struct span *span, size_t row)
{
	double from = page_place(page, span->begin_ns);
	double to = page_place(page, span->end_ns);

	fprintf(page->out,
		"<rect class=\"span\" x=\"%.1f\" y=\"%zu\" width=\"%.1f\" "
		"height=\"%d\"><title>",
		from, row * SPAN_HEIGHT, fmax(to - from, 1), SPAN_HEIGHT);
	page_print_text(page->out, span->name);
	fprintf(page->out, " (%d), %.6f s</title></rect>\n", (int)span->process,
		(double)(span->end_ns - span->begin_ns) / NS_PER_S);
}

/* Print all processes of a program into its row. */
static void
print_processes(const struct page *page, const struct timeline *spans,
		const struct program *program, size_t row)
{
	size_t printed = 0;

	for (size_t i = 0; i < spans->count && printed < MOST_SPANS; i++) {
		if (strcmp(spans->list[i].name, program->name) != 0)
			continue;
		print_span(page, &spans->list[i], row);
		printed++;
	}
}

static void
print_program_name(const struct page *page, const struct program *program,
		   const struct rows_title *title, size_t row)
{
	fprintf(page->out, "<text class=\"name\" x=\"3\" y=\"%zu\">",
		row * SPAN_HEIGHT + 15);
	page_print_text(page->out, program->name);
	if (program->processes > 1)
		fprintf(page->out, ", %zu %s", program->processes,
			title->several);
	fputs("</text>\n", page->out);
}

static void
print_rows(const struct page *page, const struct timeline *spans,
	   const struct rows_title *title)
{
	struct program *programs = calloc(spans->count + 1, sizeof(*programs));
	size_t count = 0, rows;

	for (size_t i = 0; programs && i < spans->count; i++)
		count = add_process(programs, count, &spans->list[i]);
	if (!count) {
		free(programs);
		return;
	}
	qsort(programs, count, sizeof(*programs), compare_programs);
	rows = count < MOST_PROGRAMS ? count : MOST_PROGRAMS;
	fprintf(page->out, "<h2>%s</h2>\n", title->heading);
	if (rows < count)
		fprintf(page->out,
			"<p>The %zu of %zu with the longest %s.</p>\n", rows,
			count, title->part);
	fprintf(page->out, "<svg class=\"plot\" viewBox=\"-1 0 %d %zu\">\n",
		COLUMNS + 2, rows * SPAN_HEIGHT + 1);
	print_view(page->out, 0, (int)rows * SPAN_HEIGHT + 1);
	for (size_t i = 0; i < rows; i++)
		print_processes(page, spans, &programs[i], i);
	fputs("</svg>\n", page->out);
	for (size_t i = 0; i < rows; i++)
		print_program_name(page, &programs[i], title, i);
	fputs("</svg>\n", page->out);
	free(programs);
}

/* Print regions as programs are printed. */
static int
print_regions(const struct page *page, const struct regions *regions)
{
	struct timeline spans = {
		.list = calloc(regions->count + 1, sizeof(*spans.list)),
		.count = regions->count,
	};

	if (!spans.list)
		return -ENOMEM;
	for (size_t i = 0; i < regions->count; i++)
		spans.list[i] = (struct span){
			.process = regions->list[i].process,
			.name = regions->list[i].name,
			.begin_ns = regions->list[i].begin_ns,
			.end_ns = regions->list[i].end_ns,
		};
	print_rows(page, &spans, &regions_title);
	timeline_finish(&spans);
	return 0;
}

/* ------------------------------------------------------------------ */
/* The page                                                             */

/* Print the counters of the device that do not see the whole system. */
static void
print_scope(const struct page *page, int device)
{
	const struct recording *recording = page->recording;
	static const char *const seen[] = {
		[QUEUE_ACCESS_ALLOWED] = "which see queues that allow it",
		[QUEUE_ACCESS_COMMAND] = "which see the command's queues",
		[QUEUE_ACCESS_ALL] = "for which all queues were made to count",
	};
	const char *before = ". Its counters are system wide, but for ";

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (!event->asked || event->event.device != device ||
		    event->event.scope != DRMPERF_SCOPE_QUEUE)
			continue;
		fputs(before, page->out);
		page_print_text(page->out, event->event.name);
		before = ", ";
	}
	if (before[0] == '.')
		fputs(". Its counters are system wide.</p>\n", page->out);
	else
		fprintf(page->out, ", %s.</p>\n", seen[recording->queues]);
}

/* Print the clocks of a GPU if counting held them. */
static void
print_clocks(const struct page *page, int device)
{
	const struct held_clocks *clocks =
		held_clocks_find(&page->recording->clocks, device);
	char text[HELD_CLOCKS_SIZE];

	if (clocks)
		fprintf(page->out, "<p>Counting held its clocks: %s.</p>\n",
			held_clocks_text(clocks, text));
}

/* Print the GPUs, once each. */
static void
print_devices(const struct page *page)
{
	const struct recording *recording = page->recording;

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];
		size_t before = 0;

		while (before < i && recording->events[before].event.device !=
					     event->event.device)
			before++;
		if (before < i || event->event.device < 0)
			continue;
		fprintf(page->out, "<p>GPU %d: ", event->event.device);
		page_print_text(page->out, event->chip);
		fputs(", ", page->out);
		page_print_text(page->out, event->address);
		print_scope(page, event->event.device);
		print_clocks(page, event->event.device);
	}
}

static void
print_command(const struct recording *recording, FILE *out)
{
	char *command = NULL;
	size_t size;
	FILE *text = open_memstream(&command, &size);

	if (!text)
		return;
	report_print_command(recording, text);
	fclose(text);
	page_print_text(out,
			command && *command ? command : "the whole machine");
	free(command);
}

static void
print_opening(const struct recording *recording, double seconds, FILE *out)
{
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head>"
		"<meta charset=\"utf-8\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width\"/>\n"
		"<title>drmperf report</title>\n"
		"<style>\n%s</style></head>"
		"<body data-seconds=\"%.9f\">\n<h1>",
		page_style, seconds);
	print_command(recording, out);
	fputs("</h1>\n", out);
}

static void
print_verdict(const struct page *page, const struct verdict_rule *rule,
	      const struct verdict_value *values)
{
	const char *sure = verdict_certainty(rule, values);
	char *evidence = NULL;
	size_t size;
	FILE *text = open_memstream(&evidence, &size);

	if (text) {
		verdict_print_evidence(text, rule, values);
		fclose(text);
	}
	fprintf(page->out, "<div class=\"verdict\"><b>GPU %d: ", rule->device);
	page_print_text(page->out, rule->text);
	fprintf(page->out, "</b>%s%s%s\n<p>", sure ? " (" : "",
		sure ? sure : "", sure ? ")" : "");
	page_print_text(page->out, evidence ? evidence : "");
	fputs("</p>\n", page->out);
	if (rule->next[0]) {
		fputs("<p>Next: ", page->out);
		page_print_text(page->out, rule->next);
		fputs("</p>\n", page->out);
	}
	fputs("</div>\n", page->out);
	free(evidence);
}

/* Print a height in a cell that follows another one. */
static void
print_cell(const struct page *page, const struct recording_event *event,
	   double height)
{
	char text[REPORT_FIGURE_SIZE];

	fputs("</td><td>", page->out);
	page_print_text(page->out, report_figure(event, height, text));
}

/* Print all events with what they were over all, and a link to each plot. */
static void
print_table(const struct page *page)
{
	const struct recording *recording = page->recording;
	char text[REPORT_NAME_SIZE], unit[FORMAT_NUMBER_SIZE];

	fputs("<div class=\"wide\"><table class=\"events\">\n"
	      "<tr><th>event</th>"
	      "<th>value</th><th>rate</th><th>min</th><th>p95</th>"
	      "<th>max</th></tr>\n",
	      page->out);
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];
		const struct record *record = &page->overview.records[i];
		const struct report_range *range = &page->overview.ranges[i];

		if (!event->asked)
			continue;
		fprintf(page->out, "<tr><td><a href=\"#event%zu\">", i);
		page_print_text(page->out, report_name(recording, event, text));
		report_value(record, text, unit);
		fprintf(page->out, "</a></td><td>%s %s</td><td>", text, unit);
		if (!isnan(records_rate(record)))
			page_print_text(page->out,
					report_figure(event,
						      records_rate(record),
						      text));
		print_cell(page, event, range->least);
		print_cell(page, event, range->p95);
		print_cell(page, event, range->most);
		fputs("</td></tr>\n", page->out);
	}
	fputs("</table></div>\n<p class=\"hint\"></p>\n", page->out);
}

static void
print_head(const struct page *page)
{
	time_t begin =
		(time_t)(page->recording->realtime_ns / NS_PER_S_INTEGER);
	const double seconds =
		(double)(page->overview.end_ns - page->overview.begin_ns) /
		NS_PER_S;
	struct tm utc;
	char when[32] = "";

	if (gmtime_r(&begin, &utc))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", &utc);
	print_opening(page->recording, seconds, page->out);
	fprintf(page->out, "<p>%s, %.6f seconds</p>\n", when, seconds);
	print_devices(page);
	for (size_t i = 0; i < page->overview.rule_count; i++)
		print_verdict(page, page->overview.rules[i],
			      page->overview.values);
	print_table(page);
}

/* Write flame graphs of what was sampled beside the events, without names. */
static int
print_stalls(const struct page *page)
{
	const struct kernel_names none = { 0 };
	const struct stalls_report report = { .format = STALLS_SECTIONS,
					      .names = &none };

	return stalls_write(page->recording, &report, page->out);
}

int
report_stalls_html(const struct recording *recording,
		   const struct kernel_names *names, FILE *out)
{
	const struct stalls_report report = { .format = STALLS_SECTIONS,
					      .names = names };
	int ret;

	print_opening(recording, 0, out);
	ret = stalls_write(recording, &report, out);
	fputs("</body></html>\n", out);
	return ret;
}

int
report_html(struct recording *recording, FILE *out)
{
	struct page page = { .out = out, .recording = recording };
	struct timeline spans = { 0 };
	struct regions regions = { 0 };
	int ret = report_overview_read(recording, &page.overview);

	if (!ret)
		ret = page_collect(&page);
	if (!ret)
		ret = timeline_read(recording, &spans);
	if (!ret)
		ret = regions_read(recording, &regions);
	if (!ret) {
		print_head(&page);
		fputs("<main>\n", out);
		ret = roofline_plot_print(recording, &page.overview, out);
		for (size_t i = 0; i < recording->event_count; i++) {
			if (recording->events[i].asked)
				print_plots_of(&page, i);
		}
		fputs("</main>\n", out);
		if (!ret)
			ret = print_regions(&page, &regions);
		print_rows(&page, &spans, &programs_title);
		if (!ret)
			ret = print_stalls(&page);
		fprintf(out, "<script>\n%s</script></body></html>\n",
			page_script);
	}
	regions_finish(&regions);
	timeline_finish(&spans);
	report_overview_finish(&page.overview);
	free(page.drawn);
	free(page.columns);
	return ret;
}
