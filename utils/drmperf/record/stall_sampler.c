/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/stall_sampler.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "process/spawn.h"
#include "select/selection_list.h"

/*
 * The kernel looks for samples every 5 ms, and poll() knows no more. What is
 * not there after some of these periods, at the end, does not exist.
 */
#define SETTLE_MS 50
/* A GPU that others keep busy goes on having some. */
#define SETTLE_ROUNDS 10

/* ------------------------------------------------------------------ */
/* Beginning                                                            */

static int
open_device(struct drmperf_device *device, uint64_t period_cycles,
	    struct stall_sampler *sampler, struct drmperf_error *error)
{
	const struct drmperf_sampling_options options = {
		.size = sizeof(options),
		.period_cycles = period_cycles,
	};
	struct sampled_device *out = &sampler->devices[sampler->count];
	int ret = drmperf_sampling_create(device, &options, &out->sampling,
					  error);

	if (ret)
		return ret;
	out->device = device;
	out->table.reason_count =
		drmperf_sampling_info(out->sampling)->reason_count;
	sampler->count++;
	return 0;
}

/*
 * Open the devices. A GPU that has no samples is left out, unless none is left.
 */
static int
open_devices(const struct tool *tool, uint64_t period_cycles, bool tells,
	     struct stall_sampler *sampler)
{
	const unsigned count = drmperf_device_count(tool->drmperf);
	struct drmperf_error error;

	for (unsigned i = 0; i < count; i++) {
		struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);
		int ret;

		if (!choose_means(tool, device))
			continue;
		ret = open_device(device, period_cycles, sampler, &error);
		if (ret && (tells || ret != -ENOTSUP)) {
			tool_complain(tool, &error);
			if (ret != -ENOTSUP)
				return TOOL_FAILED;
		}
	}
	return sampler->count ? 0 : TOOL_FAILED;
}

int
stall_sampler_open(const struct tool *tool, uint64_t period_cycles,
		   struct stall_sampler *sampler)
{
	const unsigned count = drmperf_device_count(tool->drmperf);
	int status;

	if (!count)
		return tool_fail_no_gpu(tool);
	sampler->devices = calloc(count, sizeof(*sampler->devices));
	if (!sampler->devices)
		return tool_fail(tool, "no memory");
	status = open_devices(tool, period_cycles, count == 1, sampler);
	if (status && !sampler->count && count > 1)
		status = open_devices(tool, period_cycles, true, sampler);
	return status;
}

/* ------------------------------------------------------------------ */
/* The thread                                                           */

/* Take samples. Called with the lock held. */
static void
take_samples(void *data, const struct drmperf_sample_batch *batch)
{
	struct sampled_device *device = data;
	const unsigned reasons = device->table.reason_count;

	device->losses += batch->losses;
	for (size_t i = 0; i < batch->count; i++) {
		const uint32_t *from = &batch->samples[i * reasons];
		uint64_t *samples = stall_table_get(&device->table,
						    batch->addresses[i]);

		if (!samples) {
			device->failed = true;
			return;
		}
		for (unsigned k = 0; k < reasons; k++)
			samples[k] += from[k];
	}
}

static void
read_device(struct stall_sampler *sampler, struct sampled_device *device,
	    struct pollfd *poll_fd)
{
	pthread_mutex_lock(&sampler->lock);
	if (drmperf_sampling_read(device->sampling, take_samples, device,
				  &device->error))
		poll_fd->fd = -1;
	pthread_mutex_unlock(&sampler->lock);
}

/* Wait until there is something, and take it. 0: there was nothing. */
static int
wait_and_read(struct stall_sampler *sampler, struct pollfd *fds, size_t count,
	      int timeout_ms)
{
	int ret = poll(fds, (nfds_t)count, timeout_ms);

	for (size_t i = 0; ret > 0 && i < sampler->count; i++) {
		if (fds[i].fd >= 0 && fds[i].revents)
			read_device(sampler, &sampler->devices[i], &fds[i]);
	}
	return ret > 0 || (ret < 0 && errno == EINTR);
}

