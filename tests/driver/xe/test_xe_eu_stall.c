/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of EU stalls through the public interface, on simulated GPUs in
 * virtual time. All samples come from lines of the scenario, so that each sum
 * is known: a row is one of an XeCore's, an address divided by 8.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* GPUs of the machine, in the order of its options and of their addresses. */
enum gpu {
	LNL,
	PTL,
	MTL, /* under xe */
	SKL, /* under i915 */
	VEGA10,
	PVC,
};

/* GPUs that can be sampled. */
static const struct {
	enum gpu gpu;
	unsigned reasons;
} sampled[] = {
	{ LNL, 10 },
	{ PTL, 10 },
	{ PVC, 9 },
};

/* Two of the kernel's timer, which looks for samples every 5 ms. */
#define TIMER (10 * MS)
#define ADDRESSES_MAX 8
#define REASONS_MAX 16

/* What was received. */
static struct received {
	unsigned batches;
	uint64_t losses;
	size_t records;
	unsigned reasons;
	unsigned count; /* addresses */
	uint64_t addresses[ADDRESSES_MAX];
	uint64_t samples[ADDRESSES_MAX][REASONS_MAX];
} received;

static void
open_gpu(void)
{
	for (unsigned i = 0; i < ARRAY_SIZE(sampled); i++) {
		const unsigned gpu = sampled[i].gpu;
		char key[32];

		snprintf(key, sizeof(key), "gpu%u.eu-stall-row", gpu);
		scene_set(key, "none");
		snprintf(key, sizeof(key), "gpu%u.eu-stall-rate", gpu);
		scene_set(key, "0");
	}
	memset(&received, 0, sizeof(received));
	counting_begin();
}

TEST_CASE(works, open_gpu, counting_end, "eu_stall");
TEST_CASE(fails, open_gpu, counting_end, "eu_stall");
TEST_CASE(processes, open_gpu, counting_end, "eu_stall");

static struct drmperf_sampling *
begin_sampling(enum gpu gpu)
{
	struct drmperf_sampling *sampling = NULL;

	counting_succeeded(drmperf_sampling_create(
		drmperf_device_at(counting.drmperf, gpu), NULL, &sampling,
		&counting.error));
	received.reasons = drmperf_sampling_info(sampling)->reason_count;
	ck_assert_uint_le(received.reasons, REASONS_MAX);
	return sampling;
}

static void
check_refused(enum gpu gpu, int code, const char *cause, const char *remedy)
{
	struct drmperf_sampling *sampling = NULL;

	counting_failed(drmperf_sampling_create(
				drmperf_device_at(counting.drmperf, gpu), NULL,
				&sampling, &counting.error),
			code, cause, remedy);
	ck_assert_ptr_null(sampling);
}

static unsigned
place_of(uint64_t address)
{
	for (unsigned i = 0; i < received.count; i++) {
		if (received.addresses[i] == address)
			return i;
	}
	ck_assert_uint_lt(received.count, ADDRESSES_MAX);
	received.addresses[received.count] = address;
	return received.count++;
}

static void
batch_receive(void *data, const struct drmperf_sample_batch *batch)
{
	ck_assert_ptr_eq(data, &received);
	ck_assert(batch->count || batch->losses);
	received.batches++;
	received.losses += batch->losses;
	received.records += batch->count;
	for (size_t i = 0; i < batch->count; i++) {
		const unsigned at = place_of(batch->addresses[i]);

		for (unsigned k = 0; k < received.reasons; k++)
			received.samples[at][k] +=
				batch->samples[i * received.reasons + k];
	}
}

static int
read_samples(struct drmperf_sampling *sampling)
{
	return drmperf_sampling_read(sampling, batch_receive, &received,
				     &counting.error);
}

static bool
is_readable(const struct drmperf_sampling *sampling)
{
	struct pollfd poller = { .fd = drmperf_sampling_fd(sampling),
				 .events = POLLIN };

	ck_assert_int_ge(poller.fd, 0);
	return poll(&poller, 1, 0) == 1;
}

