/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Traces that a device writes of its waves.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/cancellation.h"
#include "device/device.h"
#include "drmperf.h"

struct drmperf_trace {
	struct drmperf *drmperf;
	struct domain *domain;
	const struct trace_ops *ops;
	void *trace; /* the driver's */
	const struct drmperf_trace_info *info;
};

static int
explain_no_traces(const struct drmperf_device *device,
		  struct drmperf_error *error)
{
	error_set(error, -ENOTSUP, "waves of device %u cannot be traced",
		  device->target.index);
	error_remedy(error, "AMD GPUs trace, under the kernel driver amdgpu");
	return -ENOTSUP;
}

/* Find the domain of an open device that traces; NULL if none does. */
static struct domain *
find_domain(const struct drmperf_device *device)
{
	const struct description *description = device_description(device);

	for (size_t i = 0; i < description->domain_count; i++) {
		if (description->domains[i].trace)
			return &device->domains[i];
	}
	return NULL;
}

/* Register the trace for drmperf_stop_all(). */
static void
set_domain_trace(const struct drmperf_trace *trace)
{
	pthread_mutex_lock(&trace->domain->lock);
	trace->domain->trace = trace->trace;
	pthread_mutex_unlock(&trace->domain->lock);
}

/* Unregister the trace, unless another one was registered since. */
static void
clear_domain_trace(const struct drmperf_trace *trace)
{
	pthread_mutex_lock(&trace->domain->lock);
	if (trace->domain->trace == trace->trace)
		trace->domain->trace = NULL;
	pthread_mutex_unlock(&trace->domain->lock);
}

/* Open the device and set its domain that traces. */
static int
open_domain(struct drmperf_device *device, struct domain **out,
	    struct drmperf_error *error)
{
	int ret = drmperf_device_open(device, error);

	if (ret)
		return ret;
	*out = find_domain(device);
	if (*out)
		return 0;
	/* its own driver could not look at the GPU, and said why */
	ret = drmperf_device_status(device, error);
	return ret ? ret : explain_no_traces(device, error);
}

int
drmperf_trace_check(struct drmperf_device *device,
		    const struct drmperf_trace_options *options,
		    struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct drmperf_trace_options taken;
	struct domain *domain;
	int ret = fork_guard_check(&device->drmperf->guard, error);

	if (!ret)
		ret = options_take(options, &taken, sizeof(taken), "trace",
				   error);
	if (!ret)
		ret = open_domain(device, &domain, error);
	return ret ? ret
		   : domain->info->trace->check(domain->info->device, &taken,
						error);
}

static int
begin_trace(struct drmperf_device *device,
	    const struct drmperf_trace_options *options,
	    struct drmperf_trace *trace, struct drmperf_error *error)
{
	int ret = open_domain(device, &trace->domain, error);

	if (ret)
		return ret;
	trace->drmperf = device->drmperf;
	trace->ops = trace->domain->info->trace;
	ret = trace->ops->open(trace->domain->info->device, options,
			       &trace->trace, &trace->info, error);
	if (!ret)
		set_domain_trace(trace);
	return ret;
}

int
drmperf_trace_create(struct drmperf_device *device,
		     const struct drmperf_trace_options *options,
		     struct drmperf_trace **out, struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct drmperf_trace_options taken;
	struct drmperf_trace *trace;
	int ret = fork_guard_check(&device->drmperf->guard, error);

	if (!ret)
		ret = options_take(options, &taken, sizeof(taken), "trace",
				   error);
	if (ret)
		return ret;
	trace = calloc(1, sizeof(*trace));
	if (!trace)
		return error_set(error, -ENOMEM, "no memory");
	ret = begin_trace(device, &taken, trace, error);
	if (ret)
		free(trace);
	else
		*out = trace;
	return ret;
}

void
drmperf_trace_destroy(struct drmperf_trace *trace)
{
	NO_CANCELLATION;
	bool is_child;

	if (!trace)
		return;
	is_child = fork_guard_is_child(&trace->drmperf->guard);
	if (!is_child)
		clear_domain_trace(trace);
	trace->ops->close(trace->trace, is_child);
	free(trace);
}

const struct drmperf_trace_info *
drmperf_trace_info(const struct drmperf_trace *trace)
{
	return trace->info;
}

int
drmperf_trace_end(struct drmperf_trace *trace, drmperf_trace_fn receive,
		  void *data, struct drmperf_error *error)
{
	NO_CANCELLATION;
	int ret = fork_guard_check(&trace->drmperf->guard, error);

	if (ret)
		return ret;
	pthread_mutex_lock(&trace->domain->lock);
	ret = trace->ops->end(trace->trace, receive, data, error);
	pthread_mutex_unlock(&trace->domain->lock);
	return ret;
}

int
drmperf_trace_restart(struct drmperf_trace *trace, struct drmperf_error *error)
{
	NO_CANCELLATION;
	int ret = fork_guard_check(&trace->drmperf->guard, error);

	if (ret)
		return ret;
	pthread_mutex_lock(&trace->domain->lock);
	ret = trace->ops->restart(trace->trace, error);
	if (!ret)
		trace->domain->trace = trace->trace;
	pthread_mutex_unlock(&trace->domain->lock);
	return ret;
}
