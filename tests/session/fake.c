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
char fake_calls[256];

static bool is_noted;

void
fake_note_calls(bool on)
{
	fake_calls[0] = '\0';
	is_noted = on;
}

static void
note_call(char what, const struct fake_hardware *hw)
{
	size_t length = strlen(fake_calls);

	if (!is_noted)
		return;
	ck_assert_uint_lt(length + 4, sizeof(fake_calls));
	snprintf(fake_calls + length, sizeof(fake_calls) - length, "%s%c%u",
		 length ? " " : "", what, (unsigned)(hw - fake_hw));
}

/* ------------------------------------------------------------------ */
/* The driver                                                           */

struct fake_run {
	struct fake_hardware *hw;
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
	struct fake_hardware *hw = device;
	struct fake_run *run;

	hw->arms++;
	if (hw->arm_error)
		return error_set(error, hw->arm_error, "arm fails");
	run = calloc(1, sizeof(*run));
	run->hw = hw;
	set_requests(run, requests, count);
	*out = run;
	hw->armed++;
	hw->raw = options->raw;
	hw->raw_data = options->raw_data;
	return 0;
}

static int
fake_change(void *data, const struct counter_request *requests, size_t count,
	    struct drmperf_error *error)
{
	struct fake_run *run = data;

	run->hw->changes++;
	if (run->hw->change_error)
		return error_set(error, run->hw->change_error, "change fails");
	set_requests(run, requests, count);
	return 0;
}

static int
fake_start(void *data, struct drmperf_error *error)
{
	struct fake_hardware *hw = ((struct fake_run *)data)->hw;

	hw->starts++;
	if (hw->at_start)
		hw->at_start();
	return hw->start_error
		       ? error_set(error, hw->start_error, "start fails")
		       : 0;
}

static int
sample_all(struct fake_run *run, int code, enum drmperf_read_mode mode,
	   uint64_t *raw, uint64_t *time_ns, struct drmperf_error *error)
{
	struct fake_hardware *hw = run->hw;

	ck_assert_int_ne(mode, DRMPERF_READ_AUTO);
	hw->samples++;
	hw->mode = mode;
	errno = ENOTTY; /* system calls leave something there */
	if (hw->amidst)
		hw->amidst();
	if (code)
		return error_set(error, code, "sample fails");
	for (size_t i = 0; i < run->count; i++) {
		const struct counter_request *request = &run->requests[i];
		const uint64_t *counts = hw->counts[request->selector];

		if (request->instance != DRMPERF_ALL_INSTANCES)
			*raw++ = counts[request->instance];
		else if (request->selector >= FAKE_SELECT_TEMPERATURE)
			*raw++ = counts[0];
		else
			for (unsigned k = 0; k < FAKE_CORES; k++)
				*raw++ = counts[k];
	}
	*time_ns = 1000 + hw->samples;
	return 0;
}

static int
fake_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	    uint64_t *time_ns, struct drmperf_error *error)
{
	struct fake_run *run = data;

	return sample_all(run, run->hw->sample_error, mode, raw, time_ns,
			  error);
}

static void
fake_origin(const void *data, struct driver_origin *out)
{
	const struct fake_run *run = data;

	out->clock = run->hw->clock_ns;
	out->hz = 1000000000;
	out->die = 2;
}

static int
fake_stop(void *data, struct drmperf_error *error)
{
	struct fake_hardware *hw = ((struct fake_run *)data)->hw;

	hw->stops++;
	return hw->stop_error ? error_set(error, hw->stop_error, "stop fails")
			      : 0;
}

static void
fake_disarm(void *data)
{
	struct fake_run *run = data;

	note_call('e', run->hw);
	run->hw->armed--;
	run->hw->disarms++;
	free(run);
}

static void
fake_abandon_run(void *data)
{
	struct fake_run *run = data;

	run->hw->abandons++;
	free(run);
}

static int
own_arm(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, void **out,
	struct drmperf_error *error)
{
	const struct fake_hardware *hw = device;

	if (hw->own_arm_error)
		return error_set(error, hw->own_arm_error,
				 "the other arm fails");
	return fake_arm(device, options, requests, count, out, error);
}