static uint64_t
samples_of(const struct drmperf_sampling *sampling, uint64_t address,
	   const char *name)
{
	const struct drmperf_sampling_info *info =
		drmperf_sampling_info(sampling);

	for (unsigned i = 0; i < info->reason_count; i++) {
		if (!strcmp(info->reasons[i].name, name))
			return received.samples[place_of(address)][i];
	}
	ck_abort_msg("there is no reason %s", name);
	return 0;
}

static uint64_t
sum_of(uint64_t address)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < received.reasons; i++)
		sum += received.samples[place_of(address)][i];
	return sum;
}

/* ------------------------------------------------------------------ */
/* What holds                                                           */

/* Two XeCores, four rows of each: the first line twice, the second twice. */
TEST_LOOP(works, samples_are_summed_by_their_address, ARRAY_SIZE(sampled))
{
	static const struct {
		const char *kernel, *reason;
	} words[] = {
		{ "active", "active" },	   { "other", "other" },
		{ "control", "control" },  { "pipestall", "pipe" },
		{ "send", "send" },	   { "dist_acc", "distance" },
		{ "sbid", "scoreboard" },  { "sync", "sync" },
		{ "inst_fetch", "fetch" },
	};
	struct drmperf_sampling *sampling = begin_sampling(sampled[_i].gpu);
	char key[64], row[64];

	for (unsigned i = 0; i < ARRAY_SIZE(words); i++) {
		received.count = 0;
		memset(received.samples, 0, sizeof(received.samples));
		snprintf(key, sizeof(key), "gpu%d.eu-stall-row",
			 sampled[_i].gpu);
		scene_set(key, "none");
		snprintf(row, sizeof(row), "0x2000 cores=0x3 %s=200",
			 words[i].kernel);
		scene_set(key, row);
		snprintf(row, sizeof(row), "0x1fffffff cores=0x3 %s=7",
			 words[i].kernel);
		scene_set(key, row);
		snprintf(key, sizeof(key), "gpu%d.eu-stall-emit",
			 sampled[_i].gpu);
		scene_set(key, "4");
		scene_pass(TIMER);
		ck_assert(is_readable(sampling));
		ck_assert_int_eq(read_samples(sampling), 0);
		ck_assert_uint_eq(
			samples_of(sampling, 0x10000, words[i].reason), 800);
		ck_assert_uint_eq(sum_of(0x10000), 800);
		ck_assert_uint_eq(
			samples_of(sampling, 0xfffffff8, words[i].reason), 28);
		ck_assert_uint_eq(sum_of(0xfffffff8), 28);
		ck_assert_uint_eq(received.count, 2);
	}
	ck_assert_uint_eq(received.losses, 0);
	drmperf_sampling_destroy(sampling);
}

TEST(works, without_rows_there_are_no_samples)
{
	struct drmperf_sampling *sampling = begin_sampling(LNL);

	scene_pass(TIMER);
	ck_assert(!is_readable(sampling));
	ck_assert_int_eq(read_samples(sampling), 0);
	ck_assert_uint_eq(received.batches, 0);
	drmperf_sampling_destroy(sampling);
}

/* More than one batch, of more than one read of the kernel. */
TEST(works, many_rows_come_in_several_batches)
{
	struct drmperf_sampling *sampling = begin_sampling(LNL);

	scene_set("gpu0.eu-stall-row", "0x100 cores=0x3 sync=1");
	scene_set("gpu0.eu-stall-emit", "8000");
	scene_pass(TIMER);
	ck_assert_int_eq(read_samples(sampling), 0);
	ck_assert_uint_eq(received.records, 16000);
	ck_assert_uint_gt(received.batches, 1);
	ck_assert_uint_eq(sum_of(0x800), 16000);
	drmperf_sampling_destroy(sampling);
}

static const struct {
	uint64_t wanted, period;
} periods[] = {
	{ 0, 1757 },  { 1, 251 },     { 251, 251 },   { 501, 251 },
	{ 502, 502 }, { 1756, 1506 }, { 1757, 1757 }, { UINT64_MAX, 1757 },
};

