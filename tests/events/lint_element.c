/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/events/lint_element.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "driver/description.h"

void
lint_complain(struct lint *lint, const struct element *element,
	      const char *cause, ...)
{
	char text[400];
	va_list args;
	int n;

	va_start(args, cause);
	vsnprintf(text, sizeof(text), cause, args);
	va_end(args);
	lint->complaints++;
	n = snprintf(lint->text + lint->length,
		     sizeof(lint->text) - lint->length, "%s:%d: <%s> %s\n",
		     lint->table->path, element->line, element->name, text);
	if (n > 0 && (size_t)n < sizeof(lint->text) - lint->length)
		lint->length += (size_t)n;
}

void
lint_attributes(struct lint *lint, const struct element *element,
		const struct lint_kind *kind)
{
	for (size_t i = 0; i < element->attribute_count; i++) {
		const char *name = element->attributes[i].name;
		const char *const *known = kind->attributes;

		while (*known && strcmp(*known, name))
			known++;
		if (!*known)
			lint_complain(lint, element, "unknown attribute %s",
				      name);
	}
}

void
lint_children(struct lint *lint, const struct element *parent,
	      const struct lint_kind *kinds, size_t count)
{
	const struct element *child;
	size_t i;

	for (child = parent->child; child; child = child->next) {
		for (i = 0; i < count; i++)
			if (!strcmp(kinds[i].name, child->name))
				break;
		if (i == count)
			lint_complain(lint, child, "unknown element");
		else
			lint_attributes(lint, child, &kinds[i]);
	}
}

const char *
lint_text(struct lint *lint, const struct element *element, const char *name)
{
	const char *value = element_attribute(element, name);

	if (!value || !*value) {
		lint_complain(lint, element, "%s is missing", name);
		return "";
	}
	return value;
}

uint64_t
lint_number_or(struct lint *lint, const struct element *element,
	       const char *name, uint64_t max, uint64_t fallback)
{
	struct drmperf_error error;
	uint64_t value;

	if (element_uint_or(lint->table, element, name, max, fallback, &value,
			    &error)) {
		lint_complain(lint, element, "%s: %s", name, error.cause);
		return fallback;
	}
	return value;
}

uint64_t
lint_number(struct lint *lint, const struct element *element, const char *name,
	    uint64_t max)
{
	if (!*lint_text(lint, element, name))
		return 0;
	return lint_number_or(lint, element, name, max, 0);
}

void
lint_word(struct lint *lint, const struct element *element, const char *name,
	  const char *const *words, size_t count)
{
	const char *value = lint_text(lint, element, name);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(value, words[i]))
			return;
	lint_complain(lint, element, "%s is \"%s\", which no rule knows", name,
		      value);
}

void
lint_name(struct lint *lint, const struct element *element, const char *name)
{
	const char *c;

	for (c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_-.", *c))
			lint_complain(lint, element, "\"%s\" is no legal name",
				      name);
}

bool
lint_lists_meet(const char *one, const char *other)
{
	while (one && other && *one) {
		size_t length = strcspn(one, " ");

		for (const char *at = other; *at; at += strspn(at, " ")) {
			size_t its = strcspn(at, " ");

			if (its == length && !strncmp(one, at, length))
				return true;
			at += its;
		}
		one += length + strspn(one + length, " ");
	}
	return !one || !other;
}

void
lint_unique(struct lint *lint, const struct element *first,
	    const struct element *element, const char *attribute)
{
	const char *name = element_attribute(element, attribute);
	const char *targets = element_attribute(element, "targets");

	for (; name && first != element; first = first->next) {
		const char *other = element_attribute(first, attribute);
		const char *others = element_attribute(first, "targets");

		if (!strcmp(first->name, element->name) && other &&
		    !strcasecmp(name, other) &&
		    (!others || (targets && lint_lists_meet(targets, others))))
			lint_complain(lint, element,
				      "%s \"%s\" is that of line %d", attribute,
				      name, first->line);
	}
}

void
lint_unit(struct lint *lint, const struct element *element)
{
	const char *unit = element_attribute(element, "unit");
	enum drmperf_unit value;

	if (unit && unit_from_name(unit, &value))
		lint_complain(lint, element, "\"%s\" is no unit", unit);
}

void
lint_has_unit(struct lint *lint, const struct element *element,
	      const struct element *block)
{
	const char *unit = element_attribute(element, "unit");

	if (!unit && block)
		unit = element_attribute(block, "unit");
	if (!unit || !strcmp(unit, "none"))
		lint_complain(lint, element, "it has no unit");
	lint_unit(lint, element);
}

void
lint_description(struct lint *lint, const struct element *element,
		 const char *text, const char *name)
{
	const char *t = text;

	if (!*text) {
		lint_complain(lint, element, "no description");
		return;
	}
	if (text[strlen(text) - 1] != '.' || islower((unsigned char)*text))
		lint_complain(lint, element, "\"%s\" is no sentence", text);
	while (*t || *name) {
		while (*t && !isalnum((unsigned char)*t))
			t++;
		while (*name && !isalnum((unsigned char)*name))
			name++;
		if (tolower((unsigned char)*t) != tolower((unsigned char)*name))
			return;
		t += *t != 0;
		name += *name != 0;
	}
	lint_complain(lint, element, "the description is the name");
}
