/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/outputs.h"

/* Sizes in the page's units; to the left are numbers, below as well. */
#define WIDTH 1000
#define LEFT 70
#define HEIGHT 420
/* More would be a blot. */
#define MOST_POINTS 300
/* Roofs that are nearer to each other than this have one label. */
#define ALIKE 0.001

struct spot {
	double intensity, rate;
};

struct roofline_plot {
	FILE *out;
	struct recording *recording;
	int device;
	struct roofline_point whole;
	struct spot *spots;
	size_t count;
	double bandwidth; /* of the memory, or NaN */
	/* decades, powers of ten */
	double left, right, bottom, top;
};

/* ------------------------------------------------------------------ */
/* Points                                                               */

static void
add_spot(struct roofline_plot *plot, const struct roofline_point *point)
{
	if (point->intensity > 0 && point->operations_per_second > 0)
		plot->spots[plot->count++] = (struct spot){
			.intensity = point->intensity,
			.rate = point->operations_per_second,
		};
}

static void
add_interval(struct roofline_plot *plot, const struct interval *interval,
	     struct verdict_value *values)
{
	const struct recording *recording = plot->recording;
	struct roofline_point point;

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct record record =
			interval_record(interval, &recording->events[i]);

		values[i] = report_verdict_value(&record);
	}
	if (roofline_compute(&recording->roofline, plot->device, values,
			     &point))
		add_spot(plot, &point);
}

/* Collect a point of each interval, or of several where there are many. */
static int
collect_spots(struct roofline_plot *plot,
	      const struct report_overview *overview)
{
	const uint64_t length_ns =
		(overview->end_ns - overview->begin_ns) / MOST_POINTS;
	struct interval_walk walk = { .recording = plot->recording,
				      .length_ns = length_ns ? length_ns : 1 };
	struct verdict_value *values =
		calloc(plot->recording->event_count + 1, sizeof(*values));
	struct interval interval;
	int ret = values ? 1 : -ENOMEM;

	plot->spots = calloc(MOST_POINTS + 2, sizeof(*plot->spots));
	if (!plot->spots)
		ret = -ENOMEM;
	while (ret > 0 && plot->count <= MOST_POINTS) {
		ret = interval_walk_next(&walk, &interval);
		if (ret > 0)
			add_interval(plot, &interval, values);
	}
	interval_walk_finish(&walk);
	free(values);
	return ret < 0 ? ret : 0;
}

/* ------------------------------------------------------------------ */
/* Axes                                                                 */

/* Return whether a roof is one of operations that is drawn. */
static bool
is_drawn(const struct roofline_plot *plot, const struct roof *roof)
{
	return roof->device == plot->device && !roof->is_memory &&
	       !roof->missing && roof->peak > 0;
}

static void
axis_widen(double value, double *low, double *high)
{
	if (!(value > 0) || isinf(value))
		return;
	*low = fmin(*low, floor(log10(value)));
	*high = fmax(*high, ceil(log10(value)));
}

/* Find decades that have all points, all roofs, and where roofs meet. */
static void
find_axes(struct roofline_plot *plot)
{
	const struct roofline *roofline = &plot->recording->roofline;

	plot->left = plot->bottom = INFINITY;
	plot->right = plot->top = -INFINITY;
	for (size_t i = 0; i < roofline->count; i++) {
		const struct roof *roof = &roofline->list[i];

		if (roof->device == plot->device && roof->is_memory)
			plot->bandwidth = roof->peak;
	}
	for (size_t i = 0; i < roofline->count; i++) {
		const struct roof *roof = &roofline->list[i];

		if (!is_drawn(plot, roof))
			continue;
		axis_widen(roof->peak, &plot->bottom, &plot->top);
		axis_widen(roof->peak / plot->bandwidth, &plot->left,
			   &plot->right);
	}
	for (size_t i = 0; i < plot->count; i++) {
		axis_widen(plot->spots[i].rate, &plot->bottom, &plot->top);
		axis_widen(plot->spots[i].intensity, &plot->left, &plot->right);
	}
	plot->left -= 1;
	plot->right += 1;
	plot->bottom -= 1;
}

static double
place_x(const struct roofline_plot *plot, double intensity)
{
	return LEFT + (log10(intensity) - plot->left) /
			      (plot->right - plot->left) * (WIDTH - LEFT);
}

