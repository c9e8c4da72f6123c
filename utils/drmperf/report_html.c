/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A page with a plot of each event over time. It has no scripts and asks for
 * nothing from elsewhere: it can be mailed, kept and opened anywhere.
 */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "spans.h"
#include "verdict.h"

#define NS_PER_S 1e9
#define NS_PER_S_INTEGER 1000000000

/* Of a plot, in the page's units; a column shows what falls together there. */
#define COLUMNS 1000
#define PLOT_HEIGHT 110.0
#define HEADROOM 0.1 /* above the highest value */
#define SPAN_HEIGHT 16
/* More programs would be no picture any more. */
#define MOST_SPANS 200
#define MOST_TICKS 10

struct column {
	double least, most; /* NaN: nothing there */
};

struct page {
	FILE *out;
	struct recording *recording;
	uint64_t begin_ns, end_ns;
	struct column *columns; /* of each event */
	double *drawn; /* up to where, of each event */
	int *dies;     /* of each event, as report_note_die() has it */
};

static const char style[] =
	"body { font: 14px sans-serif; margin: 2em auto;\n"
	"  max-width: 1060px; padding: 0 1em;\n"
	"  color: #222; background: #fff; }\n"
	"h1 { font-size: 1.3em; }\n"
	"h2 { font-size: 1em; margin: 1.4em 0 .2em; }\n"
	"p { margin: .2em 0; color: #666; }\n"
	"svg { width: 100%; height: auto; display: block; }\n"
	"svg text { font: 11px sans-serif; fill: #666; }\n"
	".frame { fill: none; stroke: #ccc; } .tick { stroke: #ddd; }\n"
	".band { fill: #3b78c4; stroke: #3b78c4; stroke-linejoin: round; }\n"
	".area { fill: #3b78c4; opacity: .25; }\n"
	".verdict { margin: 1em 0; padding: .6em .8em;\n"
	"  border-left: 4px solid #3b78c4; background: #f2f5f9; }\n"
	".span { fill: #e0a030; stroke: #fff; } svg .name { fill: #222; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"  body { color: #ddd; background: #1c1c1e; }\n"
	"  p, svg text { color: #999; fill: #999; }\n"
	"  .verdict { background: #26282c; }\n"
	"  .frame, .tick { stroke: #444; } svg .name { fill: #111; }\n"
	"}\n";

/* ------------------------------------------------------------------ */

static void
print_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			/* of control characters a page has no use */
			if ((unsigned char)*text >= 0x20)
				fputc(*text, out);
			break;
		}
	}
}

/* Where a time lies, in columns. */
static double
place(const struct page *page, uint64_t time_ns)
{
	double length = (double)(page->end_ns - page->begin_ns);
	double at = (double)(int64_t)(time_ns - page->begin_ns);

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
 * Counters have times of their own: in what lies between two samples there may
 * be no report of this one. The next that has one is for that time, too.
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
	double to = place(page, interval->end_ns);

	for (size_t i = 0; i < recording->event_count; i++) {
		struct record record;
		double height;

		if (!recording->events[i].asked)
			continue;
		record = interval_record(interval, &recording->events[i]);
		if (!is_told(&record))
			continue;
		report_note_die(&page->dies[i], record.die);
		height = interval_height(&record);
		if (!isnan(height))
			fill_columns(&page->columns[i * COLUMNS],
				     page->drawn[i], to, height);
		page->drawn[i] = to;
	}
}

static int
find_length(struct page *page)
{
	struct interval_walk walk = { .recording = page->recording,
				      .length_ns = UINT64_MAX };
	struct interval interval;
	int ret = interval_walk_next(&walk, &interval);

	if (ret > 0) {
		page->begin_ns = interval.begin_ns;
		page->end_ns = interval.end_ns;
	}
	interval_walk_finish(&walk);
	return ret > 0 ? 0 : ret ? ret : -ENODATA;
}

