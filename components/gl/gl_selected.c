/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_selected.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
gl_selected_reserve(struct gl_selected *selected, size_t more)
{
	const size_t room = selected->count + more;
	struct gl_chosen *list;

	if (room <= selected->room)
		return 0;
	list = reallocarray(selected->list, room, sizeof(*list));
	if (!list)
		return -ENOMEM;
	selected->list = list;
	selected->room = room;
	return 0;
}

static bool
is_before(const struct gl_chosen *a, const struct gl_chosen *b)
{
	return a->group != b->group ? a->group < b->group
				    : a->counter < b->counter;
}

/* Return where the counter is in the list, or would be. */
static size_t
selected_find(const struct gl_selected *selected,
	      const struct gl_chosen *chosen)
{
	size_t i = 0;

	while (i < selected->count && is_before(&selected->list[i], chosen))
		i++;
	return i;
}

void
gl_selected_set(struct gl_selected *selected, const struct gl_chosen *chosen,
		bool is_selected)
{
	const size_t at = selected_find(selected, chosen);
	struct gl_chosen *its = selected->list + at;
	const bool is_there = at < selected->count && !is_before(chosen, its);

	if (is_there == is_selected)
		return;
	if (is_selected) {
		memmove(its + 1, its, (selected->count - at) * sizeof(*its));
		*its = *chosen;
		selected->count++;
	} else {
		selected->count--;
		memmove(its, its + 1, (selected->count - at) * sizeof(*its));
	}
}

const struct gl_group *
gl_selected_overfull(const struct gl_selected *selected,
		     const struct gl_counters *counters, size_t *count)
{
	size_t of_group = 0;

	for (size_t i = 0; i < selected->count; i++) {
		const GLuint number = selected->list[i].group;
		const struct gl_group *group =
			gl_counters_group(counters, number);

		of_group++;
		if (i + 1 < selected->count &&
		    selected->list[i + 1].group == number)
			continue;
		if (of_group > group->max_active) {
			*count = of_group;
			return group;
		}
		of_group = 0;
	}
	return NULL;
}

static size_t
result_size(const struct gl_chosen *chosen)
{
	return 2 * sizeof(GLuint) + gl_counter_size(chosen->what);
}

size_t
gl_selected_result_size(const struct gl_selected *selected)
{
	size_t size = 0;

	for (size_t i = 0; i < selected->count; i++)
		size += result_size(&selected->list[i]);
	return size;
}

size_t
gl_selected_write_results(const struct gl_selected *selected,
			  const union drmperf_value *values, void *out,
			  size_t size)
{
	unsigned char *at = out;
	size_t written = 0;

	for (size_t i = 0; i < selected->count; i++) {
		const struct gl_chosen *chosen = &selected->list[i];
		const GLuint names[] = { chosen->group, chosen->counter };

		if (size - written < result_size(chosen))
			break;
		memcpy(at + written, names, sizeof(names));
		gl_counter_write(chosen->what, values[i],
				 at + written + sizeof(names));
		written += result_size(chosen);
	}
	return written;
}

void
gl_selected_free(struct gl_selected *selected)
{
	free(selected->list);
}
