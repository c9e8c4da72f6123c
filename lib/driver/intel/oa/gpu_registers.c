/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/gpu.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int
find_registers(struct oa_gpu *gpu, const struct table **table,
	       struct drmperf_error *error)
{
	char name[64];
	int ret = 0;

	pthread_mutex_lock(&gpu->registers_lock);
	if (!gpu->registers) {
		snprintf(name, sizeof(name), "%s.registers",
			 gpu->platform.name);
		ret = table_find(&gpu->tables, gpu->folder, name,
				 &gpu->registers, error);
	}
	*table = gpu->registers;
	pthread_mutex_unlock(&gpu->registers_lock);
	return ret;
}

int
oa_gpu_registers(struct oa_gpu *gpu, const struct metric_set *set,
		 const struct table **table, const struct element **element,
		 struct drmperf_error *error)
{
	const char *name;
	int ret;

	*table = set->table;
	*element = set->registers;
	if (set->registers)
		return 0;
	ret = find_registers(gpu, table, error);
	if (ret)
		return ret;
	*element = (*table)->root->child;
	for (; *element; *element = (*element)->next) {
		name = element_attribute(*element, "name");
		if (name && !strcmp(name, set->name))
			return 0;
	}
	return error_set(error, -EBADMSG, "%s: no registers of metric set %s",
			 (*table)->path, set->name);
}
