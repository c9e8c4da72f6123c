/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_instances.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 64

/*
 * Return "sa0.cu7" of "se1.sa0.cu7", "" of "se1"; "sepair1" is of no one
 * engine. The SQ is one, also where it is spread over work group processors.
 */
static const char *
within_engine(const char *name)
{
	const char *end = name + 2;

	if (strncmp(name, "se", 2) || !isdigit((unsigned char)*end))
		return name;
	if (strstr(name, ".wgp"))
		return "";
	while (isdigit((unsigned char)*end))
		end++;
	return *end == '.' ? end + 1 : end;
}

/* Return which of the names this is; it is added if it is new. */
static unsigned
number_of(char (*names)[NAME_SIZE], unsigned *count, const char *name)
{
	unsigned i = 0;

	while (i < *count && strcmp(names[i], name))
		i++;
	if (i == *count)
		strcpy(names[(*count)++], name);
	return i;
}

int
roc_instances_make(const struct drmperf_group *group, struct roc_instances *out)
{
	const unsigned ours = drmperf_group_instances(group);
	unsigned *belongs = calloc(ours, sizeof(*belongs));
	char(*names)[NAME_SIZE] = calloc(ours, sizeof(*names));
	unsigned count = 0;

	if (!belongs || !names) {
		free(belongs);
		free(names);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < ours; i++) {
		char name[NAME_SIZE];

		drmperf_group_instance_name(group, i, name, sizeof(name));
		belongs[i] = number_of(names, &count, within_engine(name));
	}
	free(names);
	*out = (struct roc_instances){ .count = count,
				       .ours = ours,
				       .belongs = belongs };
	return 0;
}

void
roc_instances_free(struct roc_instances *instances)
{
	free(instances->belongs);
}