static int
own_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	   uint64_t *time_ns, struct drmperf_error *error)
{
	struct fake_run *run = data;
	int ret;

	note_call('p', run->hw);
	ret = sample_all(run, run->hw->own_sample_error, mode, raw, time_ns,
			 error);
	if (ret)
		error_set(error, ret, "the other sample fails");
	return !ret && run->hw->missing ? DRIVER_SAMPLE_PARTIAL : ret;
}

static int
own_missing(const void *data, size_t request, struct drmperf_error *error)
{
	const struct fake_run *run = data;
	uint32_t selector = run->requests[request].selector;

	return run->hw->missing >> selector & 1
		       ? error_set(error, -EIO, "selector %u is silent",
				   selector)
		       : 0;
}

static int
sample_alone(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	     uint64_t *time_ns, struct drmperf_error *error)
{
	const struct fake_run *run = data;

	ck_assert(!run->hw->is_submitted);
	note_call('a', run->hw);
	return fake_sample(data, mode, raw, time_ns, error);
}

static int
submit_sample(void *data, enum drmperf_read_mode mode,
	      struct drmperf_error *error)
{
	struct fake_hardware *hw = ((struct fake_run *)data)->hw;

	hw->mode = mode;
	ck_assert(!hw->is_submitted);
	note_call('s', hw);
	hw->is_submitted = !hw->submit_error;
	return hw->submit_error
		       ? error_set(error, hw->submit_error, "submit fails")
		       : 0;
}

static int
wait_for_sample(void *data, bool briefly, uint64_t *raw, uint64_t *time_ns,
		struct drmperf_error *error)
{
	struct fake_run *run = data;
	struct fake_hardware *hw = run->hw;
	const bool in_vain = hw->is_slow && briefly;

	ck_assert(hw->is_submitted);
	note_call(in_vain ? 'b' : 'w', hw);
	if (in_vain)
		return DRIVER_SAMPLE_PENDING;
	hw->is_submitted = false;
	return sample_all(run, hw->wait_error, hw->mode, raw, time_ns, error);
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

static const struct domain_ops halves_ops = {
	.arm = fake_arm,
	.change = fake_change,
	.start = fake_start,
	.sample = sample_alone,
	.sample_submit = submit_sample,
	.sample_wait = wait_for_sample,
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
	struct fake_hardware *hw = &fake_hw[target->index];
	domain_index shared, own, halves;
	group_index core, board, plain, half;

	(void)error;
	shared = fake_add_domain(description, "core", &shared_ops, hw);
	own = fake_add_domain(description, "plain", &own_ops, hw);
	halves = fake_add_domain(description, "halves", &halves_ops, hw);
	core = fake_add_group(description, "CORE", shared, 4, FAKE_CORES);
	board = fake_add_group(description, "BOARD", shared, 8, 1);
	plain = fake_add_group(description, "PLAIN", own, 8, 1);
	half = fake_add_group(description, "HALVES", halves, 8, 1);
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
	fake_add_event(description, half, "COUNT", FAKE_SELECT_HALVES,
		       DRMPERF_KIND_CUMULATIVE, DRMPERF_TYPE_UINT64, NULL);
	*out = hw;
	return 0;
}

static void
fake_release(void *device)
{
	const struct fake_hardware *hw = device;

	ck_assert_uint_eq(hw->armed, 0);
}

static void
fake_abandon(void *device)
{
	(void)device;
}

static const struct driver fake_driver = {
	.name = "fake",
	.describe = fake_describe,
	.release = fake_release,
	.abandon = fake_abandon,
};

static const struct driver *const fake_drivers[] = { &fake_driver, NULL };

/* ------------------------------------------------------------------ */
/* A machine with such GPUs                                             */

void
fake_open_gpus(unsigned count)
{
	const char *root = fake_machine_begin(count);

	fake_hw =
		mmap(NULL, FAKE_GPUS * sizeof(*fake_hw), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(fake_hw, MAP_FAILED);
	ck_assert_int_eq(state_create(NULL, fake_drivers, root,
				      &counting.drmperf, &counting.error),
			 0);
}

void
fake_open(void)
{
	fake_open_gpus(1);
}

void
fake_close(void)
{
	fake_note_calls(false);
	counting_end();
	munmap(fake_hw, FAKE_GPUS * sizeof(*fake_hw));
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
