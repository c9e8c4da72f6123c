/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's own PMUs of a GPU, in addition to the counters of the GPU's
 * driver in this library.
 */
#include "driver/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "driver/perf_event/known.h"
#include "driver/perf_event/pmu.h"
#include "driver/perf_event/run.h"
#include "driver/perf_event/xe_events.h"
#include "driver/intel/xe_query.h"

/*
 * The drivers' names of a GPU's PMU: with its PCI address (%), the colons as
 * underscores, or with the number of its card (#); Linux, as in known.c.
 */
static const struct {
	const char *driver;
	const char *name;
	bool is_integrated; /* of a GPU that has no PMU with its address */
} patterns[] = {
	{ "i915", "i915_%", false },
	{ "i915", "i915", true },
	{ "xe", "xe_%", false },
	{ "amdgpu", "amdgpu_#", false },
	{ "amdgpu", "amdgpu_df_#", false },
};

/* Where the integrated GPU is, but in virtual machines. */
#define INTEGRATED "0000:00:02.0"

/* A PMU of the device, what ops->arm gets. In the description's arena. */
struct gpu_pmu {
	const struct driver_target *target;
	struct pmu pmu;
	struct xe_parts parts; /* of a GPU of xe's; all in the arena */
	/* like pmu.events: the selector; none before they are described */
	struct perf_counter *counters;
};

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static int
pmu_arm(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, void **out,
	struct drmperf_error *error)
{
	const struct gpu_pmu *pmu = device;
	const struct perf_counter **counters = calloc(count, sizeof(*counters));
	int ret;

	if (!counters)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; i < count; i++)
		counters[i] = &pmu->counters[requests[i].selector];
	ret = perf_run_open(counters, count, options->pid, options->partial,
			    out, error);
	free(counters);
	return ret;
}

static const struct domain_ops pmu_ops = {
	.arm = pmu_arm,
	.start = perf_run_start,
	.sample = perf_run_sample,
	.missing = perf_run_missing,
	.stop = perf_run_stop,
	.disarm = perf_run_close,
	/* the parent's descriptors keep counting when the child closes its */
	.abandon = perf_run_close,
};

/* ------------------------------------------------------------------ */
/* Describing                                                           */

/*
 * Choose the CPU on which a PMU counts. A PMU without cpumask counts on any
 * CPU.
 */
static void
choose_cpu(struct pmu *pmu)
{
	static const int first = 0;

	if (!pmu->cpu_count)
		pmu->cpus = &first;
	pmu->cpu_count = 1;
}

static int
add_event(struct gpu_pmu *pmu, size_t index, group_index group,
	  struct description *description)
{
	const struct pmu_event *event = &pmu->pmu.events[index];
	const struct known_event *known =
		known_event_find(pmu->target->driver, event->file);
	struct perf_counter *counter = &pmu->counters[index];
	struct description_event record = {
		.name = event->name,
		.description = known ? known->description
				     : "Counted by the kernel's driver.",
		.group = group,
		.kind = event->is_snapshot || (known && known->is_level)
				? DRMPERF_KIND_MOMENTARY
				: DRMPERF_KIND_CUMULATIVE,
		.selector = (uint32_t)index,
	};

	if (pmu_words_lack(&event->words))
		return 0; /* only with terms of the user's */
	*counter = (struct perf_counter){
		.name = event->name,
		.pmu = pmu->pmu.name,
		.folder = pmu->pmu.folder,
		.type = pmu->pmu.type,
		.is_level = known && known->is_level,
		.cpus = pmu->pmu.cpus,
		.cpu_count = pmu->pmu.cpu_count,
	};
	memcpy(counter->config, event->words.config, sizeof(counter->config));
	return pmu_event_describe(event, &record, description);
}

/*
 * Describe the events of a PMU when they are asked for. The files of its events
 * are many, and hardly anybody wants them all.
 */
static int
describe_events(void *device, group_index group,
		struct description *description, struct drmperf_error *error)
{
	struct gpu_pmu *pmu = device;
	struct arena *arena = description->arena;
	int ret;

