/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/fake_driver.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ------------------------------------------------------------------ */
/* Runs                                                                 */

static const char *const call_names[FAKE_CALLS] = {
	[FAKE_ARM] = "arm",	    [FAKE_CHANGE] = "change",
	[FAKE_START] = "start",	    [FAKE_SAMPLE] = "sample",
	[FAKE_SUBMIT] = "submit",   [FAKE_WAIT] = "wait",
	[FAKE_STOP] = "stop",	    [FAKE_DISARM] = "disarm",
	[FAKE_ABANDON] = "abandon",
};

/* Note a call, run its hook, and fail if it is to fail. */
static int
make_call(struct fake_run *run, enum fake_call call,
	  struct drmperf_error *error)
{
	struct fake_domain *domain = run->domain;

	run->call = call;
	domain->called[call]++;
	if (domain->hooks[call])
		domain->hooks[call](run);
	return domain->errors[call] ? error_set(error, domain->errors[call],
						"%s of %s fails",
						call_names[call], domain->name)
				    : 0;
}

static int
set_requests(struct fake_run *run, const struct counter_request *requests,
	     size_t count, struct drmperf_error *error)
{
	const unsigned max = run->domain->count_max;

	if (max && count > max)
		return error_set(error, -ENOSPC, "too many events");
	assert(count <= ARRAY_SIZE(run->requests));
	memcpy(run->requests, requests, count * sizeof(*requests));
	run->count = count;
	return 0;
}

static int
arm_run(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, void **out,
	struct drmperf_error *error)
{
	struct fake_domain *domain = device;
	struct fake_run *run = calloc(1, sizeof(*run));
	int ret;

	assert(run);
	run->domain = domain;
	run->options = *options;
	if (domain->armed_max && domain->armed == domain->armed_max)
		ret = error_set(error, -EBUSY, "all are in use");
	else
		ret = set_requests(run, requests, count, error);
	if (!ret)
		ret = make_call(run, FAKE_ARM, error);
	if (ret) {
		free(run);
		return ret;
	}
	domain->armed++;
	domain->run = run;
	*out = run;
	return 0;
}

static int
change_run(void *run, const struct counter_request *requests, size_t count,
	   struct drmperf_error *error)
{
	int ret = make_call(run, FAKE_CHANGE, error);

	return ret ? ret : set_requests(run, requests, count, error);
}

static int
start_run(void *run, struct drmperf_error *error)
{
	return make_call(run, FAKE_START, error);
}

static int
stop_run(void *run, struct drmperf_error *error)
{
	return make_call(run, FAKE_STOP, error);
}

static void
disarm_run(void *data)
{
	struct fake_run *run = data;

	make_call(run, FAKE_DISARM, NULL);
	run->domain->armed--;
	free(run);
}

static void
abandon_run(void *run)
{
	make_call(run, FAKE_ABANDON, NULL);
	free(run);
}

/* ------------------------------------------------------------------ */
/* Samples                                                              */

static uint64_t *
copy_counts(const struct fake_domain *domain,
	    const struct counter_request *request, uint64_t *raw)
{
	const uint64_t *counts = domain->counts[request->selector];
	const unsigned instances = domain->groups[request->group].instances;

	assert(instances <= FAKE_INSTANCES);
	if (request->instance != DRMPERF_ALL_INSTANCES) {
		*raw = counts[request->instance];
		return raw + 1;
	}
	memcpy(raw, counts, instances * sizeof(*raw));
	return raw + instances;
}

/* Take a sample in this call. */
static int
take_sample(struct fake_run *run, enum fake_call call, uint64_t *raw,
	    uint64_t *time_ns, struct drmperf_error *error)
{
	struct fake_domain *domain = run->domain;
	int ret;

	assert(domain->mode != DRMPERF_READ_AUTO);
	domain->samples++;
	errno = ENOTTY; /* system calls leave something there */
	ret = make_call(run, call, error);
	if (ret)
		return ret;
	for (size_t i = 0; i < run->count; i++)
		raw = copy_counts(domain, &run->requests[i], raw);
	*time_ns = 1000 + domain->samples;
	return domain->missing ? DRIVER_SAMPLE_PARTIAL : 0;
}

static int
sample_run(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	   uint64_t *time_ns, struct drmperf_error *error)
{
	struct fake_run *run = data;

	assert(!run->domain->is_submitted);
	run->domain->mode = mode;
	return take_sample(run, FAKE_SAMPLE, raw, time_ns, error);
}

