/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conditions in the event tables, over what is constant for a GPU.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_CONDITION_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_CONDITION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/name_index.h"
#include "driver/description.h"
#include "table/table.h"

struct constants {
	struct description_constant *list;
	size_t count;
	const struct description_hidden *missing; /* those without a value */
};

/* Return the language of an element's attributes, as its "language" says. */
enum expression_language condition_language(const struct element *element);

/*
 * Find out whether text, of an attribute of element, is true; NULL is true.
 * arena is for the program that is made of it. Returns 0, -EBADMSG or -ENOMEM.
 */
int condition_is_true(const struct constants *constants,
		      const struct table *table, const struct element *element,
		      const char *text, struct arena *arena, bool *out,
		      struct drmperf_error *error);

/* Conditions of one table, each of which is evaluated once. */
struct conditions {
	const struct constants *constants;
	const struct table *table;
	struct arena *arena; /* for programs */
	struct name_index index; /* gives positions in: */
	struct condition_value *values;
	size_t count;
};

/* Initialize the conditions. Returns 0, or -ENOMEM. */
int conditions_init(struct conditions *conditions,
		    const struct constants *constants,
		    const struct table *table, struct arena *arena);
void conditions_finish(struct conditions *conditions);

/* Find out whether text is true, with the errors of condition_is_true(). */
int conditions_are_true(struct conditions *conditions,
			const struct element *element, const char *text,
			bool *out, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_CONDITION_H */
