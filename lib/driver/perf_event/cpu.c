/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of CPUs, and of other units in their package: by the names of libpfm4,
 * or, for PMUs that it does not know, by those of the kernel's files.
 *
 * There is no list of them, since a name is put together of an event, masks and
 * modifiers. So each event that is named gets a counter of its own here, whose
 * number is its selector.
 */
#include "driver/driver.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "driver/perf_event/known.h"
#include "driver/perf_event/permission.h"
#include "driver/perf_event/pfm.h"
#include "driver/perf_event/pmu.h"
#include "driver/perf_event/run.h"

struct cpu {
	const char *root;
	struct log_sink log;
	pthread_mutex_t lock; /* of all that follows */
	struct arena *arena;
	const struct perf_counter **counters; /* by selector */
	size_t count;
};

/* A counter being found, and what there is to say about it. */
struct find {
	struct perf_counter counter;
	const char *description;
	struct pmu_event event; /* unit and scale */
};

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static bool
may_count(void *device, uint32_t selector)
{
	struct cpu *cpu = device;
	const struct perf_counter *counter;

	pthread_mutex_lock(&cpu->lock);
	counter = cpu->counters[selector];
	pthread_mutex_unlock(&cpu->lock);
	return perf_permission_may_count(counter);
}

static int
cpu_arm(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, void **out,
	struct drmperf_error *error)
{
	struct cpu *cpu = device;
	const struct perf_counter **counters = calloc(count, sizeof(*counters));
	int ret;

	if (!counters)
		return error_set(error, -ENOMEM, "no memory");
	pthread_mutex_lock(&cpu->lock);
	for (size_t i = 0; i < count; i++)
		counters[i] = cpu->counters[requests[i].selector];
	pthread_mutex_unlock(&cpu->lock);
	ret = perf_run_open(counters, count, options->pid, options->partial,
			    out, error);
	free(counters);
	return ret;
}

static const struct domain_ops cpu_ops = {
	.may_count = may_count,
	.arm = cpu_arm,
	.start = perf_run_start,
	.sample = perf_run_sample,
	.missing = perf_run_missing,
	.stop = perf_run_stop,
	.disarm = perf_run_close,
	.abandon = perf_run_close,
};

/* ------------------------------------------------------------------ */
/* Finding                                                              */

static int
no_such_event(const struct pmu *pmu, const char *name,
	      struct drmperf_error *error)
{
	const size_t length = strcspn(name, ":");
	struct suggestions nearest;
	char names[400];

	error_set(error, -ENOENT, "the kernel's PMU %s has no event \"%.*s\"",
		  pmu->name, length < 200 ? (int)length : 200, name);
	suggest_init(&nearest, name, length);
	for (size_t i = 0; i < pmu->event_count; i++)
		suggest_offer(&nearest, pmu->events[i].name,
			      pmu->events[i].name);
	suggest_list(&nearest, names, sizeof(names));
	if (*names)
		error_remedy(error, "did you mean %s, with \"%s::\" before it?",
			     names, pmu->name);
	return -ENOENT;
}

/* Take where the PMU is, and where it counts. */
static void
take_place(struct perf_counter *counter, const struct pmu *pmu)
{
	counter->folder = pmu->folder;
	counter->cpus = pmu->cpus;
	counter->cpu_count = pmu->cpu_count;
}

/*
 * Describe a PMU that was found. GPUs' PMUs are called by their drivers' names,
 * "xe_0000_03_00.0".
 */
static int
describe_found(struct cpu *cpu, const struct pmu *pmu, struct find *out)
{
	const char *driver =
		arena_strndup(cpu->arena, pmu->name, strcspn(pmu->name, "_"));
	const struct known_event *known;

	if (!driver)
		return -ENOMEM;
	known = known_event_find(driver, out->event.name);
	out->counter.is_level = known && known->is_level;
	out->description =
		known ? known->description : "Counted by a PMU of the kernel.";
	return 0;
}

/* List the formats that an event leaves open, as a remedy. */
static void
list_open(const struct pmu *pmu, const struct pmu_event *event,
	  struct drmperf_error *error)
{
	char names[400] = "";
	size_t length = 0;

	for (size_t i = 0; i < pmu->format_count; i++) {
		const struct pmu_format *format = &pmu->formats[i];

		if (event->words.filled[format->word] & format->mask ||
		    length + strlen(format->name) + 8 > sizeof(names))
			continue;
		length += (size_t)sprintf(names + length, "%s:%s=N",
					  length ? ", " : "", format->name);
	}
	if (length)
		error_remedy(error, "%s leaves open %s", event->name, names);
	else
		error_remedy(error, "%s leaves no term open", event->name);
}