static int
submit_sample(void *data, enum drmperf_read_mode mode,
	      struct drmperf_error *error)
{
	struct fake_run *run = data;
	int ret;

	assert(!run->domain->is_submitted);
	run->domain->mode = mode;
	ret = make_call(run, FAKE_SUBMIT, error);
	run->domain->is_submitted = !ret;
	return ret;
}

static int
wait_for_sample(void *data, bool briefly, uint64_t *raw, uint64_t *time_ns,
		struct drmperf_error *error)
{
	struct fake_run *run = data;

	assert(run->domain->is_submitted);
	if (run->domain->is_slow && briefly) {
		make_call(run, FAKE_WAIT_IN_VAIN, NULL);
		return DRIVER_SAMPLE_PENDING;
	}
	run->domain->is_submitted = false;
	return take_sample(run, FAKE_WAIT, raw, time_ns, error);
}

static int
explain_missing(const void *data, size_t request, struct drmperf_error *error)
{
	const struct fake_run *run = data;
	uint32_t selector = run->requests[request].selector;

	return run->domain->missing >> selector & 1
		       ? error_set(error, -EIO, "selector %u is silent",
				   selector)
		       : 0;
}

static void
report_origin(const void *data, struct driver_origin *out)
{
	const struct fake_run *run = data;

	out->clock = run->domain->clock_ns;
	out->hz = 1000000000;
	out->die = 2;
}

const struct domain_ops fake_shared_ops = {
	.arm = arm_run,
	.change = change_run,
	.start = start_run,
	.sample = sample_run,
	.origin = report_origin,
	.stop = stop_run,
	.disarm = disarm_run,
	.abandon = abandon_run,
};

const struct domain_ops fake_own_ops = {
	.arm = arm_run,
	.start = start_run,
	.sample = sample_run,
	.missing = explain_missing,
	.stop = stop_run,
	.disarm = disarm_run,
	.abandon = abandon_run,
};

const struct domain_ops fake_split_ops = {
	.arm = arm_run,
	.change = change_run,
	.start = start_run,
	.sample = sample_run,
	.sample_submit = submit_sample,
	.sample_wait = wait_for_sample,
	.stop = stop_run,
	.disarm = disarm_run,
	.abandon = abandon_run,
};

void
fake_domain_work(struct fake_domain *domain, uint64_t n)
{
	for (unsigned s = 0; s < FAKE_SELECTORS; s++)
		for (unsigned i = 0; s != FAKE_MOMENTARY && i < FAKE_INSTANCES;
		     i++)
			domain->counts[s][i] += n * (s + 1) * (i + 1);
}

/* ------------------------------------------------------------------ */
/* Devices                                                              */

static void
add_domain(struct description *description, struct description_domain domain,
	   struct fake_domain *counts, const struct fake_model *model)
{
	if (!domain.ops)
		domain.ops = &fake_shared_ops;
	if (counts) {
		counts->name = domain.name;
		counts->groups = model->groups;
		domain.device = counts;
	}
	if (description_add_domain(description, &domain, NULL))
		abort();
}

static void
add_group(struct description *description, struct description_group group)
{
	group.description = "A group.";
	group.instances_per_engine = group.instances;
	if (description_add_group(description, &group, NULL))
		abort();
}

void
fake_add_event(struct description *description, group_index group,
	       struct description_event event)
{
	event.group = group;
	event.description = "An event.";
	if (!event.file)
		event.file = "test";
	if (!event.slots)
		event.slots = SLOTS_ANY;
	if (description_add_event(description, &event))
		abort();
}

void
fake_describe(const struct fake_model *model, struct fake_gpu *gpu,
	      struct description *description)
{
	const domain_index domains = (domain_index)description->domain_count;
	const group_index groups = (group_index)description->group_count;

	for (size_t i = 0; i < FAKE_DOMAINS && model->domains[i].name; i++)
		add_domain(description, model->domains[i],
			   gpu ? &gpu->domains[i] : NULL, model);
	for (size_t i = 0; i < FAKE_GROUPS && model->groups[i].name; i++) {
		struct description_group group = model->groups[i];

		group.domain += domains;
		add_group(description, group);
	}
	for (size_t i = 0; i < FAKE_EVENTS && model->events[i].name; i++)
		fake_add_event(description, groups + model->events[i].group,
			       model->events[i]);
}

void
fake_release(void *device)
{
	const struct fake_gpu *gpu = device;

	for (size_t i = 0; i < FAKE_DOMAINS; i++)
		assert(!gpu->domains[i].armed);
}

void
fake_abandon(void *device)
{
	(void)device;
}