TEST_LOOP(works, the_nearest_period_is_taken, ARRAY_SIZE(periods))
{
	const struct drmperf_sampling_options options = {
		.size = sizeof(options),
		.period_cycles = periods[_i].wanted,
	};
	struct drmperf_sampling *sampling;

	counting_succeeded(drmperf_sampling_create(
		drmperf_device_at(counting.drmperf, LNL), &options, &sampling,
		&counting.error));
	ck_assert_uint_eq(drmperf_sampling_info(sampling)->period_cycles,
			  periods[_i].period);
	/* the rows a second at 251 clocks; the kernel has got the period */
	scene_set("gpu0.eu-stall-row", "0x100 cores=0x1 sync=1");
	scene_set("gpu0.eu-stall-rate", "42000");
	scene_pass(1000 * MS / 10);
	ck_assert_int_eq(read_samples(sampling), 0);
	ck_assert_uint_eq(received.records, 4200 / (periods[_i].period / 251));
	drmperf_sampling_destroy(sampling);
}

TEST(works, size_of_options)
{
	const struct drmperf_sampling_options none = { 0 };
	struct drmperf_sampling *sampling;

	ck_assert_int_eq(drmperf_sampling_create(
				 drmperf_device_at(counting.drmperf, LNL),
				 &none, &sampling, &counting.error),
			 -EINVAL);
}

TEST_LOOP(works, reasons_are_those_of_the_gpu, ARRAY_SIZE(sampled))
{
	struct drmperf_sampling *sampling = begin_sampling(sampled[_i].gpu);
	const struct drmperf_sampling_info *told =
		drmperf_sampling_info(sampling);

	ck_assert_uint_eq(told->reason_count, sampled[_i].reasons);
	ck_assert_uint_eq(told->address_bits, 32);
	ck_assert(told->of_all_programs);
	drmperf_sampling_destroy(sampling);
}

/* ------------------------------------------------------------------ */
/* What does not                                                        */

TEST(fails, dropped_rows_are_reported)
{
	struct drmperf_sampling *sampling = begin_sampling(LNL);

	scene_set("gpu0.eu-stall-row", "0x100 cores=0x1 sync=1");
	for (unsigned round = 1; round <= 2; round++) {
		scene_set("gpu0.eu-stall-emit", "9000");
		scene_pass(TIMER);
		ck_assert_int_eq(read_samples(sampling), 0);
		ck_assert_uint_eq(received.losses, round);
		ck_assert_uint_eq(received.records, round * 8192);
	}
	scene_set("gpu0.eu-stall-emit", "10");
	scene_pass(TIMER);
	ck_assert_int_eq(read_samples(sampling), 0);
	ck_assert_uint_eq(received.losses, 2);
	ck_assert_uint_eq(received.records, 2 * 8192 + 10);
	drmperf_sampling_destroy(sampling);
}

TEST(fails, a_reset_ends_a_sampling)
{
	struct drmperf_sampling *sampling = begin_sampling(LNL);

	scene_set("gpu0.eu-stall-row", "0x100 cores=0x1 sync=1");
	ck_assert_int_eq(drmsim_reset_gpu(LNL), 0);
	scene_pass(TIMER);
	for (unsigned round = 0; round < 2; round++) {
		ck_assert(is_readable(sampling));
		ck_assert_int_eq(read_samples(sampling), -ECANCELED);
		ck_assert_msg(strstr(counting.error.cause, "reset"), "%s",
			      counting.error.cause);
		ck_assert_msg(strstr(counting.error.remedy, "again"), "%s",
			      counting.error.remedy);
	}
	drmperf_sampling_destroy(sampling);
	sampling = begin_sampling(LNL);
	scene_set("gpu0.eu-stall-emit", "3");
	scene_pass(TIMER);
	ck_assert_int_eq(read_samples(sampling), 0);
	ck_assert_uint_eq(sum_of(0x800), 3);
	drmperf_sampling_destroy(sampling);
}

TEST(fails, one_at_a_time)
{
	struct drmperf_sampling *sampling = begin_sampling(LNL), *other;

	check_refused(LNL, -EBUSY, "sampled already", "wait");
	/* another GPU is another matter */
	other = begin_sampling(PTL);
	drmperf_sampling_destroy(other);
	drmperf_sampling_destroy(sampling);
	drmperf_sampling_destroy(begin_sampling(LNL));
}