/* Put the terms behind the event, ":gt=1:engine_class=0", into its words. */
static int
take_terms(const struct pmu *pmu, const char *terms, struct pmu_event *event,
	   struct drmperf_error *error)
{
	struct pmu_words words = event->words;
	int ret = 0;

	if (*terms)
		ret = pmu_terms_complete(terms + 1, pmu->formats,
					 pmu->format_count, &words);
	if (!ret && !pmu_words_lack(&words)) {
		event->words = words;
		return 0;
	}
	if (ret == -EEXIST)
		error_set(error, -EINVAL,
			  "\"%.200s\": the event already has one of these "
			  "terms",
			  terms + 1);
	else if (ret)
		error_set(error, -EINVAL,
			  "\"%.200s\" is no list of the PMU's terms, or a "
			  "value is too large",
			  terms + 1);
	else
		error_set(error, -EINVAL,
			  "the PMU %s wants more terms for its event %s",
			  pmu->name, event->name);
	list_open(pmu, event, error);
	return -EINVAL;
}

/* Find "msr::tsc": as the PMU's files have it; more terms may follow. */
static int
find_in_sysfs(struct cpu *cpu, const char *name, struct find *out,
	      struct drmperf_error *error)
{
	const char *event = strstr(name, "::") + 2;
	const char *pmu_name =
		arena_strndup(cpu->arena, name, (size_t)(event - 2 - name));
	struct pmu pmu;
	int ret;

	if (!pmu_name)
		return error_set(error, -ENOMEM, "no memory");
	ret = pmu_read(cpu->root, pmu_name, cpu->arena, &cpu->log, &pmu, error);
	if (ret)
		return ret == -ENOENT ? -ENXIO : ret;
	for (size_t i = 0; i < pmu.event_count; i++) {
		const char *own = pmu.events[i].name;
		size_t length = strcspn(event, ":");

		if (strncmp(own, event, length) != 0 || own[length])
			continue;
		out->event = pmu.events[i];
		ret = take_terms(&pmu, event + length, &out->event, error);
		if (ret)
			return ret;
		out->counter.type = pmu.type;
		take_place(&out->counter, &pmu);
		memcpy(out->counter.config, out->event.words.config,
		       sizeof(out->counter.config));
		if (describe_found(cpu, &pmu, out))
			return error_set(error, -ENOMEM, "no memory");
		return 0;
	}
	return no_such_event(&pmu, event, error);
}

/* Return the units of the kernel's own types, which have no files. */
static const char *
own_unit(const struct perf_counter *counter)
{
	uint64_t config = counter->config[0];

	if (counter->type == PERF_TYPE_SOFTWARE &&
	    (config == PERF_COUNT_SW_CPU_CLOCK ||
	     config == PERF_COUNT_SW_TASK_CLOCK))
		return "ns";
	if (counter->type == PERF_TYPE_HARDWARE &&
	    (config == PERF_COUNT_HW_CPU_CYCLES ||
	     config == PERF_COUNT_HW_REF_CPU_CYCLES ||
	     config == PERF_COUNT_HW_BUS_CYCLES))
		return "ticks";
	return "";
}

/*
 * Complete a counter by facts of the kernel's files that libpfm4 lacks: the
 * CPUs to count on (uncore PMUs cannot tell processes apart), unit and scale.
 */
static int
complete_from_sysfs(struct cpu *cpu, struct find *find,
		    struct drmperf_error *error)
{
	struct perf_counter *counter = &find->counter;
	const char *name;
	struct pmu pmu;
	int ret;

	find->event.unit = own_unit(counter);
	find->event.scale = "";
	if (counter->type < PERF_TYPE_MAX)
		return 0;
	ret = pmu_find_type(cpu->root, counter->type, cpu->arena, &name);
	if (error_is_transient(ret))
		return error_set(error, ret, "cannot look for the PMU %s: %s",
				 counter->pmu, strerrordesc_np(-ret));
	if (!ret)
		ret = pmu_read(cpu->root, name, cpu->arena, &cpu->log, &pmu,
			       error);
	if (ret == -ENOENT)
		return error_set(error, -ENODEV, "the kernel has no PMU %s",
				 counter->pmu);
	if (ret)
		return ret;
	take_place(counter, &pmu);
	for (size_t i = 0; i < pmu.event_count; i++) {
		if (!memcmp(pmu.events[i].words.config, counter->config,
			    sizeof(counter->config)))
			find->event = pmu.events[i];
	}
	return 0;
}

