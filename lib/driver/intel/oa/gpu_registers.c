/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/gpu.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * Find the element of a set in a table that is of that set, or of all; or NULL.
 */
static const struct element *
find_set(const struct table *table, const char *set)
{
	const struct element *element = table->root;
	const char *name;

	if (strcmp(element->name, "set") != 0)
		element = element->child;
	for (; element; element = element->next) {
		name = element_attribute(element, "name");
		if (name && !strcmp(name, set))
			break;
	}
	return element;
}

/* Caller holds gpu->registers_lock. */
static int
find_registers(struct oa_gpu *gpu, const char *set, const struct table **table,
	       const struct element **element, struct drmperf_error *error)
{
	struct table *known = gpu->registers;
	char name[64];
	int ret;

	for (; known; known = known->next) {
		*table = known;
		*element = find_set(known, set);
		if (*element)
			return 0;
	}
	snprintf(name, sizeof(name), "%s.registers", gpu->platform.name);
	ret = table_find_set(&gpu->tables, gpu->folder, name, set, &known,
			     error);
	if (ret)
		return ret;
	*table = known;
	*element = find_set(known, set);
	if (!*element) {
		error_set(error, -EBADMSG, "%s: no registers of metric set %s",
			  known->path, set);
		table_destroy(known);
		return -EBADMSG;
	}
	known->next = gpu->registers;
	gpu->registers = known;
	return 0;
}

int
oa_gpu_registers(struct oa_gpu *gpu, const struct metric_set *set,
		 const struct table **table, const struct element **element,
		 struct drmperf_error *error)
{
	int ret;

	*table = set->table;
	*element = set->registers;
	if (set->registers)
		return 0;
	pthread_mutex_lock(&gpu->registers_lock);
	ret = find_registers(gpu, set->name, table, element, error);
	pthread_mutex_unlock(&gpu->registers_lock);
	return ret;
}