	ret = pmu_read_events(&pmu->pmu, arena, &pmu->target->log, error);
	if (ret)
		return ret;
	ret = xe_events_add(&pmu->pmu, &pmu->parts, arena);
	pmu->counters = arena_alloc(arena, pmu->pmu.event_count *
						   sizeof(*pmu->counters));
	if (!pmu->counters)
		ret = -ENOMEM;
	for (size_t i = 0; !ret && i < pmu->pmu.event_count; i++)
		ret = add_event(pmu, i, group, description);
	if (!ret)
		ret = xe_events_add_busy(&pmu->pmu, group, description);
	return ret ? error_set(error, ret, "no memory") : 0;
}

/* Return the most that can be asked for at once: the kernel has no limit. */
static unsigned
count_events(const struct gpu_pmu *pmu)
{
	const struct xe_parts *parts = &pmu->parts;

	return (unsigned)(pmu->pmu.file_count *
			  (1 + parts->engine_count + parts->gt_count));
}

static int
add_group(struct gpu_pmu *pmu, struct description *description,
	  group_index *pool, group_index *out)
{
	const struct description_domain domain = {
		.name = "pmu",
		.ops = &pmu_ops,
		.device = pmu,
		.paranoid = "kernel/perf_event_paranoid",
	};
	struct description_group group = {
		.name = "pmu",
		.description =
			arena_printf(description->arena,
				     "Counters of the kernel's driver: PMU %s.",
				     pmu->pmu.name),
		.max_active = known_counters(pmu->target->driver),
		.instances = 1,
		.instances_per_engine = 1,
		.scope = DRMPERF_SCOPE_DEVICE,
		.terms_of = pmu->pmu.name,
		.describe = describe_events,
	};
	int ret;

	if (!group.description)
		return -ENOMEM;
	if (group.max_active)
		group.slot_pool = *pool;
	else
		group.max_active = count_events(pmu);
	/* the user's tables may have metrics of this group */
	if (pmu->target->user_table_count)
		group.describe = NULL;
	ret = description_add_domain(description, &domain, &group.domain);
	if (!ret)
		ret = description_add_group(description, &group, out);
	if (!ret && !*pool)
		*pool = *out;
	return ret;
}

/* Move the parts into the arena. */
static int
keep_parts(struct xe_parts *parts, struct arena *arena)
{
	const size_t engines = parts->engine_count * sizeof(*parts->engines);
	const size_t gts = parts->gt_count * sizeof(*parts->gts);
	struct xe_parts copy = *parts;

	copy.engines = arena_alloc(arena, engines + 1);
	copy.gts = arena_alloc(arena, gts + 1);
	if (copy.engines && copy.gts) {
		memcpy(copy.engines, parts->engines, engines);
		memcpy(copy.gts, parts->gts, gts);
	}
	xe_parts_free(parts);
	*parts = copy;
	return copy.engines && copy.gts ? 0 : -ENOMEM;
}

/*
 * Read the parts of the GPU. Engines and GTs, which the PMU's files do not
 * name. Without them there are the events of the files still.
 */
static int
read_parts(const struct driver_target *target, struct arena *arena,
	   struct xe_parts *out)
{
	const char *path;
	int fd, ret;

	if (strcmp(target->driver, "xe") != 0)
		return 0;
	path = *target->render ? target->render : target->primary;
	if (!*path)
		return 0;
	fd = open(path, O_RDWR | O_CLOEXEC);
	ret = fd < 0 ? -errno : xe_parts_read(fd, out);
	if (fd >= 0)
		close(fd);
	if (!ret)
		return keep_parts(out, arena);
	if (error_is_transient(ret))
		return ret;
	log_write(&target->log, DRMPERF_LOG_WARNING,
		  "cannot ask %s which engines the GPU has: %s; only those "
		  "events of its PMU are listed that need none",
		  path, strerrordesc_np(-ret));
	return 0;
}

static int
add_pmu(const struct driver_target *target, const struct pmu *found,
	struct description *description, group_index *pool,
	struct drmperf_error *error)
{
	struct gpu_pmu *pmu = arena_alloc(description->arena, sizeof(*pmu));
	group_index group;
	int ret;

