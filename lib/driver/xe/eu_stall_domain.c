/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread fetches the samples as soon as the kernel has seen them, since the
 * hardware has room for few, and adds them up by reason. The kernel looks at
 * the hardware at intervals: a fenced read waits for it to do so once.
 */
#include "driver/xe/eu_stall.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/monotonic.h"
#include "base/periodic_thread.h"
#include "driver/device_node.h"

/* Within this time the kernel has looked, if it is late as well. */
#define FENCE_MS (2 * EU_STALL_LOOK_MS)

/* Behind the reasons' sums. */
#define SELECT_LOSSES EU_STALL_REASONS_MAX

struct stall_run {
	struct xe_gpu *gpu;
	const struct drmperf_sampling_info *info;
	void *samples; /* of xe_eu_stall_ops */
	struct periodic_thread *thread;
	size_t count;
	uint32_t *selectors;
	bool warned_of_losses;
	pthread_mutex_t lock; /* what follows, and reads of the samples */
	uint64_t sums[EU_STALL_REASONS_MAX + 1]; /* reasons, then losses */
	struct drmperf_error end; /* why there are no more; or code 0 */
};

/* ------------------------------------------------------------------ */
/* Samples                                                              */

/* Caller holds run->lock. */
static void
add_samples(void *data, const struct drmperf_sample_batch *batch)
{
	struct stall_run *run = data;
	const unsigned reasons = run->info->reason_count;
	const uint32_t *samples = batch->samples;

	for (size_t i = 0; i < batch->count; i++, samples += reasons) {
		for (unsigned k = 0; k < reasons; k++)
			run->sums[k] += samples[k];
	}
	run->sums[SELECT_LOSSES] += batch->losses;
}

/* Caller holds run->lock. */
static void
fetch_samples(struct stall_run *run)
{
	if (!run->end.code)
		xe_eu_stall_ops.read(run->samples, add_samples, run, &run->end);
}

/*
 * Fetch samples as long as the thread runs. The descriptor of samples that have
 * ended stays readable.
 */
static void
fetch_in_thread(void *data)
{
	struct stall_run *run = data;
	bool ended;

	pthread_mutex_lock(&run->lock);
	fetch_samples(run);
	ended = run->end.code != 0;
	pthread_mutex_unlock(&run->lock);
	if (ended)
		poll(NULL, 0, EU_STALL_LOOK_MS);
}

/* Caller does not hold run->lock: the thread fetches samples as before. */
static void
wait_for_kernel(const struct stall_run *run)
{
	struct pollfd fd = { .fd = xe_eu_stall_ops.fd(run->samples),
			     .events = POLLIN };

	poll(&fd, 1, FENCE_MS);
}

/* ------------------------------------------------------------------ */
/* The domain                                                           */

static int
stall_change(void *data, const struct counter_request *requests, size_t count,
	     struct drmperf_error *error)
{
	struct stall_run *run = data;
	uint32_t *selectors = calloc(count ? count : 1, sizeof(*selectors));

	if (!selectors)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; i < count; i++)
		selectors[i] = requests[i].selector;
	free(run->selectors);
	run->selectors = selectors;
	run->count = count;
	return 0;
}

static void
stall_abandon(void *data)
{
	struct stall_run *run = data;

	periodic_thread_abandon(run->thread);
	xe_eu_stall_ops.close(run->samples);
	free(run->selectors);
	free(run);
}

static void
stall_disarm(void *data)
{
	struct stall_run *run = data;

	periodic_thread_destroy(run->thread);
	run->thread = NULL;
	pthread_mutex_destroy(&run->lock);
	stall_abandon(run);
}

static int
stall_arm(void *device, const struct run_options *options,
	  const struct counter_request *requests, size_t count, void **out,
	  struct drmperf_error *error)
{
	struct xe_gpu *gpu = device;
	struct stall_run *run = calloc(1, sizeof(*run));
	int ret;

	(void)options;
	if (!run)
		return error_set(error, -ENOMEM, "no memory");
	run->gpu = gpu;
	ret = stall_change(run, requests, count, error);
	if (!ret)
		ret = xe_eu_stall_ops.open(&gpu->oa, 0, &run->samples,
					   &run->info, error);
	if (ret) {
		free(run->selectors);
		free(run);
		return ret;
	}
	pthread_mutex_init(&run->lock, NULL);
	*out = run;
	return 0;
}

static int
stall_start(void *data, struct drmperf_error *error)
{
	struct stall_run *run = data;
	int ret =
		periodic_thread_create_for(xe_eu_stall_ops.fd(run->samples),
					   fetch_in_thread, run, &run->thread);

	return ret ? error_set(error, ret,
			       "cannot start the thread that fetches samples "
			       "of EU stalls: %s",
			       strerrordesc_np(-ret))
		   : 0;
}

static void
warn_of_losses(struct stall_run *run)
{
	if (!run->sums[SELECT_LOSSES] || run->warned_of_losses)
		return;
	run->warned_of_losses = true;
	log_write(&run->gpu->oa.log, DRMPERF_LOG_WARNING,
		  "%s dropped samples of EU stalls, how many is not known: "
		  "their sums are too small",
		  run->gpu->oa.platform.chip);
}

/* Caller holds run->lock. */
static int
explain_end(const struct stall_run *run, struct drmperf_error *error)
{
	if (error)
		*error = run->end;
	if (run->end.code == -ECANCELED)
		error_remedy(error,
			     "stop counting and start again; the kernel's log "
			     "(dmesg) shows why it was reset");
	return run->end.code;
}

