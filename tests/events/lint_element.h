/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks of single elements, which complain of what they find.
 */
#ifndef DRMPERF_TESTS_EVENTS_LINT_ELEMENT_H
#define DRMPERF_TESTS_EVENTS_LINT_ELEMENT_H

#include <stdbool.h>

#include "tests/events/lint.h"

void
lint_complain(struct lint *lint, const struct element *element,
	      const char *cause, ...) __attribute__((format(printf, 3, 4)));

/* What an element may have; each list ends with NULL. */
struct lint_kind {
	const char *name;
	const char *attributes[28];
};

void
lint_attributes(struct lint *lint, const struct element *element,
		const struct lint_kind *kind);

/*
 * Check that every child is of one of these kinds and has no attributes but
 * theirs.
 */
void
lint_children(struct lint *lint, const struct element *parent,
	      const struct lint_kind *kinds, size_t count);

const char *
lint_text(struct lint *lint, const struct element *element, const char *name);

/*
 * Return a number of at most max, or of no more than fallback says if absent.
 */
uint64_t
lint_number_or(struct lint *lint, const struct element *element,
	       const char *name, uint64_t max, uint64_t fallback);

uint64_t
lint_number(struct lint *lint, const struct element *element, const char *name,
	    uint64_t max);

void
lint_word(struct lint *lint, const struct element *element, const char *name,
	  const char *const *words, size_t count);

void
lint_name(struct lint *lint, const struct element *element, const char *name);

/*
 * Return whether one blank-separated list names what the other names. NULL: all
 * do.
 */
bool
lint_lists_meet(const char *one, const char *other);

/*
 * Check that names differ in more than case from those of all elements before.
 * A block may have several elements that each name targets; the one for all
 * other targets comes last.
 */
void
lint_unique(struct lint *lint, const struct element *first,
	    const struct element *element, const char *attribute);

void
lint_unit(struct lint *lint, const struct element *element);

/*
 * Check that what is listed has a unit, its own or that of its block (or NULL).
 */
void
lint_has_unit(struct lint *lint, const struct element *element,
	      const struct element *block);

/* Check that the text says more than the name. */
void
lint_description(struct lint *lint, const struct element *element,
		 const char *text, const char *name);

#endif /* DRMPERF_TESTS_EVENTS_LINT_ELEMENT_H */
