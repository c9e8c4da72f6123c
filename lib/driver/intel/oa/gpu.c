/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/device_node.h"
#include "driver/intel/oa/raw_counters.h"
#include "table/rows.h"

void
oa_gpu_init(struct oa_gpu *gpu, const char *driver,
	    const struct driver_target *target)
{
	gpu->driver = driver;
	gpu->folder = driver;
	gpu->fd = -1;
	gpu->device_id = target->device_id;
	snprintf(gpu->sysfs, sizeof(gpu->sysfs), "%s",
		 target->sysfs ? target->sysfs : "");
	gpu->tables = target->tables;
	gpu->log = target->log;
	pthread_mutex_init(&gpu->registers_lock, NULL);
}

void
oa_gpu_finish(struct oa_gpu *gpu)
{
	struct table *table = gpu->registers, *next;

	if (gpu->fd >= 0)
		close(gpu->fd);
	for (; table; table = next) {
		next = table->next;
		table_destroy(table);
	}
	metric_sets_finish(&gpu->sets);
	composition_finish(&gpu->composition);
	table_destroy(gpu->platforms);
	table_destroy(gpu->table);
	arena_destroy(gpu->arena);
}

/* ------------------------------------------------------------------ */
/* Facts that the kernel reports                                        */

int
oa_gpu_open_node(struct oa_gpu *gpu, const struct driver_target *target,
		 struct drmperf_error *error)
{
	const char *path = *target->render ? target->render : target->primary;

	gpu->fd = open(path, O_RDWR | O_CLOEXEC);
	if (gpu->fd < 0)
		return device_node_error(path, -errno, error);
	snprintf(gpu->node, sizeof(gpu->node), "%s", path);
	return 0;
}

int
oa_gpu_read_mhz(const char *folder, const char *name, uint64_t *hz)
{
	uint64_t mhz;
	int ret = number_file_read(folder, name, &mhz);

	*hz = ret ? 0 : mhz * 1000000;
	return error_is_transient(ret) ? ret : 0;
}

/* ------------------------------------------------------------------ */
/* Tables                                                               */

int
oa_gpu_find_platform(struct oa_gpu *gpu, const struct gt_topology *topology,
		     struct drmperf_error *error)
{
	int ret = 0;

	if (!gpu->platforms)
		ret = table_find(&gpu->tables, gpu->folder, "platforms",
				 &gpu->platforms, error);
	return ret ? ret
		   : platform_find(gpu->platforms, gpu->device_id, topology,
				   &gpu->platform, error);
}

int
oa_gpu_find_platform_in(struct oa_gpu *gpu, const char *folder,
			struct drmperf_error *error)
{
	table_destroy(gpu->platforms);
	gpu->platforms = NULL;
	gpu->folder = folder;
	return oa_gpu_find_platform(gpu, NULL, error);
}

int
oa_gpu_find_table(struct oa_gpu *gpu, struct drmperf_error *error)
{
	const char *name = gpu->platform.name;
	int ret =
		table_find(&gpu->tables, gpu->folder, name, &gpu->table, error);

	if (ret != -ENOENT)
		return ret;
	error_set(error, -ENOTSUP, "no event table for %s (%s)", name,
		  gpu->platform.chip);
	error_remedy(error,
		     "put %s/%s.xml and %s/%s.registers.xml into a folder "
		     "named by DRMPERF_EVENTS, or use a newer drmperf",
		     gpu->folder, name, gpu->folder, name);
	return -ENOTSUP;
}

/* ------------------------------------------------------------------ */
/* Description                                                          */

static int
describe_set(void *device, group_index group, struct description *description,
	     struct drmperf_error *error)
{
	struct oa_gpu *gpu = device;

	return metric_sets_describe(&gpu->sets, group, description, error);
}

static int
read_sets(struct oa_gpu *gpu, const struct table *table,
	  struct description *description, struct drmperf_error *error)
{
	return metric_sets_read(&gpu->sets, table, &gpu->platform,
				&gpu->constants, description, error);
}

/*
 * Check that the set of the tables is the one that was recorded. A set keeps
 * its name when its registers and equations change, and gets another GUID.
 */
static int
find_recorded(struct oa_gpu *gpu, struct drmperf_error *error)
{
	const struct metric_set *set = gpu->sets.sets;
	const struct element *element;
	const struct table *table;
	const char *guid;
	int ret;

	if (!gpu->sets.count)
		return error_set(error, -ENOTSUP,
				 "the tables have no metric set %s of %s",
				 gpu->sets.only, gpu->platform.chip);
	ret = oa_gpu_registers(gpu, set, &table, &element, error);
	if (ret)
		return ret;
	guid = element_attribute(element, "guid");
	if (gpu->recorded_guid[0] && guid &&
	    strcasecmp(gpu->recorded_guid, guid) != 0)
		log_write(&gpu->log, DRMPERF_LOG_WARNING,
			  "metric set %s was recorded with another GUID than "
			  "that of the tables, %s: values are wrong where its "
			  "equations have changed",
			  set->name, guid);
	return 0;
}

