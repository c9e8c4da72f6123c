/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/kernels_page.h"

#include <math.h>
#include <stdlib.h>

#include "report/json_file.h"
#include "report/page.h"
#include "util/format_number.h"

bool
kernels_page_is_for(const char *path)
{
	FILE *file = fopen(path, "re");
	const bool is_json = file && getc(file) == '{';

	if (file)
		fclose(file);
	return is_json;
}

#ifdef DRMPERF_YAML

struct kernels_page {
	yaml_document_t document;
	const yaml_node_t *root, *kernels; /* a list */
	FILE *out;
};

static const yaml_node_t *
node_at(struct kernels_page *page, const yaml_node_t *list, size_t number)
{
	return yaml_document_get_node(&page->document,
				      list->data.sequence.items.start[number]);
}

static size_t
list_length(const yaml_node_t *list)
{
	return json_file_is_list(list)
		       ? (size_t)(list->data.sequence.items.top -
				  list->data.sequence.items.start)
		       : 0;
}

static void
print_text(struct kernels_page *page, const yaml_node_t *node, const char *key)
{
	const char *text = json_file_text(&page->document, node, key);

	page_print_text(page->out, text ? text : "");
}

/* ------------------------------------------------------------------ */
/* Cells                                                                */

/* Print a count. A mean of whole numbers need not be one. */
static void
print_count(struct kernels_page *page, double value)
{
	char text[FORMAT_NUMBER_SIZE];

	if (isnan(value))
		snprintf(text, sizeof(text), "n/a");
	else if (value >= 0 && value < 0x1p53 && value == floor(value))
		format_count((uint64_t)value, text);
	else
		snprintf(text, sizeof(text), "%.3f", value);
	fprintf(page->out, "<td>%s</td>", text);
}

static void
print_time(struct kernels_page *page, double ns)
{
	char text[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE] = "";

	format_value(DRMPERF_UNIT_NANOSECONDS, DRMPERF_KIND_MOMENTARY, ns, text,
		     unit);
	fprintf(page->out, "<td>%s %s</td>", text, isnan(ns) ? "" : unit);
}

static void
print_statistics(struct kernels_page *page, const yaml_node_t *node,
		 void (*print)(struct kernels_page *page, double value))
{
	static const char *const keys[] = { "sum", "mean", "min", "max" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		print(page, json_file_number(&page->document, node, keys[i]));
}

/* ------------------------------------------------------------------ */
/* Kernels                                                              */

static double
time_of(struct kernels_page *page, const yaml_node_t *kernel)
{
	const double ns = json_file_number(
		&page->document,
		json_file_key(&page->document, kernel, "time_ns"), "sum");

	return isnan(ns) ? 0 : ns;
}

/* Print all kernels with their shares of the time, and links to each. */
static void
print_overview(struct kernels_page *page)
{
	const size_t count = list_length(page->kernels);
	double all = 0;

	for (size_t i = 0; i < count; i++)
		all += time_of(page, node_at(page, page->kernels, i));
	fputs("<div class=\"wide\"><table>\n<tr><th>kernel</th><th>calls</th>"
	      "<th>time</th><th>share</th></tr>\n",
	      page->out);
	for (size_t i = 0; i < count; i++) {
		const yaml_node_t *kernel = node_at(page, page->kernels, i);
		const double ns = time_of(page, kernel);

		fprintf(page->out, "<tr><td><a href=\"#kernel%zu\">", i);
		print_text(page, kernel, "kernel");
		fputs("</a></td>", page->out);
		print_count(page,
			    json_file_number(&page->document, kernel, "calls"));
		print_time(page, ns);
		fprintf(page->out, "<td>%.1f %%</td></tr>\n",
			all > 0 ? 100 * ns / all : 0);
	}
	fputs("</table></div>\n", page->out);
}

static void
print_event(struct kernels_page *page, const yaml_node_t *event)
{
	fputs("<tr><td>", page->out);
	print_text(page, event, "event");
	fputs("</td>", page->out);
	print_statistics(page, event, print_count);
	fputs("<td>", page->out);
	print_text(page, event, "unit");
	fputs("</td></tr>\n", page->out);
}

static void
print_kernel(struct kernels_page *page, size_t number)
{
	const yaml_node_t *kernel = node_at(page, page->kernels, number);
	const yaml_node_t *events =
		json_file_key(&page->document, kernel, "events");

	fprintf(page->out, "<section><h2 id=\"kernel%zu\">", number);
	print_text(page, kernel, "kernel");
	fputs("</h2>\n<div class=\"wide\"><table>\n<tr><th></th><th>sum</th>"
	      "<th>mean</th><th>min</th><th>max</th><th></th></tr>\n"
	      "<tr><td>time</td>",
	      page->out);
	print_statistics(page,
			 json_file_key(&page->document, kernel, "time_ns"),
			 print_time);
	fputs("<td></td></tr>\n", page->out);
	for (size_t i = 0; i < list_length(events); i++)
		print_event(page, node_at(page, events, i));
	fputs("</table></div></section>\n", page->out);
}

static void
print_seconds(struct kernels_page *page)
{
	const double uncounted = json_file_number(&page->document, page->root,
						  "seconds_uncounted");

	fprintf(page->out, "<p>%.3f seconds",
		json_file_number(&page->document, page->root, "seconds"));
	if (isfinite(uncounted) && uncounted > 0)
		fprintf(page->out, ", and %.3f of a run without counting",
			uncounted);
	fputs(". One kernel at a time ran on each GPU, so that each count is "
	      "its own; without counting the program takes less time.</p>\n",
	      page->out);
}

static void
print_page(struct kernels_page *page)
{
	char *command = json_file_command(
		&page->document,
		json_file_key(&page->document, page->root, "command"));

	fprintf(page->out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head>"
		"<meta charset=\"utf-8\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width\"/>\n"
		"<title>drmperf kernels</title>\n"
		"<style>\n%s</style></head><body>\n<h1>",
		page_style);
	page_print_text(page->out, command ? command : "");
	fputs("</h1>\n", page->out);
	print_seconds(page);
	print_overview(page);
	for (size_t i = 0; i < list_length(page->kernels); i++)
		print_kernel(page, i);
	fputs("</body></html>\n", page->out);
	free(command);
}

/* ------------------------------------------------------------------ */

static int
read_page(const struct tool *tool, const char *path, struct kernels_page *page)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	int status;

	if (!file)
		return tool_fail(tool, "%s: %m", path);
	status = json_file_read(tool, path, file, &text);
	fclose(file);
	if (!status)
		status = json_file_parse(tool, path, text, &page->document);
	free(text);
	return status;
}

int
kernels_page_write(const struct tool *tool, const char *path, FILE *out)
{
	struct kernels_page page = { .out = out };
	int status = read_page(tool, path, &page);

	if (status)
		return status;
	page.root = yaml_document_get_root_node(&page.document);
	page.kernels = json_file_key(&page.document, page.root, "kernels");
	if (json_file_is_list(page.kernels))
		print_page(&page);
	else
		status = tool_fail(tool,
				   "%s is not what drmperf stat --kernels "
				   "--json writes",
				   path);
	yaml_document_delete(&page.document);
	return status;
}

#else /* !DRMPERF_YAML */

int
kernels_page_write(const struct tool *tool, const char *path, FILE *out)
{
	(void)path;
	(void)out;
	return tool_fail(tool, "drmperf was built without libyaml, which reads "
			       "what stat --kernels has written");
}

#endif /* !DRMPERF_YAML */