static int
collect(struct page *page)
{
	struct interval_walk walk = { .recording = page->recording,
				      .length_ns = 1 };
	size_t count = page->recording->event_count * COLUMNS;
	struct interval interval;
	int ret;

	page->columns = malloc(count * sizeof(*page->columns));
	page->drawn = calloc(page->recording->event_count,
			     sizeof(*page->drawn));
	page->dies = malloc(page->recording->event_count * sizeof(*page->dies));
	if (!page->columns || !page->drawn || !page->dies)
		return -ENOMEM;
	for (size_t i = 0; i < page->recording->event_count; i++)
		page->dies[i] = -1;
	for (size_t i = 0; i < count; i++)
		page->columns[i] = (struct column){ .least = NAN, .most = NAN };
	while ((ret = interval_walk_next(&walk, &interval)) > 0)
		take_interval(page, &interval);
	interval_walk_finish(&walk);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Plots                                                                */

static double
find_top(const struct column *columns)
{
	double top = NAN;

	for (size_t i = 0; i < COLUMNS; i++)
		top = fmax(top, columns[i].most);
	return top;
}

static double
height_at(double value, double top)
{
	const double scale = PLOT_HEIGHT * (1 - HEADROOM);

	return top > 0 ? PLOT_HEIGHT - value / top * scale : PLOT_HEIGHT;
}

/* Along the most of columns that follow on each other, and back below. */
static void
print_shape(FILE *out, const char *class, const struct column *columns,
	    size_t first, size_t end, double top)
{
	bool to_ground = !strcmp(class, "area");
	const char *before = "M";

	fprintf(out, "<path class=\"%s\" d=\"", class);
	for (size_t i = first; i < end; i++) {
		double y = height_at(columns[i].most, top);

		fprintf(out, "%s%zu %.1fL%zu %.1f", before, i, y, i + 1, y);
		before = "L";
	}
	for (size_t i = end; i-- > first;) {
		double y = to_ground ? PLOT_HEIGHT
				     : height_at(columns[i].least, top);

		fprintf(out, "L%zu %.1fL%zu %.1f", i + 1, y, i, y);
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

/* 1, 2 or 5 of some power of ten, so that there are no more ticks. */
static double
tick_step(double seconds)
{
	double step = pow(10, floor(log10(seconds / MOST_TICKS)));

	if (seconds <= 0)
		return 1;
	if (seconds / step <= MOST_TICKS)
		return step;
	if (seconds / step <= 2 * MOST_TICKS)
		return 2 * step;
	return seconds / step <= 5 * MOST_TICKS ? 5 * step : 10 * step;
}

static void
print_ticks(const struct page *page)
{
	double seconds = (double)(page->end_ns - page->begin_ns) / NS_PER_S;
	double step = tick_step(seconds);

	for (int i = 0; i * step <= seconds; i++) {
		double x = seconds > 0 ? i * step / seconds * COLUMNS : 0;

		fprintf(page->out,
			"<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" "
			"y1=\"0\" y2=\"%.0f\"/><text x=\"%.1f\" "
			"y=\"%.0f\" text-anchor=\"%s\">%.9g s</text>\n",
			x, x, PLOT_HEIGHT, x, PLOT_HEIGHT + 14,
			i == 0		   ? "start"
			: x > COLUMNS - 20 ? "end"
					   : "middle",
			i * step);
	}
}

static void
print_plot(const struct page *page, size_t number)
{
	const struct recording_event *event = &page->recording->events[number];
	const struct column *columns = &page->columns[number * COLUMNS];
	double top = find_top(columns);
	char name[REPORT_NAME_SIZE], figure[REPORT_FIGURE_SIZE];
	char die[REPORT_DIE_SIZE];

	fputs("<h2>", page->out);
	print_text(page->out, report_name(page->recording, event, name));
	fprintf(page->out, "%s</h2>\n<p>", report_die(page->dies[number], die));
	print_text(page->out, event->description);
	fprintf(page->out, "</p>\n<svg viewBox=\"-1 -14 %d %.0f\">\n",
		COLUMNS + 2, PLOT_HEIGHT + 32);
	print_ticks(page);
	print_bands(page->out, columns, top);
	fprintf(page->out,
		"<rect class=\"frame\" width=\"%d\" height=\"%.0f\"/>\n"
		"<text y=\"-3\">most: ",
		COLUMNS, PLOT_HEIGHT);
	print_text(page->out, report_figure(event, top, figure));
	fputs("</text>\n</svg>\n", page->out);
}

/* ------------------------------------------------------------------ */
/* Programs                                                             */

static void
print_span(const struct page *page, const struct span *span, size_t row)
{
	double from = place(page, span->begin_ns);
	double to = place(page, span->end_ns);

	fprintf(page->out,
		"<rect class=\"span\" x=\"%.1f\" y=\"%zu\" width=\"%.1f\" "
		"height=\"%d\"><title>",
		from, row * SPAN_HEIGHT, fmax(to - from, 1), SPAN_HEIGHT);
	print_text(page->out, span->name);
	fprintf(page->out,
		" (%d), %.6f s</title></rect>\n<text class=\"name\" "
		"x=\"%.1f\" y=\"%zu\">",
		(int)span->process,
		(double)(span->end_ns - span->begin_ns) / NS_PER_S, from + 3,
		row * SPAN_HEIGHT + 12);
	print_text(page->out, span->name);
	fprintf(page->out, " %d</text>\n", (int)span->process);
}

static void
print_spans(const struct page *page, const struct spans *spans)
{
	size_t count = spans->count < MOST_SPANS ? spans->count : MOST_SPANS;

	if (!count)
		return;
	fputs("<h2>Programs</h2>\n", page->out);
	if (count < spans->count)
		fprintf(page->out, "<p>The first %zu of %zu.</p>\n", count,
			spans->count);
	fprintf(page->out, "<svg viewBox=\"-1 0 %d %zu\">\n", COLUMNS + 2,
		count * SPAN_HEIGHT + 1);
	for (size_t i = 0; i < count; i++)
		print_span(page, &spans->list[i], i);
	fputs("</svg>\n", page->out);
}

/* ------------------------------------------------------------------ */
/* The page                                                             */

/* What not all counters of the device see the whole system of. */
static void
print_scope(const struct page *page, int device)
{
	const struct recording *recording = page->recording;
	const char *before = ". Its counters are system wide, but for ";

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (!event->asked || event->event.device != device ||
		    event->event.scope != DRMPERF_SCOPE_QUEUE)
			continue;
		fputs(before, page->out);
		print_text(page->out, event->event.name);
		before = ", ";
	}
	fputs(before[0] == '.' ? ". Its counters are system wide.</p>\n"
			       : ", which see queues that allow it.</p>\n",
	      page->out);
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

/* The GPUs, once each. */
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
		print_text(page->out, event->chip);
		fputs(", ", page->out);
		print_text(page->out, event->address);
		print_scope(page, event->event.device);
		print_clocks(page, event->event.device);
	}
}

static void
print_command(const struct page *page)
{
	char *command = NULL;
	size_t size;
	FILE *text = open_memstream(&command, &size);

	if (!text)
		return;
	report_print_command(page->recording, text);
	fclose(text);
	print_text(page->out,
		   command && *command ? command : "the whole machine");
	free(command);
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
	print_text(page->out, rule->text);
	fprintf(page->out, "</b>%s%s%s\n<p>", sure ? " (" : "",
		sure ? sure : "", sure ? ")" : "");
	print_text(page->out, evidence ? evidence : "");
	fputs("</p>\n", page->out);
	if (rule->next[0]) {
		fputs("<p>Next: ", page->out);
		print_text(page->out, rule->next);
		fputs("</p>\n", page->out);
	}
	fputs("</div>\n", page->out);
	free(evidence);
}

/* Print what the events of each GPU mean together. */
static int
print_verdicts(const struct page *page)
{
	struct report_verdicts verdicts;
	int ret = report_verdicts_find(page->recording, &verdicts);

	for (size_t i = 0; i < verdicts.count; i++)
		print_verdict(page, verdicts.rules[i], verdicts.values);
	report_verdicts_finish(&verdicts);
	return ret;
}

static int
print_head(const struct page *page)
{
	time_t begin =
		(time_t)(page->recording->realtime_ns / NS_PER_S_INTEGER);
	struct tm utc;
	char when[32] = "";

	if (gmtime_r(&begin, &utc))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", &utc);
	fprintf(page->out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head>"
		"<meta charset=\"utf-8\"/>\n<title>drmperf report</title>\n"
		"<style>\n%s</style></head><body>\n<h1>",
		style);
	print_command(page);
	fprintf(page->out, "</h1>\n<p>%s, %.6f seconds</p>\n", when,
		(double)(page->end_ns - page->begin_ns) / NS_PER_S);
	print_devices(page);
	return print_verdicts(page);
}

int
report_html(struct recording *recording, FILE *out)
{
	struct page page = { .out = out, .recording = recording };
	struct spans spans = { 0 };
	int ret = find_length(&page);

	if (!ret)
		ret = collect(&page);
	if (!ret)
		ret = spans_read(recording, &spans);
	if (!ret)
		ret = print_head(&page);
	if (!ret) {
		print_spans(&page, &spans);
		for (size_t i = 0; i < recording->event_count; i++) {
			if (recording->events[i].asked)
				print_plot(&page, i);
		}
		fputs("</body></html>\n", out);
	}
	spans_finish(&spans);
	free(page.dies);
	free(page.drawn);
	free(page.columns);
	return ret;
}
