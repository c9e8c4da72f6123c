/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conditions in the event tables, over what is constant for a GPU.
 */
#ifndef DRMPERF_LIB_DRIVER_OA_CONDITION_H
#define DRMPERF_LIB_DRIVER_OA_CONDITION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "driver/description.h"
#include "table/table.h"

struct constants {
	struct description_constant *list;
	size_t count;
};

/* What attributes of an element are written in, as its language says. */
enum expression_language condition_language(const struct element *element);

/*
 * Whether text, of an attribute of element, is true; it is where text is NULL.
 * arena is for the program that is made of it. -EBADMSG; -ENOMEM.
 */
int condition_is_true(const struct constants *constants,
		      const struct table *table, const struct element *element,
		      const char *text, struct arena *arena, bool *out,
		      struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_OA_CONDITION_H */
