/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/outputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/measurement.h"
#include "report/page.h"
#include "util/format_number.h"
#include "util/printable.h"

/* Doubles are exact up to there. */
#define MOST_EXACT 9007199254740992.0

enum side {
	SIDE_A,
	SIDE_B,
	SIDES
};

/* Conclusions about a change from the values of the runs. */
enum verdict {
	VERDICT_SAME, /* there is none */
	VERDICT_UNKNOWN, /* one side has no second run */
	VERDICT_WITHIN, /* values of both sides overlap */
	VERDICT_BEYOND
};

static const char *const verdict_texts[] = {
	[VERDICT_SAME] = "",
	[VERDICT_UNKNOWN] = "?",
	[VERDICT_WITHIN] = "within",
	[VERDICT_BEYOND] = "beyond",
};

struct comparison {
	const char *const *paths;
	struct measurement sides[SIDES];
	bool html;
	FILE *out;
	bool any_unknown, any_judged;
};

/* ------------------------------------------------------------------ */
/* Changes                                                              */

static enum verdict
judge_change(const struct measurement_value *a,
	     const struct measurement_value *b)
{
	if (!a || !b || !a->runs || !b->runs)
		return VERDICT_SAME;
	if (a->min == b->min && a->max == b->max)
		return VERDICT_SAME;
	if (a->runs < 2 || b->runs < 2)
		return VERDICT_UNKNOWN;
	return a->max < b->min || b->max < a->min ? VERDICT_BEYOND
						  : VERDICT_WITHIN;
}

/* Write "+10.0 %"; "n/a" of what was 0, or is not there. */
static void
write_change(double before, double now, char text[FORMAT_NUMBER_SIZE])
{
	const double percent = 100 * (now - before) / fabs(before);

	if (before == now)
		snprintf(text, FORMAT_NUMBER_SIZE, "0.0 %%");
	else if (!isfinite(percent))
		snprintf(text, FORMAT_NUMBER_SIZE, "n/a");
	else
		snprintf(text, FORMAT_NUMBER_SIZE, "%+.1f %%", percent);
}

/* Write a value with the prefix that suits it, or "n/a" if a side has none. */
static void
write_value(const struct measurement_value *value,
	    char text[2 * FORMAT_NUMBER_SIZE])
{
	const double mean = measurement_mean(value);
	char figure[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE];

	if (value->adds_up && mean >= 0 && mean < MOST_EXACT &&
	    mean == floor(mean)) {
		format_count((uint64_t)mean, figure);
		snprintf(text, 2 * FORMAT_NUMBER_SIZE, "%s %s", figure,
			 drmperf_unit_name(value->unit));
		return;
	}
	format_value(value->unit,
		     value->adds_up ? DRMPERF_KIND_CUMULATIVE
				    : DRMPERF_KIND_AVERAGE,
		     mean, figure, unit);
	snprintf(text, 2 * FORMAT_NUMBER_SIZE, "%s %s", figure, unit);
}

/* ------------------------------------------------------------------ */
/* Text and HTML                                                        */

/* Put a text: names and commands are from files of others. */
static void
put_text(const struct comparison *comparison, const char *text)
{
	char *safe = strdup(text);

	if (safe)
		printable_clean(safe);
	for (const char *at = safe ? safe : "?"; *at; at++) {
		if (comparison->html && *at == '<')
			fputs("&lt;", comparison->out);
		else if (comparison->html && *at == '&')
			fputs("&amp;", comparison->out);
		else
			putc(*at, comparison->out);
	}
	free(safe);
}

static void
put_row(struct comparison *comparison, const char *const cells[5])
{
	if (!comparison->html) {
		fprintf(comparison->out, "%24s  %24s  %10s  %-6s  ", cells[0],
			cells[1], cells[2], cells[3]);
		put_text(comparison, cells[4]);
		putc('\n', comparison->out);
		return;
	}
	fputs("<tr>", comparison->out);
	/* the name is first, which a narrow window shows */
	for (int i = 0; i < 5; i++) {
		fputs("<td>", comparison->out);
		put_text(comparison, cells[(i + 4) % 5]);
		fputs("</td>", comparison->out);
	}
	fputs("</tr>\n", comparison->out);
}

/* Write the rate of what adds up, or a value. */
static void
write_p95(const struct measurement_value *value,
	  char text[2 * FORMAT_NUMBER_SIZE])
{
	char figure[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE];

	if (value->adds_up) {
		format_rate(value->unit, DRMPERF_KIND_CUMULATIVE, value->p95, 1,
			    text);
		return;
	}
	format_value(value->unit, DRMPERF_KIND_AVERAGE, value->p95, figure,
		     unit);
	snprintf(text, 2 * FORMAT_NUMBER_SIZE, "%s %s", figure, unit);
}

/* Print what 95 % of the samples did not exceed, if both are recordings. */
static void
put_p95(struct comparison *comparison, const char *name,
	const struct measurement_value *a, const struct measurement_value *b)
{
	char figures[SIDES][2 * FORMAT_NUMBER_SIZE], change[FORMAT_NUMBER_SIZE];
	char *label;

	if (!a || !b || isnan(a->p95) || isnan(b->p95) ||
	    asprintf(&label, "p95 of %s", name) < 0)
		return;
	write_p95(a, figures[SIDE_A]);
	write_p95(b, figures[SIDE_B]);
	write_change(a->p95, b->p95, change);
	put_row(comparison,
		(const char *const[]){ figures[SIDE_A], figures[SIDE_B], change,
				       "", label });
	free(label);
}