static double
place_y(const struct roofline_plot *plot, double rate)
{
	return HEIGHT - (log10(rate) - plot->bottom) /
				(plot->top - plot->bottom) * HEIGHT;
}

static void
print_axes(const struct roofline_plot *plot)
{
	char text[ROOF_FIGURE_SIZE];

	for (double i = plot->left; i <= plot->right; i++) {
		const double x = place_x(plot, pow(10, i));

		fprintf(plot->out,
			"<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" "
			"y1=\"0\" y2=\"%d\"/>"
			"<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%g"
			"</text>\n",
			x, x, HEIGHT, x, HEIGHT + 20,
			i < plot->right ? "middle" : "end", pow(10, i));
	}
	for (double i = plot->bottom; i <= plot->top; i++) {
		const double y = place_y(plot, pow(10, i));

		roof_figure(false, pow(10, i), text);
		fprintf(plot->out,
			"<line class=\"tick\" x1=\"%d\" x2=\"%d\" "
			"y1=\"%.1f\" y2=\"%.1f\"/>"
			"<text x=\"0\" y=\"%.1f\">%.*s</text>\n",
			LEFT, WIDTH, y, y, y + 4, (int)strcspn(text, "F"),
			text);
	}
	fprintf(plot->out,
		"<text x=\"%d\" y=\"-8\">FLOP/s</text>"
		"<text x=\"%d\" y=\"%d\" text-anchor=\"end\">FLOP/byte</text>\n"
		"<rect class=\"frame\" x=\"%d\" width=\"%d\" height=\"%d\"/>\n",
		LEFT, WIDTH, HEIGHT + 42, LEFT, WIDTH - LEFT, HEIGHT);
}

/* ------------------------------------------------------------------ */
/* Roofs                                                                */

/* Return whether a roof is as high as one before it, which has its label. */
static bool
has_label(const struct roofline_plot *plot, size_t number)
{
	const struct roof *list = plot->recording->roofline.list;

	for (size_t i = 0; i < number; i++) {
		if (is_drawn(plot, &list[i]) &&
		    fabs(list[i].peak / list[number].peak - 1) < ALIKE)
			return true;
	}
	return false;
}

/* Print the names of all roofs that are as high as this one. */
static void
print_names(const struct roofline_plot *plot, size_t number)
{
	const struct roofline *roofline = &plot->recording->roofline;
	const struct roof *roof = &roofline->list[number];
	const char *before = "";
	char text[ROOF_FIGURE_SIZE];

	for (size_t i = number; i < roofline->count; i++) {
		const struct roof *other = &roofline->list[i];

		if (!is_drawn(plot, other) ||
		    fabs(other->peak / roof->peak - 1) >= ALIKE)
			continue;
		fputs(before, plot->out);
		page_print_text(plot->out, other->name);
		before = ", ";
	}
	fprintf(plot->out, ": %s", roof_figure(false, roof->peak, text));
}

/* Print a level roof, from where it meets that of the memory. */
static void
print_level(const struct roofline_plot *plot, size_t number)
{
	const double peak = plot->recording->roofline.list[number].peak;
	const double y = place_y(plot, peak);
	const double from = plot->bandwidth > 0
				    ? place_x(plot, peak / plot->bandwidth)
				    : LEFT;

	fprintf(plot->out,
		"<line class=\"roof\" x1=\"%.1f\" x2=\"%d\" y1=\"%.1f\" "
		"y2=\"%.1f\"/><text class=\"roof\" x=\"%d\" y=\"%.1f\" "
		"text-anchor=\"end\">",
		from, WIDTH, y, y, WIDTH - 4, y - 4);
	print_names(plot, number);
	fputs("</text>\n", plot->out);
}

