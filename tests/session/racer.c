/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/session/racer.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/fake_machine.h"

#define MOST_SHARED 4 /* events */
#define MOST_OWN 2 /* runs */

struct racer_domain {
	unsigned armed;
	unsigned calls; /* written by each, for others to see */
};

struct racer {
	struct racer_domain shared, own;
};

struct racer_run {
	struct racer_domain *domain;
	struct run_options options;
	struct counter_request requests[MOST_SHARED];
	size_t count;
	uint64_t samples;
	/* hands on a record for each sample, as the drain of a stream does */
	pthread_t drain;
	sem_t sampled;
	atomic_bool end;
};

/* ------------------------------------------------------------------ */
/* Runs                                                                 */

static void
set_requests(struct racer_run *run, const struct counter_request *requests,
	     size_t count)
{
	memcpy(run->requests, requests, count * sizeof(*requests));
	run->count = count;
}

static void *
drain_pipe(void *data)
{
	struct racer_run *run = data;
	const char record[] = "record";

	for (;;) {
		while (sem_wait(&run->sampled))
			;
		if (atomic_load(&run->end))
			return NULL;
		run->options.raw(run->options.raw_data, NULL, record,
				 sizeof(record));
	}
}

static int
arm_run(struct racer_domain *domain, const struct run_options *options,
	const struct counter_request *requests, size_t count,
	unsigned most_armed, void **out, struct drmperf_error *error)
{
	struct racer_run *run;

	domain->calls++;
	if (domain->armed == most_armed)
		return error_set(error, -EBUSY, "all are in use");
	if (count > MOST_SHARED)
		return error_set(error, -ENOSPC, "too many events");
	run = calloc(1, sizeof(*run));
	if (!run)
		return error_set(error, -ENOMEM, "no memory");
	run->domain = domain;
	run->options = *options;
	set_requests(run, requests, count);
	sem_init(&run->sampled, 0, 0);
	if (pthread_create(&run->drain, NULL, drain_pipe, run))
		abort();
	domain->armed++;
	*out = run;
	return 0;
}

static int
arm_shared(void *device, const struct run_options *options,
	   const struct counter_request *requests, size_t count, void **out,
	   struct drmperf_error *error)
{
	struct racer *racer = device;

	return arm_run(&racer->shared, options, requests, count, 1, out, error);
}

static int
arm_own(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, void **out,
	struct drmperf_error *error)
{
	struct racer *racer = device;

	return arm_run(&racer->own, options, requests, count, MOST_OWN, out,
		       error);
}

static int
change_run(void *data, const struct counter_request *requests, size_t count,
	   struct drmperf_error *error)
{
	struct racer_run *run = data;

	run->domain->calls++;
	if (count > MOST_SHARED)
		return error_set(error, -ENOSPC, "too many events");
	set_requests(run, requests, count);
	return 0;
}

static int
start_or_stop(void *data, struct drmperf_error *error)
{
	struct racer_run *run = data;

	(void)error;
	run->domain->calls++;
	return 0;
}

static int
sample_run(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	   uint64_t *time_ns, struct drmperf_error *error)
{
	struct racer_run *run = data;

	(void)mode;
	(void)error;
	run->domain->calls++;
	run->samples++;
	for (size_t i = 0; i < run->count; i++)
		raw[i] = run->samples * (run->requests[i].selector + 1);
	*time_ns = run->samples;
	sem_post(&run->sampled);
	return 0;
}

static void
disarm_run(void *data)
{
	struct racer_run *run = data;

	run->domain->calls++;
	run->domain->armed--;
	atomic_store(&run->end, true);
	sem_post(&run->sampled);
	if (pthread_join(run->drain, NULL))
		abort();
	sem_destroy(&run->sampled);
	free(run);
}

static const struct domain_ops shared_ops = {
	.arm = arm_shared,
	.change = change_run,
	.start = start_or_stop,
	.sample = sample_run,
	.stop = start_or_stop,
	.disarm = disarm_run,
};

static const struct domain_ops own_ops = {
	.arm = arm_own,
	.start = start_or_stop,
	.sample = sample_run,
	.stop = start_or_stop,
	.disarm = disarm_run,
};

/* ------------------------------------------------------------------ */
/* Devices                                                              */

static int
add_events(void *device, group_index group, struct description *description,
	   struct drmperf_error *error)
{
	static const char *const names[] = { "A", "B", "C", "D", "E", "F" };

	(void)device;
	(void)error;
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++)
		fake_add_event(description, group, names[i], i,
			       DRMPERF_KIND_CUMULATIVE, DRMPERF_TYPE_UINT64,
			       NULL);
	return 0;
}

static void
add_domain(struct description *description, const char *name,
	   const struct domain_ops *ops, struct racer *racer)
{
	const domain_index domain =
		fake_add_domain(description, name, ops, racer);
	const group_index group =
		fake_add_group(description, name, domain, MOST_SHARED, 1);

	description->groups[group].describe = add_events;
}

static int
describe_device(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	struct racer *racer = calloc(1, sizeof(*racer));

	(void)target;
	if (!racer)
		return error_set(error, -ENOMEM, "no memory");
	add_domain(description, "SHARED", &shared_ops, racer);
	add_domain(description, "OWN", &own_ops, racer);
	*out = racer;
	return 0;
}

static void
release_device(void *device)
{
	struct racer *racer = device;

	if (racer->shared.armed || racer->own.armed)
		abort();
	free(racer);
}

static const struct driver racer_driver = {
	.name = "fake",
	.describe = describe_device,
	.release = release_device,
	.abandon = release_device,
};

const struct driver *const racer_drivers[] = { &racer_driver, NULL };