static int
read_hidden(const struct oa_gpu *gpu, const struct element *element,
	    struct description_hidden *out, struct drmperf_error *error)
{
	int ret = element_text(gpu->table, element, "set", &out->name, error);

	if (!ret)
		ret = element_text(gpu->table, element, "reason", &out->reason,
				   error);
	if (!ret)
		ret = element_text(gpu->table, element, "remedy", &out->remedy,
				   error);
	return ret;
}

/*
 * Add the sets that the table does not offer, with the reason, unless the
 * user's tables offer them.
 */
static int
add_hidden(const struct oa_gpu *gpu, bool has_user_tables,
	   struct description *description, struct drmperf_error *error)
{
	struct description_hidden hidden, *copy;
	const struct element *element;
	struct rows rows;
	group_index group;
	int ret;

	rows_begin(&rows, gpu->table, gpu->table->root->child, "hidden",
		   description->arena);
	while ((ret = rows_next(&rows, &element, error)) > 0) {
		ret = read_hidden(gpu, element, &hidden, error);
		if (ret)
			return ret;
		if (has_user_tables &&
		    !description_group_find(description, hidden.name, &group))
			continue;
		copy = arena_alloc(description->arena, sizeof(*copy));
		if (!copy)
			return error_set(error, -ENOMEM, "no memory");
		hidden.next = description->hidden;
		*copy = hidden;
		description->hidden = copy;
	}
	return ret;
}

int
oa_gpu_describe(struct oa_gpu *gpu, const struct driver_target *target,
		struct description *description, struct drmperf_error *error)
{
	const struct description_constant *constants = gpu->constants.list;
	const char *name = gpu->platform.name;
	int ret = 0;

	description->chip = gpu->platform.chip;
	description->generation = name;
	description->target = name;
	description->tables = gpu->folder;
	gpu->sets.log = &gpu->log;
	/* The user's tables may add to sets, or replace them. */
	if (!target->user_table_count)
		gpu->sets.describe = describe_set;
	description->missing = gpu->constants.missing;
	for (size_t i = 0; i < gpu->constants.count && !ret; i++)
		ret = description_add_constant(description, constants[i].name,
					       constants[i].value);
	if (!ret)
		ret = raw_counters_add(description, gpu->platform.generation,
				       gpu->sets.domains[OA_UNIT_RENDER],
				       &gpu->sets.raw_group);
	if (ret)
		return error_set(error, ret, "no memory");
	ret = read_sets(gpu, gpu->table, description, error);
	for (size_t i = 0; i < target->user_table_count && !ret; i++) {
		const struct table *table = target->user_tables[i];

		if (table_is_for(table, gpu->driver, name, name))
			ret = read_sets(gpu, table, description, error);
	}
	if (!ret && gpu->sets.only)
		ret = find_recorded(gpu, error);
	if (!ret)
		ret = composition_add_group(gpu, target->device_id, description,
					    error);
	return ret ? ret
		   : add_hidden(gpu, target->user_table_count > 0, description,
				error);
}

/* ------------------------------------------------------------------ */
/* Warnings                                                             */

/*
 * Warn that the GPU has no clock modes. A session may be about several GPUs:
 * what others can do is no error here.
 */
void
oa_gpu_warn_of_clock_mode(const struct oa_gpu *gpu,
			  enum drmperf_clock_mode mode)
{
	if (mode != DRMPERF_CLOCK_AUTO && mode != DRMPERF_CLOCK_DEFAULT)
		log_write(&gpu->log, DRMPERF_LOG_WARNING,
			  "%s has no clock modes: the clocks of %s stay as "
			  "they are",
			  gpu->driver, gpu->platform.chip);
}

void
oa_gpu_warn_of_rate(struct oa_gpu *gpu, unsigned unit, double hz,
		    uint64_t said_hz)
{
	if (hz == 0 || atomic_exchange(&gpu->warned_of_rate[unit], true))
		return;
	log_write(&gpu->log, DRMPERF_LOG_WARNING,
		  "OA reports of %s count time at %.1f MHz, but the kernel or "
		  "the event table says %.1f MHz: times, and what is divided "
		  "by them, are wrong by that ratio",
		  gpu->platform.chip, hz / 1e6, (double)said_hz / 1e6);
}