/* Caller holds run->lock. */
static int
copy_sums(const struct stall_run *run, uint64_t *raw, uint64_t *time_ns,
	  struct drmperf_error *error)
{
	if (run->end.code)
		return explain_end(run, error);
	for (size_t i = 0; i < run->count; i++)
		raw[i] = run->sums[run->selectors[i]];
	*time_ns = monotonic_ns();
	return 0;
}

static int
stall_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	     uint64_t *time_ns, struct drmperf_error *error)
{
	struct stall_run *run = data;
	int ret;

	if (mode == DRIVER_READ_AT_ONCE) {
		if (pthread_mutex_trylock(&run->lock))
			return -EAGAIN;
		ret = copy_sums(run, raw, time_ns, error);
		pthread_mutex_unlock(&run->lock);
		return ret;
	}
	if (mode == DRMPERF_READ_FENCED) {
		/* what was seen before does not end the wait */
		pthread_mutex_lock(&run->lock);
		fetch_samples(run);
		pthread_mutex_unlock(&run->lock);
		wait_for_kernel(run);
	}
	pthread_mutex_lock(&run->lock);
	fetch_samples(run);
	ret = copy_sums(run, raw, time_ns, error);
	warn_of_losses(run);
	pthread_mutex_unlock(&run->lock);
	return ret;
}

static int
stall_reopen(void *device)
{
	const struct xe_gpu *gpu = device;

	return device_node_renew(gpu->oa.fd, gpu->oa.sysfs, gpu->oa.node);
}

static const struct domain_ops stall_ops = {
	.arm = stall_arm,
	.reopen = stall_reopen,
	.change = stall_change,
	.start = stall_start,
	.sample = stall_sample,
	.disarm = stall_disarm,
	.abandon = stall_abandon,
};

/* ------------------------------------------------------------------ */
/* The description                                                      */

static int
add_sum(const struct drmperf_sample_reason *reason, unsigned index,
	group_index group, struct description *description)
{
	struct description_event event = {
		.name = reason->name,
		.group = group,
		.unit = DRMPERF_UNIT_SAMPLES,
		.type = DRMPERF_TYPE_UINT64,
		.kind = DRMPERF_KIND_CUMULATIVE,
		.slots = SLOTS_ANY,
		.selector = index,
	};

	event.description = arena_printf(description->arena,
					 "Samples of threads, not cycles: %s.",
					 reason->description);
	return event.description ? description_add_event(description, &event)
				 : -ENOMEM;
}

static int
add_losses(group_index group, struct description *description)
{
	const struct description_event event = {
		.name = "losses",
		.description = "Reports of the hardware that it had no room "
			       "and dropped samples, it does not say how many: "
			       "all sums are too small then.",
		.group = group,
		.unit = DRMPERF_UNIT_EVENTS,
		.type = DRMPERF_TYPE_UINT64,
		.kind = DRMPERF_KIND_CUMULATIVE,
		.slots = SLOTS_ANY,
		.selector = SELECT_LOSSES,
	};

	return description_add_event(description, &event);
}

/* Write "active+scoreboard+...", or return NULL without memory. */
static const char *
write_total(const struct eu_stall_layout *layout, struct arena *arena)
{
	const char *text = layout->reasons[0].name;

	for (unsigned i = 1; text && i < layout->reason_count; i++)
		text = arena_printf(arena, "%s+%s", text,
				    layout->reasons[i].name);
	return text;
}

static int
add_share(const struct drmperf_sample_reason *reason, const char *total,
	  group_index group, struct description *description)
{
	struct arena *arena = description->arena;
	struct description_event event = {
		.group = group,
		.unit = DRMPERF_UNIT_PERCENT,
		.type = DRMPERF_TYPE_DOUBLE,
		.kind = DRMPERF_KIND_AVERAGE,
		.is_local = true,
	};

	event.name = arena_printf(arena, "%s-share", reason->name);
	event.description = arena_printf(arena, "Share of all samples: %s.",
					 reason->description);
	event.expression =
		arena_printf(arena, "100*%s/(%s)", reason->name, total);
	if (!event.name || !event.description || !event.expression)
		return -ENOMEM;
	return description_add_event(description, &event);
}

static int
add_events(const struct eu_stall_layout *layout, group_index group,
	   struct description *description)
{
	const char *total = write_total(layout, description->arena);
	int ret = total ? 0 : -ENOMEM;

	for (unsigned i = 0; !ret && i < layout->reason_count; i++)
		ret = add_sum(&layout->reasons[i], i, group, description);
	if (!ret)
		ret = add_losses(group, description);
	for (unsigned i = 0; !ret && i < layout->reason_count; i++)
		ret = add_share(&layout->reasons[i], total, group, description);
	return ret;
}

int
eu_stall_domain_describe(struct xe_gpu *gpu, struct description *description)
{
	const struct eu_stall_layout *layout = eu_stall_find(gpu);
	const struct description_domain domain = {
		.name = "stall",
		.ops = &stall_ops,
		.device = gpu,
		.paranoid = "dev/xe/observation_paranoid",
	};
	struct description_group group = {
		.name = "stall",
		.description = "Samples of EU threads, of all programs, by "
			       "what they wait for. They are counts of "
			       "samples alone, which come at the GPU's longest "
			       "period; drmperf record --stalls has them by "
			       "instruction.",
		.max_active = EU_STALL_REASONS_MAX + 1,
		.instances = 1,
		.instances_per_engine = 1,
		.scope = DRMPERF_SCOPE_DEVICE,
	};
	group_index index;
	int ret;

	if (!layout)
		return 0;
	ret = description_add_domain(description, &domain, &group.domain);
	if (!ret)
		ret = description_add_group(description, &group, &index);
	return ret ? ret : add_events(layout, index, description);
}