static void
put_value(struct comparison *comparison, const char *name)
{
	char figures[SIDES][2 * FORMAT_NUMBER_SIZE], change[FORMAT_NUMBER_SIZE];
	const struct measurement_value *values[SIDES];
	double means[SIDES];
	enum verdict verdict;

	for (int i = 0; i < SIDES; i++) {
		values[i] = measurement_find(&comparison->sides[i], name);
		means[i] = values[i] ? measurement_mean(values[i]) : NAN;
		snprintf(figures[i], sizeof(figures[i]), "-");
		if (values[i])
			write_value(values[i], figures[i]);
	}
	verdict = judge_change(values[SIDE_A], values[SIDE_B]);
	comparison->any_unknown |= verdict == VERDICT_UNKNOWN;
	comparison->any_judged |= verdict > VERDICT_UNKNOWN;
	write_change(means[SIDE_A], means[SIDE_B], change);
	put_row(comparison,
		(const char *const[]){ figures[SIDE_A], figures[SIDE_B], change,
				       verdict_texts[verdict], name });
	put_p95(comparison, name, values[SIDE_A], values[SIDE_B]);
}

static void
put_seconds(struct comparison *comparison)
{
	const double a = comparison->sides[SIDE_A].seconds;
	const double b = comparison->sides[SIDE_B].seconds;
	char texts[SIDES][FORMAT_NUMBER_SIZE], change[FORMAT_NUMBER_SIZE];

	if (isnan(a) || isnan(b))
		return;
	snprintf(texts[SIDE_A], FORMAT_NUMBER_SIZE, "%.6f s", a);
	snprintf(texts[SIDE_B], FORMAT_NUMBER_SIZE, "%.6f s", b);
	write_change(a, b, change);
	put_row(comparison,
		(const char *const[]){ texts[SIDE_A], texts[SIDE_B], change, "",
				       "seconds elapsed" });
}

static void
put_head(struct comparison *comparison)
{
	static const char *const head[] = { "A", "B", "change", "spread",
					    "event" };

	if (comparison->html)
		fprintf(comparison->out,
			"<!DOCTYPE html>\n<html lang=\"en\"><head>"
			"<meta charset=\"utf-8\"/>\n"
			"<meta name=\"viewport\" "
			"content=\"width=device-width\"/>\n"
			"<title>drmperf report --diff</title>\n"
			"<style>\n%s"
			"td:first-child { white-space: normal;\n"
			"  min-width: 10em; }\n"
			"</style></head>\n<body><p>",
			page_style);
	for (int i = 0; i < SIDES; i++) {
		fprintf(comparison->out, " %c: ", "AB"[i]);
		put_text(comparison, comparison->paths[i]);
		if (*comparison->sides[i].command) {
			fputs(" (", comparison->out);
			put_text(comparison, comparison->sides[i].command);
			putc(')', comparison->out);
		}
		fputs(comparison->html ? "<br/>\n" : "\n", comparison->out);
	}
	fputs(comparison->html ? "</p><div class=\"wide\"><table>\n" : "\n",
	      comparison->out);
	put_row(comparison, head);
}

static void
put_legend(const struct comparison *comparison)
{
	const char *end = comparison->html ? "<br/>\n" : "\n";

	fputs(comparison->html ? "</table></div><p>" : "\n", comparison->out);
	if (comparison->any_judged)
		fprintf(comparison->out,
			" within: the values of the runs of A and B overlap; "
			"beyond: they do not%s",
			end);
	if (comparison->any_unknown)
		fprintf(comparison->out,
			" ?: one run does not tell how far runs differ "
			"(drmperf stat -r 5 --json)%s",
			end);
	if (comparison->html)
		fputs("</p></body></html>\n", comparison->out);
}

/* ------------------------------------------------------------------ */

/* Put the rows of A in their order, then what B alone has. */
static void
put_table(struct comparison *comparison)
{
	const struct measurement *a = &comparison->sides[SIDE_A];
	const struct measurement *b = &comparison->sides[SIDE_B];

	put_head(comparison);
	for (size_t i = 0; i < a->count; i++)
		put_value(comparison, a->list[i].name);
	for (size_t i = 0; i < b->count; i++) {
		if (!measurement_find(a, b->list[i].name))
			put_value(comparison, b->list[i].name);
	}
	put_seconds(comparison);
	put_legend(comparison);
}

int
report_diff(const struct tool *tool, const char *const paths[2], FILE *out,
	    bool html)
{
	struct comparison comparison = { .paths = paths,
					 .html = html,
					 .out = out };
	int status = 0;

	for (int i = 0; !status && i < SIDES; i++)
		status = measurement_read(tool, paths[i],
					  &comparison.sides[i]);
	if (!status)
		put_table(&comparison);
	for (int i = 0; i < SIDES; i++)
		measurement_finish(&comparison.sides[i]);
	return status;
}
