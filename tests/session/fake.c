/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/session/fake.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device/device.h"
#include "device/state.h"
#include "tests/support/check.h"
#include "tests/support/fake_machine.h"

struct fake_hardware *fake_hw;

/* ------------------------------------------------------------------ */
/* The driver                                                           */

struct fake_run {
	struct counter_request requests[64];
	size_t count;
};

static void
set_requests(struct fake_run *run, const struct counter_request *requests,
	     size_t count)
{
	ck_assert_uint_le(count, 64);
	memcpy(run->requests, requests, count * sizeof(*requests));
	run->count = count;
}

static int
fake_arm(void *device, const struct run_options *options,
	 const struct counter_request *requests, size_t count, void **out,
	 struct drmperf_error *error)
{
	struct fake_run *run;

	ck_assert_ptr_eq(device, fake_hw);
	fake_hw->arms++;
	if (fake_hw->arm_error)
		return error_set(error, fake_hw->arm_error, "arm fails");
	run = calloc(1, sizeof(*run));
	set_requests(run, requests, count);
	*out = run;
	fake_hw->raw = options->raw;
	fake_hw->raw_data = options->raw_data;
	return 0;
}

static int
fake_change(void *data, const struct counter_request *requests, size_t count,
	    struct drmperf_error *error)
{
	struct fake_run *run = data;

	fake_hw->changes++;
	if (fake_hw->change_error)
		return error_set(error, fake_hw->change_error, "change fails");
	set_requests(run, requests, count);
	return 0;
}

static int
fake_start(void *run, struct drmperf_error *error)
{
	(void)run;
	fake_hw->starts++;
	if (fake_hw->at_start)
		fake_hw->at_start();
	return fake_hw->start_error
		       ? error_set(error, fake_hw->start_error, "start fails")
		       : 0;
}

static int
sample_all(struct fake_run *run, int code, enum drmperf_read_mode mode,
	   uint64_t *raw, uint64_t *time_ns, struct drmperf_error *error)
{

	ck_assert_int_ne(mode, DRMPERF_READ_AUTO);
	fake_hw->samples++;
	fake_hw->mode = mode;
	errno = ENOTTY; /* system calls leave something there */
	if (fake_hw->amidst)
		fake_hw->amidst();
	if (code)
		return error_set(error, code, "sample fails");
	for (size_t i = 0; i < run->count; i++) {
		const struct counter_request *request = &run->requests[i];
		const uint64_t *counts = fake_hw->counts[request->selector];

		if (request->instance != DRMPERF_ALL_INSTANCES)
			*raw++ = counts[request->instance];
		else if (request->selector == FAKE_SELECT_TEMPERATURE ||
			 request->selector == FAKE_SELECT_PLAIN ||
			 request->selector == FAKE_SELECT_OTHER)
			*raw++ = counts[0];
		else
			for (unsigned k = 0; k < FAKE_CORES; k++)
				*raw++ = counts[k];
	}
	*time_ns = 1000 + fake_hw->samples;
	return 0;
}

static int
fake_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	    uint64_t *time_ns, struct drmperf_error *error)
{
	return sample_all(data, fake_hw->sample_error, mode, raw, time_ns,
			  error);
}

static void
fake_origin(const void *run, struct driver_origin *out)
{
	(void)run;
	out->clock = fake_hw->clock_ns;
	out->hz = 1000000000;
	out->die = 2;
}

static int
fake_stop(void *run, struct drmperf_error *error)
{
	(void)run;
	fake_hw->stops++;
	return fake_hw->stop_error
		       ? error_set(error, fake_hw->stop_error, "stop fails")
		       : 0;
}

static void
fake_disarm(void *data)
{
	struct fake_run *run = data;

	fake_hw->disarms++;
	free(run);
}

static void
fake_abandon_run(void *data)
{
	struct fake_run *run = data;

	fake_hw->abandons++;
	free(run);
}

static int
own_arm(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, void **out,
	struct drmperf_error *error)
{
	if (fake_hw->own_arm_error)
		return error_set(error, fake_hw->own_arm_error,
				 "the other arm fails");
	return fake_arm(device, options, requests, count, out, error);
}

static int
own_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	   uint64_t *time_ns, struct drmperf_error *error)
{
	int ret = sample_all(data, fake_hw->own_sample_error, mode, raw,
			     time_ns, error);

	if (ret)
		error_set(error, ret, "the other sample fails");
	return !ret && fake_hw->missing ? DRIVER_SAMPLE_PARTIAL : ret;
}