/* Print the roof of the memory up to the highest of the others. */
static void
print_slope(const struct roofline_plot *plot)
{
	const struct roofline *roofline = &plot->recording->roofline;
	const double left = fmax(pow(10, plot->left),
				 pow(10, plot->bottom) / plot->bandwidth);
	double most = 0, x1, x2, y1, y2;
	char text[ROOF_FIGURE_SIZE];

	for (size_t i = 0; i < roofline->count; i++) {
		if (is_drawn(plot, &roofline->list[i]))
			most = fmax(most, roofline->list[i].peak);
	}
	if (!(plot->bandwidth > 0) || !(most > left * plot->bandwidth))
		return;
	x1 = place_x(plot, left);
	y1 = place_y(plot, left * plot->bandwidth);
	x2 = place_x(plot, most / plot->bandwidth);
	y2 = place_y(plot, most);
	fprintf(plot->out,
		"<line class=\"roof\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
		"y2=\"%.1f\"/>"
		"<text class=\"roof\" text-anchor=\"middle\" "
		"transform=\"translate(%.1f %.1f) rotate(%.1f)\" y=\"-6\">"
		"memory: %s</text>\n",
		x1, x2, y1, y2, (x1 + x2) / 2, (y1 + y2) / 2,
		atan2(y2 - y1, x2 - x1) * 180 / acos(-1),
		roof_figure(true, plot->bandwidth, text));
}

static void
print_roofs(const struct roofline_plot *plot)
{
	const struct roofline *roofline = &plot->recording->roofline;

	print_slope(plot);
	for (size_t i = 0; i < roofline->count; i++) {
		if (is_drawn(plot, &roofline->list[i]) && !has_label(plot, i))
			print_level(plot, i);
	}
}

/* ------------------------------------------------------------------ */

static void
print_spot(const struct roofline_plot *plot, const struct spot *spot,
	   const char *class, int radius)
{
	char text[ROOF_FIGURE_SIZE], intensity[ROOF_FIGURE_SIZE];

	fprintf(plot->out,
		"<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\">"
		"<title>%s, %s</title></circle>\n",
		class, place_x(plot, spot->intensity),
		place_y(plot, spot->rate), radius,
		roof_intensity(spot->intensity, intensity),
		roof_figure(false, spot->rate, text));
}

/* Print what the whole recording comes to, or why that is unknown. */
static void
print_conclusion(const struct roofline_plot *plot)
{
	const struct roofline_point *whole = &plot->whole;
	char text[ROOF_FIGURE_SIZE], intensity[ROOF_FIGURE_SIZE];

	if (whole->reason) {
		fprintf(plot->out, "Cannot tell: %s.", whole->reason);
		return;
	}
	fprintf(plot->out, "%s%s, %s: nearest is the roof ",
		whole->is_most ? "At most " : "",
		roof_intensity(whole->intensity, intensity),
		roof_figure(false, whole->operations_per_second, text));
	page_print_text(plot->out, whole->limit->name);
	fprintf(plot->out, ", at %.0f %%.", whole->percent);
}

static void
print_plot(const struct roofline_plot *plot)
{
	const struct spot mean = {
		.intensity = plot->whole.intensity,
		.rate = plot->whole.operations_per_second,
	};

	fprintf(plot->out,
		"<section id=\"roofline%d\"><h2>Roofline of GPU %d</h2>\n<p>",
		plot->device, plot->device);
	print_conclusion(plot);
	if (!plot->count) {
		fputs("</p></section>\n", plot->out);
		return;
	}
	fputs(" A point is an interval, the large one the whole recording.",
	      plot->out);
	fputs(plot->bandwidth > 0
		      ? "</p>\n"
		      : " The roof of the memory is not known.</p>\n",
	      plot->out);
	fprintf(plot->out,
		"<svg class=\"roofline\" viewBox=\"-1 -30 %d %d\">\n",
		WIDTH + 2, HEIGHT + 80);
	print_axes(plot);
	print_roofs(plot);
	for (size_t i = 0; i < plot->count; i++)
		print_spot(plot, &plot->spots[i], "point", 4);
	if (mean.intensity > 0 && mean.rate > 0)
		print_spot(plot, &mean, "mean", 7);
	fputs("</svg></section>\n", plot->out);
}

int
roofline_plot_print(struct recording *recording,
		    const struct report_overview *overview, FILE *out)
{
	const struct roofline *roofline = &recording->roofline;
	int ret = 0;

	for (size_t i = 0; !ret && i < roofline->count; i++) {
		struct roofline_plot plot = {
			.out = out,
			.recording = recording,
			.device = roofline->list[i].device,
			.bandwidth = NAN,
		};

		if (!report_roofline_point(recording, i, overview->values,
					   &plot.whole))
			continue;
		ret = collect_spots(&plot, overview);
		if (!ret) {
			find_axes(&plot);
			print_plot(&plot);
		}
		free(plot.spots);
	}
	return ret;
}