static int
find_counter(struct cpu *cpu, const char *name, struct find *out,
	     struct drmperf_error *error)
{
	int ret;

	*out = (struct find){ .counter = { .cpus = NULL } };
	out->counter.name = arena_strndup(cpu->arena, name, strlen(name));
	out->counter.pmu = arena_strndup(cpu->arena, name, strcspn(name, ":"));
	if (!out->counter.name || !out->counter.pmu)
		return error_set(error, -ENOMEM, "no memory");
	ret = pfm_encode(name, cpu->arena, &out->counter, &out->description,
			 error);
	if (ret == -ENXIO)
		return find_in_sysfs(cpu, name, out, error);
	return ret ? ret : complete_from_sysfs(cpu, out, error);
}

/* Keep the counter; returns its selector, or -ENOMEM. */
static int
keep_counter(struct cpu *cpu, const struct perf_counter *counter)
{
	const struct perf_counter **counters =
		reallocarray(cpu->counters, cpu->count + 1, sizeof(*counters));
	struct perf_counter *copy = arena_alloc(cpu->arena, sizeof(*copy));

	if (counters)
		cpu->counters = counters;
	if (!counters || !copy)
		return -ENOMEM;
	*copy = *counter;
	counters[cpu->count] = copy;
	return (int)cpu->count++;
}

/* ------------------------------------------------------------------ */
/* Describing                                                           */

/* Add one group for all events, so that those of a session count together. */
static int
add_group(struct cpu *cpu, struct description *description)
{
	const struct description_domain domain = {
		.name = "cpu",
		.ops = &cpu_ops,
		.device = cpu,
	};
	struct description_group group = {
		.name = "cpu",
		.description = "Events of CPUs, found by their names only.",
		.max_active = 1, /* each stands in a catalog of its own */
		.instances = 1,
		.instances_per_engine = 1,
		.scope = DRMPERF_SCOPE_PROCESS,
	};
	int ret = description_add_domain(description, &domain, &group.domain);

	return ret ? ret : description_add_group(description, &group, NULL);
}

static int
describe_named(void *device, const char *name, struct description *description,
	       struct drmperf_error *error)
{
	struct cpu *cpu = device;
	struct description_event record = { .name = "event" };
	struct find find;
	int ret, selector = 0;

	pthread_mutex_lock(&cpu->lock);
	ret = find_counter(cpu, name, &find, error);
	if (!ret) {
		selector = keep_counter(cpu, &find.counter);
		if (selector < 0)
			ret = error_set(error, -ENOMEM, "no memory");
	}
	pthread_mutex_unlock(&cpu->lock);
	if (ret)
		return ret;
	record.description = find.description;
	record.selector = (uint32_t)selector;
	record.kind = find.event.is_snapshot || find.counter.is_level
			      ? DRMPERF_KIND_MOMENTARY
			      : DRMPERF_KIND_CUMULATIVE;
	if (add_group(cpu, description) ||
	    pmu_event_describe(&find.event, &record, description))
		return error_set(error, -ENOMEM, "no memory");
	return 0;
}

static void
cpu_release(void *device)
{
	struct cpu *cpu = device;

	arena_destroy(cpu->arena);
	free(cpu->counters);
	free(cpu);
}

static int
cpu_describe(const struct driver_target *target,
	     struct description *description, void **out,
	     struct drmperf_error *error)
{
	struct cpu *cpu = calloc(1, sizeof(*cpu));

	if (cpu)
		cpu->arena = arena_create();
	if (!cpu || !cpu->arena) {
		free(cpu);
		return error_set(error, -ENOMEM, "no memory");
	}
	cpu->root = target->root;
	cpu->log = target->log;
	pthread_mutex_init(&cpu->lock, NULL);
	if (add_group(cpu, description)) {
		cpu_release(cpu);
		return error_set(error, -ENOMEM, "no memory");
	}
	*out = cpu;
	return 0;
}

const struct driver cpu_driver = {
	.name = "cpu",
	.describe = cpu_describe,
	.describe_named = describe_named,
	.release = cpu_release,
	.abandon = cpu_release,
};
