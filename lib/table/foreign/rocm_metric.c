/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/foreign/rocm.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/name_syntax.h"
#include "table/element.h"

struct rewriter {
	struct table *table;
	const struct table *source;
	const struct element *metric;
	const struct log_sink *log;
	const struct element **out;
};

static void __attribute__((format(printf, 2, 3)))
leave_out(const struct rewriter *rewriter, const char *cause, ...)
{
	char text[256];
	va_list args;

	va_start(args, cause);
	vsnprintf(text, sizeof(text), cause, args);
	va_end(args);
	log_write(rewriter->log, DRMPERF_LOG_WARNING, "%s:%d: <%.40s> %s",
		  rewriter->source->path, rewriter->metric->line,
		  rewriter->metric->name, text);
}

/* ------------------------------------------------------------------ */
/* The kind of an expression's value                                    */

/*
 * Return whether an expression gives counts. ROCm's tools compute everything as
 * doubles. A sum, or an extreme, of counts is a count, and says so; everything
 * else may have a fraction or a sign.
 */
static bool
is_count(const char *expression)
{
	static const char *const functions[] = { "sum(", "min(", "max(",
						 "reduce(", "accumulate(" };
	const char *end = strchr(expression, ')');

	if (!end || end[1] || strstr(expression, "avr"))
		return false;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (!strncmp(expression, functions[i], strlen(functions[i])))
			return true;
	}
	return false;
}

/*
 * Return whether an expression gives averages: a quotient does not add up,
 * unless it is a change of the unit.
 */
static bool
is_average(const char *expression)
{
	const char *slash = expression;

	if (strstr(expression, "avr") || strstr(expression, "min") ||
	    strstr(expression, "max"))
		return true;
	while ((slash = strchr(slash, '/'))) {
		slash++;
		if (*slash < '0' || *slash > '9')
			return true;
	}
	return false;
}

static const char *
unit_of(const char *expression, const char *description)
{
	if (strcasestr(description, "percent") || strchr(description, '%') ||
	    !strncmp(expression, "100*", 4))
		return "percent";
	if (strcasestr(description, "kilobytes"))
		return "KiB";
	return "none";
}

/* ------------------------------------------------------------------ */
/* Rewriting                                                            */

static const char *
rewriter_keep_text(const struct rewriter *rewriter, const char *text)
{
	return arena_strndup(rewriter->table->arena, text, strlen(text));
}

/* Return the metric's description, or its name if there is none. */
static const char *
rewriter_describe(const struct rewriter *rewriter, const char *name)
{
	const char *text = element_attribute(rewriter->metric, "descr");

	if (!text || !*text)
		text = rewriter->metric->text;
	return *text ? text : name;
}

/* Make the metric; all strings are copied: the source goes away. */
static int
rewriter_make_metric(const struct rewriter *rewriter, const char *kind,
		     const struct element_attribute *attributes, size_t count,
		     const char *description)
{
	struct element *element = table_element(rewriter->table, kind,
						rewriter->metric->line, count);

	if (!element)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const char *value =
			rewriter_keep_text(rewriter, attributes[i].value);

		if (!value)
			return -ENOMEM;
		element_set(element, attributes[i].name, value);
	}
	element->text = rewriter_keep_text(rewriter, description);
	if (!element->text)
		return -ENOMEM;
	*rewriter->out = element;
	return 0;
}

static int
rewrite_counter(const struct rewriter *rewriter, const char *name,
		const char *block, const char *event)
{
	const struct element_attribute attributes[] = {
		{ "name", name },
		{ "block", block },
		{ "id", event },
	};

	return rewriter_make_metric(rewriter, "counter", attributes, 3,
				    rewriter_describe(rewriter, name));
}

static int
rewrite_expression(const struct rewriter *rewriter, const char *name,
		   const char *expression)
{
	const char *description = rewriter_describe(rewriter, name);
	const struct element_attribute attributes[] = {
		{ "name", name },
		{ "expression", expression },
		{ "unit", unit_of(expression, description) },
		{ "type", is_count(expression) ? "uint64" : "double" },
		{ "kind", is_average(expression) ? "average" : "cumulative" },
	};

	return rewriter_make_metric(rewriter, "metric", attributes, 5,
				    description);
}

static int
rewrite_special(const struct rewriter *rewriter, const char *name)
{
	const struct element_attribute attribute = { "name", name };

	return rewriter_make_metric(rewriter, "special", &attribute, 1, name);
}

int
rocm_metric_rewrite(struct table *table, const struct table *source,
		    const struct element *metric, const struct log_sink *log,
		    const struct element **out)
{
	const struct rewriter rewriter = { table, source, metric, log, out };
	const char *name = element_attribute(metric, "name");
	const char *block = element_attribute(metric, "block");
	const char *event = element_attribute(metric, "event");
	const char *expression = element_attribute(metric, "expr");

	*out = NULL;
	if (strcmp(metric->name, "metric"))
		leave_out(&rewriter, "is not a metric; left out");
	else if (!name)
		leave_out(&rewriter, "has no name; left out");
	else if (!name_syntax_is_legal(name))
		leave_out(&rewriter, "\"%.80s\" %s; left out", name,
			  name_syntax_fault(name));
	else if (expression)
		return rewrite_expression(&rewriter, name, expression);
	else if (block && event)
		return rewrite_counter(&rewriter, name, block, event);
	else
		return rewrite_special(&rewriter, name);
	return 0;
}