/* Sample until stopped: the last of the descriptors is the one that ends it. */
static void *
sample_until_stopped(void *data)
{
	struct stall_sampler *sampler = data;
	const size_t count = sampler->count;
	struct pollfd *fds = calloc(count + 1, sizeof(*fds));

	if (!fds) {
		pthread_mutex_lock(&sampler->lock);
		sampler->devices[0].failed = true;
		pthread_mutex_unlock(&sampler->lock);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		fds[i] = (struct pollfd){
			.fd = drmperf_sampling_fd(sampler->devices[i].sampling),
			.events = POLLIN,
		};
	fds[count] = (struct pollfd){ .fd = sampler->stop, .events = POLLIN };
	while (!fds[count].revents &&
	       wait_and_read(sampler, fds, count + 1, -1))
		;
	for (unsigned i = 0; i < SETTLE_ROUNDS; i++) {
		if (!wait_and_read(sampler, fds, count, SETTLE_MS))
			break;
	}
	/* poll() may have been late to tell, not the read behind it */
	for (size_t i = 0; i < count; i++) {
		if (fds[i].fd >= 0)
			read_device(sampler, &sampler->devices[i], &fds[i]);
	}
	free(fds);
	return NULL;
}

/* ------------------------------------------------------------------ */
/* The recording                                                        */

static void
describe_device(const struct sampled_device *device, struct recorder *recorder)
{
	const struct drmperf_sampling_info *info =
		drmperf_sampling_info(device->sampling);
	char chip[TOOL_CHIP_SIZE];
	const struct recording_sampling sampling = {
		.device = (int)drmperf_device_index(device->device),
		.address = drmperf_device_address(device->device),
		.chip = tool_chip(device->device, chip),
		.period_cycles = info->period_cycles,
		.address_bits = info->address_bits,
		.of_all_programs = info->of_all_programs,
		.reasons = info->reasons,
		.reason_count = info->reason_count,
	};

	recorder_add_sampling(recorder, &sampling);
}

int
stall_sampler_start(const struct tool *tool, struct stall_sampler *sampler,
		    struct recorder *recorder)
{
	for (size_t i = 0; i < sampler->count; i++)
		describe_device(&sampler->devices[i], recorder);
	sampler->stop = eventfd(0, EFD_CLOEXEC);
	if (sampler->stop < 0)
		return tool_fail(tool, "eventfd: %s", strerror(errno));
	pthread_mutex_init(&sampler->lock, NULL);
	if (pthread_create(&sampler->thread, NULL, sample_until_stopped,
			   sampler)) {
		pthread_mutex_destroy(&sampler->lock);
		close(sampler->stop);
		return tool_fail(tool, "cannot start a thread");
	}
	sampler->is_running = true;
	return 0;
}

static uint64_t
sum_samples(const struct stall_table *table)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < table->count * table->reason_count; i++)
		sum += table->samples[i];
	return sum;
}

static void
write_device(struct stall_sampler *sampler, struct sampled_device *device,
	     struct recorder *recorder)
{
	const struct recording_stalls stalls = {
		.time_ns = spawn_now_ns(),
		.device = (int)drmperf_device_index(device->device),
		.losses = device->losses,
		.table = &device->table,
	};

	recorder->bytes.failed |= device->failed;
	if (!device->table.count && !device->losses)
		return;
	recorder_add_stalls(recorder, &stalls);
	sampler->samples += sum_samples(&device->table);
	sampler->losses += device->losses;
	device->losses = 0;
	stall_table_clear(&device->table);
}

int
stall_sampler_write(struct stall_sampler *sampler, struct recorder *recorder,
		    struct drmperf_error *error)
{
	int ret = 0;

	if (sampler->is_running)
		pthread_mutex_lock(&sampler->lock);
	for (size_t i = 0; i < sampler->count; i++) {
		struct sampled_device *device = &sampler->devices[i];

		write_device(sampler, device, recorder);
		if (!device->error.code || ret)
			continue;
		*error = device->error;
		ret = device->error.code;
		device->error.code = 0;
	}
	if (sampler->is_running)
		pthread_mutex_unlock(&sampler->lock);
	return ret;
}

/* ------------------------------------------------------------------ */
/* The end                                                              */

void
stall_sampler_stop(struct stall_sampler *sampler)
{
	const uint64_t one = 1;

	if (!sampler->is_running)
		return;
	(void)!write(sampler->stop, &one, sizeof(one));
	pthread_join(sampler->thread, NULL);
	sampler->is_running = false;
	pthread_mutex_destroy(&sampler->lock);
	close(sampler->stop);
}

void
stall_sampler_finish(struct stall_sampler *sampler)
{
	stall_sampler_stop(sampler);
	for (size_t i = 0; i < sampler->count; i++) {
		drmperf_sampling_destroy(sampler->devices[i].sampling);
		stall_table_finish(&sampler->devices[i].table);
	}
	free(sampler->devices);
	*sampler = (struct stall_sampler){ 0 };
}
