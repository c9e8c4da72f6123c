/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "driver/intel/oa/pec.h"
#include "driver/privilege.h"
#include "driver/xe/kernel.h"

/* ------------------------------------------------------------------ */
/* Register lists                                                       */

static bool
has_register(const struct oa_registers *list, uint32_t address)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->pairs[2 * i] == address)
			return true;
	}
	return false;
}

static void
registers_append_list(struct oa_registers *list,
		      const struct oa_registers *more)
{
	if (more->count)
		memcpy(list->pairs + 2 * list->count, more->pairs,
		       more->count * 2 * sizeof(*more->pairs));
	list->count += more->count;
}

int
xe_config_merge(const struct oa_config *config, bool has_eus,
		struct oa_registers *out)
{
	struct oa_registers merged = { 0 };
	size_t count = config->mux.count + config->boolean.count +
		       config->flex.count + ARRAY_SIZE(stage_registers);

	merged.pairs = calloc(count, 2 * sizeof(*merged.pairs));
	if (!merged.pairs)
		return -ENOMEM;
	registers_append_list(&merged, &config->mux);
	registers_append_list(&merged, &config->boolean);
	registers_append_list(&merged, &config->flex);
	for (size_t i = 0; has_eus && i < ARRAY_SIZE(stage_registers); i++) {
		if (!has_register(&merged, stage_registers[i]))
			merged.pairs[2 * merged.count++] = stage_registers[i];
	}
	*out = merged;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Loading                                                              */

static int
explain_refusal(int ret, const struct metric_set *set,
		struct drmperf_error *error)
{
	char what[128];

	switch (ret) {
	case -EACCES:
	case -EPERM:
		snprintf(what, sizeof(what), "to load metric set %.80s",
			 set->name);
		return privilege_explain(error, what, "xe",
					 "observation_paranoid");
	case -EINVAL:
		error_set(error, -ENOTSUP,
			  "the kernel does not accept the registers of metric "
			  "set %s",
			  set->name);
		error_remedy(error, "the event table is newer than the "
				    "kernel: update the kernel, or use "
				    "another metric set");
		return -ENOTSUP;
	case -ENODEV:
		return error_set(error, -ENODEV, "the GPU has gone");
	default:
		return error_set(error, ret, "cannot load metric set %s: %s",
				 set->name, strerrordesc_np(-ret));
	}
}

static int
config_load(const struct xe_gpu *gpu, const struct metric_set *set,
	    const char *guid, const struct oa_registers *registers,
	    uint64_t *id, struct drmperf_error *error)
{
	int ret = xe_config_add(gpu->oa.fd, guid, registers);

	if (ret > 0) {
		*id = (uint64_t)ret;
		return 0;
	}
	/* Another process has loaded it in between. */
	if (ret == -EADDRINUSE)
		ret = oa_config_id(gpu->oa.metrics, guid, id);
	else if (!ret)
		ret = -EPROTO;
	return ret ? explain_refusal(ret, set, error) : 0;
}

static void
remember_loaded(struct xe_gpu *gpu, const struct metric_set *set,
		const char guid[OA_GUID_SIZE])
{
	pthread_mutex_lock(&gpu->oa.registers_lock);
	gpu->loaded = set;
	memcpy(gpu->loaded_guid, guid, OA_GUID_SIZE);
	pthread_mutex_unlock(&gpu->oa.registers_lock);
}

/* Find the set that was loaded last, if the kernel still has it. */
static bool
find_loaded(struct xe_gpu *gpu, const struct metric_set *set, uint64_t *id)
{
	bool found;

	pthread_mutex_lock(&gpu->oa.registers_lock);
	found = gpu->loaded == set &&
		!oa_config_id(gpu->oa.metrics, gpu->loaded_guid, id);
	pthread_mutex_unlock(&gpu->oa.registers_lock);
	return found;
}

int
xe_config_load(struct xe_gpu *gpu, const struct metric_set *set,
	       const struct oa_config *config, uint64_t *id,
	       struct drmperf_error *error)
{
	struct oa_config merged = { 0 };
	char guid[OA_GUID_SIZE];
	int ret = xe_config_merge(config, set->unit == OA_UNIT_RENDER,
				  &merged.mux);

	if (ret)
		return error_set(error, ret, "no memory");
	if (set->composed)
		oa_config_composed_guid(&merged, guid);
	else
		oa_config_guid(&merged, guid);
	if (oa_config_id(gpu->oa.metrics, guid, id))
		ret = config_load(gpu, set, guid, &merged.mux, id, error);
	if (!ret && !set->composed)
		remember_loaded(gpu, set, guid);
	oa_config_free(&merged);
	return ret;
}

int
xe_config_find(struct xe_gpu *gpu, const struct metric_set *set, uint64_t *id,
	       struct drmperf_error *error)
{
	struct oa_config config;
	const struct element *element;
	const struct table *table;
	int ret;

	if (find_loaded(gpu, set, id))
		return 0;
	ret = oa_gpu_registers(&gpu->oa, set, &table, &element, error);
	if (!ret)
		ret = oa_config_registers(&gpu->oa.constants, table, element,
					  &config, error);
	if (ret)
		return ret;
	ret = xe_config_load(gpu, set, &config, id, error);
	oa_config_free(&config);
	return ret;
}
