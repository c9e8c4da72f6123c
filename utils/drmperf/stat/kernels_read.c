/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/kernels.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define NO_NAME "(no name)"

/* ------------------------------------------------------------------ */
/* Kernels                                                              */

static int
compare_names(const void *a, const void *b)
{
	const struct kernels_kernel *left = a, *right = b;

	return strcmp(left->name, right->name);
}

static void
free_kernel(struct kernels_kernel *kernel)
{
	free(kernel->values);
	free(kernel->name);
	free(kernel);
}

static struct kernels_kernel *
create_kernel(const char *name, size_t events)
{
	struct kernels_kernel *kernel = calloc(1, sizeof(*kernel));

	if (!kernel)
		return NULL;
	kernel->name = strdup(name);
	kernel->values = calloc(events, sizeof(*kernel->values));
	if (kernel->name && kernel->values)
		return kernel;
	free_kernel(kernel);
	return NULL;
}

static struct kernels_kernel *
add_kernel(struct kernels_result *result, const char *name)
{
	struct kernels_kernel *kernel =
		create_kernel(name, result->event_count);
	struct kernels_kernel **list = reallocarray(
		result->kernels, result->kernel_count + 1, sizeof(*list));

	if (list)
		result->kernels = list;
	if (!list || !kernel ||
	    !tsearch(kernel, &result->tree, compare_names)) {
		if (kernel)
			free_kernel(kernel);
		return NULL;
	}
	list[result->kernel_count++] = kernel;
	return kernel;
}

static struct kernels_kernel *
find_kernel(struct kernels_result *result, char *name)
{
	const struct kernels_kernel key = { .name = name };
	struct kernels_kernel **found =
		tfind(&key, &result->tree, compare_names);

	return found ? *found : add_kernel(result, name);
}

/* Add the times. The program may have died while it wrote them. */
static void
add_time(const struct kernels_dispatch *dispatch, struct stat_range *time)
{
	const uint64_t start =
		strtoull(dispatch->fields[KERNELS_START], NULL, 10);
	const uint64_t end = strtoull(dispatch->fields[KERNELS_END], NULL, 10);

	if (start && end >= start)
		stat_range_add(time, (double)(end - start));
}

static int
add_dispatch(const struct kernels_dispatch *dispatch,
	     struct kernels_result *result)
{
	struct kernels_kernel *kernel =
		find_kernel(result, dispatch->fields[KERNELS_NAME]);

	if (!kernel)
		return -ENOMEM;
	result->dispatches[dispatch->pass]++;
	if (!dispatch->pass) {
		kernel->calls++;
		add_time(dispatch, &kernel->time);
	}
	for (size_t i = 0; i < dispatch->count; i++) {
		if (strcmp(dispatch->values[i], "-") != 0)
			stat_range_add(&kernel->values[dispatch->first + i],
				       strtod(dispatch->values[i], NULL));
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Lines                                                                */

static void
keep_failure(struct kernels_result *result, const char *text)
{
	if (!result->failure)
		result->failure = strdup(text);
}

/* Return false: the line was cut, as where the disk is full. */
static bool
split_line(char *line, char **fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fields[i] = strsep(&line, "\t");
		if (!fields[i])
			return false;
	}
	return !line;
}

static int
read_dispatch(char *line, char **fields, struct kernels_dispatch *dispatch,
	      const struct kernels_options *options,
	      struct kernels_result *result)
{
	static char no_name[] = NO_NAME;

	if (!split_line(line, fields, KERNELS_FIELDS + dispatch->count))
		return 0;
	memcpy(dispatch->fields, fields, sizeof(dispatch->fields));
	dispatch->values = fields + KERNELS_FIELDS;
	if (!*dispatch->fields[KERNELS_NAME])
		dispatch->fields[KERNELS_NAME] = no_name;
	kernels_print_dispatch(options, result, dispatch);
	return add_dispatch(dispatch, result);
}

int
kernels_read(FILE *file, size_t pass, size_t first, size_t count,
	     const struct kernels_options *options,
	     struct kernels_result *result)
{
	struct kernels_dispatch dispatch = { .pass = pass,
					     .first = first,
					     .count = count };
	char **fields = calloc(KERNELS_FIELDS + count, sizeof(*fields));
	char *line = NULL;
	size_t size = 0;
	int ret = fields ? 0 : -ENOMEM;

	while (!ret && getline(&line, &size, file) >= 0) {
		char *end = strchr(line, '\n');

		if (!end)
			break;
		*end = '\0';
		if (!strncmp(line, "begin\t", 6))
			result->has_begun = true;
		else if (!strncmp(line, "failed\t", 7))
			keep_failure(result, line + 7);
		else if (!strncmp(line, "dispatch\t", 9))
			ret = read_dispatch(line, fields, &dispatch, options,
					    result);
	}
	free(line);
	free(fields);
	return ret;
}

/* ------------------------------------------------------------------ */

static void
leave_kernel(void *kernel)
{
	(void)kernel; /* the list frees it */
}

void
kernels_finish(struct kernels_result *result)
{
	tdestroy(result->tree, leave_kernel);
	for (size_t i = 0; i < result->kernel_count; i++)
		free_kernel(result->kernels[i]);
	free(result->kernels);
	free(result->events);
	free(result->dispatches);
	free(result->failure);
}
