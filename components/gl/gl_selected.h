/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which counters a monitor has selected, by rising group and counter.
 */
#ifndef GL_SELECTED_H
#define GL_SELECTED_H

#include <stdbool.h>

#include "gl_counters.h"

struct gl_chosen {
	GLuint group, counter;
	const struct gl_counter *what;
};

/* All zero: none. */
struct gl_selected {
	struct gl_chosen *list;
	size_t count, room;
};

/* Make room for that many more. Returns 0, or -ENOMEM. */
int gl_selected_reserve(struct gl_selected *selected, size_t more);

/* Select or deselect a counter, for which there is room. */
void gl_selected_set(struct gl_selected *selected,
		     const struct gl_chosen *chosen, bool is_selected);

/*
 * Return the first group of which more are selected than can be active at once,
 * and how many; NULL: there is none.
 */
const struct gl_group *
gl_selected_overfull(const struct gl_selected *selected,
		     const struct gl_counters *counters, size_t *count);

/*
 * Return the bytes that the results take; write as many results as fit, whole
 * ones, and return their bytes.
 */
size_t gl_selected_result_size(const struct gl_selected *selected);
size_t gl_selected_write_results(const struct gl_selected *selected,
				 const union drmperf_value *values, void *out,
				 size_t size);

void gl_selected_free(struct gl_selected *selected);

#endif /* GL_SELECTED_H */