static int
own_missing(const void *data, size_t request, struct drmperf_error *error)
{
	const struct fake_run *run = data;
	uint32_t selector = run->requests[request].selector;

	return fake_hw->missing >> selector & 1
		       ? error_set(error, -EIO, "selector %u is silent",
				   selector)
		       : 0;
}

static const struct domain_ops shared_ops = {
	.arm = fake_arm,
	.change = fake_change,
	.start = fake_start,
	.sample = fake_sample,
	.origin = fake_origin,
	.stop = fake_stop,
	.disarm = fake_disarm,
	.abandon = fake_abandon_run,
};

static const struct domain_ops own_ops = {
	.arm = own_arm,
	.start = fake_start,
	.sample = own_sample,
	.missing = own_missing,
	.stop = fake_stop,
	.disarm = fake_disarm,
	.abandon = fake_abandon_run,
};

static int
fake_describe(const struct driver_target *target,
	      struct description *description, void **out,
	      struct drmperf_error *error)
{
	static const char *const names[] = { "A", "B", "C", "D", "E" };
	domain_index shared, own;
	group_index core, board, plain;

	(void)target;
	(void)error;
	shared = fake_add_domain(description, "core", &shared_ops, fake_hw);
	own = fake_add_domain(description, "plain", &own_ops, fake_hw);
	core = fake_add_group(description, "CORE", shared, 4, FAKE_CORES);
	board = fake_add_group(description, "BOARD", shared, 8, 1);
	plain = fake_add_group(description, "PLAIN", own, 8, 1);
	for (uint32_t i = 0; i < 5; i++)
		fake_add_event(description, core, names[i], i,
			       DRMPERF_KIND_CUMULATIVE, DRMPERF_TYPE_UINT64,
			       NULL);
	fake_add_event(description, core, "HALF", 0, DRMPERF_KIND_AVERAGE,
		       DRMPERF_TYPE_DOUBLE, "A / B + max(A)");
	fake_add_event(description, board, "TEMPERATURE",
		       FAKE_SELECT_TEMPERATURE, DRMPERF_KIND_MOMENTARY,
		       DRMPERF_TYPE_UINT64, NULL);
	fake_add_event(description, board, "KELVIN", 0, DRMPERF_KIND_MOMENTARY,
		       DRMPERF_TYPE_DOUBLE, "TEMPERATURE + 273.15");
	fake_add_event(description, plain, "X", FAKE_SELECT_PLAIN,
		       DRMPERF_KIND_CUMULATIVE, DRMPERF_TYPE_UINT64, NULL);
	fake_add_event(description, plain, "Y", FAKE_SELECT_OTHER,
		       DRMPERF_KIND_CUMULATIVE, DRMPERF_TYPE_UINT64, NULL);
	fake_add_event(description, plain, "MEAN", 0, DRMPERF_KIND_AVERAGE,
		       DRMPERF_TYPE_DOUBLE, "(X + Y) / 2");
	*out = fake_hw;
	return 0;
}

static void
fake_release(void *device)
{
	ck_assert_ptr_eq(device, fake_hw);
}

static const struct driver fake_driver = {
	.name = "fake",
	.describe = fake_describe,
	.release = fake_release,
	.abandon = fake_release,
};

static const struct driver *const fake_drivers[] = { &fake_driver, NULL };

/* ------------------------------------------------------------------ */
/* A machine with one such GPU                                          */

void
fake_open(void)
{
	const char *root = fake_machine_begin(1);

	fake_hw = mmap(NULL, sizeof(*fake_hw), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(fake_hw, MAP_FAILED);
	ck_assert_int_eq(state_create(NULL, fake_drivers, root,
				      &counting.drmperf, &counting.error),
			 0);
}

void
fake_close(void)
{
	counting_end();
	/* Whatever was armed has been released, started or not. */
	ck_assert_uint_le(fake_hw->disarms, fake_hw->arms);
	munmap(fake_hw, sizeof(*fake_hw));
	fake_machine_end();
}

void
fake_work(uint64_t n)
{
	for (unsigned s = 0; s < FAKE_SELECTORS; s++) {
		for (unsigned c = 0; c < FAKE_CORES; c++) {
			if (s != FAKE_SELECT_TEMPERATURE)
				fake_hw->counts[s][c] += n * (s + 1) * (c + 1);
		}
	}
}