TEST(fails, an_older_kernel_cannot_sample)
{
	scene_set("gpu0.eu-stall", "off");
	check_refused(LNL, -ENOTSUP, "kernel", "6.15");
	scene_set("gpu0.eu-stall", "on");
}

static const struct {
	enum gpu gpu;
	const char *cause, *remedy;
} without[] = {
	{ MTL, "Meteor Lake has no samples", "Lunar Lake" },
	{ SKL, "driver i915", "xe" },
	{ VEGA10, "driver amdgpu", "xe" },
};

TEST_LOOP(fails, a_gpu_without_samples_is_refused, ARRAY_SIZE(without))
{
	check_refused(without[_i].gpu, -ENOTSUP, without[_i].cause,
		      without[_i].remedy);
}

TEST(fails, an_ordinary_user_needs_the_sysctl)
{
	struct drmperf_sampling *sampling;

	scene_set("unprivileged", "1");
	check_refused(LNL, -EACCES, "to sample EU stalls",
		      "observation_paranoid=0");
	scene_set("gpu0.observation-paranoid", "0");
	sampling = begin_sampling(LNL);
	drmperf_sampling_destroy(sampling);
	scene_set("gpu0.observation-paranoid", "1");
	scene_set("unprivileged", "0");
}

static const struct {
	const char *fault;
	int code;
	const char *cause;
} faults[] = {
	{ "observation:1:EBUSY", -EBUSY, "sampled already" },
	{ "observation:1:EACCES", -EACCES, "refuses to sample EU stalls" },
	{ "observation:1:ENODEV", -ENODEV, "gone" },
	{ "observation:1:ENOMEM", -ENOMEM, "cannot sample" },
	{ "xe_eu_stall_ioctl:1:ETIMEDOUT", -ETIMEDOUT, "wake up" },
};

/* The fault is one call; what is refused leaves nothing behind. */
TEST_LOOP(fails, a_refused_call_leaves_nothing_behind, ARRAY_SIZE(faults))
{
	counting_succeeded(drmperf_device_open(
		drmperf_device_at(counting.drmperf, LNL), &counting.error));
	scene_fault(faults[_i].fault);
	check_refused(LNL, faults[_i].code, faults[_i].cause, "");
	drmperf_sampling_destroy(begin_sampling(LNL));
}

/* ------------------------------------------------------------------ */
/* Processes                                                            */

/* The kernel lets a stream go when the last process has closed it. */
TEST(processes, a_child_holds_the_stream_until_it_ends)
{
	struct drmperf_sampling *sampling = begin_sampling(LNL);
	struct child child;

	if (child_fork(&child)) {
		bool fine = drmperf_sampling_fd(sampling) == -1 &&
			    drmperf_sampling_read(sampling, batch_receive,
						  &received, NULL) == -ECHILD;

		drmperf_sampling_destroy(sampling);
		/* closed here, too; it lives until the parent has sampled */
		child_tell(&child);
		child_hears(&child);
		child_end(fine ? 0 : 1);
	}
	child_await(&child);
	drmperf_sampling_destroy(sampling);
	drmperf_sampling_destroy(begin_sampling(LNL));
	child_finish(&child);
}

TEST(processes, a_killed_process_frees_the_stream)
{
	struct child child;
	pid_t pid;

	if (child_fork(&child)) {
		counting_end();
		open_gpu();
		begin_sampling(LNL);
		child_hold(&child);
	}
	pid = child_await_hold(&child);
	check_refused(LNL, -EBUSY, "sampled already", "wait");
	child_kill(pid);
	drmperf_sampling_destroy(begin_sampling(LNL));
}

TEST_MACHINE("eu_stall", "--strict", "--time", "virtual", "--gpu", "lnl",
	     "--gpu", "ptl", "--gpu", "mtl,driver=xe", "--gpu", "sklgt2",
	     "--gpu", "vega10", "--gpu", "pvc");