	if (!found->file_count)
		return 0;
	if (!pmu)
		return error_set(error, -ENOMEM, "no memory");
	pmu->target = target;
	pmu->pmu = *found;
	choose_cpu(&pmu->pmu);
	ret = read_parts(target, description->arena, &pmu->parts);
	if (ret)
		return error_set(error, ret, "cannot query the engines: %s",
				 strerrordesc_np(-ret));
	if (add_group(pmu, description, pool, &group))
		return error_set(error, -ENOMEM, "no memory");
	if (description->groups[group].describe)
		return 0;
	return describe_events(pmu, group, description, error);
}

/* ------------------------------------------------------------------ */
/* Finding                                                              */

/* Return the number in "/dev/dri/card3"; "" if there is no such node. */
static const char *
card_number(const struct driver_target *target)
{
	const char *card = strstr(target->primary, "/card");

	return card ? card + strlen("/card") : "";
}

/* Return the name that a pattern means for the device. */
static char *
expand_pattern(const char *pattern, const struct driver_target *target,
	       struct arena *arena)
{
	size_t length = strcspn(pattern, "%#");
	const char *what = "";
	char *name;

	if (pattern[length] == '%')
		what = target->address;
	else if (pattern[length] == '#')
		what = card_number(target);
	name = arena_printf(arena, "%.*s%s", (int)length, pattern, what);
	for (char *c = name; c && *c; c++) {
		if (*c == ':')
			*c = '_';
	}
	return name;
}

/* Try one PMU of the device: nothing if it has none of that name. */
static int
try_pattern(const struct driver_target *target, const char *pattern,
	    struct description *description, group_index *pool,
	    struct drmperf_error *error)
{
	const char *name = expand_pattern(pattern, target, description->arena);
	struct pmu pmu;
	int ret;

	if (!name)
		return error_set(error, -ENOMEM, "no memory");
	ret = pmu_find(target->root, name, description->arena, &pmu, error);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	return add_pmu(target, &pmu, description, pool, error);
}

/*
 * Return whether a GPU of i915's may be the integrated one, whose PMU has no
 * address in its name. In a virtual machine it is anywhere; its virtual
 * functions, which have no PMU, are beside it on the host.
 */
static bool
may_be_integrated(const struct driver_target *target)
{
	const char *function = strrchr(target->address, '.');
	char path[PATH_MAX];

	if (!strcmp(target->address, INTEGRATED))
		return true;
	if (!function || strcmp(function, ".0") != 0)
		return false;
	snprintf(path, sizeof(path), "%s/sys/bus/pci/drivers/i915/" INTEGRATED,
		 target->root);
	return access(path, F_OK) != 0;
}

static bool
is_meant(size_t pattern, const struct driver_target *target, bool found)
{
	if (strcmp(patterns[pattern].driver, target->driver) != 0)
		return false;
	return !patterns[pattern].is_integrated ||
	       (!found && may_be_integrated(target));
}

/*
 * Describe the PMUs of a device. A PMU that is unreadable does not keep another
 * one from being used; if there is no other, that is what is wrong with the
 * device's PMUs.
 */
static int
pmu_describe(const struct driver_target *target,
	     struct description *description, void **out,
	     struct drmperf_error *error)
{
	struct drmperf_error cause, unreadable = { .code = 0 };
	const size_t before = description->group_count;
	group_index pool = 0;
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		if (!is_meant(i, target,
			      description->group_count > before ||
				      unreadable.code))
			continue;
		ret = try_pattern(target, patterns[i].name, description, &pool,
				  &cause);
		if (error_is_transient(ret)) {
			*error = cause;
			return ret;
		}
		if (ret && !unreadable.code)
			unreadable = cause;
		else if (ret)
			log_write(&target->log, DRMPERF_LOG_WARNING, "%s",
				  cause.cause);
	}
	if (unreadable.code && description->group_count == before) {
		*error = unreadable;
		return unreadable.code;
	}
	if (unreadable.code)
		log_write(&target->log, DRMPERF_LOG_WARNING, "%s",
			  unreadable.cause);
	*out = NULL;
	return 0;
}

/* Release nothing: Everything is in the description's arena. */
static void
pmu_release(void *device)
{
	(void)device;
}

const struct driver perf_event_driver = {
	.describe = pmu_describe,
	.release = pmu_release,
	.abandon = pmu_release,
};
